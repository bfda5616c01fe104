package ui

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/keymaps"
	"waybill/operations"
	"waybill/ui/dialog"
	"waybill/ui/session"
	"waybill/views/layout"
)

// counting lets every request through and remembers those that could change something.
type counting struct {
	mu     sync.Mutex
	writes []string
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		c.mu.Lock()
		c.writes = append(c.writes, r.Method+" "+r.URL.Path)
		c.mu.Unlock()
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (c *counting) sent() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.writes...)
}

// places are where an action could be pressed.
func places(d *testConsole) map[string]func() {
	return map[string]func(){
		"delays":   func() { d.press("pane.delays") },
		"workers":  func() { d.press("pane.workers") },
		"tasks":    func() { d.press("pane.tasks") },
		"orders":   func() { d.press("pane.orders") },
		"detail":   func() { d.press("pane.tasks", "look.detail") },
		"map":      func() { d.press("pane.tasks", "look.map") },
		"webhooks": func() { d.press("look.webhooks") },
		"jobs":     func() { d.press("look.jobs") },
	}
}

// In read-only mode no action sends a change, in any place and with any further keys.
func TestReadOnlyWritesNothing(t *testing.T) {
	world := newTestService(t, "Ada Okafor", "Ben Castillo")
	for i := range 3 {
		world.task(t, i+1, 10*time.Minute)
	}
	transport := &counting{}
	d := world.consoleThrough(t, transport, func(o *Options) { o.ReadOnly = true })
	onward := []string{"form.preview", "preview.send", "confirm.yes", "menu.choose", "type.accept", "preview.send"}
	for place, goThere := range places(d) {
		for _, a := range d.m.keys.Actions() {
			if !a.Writes && !a.Dangerous {
				continue
			}
			goThere()
			d.press(a.ID)
			d.press(onward...)
			for range 4 {
				d.press("back")
			}
			d.m.screen = layout.Board
			require.Empty(t, transport.sent(), "%s at the %s wrote in read-only mode", a.ID, place)
		}
	}
	require.Empty(t, d.m.jobs.list)
}

// The client refuses changes in read-only mode even if an action is not checked.
func TestClientRefusesWritesWhenReadOnly(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	task := world.task(t, 1, time.Hour)
	transport := &counting{}
	d := world.consoleThrough(t, transport, nil)
	d.find(task.ID)
	d.press("task.delete")
	top, ok := d.m.topDialog().(*dialog.Preview)
	require.True(t, ok)
	d.press("back")
	d.m.readOnly.Store(true)
	d.do(d.m.sendProposal(&operationSession{Session: session.Retry(top.Operation, operations.Input{}, top.Proposal)}))
	require.Empty(t, transport.sent())
	d.showsWrapped("read-only mode is on")
}

// Every action of the key table has a handler.
func TestEveryActionHasAHandler(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(20), nil)
		for _, a := range d.m.keys.Actions() {
			if dialog.IsAction(a.ID) {
				continue
			}
			_, ok := d.m.actions[a.ID]
			require.True(t, ok, "%s has no handler", a.ID)
		}
	})
}

// No dangerous action has the key that confirms.
func TestConfirmKeyIsNeverTheOpeningKey(t *testing.T) {
	table := keymaps.Default()
	send, _ := table.Get("preview.send")
	for _, a := range table.Actions() {
		if !a.Dangerous {
			continue
		}
		for _, key := range a.Keys {
			require.NotContains(t, send.Keys, key, a.ID)
		}
	}
}
