package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/table"
)

// Reader is a long text to read.
type Reader struct {
	base
	title  string
	next   *keymaps.Hint // of the action that a report suggests; nil for none
	Lines  []views.Span
	scroll *views.Scroll
}

// NewReader returns a reader of a text.
func NewReader(title string, lines []views.Span) *Reader {
	d := &Reader{base: base{scope: keymaps.Preview}, title: title}
	d.SetLines(lines)
	return d
}

// SetLines replaces the text and shows its beginning.
func (d *Reader) SetLines(lines []views.Span) { d.Lines, d.scroll = lines, views.NewScroll(lines) }

// Placement implements [Dialog].
func (d *Reader) Placement(*Context) layout.Dialog {
	return layout.Dialog{Kind: layout.Full, Width: 120, Height: len(d.Lines) + 2}
}

// RunAction implements [Dialog].
func (d *Reader) RunAction(id string) (Action, bool) {
	n, move := steps(id)
	d.scroll.Move(n)
	return nil, move || id == "preview.send" || id == "preview.edit" || id == "preview.curl"
}

// PressKey scrolls by pages and to the ends.
func (d *Reader) PressKey(key string) Action {
	switch key {
	case "pgdown", "space", "ctrl+f":
		d.scroll.Go(table.PageDown)
	case "pgup", "ctrl+b":
		d.scroll.Go(table.PageUp)
	case "ctrl+d":
		d.scroll.Go(table.HalfDown)
	case "ctrl+u":
		d.scroll.Go(table.HalfUp)
	case "end", "G":
		d.scroll.Go(table.Bottom)
	case "home", "g":
		d.scroll.Go(table.Top)
	}
	return nil
}

// AppendLine implements [Dialog].
func (d *Reader) AppendLine(dst []byte, c *Context, y, width, height int) []byte {
	hints := []keymaps.Hint{hint("j k G", "scroll"), hint("esc", "close")}
	if d.next != nil {
		hints = append([]keymaps.Hint{*d.next}, hints...)
	}
	return d.appendText(dst, c, y, width, height, views.Box{Title: d.title, Hints: hints})
}

// appendText draws one line of the text in a box.
func (d *Reader) appendText(dst []byte, c *Context, y, width, height int, box views.Box) []byte {
	d.scroll.SetHeight(height - 2)
	switch n := d.scroll.More(); {
	case n == 1:
		box.Note = "1 more line"
	case n > 1:
		box.Note = views.Count(n) + " more lines"
	}
	return box.AppendLine(dst, y, width, height, c.Theme, d.scroll.PutLine)
}

// Report is the result of a job in full. It may suggest the action that comes next, whose keys work in it.
type Report struct {
	Reader
	nextKeys []string
	pressed  string // keys of the next action so far
}

// NewReport returns a report. The keys run the action that it suggests, which the hint names; both are nil for none.
func NewReport(title string, lines []views.Span, nextKeys []string, next *keymaps.Hint) *Report {
	d := &Report{Reader: *NewReader(title, lines), nextKeys: nextKeys}
	d.next = next
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
