package model

import (
	"slices"
	"strings"
)

// States of a route plan.
const (
	// RoutePlanPending: nothing of it has been started.
	RoutePlanPending = "PENDING"
	// RoutePlanStarted: a driver has started one of its tasks.
	RoutePlanStarted = "STARTED"
	// RoutePlanCompleted: all of its tasks are done.
	RoutePlanCompleted = "COMPLETED"
)

// MaxRoutePlans is how many route plans a list holds, and how many it holds when it does not say.
const MaxRoutePlans = 500

// RoutePlanEnds returns where a route can start or end.
func RoutePlanEnds() []string { return []string{"HUB", "WORKER_LOCATION", "WORKER_ADDRESS"} }

// Check reports what is wrong with a route plan to be created.
func (in RoutePlanInput) Check() Problems { return in.check(true) }

// CheckUpdate reports what is wrong with a change of a route plan.
func (in RoutePlanInput) CheckUpdate() Problems { return in.check(false) }

// CheckTasks reports what is wrong with a list of tasks for a route plan.
func (in RoutePlanInput) CheckTasks() Problems {
	var ps Problems
	if !in.Tasks.Has() {
		ps.add("tasks", ErrorMissing, "The ids of the tasks are required.")
	}
	ps.checkRoutePlanTasks(in.Tasks.Value())
	return ps
}

func (in RoutePlanInput) check(creates bool) Problems {
	var ps Problems
	ps.checkName("name", in.Name, "The route plan's name", creates)
	switch {
	case creates && !in.StartTime.Has():
		ps.add("startTime", ErrorMissing, "The start time is required, in Unix milliseconds.")
	case in.StartTime.IsNull():
		ps.add("startTime", ErrorMissing, "The start time cannot be cleared.")
	}
	ps.checkWindow("startTime", in.StartTime, "endTime", in.EndTime)
	ps.checkRoutePlanTasks(in.Tasks.Value())
	if vehicle, ok := in.VehicleType.Get(); ok {
		ps.checkVehicleType("vehicleType", vehicle)
	}
	ps.checkOptionalID("worker", in.Worker)
	ps.checkOptionalID("team", in.Team)
	ps.checkOptionalID("startingHubId", in.StartingHubID)
	ps.checkOptionalID("endingHubId", in.EndingHubID)
	ps.checkRoutePlanEnd("startAt", in.StartAt)
	ps.checkRoutePlanEnd("endAt", in.EndAt)
	if zone, ok := in.Timezone.Get(); ok && zone == "" {
		ps.add("timezone", ErrorInvalid, "Must be a time zone such as America/Los_Angeles.")
	}
	ps.checkTimezone("timezone", in.Timezone.Value())
	return ps
}

func (ps *Problems) checkRoutePlanEnd(field string, end Opt[string]) {
	if at, ok := end.Get(); ok && !slices.Contains(RoutePlanEnds(), at) {
		ps.add(field, ErrorInvalid, "%.40q is not one of %s.", Clean(at), strings.Join(RoutePlanEnds(), ", "))
	}
}

func (ps *Problems) checkRoutePlanTasks(tasks []ID) {
	ps.checkIDs("tasks", tasks)
	ps.checkUniqueTasks(0, tasks)
	if len(tasks) > MaxContainerTasks {
		ps.add("tasks", ErrorInvalid, "The route plan would have %d tasks; at most %d are allowed.", len(tasks), MaxContainerTasks)
	}
}
