package operations

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

func TestNotesAreChangedAndUndone(t *testing.T) {
	st := newFixture(t)
	task := st.task(func(in *model.TaskInput) { in.Notes = model.Some("Ring twice") })
	v, err := NewNotes(st.inputWithTask(task.ID))
	require.NoError(t, err)
	require.Equal(t, "Ring twice", v.Form.Start["notes"])

	proposal, shown := st.preview(v, form.Values{"notes": "Ring once"})
	require.Len(t, shown, 1)
	require.Equal(t, "PUT", shown[0].Method)
	require.JSONEq(t, `{"notes":"Ring once"}`, string(shown[0].Body))
	require.Equal(t, "Ring twice", st.read(task.ID).Notes, "a preview changes nothing")

	done := st.do(proposal)[0]
	require.Equal(t, "Ring once", st.read(task.ID).Notes)
	st.undo(done)
	require.Equal(t, "Ring twice", st.read(task.ID).Notes)

	_, err = done.Undo.Step.Do(t.Context(), st.client)
	require.ErrorContains(t, err, "changed again", "nothing is put back over what is not ours")
}

func TestNotesOfAColleagueAreNotOverwritten(t *testing.T) {
	st := newFixture(t)
	task := st.task(nil)
	v, err := NewNotes(st.inputWithTask(task.ID))
	require.NoError(t, err)
	proposal, _ := st.preview(v, form.Values{"notes": "mine"})
	_, err = st.client.UpdateTask(t.Context(), task.ID, model.TaskInput{Notes: model.Some("theirs")})
	require.NoError(t, err)
	_, err = proposal.Steps[0].Do(t.Context(), st.client)
	require.ErrorIs(t, err, errEditedMeanwhile)
	require.Equal(t, "theirs", st.read(task.ID).Notes)
}

func TestNotesThatAreRefused(t *testing.T) {
	st := newFixture(t)
	task := st.task(func(in *model.TaskInput) { in.Notes = model.Some("Ring twice") })
	v, err := NewNotes(st.inputWithTask(task.ID))
	require.NoError(t, err)
	for notes, words := range map[string]string{
		"Ring twice": "Nothing would change",
		strings.Repeat("é", model.MaxTaskNotes+1): "Remove 1",
	} {
		_, problems := v.Prepare(form.Values{"notes": notes})
		require.Contains(t, problems["notes"], words)
	}
	_, err = NewNotes(st.input())
	require.EqualError(t, err, "select a task first")
	_, err = NewNotes(st.input(task.ID))
	require.ErrorContains(t, err, "could not be read")

	over := st.startedTask("+14155550170")
	require.NoError(t, st.client.CompleteTask(t.Context(), over.ID, model.CompleteDetails{Success: model.Some(true)}))
	_, err = NewNotes(st.inputWithTask(over.ID))
	require.EqualError(t, err, model.UpdateForbidden(model.TaskCompleted, "notes"))
}

// loseAnswer makes the service carry out the next change and the client lose the answer.
func (st *fixture) loseAnswer() {
	st.faults = func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodGet {
			return nil, nil
		}
		st.faults = nil
		response, err := st.server.Client.Transport.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		response.Body.Close()
		return nil, errors.New("the connection was reset")
	}
}

// dropRequest loses the next change before the service sees it, with an outcome that looks the same to the client.
func (st *fixture) dropRequest() {
	st.faults = func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodGet {
			return nil, nil
		}
		st.faults = nil
		return &http.Response{
			StatusCode: http.StatusBadGateway, Header: http.Header{}, Body: http.NoBody, Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		}, nil
	}
}

// requireLookup carries out a step whose answer is lost, and looks whether it happened.
func (st *fixture) requireLookup(step Step, happened bool) LookupResult {
	st.t.Helper()
	if happened {
		st.loseAnswer()
	} else {
		st.dropRequest()
	}
	_, err := step.Do(st.t.Context(), st.client)
	require.ErrorIs(st.t, err, apiclient.ErrUnknownOutcome)
	require.NotNil(st.t, step.Lookup)
	found, err := step.Lookup(st.t.Context(), st.client)
	require.NoError(st.t, err)
	require.Equal(st.t, happened, found.Happened, found.Summary)
	require.Equal(st.t, happened, found.Certain, "what is not there may still come: %s", found.Summary)
	require.NotEmpty(st.t, found.Summary)
	return found
}

func TestAnUnknownEditIsLookedUp(t *testing.T) {
	st := newFixture(t)
	for _, happened := range []bool{true, false} {
		task := st.task(nil)
		v, err := NewNotes(st.inputWithTask(task.ID))
		require.NoError(t, err)
		proposal, _ := st.preview(v, form.Values{"notes": "new"})
		st.requireLookup(proposal.Steps[0], happened)
	}
}

func TestWindowsOfManyAreChangedAndUndone(t *testing.T) {
	st := newFixture(t)
	now := st.server.World.Now()
	first := st.task(func(in *model.TaskInput) {
		in.CompleteAfter, in.CompleteBefore = model.Some(now), model.Some(now+3_600_000)
	})
	second := st.task(nil)
	active := st.startedTask("+14155550171")
	s := st.input(first.ID, second.ID, active.ID)
	v, err := NewWindow(s)
	require.NoError(t, err)
	window, ok := v.Form.Field("window")
	require.True(t, ok)
	require.Contains(t, window.Echo("14:00-16:00", nil), "PST")

	proposal, shown := st.preview(v, form.Values{"window": "14:00-16:00"})
	require.Len(t, shown, 2)
	require.Equal(t, []Skipped{{"task " + string(active.ShortID), model.UpdateForbidden(model.TaskActive, "completeAfter")}}, proposal.Skipped)
	from, to, err := model.ParseWindow("14:00-16:00", s.Now, s.Zone)
	require.NoError(t, err)
	done := st.do(proposal)
	for _, id := range []model.ID{first.ID, second.ID} {
		require.Equal(t, from, st.read(id).CompleteAfter.Value())
		require.Equal(t, to, st.read(id).CompleteBefore.Value())
	}
	st.undo(done[0])
	st.undo(done[1])
	require.Equal(t, now, st.read(first.ID).CompleteAfter.Value())
	require.Equal(t, now+3_600_000, st.read(first.ID).CompleteBefore.Value())
	require.False(t, st.read(second.ID).CompleteAfter.Has())
	require.False(t, st.read(second.ID).CompleteBefore.Has())
}

func TestAnEndOfAWindowIsCleared(t *testing.T) {
	st := newFixture(t)
	now := st.server.World.Now()
	task := st.task(func(in *model.TaskInput) {
		in.CompleteAfter, in.CompleteBefore = model.Some(now), model.Some(now+3_600_000)
	})
	v, err := NewWindow(st.input(task.ID))
	require.NoError(t, err)
	proposal, shown := st.preview(v, form.Values{"no_before": "yes", "before": "hidden and not looked at"})
	require.JSONEq(t, `{"completeBefore":null}`, string(shown[0].Body))
	done := st.do(proposal)[0]
	require.True(t, st.read(task.ID).CompleteBefore.IsNull())
	require.Equal(t, now, st.read(task.ID).CompleteAfter.Value())
	st.undo(done)
	require.Equal(t, now+3_600_000, st.read(task.ID).CompleteBefore.Value())
}

// A preview says of a window only what changes: a time that was not mentioned stays.
func TestPreviewOfAWindowKeepsTheOtherTime(t *testing.T) {
	st := newFixture(t)
	now := st.server.World.Now()
	task := st.task(func(in *model.TaskInput) {
		in.CompleteAfter, in.CompleteBefore = model.Some(now), model.Some(now+3_600_000)
	})
	v, err := NewWindow(st.input(task.ID))
	require.NoError(t, err)
	for _, c := range []struct {
		values form.Values
		text   string
	}{
		{form.Values{"no_after": "yes"}, "No earliest time any more; the due time stays."},
		{form.Values{"no_before": "yes"}, "No due time any more; the earliest time stays."},
		{form.Values{"no_after": "yes", "no_before": "yes"}, "No window any more: at any time."},
		{form.Values{"after": "+30m"}, "Window: from today 09:30 PST, in 30m; the due time stays."},
		{form.Values{"before": "+2h"}, "Window: until today 11:00 PST, in 2h; the earliest time stays."},
		{form.Values{"no_after": "yes", "before": "+2h"}, "Window: until today 11:00 PST, in 2h; no earliest time any more."},
		{form.Values{"after": "+30m", "no_before": "yes"}, "Window: from today 09:30 PST, in 30m; no due time any more."},
	} {
		proposal, _ := st.preview(v, c.values)
		require.Contains(t, lineTexts(proposal.Lines), c.text+"\n", "%v", c.values)
	}
}

// A window that was typed the wrong way round is not one of 23 hours; one over midnight is.
func TestAWindowTheWrongWayRoundIsRefused(t *testing.T) {
	st := newFixture(t)
	v, err := NewWindow(st.input(st.task(nil).ID))
	require.NoError(t, err)
	window, _ := v.Form.Field("window")
	require.ErrorContains(t, window.Check("14:00-13:00"), "it ends before it begins")
	for _, fine := range []string{"14:00-16:00", "22:00-02:00", "today 14:00-tomorrow 13:00", ""} {
		require.NoError(t, window.Check(fine), fine)
	}
	before, _ := v.Form.Field("before")
	require.Contains(t, before.Echo("-1h", nil), "that has passed")
	require.NotContains(t, before.Echo("+1h", nil), "past")
}

func TestWindowsThatAreRefused(t *testing.T) {
	st := newFixture(t)
	now := st.server.World.Now()
	task := st.task(func(in *model.TaskInput) { in.CompleteAfter = model.Some(now + 7_200_000) })
	open := st.task(nil)
	v, err := NewWindow(st.input(task.ID))
	require.NoError(t, err)
	for _, c := range []struct {
		values      form.Values
		name, words string
	}{
		{form.Values{}, "window", "Type a time"},
		{form.Values{"window": "soon"}, "window", "not a window"},
		{form.Values{"after": "14"}, "after", "not a time"},
		{form.Values{"window": "14:00-16:00", "before": "17:00"}, "window", "not both"},
		{form.Values{"before": "+1h"}, "before", "after the earliest time"},
		{form.Values{"after": "+2h", "before": "+1h"}, "before", "after the earliest time"},
	} {
		_, problems := v.Prepare(c.values)
		require.Contains(t, problems[c.name], c.words, "%v", c.values)
	}
	many, err := NewWindow(st.input(task.ID, open.ID))
	require.NoError(t, err)
	proposal, problems := many.Prepare(form.Values{"before": "+1h"})
	require.Empty(t, problems)
	require.Len(t, proposal.Steps, 1)
	require.Contains(t, proposal.Skipped[0].Reason, "after the earliest time")
}

func TestDelete(t *testing.T) {
	st := newFixture(t)
	task, other := st.task(nil), st.task(nil)
	waiting := st.task(func(in *model.TaskInput) { in.Dependencies = model.Some([]model.ID{task.ID}) })
	active := st.startedTask("+14155550172")
	v, err := NewDelete(st.input(task.ID, other.ID, active.ID))
	require.NoError(t, err)
	require.Empty(t, v.Form.Fields)
	proposal, shown := st.preview(v, nil)
	require.Contains(t, proposal.Irreversible, "2 tasks of Bay Couriers")
	require.Contains(t, lineTexts(proposal.Lines), string(waiting.ShortID)+" depends on")
	require.Equal(t, model.DeleteForbidden(model.TaskActive), proposal.Skipped[0].Reason)
	require.Equal(t, "DELETE", shown[0].Method)
	require.NoError(t, st.client.DeleteTask(t.Context(), other.ID))
	done := st.do(proposal)
	require.Equal(t, "deleted", done[0].Summary)
	require.Equal(t, "was already deleted", done[1].Summary)
	require.Nil(t, done[0].Undo)
	_, err = st.client.Task(t.Context(), task.ID)
	require.ErrorIs(t, err, apiclient.ErrNotFound)

	_, err = NewDelete(st.input(active.ID))
	require.EqualError(t, err, model.DeleteForbidden(model.TaskActive))
}

func TestAnUnknownDeleteIsLookedUp(t *testing.T) {
	st := newFixture(t)
	for _, happened := range []bool{true, false} {
		v, err := NewDelete(st.input(st.task(nil).ID))
		require.NoError(t, err)
		proposal, _ := st.preview(v, nil)
		st.requireLookup(proposal.Steps[0], happened)
	}
}
