package ui

import (
	"net/http"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/ui/dialog"
)

// begin presses an action without letting its command run yet.
func (d *testConsole) begin(id string) tea.Cmd {
	a, ok := d.m.keys.Get(id)
	require.True(d.t, ok)
	return d.m.runAction(a, "")
}

// Keys typed while a form is loading go into the form and not to the board.
func TestTypingAhead(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	cmd := d.begin("create.task")
	d.typeText("4 x") // on the board: the orders, and a mark
	require.Equal(t, board.PaneTasks, d.m.focus)
	d.send(tea.PasteMsg{Content: " Howard St"})
	d.do(cmd)
	form, ok := d.m.topDialog().(*dialog.Form)
	require.True(t, ok, d.screen())
	require.Equal(t, "4 x Howard St", form.Values()["address"])
	require.Zero(t, d.m.panes.Panes[board.PaneTasks].State().Marks)
}

// Keys typed while a form is loading never confirm a preview.
func TestTypingAheadSendsNothing(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	transport := &counting{}
	d := world.consoleThrough(t, transport, nil)
	d.find(task.ID)
	cmd := d.begin("task.clone")
	for _, key := range []tea.KeyPressMsg{{Code: 's', Mod: tea.ModCtrl}, {Code: tea.KeyF2}, {Code: 'y', Text: "y"}, {Code: 'y', Text: "y"}} {
		d.send(key)
	}
	d.do(cmd)
	require.Empty(t, transport.sent())
}

// A cancelled wait opens no form.
func TestCancelWait(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	d := world.console(t, nil)
	d.find(task.ID)
	cmd := d.begin("task.notes")
	world.Clock.Advance(time.Second)
	d.shows("reading…", "esc cancel")
	d.send(tea.KeyPressMsg{Code: tea.KeyEscape})
	require.Nil(t, d.m.topDialog())
	d.do(cmd)
	require.Nil(t, d.m.topDialog())
	d.press("task.notes")
	require.IsType(t, &dialog.Form{}, d.m.topDialog())
}

// A form that opens again after an error of the service takes no key for half a second, because the user may be typing
// something else.
func TestReopenedFormHasGracePeriod(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	refused := refusal(http.StatusBadRequest, `{"code":"InvalidContent","message":{"error":1000,"message":"No.","request":"r-1"}}`) //nolint:bodyclose // the client closes it
	transport := &faulty{once: map[string]func(*http.Request) (*http.Response, error){string(task.ID): refused}}
	d := world.consoleThrough(t, transport, nil)
	d.find(task.ID)
	d.press("task.notes")
	d.fill("notes", "Ring twice")
	d.press("form.preview", "preview.send")
	form, ok := d.m.topDialog().(*dialog.Form)
	require.True(t, ok, d.screen())
	d.send(tea.KeyPressMsg{Code: tea.KeyEscape})
	d.send(tea.PasteMsg{Content: "x"})
	d.typeText("x")
	require.Equal(t, dialog.Dialog(form), d.m.topDialog())
	require.Equal(t, "Ring twice", form.Values()["notes"])
	world.Clock.Advance(time.Second)
	d.typeText("!")
	require.Equal(t, "Ring twice!", form.Values()["notes"])
}
