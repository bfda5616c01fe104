package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/ui/dialog"
	"waybill/views"
)

// A preview that is longer than its box shows how many lines follow, and scrolls to its end.
func TestPreviewScrolls(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	for i := range 5 {
		world.task(t, i+1, time.Hour)
	}
	d := world.console(t, nil)
	d.resize(80, 24)
	d.press("pane.tasks", "mark.all", "route.assign")
	d.fill("who", "Ada Okafor")
	d.press("form.preview")
	d.showsWrapped("more lines")
	end := func() string {
		return d.m.topDialog().(*dialog.Preview).Lines[len(d.m.topDialog().(*dialog.Preview).Lines)-1].Text
	}
	d.send(tea.KeyPressMsg{Code: 'G', Text: "G"})
	d.showsWrapped(strings.TrimSpace(end()))
	d.showsNot("more line")
	d.send(tea.KeyPressMsg{Code: tea.KeyHome})
	d.showsWrapped("more lines")
}

// The route of a driver shows the arrival at each stop, and a hint appears once.
func TestDetailShowsArrivals(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Minute)
	world.Do("PUT", "/containers/workers/"+string(world.workers[0].ID), `{"tasks":["`+string(task.ID)+`"]}`).OK(nil)
	d := world.console(t, nil)
	world.Clock.Advance(10 * time.Minute)
	d.press("data.refresh")
	d.send(tickMsg(world.Clock.Now()))
	d.find(task.ID)
	d.press("look.detail")
	d.showsWrapped("y copy the driver's phone")
	require.LessOrEqual(t, strings.Count(d.screen(), " y copy"), 1)
	d.press("look.route")
	d.showsWrapped("route, arrivals in")
	if row := d.m.panes.Snapshot().Tasks.Get(task.ID); row.Arrival != 0 {
		d.showsWrapped(row.Arrival.Time().In(d.m.zone()).Format("15:04"))
	}
}

// The copy menu shows the number of lines of a long text instead of the text.
func TestCopyMenuCountsLines(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("look.detail", "take.copy")
	d.showsWrapped("JSON", " lines")
	d.showsNot("{")
}

// A request in full shows its bodies indented and leaves out missing ones.
func TestRequestInFull(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	d := world.console(t, nil)
	d.press("look.requests")
	d.screen()
	d.press("look.detail")
	d.showsWrapped("1 try", "answer")
	d.showsNot("1 tries")
	lines := d.m.requestLines(&views.Request{Method: "GET", Path: "/teams", Status: 200, Answer: `{"id":"abc","name":"North"}`})
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.Text)
	}
	require.NotContains(t, texts, "sent")
	require.Contains(t, texts, `  "name": "North"`)
}

// The activity has room for the names of objects; the request id comes last.
func TestActivityShowsWholeResult(t *testing.T) {
	world := newTestService(t, "Bartholomew Featherstonehaugh")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("route.assign")
	d.fill("who", "Bartholomew Featherstonehaugh")
	d.press("form.preview", "preview.send", "look.activity")
	d.showsWrapped("assign " + string(task.ShortID) + " to Bartholomew")
}

// Hints of the map list its own keys first, then the actions on the selected object.
func TestMapHints(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("look.map")
	d.showsWrapped("+ zoom in - zoom out 0 fit f follow a assign")
}

// A window that is too small says so at any size.
func TestTooSmall(t *testing.T) {
	world := newTestService(t)
	d := world.console(t, nil)
	for _, size := range [][2]int{{20, 5}, {12, 3}, {39, 9}} {
		d.resize(size[0], size[1])
		d.showsWrapped("too small")
		d.showsNot("…")
	}
}

// The sort menu uses the titles of the columns.
func TestSortMenuNamesColumns(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	d := world.console(t, nil)
	d.press("pane.workers", "find.sort")
	d.showsWrapped("late")
	d.showsNot("delay")
	d.press("back")
	d.do(d.m.actions["find.sort"](d.m, "-late"))
	require.Equal(t, board.Sort{Column: "delay", Desc: true}, d.m.focusedPane().State().Sort)
	d.press("pane.zoom")
	d.showsWrapped("by -late")
}

// A prompt for a key has no completion.
func TestPromptsHaveNoCompletion(t *testing.T) {
	world := newTestService(t)
	d := world.console(t, nil)
	d.m.askKey(JoinRequest{}, nil)
	d.showsWrapped("accept")
	d.showsNot("complete")
}
