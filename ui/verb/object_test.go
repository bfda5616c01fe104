package verb

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
	"waybill/ui/field"
)

// refuses requires each set of values to be refused at its field.
func refuses(t *testing.T, v Verb, cases []refusedCase) {
	t.Helper()
	for _, c := range cases {
		_, problems := v.Prepare(c.values)
		require.NotEmpty(t, problems[c.name], "%v: %v", c.values, problems)
		require.NotContains(t, problems, "", "%v", c.values)
	}
}

type refusedCase struct {
	values field.Values
	name   string
}

// lands requires the service's error to be put on a field.
func (st *stage) lands(v Verb, values field.Values, name string) {
	st.t.Helper()
	plan, problems := v.Prepare(values)
	require.Empty(st.t, problems)
	_, err := plan.Steps[0].Do(st.t.Context(), st.client)
	require.Error(st.t, err)
	placed, ok := v.Place(err)
	require.True(st.t, ok, "%v", err)
	require.Equal(st.t, name, placed, "%v", err)
}

func TestADestinationIsCreated(t *testing.T) {
	st := newStage(t)
	v, err := NewDestination(st.scene())
	require.NoError(t, err)
	plan, shown := st.prepared(v, field.Values{"address": someAddress, "destination_notes": "Gate 12", "metadata": "a=b"})
	require.Equal(t, "/destinations", shown[0].Path)
	done := st.do(plan)[0]
	require.Contains(t, texts(done.Report), "pproximate")
	require.Nil(t, done.Undo)
	made, err := st.client.Destination(t.Context(), done.Object)
	require.NoError(t, err)
	require.Equal(t, "Gate 12", made.Notes)
	require.Len(t, made.Metadata, 1)
	plan, _ = st.prepared(v, field.Values{"where": "point", "location": "-122.4,37.78", "city": "San Francisco", "country": "USA"})
	made, err = st.client.Destination(t.Context(), st.do(plan)[0].Object)
	require.NoError(t, err)
	require.Equal(t, model.Location{Lon: -122.4, Lat: 37.78}, made.Location)

	refuses(t, v, []refusedCase{
		{field.Values{}, "address"},
		{field.Values{"where": "parts", "number": "1", "street": "A St", "country": "USA"}, "city"},
		{field.Values{"where": "parts"}, "street"},
		{field.Values{"where": "point", "location": "37,-122"}, "location"},
		{field.Values{"where": "point", "location": "-122,37", "city": "San Francisco"}, "country"},
		{field.Values{"address": someAddress, "language": "english"}, "language"},
		{field.Values{"address": someAddress, "metadata": "x"}, "metadata"},
	})
	st.lands(v, field.Values{"address": "1 Nowhere, Xyzzyville, Neverland"}, "address")
	st.lands(v, field.Values{"where": "parts", "number": "1", "street": "A St", "city": "Xyzzyville", "country": "USA"}, "street")
}

func TestARecipientIsCreated(t *testing.T) {
	st := newStage(t)
	v, err := NewRecipient(st.scene())
	require.NoError(t, err)
	values := field.Values{"recipient_name": "Grace", "recipient_phone": "(415) 555-0123", "recipient_notes": "Deaf", "skip_sms": "yes", "metadata": "a=b"}
	require.Empty(t, v.Look(t.Context(), st.client, values))
	plan, _ := st.prepared(v, values)
	require.Contains(t, texts(plan.Words), "Grace, +14155550123")
	made, err := st.client.Recipient(t.Context(), st.do(plan)[0].Object)
	require.NoError(t, err)
	require.Equal(t, "Deaf", made.Notes)
	require.True(t, made.SkipSMSNotifications)
	require.Contains(t, v.Look(t.Context(), st.client, values)["recipient_phone"], "Grace has this number")
	st.lands(v, values, "recipient_phone")

	plan, _ = st.prepared(v, field.Values{"recipient_name": "Odd", "recipient_phone": "+1 234", "skip_phone_check": "yes"})
	st.do(plan)
	refuses(t, v, []refusedCase{
		{field.Values{"recipient_phone": "415 555 0123"}, "recipient_name"},
		{field.Values{"recipient_name": "Ada"}, "recipient_phone"},
		{field.Values{"recipient_name": "Ada", "recipient_phone": "+1 234"}, "recipient_phone"},
		{field.Values{"recipient_name": "Ada", "recipient_phone": "1 234", "skip_phone_check": "yes"}, "recipient_phone"},
	})
	for phone, happened := range map[string]bool{"415 555 0124": true, "415 555 0125": false} {
		plan, _ = st.prepared(v, field.Values{"recipient_name": "Ada", "recipient_phone": phone})
		st.unknown(plan.Steps[0], happened)
	}
}

func TestAWorkerIsCreatedAndTakenBack(t *testing.T) {
	st := newStage(t)
	st.worker("Ben", "+14155550140")
	home := st.task(nil)
	v, err := NewWorker(st.scene())
	require.NoError(t, err)
	require.Equal(t, "Team of Ben", v.Form.Start["teams"])
	values := field.Values{
		"name": "Ada Okafor", "phone": "415 555 0141", "teams": "team of ben", "display_name": "Ada", "capacity": "12", "capacity_b": "3",
		"vehicle": "TRUCK", "vehicle_description": "Ford", "license_plate": "1ABC", "vehicle_color": "blue",
		"where": "known", "destination": string(destinationID(&home)), "metadata": "a=b",
	}
	plan, shown := st.prepared(v, values)
	require.Equal(t, "/workers", shown[0].Path)
	require.Contains(t, texts(plan.Words), "Ada Okafor, +14155550141, in Team of Ben, with a truck")
	require.Contains(t, texts(plan.Words), "password is sent")
	done := st.do(plan)[0]
	made, err := st.client.Worker(t.Context(), done.Object, apiclient.WorkerQuery{})
	require.NoError(t, err)
	require.Equal(t, 12.0, made.Capacity)
	require.Equal(t, 3.0, made.AdditionalCapacities.Value().B)
	require.Equal(t, model.VehicleTruck, made.Vehicle.Value().Type)
	require.Equal(t, "1ABC", made.Vehicle.Value().LicensePlate.Value())
	require.True(t, made.Addresses.Value().Routing.Has())
	st.lands(v, values, "phone")
	st.undo(done)
	_, err = st.client.Worker(t.Context(), done.Object, apiclient.WorkerQuery{})
	require.ErrorIs(t, err, apiclient.ErrNotFound)
	found, err := done.Undo.Step.LookUp(t.Context(), st.client)
	require.NoError(t, err)
	require.True(t, found.Happened)

	plan, _ = st.prepared(v, field.Values{
		"name": "Cy", "phone": "415 555 0142", "teams": "team of ben", "where": "point", "location": "-122.4,37.78", "city": "San Francisco", "country": "USA",
	})
	done = st.do(plan)[0]
	st.task(func(in *model.TaskInput) { in.Container = model.Some(model.WorkerContainer(done.Object)) })
	require.Contains(t, done.Undo.Still(st.look()), "1 task by now")

	base := func(name, value string) field.Values {
		values := field.Values{"name": "Dee", "phone": "415 555 0143", "teams": "team of ben"}
		values[name] = value
		return values
	}
	refuses(t, v, []refusedCase{
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
	st.lands(v, base("teams", string(model.NewID())), "teams")
	for phone, happened := range map[string]bool{"415 555 0144": true, "415 555 0145": false} {
		plan, _ = st.prepared(v, base("phone", phone))
		st.unknown(plan.Steps[0], happened)
	}
}

func TestATemplateIsCreated(t *testing.T) {
	st := newStage(t)
	s := st.fullScene()
	v, err := NewTemplate(s)
	require.NoError(t, err)
	plan, shown := st.prepared(v, field.Values{"name": "Fragile", "for": "dropoffs", usesField("seal"): "yes", usesField("count"): "yes"})
	require.Equal(t, "/cfGroups/task", shown[0].Path)
	done := st.do(plan)[0]
	require.Equal(t, "created Fragile", done.Words)
	require.ElementsMatch(t, []string{"seal", "count"}, done.Change.Templates[0].Fields)
	kinds, ok := model.KindsOf(done.Change.Templates[0].ContextSaveConditions)
	require.True(t, ok)
	require.Equal(t, model.ForDropoffs, kinds)

	refuses(t, v, []refusedCase{
		{field.Values{}, "name"},
		{field.Values{"name": "cold CHAIN"}, "name"},
		{field.Values{"name": "New", "for": "both", usesField("dock"): "yes"}, usesField("dock")},
	})
	st.lands(v, field.Values{"name": "Fragile"}, "name")

	// Without the fields having been read, their keys are typed and the service judges them.
	s.CustomFields = nil
	v, err = NewTemplate(s)
	require.NoError(t, err)
	plan, _ = st.prepared(v, field.Values{"name": "Typed", "fields": "seal\ncold"})
	st.do(plan)
	st.lands(v, field.Values{"name": "Wrong", "fields": "unknown"}, "fields")
}

// echo answers the check of a new webhook.
func echo(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, r.URL.Query().Get(model.WebhookCheckParameter))
}

func TestAWebhookIsCreatedAndDeleted(t *testing.T) {
	st := newStage(t)
	address := st.server.Listen(http.HandlerFunc(echo))
	v, err := NewWebhook(st.scene())
	require.NoError(t, err)
	trigger, ok := v.Form.Field("trigger")
	require.True(t, ok)
	require.Len(t, trigger.Options, len(model.Triggers()))
	threshold, ok := v.Form.Field("threshold")
	require.True(t, ok)
	require.False(t, threshold.Show(field.Values{"trigger": "taskStarted"}))
	require.True(t, threshold.Show(field.Values{"trigger": "taskArrival"}))
	require.Equal(t, "150 meters", threshold.Echo("150", field.Values{"trigger": "taskArrival"}))

	plan, shown := st.prepared(v, field.Values{"url": address, "trigger": "taskStarted", "threshold": "5", "name": "Ops"})
	require.NotContains(t, string(shown[0].Body), "threshold", "what is hidden is not sent")
	done := st.do(plan)[0]
	st.undo(done)
	plan, _ = st.prepared(v, field.Values{"url": address, "trigger": "taskEta", "threshold": "600"})
	st.do(plan)
	hooks, err := st.client.Webhooks(t.Context())
	require.NoError(t, err)
	require.Len(t, hooks, 1)
	require.Equal(t, 600.0, hooks[0].Threshold.Value())

	refuses(t, v, []refusedCase{
		{field.Values{}, "url"},
		{field.Values{"url": "http://example.com"}, "url"},
		{field.Values{"url": address, "trigger": "taskEta", "threshold": "-1"}, "threshold"},
		{field.Values{"url": address, "trigger": "taskEta", "threshold": "x"}, "threshold"},
		{field.Values{"url": address, "trigger": "nothing"}, "trigger"},
	})
	silent := st.server.Listen(http.NotFoundHandler())
	st.lands(v, field.Values{"url": silent}, "url")
	for name, happened := range map[string]bool{"taskFailed": true, "taskDeleted": false} {
		plan, _ = st.prepared(v, field.Values{"url": address, "trigger": name})
		st.unknown(plan.Steps[0], happened)
	}

	s := st.scene()
	_, err = NewWebhookDelete(s)
	require.Error(t, err)
	s.Webhooks = hooks
	v, err = NewWebhookDelete(s)
	require.NoError(t, err)
	plan, shown = st.prepared(v, nil)
	require.Equal(t, "DELETE", shown[0].Method)
	require.Contains(t, plan.Danger, "webhook for task ETA of Bay Couriers")
	require.Contains(t, texts(plan.Words), "0 delivered")
	st.unknown(plan.Steps[0], false)
	st.unknown(plan.Steps[0], true)
	require.Equal(t, "was gone already", st.do(plan)[0].Words)
}

func TestTheLimitOfWebhooksLandsOnTheTrigger(t *testing.T) {
	st := newStage(t)
	address := st.server.Listen(http.HandlerFunc(echo))
	v, err := NewWebhook(st.scene())
	require.NoError(t, err)
	values := field.Values{"url": address, "trigger": "taskEta", "threshold": "600"}
	plan, _ := st.prepared(v, values)
	for range model.MaxThresholdWebhooks {
		st.do(plan)
	}
	st.lands(v, values, "trigger")
}
