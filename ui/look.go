package ui

import (
	"image/color"
	"slices"

	tea "charm.land/bubbletea/v2"

	"waybill/ui/screen"
	"waybill/views/theme"
)

// look is how the console is drawn. It is chosen once and then follows what the terminal tells of itself.
type look struct {
	options theme.Options
	theme   *theme.Theme
	mouse   bool
}

func newLook(o *Options) look {
	l := look{mouse: o.Mouse, options: theme.Options{Name: o.Theme, Depth: o.Depth, ASCII: o.ASCII}}
	if l.options.Name == "" {
		l.options.Name = theme.Auto
	}
	l.build()
	return l
}

// build makes the theme anew. A name or accent that this version does not know falls back: a look is no reason not to
// start.
func (l *look) build() {
	if !slices.Contains(theme.AccentNames(), l.options.AccentHue) {
		l.options.AccentHue = ""
	}
	made, err := theme.New(l.options)
	if err != nil {
		l.options.Name = theme.Auto
		made = theme.Choose(theme.Auto, l.options.Background)
	}
	l.theme = made
}

// terminal takes what the terminal says of itself, and reports whether it was such a message.
func (m *Model) terminal(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.arrange()
	case tea.BackgroundColorMsg:
		m.setBackground(msg.Color)
	case tea.ModeReportMsg:
		// The screen counts grapheme clusters from here on; so must we, or lines drift.
		if screen.CountsClusters(msg) {
			m.look.options.Measure = theme.ByGrapheme
			m.look.build()
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

func (m *Model) setBackground(c color.Color) {
	if c == nil {
		return
	}
	m.look.options.Background = theme.BackgroundOf(tea.BackgroundColorMsg{Color: c}.IsDark())
	m.look.build()
}
