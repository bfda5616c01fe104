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

const someAddress = "543 Howard St, San Francisco, CA 94105, USA"

// inexactAddress is on a street that the offline geocoder does not know.
const inexactAddress = "2829 Vallejo St, San Francisco, CA 94123, USA"

// inputWithCustomFields has templates and custom fields, as the console reads them for a new task.
func (st *fixture) inputWithCustomFields() Input {
	st.t.Helper()
	ctx := st.t.Context()
	pickups := model.ForPickups
	require.NoError(st.t, st.client.CreateCustomFields(ctx, []model.CustomFieldPart{
		part("seal", model.FieldSingleLine, false, nil),
		part("cold", model.FieldBoolean, false, nil),
		part("count", model.FieldInteger, false, nil),
		part("grams", model.FieldDecimal, false, nil),
		part("day", model.FieldDate, false, nil),
		part("page", model.FieldURL, false, nil),
		part("codes", model.FieldSingleLine, true, nil),
		part("dock", model.FieldSingleLine, false, &pickups),
	}))
	s := st.input()
	var err error
	s.CustomFields, err = st.client.CustomFields(ctx)
	require.NoError(st.t, err)
	for _, t := range []model.TemplateInput{
		{Name: model.Some("Cold chain"), Fields: model.Some([]string{"seal", "cold"}), ContextSaveConditions: model.Some(model.ForBoth.Conditions())},
		{Name: model.Some("Dock"), Fields: model.Some([]string{"dock"}), ContextSaveConditions: model.Some(model.ForPickups.Conditions())},
	} {
		template, err := st.client.CreateTemplate(ctx, t)
		require.NoError(st.t, err)
		s.Templates = append(s.Templates, template)
	}
	return s
}

// part defines a custom field, required of some kinds of tasks.
func part(key, kind string, list bool, requiredFor *model.TaskKinds) model.CustomFieldPart {
	p := model.CustomFieldPart{
		Key: key, Name: model.Some(model.Capitalize(key)), Type: model.Some(kind), AsArray: model.Some(list),
		Description: model.Some("about " + key), Visibility: model.Some([]string{"admin", "api"}), Editability: model.Some([]string{"admin", "api"}),
		Contexts: model.Some([]model.FieldContext{{Name: "save", Conditions: []model.Condition{}}}),
	}
	if requiredFor != nil {
		p.Contexts = model.Some([]model.FieldContext{{Name: "save", IsRequired: true, Conditions: requiredFor.Conditions()}})
	}
	return p
}

func TestATaskIsCreatedAndUndone(t *testing.T) {
	st := newFixture(t)
	worker, _ := st.worker("Ada Okafor", "+14155550150")
	pickup := st.task(func(in *model.TaskInput) { in.PickupTask = model.Some(true) })
	s := st.inputWithCustomFields()
	v, err := NewTask(s)
	require.NoError(t, err)
	require.Equal(t, []string{"Address", "Recipient", "Time", "Driver", "Load", "More"}, v.Form.Pages())
	proposal, shown := st.preview(v, form.Values{
		"address": inexactAddress, "apartment": "5th floor", "destination_notes": "Gate 12",
		"recipient_name": "Grace Hopper", "recipient_phone": "(415) 555-0123", "recipient_notes": "Deaf", "skip_sms": "yes",
		"window": "14:00-16:00", "service_time": "5", "depends_on": string(pickup.ShortID),
		"assign": "worker", "worker": "ada okafor",
		"notes": "Two crates", "quantity": "2", "quantity_b": "1.5", "require_signature": "yes", "require_photo": "yes", "minimum_age": "18",
		"barcodes": "PKG-1;PKG-2", "blocking_barcodes": "PKG-3", "scan_only_required": "yes", "color": "orange",
		"template": string(s.Templates[0].ID), "field:seal": "007", "field:cold": "yes", "metadata": "invoice=4711\nweight:number=3",
	})
	require.Len(t, shown, 1)
	require.Equal(t, "POST /tasks", shown[0].Method+" "+shown[0].Path)
	words := lineTexts(proposal.Lines)
	for _, expected := range []string{inexactAddress, "Grace Hopper, +14155550123", "from today 14:00 PST", "Ada Okafor", "off duty", string(pickup.ShortID)} {
		require.Contains(t, words, expected)
	}
	require.Equal(t, []string{"container " + string(worker)}, proposal.Steps[0].Locks)

	done := st.do(proposal)[0]
	task := st.read(done.Object)
	require.Equal(t, "created "+string(task.ShortID)+" for Ada Okafor", done.Summary)
	require.Equal(t, worker, task.Worker.Value())
	require.Equal(t, "Two crates", task.Notes)
	require.Equal(t, []model.ID{pickup.ID}, task.Dependencies)
	require.Equal(t, model.Quantities{B: 1.5}, task.AdditionalQuantities)
	require.Equal(t, model.TriangleOrange, task.Appearance.TriangleColor.Value())
	require.Len(t, task.Barcodes.Value().Required, 3)
	require.Len(t, task.CustomFields.Value(), 2)
	for _, f := range task.CustomFields.Value() {
		require.JSONEq(t, map[string]string{"seal": `"007"`, "cold": "true"}[f.Key], string(f.Value.Value()))
	}
	require.Len(t, task.Metadata, 2)
	require.True(t, task.Requirements.Value().Signature.Value())
	require.Equal(t, model.Int(18), task.Requirements.Value().MinimumAge.Value())
	require.Equal(t, "+14155550123", task.Recipients[0].Object.Phone)
	require.Equal(t, "Gate 12", task.Destination.Object.Notes)
	require.Contains(t, lineTexts(done.Report), "approximate, within 2 km", "what geocoding warns of is told")

	st.undo(done)
	_, err = st.client.Task(t.Context(), task.ID)
	require.ErrorIs(t, err, apiclient.ErrNotFound)
}

func TestANewTaskThatWasReassignedIsNotUndone(t *testing.T) {
	st := newFixture(t)
	worker, _ := st.worker("Ada", "+14155550149")
	v, err := NewTask(st.input())
	require.NoError(t, err)
	proposal, _ := st.preview(v, form.Values{"address": someAddress})
	done := st.do(proposal)[0]
	require.Empty(t, done.Undo.Unavailable(st.refresh()))
	_, err = st.client.UpdateTask(t.Context(), done.Object, model.TaskInput{Container: model.Some(model.WorkerContainer(worker))})
	require.NoError(t, err)
	require.Equal(t, "The task was assigned to Ada in the meantime.", done.Undo.Unavailable(st.refresh()))
	require.NoError(t, st.server.World.GoOnDuty(t.Context(), worker))
	require.NoError(t, st.server.World.StartTask(t.Context(), worker, done.Object))
	require.Equal(t, model.DeleteForbidden(model.TaskActive), done.Undo.Unavailable(st.refresh()))
}

func TestEveryModeOfAnAddress(t *testing.T) {
	st := newFixture(t)
	known := st.task(nil)
	v, err := NewTask(st.input())
	require.NoError(t, err)
	for name, values := range map[string]form.Values{
		"line":  {"address": someAddress, "number": "hidden"},
		"parts": {"where": "parts", "number": "543", "street": "Howard St", "city": "San Francisco", "country": "USA", "address": "hidden"},
		"known": {"where": "known", "destination": string(destinationID(&known))},
		"point": {"where": "point", "location": "-122.4,37.78", "city": "San Francisco", "country": "USA"},
	} {
		proposal, shown := st.preview(v, values)
		require.NotContains(t, string(shown[0].Body), "hidden", name)
		task := st.read(st.do(proposal)[0].Object)
		require.Equal(t, name == "known", destinationID(&task) == destinationID(&known), name)
	}
	f, ok := v.Form.Field("destination")
	require.True(t, ok)
	options := f.Suggest("howard", nil)
	require.Len(t, options, 1)
	require.Equal(t, string(destinationID(&known)), options[0].Value)
	require.Contains(t, f.Echo(options[0].Value, nil), "Howard St")
}

func TestTheServiceChoosesAWorker(t *testing.T) {
	st := newFixture(t)
	ada, north := st.worker("Ada", "+14155550151")
	st.worker("Ben", "+14155550152")
	require.NoError(t, st.server.World.GoOnDuty(t.Context(), ada))
	v, err := NewTask(st.input())
	require.NoError(t, err)
	values := form.Values{
		"where": "point", "location": "-122.4,37.78", "city": "San Francisco", "country": "USA",
		"assign": "auto", "auto_mode": "load", "auto_team": "team of ada", "auto_max": "5", "auto_exclude": "Ben", "auto_dependencies": "yes",
	}
	proposal, shown := st.preview(v, values)
	var body model.TaskInput
	require.NoError(t, model.Unmarshal(shown[0].Body, &body))
	auto := body.AutoAssign.Value()
	require.Equal(t, model.AutoAssignLoad, auto.Mode)
	require.Equal(t, north, auto.Team.Value())
	require.Equal(t, model.Int(5), auto.MaxAssignedTaskCount.Value())
	require.Len(t, auto.ExcludedWorkerIDs, 1)
	require.True(t, auto.ConsiderDependencies.Value())
	require.Contains(t, lineTexts(proposal.Lines), "by load from Team of Ada, with fewer than 5 tasks, except Ben")
	done := st.do(proposal)[0]
	// Nobody has reported a position, so that nobody can be chosen.
	require.Equal(t, "route.assign", done.Next)
	require.Contains(t, lineTexts(done.Report), "unassigned")
}

func TestAKnownRecipientIsNotOverwrittenUnasked(t *testing.T) {
	st := newFixture(t)
	stored, err := st.client.CreateRecipient(t.Context(), model.RecipientInput{
		Name: model.Some("Grace Hopper"), Phone: model.Some("+14155550123"), Notes: model.Some("Deaf"),
	})
	require.NoError(t, err)
	v, err := NewTask(st.input())
	require.NoError(t, err)
	values := form.Values{
		"address": someAddress, "recipient_name": "Front desk", "recipient_phone": "415 555 0123", "recipient_notes": "Gift",
	}
	notes := v.LoadNotes(t.Context(), st.client, values)
	require.Contains(t, notes["recipient_phone"], `the name "Grace Hopper" becomes "Front desk"`)
	require.Contains(t, notes["recipient_phone"], "For this task only")
	proposal, _ := st.preview(v, values)
	require.Contains(t, lineTexts(proposal.Lines), "becomes")

	values["keep_recipient"] = "yes"
	require.Contains(t, v.LoadNotes(t.Context(), st.client, values)["recipient_phone"], "the name stays")
	proposal, shown := st.preview(v, values)
	require.Contains(t, string(shown[0].Body), `"recipients":["`+string(stored.ID)+`"]`)
	task := st.read(st.do(proposal)[0].Object)
	require.Equal(t, "Front desk", task.Overrides.RecipientName.Value())
	require.Equal(t, "Gift", task.Overrides.RecipientNotes.Value())
	again, err := st.client.Recipient(t.Context(), stored.ID)
	require.NoError(t, err)
	require.Equal(t, stored, again)

	values["recipient_phone"] = "415 555 0199"
	require.Contains(t, v.LoadNotes(t.Context(), st.client, values)["recipient_phone"], "New number")
	proposal, _ = st.preview(v, values)
	task = st.read(st.do(proposal)[0].Object)
	require.Equal(t, "Front desk", task.Recipients[0].Object.Name, "someone new is made as typed")
}

func TestANewTaskThatIsRefused(t *testing.T) {
	st := newFixture(t)
	s := st.inputWithCustomFields()
	v, err := NewTask(s)
	require.NoError(t, err)
	point := form.Values{"where": "point", "location": "-122.4,37.78", "city": "San Francisco", "country": "USA"}
	for _, c := range []struct {
		more        form.Values
		name, words string
	}{
		{form.Values{"where": "line"}, "address", "Type an address"},
		{form.Values{"where": "known"}, "destination", "Choose"},
		{form.Values{"where": "known", "destination": "x"}, "destination", "not an id"},
		{form.Values{"where": "parts", "number": "1"}, "street", "required"},
		{form.Values{"location": ""}, "location", "Type the coordinates"},
		{form.Values{"location": "37.78,-122.4"}, "location", "longitude comes first"},
		{form.Values{"city": ""}, "city", "required"},
		{form.Values{"recipient_name": "Ada"}, "recipient_phone", "required"},
		{form.Values{"recipient_phone": "415 555 0123"}, "recipient_name", "required"},
		{form.Values{"recipient_name": "Ada", "recipient_phone": "12"}, "recipient_phone", "Invalid phone number"},
		{form.Values{"recipient_name": "Ada", "recipient_phone": "415 555 0123", "recipient_id": string(model.NewID())}, "recipient_id", "not both"},
		{form.Values{"recipient_id": "x"}, "recipient_id", "not an id"},
		{form.Values{"window": "14:00-16:00", "after": "15:00"}, "window", "not both"},
		{form.Values{"after": "+2h", "before": "+1h"}, "before", "after the earliest time"},
		{form.Values{"before": "1400"}, "before", "14:00"},
		{form.Values{"service_time": "-1"}, "service_time", "0 or more"},
		{form.Values{"notes": strings.Repeat("x", model.MaxTaskNotes+1)}, "notes", "Remove 1"},
		{form.Values{"quantity": "-1"}, "quantity", "0 or more"},
		{form.Values{"quantity_c": "-1"}, "quantity_c", "0 or more"},
		{form.Values{"quantity_a": "many"}, "quantity_a", "not a number"},
		{form.Values{"minimum_age": "-1"}, "minimum_age", "0 or more"},
		{form.Values{"barcodes": strings.Repeat("x", 500)}, "barcodes", "more than 500"},
		{form.Values{"blocking_barcodes": strings.Repeat("x", 500)}, "blocking_barcodes", "more than 500"},
		{form.Values{"color": "red"}, "color", "Unknown colour"},
		{form.Values{"depends_on": "nothing"}, "depends_on", "is not the id of a task"},
		{form.Values{"depends_on": "0123abcd"}, "depends_on", "no task 0123abcd"},
		{form.Values{"assign": "team"}, "team", "Choose"},
		{form.Values{"assign": "team", "team": "nobody"}, "team", "No team is called"},
		{form.Values{"assign": "worker", "worker": "nobody"}, "worker", "o driver is called"},
		{form.Values{"assign": "auto", "auto_mode": "luck"}, "auto_mode", "Unknown mode"},
		{form.Values{"assign": "auto", "auto_max": "0"}, "auto_max", "1 or more"},
		{form.Values{"assign": "auto", "auto_max": "x"}, "auto_max", "whole number"},
		{form.Values{"assign": "auto", "auto_exclude": "nobody"}, "auto_exclude", "o driver is called"},
		{form.Values{"assign": "auto", "executor": string(model.NewID())}, "assign", "Another organization"},
		{form.Values{"merchant": "x"}, "merchant", "not an id"},
		{form.Values{"kind": "pickup"}, "field:dock", "required"},
		{form.Values{"template": string(s.Templates[1].ID)}, "template", "is for pickups"},
		{form.Values{"field:count": "1.5"}, "field:count", "whole number"},
		{form.Values{"field:grams": "x"}, "field:grams", "not a number"},
		{form.Values{"field:page": "x"}, "field:page", "web address"},
		{form.Values{"field:day": "someday"}, "field:day", "not a time"},
		{form.Values{"metadata": "alone"}, "metadata", "no value"},
		{form.Values{"metadata": "a:number=x"}, "metadata", "not JSON"},
		{form.Values{"where": "parts", "number": "1", "street": "A", "language": "english"}, "language", "two letters"},
	} {
		values := point.Clone()
		for name, value := range c.more {
			values[name] = value
		}
		_, problems := v.Prepare(values)
		require.Contains(t, problems[c.name], c.words, "%v: %v", c.more, problems)
		require.NotContains(t, problems, "", "%v", c.more)
	}
}

func TestErrorsOfTheServiceAreMappedToFields(t *testing.T) {
	st := newFixture(t)
	other, otherKey := st.server.AddOrganization("Valley Couriers", "")
	foreign := st.clientFor(otherKey)
	theirs, err := foreign.CreateDestination(t.Context(), model.DestinationInput{
		Address: model.Some(model.AddressInput{Unparsed: someAddress}),
	})
	require.NoError(t, err)
	v, err := NewTask(st.input())
	require.NoError(t, err)
	for _, c := range []struct {
		values form.Values
		name   string
	}{
		{form.Values{"address": "1 Nowhere St, Atlantis, Neverland"}, "address"},
		{form.Values{"where": "parts", "number": "1", "street": "Nowhere", "city": "Xyzzyville", "country": "USA"}, "street"},
		{form.Values{"where": "known", "destination": string(model.NewID())}, "destination"},
		{form.Values{"where": "known", "destination": string(theirs.ID)}, "destination"},
		{form.Values{"address": someAddress, "recipient_id": string(model.NewID())}, "recipient_id"},
		{form.Values{"address": someAddress, "depends_on": string(model.NewID())}, "depends_on"},
		{form.Values{"address": someAddress, "merchant": string(other)}, "merchant"},
		{form.Values{"address": someAddress, "executor": string(other)}, "executor"},
		{form.Values{"address": someAddress, "assign": "worker", "worker": string(model.NewID())}, "worker"},
		{form.Values{"address": someAddress, "assign": "team", "team": string(model.NewID())}, "team"},
	} {
		proposal, _ := st.preview(v, c.values)
		_, err := proposal.Steps[0].Do(t.Context(), st.client)
		require.Error(t, err, "%v", c.values)
		name, ok := v.FieldOf(err)
		require.True(t, ok, "%v", err)
		require.Equal(t, c.name, name, "%v", err)
	}
}

func TestAnUnknownCreationIsLookedUp(t *testing.T) {
	st := newFixture(t)
	st.task(func(in *model.TaskInput) { in.Notes = model.Some("Two crates") })
	values := form.Values{
		"address": someAddress, "notes": "Two crates", "recipient_name": "Ada", "recipient_phone": "415 555 0123", "window": "14:00-16:00",
	}
	for _, happened := range []bool{false, true} {
		v, err := NewTask(st.input())
		require.NoError(t, err)
		proposal, _ := st.preview(v, values)
		found := st.requireLookup(proposal.Steps[0], happened)
		if happened {
			require.Contains(t, found.Summary, "was created")
		}
	}
}

func TestLookupIgnoresTasksOfOthers(t *testing.T) {
	st := newFixture(t)
	s := st.input()
	v, err := NewTask(s)
	require.NoError(t, err)
	values := form.Values{
		"where": "point", "location": "-122.4,37.78", "city": "San Francisco", "country": "USA",
		"notes": "Two crates", "recipient_name": "Ada", "recipient_phone": "415 555 0123", "window": "14:00-16:00", "quantity": "2",
	}
	// A colleague makes tasks that differ in one thing each, after the form was opened.
	for name, value := range map[string]string{
		"notes": "Three crates", "recipient_phone": "415 555 0124", "window": "14:00-17:00", "quantity": "3", "location": "-122.41,37.78", "kind": "pickup",
	} {
		proposal, _ := st.preview(v, with(values, name, value))
		st.do(proposal)
	}
	alone := values.Clone()
	delete(alone, "recipient_name")
	delete(alone, "recipient_phone")
	proposal, _ := st.preview(v, alone)
	made := st.do(proposal)[0]
	proposal, _ = st.preview(v, with(values, "depends_on", string(made.Object)))
	st.do(proposal)

	proposal, _ = st.preview(v, values)
	step := proposal.Steps[0]
	st.requireLookup(step, false)
	st.requireLookup(step, true)
	// The same once more: now nobody can tell which is whose.
	st.do(proposal)
	found, err := step.Lookup(t.Context(), st.client)
	require.NoError(t, err)
	require.True(t, found.Happened)
	require.False(t, found.Certain)
	require.Contains(t, found.Summary, "2 tasks like it")
}

func TestLookupReportsItsError(t *testing.T) {
	st := newFixture(t)
	task := st.task(nil)
	v, err := NewNotes(st.inputWithTask(task.ID))
	require.NoError(t, err)
	proposal, _ := st.preview(v, form.Values{"notes": "new"})
	st.faults = func(*http.Request) (*http.Response, error) { return nil, errors.New("no network") }
	_, err = proposal.Steps[0].Lookup(t.Context(), st.client)
	require.Error(t, err)
	f, err := NewTask(Input{Board: st.board.Snapshot(), Organization: st.org, Now: st.server.World.Now()})
	require.NoError(t, err)
	notes := f.LoadNotes(t.Context(), st.client, form.Values{"recipient_phone": "415 555 0123"})
	require.Contains(t, notes["recipient_phone"], "Cannot look up")
	require.NotContains(t, notes["recipient_phone"], "GET /", "a field has no room for the request")
	st.faults = nil
	require.NoError(t, st.client.DeleteTask(t.Context(), task.ID))
	found, err := proposal.Steps[0].Lookup(t.Context(), st.client)
	require.NoError(t, err)
	require.Equal(t, LookupResult{Certain: true, Summary: "the task no longer exists"}, found)
}
