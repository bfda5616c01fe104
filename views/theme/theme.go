// Package theme turns what a text means into how it looks.
//
// The way is tokens → looks → palette → finished escape sequences. The last
// step is taken once, when a [Theme] is built, so that a row of a table is
// drawn by appending strings; Lip Gloss is used for boxes only, where a frame
// has few of them. A Theme is a value that is handed around. There is no
// current theme: two consoles in one process may look different.
package theme

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// Name is a theme as a person writes it in a flag or the settings.
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

// Background is what is known of the terminal's background. Terminals are
// asked, but some never answer, so unknown is a lasting state and not only the
// first moment.
type Background uint8

// What may be known of a background.
const (
	BackgroundUnknown Background = iota
	BackgroundDark
	BackgroundLight
)

// BackgroundOf is the background a terminal reported.
func BackgroundOf(isDark bool) Background {
	if isDark {
		return BackgroundDark
	}
	return BackgroundLight
}

// Row is the state of a whole row, which changes how all its cells look.
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

// Options are the choices a theme is built from.
type Options struct {
	Name       Name
	Background Background
	Depth      Depth
	ASCII      bool   // glyphs every font has
	AccentHue  string // see [AccentNames]; empty for the theme's own
	Measure    Method // how the terminal counts cells
}

// Theme is everything needed to draw in one look. Build it with [New]; the
// zero value draws nothing sensible.
type Theme struct {
	Glyphs  Glyphs
	Measure Measure

	name    Name
	ascii   bool
	looks   [tokenCount]look
	palette palette
	depth   Depth
	on      [rowStates][tokenCount]string
}

// New builds a theme. An unknown name or accent is an error that lists what
// there is.
func New(o Options) (*Theme, error) {
	p, err := choosePalette(o.Name, o.Background)
	if err != nil {
		return nil, err
	}
	if o.Name == Mono {
		o.Depth = DepthNone
	}
	if o.Depth == DepthNone {
		p = monoPalette()
	}
	t := &Theme{
		Glyphs:  unicodeGlyphs(),
		Measure: NewMeasure(o.Measure, o.ASCII),
		name:    o.Name,
		ascii:   o.ASCII,
		looks:   looks(),
		palette: p,
		depth:   o.Depth,
	}
	// A terminal told to draw ambiguous characters two cells wide would
	// shift every column; the ASCII glyphs are one cell everywhere.
	if o.ASCII || t.Measure.Width("○") != 1 {
		t.Glyphs, t.ascii = asciiGlyphs(), true
	}
	if err := t.setAccent(o.AccentHue); err != nil {
		return nil, err
	}
	t.build()
	return t, nil
}

// Choose is [New] for a theme that cannot fail: a name that is not known, from
// an old settings file say, falls back to [Auto].
func Choose(name Name, bg Background) *Theme {
	t, err := New(Options{Name: name, Background: bg})
	if err != nil {
		t, _ = New(Options{Name: Auto, Background: bg})
	}
	return t
}

func choosePalette(name Name, bg Background) (palette, error) {
	switch name {
	case Auto, "":
		switch bg {
		case BackgroundDark:
			return darkPalette(), nil
		case BackgroundLight:
			return lightPalette(), nil
		default:
			return neutralPalette(), nil
		}
	case Dark:
		return darkPalette(), nil
	case Light:
		return lightPalette(), nil
	case HighContrast:
		switch bg {
		case BackgroundDark:
			return highContrastDark(), nil
		case BackgroundLight:
			return highContrastLight(), nil
		default: // no colour is high in contrast on a background unseen
			return monoPalette(), nil
		}
	case Mono:
		return monoPalette(), nil
	}
	return palette{}, fmt.Errorf("no theme is called %q; there are %s", name, joinNames(Names()))
}

// Name is the name the theme was built from.
func (t *Theme) Name() Name { return t.name }

// ASCII reports whether only ASCII glyphs are drawn.
func (t *Theme) ASCII() bool { return t.ascii }

// On is the sequence that starts a token in a row's state. It replaces whatever
// style was on before, so that moving from cell to cell takes one sequence;
// [Reset] ends a line.
func (t *Theme) On(token Token, row Row) string { return t.on[row][token] }

// Paint is text in a token's style, for the places that draw a few words and
// not a table.
func (t *Theme) Paint(token Token, text string) string {
	return t.on[RowPlain][token] + text + Reset
}

// Append adds text in a token's style to dst.
func (t *Theme) Append(dst []byte, token Token, text string) []byte {
	dst = append(dst, t.on[RowPlain][token]...)
	dst = append(dst, text...)
	return append(dst, Reset...)
}

// build writes every sequence once.
func (t *Theme) build() {
	for token, l := range t.looks {
		fg := t.index(t.palette.hues[l.hue])
		t.on[RowPlain][token] = sgr(l, fg, -1, t.depth)
		t.on[RowStale][token] = sgr(stale(l), fg, -1, t.depth)
		t.on[RowCursor][token] = t.cursorSGR(l, fg)
	}
}

// cursorSGR fills the cursor's row. Without a background colour the row is
// reversed, and then hues are dropped: reversed hues would make a patchwork.
func (t *Theme) cursorSGR(l look, fg int16) string {
	if bg := t.index(t.palette.cursor); bg >= 0 {
		l.faint = false
		return sgr(l, fg, bg, t.depth)
	}
	return sgr(look{reverse: true, bold: l.bold, underline: l.underline}, -1, -1, t.depth)
}

func stale(l look) look {
	l.bold, l.faint = false, true
	return l
}

func (t *Theme) index(c colour) int16 {
	switch t.depth {
	case Depth256:
		return c.c256
	case Depth16:
		return c.c16
	default:
		return -1
	}
}

// sgr writes the shortest sequence that sets exactly this look, whatever was
// set before.
func sgr(l look, fg, bg int16, depth Depth) string {
	var b strings.Builder
	b.WriteString("\x1b[")
	attribute := func(on bool, code string) {
		if on {
			b.WriteString(";" + code)
		}
	}
	attribute(l.bold, "1")
	attribute(l.faint, "2")
	attribute(l.underline, "4")
	attribute(l.reverse, "7")
	attribute(fg >= 0, colourCode(fg, 30, depth))
	attribute(bg >= 0, colourCode(bg, 40, depth))
	b.WriteByte('m')
	return b.String()
}

func colourCode(index, base int16, depth Depth) string {
	switch {
	case depth == Depth256 && index > 15:
		return strconv.Itoa(int(base)+8) + ";5;" + strconv.Itoa(int(index))
	case index > 7:
		return strconv.Itoa(int(base) + 60 + int(index) - 8)
	default:
		return strconv.Itoa(int(base) + int(index))
	}
}

// Lip is a token as a Lip Gloss style, for boxes and for forms.
func (t *Theme) Lip(token Token) lipgloss.Style {
	l := t.looks[token]
	s := lipgloss.NewStyle().Bold(l.bold).Faint(l.faint).Underline(l.underline).Reverse(l.reverse)
	if fg := t.index(t.palette.hues[l.hue]); fg >= 0 {
		s = s.Foreground(lipgloss.ANSIColor(fg))
	}
	return s
}

// Box is the frame of an overlay.
func (t *Theme) Box() lipgloss.Style {
	border := lipgloss.RoundedBorder()
	if t.ascii {
		border = lipgloss.ASCIIBorder()
	}
	return lipgloss.NewStyle().
		Border(border).
		BorderForeground(t.Lip(Rule).GetForeground()).
		Padding(0, 1)
}

func joinNames(names []Name) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}
