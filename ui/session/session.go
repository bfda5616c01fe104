// Package session carries one operation from the key that starts it to its outcome, as a state machine: reading, form,
// preview, sending, and then done, cancelled, failed or unknown. It draws nothing and sends nothing: every method returns
// the effect that the console has to carry out next.
package session

import (
	"maps"

	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/run"
)

// Effect is what the console does next for a session.
type Effect interface{ effect() }

type (
	// ReadInput reads what the operation needs and builds it; the outcome goes to [Session.SetOperation].
	ReadInput struct{}
	// OpenForm shows the form. Values replace the form's own defaults and any draft; nil keeps both.
	OpenForm struct{ Values form.Values }
	// ShowProblems shows on the open form why its values are refused.
	ShowProblems struct{ Problems form.Problems }
	// ShowPreview shows the proposal and asks for a confirmation.
	ShowPreview struct{}
	// Send carries out the steps of the proposal.
	Send struct{}
	// Warn shows why the operation goes no further.
	Warn struct{ Text string }
	// ReportSuccess tells that every step succeeded.
	ReportSuccess struct{}
	// ReportFailure tells why the only step failed, and shows the form again where there was one.
	ReportFailure struct{ Err error }
	// ReportPartly tells how many of several steps succeeded.
	ReportPartly struct{}
	// LookUp asks the service whether steps with an unknown outcome happened.
	LookUp struct{}
	// ReportUnknown tells that even the lookup could not find out.
	ReportUnknown struct{}
)

func (ReadInput) effect()     {}
func (OpenForm) effect()      {}
func (ShowProblems) effect()  {}
func (ShowPreview) effect()   {}
func (Send) effect()          {}
func (Warn) effect()          {}
func (ReportSuccess) effect() {}
func (ReportFailure) effect() {}
func (ReportPartly) effect()  {}
func (LookUp) effect()        {}
func (ReportUnknown) effect() {}

// Session is one operation under way.
type Session struct {
	Definition operations.Definition
	Operation  operations.Operation
	Input      operations.Input
	Proposal   operations.Proposal

	state    State
	values   form.Values // replace the defaults of the form; nil for none
	skipForm bool        // the form is only shown where values are missing
	hasForm  bool        // the user has seen the form
}

// Start begins an operation on a selection. Values replace the defaults of its form; with skipForm the form is only
// shown if they are not enough.
func Start(d operations.Definition, input operations.Input, values form.Values, skipForm bool) (*Session, Effect) {
	s := &Session{Definition: d, Input: input, values: values, skipForm: skipForm}
	if d.Needs != (operations.Needs{}) || d.ReadsDisk {
		return s, ReadInput{}
	}
	operation, err := d.New(input)
	return s, s.SetOperation(operation, input, err)
}

// Propose begins with a proposal that needs no form, such as an undo or the rest of a stopped job.
func Propose(o operations.Operation, input operations.Input, p operations.Proposal) (*Session, Effect) {
	s := &Session{Operation: o, Input: input}
	return s, s.propose(p)
}

// Retry is a session that sends steps again; the user has confirmed them before.
func Retry(o operations.Operation, input operations.Input, p operations.Proposal) *Session {
	return &Session{Operation: o, Input: input, Proposal: p, state: Sending}
}

// State is how far the session is.
func (s *Session) State() State { return s.state }

// HasForm reports that the user has filled in a form, so that going back leads there.
func (s *Session) HasForm() bool { return s.hasForm }

// move changes the state, unless the event is not possible in it. That happens when a key arrives late, such as a
// confirmation of what was cancelled.
func (s *Session) move(e Event) bool {
	next, ok := s.state.Next(e)
	if ok {
		s.state = next
	}
	return ok
}

// ended is the effect of an event that came too late.
func ended() Effect { return Warn{"This operation has already ended. Start it again."} }

// SetOperation takes the operation once its input has been read, or why that failed.
func (s *Session) SetOperation(o operations.Operation, input operations.Input, err error) Effect {
	if err != nil {
		s.move(Refused)
		return Warn{err.Error()}
	}
	s.Operation, s.Input = o, input
	withoutForm := len(o.Form.Fields) == 0
	if withoutForm || s.skipForm {
		values := form.Values{}
		maps.Copy(values, o.Form.Start)
		maps.Copy(values, s.values)
		proposal, problems := o.Prepare(values)
		switch {
		case len(problems) == 0:
			return s.propose(proposal)
		case withoutForm:
			s.move(Refused)
			return Warn{FirstProblem(problems)}
		}
	}
	if !s.move(FormNeeded) {
		return ended()
	}
	s.hasForm = true
	return OpenForm{s.values}
}

// FirstProblem is the problem of the whole form, or else any.
func FirstProblem(p form.Problems) string {
	if text := p[""]; text != "" {
		return text
	}
	for _, text := range p {
		return text
	}
	return ""
}

// Submit takes the values of the form.
func (s *Session) Submit(values form.Values) Effect {
	proposal, problems := s.Operation.Prepare(values)
	if len(problems) > 0 {
		return ShowProblems{problems}
	}
	return s.propose(proposal)
}

func (s *Session) propose(p operations.Proposal) Effect {
	s.Proposal = p
	switch {
	case len(p.Steps) == 0:
		if s.state == Reading {
			s.move(Refused)
		}
		return Warn{nothingToDo(p)}
	case p.Direct:
		return s.Confirm()
	}
	if !s.move(Proposed) {
		return ended()
	}
	return ShowPreview{}
}

func nothingToDo(p operations.Proposal) string {
	if len(p.Skipped) > 0 {
		return "Nothing to do: " + p.Skipped[0].Label + ": " + p.Skipped[0].Reason
	}
	return "Nothing to do."
}

// Confirm accepts the proposal.
func (s *Session) Confirm() Effect {
	if !s.move(Confirmed) {
		return ended()
	}
	return Send{}
}

// Edit goes back from the preview: to the form, or out where there was none.
func (s *Session) Edit() {
	if s.hasForm {
		s.move(Edited)
	} else {
		s.move(Closed)
	}
}

// Cancel gives up before anything was sent.
func (s *Session) Cancel() { s.move(Closed) }

// Reopen shows the form again after a failure.
func (s *Session) Reopen() { s.move(Reopened) }

// Finish takes the outcome of all steps.
func (s *Session) Finish(p *run.Progress) Effect {
	single := p.Total == 1
	switch {
	case p.Done == p.Total:
		s.move(Succeeded)
		return ReportSuccess{}
	case p.Unknown > 0:
		s.move(AnswerLost)
		return LookUp{}
	}
	s.move(StepFailed)
	if single && p.Failed == 1 {
		return ReportFailure{p.Steps[0].Err}
	}
	return ReportPartly{}
}

// SetLookup takes what the lookup of unknown outcomes found.
func (s *Session) SetLookup(p *run.Progress) Effect {
	single := p.Total == 1
	switch {
	case p.Unknown > 0:
		s.move(AnswerLost)
	case p.Done == p.Total:
		s.move(Succeeded)
	default:
		s.move(StepFailed)
	}
	switch {
	case !single:
		return ReportPartly{}
	case p.Done == 1:
		return ReportSuccess{}
	case p.Failed == 1:
		return ReportFailure{p.Steps[0].Err}
	}
	return ReportUnknown{}
}
