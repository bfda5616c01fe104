package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/stretchr/testify/require"

	"waybill/views/theme"
)

// Screens at common terminal sizes.
func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 40}, {100, 30}, {80, 24}, {60, 15}, {50, 10}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			withFakeClock(t, func(t *testing.T) {
				d := newTestConsole(t, worldOf(150), nil)
				d.resize(size[0], size[1])
				golden.RequireEqual(t, []byte(d.screen()))
			})
		})
	}
}

func TestPlaces(t *testing.T) {
	for name, go1 := range map[string]func(d *testConsole){
		"detail":       func(d *testConsole) { d.press("look.detail") },
		"detail-order": func(d *testConsole) { d.press("pane.orders", "look.detail") },
		"route":        func(d *testConsole) { d.press("pane.workers", "look.detail") },
		"raw":          func(d *testConsole) { d.press("look.raw") },
		"map":          func(d *testConsole) { d.press("look.map") },
		"palette": func(d *testConsole) {
			d.press("find.palette")
			d.typeText("refr")
		},
		"help":     func(d *testConsole) { d.press("find.help") },
		"requests": func(d *testConsole) { d.press("look.requests") },
		"sort":     func(d *testConsole) { d.press("pane.tasks", "find.sort") },
		"copy":     func(d *testConsole) { d.press("pane.tasks", "take.copy") },
		"filter": func(d *testConsole) {
			d.press("pane.tasks", "find.filter")
			d.typeText("late>5m worker:")
		},
		"views":   func(d *testConsole) { d.press("view.list") },
		"confirm": func(d *testConsole) { d.press("console.readonly", "console.readonly") },
		"ascii":   func(d *testConsole) { d.press("console.ascii", "pane.tasks", "mark.toggle", "mark.toggle") },
		"zoom":    func(d *testConsole) { d.press("pane.workers", "pane.zoom") },
	} {
		t.Run(name, func(t *testing.T) {
			withFakeClock(t, func(t *testing.T) {
				d := newTestConsole(t, worldOf(150), nil)
				d.resize(110, 32)
				go1(d)
				golden.RequireEqual(t, []byte(d.screen()))
			})
		})
	}
}

// Every line of every frame is exactly as wide as the terminal, whatever is open.
func TestLinesAreExact(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(80)
		world.Rewrite(func(s string) string { return "東京 " + s + " 🚚é" })
		d := newTestConsole(t, world, nil)
		places := [][]string{
			nil,
			{"look.detail"},
			{"look.map"},
			{"look.requests"},
			{"find.palette"},
			{"find.help"},
			{"find.filter"},
			{"pane.zoom"},
			{"take.copy"},
			{"look.raw"},
			{"find.goto"},
		}
		for _, place := range places {
			d.press(place...)
			for width := 60; width <= 220; width += 7 {
				for _, height := range []int{15, 24, 33, 60} {
					d.resize(width, height)
					for y, line := range strings.Split(d.m.View().Content, "\n") {
						require.Equal(t, width, ansi.StringWidthWc(line), "%v at %dx%d line %d: %q", place, width, height, y, line)
					}
				}
			}
			d.resize(120, 40)
			for range 3 {
				d.press("back")
			}
			d.m.screen, d.m.zoom = 0, false
		}
	})
}

// The text is the same without colours.
func TestMonochromeHasSameText(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(150)
		colour := newTestConsole(t, world, nil)
		mono := newTestConsole(t, world, func(o *Options) { o.Theme, o.Depth = theme.Mono, theme.DepthNone })
		require.Equal(t, colour.screen(), mono.screen())
		mono.shows("! ", "late", "unassigned", "silent", "idle")
	})
}
