package dialog

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/views"
	"waybill/views/layout"
)

// Reader is a long text to read.
type Reader struct {
	withoutText
	title  string
	foot   string
	Lines  []views.Span
	top    int
	height int // of the text, without the frame
}

// NewReader returns a reader of a text.
func NewReader(title string, lines []views.Span) *Reader { return &Reader{title: title, Lines: lines} }

// readerFoot is the hint of a text that can only be read.
const readerFoot = "j k G scroll · esc close"

// Scope implements [Dialog].
func (d *Reader) Scope() keymaps.Scope { return keymaps.Preview }

// Placement implements [Dialog].
func (d *Reader) Placement(*Context) layout.Overlay {
	return layout.Overlay{Kind: layout.Full, Width: 120, Height: len(d.Lines) + 2}
}

// RunAction implements [Dialog].
func (d *Reader) RunAction(id string) (Action, bool) {
	switch id {
	case "menu.down":
		d.scroll(1)
	case "menu.up":
		d.scroll(-1)
	case "preview.send", "preview.edit", "preview.curl":
	default:
		return nil, false
	}
	return nil, true
}

// PressKey scrolls by pages and to the ends.
func (d *Reader) PressKey(key string) Action {
	switch key {
	case "pgdown", "space", "ctrl+f":
		d.scroll(d.height - 1)
	case "pgup", "ctrl+b":
		d.scroll(1 - d.height)
	case "ctrl+d":
		d.scroll(d.height / 2)
	case "ctrl+u":
		d.scroll(-d.height / 2)
	case "end", "G":
		d.scroll(len(d.Lines))
	case "home", "g":
		d.scroll(-len(d.Lines))
	}
	return nil
}

func (d *Reader) scroll(lines int) { d.top = max(min(d.top+lines, len(d.Lines)-d.height), 0) }

// moreText says how many lines lie below.
func (d *Reader) moreText() string {
	switch n := len(d.Lines) - d.top - d.height; {
	case n == 1:
		return "1 more line"
	case n > 1:
		return views.Count(n) + " more lines"
	}
	return ""
}

// AppendLine implements [Dialog].
func (d *Reader) AppendLine(dst []byte, c *Context, y, width, height int) []byte {
	return d.appendText(dst, c, y, width, height, views.Box{Title: d.title, Foot: cmp.Or(d.foot, readerFoot)})
}

// appendText draws one line of the text in a box.
func (d *Reader) appendText(dst []byte, c *Context, y, width, height int, box views.Box) []byte {
	d.height = height - 2
	box.Note = d.moreText()
	return box.AppendLine(dst, y, width, height, c.Theme, func(l *views.Line, line int) {
		if at := d.top + line; at < len(d.Lines) {
			l.Put(d.Lines[at].Token, d.Lines[at].Text)
		}
	})
}

// Report is the result of a job in full. It may suggest the action that comes next, whose keys work in it.
type Report struct {
	Reader
	nextKeys []string
	pressed  string // keys of the next action so far
}

// NewReport returns a report. The keys run the action that it suggests, which the hint names; both are empty for none.
func NewReport(title string, lines []views.Span, nextKeys []string, nextHint string) *Report {
	d := &Report{Reader: Reader{title: title, Lines: lines}, nextKeys: nextKeys}
	if nextHint != "" {
		d.foot = joinHints(nextHint, readerFoot)
	}
	return d
}

// InterceptKey runs the next action from here, even if its keys scroll. A key that does not continue a started sequence
// ends it, as on the board.
func (d *Report) InterceptKey(key tea.KeyPressMsg) (Action, bool) {
	pressed, started := strings.TrimSpace(d.pressed+" "+key.String()), d.pressed != ""
	d.pressed = ""
	if slices.Contains(d.nextKeys, pressed) {
		return RunNext{}, true
	}
	if slices.ContainsFunc(d.nextKeys, func(keys string) bool { return strings.HasPrefix(keys, pressed+" ") }) {
		d.pressed = pressed
	}
	return nil, started || d.pressed != ""
}
