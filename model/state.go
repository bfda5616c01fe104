package model

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// TaskState is the state of a task. Unknown values are kept.
type TaskState int

// Task states. A completed task succeeded or failed by its completion details.
const (
	TaskUnassigned TaskState = 0
	TaskAssigned   TaskState = 1
	TaskActive     TaskState = 2
	TaskCompleted  TaskState = 3
)

// String returns the state as a word.
func (s TaskState) String() string {
	switch s {
	case TaskUnassigned:
		return "unassigned"
	case TaskAssigned:
		return "assigned"
	case TaskActive:
		return "active"
	case TaskCompleted:
		return "completed"
	}
	return fmt.Sprintf("state %d", int(s))
}

// Known reports whether the state is one of the interface's.
func (s TaskState) Known() bool { return s >= TaskUnassigned && s <= TaskCompleted }

// UnmarshalJSONFrom implements the codec's interface.
func (s *TaskState) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return readInteger(dec, s) }

// UnmarshalJSONFrom implements the codec's interface.
func (t *Trigger) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return readInteger(dec, t) }

// DutyState is what a worker is doing, as list queries name it.
type DutyState int

// Worker states.
const (
	WorkerOffDuty DutyState = 0
	WorkerIdle    DutyState = 1
	WorkerActive  DutyState = 2
)

// DutyState returns what the worker is doing.
func (w *Worker) DutyState() DutyState {
	switch {
	case !w.OnDuty:
		return WorkerOffDuty
	case w.ActiveTask.Has() && w.ActiveTask.Value() != "":
		return WorkerActive
	default:
		return WorkerIdle
	}
}

// Succeeded reports whether a task was completed with success.
func (t *Task) Succeeded() bool {
	return t.State == TaskCompleted && t.CompletionDetails.Success.Or(false)
}

// Failed reports whether a task was completed without success.
func (t *Task) Failed() bool {
	return t.State == TaskCompleted && !t.CompletionDetails.Success.Or(false)
}
