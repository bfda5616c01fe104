package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/keymaps"
	"waybill/settings"
)

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

// Clearing a saved view clears its sort too; a sort chosen by the user stays.
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

// Rows that only a filter shows, such as finished tasks, are counted separately.
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

// On a screen that is too small only the interrupt key works.
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

// The palette opens a view by its name and refuses actions that do not work in the focused pane.
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
		d.shows("Works only in driver detail")
		d.send(keyOf("enter"))
		require.Nil(t, d.m.topDialog())
		d.shows("Works only in driver detail")
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
