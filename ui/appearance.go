package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"waybill/ui/screen"
	"waybill/views/theme"
)

// appearance is how the console is drawn: theme and mouse. It follows what the terminal reports about itself.
type appearance struct {
	options theme.Options
	theme   *theme.Theme
	mouse   bool
}

func newAppearance(o *Options) appearance {
	a := appearance{mouse: o.Mouse, options: theme.Options{Name: o.Theme, Depth: o.Depth, ASCII: o.ASCII}}
	if a.options.Name == "" {
		a.options.Name = theme.Auto
	}
	a.build()
	return a
}

// build creates the theme. An unknown name or accent falls back to the default: a console with other colours is better
// than none.
func (a *appearance) build() {
	if !slices.Contains(theme.AccentNames(), a.options.AccentHue) {
		a.options.AccentHue = ""
	}
	built, err := theme.New(a.options)
	if err != nil {
		a.options.Name = theme.Auto
		built = theme.Choose(theme.Auto, a.options.Background)
	}
	a.theme = built
}

// handleTerminal handles size, colour, mode and focus reports of the terminal. It returns false for other messages.
func (m *Model) handleTerminal(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.computeLayout()
	case tea.BackgroundColorMsg:
		if msg.Color != nil { // some terminals answer without a colour
			m.appearance.options.Background = theme.BackgroundOf(msg.IsDark())
			m.appearance.build()
		}
	case tea.ModeReportMsg:
		// The screen counts grapheme clusters from here on; the layout must do the same or lines drift.
		if screen.ReportsGraphemeWidth(msg) {
			m.appearance.options.Measure = theme.ByGrapheme
			m.appearance.build()
		}
	case tea.FocusMsg:
		m.focused = true
	case tea.BlurMsg:
		m.focused = false
		m.panes.RememberDelays()
	default:
		return false
	}
	return true
}
