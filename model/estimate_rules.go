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

// FallbackServiceTime is for organizations without completed tasks. It is the default of a dispatch.
const FallbackServiceTime = DefaultDispatchServiceTime

// EffectiveServiceTime returns the service time of a task: its own, else the planned one, else the organization's
// average. A task without its own has 0.
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

// EstimatedCompletion returns when a task will be completed: transit and service time after departure. It is null unless
// the task is assigned, not started, and the transit time is known.
func EstimatedCompletion(state TaskState, setsOut Millis, transit Opt[Seconds], service Minutes) Opt[Millis] {
	seconds, ok := transit.Get()
	if state != TaskAssigned || !ok {
		return Null[Millis]()
	}
	return Some(setsOut.Add(seconds.Duration() + service.Duration()))
}

// EstimatedArrival returns when the worker arrives: the transit time after departure, for assigned and active tasks.
func EstimatedArrival(state TaskState, setsOut Millis, transit Opt[Seconds]) Opt[Millis] {
	seconds, ok := transit.Get()
	if (state != TaskAssigned && state != TaskActive) || !ok {
		return Null[Millis]()
	}
	return Some(setsOut.Add(seconds.Duration()))
}

// TaskDelay returns how late an open task is: how far now or its estimated arrival is after completeBefore, in whole
// seconds, at least 1. It is null when the task is not late.
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

// WorkerDelay returns the greatest delay of a worker's tasks, or null when none is late.
func WorkerDelay(tasks []Opt[Seconds]) Opt[Seconds] {
	worst := Null[Seconds]()
	for _, delay := range tasks {
		if seconds, ok := delay.Get(); ok && seconds > worst.Or(0) {
			worst = delay
		}
	}
	return worst
}

// DelayRefreshInterval returns how often the delay of a worker is computed.
func DelayRefreshInterval(onDuty bool) time.Duration {
	if onDuty {
		return DelayRefreshOnDuty
	}
	return DelayRefreshOffDuty
}
