package ui

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/board"
	"waybill/internal/sampleday"
	"waybill/model"
	"waybill/views"
)

// Handling a key sends no request; requests are sent by commands.
func TestKeysMakeNoRequests(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(300)
		d := newTestConsole(t, world, nil)
		before := world.Total()
		random := rand.New(rand.NewPCG(1, 1))
		for range 1000 {
			d.m.Update(randomKey(d.m, random)) // the command is not carried out
			_ = d.m.View()
		}
		require.Equal(t, before, world.Total())
	})
}

// randomKey is a key that means something somewhere, or text.
func randomKey(m *Model, random *rand.Rand) tea.KeyPressMsg {
	actions := m.keys.Actions()
	a := actions[random.IntN(len(actions))]
	if len(a.Keys) == 0 || random.IntN(5) == 0 {
		r := rune("abcdefghijklmnor0123456789:/>< !#"[random.IntN(33)])
		return keyOf(string(r))
	}
	sequence := strings.Split(a.Keys[random.IntN(len(a.Keys))], " ")
	return keyOf(sequence[random.IntN(len(sequence))])
}

func keyOf(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"f1": tea.KeyF1, "f2": tea.KeyF2, "f4": tea.KeyF4, "f8": tea.KeyF8, "backspace": tea.KeyBackspace,
	}
	msg := tea.KeyPressMsg{}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		msg.Mod, name = tea.ModCtrl, rest
	} else if rest, ok := strings.CutPrefix(name, "shift+"); ok {
		msg.Mod, name = tea.ModShift, rest
	}
	if code, ok := special[name]; ok {
		msg.Code = code
		if name == "space" {
			msg.Text = " "
		}
		return msg
	}
	msg.Code = []rune(name)[0]
	if msg.Mod == 0 {
		msg.Text = name
	}
	return msg
}

// With random keys, window sizes and faults of the service the console always draws complete frames.
func TestRandomKeysSizesAndFaults(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			withFakeClock(t, func(t *testing.T) {
				world, random := worldOf(120), rand.New(rand.NewPCG(seed, 2))
				faults := rand.New(rand.NewPCG(seed, 3))
				d := newTestConsole(t, world, func(o *Options) { o.WorkDir = t.TempDir() })
				world.SetFault(func(string, string) *sampleday.Fault {
					switch faults.IntN(12) {
					case 0:
						return &sampleday.Fault{Status: http.StatusInternalServerError}
					case 1:
						return &sampleday.Fault{Status: http.StatusTooManyRequests}
					case 2:
						return &sampleday.Fault{Drop: true}
					case 3:
						return &sampleday.Fault{Status: http.StatusNotFound}
					}
					return nil
				})
				for range 400 {
					switch random.IntN(12) {
					case 0:
						d.resize(20+random.IntN(220), 5+random.IntN(70))
					case 1:
						world.Advance(5*time.Second, 3)
						d.pass(time.Second)
					default:
						d.send(randomKey(d.m, random))
					}
					require.Len(t, strings.Split(d.m.View().Content, "\n"), d.m.height)
				}
				world.SetFault(nil)
				d.pass(2 * time.Minute)
				require.Zero(t, d.m.Busy(), "every command has been answered")
			})
		})
	}
}

// Control sequences in texts of the service never reach the terminal.
func TestHostileTexts(t *testing.T) {
	ours := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	for _, hostile := range []string{
		"\x1b[2J\x1b[31mred", "\x1b]52;c;aGk=\x07", "\x1b]0;title\x1b\\x", "\r\n\n\t", "\u202eevil\u2066", "\x00\x07\x08", "\u0085\u009b31m",
		"\ufeff\u200b\u200d", "\x1bP0;1|17/ab\x1b\\", strings.Repeat("é", 400), "\xff\xfe", "🏳️‍🌈👩‍👩‍👧‍👦", "=cmd()", "%s%n",
	} {
		t.Run(fmt.Sprintf("%q", hostile[:min(len(hostile), 12)]), func(t *testing.T) {
			withFakeClock(t, func(t *testing.T) {
				world := worldOf(60)
				world.Rewrite(func(s string) string { return hostile + s + hostile })
				d := newTestConsole(t, world, nil)
				for _, place := range [][]string{
					nil,
					{"look.detail"},
					{"look.raw"},
					{"pane.workers", "look.detail"},
					{"pane.orders", "look.detail"},
					{"look.map"},
					{"look.requests", "look.detail"},
					{"take.copy"},
					{"console.profile"},
				} {
					d.press(place...)
					view := d.m.View()
					for _, r := range ours.ReplaceAllString(view.Content, "") {
						require.False(t, r != '\n' && (unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069),
							"%U reached the screen at %v", r, place)
					}
					require.False(t, strings.ContainsFunc(view.WindowTitle, unicode.IsControl))
					d.press("back", "back", "back", "back")
				}
			})
		})
	}
}

func TestCursorStaysOnItsRow(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(200)
		d := newTestConsole(t, world, nil)
		for _, pane := range []string{"pane.tasks", "pane.workers", "pane.delays", "pane.orders"} {
			d.press(pane, "move.down", "move.down", "mark.toggle", "move.down")
		}
		ids, marks := [4]model.ID{}, [4]int{}
		for i, p := range d.m.panes.Panes {
			ids[i], marks[i] = p.CursorID(), p.State().Marks
		}
		kept := 0
		for range 6 {
			world.Advance(20*time.Second, 4)
			d.pass(20 * time.Second)
			for i, p := range d.m.panes.Panes {
				if holds(t, p, ids[i]) {
					require.Equal(t, ids[i], p.CursorID(), "%s", p.Kind())
					kept++
				} else {
					ids[i] = p.CursorID()
				}
				require.Equal(t, marks[i], p.State().Marks)
			}
		}
		require.Greater(t, kept, 12, "most rows stay, or nothing was tested")
	})
}

// holds reports that a pane has a row, on the screen or not.
func holds(t *testing.T, p views.Pane, id model.ID) bool {
	t.Helper()
	var rows bytes.Buffer
	require.NoError(t, p.Export(board.ExportJSON, 0, time.UTC)(&rows))
	return strings.Contains(rows.String(), string(id))
}

// The cursor stays on its row when a refresh changes other rows.
func TestRefreshKeepsCursor(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(200)
		d := newTestConsole(t, world, nil)
		d.press("pane.tasks", "move.bottom", "move.half-up", "move.half-up")
		id := d.m.focusedPane().CursorID()
		for range 5 {
			world.Advance(20*time.Second, 3)
			d.pass(20 * time.Second)
			row := d.m.panes.Snapshot().Tasks.Get(id)
			require.NotNil(t, row)
			if row.Status.Closed() {
				return
			}
			require.Equal(t, id, d.m.focusedPane().CursorID())
		}
	})
}

func TestOutage(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(100)
		d := newTestConsole(t, world, nil)
		shown := d.m.panes.Panes[board.PaneTasks].Len()
		world.SetFault(func(string, string) *sampleday.Fault { return &sampleday.Fault{Drop: true} })
		before := world.Total()
		d.pass(5 * time.Minute)
		d.shows("Retrying in", "offline")
		require.Equal(t, shown, d.m.panes.Panes[board.PaneTasks].Len(), "nothing is lost")
		require.Less(t, world.Total()-before, 150, "and nobody is hammered")
		world.SetFault(nil)
		d.pass(2 * time.Minute)
		d.showsNot("Retrying in")
		d.showsNot("offline")
	})
}

func TestRateLimit(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(100)
		d := newTestConsole(t, world, nil)
		world.SetFault(func(string, string) *sampleday.Fault { return &sampleday.Fault{Status: http.StatusTooManyRequests} })
		d.pass(time.Minute)
		d.shows("slower")
		world.SetFault(nil)
		d.pass(10 * time.Minute)
		d.showsNot("slower")
	})
}

func TestServiceWithoutLists(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(100)
		world.SetFault(func(_, path string) *sampleday.Fault {
			if path == "/tasks/all" {
				return &sampleday.Fault{Status: http.StatusMethodNotAllowed}
			}
			return nil
		})
		d := newTestConsole(t, world, nil)
		d.shows("no task lists")
		d.pass(10 * time.Second)
		d.showsNot("This service has no list of tasks. Add")
		d.press("find.watch")
		d.typeText(string(anyShortID(t, world)))
		d.press("type.accept")
		require.Equal(t, 1, d.m.panes.Snapshot().Tasks.Len())
		before := world.Requests()["GET /tasks/{id}"]
		d.pass(time.Minute)
		require.Greater(t, world.Requests()["GET /tasks/{id}"], before, "it is asked for again")
	})
}

func anyShortID(t *testing.T, world *sampleday.World) model.ShortID {
	t.Helper()
	client := newClient(t, world)
	workers, err := client.Workers(context.Background(), apiclient.WorkersQuery{})
	require.NoError(t, err)
	for _, w := range workers {
		if id := w.ActiveTask.Value(); id != "" {
			task, err := client.Task(context.Background(), id)
			require.NoError(t, err)
			return task.ShortID
		}
	}
	t.Fatal("nobody works")
	return ""
}
