package model

import (
	"strings"
	"time"
)

// Limits and defaults of a team's dispatch.
const (
	DefaultTasksPerRoute = 100
	MaxTasksPerRoute     = 200

	DefaultDispatchServiceTime Minutes = 2
	DefaultAllowedDelay        Minutes = 10

	// MaxDispatchMeters is 200 miles, the greatest distance among workers, hubs and tasks.
	MaxDispatchMeters = 200 * 1609.344
)

// windowLimits are what a dispatch window may be; zero means no limit.
type windowLimits struct {
	defaultBack, defaultAhead    time.Duration
	maxBack, maxAhead, maxLength time.Duration
}

func taskWindowLimits() windowLimits {
	return windowLimits{
		defaultBack: 4 * time.Hour, defaultAhead: 4 * time.Hour,
		maxAhead: 12 * time.Hour, maxLength: 16 * time.Hour,
	}
}

func scheduleWindowLimits() windowLimits {
	return windowLimits{
		defaultAhead: 6 * time.Hour,
		maxBack:      3 * time.Hour, maxAhead: 16 * time.Hour, maxLength: 16 * time.Hour,
	}
}

// TimeWindow is a span of time with both ends known.
type TimeWindow struct {
	Start, End time.Time
}

// Length is how long the window is.
func (w TimeWindow) Length() time.Duration { return w.End.Sub(w.Start) }

// Contains reports whether t is in the window, ends included.
func (w TimeWindow) Contains(t time.Time) bool { return !t.Before(w.Start) && !t.After(w.End) }

// RouteEnd is where routes of a dispatch end.
type RouteEnd struct {
	Kind RouteEndKind
	// Hub is the hub of RouteEndsAtHub.
	Hub ID
}

// RouteEndKind is a form of a route's end.
type RouteEndKind int

// Forms of a route's end.
const (
	RouteEndsAtTeamHub RouteEndKind = iota
	RouteEndsAtWorkerAddress
	RouteEndsAtHub
	RouteEndsAnywhere
)

// ParseRouteEnd reads routeEnd: absent is the team's hub, null is anywhere.
func ParseRouteEnd(routeEnd Opt[string]) (RouteEnd, Problems) {
	var ps Problems
	text, ok := routeEnd.Get()
	switch {
	case routeEnd.IsNull():
		return RouteEnd{Kind: RouteEndsAnywhere}, nil
	case !ok || text == RouteEndTeamHub:
		return RouteEnd{Kind: RouteEndsAtTeamHub}, nil
	case text == RouteEndWorkerAddress:
		return RouteEnd{Kind: RouteEndsAtWorkerAddress}, nil
	}
	hub, ok := strings.CutPrefix(text, RouteEndHubPrefix)
	if !ok {
		ps.add("routeEnd", ErrorInvalid, "Unknown route end %.60q. Use %s, %s, %s followed by the id of a hub, or null.",
			Clean(text), RouteEndTeamHub, RouteEndWorkerAddress, RouteEndHubPrefix)
		return RouteEnd{}, ps
	}
	ps.checkID("routeEnd", ID(hub))
	return RouteEnd{Kind: RouteEndsAtHub, Hub: ID(hub)}, ps
}

// DispatchSettings is a dispatch request with every default filled in.
type DispatchSettings struct {
	// MaxTasksPerRoute is the greatest length of a route when the dispatch is done.
	MaxTasksPerRoute int
	// MaxContainerSize excludes workers who have more tasks than this already.
	MaxContainerSize int
	// TaskWindow is the span whose tasks are planned.
	TaskWindow TimeWindow
	// ScheduleWindow is the span in which workers are available.
	ScheduleWindow TimeWindow
	// ServiceTime is for tasks that have none of their own.
	ServiceTime time.Duration
	// MaxAllowedDelay is how late a task may be.
	MaxAllowedDelay time.Duration
	RouteEnd        RouteEnd
	// VehicleType is the only type considered; empty means any.
	VehicleType VehicleType
}

// Check reports what is wrong with a dispatch at the given time.
func (r DispatchRequest) Check(now Millis) Problems {
	var ps Problems
	perRoute := r.MaxTasksPerRoute.Or(DefaultTasksPerRoute)
	if perRoute < 0 || perRoute > MaxTasksPerRoute {
		ps.add("maxTasksPerRoute", ErrorInvalid, "Must be from 0 to %d.", MaxTasksPerRoute)
	}
	ps.checkDispatchWindow("taskTimeWindow", r.TaskTimeWindow, now, taskWindowLimits())
	ps.checkDispatchWindow("scheduleTimeWindow", r.ScheduleTimeWindow, now, scheduleWindowLimits())
	if minutes, ok := r.ServiceTime.Get(); ok {
		ps.checkServiceTime(Some(Minutes(minutes)))
	}
	_, routeEnd := ParseRouteEnd(r.RouteEnd)
	ps = append(ps, routeEnd...)
	if minutes, ok := r.MaxAllowedDelay.Get(); ok && (minutes <= 0 || Minutes(minutes) > MaxAllowedDelay) {
		ps.add("maxAllowedDelay", ErrorInvalid, "Must be above 0 and at most %.0f minutes (a week).", MaxAllowedDelay)
	}
	workers := r.Filters.Value().Workers.Value()
	if size, ok := workers.MaxContainerSize.Get(); ok {
		switch {
		case size < 0:
			ps.add("filters.workers.maxContainerSize", ErrorInvalid, "Must be 0 or more.")
		case size > perRoute:
			ps.add("filters.workers.maxContainerSize", ErrorInvalid, "Must be at most maxTasksPerRoute, which is %d.", perRoute)
		}
	}
	if vehicle, ok := workers.VehicleType.Get(); ok {
		ps.checkVehicleType("filters.workers.vehicleType", vehicle)
	}
	return ps
}

// checkDispatchWindow checks a window of two times in seconds.
func (ps *Problems) checkDispatchWindow(field string, window Opt[[]UnixSeconds], now Millis, limits windowLimits) {
	pair, ok := window.Get()
	if !ok {
		return
	}
	if len(pair) != 2 {
		ps.add(field, ErrorInvalid, "Must be two times in Unix seconds: [start, end].")
		return
	}
	for i, seconds := range pair {
		if seconds < 0 || seconds > latestSeconds {
			ps.add(elementPath(field, i), ErrorTimeConstraint,
				"%d is not a time in Unix seconds. If it is in milliseconds, divide it by 1000.", seconds)
			return
		}
	}
	current, start, end := now.UnixSeconds(), pair[0], pair[1]
	if start >= end {
		ps.add(field, ErrorTimeConstraint, "The end must be after the start.")
		return
	}
	if limits.maxBack > 0 && start < current-toUnixSeconds(limits.maxBack) {
		ps.add(elementPath(field, 0), ErrorTimeConstraint, "The start must be at most %s in the past.", FormatDuration(limits.maxBack))
	}
	switch {
	case end < current:
		ps.add(elementPath(field, 1), ErrorTimeConstraint, "The end is in the past.")
	case end > current+toUnixSeconds(limits.maxAhead):
		ps.add(elementPath(field, 1), ErrorTimeConstraint, "The end must be at most %s in the future.", FormatDuration(limits.maxAhead))
	}
	if end-start > toUnixSeconds(limits.maxLength) {
		ps.add(field, ErrorTimeConstraint, "The window must be at most %s long.", FormatDuration(limits.maxLength))
	}
}

func toUnixSeconds(d time.Duration) UnixSeconds { return UnixSeconds(d / time.Second) }

// WithDefaults fills in what a valid request leaves open.
func (r DispatchRequest) WithDefaults(now Millis) DispatchSettings {
	perRoute := r.MaxTasksPerRoute.Or(DefaultTasksPerRoute)
	routeEnd, _ := ParseRouteEnd(r.RouteEnd)
	workers := r.Filters.Value().Workers.Value()
	serviceTime, allowedDelay := DefaultDispatchServiceTime, DefaultAllowedDelay
	if minutes, ok := r.ServiceTime.Get(); ok {
		serviceTime = Minutes(minutes)
	}
	if minutes, ok := r.MaxAllowedDelay.Get(); ok {
		allowedDelay = Minutes(minutes)
	}
	return DispatchSettings{
		MaxTasksPerRoute: int(perRoute),
		MaxContainerSize: int(workers.MaxContainerSize.Or(perRoute)),
		TaskWindow:       resolveWindow(r.TaskTimeWindow, now, taskWindowLimits()),
		ScheduleWindow:   resolveWindow(r.ScheduleTimeWindow, now, scheduleWindowLimits()),
		ServiceTime:      serviceTime.Duration(),
		MaxAllowedDelay:  allowedDelay.Duration(),
		RouteEnd:         routeEnd,
		VehicleType:      workers.VehicleType.Value(),
	}
}

func resolveWindow(window Opt[[]UnixSeconds], now Millis, limits windowLimits) TimeWindow {
	if pair := window.Value(); len(pair) == 2 {
		return TimeWindow{pair[0].Time(), pair[1].Time()}
	}
	at := now.Time()
	return TimeWindow{at.Add(-limits.defaultBack), at.Add(limits.defaultAhead)}
}

// CheckDispatchDistance reports workers, hubs and tasks of a dispatch that are too far apart.
func CheckDispatchDistance(places []Location) Problems {
	var ps Problems
	if boxSize(places) <= MaxDispatchMeters {
		return nil // most teams end here, without a look at every pair
	}
	for i, a := range places {
		for _, b := range places[i+1:] {
			if meters := a.MetersTo(b); meters > MaxDispatchMeters {
				ps.add("", ErrorInvalid,
					"Workers, hubs and tasks of a dispatch must be within 200 miles of each other. Two of them are %.0f miles apart.",
					meters/1609.344)
				return ps
			}
		}
	}
	return nil
}
