package ui

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	serviceworld "waybill/service/world"
	"waybill/ui/dialog"
)

// Assign the worst delay to the best candidate, then undo it.
func TestAssignTheBestCandidate(t *testing.T) {
	world := newTestService(t, "Ada Okafor", "Ben Castillo")
	late := world.task(t, 1, 10*time.Minute)
	d := world.console(t, nil)
	d.find(late.ID)
	d.press("route.candidates")
	d.showsWrapped("Who can take "+string(late.ShortID), "Ada Okafor", "Ben Castillo", "arrival unknown")
	d.showsNot("on time")
	d.showsNot("nobody in time")
	d.press("menu.choose")
	d.showsWrapped("PUT /containers/workers/", "y confirm")
	require.Empty(t, world.read(t, late.ID).Worker.Or(""), "nothing is sent before someone said yes")
	d.press("preview.send")
	require.NotEmpty(t, world.read(t, late.ID).Worker.Or(""))
	d.showsWrapped(" undo)")

	d.press("console.undo")
	d.showsWrapped("Undo?")
	d.press("preview.send")
	require.Empty(t, world.read(t, late.ID).Worker.Or(""))
	d.press("look.activity")
	d.showsWrapped("mara", "undo")
}

func TestEditNotes(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("task.notes")
	d.showsWrapped("Note 1")
	d.fill("notes", "Ring twice")
	d.press("form.preview")
	d.showsWrapped("PUT /tasks/"+string(task.ID), `"notes": "Ring twice"`)
	d.press("preview.send")
	require.Equal(t, "Ring twice", world.read(t, task.ID).Notes)
	d.press("console.undo", "preview.send")
	require.Equal(t, "Note 1", world.read(t, task.ID).Notes)
}

// Form values are restored after closing the form, also in the next console.
func TestDraftsAreRestored(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	var folder Options
	d := world.console(t, func(o *Options) { folder = *o })
	d.find(task.ID)
	d.press("task.notes")
	d.fill("notes", "Half a thought")
	d.press("back")
	d.showsWrapped("Draft saved")
	d.press("task.notes")
	d.showsWrapped("Half a thought", "Draft restored")

	next := world.console(t, func(o *Options) { o.Drafts = folder.Drafts })
	next.find(task.ID)
	next.press("task.notes")
	next.showsWrapped("Half a thought")
	next.press("form.preview", "preview.send")
	require.Equal(t, "Half a thought", world.read(t, task.ID).Notes)
	next.press("task.notes")
	require.NotContains(t, next.screen(), "Draft restored", "what was sent is no draft any more")
}

func TestDeleteManyAsks(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	var tasks []model.Task
	for i := range 5 {
		tasks = append(tasks, world.task(t, i+1, time.Hour))
	}
	d := world.console(t, nil)
	d.press("pane.tasks", "mark.all", "task.delete")
	d.showsWrapped("5 changes in bay", "y confirm")
	d.press("back")
	require.Equal(t, tasks[0].ID, world.read(t, tasks[0].ID).ID)
	d.press("task.delete", "preview.send")
	d.showsWrapped("5 of 5 done")
	for _, task := range tasks {
		world.Do("GET", "/tasks/"+string(task.ID), nil).Refused(404, model.ErrorNotFound)
	}
}

// A new task with its form, from the address to the service.
func TestCreateTask(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.press("create.task")
	d.showsWrapped("New task", "Address", "Driver")
	d.press("form.preview")
	d.showsWrapped("Address")
	d.showsNot("POST /tasks")
	d.fill("address", "543 Howard St, San Francisco, CA 94105, USA")
	d.fill("recipient_name", "Grace Hopper")
	d.fill("recipient_phone", "+1 415 555 2671")
	d.fill("before", "+2h")
	d.press("form.preview")
	d.showsWrapped("POST /tasks", `"name": "Grace Hopper"`)
	d.press("preview.send")
	d.showsWrapped("543 Howard St", " undo)")
	d.press("console.undo", "preview.send")
	d.showsNot("543 Howard St")
}

// A dispatch is planned here first, then sent, followed to its end, and its result shown.
func TestDispatchATeam(t *testing.T) {
	world := newTestService(t, "Ada Okafor", "Ben Castillo")
	var waiting []model.Task
	for i := range 6 {
		task := world.task(t, i+1, 3*time.Hour)
		waiting = append(waiting, task)
		world.Do("PUT", "/containers/teams/"+string(world.team.ID), `{"tasks":[-1,"`+string(task.ID)+`"]}`).OK(nil)
	}
	for i, w := range world.workers {
		require.NoError(t, world.World.ReportPositions(t.Context(), []serviceworld.Position{
			{Worker: w.ID, Location: model.Location{Lon: -122.40 - float64(i)/100, Lat: 37.78}},
		}))
	}
	d := world.console(t, nil)
	d.press("route.dispatch")
	d.showsWrapped("Auto-dispatch a team", "North")
	d.press("form.preview")
	d.showsWrapped("6 tasks would be assigned", "Ada Okafor", "POST /teams/"+string(world.team.ID)+"/dispatch")
	d.press("preview.map")
	d.showsWrapped("Planned routes", "All routes, 1")
	d.press("menu.down", "back", "preview.send")
	for _, task := range waiting {
		require.NotEmpty(t, world.read(t, task.ID).Worker.Or(""), "%s", d.screen())
	}
	d.showsWrapped("North", "6 tasks assigned to")
	top, ok := d.m.topDialog().(*dialog.Report)
	require.True(t, ok, "%s", d.screen())
	require.Contains(t, top.Lines[0].Text, "6 tasks assigned to", "the result in one line comes first")
}

// The next console shows the activity, searches it and exports it.
func TestActivityIsKept(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	one, two := world.task(t, 1, time.Hour), world.task(t, 2, time.Hour)
	var first Options
	d := world.console(t, func(o *Options) { first = *o })
	for _, task := range []model.Task{one, two} {
		d.find(task.ID)
		d.press("task.delete", "preview.send")
	}
	next := world.console(t, func(o *Options) { o.Activity, o.StateDir = first.Activity, first.StateDir })
	next.press("look.activity")
	next.showsWrapped(string(one.ShortID), string(two.ShortID), "mara", "deleted")
	next.press("find.filter")
	next.typeText(string(one.ShortID))
	next.press("type.accept")
	next.showsWrapped(string(one.ShortID), "/"+string(one.ShortID))
	next.showsNot("task " + string(two.ShortID))
	next.press("take.export", "menu.choose")
	files, err := filepath.Glob(filepath.Join(next.m.options.WorkDir, "waybill-activity-*.csv"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Contains(t, string(text), string(one.ID))
	require.NotContains(t, string(text), string(two.ID))
}
