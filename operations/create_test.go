package operations

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

// requireProblems requires each set of values to be refused at its field.
func requireProblems(t *testing.T, v Operation, cases []problemCase) {
	t.Helper()
	for _, c := range cases {
		_, problems := v.Prepare(c.values)
		require.NotEmpty(t, problems[c.name], "%v: %v", c.values, problems)
		require.NotContains(t, problems, "", "%v", c.values)
	}
}

type problemCase struct {
	values form.Values
	name   string
}

// requireField requires the service's error to be put on a field.
func (st *fixture) requireField(v Operation, values form.Values, name string) {
	st.t.Helper()
	proposal, problems := v.Prepare(values)
	require.Empty(st.t, problems)
	_, err := proposal.Steps[0].Do(st.t.Context(), st.client)
	require.Error(st.t, err)
	placed, ok := v.FieldOf(err)
	require.True(st.t, ok, "%v", err)
	require.Equal(st.t, name, placed, "%v", err)
}

func TestADestinationIsCreated(t *testing.T) {
	st := newFixture(t)
	v, err := NewDestination(st.input())
	require.NoError(t, err)
	proposal, shown := st.preview(v, form.Values{"address": inexactAddress, "destination_notes": "Gate 12", "metadata": "a=b"})
	require.Equal(t, "/destinations", shown[0].Path)
	done := st.do(proposal)[0]
	require.Contains(t, lineTexts(done.Report), "approximate, within 2 km")
	require.Nil(t, done.Undo)
	made, err := st.client.Destination(t.Context(), done.Object)
	require.NoError(t, err)
	require.Equal(t, "Gate 12", made.Notes)
	require.Len(t, made.Metadata, 1)
	proposal, _ = st.preview(v, form.Values{"where": "point", "location": "-122.4,37.78", "city": "San Francisco", "country": "USA"})
	made, err = st.client.Destination(t.Context(), st.do(proposal)[0].Object)
	require.NoError(t, err)
	require.Equal(t, model.Location{Lon: -122.4, Lat: 37.78}, made.Location)

	requireProblems(t, v, []problemCase{
		{form.Values{}, "address"},
		{form.Values{"where": "parts", "number": "1", "street": "A St", "country": "USA"}, "city"},
		{form.Values{"where": "parts"}, "street"},
		{form.Values{"where": "point", "location": "37,-122"}, "location"},
		{form.Values{"where": "point", "location": "-122,37", "city": "San Francisco"}, "country"},
		{form.Values{"address": someAddress, "language": "english"}, "language"},
		{form.Values{"address": someAddress, "metadata": "x"}, "metadata"},
	})
	st.requireField(v, form.Values{"address": "1 Nowhere, Xyzzyville, Neverland"}, "address")
	st.requireField(v, form.Values{"where": "parts", "number": "1", "street": "A St", "city": "Xyzzyville", "country": "USA"}, "street")
}

func TestARecipientIsCreated(t *testing.T) {
	st := newFixture(t)
	v, err := NewRecipient(st.input())
	require.NoError(t, err)
	values := form.Values{"recipient_name": "Grace", "recipient_phone": "(415) 555-0123", "recipient_notes": "Deaf", "skip_sms": "yes", "metadata": "a=b"}
	require.Empty(t, v.LoadNotes(t.Context(), st.client, values))
	proposal, _ := st.preview(v, values)
	require.Contains(t, lineTexts(proposal.Lines), "Grace, +14155550123")
	made, err := st.client.Recipient(t.Context(), st.do(proposal)[0].Object)
	require.NoError(t, err)
	require.Equal(t, "Deaf", made.Notes)
	require.True(t, made.SkipSMSNotifications)
	require.Contains(t, v.LoadNotes(t.Context(), st.client, values)["recipient_phone"], "Grace has this number")
	st.requireField(v, values, "recipient_phone")

	proposal, _ = st.preview(v, form.Values{"recipient_name": "Odd", "recipient_phone": "+1 234", "skip_phone_check": "yes"})
	st.do(proposal)
	requireProblems(t, v, []problemCase{
		{form.Values{"recipient_phone": "415 555 0123"}, "recipient_name"},
		{form.Values{"recipient_name": "Ada"}, "recipient_phone"},
		{form.Values{"recipient_name": "Ada", "recipient_phone": "+1 234"}, "recipient_phone"},
		{form.Values{"recipient_name": "Ada", "recipient_phone": "1 234", "skip_phone_check": "yes"}, "recipient_phone"},
	})
	for phone, happened := range map[string]bool{"415 555 0124": true, "415 555 0125": false} {
		proposal, _ = st.preview(v, form.Values{"recipient_name": "Ada", "recipient_phone": phone})
		st.requireLookup(proposal.Steps[0], happened)
	}
}

func TestAWorkerIsCreatedAndUndone(t *testing.T) {
	st := newFixture(t)
	st.worker("Ben", "+14155550140")
	home := st.task(nil)
	v, err := NewWorker(st.input())
	require.NoError(t, err)
	require.Equal(t, "Team of Ben", v.Form.Start["teams"])
	values := form.Values{
		"name": "Ada Okafor", "phone": "415 555 0141", "teams": "team of ben", "display_name": "Ada", "capacity": "12", "capacity_b": "3",
		"vehicle": "TRUCK", "vehicle_description": "Ford", "license_plate": "1ABC", "vehicle_color": "blue",
		"where": "known", "destination": string(destinationID(&home)), "metadata": "a=b",
	}
	proposal, shown := st.preview(v, values)
	require.Equal(t, "/workers", shown[0].Path)
	require.Contains(t, lineTexts(proposal.Lines), "Ada Okafor, +14155550141, in Team of Ben, with a truck")
	require.Contains(t, lineTexts(proposal.Lines), "temporary password")
	done := st.do(proposal)[0]
	made, err := st.client.Worker(t.Context(), done.Object, apiclient.WorkerQuery{})
	require.NoError(t, err)
	require.Equal(t, 12.0, made.Capacity)
	require.Equal(t, 3.0, made.AdditionalCapacities.Value().B)
	require.Equal(t, model.VehicleTruck, made.Vehicle.Value().Type)
	require.Equal(t, "1ABC", made.Vehicle.Value().LicensePlate.Value())
	require.True(t, made.Addresses.Value().Routing.Has())
	st.requireField(v, values, "phone")
	st.undo(done)
	_, err = st.client.Worker(t.Context(), done.Object, apiclient.WorkerQuery{})
	require.ErrorIs(t, err, apiclient.ErrNotFound)
	found, err := done.Undo.Step.Lookup(t.Context(), st.client)
	require.NoError(t, err)
	require.True(t, found.Happened)

	proposal, _ = st.preview(v, form.Values{
		"name": "Cy", "phone": "415 555 0142", "teams": "team of ben", "where": "point", "location": "-122.4,37.78", "city": "San Francisco", "country": "USA",
	})
	done = st.do(proposal)[0]
	st.task(func(in *model.TaskInput) { in.Container = model.Some(model.WorkerContainer(done.Object)) })
	require.Contains(t, done.Undo.Unavailable(st.refresh()), "1 task now")

	base := func(name, value string) form.Values {
		values := form.Values{"name": "Dee", "phone": "415 555 0143", "teams": "team of ben"}
		values[name] = value
		return values
	}
	requireProblems(t, v, []problemCase{
		{base("name", ""), "name"},
		{base("phone", ""), "phone"},
		{base("phone", "12"), "phone"},
		{base("teams", ""), "teams"},
		{base("teams", "nobody"), "teams"},
		{base("capacity", "-1"), "capacity"},
		{base("capacity_a", "-1"), "capacity_a"},
		{base("capacity_c", "x"), "capacity_c"},
		{base("vehicle", "BOAT"), "vehicle"},
		{base("where", "known"), "destination"},
		{base("where", "point"), "location"},
		{base("metadata", "x"), "metadata"},
	})
	st.requireField(v, base("teams", string(model.NewID())), "teams")
	for phone, happened := range map[string]bool{"415 555 0144": true, "415 555 0145": false} {
		proposal, _ = st.preview(v, base("phone", phone))
		st.requireLookup(proposal.Steps[0], happened)
	}
}

func TestATemplateIsCreated(t *testing.T) {
	st := newFixture(t)
	s := st.inputWithCustomFields()
	v, err := NewTemplate(s)
	require.NoError(t, err)
	proposal, shown := st.preview(v, form.Values{"name": "Fragile", "for": "dropoffs", templateFieldName("seal"): "yes", templateFieldName("count"): "yes"})
	require.Equal(t, "/cfGroups/task", shown[0].Path)
	done := st.do(proposal)[0]
	require.Equal(t, "created Fragile", done.Summary)
	require.ElementsMatch(t, []string{"seal", "count"}, done.Change.Templates[0].Fields)
	kinds, ok := model.KindsOf(done.Change.Templates[0].ContextSaveConditions)
	require.True(t, ok)
	require.Equal(t, model.ForDropoffs, kinds)

	requireProblems(t, v, []problemCase{
		{form.Values{}, "name"},
		{form.Values{"name": "cold CHAIN"}, "name"},
		{form.Values{"name": "New", "for": "both", templateFieldName("dock"): "yes"}, templateFieldName("dock")},
	})
	st.requireField(v, form.Values{"name": "Fragile"}, "name")

	// Without the fields having been read, their keys are typed and the service judges them.
	s.CustomFields = nil
	v, err = NewTemplate(s)
	require.NoError(t, err)
	proposal, _ = st.preview(v, form.Values{"name": "Typed", "fields": "seal\ncold"})
	st.do(proposal)
	st.requireField(v, form.Values{"name": "Wrong", "fields": "unknown"}, "fields")
}

// echo answers the check of a new webhook.
func echo(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, r.URL.Query().Get(model.WebhookCheckParameter))
}

func TestAWebhookIsCreatedAndDeleted(t *testing.T) {
	st := newFixture(t)
	address := st.server.Listen(http.HandlerFunc(echo))
	v, err := NewWebhook(st.input())
	require.NoError(t, err)
	trigger, ok := v.Form.Field("trigger")
	require.True(t, ok)
	require.Len(t, trigger.Options, len(model.Triggers()))
	threshold, ok := v.Form.Field("threshold")
	require.True(t, ok)
	require.False(t, threshold.Show(form.Values{"trigger": "taskStarted"}))
	require.True(t, threshold.Show(form.Values{"trigger": "taskArrival"}))
	require.Equal(t, "150 metres", threshold.Echo("150", form.Values{"trigger": "taskArrival"}))

	proposal, shown := st.preview(v, form.Values{"url": address, "trigger": "taskStarted", "threshold": "5", "name": "Ops"})
	require.NotContains(t, string(shown[0].Body), "threshold", "what is hidden is not sent")
	done := st.do(proposal)[0]
	st.undo(done)
	proposal, _ = st.preview(v, form.Values{"url": address, "trigger": "taskEta", "threshold": "600"})
	st.do(proposal)
	hooks, err := st.client.Webhooks(t.Context())
	require.NoError(t, err)
	require.Len(t, hooks, 1)
	require.Equal(t, 600.0, hooks[0].Threshold.Value())

	requireProblems(t, v, []problemCase{
		{form.Values{}, "url"},
		{form.Values{"url": "http://example.com"}, "url"},
		{form.Values{"url": address, "trigger": "taskEta", "threshold": "-1"}, "threshold"},
		{form.Values{"url": address, "trigger": "taskEta", "threshold": "x"}, "threshold"},
		{form.Values{"url": address, "trigger": "nothing"}, "trigger"},
	})
	silent := st.server.Listen(http.NotFoundHandler())
	st.requireField(v, form.Values{"url": silent}, "url")
	for name, happened := range map[string]bool{"taskFailed": true, "taskDeleted": false} {
		proposal, _ = st.preview(v, form.Values{"url": address, "trigger": name})
		st.requireLookup(proposal.Steps[0], happened)
	}

	s := st.input()
	_, err = NewWebhookDelete(s)
	require.Error(t, err)
	s.Webhooks = hooks
	v, err = NewWebhookDelete(s)
	require.NoError(t, err)
	proposal, shown = st.preview(v, nil)
	require.Equal(t, "DELETE", shown[0].Method)
	require.Contains(t, proposal.Irreversible, "webhook for task ETA of Bay Couriers")
	require.Contains(t, lineTexts(proposal.Lines), "0 delivered")
	st.requireLookup(proposal.Steps[0], false)
	st.requireLookup(proposal.Steps[0], true)
	require.Equal(t, "was already deleted", st.do(proposal)[0].Summary)
}

func TestTheLimitOfWebhooksIsMappedToTheTrigger(t *testing.T) {
	st := newFixture(t)
	address := st.server.Listen(http.HandlerFunc(echo))
	v, err := NewWebhook(st.input())
	require.NoError(t, err)
	values := form.Values{"url": address, "trigger": "taskEta", "threshold": "600"}
	proposal, _ := st.preview(v, values)
	for range model.MaxThresholdWebhooks {
		st.do(proposal)
	}
	st.requireField(v, values, "trigger")
}
