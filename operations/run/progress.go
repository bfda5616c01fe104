package run

import (
	"fmt"
	"strings"
	"time"

	"waybill/model"
	"waybill/operations"
)

// Status is how far a step is.
type Status uint8

// What a step can be.
const (
	Waiting Status = iota
	Sending
	Done
	Failed
	Unknown // it may have been carried out or not
	Stopped // it was not sent

	statusCount = 6
)

func (s Status) String() string {
	switch s {
	case Waiting:
		return "waiting"
	case Sending:
		return "sending"
	case Done:
		return "done"
	case Failed:
		return "failed"
	case Unknown:
		return "unknown"
	case Stopped:
		return "stopped"
	}
	return fmt.Sprintf("status %d", uint8(s))
}

// State is how far one step is. It never changes; a step gets a new one.
type State struct {
	Object model.ID
	Label  string
	Status Status
	// Text say the result, why it failed, or what it waits for.
	Text string
	// Err is why it failed or why nobody knows.
	Err       error
	RequestID string
	// Retryable says that it certainly did nothing, so that it can be sent again.
	Retryable bool
	// Done of Whole is how far a step is that takes long; Whole is zero when it does not tell.
	Done, Total  int
	Result       operations.Result
	Began, Ended time.Time
	// Attempts is how often it was tried, above what the client tries by itself.
	Attempts int
}

// Progress is how far a run is.
type Progress struct {
	Run     string
	Version int // for the next [Run.Wait]
	Steps   []*State
	// Results are what was done, in the order in which it was. They only ever grow at the end.
	Results []operations.Result

	Total int
	// How many steps are how far.
	Waiting, Sending, Done, Failed, Unknown, Stopped int
	// Retryable is how many certainly did nothing and can be sent again, Unsent how many of them never were.
	Retryable, Unsent int

	// Stopping says that nothing new is sent, Ended that nothing is under way any more either.
	Stopping, Ended bool
	// Halted is why the run stopped by itself: the rest would have failed in the same way.
	Halted error
	// Unrecorded is why changes were made that are not in the activity.
	Unrecorded error
}

func (p *Progress) count() {
	var by [statusCount]int
	for _, s := range p.Steps {
		by[s.Status]++
		if s.Retryable {
			p.Retryable++
		}
		if isUnsent(s) {
			p.Unsent++
		}
	}
	p.Waiting, p.Sending, p.Done = by[Waiting], by[Sending], by[Done]
	p.Failed, p.Unknown, p.Stopped = by[Failed], by[Unknown], by[Stopped]
}

// Summary are the progress in a few words: "12 of 40 done, 2 failed, 1 unknown".
func (p *Progress) Summary() string {
	parts := []string{fmt.Sprintf("%d of %d done", p.Done, p.Total)}
	for _, count := range []struct {
		n    int
		what string
	}{{p.Failed, "failed"}, {p.Unknown, "unknown"}, {p.Stopped, "not sent"}} {
		if count.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count.n, count.what))
		}
	}
	if p.Stopping && !p.Ended {
		parts = append(parts, fmt.Sprintf("stopping, %d under way", p.Sending))
	}
	return strings.Join(parts, ", ")
}
