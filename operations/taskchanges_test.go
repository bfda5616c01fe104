package operations

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/operations/form"
)

func TestQuantitiesAreChangedAndUndone(t *testing.T) {
	st := newFixture(t)
	task := st.task(func(in *model.TaskInput) {
		in.Quantity = model.Some(3.0)
		in.AdditionalQuantities = model.Some(model.QuantitiesInput{A: model.Some(1.0), B: model.Some(2.0)})
	})
	other := st.task(nil)
	v, err := NewQuantity(st.inputWithTask(task.ID))
	require.NoError(t, err)
	require.Equal(t, "unchanged, 3", v.Form.Fields[0].Empty)
	require.Equal(t, "unchanged, 2", v.Form.Fields[2].Empty)

	v, err = NewQuantity(st.input(task.ID, other.ID))
	require.NoError(t, err)
	proposal, shown := st.preview(v, form.Values{"quantity": "5", "quantity_b": "7"})
	require.JSONEq(t, `{"quantity":5,"additionalQuantities":{"quantityA":1,"quantityB":7,"quantityC":0}}`, string(shown[0].Body))
	require.Contains(t, lineTexts(proposal.Lines), "quantity 5, B 7")
	done := st.do(proposal)
	require.Equal(t, model.Quantities{A: 1, B: 7}, st.read(task.ID).AdditionalQuantities)
	require.Equal(t, 5.0, st.read(other.ID).Quantity)
	st.undo(done[0])
	st.undo(done[1])
	require.Equal(t, 3.0, st.read(task.ID).Quantity)
	require.Equal(t, model.Quantities{A: 1, B: 2}, st.read(task.ID).AdditionalQuantities)
	require.Zero(t, st.read(other.ID).Quantity)

	for name, value := range map[string]string{"quantity": "", "quantity_a": "-1", "quantity_c": "x"} {
		_, problems := v.Prepare(form.Values{name: value})
		require.NotEmpty(t, problems[name])
	}
	active := st.startedTask("+14155550160")
	_, err = NewQuantity(st.input(active.ID))
	require.EqualError(t, err, model.UpdateForbidden(model.TaskActive, "quantity"))
	st.requireLookup(proposal.Steps[0], true)
}

func metadata(name, value string) model.Metadata {
	return model.Metadata{Name: name, Type: model.MetadataString, Value: model.Raw(`"` + value + `"`)}
}

func TestMetadataOfOneIsEditedInPlace(t *testing.T) {
	st := newFixture(t)
	multiline := model.Metadata{Name: "poem", Type: model.MetadataString, Value: model.Raw(`"a\nb"`)}
	seen := metadata("invoice", "4711")
	seen.Visibility = model.Some([]string{model.VisibleToWorker})
	task := st.task(func(in *model.TaskInput) {
		in.Metadata = model.Some([]model.Metadata{seen, metadata("a:b", "c"), multiline, {Name: "n", Type: "number", Value: model.Raw("3")}})
	})
	v, err := NewMetadata(st.inputWithTask(task.ID))
	require.NoError(t, err)
	require.Equal(t, "invoice=4711\na:b:string=c\nn:number=3", v.Form.Start["metadata"])
	_, problems := v.Prepare(v.Form.Start)
	require.Contains(t, problems["metadata"], "Nothing would change")

	proposal, _ := st.preview(v, form.Values{"metadata": "invoice=4712\nn:number=3\nnew=1"})
	done := st.do(proposal)[0]
	after := st.read(task.ID).Metadata
	require.Len(t, after, 4, "%v", after)
	require.Equal(t, []string{model.VisibleToWorker}, after[0].Visibility.Value(), "who sees an entry stays as it was")
	require.JSONEq(t, `"4712"`, string(after[0].Value))
	require.JSONEq(t, `"a\nb"`, string(after[1].Value), "what does not fit into a line stays")
	st.undo(done)
	require.True(t, sameMetadata(task.Metadata, st.read(task.ID).Metadata))
	for _, text := range []string{"alone", "a:number=x", "a:thing=1", "a=1\na=2"} {
		_, problems := v.Prepare(form.Values{"metadata": text})
		require.NotEmpty(t, problems["metadata"], text)
	}
}

func TestMetadataOfManyKeepsWhatIsNotNamed(t *testing.T) {
	st := newFixture(t)
	first := st.task(func(in *model.TaskInput) {
		in.Metadata = model.Some([]model.Metadata{metadata("stays", "1"), metadata("goes", "2"), metadata("changes", "3")})
	})
	over := st.startedTask("+14155550161")
	require.NoError(t, st.client.CompleteTask(t.Context(), over.ID, model.CompleteDetails{Success: model.Some(true)}))
	v, err := NewMetadata(st.input(first.ID, over.ID))
	require.NoError(t, err)
	proposal, shown := st.preview(v, form.Values{"metadata": "changes=4", "remove": "goes, unknown"})
	require.Len(t, shown, 2, "metadata can change even of completed tasks")
	done := st.do(proposal)
	require.True(t, sameMetadata([]model.Metadata{metadata("stays", "1"), metadata("changes", "4")}, st.read(first.ID).Metadata))
	require.True(t, sameMetadata([]model.Metadata{metadata("changes", "4")}, st.read(over.ID).Metadata))
	st.undo(done[0])
	st.undo(done[1])
	require.True(t, sameMetadata(first.Metadata, st.read(first.ID).Metadata))
	require.Empty(t, st.read(over.ID).Metadata)
	_, problems := v.Prepare(form.Values{})
	require.NotEmpty(t, problems["metadata"])
}

func TestTasksAreCompleted(t *testing.T) {
	st := newFixture(t)
	for _, c := range []struct {
		build   func(Input) (Operation, error)
		success bool
		word    string
		phone   string
	}{{NewComplete, true, "succeeded", "+14155550162"}, {NewFail, false, "failed", "+14155550163"}} {
		active, waiting := st.startedTask(c.phone), st.task(nil)
		v, err := c.build(st.input(active.ID, waiting.ID))
		require.NoError(t, err)
		proposal, shown := st.preview(v, form.Values{"notes": "Left at the desk"})
		require.Len(t, shown, 1)
		require.Contains(t, proposal.Irreversible, "of Bay Couriers as "+c.word)
		require.Equal(t, model.CompleteForbidden(model.TaskUnassigned), proposal.Skipped[0].Reason)
		done := st.do(proposal)[0]
		require.Equal(t, "completed as "+c.word, done.Summary)
		require.Nil(t, done.Undo)
		task := st.read(active.ID)
		require.Equal(t, model.TaskCompleted, task.State)
		require.Equal(t, c.success, task.Succeeded())
		require.Equal(t, "Left at the desk", task.CompletionDetails.Notes)
		require.True(t, st.board.Snapshot().Tasks.Get(active.ID).Status.Closed(), "the board learns it at once")

		_, err = c.build(st.input(waiting.ID))
		require.EqualError(t, err, model.CompleteForbidden(model.TaskUnassigned))
		_, err = c.build(st.input(active.ID, waiting.ID))
		require.ErrorContains(t, err, "none of the 2")
	}
}

func TestAnUnknownCompletionIsLookedUp(t *testing.T) {
	st := newFixture(t)
	for phone, happened := range map[string]bool{"+14155550164": true, "+14155550165": false} {
		v, err := NewFail(st.input(st.startedTask(phone).ID))
		require.NoError(t, err)
		proposal, _ := st.preview(v, form.Values{})
		st.requireLookup(proposal.Steps[0], happened)
	}
}

func TestManyAreClonedWithTheSameChanges(t *testing.T) {
	st := newFixture(t)
	pickup := st.task(nil)
	source := st.task(func(in *model.TaskInput) {
		in.Notes, in.Dependencies = model.Some("Two crates"), model.Some([]model.ID{pickup.ID})
		in.Metadata = model.Some([]model.Metadata{metadata("invoice", "4711")})
		in.Barcodes = model.Some([]model.RequiredBarcode{{Data: model.Some("UEtHLTE=")}})
		in.CompleteBefore = model.Some(st.server.World.Now() - 1000)
	})
	other := st.task(nil)
	v, err := NewClone(st.input(source.ID, other.ID))
	require.NoError(t, err)
	proposal, shown := st.preview(v, form.Values{})
	require.JSONEq(t, `{"options":{}}`, string(shown[0].Body))
	require.Contains(t, lineTexts(proposal.Lines), "has passed, and its clone keeps it")

	proposal, _ = st.preview(v, form.Values{
		"include_metadata": "yes", "include_barcodes": "yes", "include_dependencies": "yes", "kind": "pickup", "window": "tomorrow 9am-11am",
		"where": "line", "address": someAddress, "person": "other", "recipient_name": "Ada", "recipient_phone": "415 555 0123", "service_time": "7",
	})
	require.Contains(t, lineTexts(proposal.Lines), "2 tasks, all with the same changes")
	done := st.do(proposal)
	clone := st.read(done[0].Object)
	require.Equal(t, source.ID, clone.SourceTaskID.Value())
	require.Equal(t, "Two crates", clone.Notes)
	require.True(t, clone.PickupTask)
	require.Equal(t, model.Minutes(7), clone.ServiceTime)
	require.Equal(t, []model.ID{pickup.ID}, clone.Dependencies)
	require.Len(t, clone.Metadata, 1)
	require.Len(t, clone.Barcodes.Value().Required, 1)
	require.Equal(t, "Ada", clone.Recipients[0].Object.Name)
	require.NotEqual(t, destinationID(&source), destinationID(&clone))
	require.Greater(t, clone.CompleteBefore.Value(), st.server.World.Now())
	st.undo(done[0])
	_, err = st.client.Task(t.Context(), clone.ID)
	require.Error(t, err)

	proposal, _ = st.preview(v, form.Values{"no_notes": "yes", "notes": "hidden", "person": "none", "metadata": "a=b"})
	clone = st.read(st.do(proposal)[0].Object)
	require.Empty(t, clone.Notes)
	require.Empty(t, clone.Recipients)
	require.True(t, sameMetadata([]model.Metadata{metadata("a", "b")}, clone.Metadata))

	// A clone has no overrides, so that the way to keep a known recipient is its id.
	again := form.Values{"person": "other", "recipient_name": "Someone", "recipient_phone": "415 555 0123"}
	require.Contains(t, v.LoadNotes(t.Context(), st.client, again)["recipient_phone"], "use the recipient id")
	again["person"] = "same"
	require.Empty(t, v.LoadNotes(t.Context(), st.client, again), "nobody is asked about what is hidden")

	for _, c := range []struct {
		values form.Values
		name   string
	}{
		{form.Values{"after": "-1h"}, "after"},
		{form.Values{"before": "-1h"}, "before"},
		{form.Values{"after": "+2h", "before": "+1h"}, "before"},
		{form.Values{"service_time": "-1"}, "service_time"},
		{form.Values{"notes": strings.Repeat("x", model.MaxTaskNotes+1)}, "notes"},
		{form.Values{"where": "known", "destination": "x"}, "destination"},
		{form.Values{"where": "parts", "city": "San Francisco"}, "street"},
		{form.Values{"person": "other"}, "recipient_name"},
		{form.Values{"person": "other", "recipient_name": "Ada", "recipient_phone": "1"}, "recipient_phone"},
		{form.Values{"metadata": "x"}, "metadata"},
	} {
		_, problems := v.Prepare(c.values)
		require.NotEmpty(t, problems[c.name], "%v: %v", c.values, problems)
		require.NotContains(t, problems, "")
	}
}

func TestAnUnknownCloneIsLookedUp(t *testing.T) {
	st := newFixture(t)
	for _, happened := range []bool{false, true} {
		v, err := NewClone(st.input(st.task(nil).ID))
		require.NoError(t, err)
		proposal, _ := st.preview(v, form.Values{})
		st.requireLookup(proposal.Steps[0], happened)
	}
}

func TestACompletedTaskIsClonedAndReassigned(t *testing.T) {
	st := newFixture(t)
	task := st.startedTask("+14155550166")
	require.NoError(t, st.client.CompleteTask(t.Context(), task.ID, model.CompleteDetails{Success: model.Some(false)}))
	worker, _ := st.worker("Ada", "+14155550167")
	before := st.task(func(in *model.TaskInput) { in.Container = model.Some(model.WorkerContainer(worker)) })
	v, err := NewCloneAssign(st.input(task.ID))
	require.NoError(t, err)
	_, problems := v.Prepare(form.Values{})
	require.NotEmpty(t, problems["worker"])
	proposal, shown := st.preview(v, form.Values{"worker": "ada", "position": "start"})
	require.Len(t, shown, 2)
	require.Equal(t, "/tasks/"+string(task.ID)+"/clone", shown[0].Path)
	require.JSONEq(t, `{"tasks":[0,"<clone>"]}`, string(shown[1].Body))
	done := st.do(proposal)[0]
	clone := st.read(done.Object)
	require.Equal(t, worker, clone.Worker.Value())
	row := st.board.Snapshot().Workers.Get(worker)
	require.Equal(t, []model.ID{clone.ID, before.ID}, row.Tasks, "the board learns it at once")
	st.undo(done)

	_, err = NewCloneAssign(st.input(task.ID, before.ID))
	require.ErrorContains(t, err, "one task at a time")
}

func TestACloneThatCannotBeAssignedIsNotMadeTwice(t *testing.T) {
	st := newFixture(t)
	task := st.task(nil)
	worker, _ := st.worker("Ada", "+14155550168")
	v, err := NewCloneAssign(st.input(task.ID))
	require.NoError(t, err)
	proposal, _ := st.preview(v, form.Values{"worker": "Ada"})
	require.NoError(t, st.client.DeleteWorker(t.Context(), worker))
	done := st.do(proposal)[0]
	require.Contains(t, done.Summary, "but not assigned to Ada")
	require.Equal(t, "route.assign", done.Next)
	require.True(t, done.Report[0].Warning)
	require.False(t, st.read(done.Object).Worker.Has())

	// An assignment whose answer is lost is looked up at once.
	worker, _ = st.worker("Ben", "+14155550169")
	v, err = NewCloneAssign(st.input(task.ID))
	require.NoError(t, err)
	proposal, _ = st.preview(v, form.Values{"worker": "Ben"})
	st.faults = func(r *http.Request) (*http.Response, error) {
		if r.Method != http.MethodPut {
			return nil, nil
		}
		st.faults = nil
		response, err := st.server.Client.Transport.RoundTrip(r)
		if err == nil {
			response.Body.Close()
			err = errors.New("the connection was reset")
		}
		return nil, err
	}
	done = st.do(proposal)[0]
	require.Contains(t, done.Summary, "for Ben")
	require.Equal(t, worker, st.read(done.Object).Worker.Value())
}
