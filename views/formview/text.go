package formview

import (
	"sort"

	tea "charm.land/bubbletea/v2"

	"waybill/operations/form"
	"waybill/views"
	"waybill/views/theme"
)

// textEditor edits several lines of text, wrapped at words.
type textEditor struct {
	buffer
	column int // the column that up and down keep; -1 after other keys
	hint   string
	width  int
	rows   []row
	top    int // first visible row
}

// row is a wrapped line: bytes of the content without the line break.
type row struct {
	from, to int
	wrapped  bool // the line continues in the next row
}

func newTextEditor(spec *form.Field, m theme.Measure) *textEditor {
	t := &textEditor{buffer: buffer{measure: m}, column: -1, hint: spec.Placeholder(), width: 40}
	t.wrap()
	return t
}

func (t *textEditor) value() string { return t.content }
func (t *textEditor) text() string  { return t.content }

func (t *textEditor) set(value string) {
	t.buffer.set(value)
	t.column = -1
	t.wrap()
}

func (t *textEditor) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		t.insert(msg.Content)
	case tea.KeyPressMsg:
		t.handleKey(msg)
	}
	t.wrap()
}

func (t *textEditor) handleKey(msg tea.KeyPressMsg) {
	key := msg.String()
	switch key {
	case "up", "ctrl+p":
		t.moveRow(-1)
		return
	case "down", "ctrl+n":
		t.moveRow(1)
		return
	}
	t.column = -1
	switch key {
	case "enter":
		t.insert("\n")
	case "home", "ctrl+a":
		t.cursor = t.rows[t.cursorRow()].from
	case "end", "ctrl+e":
		t.cursor = t.rowEnd(t.cursorRow())
	default:
		t.buffer.handleKey(msg)
	}
}

// cursorRow returns the row of the cursor.
func (t *textEditor) cursorRow() int {
	return sort.Search(len(t.rows), func(i int) bool { return t.rows[i].from > t.cursor }) - 1
}

// rowEnd returns the last cursor position in a row. In a wrapped row it is before the last character, because behind it
// the next row starts.
func (t *textEditor) rowEnd(at int) int {
	r := t.rows[at]
	if r.wrapped && r.to > r.from {
		return r.to - t.lengthBefore(r.to)
	}
	return r.to
}

// atEdge reports whether moving up or down would leave the text.
func (t *textEditor) atEdge(step int) bool {
	at := t.cursorRow() + step
	return at < 0 || at >= len(t.rows)
}

// moveRow moves the cursor to another row and keeps its column.
func (t *textEditor) moveRow(step int) {
	at := t.cursorRow()
	if t.column < 0 {
		t.column = t.cells(t.rows[at].from, t.cursor)
	}
	if t.atEdge(step) {
		return
	}
	to := at + step
	t.cursor = t.rows[to].from
	for end, used := t.rowEnd(to), 0; t.cursor < end; {
		length, cells := t.cluster(t.cursor)
		if used += cells; used > t.column {
			break
		}
		t.cursor += length
	}
}

// wrap breaks the content into rows. The last cell of a row is free for the cursor; spaces may exceed the width.
func (t *textEditor) wrap() {
	t.rows = t.rows[:0]
	width := max(t.width-1, 1)
	start, used, space, spaceUsed := 0, 0, -1, 0 // offset behind the last space and the cells up to there
	for at := 0; at < len(t.content); {
		if t.content[at] == '\n' {
			t.rows = append(t.rows, row{from: start, to: at})
			at++
			start, used, space = at, 0, -1
			continue
		}
		length, cells := t.cluster(at)
		blank := t.content[at] == ' '
		if used+cells > width && !blank && at > start {
			if space > start {
				t.rows = append(t.rows, row{from: start, to: space, wrapped: true})
				start, used, space = space, used-spaceUsed, -1
			} else {
				t.rows = append(t.rows, row{from: start, to: at, wrapped: true})
				start, used, space = at, 0, -1
			}
			continue
		}
		at += length
		used += cells
		if blank {
			space, spaceUsed = at, used
		}
	}
	t.rows = append(t.rows, row{from: start, to: len(t.content)})
}

func (t *textEditor) draw(th *theme.Theme, width, rows int, focused bool) []string {
	if width != t.width || th.Measure != t.measure {
		t.width, t.measure = width, th.Measure
		t.wrap()
	}
	cursor := t.cursorRow()
	t.top = max(0, min(min(max(t.top, cursor-rows+1), cursor), len(t.rows)-rows))
	lines := make([]string, rows)
	for i := range lines {
		l, at := views.NewLine(nil, th, width), t.top+i
		switch {
		case t.content == "" && i == 0:
			putPlaceholder(l, th, t.hint, focused)
		case at >= len(t.rows):
		case at == cursor && focused:
			t.putCursorRow(l, t.rows[at])
		default:
			l.Put(theme.Text, t.content[t.rows[at].from:t.rows[at].to])
		}
		lines[i] = string(l.End())
	}
	return lines
}

// putCursorRow draws the row with the cursor.
func (t *textEditor) putCursorRow(l *views.Line, r row) {
	before := t.content[r.from:t.cursor]
	under, next := t.underCursor()
	room := l.Left() - max(t.measure.Width(under), 1) // spaces may exceed the width
	l.Fit(theme.Text, before, min(t.measure.Width(before), room), theme.Left).PutCursor(under)
	l.Put(theme.Text, t.content[min(next, r.to):r.to])
}
