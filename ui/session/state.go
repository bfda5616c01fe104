package session

import "fmt"

// State is how far an operation is.
type State uint8

// The states of a session.
const (
	Reading   State = iota // what the operation needs is being read
	Form                   // the user fills in the form
	Preview                // the proposal is shown and waits for a confirmation
	Sending                // the steps are being carried out
	Done                   // every step succeeded
	Cancelled              // the user gave up before anything was sent
	Failed                 // it could not start, or a step failed
	Unknown                // the outcome of a step is unknown
	stateCount
)

// String is the state's name, for errors and tests.
func (s State) String() string {
	names := [...]string{"reading", "form", "preview", "sending", "done", "cancelled", "failed", "unknown"}
	if int(s) >= len(names) {
		return fmt.Sprintf("state %d", uint8(s))
	}
	return names[s]
}

// Event is something that happens to a session.
type Event uint8

// The events of a session.
const (
	FormNeeded Event = iota // the input is complete and the user must fill in a form
	Proposed                // there is a proposal to show
	Confirmed               // the proposal is accepted, or needs no confirmation
	Edited                  // the user goes back to the form
	Closed                  // the user gives up
	Refused                 // the operation cannot start
	Succeeded               // all steps succeeded, or the lookup found that they did
	StepFailed              // a step failed, or the lookup found that it did nothing
	AnswerLost              // a request was sent and its outcome is unknown
	Reopened                // the form is shown again after a failure
	eventCount
)

// String is the event's name, for errors and tests.
func (e Event) String() string {
	names := [...]string{
		"form needed", "proposed", "confirmed", "edited", "closed", "refused", "succeeded", "step failed", "answer lost", "reopened",
	}
	if int(e) >= len(names) {
		return fmt.Sprintf("event %d", uint8(e))
	}
	return names[e]
}

// transitions lists the state that follows each event; an event that is missing is not possible in that state.
func transitions() map[State]map[Event]State {
	return map[State]map[Event]State{
		Reading: {FormNeeded: Form, Proposed: Preview, Confirmed: Sending, Closed: Cancelled, Refused: Failed},
		Form:    {Proposed: Preview, Confirmed: Sending, Closed: Cancelled},
		Preview: {Confirmed: Sending, Edited: Form, Closed: Cancelled},
		Sending: {Succeeded: Done, StepFailed: Failed, AnswerLost: Unknown},
		Unknown: {Succeeded: Done, StepFailed: Failed, AnswerLost: Unknown},
		Failed:  {Reopened: Form},
	}
}

// Next is the state after an event, and whether the event is possible in this state.
func (s State) Next(e Event) (State, bool) {
	next, ok := transitions()[s][e]
	return next, ok
}
