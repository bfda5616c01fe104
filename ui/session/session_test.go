package session

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/run"
)

// proposalOf is a proposal with some steps.
func proposalOf(steps int) operations.Proposal {
	return operations.Proposal{Steps: make([]operations.Step, steps)}
}

// define is an operation whose form has one required field, or none.
func define(fields int, p operations.Proposal) operations.Definition {
	return operations.Definition{ID: "test", New: func(operations.Input) (operations.Operation, error) {
		return operations.Operation{
			ID: "test", Form: form.Form{Fields: make([]form.Field, fields), Start: form.Values{"who": ""}},
			Prepare: func(v form.Values) (operations.Proposal, form.Problems) {
				if fields > 0 && v["who"] == "" {
					return operations.Proposal{}, form.Problems{"who": "Choose a driver."}
				}
				return p, nil
			},
		}, nil
	}}
}

func progressOf(total, done, failed, unknown int) *run.Progress {
	p := &run.Progress{Total: total, Done: done, Failed: failed, Unknown: unknown, Ended: true}
	for range total {
		p.Steps = append(p.Steps, &run.State{Err: errors.New("no")})
	}
	return p
}

func TestTransitions(t *testing.T) {
	allowed := map[State]map[Event]State{
		Reading:   {FormNeeded: Form, Proposed: Preview, Confirmed: Sending, Closed: Cancelled, Refused: Failed},
		Form:      {Proposed: Preview, Confirmed: Sending, Closed: Cancelled},
		Preview:   {Confirmed: Sending, Edited: Form, Closed: Cancelled},
		Sending:   {Succeeded: Done, StepFailed: Failed, AnswerLost: Unknown},
		Done:      {},
		Cancelled: {},
		Failed:    {Reopened: Form},
		Unknown:   {Succeeded: Done, StepFailed: Failed, AnswerLost: Unknown},
	}
	require.Len(t, allowed, int(stateCount))
	for state := range stateCount {
		for event := range eventCount {
			want, possible := allowed[state][event]
			next, ok := state.Next(event)
			require.Equal(t, possible, ok, "%s while %s", event, state)
			if ok {
				require.Equal(t, want, next, "%s while %s", event, state)
			}
		}
	}
}

func TestNothingIsSentWithoutAConfirmation(t *testing.T) {
	for state := range stateCount {
		for event := range eventCount {
			if next, ok := state.Next(event); ok && next == Sending {
				require.Equal(t, Confirmed, event, "from %s", state)
			}
		}
	}
}

func TestFormToDone(t *testing.T) {
	s, effect := Start(define(1, proposalOf(1)), operations.Input{}, nil, false)
	require.Equal(t, OpenForm{}, effect)
	require.Equal(t, ShowProblems{form.Problems{"who": "Choose a driver."}}, s.Submit(form.Values{}))
	require.Equal(t, Form, s.State())
	require.Equal(t, ShowPreview{}, s.Submit(form.Values{"who": "Ada"}))
	s.Edit()
	require.Equal(t, Form, s.State())
	s.Submit(form.Values{"who": "Ada"})
	require.Equal(t, Send{}, s.Confirm())
	require.Equal(t, ReportSuccess{}, s.Finish(progressOf(1, 1, 0, 0)))
	require.Equal(t, Done, s.State())
}

func TestValuesSkipTheForm(t *testing.T) {
	s, effect := Start(define(1, proposalOf(1)), operations.Input{}, form.Values{"who": "Ada"}, true)
	require.Equal(t, ShowPreview{}, effect)
	require.False(t, s.HasForm())
	s.Edit()
	require.Equal(t, Cancelled, s.State())

	_, effect = Start(define(1, proposalOf(1)), operations.Input{}, form.Values{}, true)
	require.Equal(t, OpenForm{form.Values{}}, effect, "the form asks for what is missing")
	_, effect = Start(define(1, proposalOf(1)), operations.Input{}, form.Values{"who": "Ada"}, false)
	require.Equal(t, OpenForm{form.Values{"who": "Ada"}}, effect, "complete values are shown all the same")
}

func TestReadingFirst(t *testing.T) {
	d := define(0, proposalOf(2))
	d.Needs.Hubs = true
	s, effect := Start(d, operations.Input{}, nil, false)
	require.Equal(t, ReadInput{}, effect)
	require.Equal(t, Warn{"offline"}, s.SetOperation(operations.Operation{}, operations.Input{}, errors.New("offline")))
	require.Equal(t, Failed, s.State())

	s, _ = Start(d, operations.Input{}, nil, false)
	operation, err := d.New(operations.Input{})
	require.NoError(t, err)
	require.Equal(t, ShowPreview{}, s.SetOperation(operation, operations.Input{}, nil))
	s.Cancel()
	require.Equal(t, Cancelled, s.State())
}

func TestDirectProposalsAreSentAtOnce(t *testing.T) {
	direct := proposalOf(1)
	direct.Direct = true
	s, effect := Start(define(0, direct), operations.Input{}, nil, false)
	require.Equal(t, Send{}, effect)
	require.Equal(t, Sending, s.State())

	_, effect = Start(define(0, proposalOf(0)), operations.Input{}, nil, false)
	require.Equal(t, Warn{"Nothing to do."}, effect)
}

func TestOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		progress, lookup *run.Progress
		effect, found    Effect
		state            State
	}{
		"refused":          {progress: progressOf(1, 0, 1, 0), effect: ReportFailure{errors.New("no")}, state: Failed},
		"some failed":      {progress: progressOf(3, 2, 1, 0), effect: ReportPartly{}, state: Failed},
		"it had happened":  {progressOf(1, 0, 0, 1), progressOf(1, 1, 0, 0), LookUp{}, ReportSuccess{}, Done},
		"it had not":       {progressOf(1, 0, 0, 1), progressOf(1, 0, 1, 0), LookUp{}, ReportFailure{errors.New("no")}, Failed},
		"nobody can tell":  {progressOf(1, 0, 0, 1), progressOf(1, 0, 0, 1), LookUp{}, ReportUnknown{}, Unknown},
		"several, unknown": {progressOf(3, 2, 0, 1), progressOf(3, 3, 0, 0), LookUp{}, ReportPartly{}, Done},
	} {
		t.Run(name, func(t *testing.T) {
			s := Retry(operations.Operation{}, operations.Input{}, proposalOf(c.progress.Total))
			require.Equal(t, c.effect, s.Finish(c.progress))
			if c.lookup != nil {
				require.Equal(t, Unknown, s.State())
				require.Equal(t, c.found, s.SetLookup(c.lookup))
			}
			require.Equal(t, c.state, s.State())
		})
	}
}

func TestFailureReopensTheForm(t *testing.T) {
	s, _ := Start(define(1, proposalOf(1)), operations.Input{}, nil, false)
	s.Submit(form.Values{"who": "Ada"})
	s.Confirm()
	s.Finish(progressOf(1, 0, 1, 0))
	s.Reopen()
	require.Equal(t, Form, s.State())
	require.Equal(t, ShowPreview{}, s.Submit(form.Values{"who": "Ben"}))
}

func TestLateEventsChangeNothing(t *testing.T) {
	s, _ := Start(define(1, proposalOf(1)), operations.Input{}, nil, false)
	s.Cancel()
	require.IsType(t, Warn{}, s.Submit(form.Values{"who": "Ada"}))
	require.IsType(t, Warn{}, s.Confirm())
	require.Equal(t, Cancelled, s.State())
}
