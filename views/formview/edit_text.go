package formview

import (
	tea "charm.land/bubbletea/v2"

	"waybill/operations/form"
	"waybill/views/theme"
)

// textEditor is several lines of text, wrapped at words.
//
// The text field of huh is not used: it ends at 99 lines and drops the rest of what is pasted, and draws all of its
// lines twice for each key, tens of milliseconds for notes as long as they may be. Here only what is seen is drawn.
type textEditor struct {
	buffer
	goal  int // column that up and down aim for; -1 when they were not the last keys
	look  Look
	hint  string
	width int
	rows  []row
	top   int
}

// row is a line as it is seen: bytes of the content without the line break.
type row struct {
	from, to int
	soft     bool // goes on in the next row without a line break
}

func newTextEditor(spec *form.Field, look Look) *textEditor {
	t := &textEditor{goal: -1, hint: spec.Placeholder(), width: 40}
	t.setLook(look)
	return t
}

func (t *textEditor) setLook(look Look) {
	t.look, t.count = look, look.count
	t.wrap()
}

func (t *textEditor) value() string { return t.content }
func (t *textEditor) text() string  { return t.content }

func (t *textEditor) set(value string) {
	t.buffer.set(value)
	t.goal = -1
	t.wrap()
}

func (t *textEditor) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		t.insert(msg.Content)
	case tea.KeyPressMsg:
		t.press(msg)
	}
	t.wrap()
}

func (t *textEditor) press(msg tea.KeyPressMsg) {
	key := msg.String()
	switch key {
	case "up", "ctrl+p":
		t.vertical(-1)
		return
	case "down", "ctrl+n":
		t.vertical(1)
		return
	}
	t.goal = -1
	switch key {
	case "enter":
		t.insert("\n")
	case "home", "ctrl+a":
		t.at = t.rows[t.row()].from
	case "end", "ctrl+e":
		t.at = t.endOf(t.row())
	default:
		t.buffer.press(msg)
	}
}

// row is the one that the cursor is in.
func (t *textEditor) row() int {
	low, high := 0, len(t.rows)
	for high-low > 1 {
		if mid := (low + high) / 2; t.rows[mid].from <= t.at {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// endOf is the last place in a row. Where the text goes on without a break, that is before its last character: behind
// it begins the next row.
func (t *textEditor) endOf(at int) int {
	r := t.rows[at]
	if r.soft && r.to > r.from {
		return r.to - t.before(r.to)
	}
	return r.to
}

// edge reports whether up or down would leave the text.
func (t *textEditor) edge(down bool) bool {
	if down {
		return t.row() == len(t.rows)-1
	}
	return t.row() == 0
}

// vertical moves between rows and keeps to a column.
func (t *textEditor) vertical(by int) {
	at := t.row()
	if t.goal < 0 {
		t.goal = t.cells(t.rows[at].from, t.at)
	}
	to := at + by
	if to < 0 || to >= len(t.rows) {
		return
	}
	t.at = t.rows[to].from
	for end, used := t.endOf(to), 0; t.at < end; {
		length, cells := t.cluster(t.at)
		if used += cells; used > t.goal {
			break
		}
		t.at += length
	}
}

// wrap breaks the content into rows. The last cell of a row is kept free for the cursor; spaces may run over.
func (t *textEditor) wrap() {
	t.rows = t.rows[:0]
	width := max(t.width-1, 1)
	start, used, space, spaceUsed := 0, 0, -1, 0 // space is behind the last one, spaceUsed the cells up to there
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
				t.rows = append(t.rows, row{from: start, to: space, soft: true})
				start, used, space = space, used-spaceUsed, -1
			} else {
				t.rows = append(t.rows, row{from: start, to: at, soft: true})
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

func (t *textEditor) draw(width, rows int, focused bool) []string {
	th := t.look.Theme
	if width != t.width {
		t.width = width
		t.wrap()
	}
	cursor := t.row()
	t.top = max(0, min(min(max(t.top, cursor-rows+1), cursor), len(t.rows)-rows))
	lines := make([]string, rows)
	for i := range lines {
		at := t.top + i
		switch {
		case t.content == "" && i == 0:
			lines[i] = empty(th, t.hint, width, focused)
		case at >= len(t.rows):
			lines[i] = paint(th, theme.Text, "", width)
		case at == cursor && focused:
			lines[i] = t.cursorRow(t.rows[at], width)
		default:
			lines[i] = paint(th, theme.Text, t.content[t.rows[at].from:t.rows[at].to], width)
		}
	}
	return lines
}

// cursorRow draws the row with the cursor.
func (t *textEditor) cursorRow(r row, width int) string {
	l := newLine(t.look.Theme, width)
	before := t.content[r.from:t.at]
	under, next := t.under()
	room := width - max(t.look.Theme.Measure.Width(under), 1) // spaces may have run over the end
	l.fit(theme.Text, before, min(t.look.Theme.Measure.Width(before), room)).cursor(under)
	return l.put(theme.Text, t.content[min(next, r.to):r.to]).end()
}
