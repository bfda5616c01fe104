package ui

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/run"
	"waybill/ui/dialog"
	"waybill/ui/session"
	"waybill/views/layout"
)

// later lets time pass, so that what came up by itself takes keys.
func (d *testService) later() { d.Clock.Advance(time.Second) }

// keys presses keys as a terminal reports them.
func (d *testConsole) keys(keys ...rune) {
	for _, key := range keys {
		d.send(tea.KeyPressMsg{Code: key, Text: string(key)})
	}
}

// The report of a quote suggests creating the order with the same values, by the keys it shows; the order is then
// cancelled.
func TestQuoteSuggestsOrder(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	bakery := *world.Server
	_, bakery.Key = world.AddOrganization("Bakery", world.Org)
	d := (&testService{Server: &bakery, team: world.team}).console(t, nil)
	d.press("create.quote")
	for name, value := range map[string]string{
		"pickup_address": "1 Ferry Building, San Francisco, CA 94111, USA", "dropoff_address": "543 Howard St, San Francisco, CA 94105, USA",
		"weight": "2", "due": "+5h",
	} {
		d.fill(name, value)
	}
	d.press("form.preview")
	d.showsWrapped("$", "N o create order")
	d.keys('N', 'o')
	d.showsWrapped("$", "N o create order") // it has just come up, and takes no key yet
	world.later()
	d.keys('N', 'x')
	d.showsWrapped("N o create order") // a slip of the finger runs nothing
	d.keys('N', 'o')
	d.showsWrapped("New order")
	form, ok := d.m.topDialog().(*dialog.Form)
	require.True(t, ok, d.screen())
	require.Equal(t, "543 Howard St, San Francisco, CA 94105, USA", form.Values()["dropoff_address"])
	require.Equal(t, "+5h", form.Values()["dropoff_before"])
	for name, value := range map[string]string{
		"pickup_recipient_name": "Baker", "pickup_recipient_phone": "415 555 0100", "dropoff_recipient_name": "Ana", "dropoff_recipient_phone": "415 555 0101",
	} {
		d.fill(name, value)
	}
	field, _ := form.Operation().Form.Field("quote")
	d.fill("quote", field.Suggest("", nil)[0].Value)
	d.press("form.preview")
	d.showsWrapped("POST /taskOrders")
	d.press("preview.send")
	made := d.m.jobs.list[0].progress.Steps[0]
	require.Equal(t, run.Done, made.Status, made.Text)
	require.Empty(t, d.m.dialogs, "nothing is left open:\n%s", d.screen())
	d.press("pane.orders", "order.cancel", "preview.send")
	cancelled := d.m.jobs.list[0].progress.Steps[0]
	require.Equal(t, run.Done, cancelled.Status, "%s\n%s", cancelled.Text, d.screen())
}

// When the second request of a creation fails, the report shows the key that finishes it, even if that key scrolls
// otherwise, and its form is filled in.
func TestPartlyFailedCreationSuggestsRest(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	drop := world.task(t, 1, 2*time.Hour)
	transport := &faulty{once: map[string]func(*http.Request) (*http.Response, error){}}
	d := world.consoleThrough(t, transport, nil)
	d.press("create.task")
	d.choose("kind", "pickup")
	d.fill("address", "1 Ferry Building, San Francisco, CA 94111, USA")
	d.fill("needed_by", string(drop.ShortID))
	d.press("form.preview")
	d.showsWrapped("2 requests", "<new task>")
	transport.once[string(drop.ID)] = refusal(http.StatusForbidden, `{"code":"PermissionDenied","message":{"error":1100,"message":"No.","request":"r-1"}}`) //nolint:bodyclose // the client closes it
	d.press("preview.send")
	d.showsWrapped("was created, but could not be linked with task "+string(drop.ShortID), "e l edit dependencies")
	world.later()
	d.keys('e', 'l')
	d.press("form.preview", "preview.send")
	made := d.m.jobs.list[1].progress.Steps[0].Result.Object
	require.Equal(t, []model.ID{made}, world.read(t, drop.ID).Dependencies, d.screen())
}

// Hints show only the actions that work on the job under the cursor; the help gives the reason for the others.
func TestJobActionsMatchState(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	tasks := []model.Task{world.task(t, 1, time.Hour), world.task(t, 2, time.Hour)}
	refused := refusal(http.StatusBadRequest, `{"code":"InvalidContent","message":{"error":1000,"message":"No.","request":"r-1"}}`) //nolint:bodyclose // the client closes it
	transport := &faulty{once: map[string]func(*http.Request) (*http.Response, error){string(tasks[1].ID): refused}}
	d := world.consoleThrough(t, transport, nil)
	offered := func() []string {
		d.showsWrapped("Jobs")
		var keys []string
		for _, h := range d.m.keys.Hints(d.m.scopes(), d.m.actionContext(), 200) {
			keys = append(keys, h.Label)
		}
		return keys
	}
	d.find(tasks[0].ID)
	d.press("task.clone", "form.preview", "preview.send", "look.jobs")
	require.Equal(t, keymaps.Jobs, d.m.scope())
	require.NotContains(t, offered(), "stop")
	require.NotContains(t, offered(), "retry failed")
	require.NotContains(t, offered(), "save failed")
	d.press("job.retry")
	d.showsWrapped("Nothing failed.")
	d.press("job.cancel")
	d.showsWrapped("The job has already ended.")

	d.m.screen = layout.Board
	d.press("pane.tasks", "mark.all", "task.delete", "preview.send")
	d.showsWrapped("1 failed")
	d.press("back", "look.jobs")
	d.showsWrapped("Jobs")
	d.press("move.top")
	require.NotContains(t, offered(), "stop")
	require.Contains(t, offered(), "retry failed")
	require.Contains(t, offered(), "save failed")
	d.press("job.retry", "look.jobs", "move.bottom")
	for _, j := range d.m.jobs.list[1:] {
		require.NotEmpty(t, j.DisabledReason("job.retry"), "what was sent again is not sent a third time")
	}
	going := &job{session: &operationSession{Session: session.Retry(operations.Operation{}, operations.Input{}, operations.Proposal{Steps: make([]operations.Step, 2)})}}
	require.Empty(t, going.DisabledReason("job.cancel"))
	require.NotEmpty(t, going.DisabledReason("job.retry"))
	require.NotEmpty(t, going.DisabledReason("job.failed"))
	going.progress.Ended, going.follow = true, &run.JobWatch{}
	require.Contains(t, going.DisabledReason("job.cancel"), "service is running")
}

// The detail of a task shows the warnings of the geocoder.
func TestDetailShowsAddressWarnings(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	var task model.Task
	world.Do("POST", "/tasks", `{"destination":{"address":{"number":"999999","street":"No Such Street","city":"San Francisco","country":"United States"}},
		"recipients":[]}`).OK(&task)
	require.NotEmpty(t, task.Destination.Object.Warnings.Value())
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("look.detail")
	d.showsWrapped("found at", "United States", "warnings", "approximate")
}

// Undo gives the reason when a change can no longer be undone.
func TestUndoExplainsWhyItIsTooLate(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("route.assign")
	d.fill("who", "Ada Okafor")
	d.press("form.preview", "preview.send")
	d.showsWrapped(" undo)")
	world.Clock.Advance(time.Second)
	require.NoError(t, world.World.StartTask(context.Background(), world.workers[0].ID, task.ID))
	d.press("data.refresh")
	d.press("console.undo")
	d.showsWrapped("Too late to undo: Task " + string(task.ShortID) + ": The task has been started")
}

// A form that is opened again shows no problems that were corrected before.
func TestAcceptedFormClearsProblems(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("task.window")
	d.fill("window", "14:00-16:00")
	d.fill("after", "13:00")
	d.press("form.preview")
	d.showsWrapped("not both")
	d.fill("after", "")
	d.press("form.preview")
	d.showsWrapped("PUT /tasks/", "e/esc edit")
	d.showsNot("esc cancel")
	d.press("preview.edit")
	form, ok := d.m.topDialog().(*dialog.Form)
	require.True(t, ok)
	require.NotContains(t, strings.Join(form.Lines(), "\n"), "not both")
}
