package model

import (
	"math"
	"time"
)

// How often a worker's delayTime is worked out anew.
const (
	DelayRefreshOnDuty  = time.Minute
	DelayRefreshOffDuty = 10 * time.Minute
)

// FallbackServiceTime is for an organization that has no past to derive a service time from. It is the default of a
// dispatch.
const FallbackServiceTime = DefaultDispatchServiceTime

// EffectiveServiceTime is the time a task takes at its destination: its own, else what the route optimization planned, else
// the organization's average so far. A task without a service time has 0.
func EffectiveServiceTime(own Minutes, planned, average Opt[Minutes]) Minutes {
	switch {
	case own > 0:
		return own
	case planned.Has():
		return planned.Value()
	default:
		return average.Or(FallbackServiceTime)
	}
}

// EstimatedCompletion is when a task will be done: transit time and service time after the worker sets out. Only
// tasks that are assigned and not yet started have one; else, or when the transit is not known, it is null.
func EstimatedCompletion(state TaskState, setsOut Millis, transit Opt[Seconds], service Minutes) Opt[Millis] {
	seconds, ok := transit.Get()
	if state != TaskAssigned || !ok {
		return Null[Millis]()
	}
	return Some(setsOut.Add(seconds.Duration() + service.Duration()))
}

// EstimatedArrival is when the worker will be there: transit time after setting out, for assigned and active tasks.
func EstimatedArrival(state TaskState, setsOut Millis, transit Opt[Seconds]) Opt[Millis] {
	seconds, ok := transit.Get()
	if (state != TaskAssigned && state != TaskActive) || !ok {
		return Null[Millis]()
	}
	return Some(setsOut.Add(seconds.Duration()))
}

// TaskDelay is how late a task is: it is not completed, and now or its estimated arrival is after completeBefore.
// Whole seconds, at least 1; null when it is not late.
func TaskDelay(state TaskState, completeBefore Opt[Millis], now Millis, arrival Opt[Millis]) Opt[Seconds] {
	deadline, ok := completeBefore.Get()
	if !ok || state == TaskCompleted {
		return Null[Seconds]()
	}
	at := max(now, arrival.Or(now))
	if at <= deadline {
		return Null[Seconds]()
	}
	return Some(Seconds(math.Ceil(float64(at-deadline) / 1000)))
}

// WorkerDelay is a worker's delay: the greatest of the assigned tasks', or null when none is late.
func WorkerDelay(tasks []Opt[Seconds]) Opt[Seconds] {
	worst := Null[Seconds]()
	for _, delay := range tasks {
		if seconds, ok := delay.Get(); ok && seconds > worst.Or(0) {
			worst = delay
		}
	}
	return worst
}

// DelayRefreshInterval is how often a worker's delay is worked out anew.
func DelayRefreshInterval(onDuty bool) time.Duration {
	if onDuty {
		return DelayRefreshOnDuty
	}
	return DelayRefreshOffDuty
}
