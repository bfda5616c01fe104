package operations

import (
	"time"

	"waybill/dispatch"
	"waybill/model"
)

// timeCurrentRoutes computes the present routes with the planner's travel times, so that they can be compared with a plan.
func timeCurrentRoutes(team dispatch.Team, settings model.DispatchSettings, now model.Millis) map[model.ID]*dispatch.Route {
	tasks := make(map[model.ID]*dispatch.Task, len(team.Tasks))
	for i := range team.Tasks {
		tasks[team.Tasks[i].ID] = &team.Tasks[i]
	}
	routes := make(map[model.ID]*dispatch.Route, len(team.Workers))
	for i := range team.Workers {
		w := &team.Workers[i]
		walk := routeTimer{route: &dispatch.Route{Worker: w.ID}, pace: w.Vehicle.Pace(), at: w.At, clock: startTime(w, settings, now)}
		for _, id := range w.Route {
			if task := tasks[id]; task != nil {
				walk.visit(task, settings)
			}
		}
		if len(walk.route.Stops) > 0 {
			walk.travelTo(endLocation(team, w, settings.RouteEnd.Kind))
		}
		routes[w.ID] = walk.route
	}
	return routes
}

func startTime(w *dispatch.Worker, settings model.DispatchSettings, now model.Millis) time.Time {
	start := settings.ScheduleWindow.Start
	if shift, ok := w.Shift.Get(); ok && shift.Start.After(start) {
		start = shift.Start
	}
	if at := now.Time(); at.After(start) {
		start = at
	}
	return start
}

func endLocation(team dispatch.Team, w *dispatch.Worker, end model.RouteEndKind) model.Opt[model.Location] {
	switch end {
	case model.RouteEndsAtTeamHub:
		return team.Hub
	case model.RouteEndsAtHub:
		return team.EndHub
	case model.RouteEndsAtWorkerAddress:
		return w.Home
	case model.RouteEndsAnywhere:
	}
	return model.Null[model.Location]()
}

// routeTimer computes the times of a route, stop by stop.
type routeTimer struct {
	route *dispatch.Route
	pace  model.Pace
	at    model.Opt[model.Location]
	clock time.Time
}

func (w *routeTimer) travelTo(next model.Opt[model.Location]) {
	to, known := next.Get()
	if !known {
		return
	}
	if from, ok := w.at.Get(); ok {
		seconds, meters := w.pace.Leg(from.MetersTo(to))
		took := time.Duration(seconds) * time.Second
		w.route.Travel += took
		w.route.Meters += int64(meters)
		w.clock = w.clock.Add(took)
	}
	w.at = next
}

func (w *routeTimer) visit(t *dispatch.Task, settings model.DispatchSettings) {
	w.travelTo(model.Some(t.At))
	stop := dispatch.Stop{Task: t.ID, Arrival: model.MillisOf(w.clock)}
	if after, ok := t.After.Get(); ok && after.Time().After(w.clock) {
		w.clock = after.Time()
	}
	stop.Start = model.MillisOf(w.clock)
	service := settings.ServiceTime
	if t.Service > 0 {
		service = t.Service.Duration()
	}
	w.clock = w.clock.Add(service)
	stop.Depart = model.MillisOf(w.clock)
	if before, ok := t.Before.Get(); ok {
		stop.Late = max(0, w.clock.Sub(before.Time()))
	}
	w.route.Stops = append(w.route.Stops, stop)
}
