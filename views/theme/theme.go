// Package theme decides how the console looks.
//
// A [Token] says what a text means, a palette gives it a colour, and together
// they make one Lip Gloss style per token and row state. Dialogs, forms and
// pages draw with these styles. Tables append bytes instead: the escape
// sequences they need are read off the styles once, when a [Theme] is built,
// because rendering every cell of a 200x60 screen through Lip Gloss takes
// 10.7 ms per frame and appending sequences takes 0.13 ms.
//
// A Theme is a value that is passed around. There is no current theme: two
// consoles in one process may look different.
package theme

import (
	"fmt"
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"waybill/board"
)

// Name is the name of a theme in a flag or in the settings.
type Name string

// The themes. Auto follows the background.
const (
	Auto         Name = "auto"
	Dark         Name = "dark"
	Light        Name = "light"
	HighContrast Name = "high-contrast"
	Mono         Name = "mono"
)

// Names lists the themes in the order a menu shows them.
func Names() []Name { return []Name{Auto, Dark, Light, HighContrast, Mono} }

// Background is the brightness of the terminal's background. Some terminals
// never report it, so unknown may last for the whole session.
type Background uint8

// The backgrounds.
const (
	BackgroundUnknown Background = iota
	BackgroundDark
	BackgroundLight
)

// BackgroundOf returns the background that a terminal reported.
func BackgroundOf(isDark bool) Background {
	if isDark {
		return BackgroundDark
	}
	return BackgroundLight
}

// Row is the state of a table row. It changes the style of all its cells.
type Row uint8

// The states of a row.
const (
	RowPlain  Row = iota
	RowCursor     // the cursor is here, in the focused pane
	RowStale      // the data is old: dimmed, still readable
	rowStates
)

// Reset ends whatever style is on.
const Reset = "\x1b[m"

// Options are what a theme is built from.
type Options struct {
	Name       Name
	Background Background
	Depth      Depth
	ASCII      bool   // draw ASCII glyphs only
	AccentHue  string // one of [AccentNames]; empty for the default
	Measure    Method // how the terminal counts cells
}

// Theme holds the glyphs, styles and text measure of one look. Build it with
// [New].
type Theme struct {
	Glyphs  Glyphs
	Measure Measure

	ascii     bool
	depth     Depth
	palette   palette
	badges    [board.ToneCount]Badge
	emphases  [tokenCount]emphasis
	styles    [rowStates][tokenCount]lipgloss.Style
	sequences [rowStates][tokenCount]string
}

// New builds a theme. It refuses unknown names and accents and lists the known
// ones.
func New(o Options) (*Theme, error) {
	p, err := choosePalette(o.Name, o.Background)
	if err != nil {
		return nil, err
	}
	if o.Name == Mono {
		o.Depth = DepthNone
	}
	if o.Depth == DepthNone {
		p = monoPalette
	}
	t := &Theme{
		Glyphs:   unicodeGlyphs(),
		Measure:  NewMeasure(o.Measure, o.ASCII),
		ascii:    o.ASCII,
		emphases: tokenEmphases(),
		palette:  p,
		depth:    o.Depth,
	}
	// A terminal that draws ambiguous characters two cells wide would shift
	// every column; ASCII glyphs are one cell wide everywhere.
	if o.ASCII || t.Measure.Width("○") != 1 {
		t.Glyphs, t.ascii = asciiGlyphs(), true
	}
	t.badges = badgesOf(&t.Glyphs)
	accent, err := parseAccent(o.AccentHue)
	if err != nil {
		return nil, err
	}
	t.emphases[Accent].hue, t.emphases[AccentBar].hue = accent, accent
	t.buildStyles()
	return t, nil
}

// Choose builds a theme that cannot fail: an unknown name, for example from an
// old settings file, falls back to [Auto].
func Choose(name Name, bg Background) *Theme {
	t, err := New(Options{Name: name, Background: bg})
	if err != nil {
		t, _ = New(Options{Name: Auto, Background: bg})
	}
	return t
}

func choosePalette(name Name, bg Background) (palette, error) {
	// By background: unknown, dark, light. No colour contrasts well with every background.
	palettes, known := map[Name][3]palette{
		"":           {neutralPalette, darkPalette, lightPalette},
		Auto:         {neutralPalette, darkPalette, lightPalette},
		Dark:         {darkPalette, darkPalette, darkPalette},
		Light:        {lightPalette, lightPalette, lightPalette},
		HighContrast: {monoPalette, highContrastDark, highContrastLight},
		Mono:         {monoPalette, monoPalette, monoPalette},
	}[name]
	if !known {
		var names []string
		for _, n := range Names() {
			names = append(names, string(n))
		}
		return 0, fmt.Errorf("unknown theme %q; use %s", name, strings.Join(names, ", "))
	}
	return palettes[bg], nil
}

// ASCII reports whether the theme draws ASCII glyphs only.
func (t *Theme) ASCII() bool { return t.ascii }

// Style returns the Lip Gloss style of a token.
func (t *Theme) Style(token Token) lipgloss.Style { return t.styles[RowPlain][token] }

// On returns the escape sequence that starts a token in a row. It replaces
// the style before it, so moving from cell to cell takes one sequence; [Reset]
// ends a line.
func (t *Theme) On(token Token, row Row) string { return t.sequences[row][token] }

// Append appends text in a token's style to dst.
func (t *Theme) Append(dst []byte, token Token, text string) []byte {
	dst = append(dst, t.On(token, RowPlain)...)
	dst = append(dst, text...)
	return append(dst, Reset...)
}

// Render returns text in a token's style, in one line and safe to print as in
// [Measure.AppendFit].
func (t *Theme) Render(token Token, text string) string {
	return t.styles[RowPlain][token].Inline(true).Render(clean(text))
}

// Border returns the border of dialogs.
func (t *Theme) Border() lipgloss.Border {
	if t.ascii {
		return lipgloss.ASCIIBorder()
	}
	return lipgloss.NormalBorder()
}

// buildStyles builds the styles of all tokens and their sequences.
func (t *Theme) buildStyles() {
	cursor, hues := t.colorOf(t.palette.cursorColour()), hueColours()
	for token, e := range t.emphases {
		plain := lipgloss.NewStyle().Bold(e.bold).Faint(e.faint).Underline(e.underline).Reverse(e.reverse)
		if fg := t.colorOf(hues[e.hue][t.palette]); fg != nil {
			plain = plain.Foreground(fg)
		}
		t.styles[RowPlain][token] = plain
		t.styles[RowStale][token] = plain.Bold(false).Faint(true)
		if cursor != nil {
			t.styles[RowCursor][token] = plain.Faint(false).Background(cursor)
		} else {
			// Reversed colours would fill the row with patches, so they are dropped.
			t.styles[RowCursor][token] = lipgloss.NewStyle().Bold(e.bold).Underline(e.underline).Reverse(true)
		}
		for row := range rowStates {
			t.sequences[row][token] = sequenceOf(t.styles[row][token])
		}
	}
}

// colorOf returns the colour at the theme's depth; nil is the terminal's own.
func (t *Theme) colorOf(c colour) color.Color {
	index := int16(-1)
	switch t.depth {
	case Depth256:
		index = c.c256
	case Depth16:
		index = c.c16
	case DepthNone:
	}
	switch {
	case index < 0:
		return nil
	case index < 16:
		return ansi.BasicColor(index)
	}
	return lipgloss.ANSIColor(index)
}

// sequenceOf returns the escape sequence that sets exactly this style,
// whatever was set before.
func sequenceOf(s lipgloss.Style) string {
	start, _, _ := strings.Cut(s.Render("x"), "x")
	if start == "" {
		return Reset
	}
	return "\x1b[;" + strings.TrimPrefix(start, "\x1b[")
}
