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

// Screens as a person sees them, at the sizes they are likely to have.
func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 40}, {100, 30}, {80, 24}, {60, 15}, {50, 10}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				d := newDriver(t, worldOf(150), nil)
				d.resize(size[0], size[1])
				golden.RequireEqual(t, []byte(d.screen()))
			})
		})
	}
}

func TestPlaces(t *testing.T) {
	for name, go1 := range map[string]func(d *driver){
		"detail":       func(d *driver) { d.press("look.detail") },
		"detail-order": func(d *driver) { d.press("pane.orders", "look.detail") },
		"route":        func(d *driver) { d.press("pane.workers", "look.detail") },
		"raw":          func(d *driver) { d.press("look.raw") },
		"map":          func(d *driver) { d.press("look.map") },
		"palette": func(d *driver) {
			d.press("find.palette")
			d.typeText("refr")
		},
		"help":     func(d *driver) { d.press("find.help") },
		"requests": func(d *driver) { d.press("look.requests") },
		"sort":     func(d *driver) { d.press("pane.tasks", "find.sort") },
		"copy":     func(d *driver) { d.press("pane.tasks", "take.copy") },
		"filter": func(d *driver) {
			d.press("pane.tasks", "find.filter")
			d.typeText("late>5m worker:")
		},
		"views":   func(d *driver) { d.press("view.list") },
		"confirm": func(d *driver) { d.press("console.readonly", "console.readonly") },
		"ascii":   func(d *driver) { d.press("console.ascii", "pane.tasks", "mark.toggle", "mark.toggle") },
		"zoom":    func(d *driver) { d.press("pane.workers", "pane.zoom") },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				d := newDriver(t, worldOf(150), nil)
				d.resize(110, 32)
				go1(d)
				golden.RequireEqual(t, []byte(d.screen()))
			})
		})
	}
}

// Every line of every frame is exactly as wide as the terminal, whatever is open.
func TestLinesAreExact(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		world := worldOf(80)
		world.Rewrite(func(s string) string { return "東京 " + s + " 🚚é" })
		d := newDriver(t, world, nil)
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

// Without colour nothing is lost: signs and words say what colours do.
func TestMonoSaysTheSame(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		world := worldOf(150)
		colour := newDriver(t, world, nil)
		mono := newDriver(t, world, func(o *Options) { o.Theme, o.Depth = theme.Mono, theme.DepthNone })
		require.Equal(t, colour.screen(), mono.screen())
		mono.sees("! ", "late", "unassigned", "silent", "idle")
	})
}
