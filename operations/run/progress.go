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

// The statuses of a step.
const (
	Waiting Status = iota
	Sending
	Done
	Failed
	Unknown // the outcome is unknown
	Stopped // it was not sent

	statusCount = 6
)

func (s Status) String() string {
	names := [statusCount]string{"waiting", "sending", "done", "failed", "unknown", "stopped"}
	if s < statusCount {
		return names[s]
	}
	return fmt.Sprintf("status %d", uint8(s))
}

// State is how far one step is. It never changes; a step gets a new one.
type State struct {
	Object model.ID
	Label  string
	Status Status
	// Text is the result, the reason of a failure, or what the step waits for.
	Text string
	// Err is why the step failed or is unknown.
	Err       error
	RequestID string
	// Retryable says that the step certainly did nothing and can be sent again.
	Retryable bool
	// Done of Total is the progress of a long step; Total is zero when the step does not report it.
	Done, Total  int
	Result       operations.Result
	Began, Ended time.Time
	// Attempts counts the attempts of this package; the client retries on its own.
	Attempts int
}

// Progress is how far a run is.
type Progress struct {
	Run     string
	Version int // for the next [Run.Wait]
	Steps   []*State
	// Results are the results so far, in the order of completion. The slice only grows at its end.
	Results []operations.Result

	Total int
	// The number of steps by status.
	Waiting, Sending, Done, Failed, Unknown, Stopped int
	// Retryable is how many steps can be sent again, Unsent how many of them were never sent.
	Retryable, Unsent int

	// Stopping says that no further step is sent, Ended that no step is running.
	Stopping, Ended bool
	// Halted is the error that stopped the run, because every other step would have failed too.
	Halted error
	// Unrecorded is why changes are missing from the journal.
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

// Summary is the progress in a few words: "12 of 40 done, 2 failed, 1 unknown".
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
		parts = append(parts, fmt.Sprintf("stopping, %d running", p.Sending))
	}
	return strings.Join(parts, ", ")
}
