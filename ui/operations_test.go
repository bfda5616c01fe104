package ui

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/operations"
	"waybill/operations/run"
)

// operationsTest is a service where every operation has something to act on.
type operationsTest struct {
	*testService
	d       *testConsole
	free    model.Task // nobody has it
	first   model.Task // Ada's first stop, second the next
	second  model.Task
	started model.Task // Ben is on his way
	failing model.Task // Cem too
	hook    string
}

func newOperationsTest(t *testing.T) *operationsTest {
	t.Helper()
	s := &operationsTest{testService: newTestService(t, "Ada Okafor", "Ben Castillo", "Cem Yilmaz")}
	for i, task := range []*model.Task{&s.free, &s.first, &s.second, &s.started, &s.failing} {
		*task = s.task(t, i+1, 2*time.Hour)
	}
	give := func(worker int, task model.Task) {
		s.Do("PUT", "/containers/workers/"+string(s.workers[worker].ID), fmt.Sprintf(`{"tasks":[-1,%q]}`, task.ID)).OK(nil)
	}
	give(0, s.first)
	give(0, s.second)
	give(1, s.started)
	give(2, s.failing)
	require.NoError(t, s.World.StartTask(t.Context(), s.workers[1].ID, s.started.ID))
	require.NoError(t, s.World.StartTask(t.Context(), s.workers[2].ID, s.failing.ID))
	s.hook = s.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.Query().Get(model.WebhookCheckParameter))
	}))
	s.d = s.console(t, nil)
	rows := "address,recipient_name,recipient_phone,before\n"
	for i := range 3 {
		rows += fmt.Sprintf("\"%d Mission St, San Francisco, CA, USA\",Imported %d,+1415555%04d,+3h\n", i+1, i, 3000+i)
	}
	require.NoError(t, os.WriteFile(filepath.Join(s.d.m.options.WorkDir, "tasks.csv"), []byte(rows), 0o600))
	return s
}

// Every operation once, from its key to the service.
func TestEveryOperationEndToEnd(t *testing.T) {
	s := newOperationsTest(t)
	d := s.d
	on := func(task *model.Task) func() { return func() { d.find(task.ID) } }
	snapshot := func() { d.press("pane.tasks") }
	cases := []struct {
		id      string
		goTo    func()
		choices map[string]string // before the others, which may be asked for because of them
		values  map[string]string
		after   func()
	}{
		{id: "task.notes", goTo: on(&s.free), values: map[string]string{"notes": "Ring twice"}, after: func() {
			require.Equal(t, "Ring twice", s.read(t, s.free.ID).Notes)
		}},
		{id: "task.window", goTo: on(&s.free), values: map[string]string{"before": "+5h"}},
		{id: "task.quantity", goTo: on(&s.free), values: map[string]string{"quantity": "7"}, after: func() {
			require.InDelta(t, 7, s.read(t, s.free.ID).Quantity, 0)
		}},
		{id: "task.link", goTo: on(&s.free), values: map[string]string{"depends_on": string(s.first.ShortID)}, after: func() {
			require.Equal(t, []model.ID{s.first.ID}, s.read(t, s.free.ID).Dependencies)
		}},
		{id: "task.metadata", goTo: on(&s.free), values: map[string]string{"metadata": "invoice=4712"}},
		{id: "task.clone", goTo: on(&s.free)},
		{id: "task.clone-assign", goTo: on(&s.started), values: map[string]string{"worker": "Ada Okafor"}},
		{id: "task.complete", goTo: on(&s.started), values: map[string]string{"notes": "At the desk"}, after: func() {
			done := s.read(t, s.started.ID)
			require.True(t, done.Succeeded())
		}},
		{id: "task.fail", goTo: on(&s.failing), values: map[string]string{"notes": "Nobody there"}, after: func() {
			failed := s.read(t, s.failing.ID)
			require.True(t, failed.Failed())
		}},
		{id: "route.later", goTo: on(&s.first)},
		{id: "route.earlier", goTo: on(&s.first)},
		{id: "route.transfer", goTo: on(&s.second), values: map[string]string{"who": "Ben Castillo"}, after: func() {
			require.Equal(t, s.workers[1].ID, s.read(t, s.second.ID).Worker.Value())
		}},
		{id: "route.insert", goTo: on(&s.free), values: map[string]string{"who": "Ada Okafor", "position": "1"}},
		{id: "route.unassign", goTo: on(&s.free), after: func() {
			require.Empty(t, s.read(t, s.free.ID).Worker.Or(""))
		}},
		{id: "route.assign", goTo: on(&s.free), values: map[string]string{"who": "Cem Yilmaz"}, after: func() {
			require.Equal(t, s.workers[2].ID, s.read(t, s.free.ID).Worker.Value())
		}},
		{id: "create.task", goTo: snapshot, values: map[string]string{"address": "543 Howard St, San Francisco, CA 94105, USA"}},
		{id: "create.task", goTo: snapshot, choices: map[string]string{"kind": "pickup", "assign": "worker"}, values: map[string]string{
			"address": "1 Ferry Building, San Francisco, CA, USA", "needed_by": string(s.free.ShortID), "worker": "Ada Okafor", "position": "next",
		}, after: func() {
			made := d.m.jobs.list[0].progress.Steps[0].Result.Object
			require.Contains(t, s.read(t, s.free.ID).Dependencies, made)
			var route model.Container
			s.Do("GET", "/containers/workers/"+string(s.workers[0].ID), nil).OK(&route)
			require.Equal(t, made, route.Tasks[0])
		}},
		{id: "create.destination", goTo: snapshot, values: map[string]string{"address": "1 Ferry Building, San Francisco, CA, USA"}},
		{id: "create.recipient", goTo: snapshot, values: map[string]string{"recipient_name": "Grace", "recipient_phone": "+14155559876"}},
		{id: "create.worker", goTo: snapshot, values: map[string]string{"name": "Dee", "phone": "+14155559877", "teams": "North"}},
		{id: "create.template", goTo: snapshot, values: map[string]string{"name": "Fragile"}},
		{id: "create.webhook", goTo: snapshot, values: map[string]string{"url": s.hook, "trigger": "taskStarted"}},
		{id: "webhook.delete", goTo: func() { d.press("look.webhooks") }, after: func() {
			var left []model.Webhook
			s.Do("GET", "/webhooks", nil).OK(&left)
			require.Empty(t, left)
		}},
		{id: "create.import", goTo: snapshot, values: map[string]string{"file": "tasks.csv"}},
		{id: "route.auto-assign", goTo: func() { d.press("pane.tasks", "mark.all") }},
		{id: "task.delete", goTo: on(&s.free), after: func() {
			s.Do("GET", "/tasks/"+string(s.free.ID), nil).Refused(404, model.ErrorNotFound)
		}},
	}
	tried := map[string]bool{"route.dispatch": true, "create.quote": true, "create.order": true, "order.cancel": true} // have tests of their own
	for _, c := range cases {
		tried[c.id] = true
		for len(d.m.dialogs) > 0 {
			d.m.closeDialog()
		}
		c.goTo()
		before := len(d.m.jobs.list)
		d.press(c.id)
		for name, value := range c.choices {
			d.choose(name, value)
		}
		for name, value := range c.values {
			d.fill(name, value)
		}
		d.press("form.preview", "preview.send")
		require.Len(t, d.m.jobs.list, before+1, "%s was not sent:\n%s", c.id, d.screen())
		j := d.m.jobs.list[0]
		for _, step := range j.progress.Steps {
			require.Equal(t, run.Done, step.Status, "%s: %s\n%s", c.id, step.Text, d.screen())
		}
		if c.after != nil {
			c.after()
		}
	}
	for _, mk := range operations.Definitions() {
		require.True(t, tried[mk.ID], "%s is tried by no test", mk.ID)
	}
}
