package ui

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/board"
	"waybill/internal/sampleday"
	"waybill/keymaps"
	"waybill/model"
	"waybill/settings"
	"waybill/views"
)

// Keys never ask the service for anything while they are handled: whatever they need is a command.
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

// Whatever is pressed, however the window changes and whatever the service does, the console draws whole frames.
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

// Texts from outside reach the screen as text and as nothing else.
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

// A row that is still shown after a poll still has the cursor, without anyone putting it back.
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

func TestFilterAndBack(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(200), nil)
		all := d.m.panes.Panes[board.PaneTasks].Len()
		d.press("pane.tasks", "find.filter")
		d.typeText("unassigned")
		d.press("type.accept")
		d.shows("/unassigned")
		some := d.m.focusedPane().Len()
		require.Less(t, some, all)
		d.press("find.filter")
		d.typeText("zzzz")
		d.shows("No row matches")
		d.press("back")
		require.Equal(t, some, d.m.focusedPane().Len(), "esc goes back to what was there")
		d.press("back")
		require.Equal(t, all, d.m.focusedPane().Len())
	})
}

// What a saved view brought goes with it; an order that was chosen by hand stays.
func TestClearingViewClearsItsSort(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(200), nil)
		d.press("view.9")
		require.Equal(t, "seen", d.m.focusedPane().State().Sort.Column)
		d.press("back")
		require.Equal(t, board.Sort{}, d.m.focusedPane().State().Sort)
		d.press("view.9", "find.sort-flip", "find.clear")
		require.Equal(t, board.Sort{Column: "seen", Desc: true}, d.m.focusedPane().State().Sort)
		d.press("find.filter")
		d.typeText("busy")
		d.press("type.accept", "view.save")
		d.shows("Save workers /busy, by -seen")
	})
}

// A filter never shows more than no filter without saying what came in.
func TestFilterCountsFinishedTasks(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(200), nil)
		tasks := d.m.panes.Panes[board.PaneTasks]
		open, finished := tasks.Len(), d.m.panes.Snapshot().Counters
		require.Positive(t, finished.Done+finished.Failed)
		d.press("pane.tasks", "find.filter")
		d.typeText("!assigned")
		require.Equal(t, open-finished.Assigned, tasks.Len(), "terms narrow open work")
		d.press("back", "find.filter")
		d.typeText(`"San Francisco"`)
		require.Equal(t, finished.Done+finished.Failed, tasks.State().Closed)
		d.shows(fmt.Sprintf("Tasks %d + %d finished", open, finished.Done+finished.Failed))
		d.press("back", "find.filter")
		d.typeText("ri")
		d.shows(fmt.Sprintf("%d match", tasks.Len()), "tab risk")
		d.typeText("sk")
		require.Equal(t, finished.AtRisk, tasks.Len())
	})
}

func TestHelpExplainsSignsAndFilterTerms(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(20), nil)
		d.press("find.help")
		d.typeText("on duty without")
		d.shows("signs", "◇", "idle")
		d.press("back", "console.ascii", "find.help")
		d.typeText("on duty without")
		d.shows("signs", "i  ", "idle")
		d.press("back", "pane.tasks", "find.help")
		d.typeText("window ends sooner")
		d.shows("filter terms", "due<30m")
	})
}

func TestEscLeavesEverything(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			d := newTestConsole(t, worldOf(100), nil)
			d.resize(size[0], size[1])
			home := d.screen()
			d.press("mark.toggle", "mark.range", "look.detail", "look.raw", "find.palette")
			for range 9 {
				d.press("back")
			}
			d.press("move.top")
			d.m.message = message{}
			require.Equal(t, home, d.screen())
		}
	})
}

func TestEveryHandlerHasAnAction(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(50), nil)
		for id := range d.m.actions {
			_, ok := d.m.keys.Get(id)
			require.True(t, ok, "%s is handled and in no table", id)
		}
	})
}

func TestExport(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		dir := t.TempDir()
		d := newTestConsole(t, worldOf(60), func(o *Options) { o.WorkDir = dir })
		d.press("pane.tasks")
		d.do(d.m.export("csv out.csv"))
		d.shows("Wrote")
		text, err := os.ReadFile(filepath.Join(dir, "out.csv"))
		require.NoError(t, err)
		require.Equal(t, d.m.focusedPane().Len()+1, strings.Count(string(text), "\n"))
		info, err := os.Stat(filepath.Join(dir, "out.csv"))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		d.do(d.m.export("csv out.csv"))
		d.shows("Exporting")
	})
}

func TestCopyAndLink(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(60), nil)
		d.press("pane.tasks", "find.filter")
		d.typeText("worker:none")
		d.press("type.accept", "take.link")
		d.shows("waybill --profile bay --pane tasks --filter worker:none")
		require.Contains(t, fmt.Sprintf("%T", d.seen[len(d.seen)-1]), "Clipboard")
		d.press("take.copy", "menu.choose")
		require.Equal(t, string(d.m.focusedPane().CursorID()), reflect.ValueOf(d.seen[len(d.seen)-1]).String())
	})
}

func TestDeepLinks(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(100)
		short := anyShortID(t, world)
		d := newTestConsole(t, world, func(o *Options) { o.Start = Start{Filter: "active", Task: string(short)} })
		d.shows("Task "+string(short), "timeline")
		d = newTestConsole(t, world, func(o *Options) { o.Start = Start{View: "idle"} })
		require.Equal(t, board.PaneWorkers, d.m.focus)
		d.shows("/idle")
	})
}

func TestNewlyLateTaskRings(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(200), func(o *Options) { o.Settings.Notifications = settings.NotifyBell })
		d.seen = nil
		d.pass(30 * time.Minute)
		rings := 0
		for _, msg := range d.seen {
			if raw, ok := msg.(tea.RawMsg); ok && raw.Msg == "\a" {
				rings++
			}
		}
		require.Positive(t, rings)
		require.Less(t, rings, 180)
	})
}

func TestKeysCanBeRebound(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		table, err := keymaps.Default().Rebind(map[string][]string{"pane.zoom": {"Z"}})
		require.NoError(t, err)
		d := newTestConsole(t, worldOf(30), func(o *Options) { o.Keys = table })
		d.send(keyOf("z"))
		require.False(t, d.m.zoom)
		d.send(keyOf("Z"))
		require.True(t, d.m.zoom)
	})
}

func TestPauseSendsNoRequests(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(60)
		d := newTestConsole(t, world, nil)
		d.press("data.pause")
		before := world.Total()
		d.pass(2 * time.Minute)
		require.Equal(t, before, world.Total())
		d.shows("paused")
		d.press("data.refresh")
		d.pass(10 * time.Second)
		once := world.Total()
		require.Greater(t, once, before, "it is asked once")
		d.pass(2 * time.Minute)
		require.Equal(t, once, world.Total())
		d.press("data.pause")
		require.Greater(t, world.Total(), before)
	})
}

// On a screen that shows nothing no key does anything, but the way out is open.
func TestTooSmallScreenTakesNoKeys(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(60), nil)
		d.press("pane.tasks")
		d.resize(50, 12)
		for _, key := range []string{"space", "j", "w", "n", "q"} {
			d.send(keyOf(key))
		}
		require.Zero(t, d.m.focusedPane().State().Marks)
		require.Nil(t, d.m.topDialog())
		require.Empty(t, d.seen)
		d.send(keyOf("ctrl+c"))
		require.NotEmpty(t, d.seen)
	})
}

// Who types what a view is called sees it, and nothing is changed from a pane that does not show it.
func TestPaletteOpensViewsAndDisablesActions(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(60), nil)
		d.press("find.palette")
		d.typeText("late")
		d.send(keyOf("enter"))
		require.Equal(t, board.PaneTasks, d.m.focus)
		require.Equal(t, "late", d.m.focusedPane().State().Filter)
		d.do(d.m.setFilter("assigned"))
		d.press("find.palette")
		d.typeText("stop down")
		d.shows("This works only in: driver detail")
		d.send(keyOf("enter"))
		require.Nil(t, d.m.topDialog())
		d.shows("This works only in: driver detail")
	})
}

func TestChooseColumns(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		d := newTestConsole(t, worldOf(60), nil)
		d.press("pane.tasks", "pane.zoom")
		d.shows("driver", "address", "recipient")
		own := d.screen()
		d.press("find.columns")
		d.shows("Columns of tasks", "always shown")
		titles := func() (titles []string) {
			for _, c := range d.m.focusedPane().ColumnChoices() {
				titles = append(titles, c.Title)
			}
			return titles
		}
		at := slices.Index(titles(), "address")
		for range at {
			d.press("menu.down")
		}
		d.press("menu.choose")
		require.Equal(t, "address", titles()[len(titles())-1], "hidden columns are listed last")
		d.press("back")
		d.showsNot("address")
		d.press("find.columns")
		for range len(titles()) - 1 {
			d.press("menu.down")
		}
		d.press("menu.choose", "back") // shown again, it comes last
		d.shows("address")
		d.press("find.columns")
		for range len(titles()) {
			d.press("menu.down")
		}
		d.press("menu.choose", "back")
		require.Equal(t, own, d.screen(), "the pane's own choice is back")
		d.do(d.m.chooseColumns([]string{"nonsense"}))
		d.shows("Unknown column")
	})
}
