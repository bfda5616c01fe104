package ui

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/model"
	"waybill/operations"
	"waybill/ui/dialog"
	"waybill/ui/session"
)

// clipboard is what was last handed to the terminal's clipboard.
func (d *testConsole) clipboard() string {
	text := ""
	for _, msg := range d.seen {
		if fmt.Sprintf("%T", msg) == "tea.setClipboardMsg" {
			text = fmt.Sprint(msg)
		}
	}
	return text
}

// Opening the shown object again keeps its data.
func TestOpeningTheSameDetailAgain(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("look.detail")
	d.showsWrapped("Note 1")
	d.press("look.detail")
	d.showsNot("on its way")
	d.showsWrapped("Note 1")
	d.press("take.copy")
	d.showsWrapped("tracking link", "JSON")
}

// The tracking link can be copied from a row and from the detail.
func TestTrackingLinkFromARow(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("look.track")
	d.showsWrapped("Copied tracking link")
	require.Contains(t, d.clipboard(), world.read(t, task.ID).TrackingURL)
	require.Nil(t, d.m.detail, "nothing was to be opened")
	d.press("take.copy")
	d.showsWrapped("recipient's phone", "tracking link", "JSON")
	for i, choice := range d.m.topDialog().(*dialog.Menu).Choices.Items {
		if choice.Label == "JSON" {
			d.do(d.m.handleDialogAction(dialog.Choose{Index: i}))
			break
		}
	}
	require.Contains(t, d.clipboard(), `"trackingURL"`)
	d.press("look.detail", "look.track")
	d.showsWrapped("Copied tracking link")
}

// Finished rows lose their mark, so that the next action does not include them.
func TestMarksAreRemovedWhenDone(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	var tasks []model.Task
	for i := range 5 {
		tasks = append(tasks, world.task(t, i+1, time.Hour))
	}
	d := world.console(t, nil)
	for _, task := range tasks[:3] {
		d.find(task.ID)
		d.press("mark.toggle")
	}
	require.Equal(t, 3, d.m.focusedPane().State().Marks)
	d.press("route.assign")
	d.fill("who", "Ada Okafor")
	d.press("form.preview", "preview.send")
	require.NotEmpty(t, world.read(t, tasks[0].ID).Worker.Or(""))
	require.Zero(t, d.m.focusedPane().State().Marks)
	d.showsNot("marked")

	for _, task := range tasks[:3] {
		d.find(task.ID)
		d.press("mark.toggle")
	}
	require.Equal(t, board.StatusAssigned, d.m.focusedPane().SelectedObjects()[0].Status, "as they are now, not as they were")
	d.press("task.delete", "preview.send", "back")
	require.Zero(t, d.m.focusedPane().State().Marks)
	d.find(tasks[3].ID)
	d.press("route.assign")
	d.showsWrapped("Assign " + string(tasks[3].ShortID))
}

// Failed rows stay marked to be retried; rows deleted by somebody else do not.
func TestFailedRowsStayMarked(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	var tasks []model.Task
	for i := range 4 {
		tasks = append(tasks, world.task(t, i+1, time.Hour))
	}
	transport := &faulty{once: map[string]func(*http.Request) (*http.Response, error){
		string(tasks[1].ID): refusal(http.StatusBadRequest, `{"code":"InvalidContent","message":{"error":1000,"message":"No.","cause":"It is locked.","request":"r-1"}}`), //nolint:bodyclose // the client closes it
	}}
	d := world.consoleThrough(t, transport, nil)
	for _, task := range tasks[:3] {
		d.find(task.ID)
		d.press("mark.toggle")
	}
	d.press("task.delete", "preview.send", "back")
	shown, hidden := d.m.focusedPane().Selection()
	require.Equal(t, []model.ID{tasks[1].ID}, append(shown, hidden...))

	world.Do("DELETE", "/tasks/"+string(tasks[1].ID), nil).OK(nil)
	d.press("data.refresh")
	require.Zero(t, d.m.focusedPane().State().Marks, "%s", d.screen())
}

// Creating a task does not change the marks.
func TestCreatingTaskKeepsMarks(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("mark.toggle", "create.task")
	d.fill("address", "543 Howard St, San Francisco, CA 94105, USA")
	d.press("form.preview", "preview.send")
	d.showsWrapped("543 Howard St")
	require.Equal(t, 1, d.m.focusedPane().State().Marks)
}

// A terminal reports two escapes at once as one key with alt.
func TestTwoEscapesAtOnce(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.press("pane.tasks", "mark.toggle", "task.delete")
	require.NotNil(t, d.m.topDialog())
	d.send(tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt})
	require.Nil(t, d.m.topDialog())
	require.Zero(t, d.m.focusedPane().State().Marks, "the second escape counts too")
}

// An invalid filter stays in the line with the reason.
func TestInvalidFilterStaysOpen(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.press("pane.tasks", "find.filter")
	d.typeText("state:unassigned due:often")
	d.press("type.accept")
	d.showsWrapped("state:unassigned due:often")
	line, ok := d.m.topDialog().(*dialog.Filter)
	require.True(t, ok)
	require.Error(t, line.Err)
	d.showsWrapped(line.Err.Error()[:20])
	for range len("due:often") {
		d.send(tea.KeyPressMsg{Code: tea.KeyBackspace})
	}
	d.typeText("howard")
	d.press("type.accept")
	require.Nil(t, d.m.topDialog())
	require.Equal(t, "state:unassigned howard", d.m.focusedPane().State().Filter)
}

// The form of a new task starts in the address field.
func TestNewTaskStartsWithAddress(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	d := world.console(t, nil)
	d.press("create.task")
	d.typeText("543 Howard St, San Francisco, CA 94105, USA")
	d.press("form.preview")
	d.showsWrapped("POST /tasks")
	top, ok := d.m.topDialog().(*dialog.Preview)
	require.True(t, ok)
	require.NotContains(t, string(top.Requests()[0].Body), "pickupTask\":true")
}

// Closing an untouched form saves no draft.
func TestUntouchedFormSavesNoDraft(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	d := world.console(t, nil)
	d.press("create.task", "form.next", "form.next", "back")
	d.showsNot("Draft saved")
	d.press("create.task")
	d.showsNot("Draft restored")
}

// A draft is saved at the first pause in typing.
func TestDraftIsSavedAfterPause(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	var options Options
	d := world.console(t, func(o *Options) { options = *o })
	d.press("create.task")
	key := d.m.draftKey(&operationSession{Session: session.Retry(operations.Operation{ID: "create.task"}, d.m.operationInput(""), operations.Proposal{})})
	d.typeText("543 How")
	d.send(tickMsg(world.Clock.Now()))
	_, written, err := options.Drafts.Load(key)
	require.NoError(t, err)
	require.False(t, written, "not with every key")
	world.Clock.Advance(2 * time.Second)
	d.send(tickMsg(world.Clock.Now()))
	draft, written, err := options.Drafts.Load(key)
	require.NoError(t, err)
	require.True(t, written)
	require.Equal(t, "543 How", draft.Values["address"])
}

// outage is a service that can fall over. It answers, so that nobody waits for another attempt.
type outage struct{ down atomic.Bool }

func (o *outage) RoundTrip(r *http.Request) (*http.Response, error) {
	if o.down.Load() {
		return refusal(http.StatusInternalServerError, "")(r)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// A preview opened during an outage can be sent once the service is back.
func TestPreviewAfterAnOutage(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	network := &outage{}
	d := world.consoleThrough(t, network, nil)
	d.find(task.ID)
	open := func() {
		d.press("task.notes")
		d.fill("notes", "Ring twice")
		network.down.Store(true)
		d.press("form.preview")
		d.showsWrapped("Cannot send:")
		d.showsNot("y confirm")
		d.showsNot("y send ")
		network.down.Store(false)
	}
	open()
	d.press("preview.send")
	d.showsWrapped("y confirm", `"notes": "Ring twice"`)
	require.Equal(t, "Note 1", world.read(t, task.ID).Notes, "nothing is sent that was not seen")
	d.press("back", "back")

	open()
	network.down.Store(true)
	for range 3 {
		world.Clock.Advance(time.Minute)
		d.send(tickMsg(world.Clock.Now()))
	}
	require.True(t, d.m.feed.Status().Offline)
	d.showsNot("y confirm")
	network.down.Store(false)
	for range 3 {
		world.Clock.Advance(time.Minute)
		d.send(tickMsg(world.Clock.Now()))
	}
	d.showsWrapped("y confirm")
	d.press("preview.send")
	require.Equal(t, "Ring twice", world.read(t, task.ID).Notes)
}

// Warnings about a new task are shown in the status line and open no dialog.
func TestWarningsDoNotOpenADialog(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	d := world.console(t, nil)
	d.press("create.task")
	d.typeText("12 High St, London, 99999")
	d.press("form.preview", "preview.send")
	require.Nil(t, d.m.topDialog(), "%s", d.screen())
	d.showsWrapped("Created ", "3 warnings (g m)")
	job := d.m.jobs.list[0]
	require.NotEmpty(t, job.report)
	d.press("look.messages")
	d.showsWrapped("Created "+string(job.progress.Results[0].Change.Tasks[0].ShortID), "approximate, within", "most populous")
	d.press("back")
}

// Long messages can be read in full, and the text about an outage starts with the important part.
func TestMessagesInFull(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	network := &outage{}
	d := world.consoleThrough(t, network, nil)
	d.resize(80, 24)
	d.m.warn("The first of many words, " + strings.Repeat("and more of them, ", 8) + "and the last.")
	d.showsNot("and the last.")
	d.showsWrapped("g m show all")
	d.press("look.messages")
	d.showsWrapped("and the last.")
	d.press("back")

	network.down.Store(true)
	world.Clock.Advance(time.Minute)
	d.send(tickMsg(world.Clock.Now()))
	require.True(t, d.m.feed.Status().Offline)
	banner, _ := d.m.banner()
	require.Contains(t, banner[:40], "Offline for")
	d.showsWrapped("data is old", "Retrying in")
}

// The detail of a task links to its destination, recipient and driver, and back.
func TestDetailLinks(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("route.assign")
	d.fill("who", "Ada Okafor")
	d.press("form.preview", "preview.send", "look.detail")
	d.showsWrapped("Task " + string(task.ShortID))
	down := func(lines int) {
		d.screen() // what is not drawn yet has no lines to go to
		for range lines {
			d.press("move.down")
		}
	}
	down(1)
	d.showsWrapped("enter open")
	d.press("look.detail")
	d.showsWrapped("─ Ada Okafor ─")
	d.press("back")
	down(2)
	d.press("look.detail")
	d.showsWrapped("─ Destination ─", "37.78")
	d.press("back")
	down(3)
	d.press("look.detail")
	d.showsWrapped("─ Recipient Recipient 1 ─")
	d.press("back")
	down(2)
	d.press("task.delete")
	d.showsWrapped("Delete task " + string(task.ShortID))
}
