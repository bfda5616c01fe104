package formview

import (
	"strings"

	"waybill/operations/form"
	"waybill/views/theme"
)

// block is a field as it is drawn. What is said about it in general can be left out where there is little room.
type block struct {
	titles int // width of the column that it was drawn for
	head   []string
	about  []string
	rest   []string
}

func (b *block) height(about bool) int {
	n := len(b.head) + len(b.rest)
	if about {
		n += len(b.about)
	}
	return n
}

// Lines are the drawn form: as many lines as the height, each as wide as the width. They are drawn anew only when
// something has changed.
func (f *Form) Lines() []string {
	if !f.stale {
		return f.lines
	}
	f.stale = false
	f.lines = f.draw()
	return f.lines
}

func (f *Form) draw() []string {
	var lines []string
	if f.width >= minWidth {
		lines = f.header()
		lines = lines[:min(len(lines), f.height)]
	}
	if e := f.current(); e != nil && f.width >= minWidth && len(lines) < f.height {
		lines = append(lines, f.body(e, f.height-len(lines))...)
	}
	for len(lines) < f.height {
		lines = append(lines, strings.Repeat(" ", f.width))
	}
	return lines
}

// header is the line of pages and what is wrong with the form as a whole.
func (f *Form) header() []string {
	var lines []string
	if e := f.current(); e != nil {
		if line := f.pageLine(e.page); line != "" {
			lines = append(lines, line)
		}
	}
	if f.problem != "" {
		for _, line := range f.said(theme.Bad, f.look.Theme.Glyphs.Failed, f.problem, 0, 4) {
			lines = append(lines, newLine(f.look.Theme, f.width).styled(line, f.width-edge).end())
		}
	}
	if len(lines) > 0 && f.height >= 12 {
		lines = append(lines, strings.Repeat(" ", f.width))
	}
	return lines
}

// pageLine names the pages; empty when there is only one.
func (f *Form) pageLine(current int) string {
	th := f.look.Theme
	l := newLine(th, f.width)
	count, number, width := 0, 0, 0
	for i := range f.pages {
		if p := &f.pages[i]; p.shown() {
			count++
			width += th.Measure.Width(p.name) + 6
			if i == current {
				number = count
			}
		}
	}
	if count < 2 {
		return ""
	}
	for i := range f.pages {
		p := &f.pages[i]
		if !p.shown() || width > f.width && i != current {
			continue
		}
		mark, token := " ", theme.Muted
		if i == current {
			mark, token = th.Glyphs.Here, theme.TitleFocus
		}
		l.put(token, mark+" "+p.name)
		if p.troubled() {
			l.put(theme.Bad, " "+th.Glyphs.Failed)
		}
		l.space(2)
	}
	if width > f.width {
		l.put(theme.Muted, thousands(number)+" of "+thousands(count))
	}
	const keys = "pgup pgdn"
	if l.left > len(keys)+edge {
		l.space(l.left-len(keys)-edge).put(theme.Muted, keys)
	}
	return l.end()
}

func (p *page) troubled() bool {
	for _, e := range p.entries {
		if e.shown && e.problem != "" {
			return true
		}
	}
	return false
}

// gutter is the cells for the mark of the focused field; edge those for the marks that say that there is more.
const (
	gutter   = 2
	edge     = 2
	minWidth = 12 // with less nothing is drawn
)

// body draws the fields of a page, scrolled so that the focused one is seen.
func (f *Form) body(current *entry, room int) []string {
	entries := f.pages[current.page].entries
	titles := f.titleWidth(entries)
	full := 0
	for _, e := range entries {
		if e.shown {
			f.drawEntry(e, titles)
			full += e.block.height(true)
		}
	}
	roomy := full <= room // else only the focused field is explained
	var lines []string
	start, end := 0, 0
	for _, e := range entries {
		if !e.shown {
			continue
		}
		if e == current {
			start = len(lines)
		}
		lines = append(lines, e.block.head...)
		if roomy || e == current {
			lines = append(lines, e.block.about...)
		}
		lines = append(lines, e.block.rest...)
		if e == current {
			end = len(lines)
		}
	}
	f.top = min(max(f.top, end-room), start)
	f.top = max(min(f.top, len(lines)-room), 0)
	return f.window(lines, room)
}

// window is the part of the lines that is seen, with marks where there is more.
func (f *Form) window(lines []string, room int) []string {
	to := min(f.top+room, len(lines))
	seen := make([]string, 0, room)
	for y := f.top; y < to; y++ {
		mark := " "
		switch {
		case y == f.top && f.top > 0:
			mark = f.look.Theme.Glyphs.Up
		case y == to-1 && to < len(lines):
			mark = f.look.Theme.Glyphs.Down
		}
		inner := max(f.width-edge, 0)
		seen = append(seen, newLine(f.look.Theme, f.width).styled(lines[y], inner).space(1).put(theme.Key, mark).end())
	}
	return seen
}

// titleWidth is the width of the column of titles.
func (f *Form) titleWidth(entries []*entry) int {
	width := 0
	for _, e := range entries {
		if e.shown {
			width = max(width, f.look.Theme.Measure.Width(e.spec.Title))
		}
	}
	return min(width, f.width/3)
}

// drawEntry draws a field, unless it looks as before.
func (f *Form) drawEntry(e *entry, titles int) {
	if e.drawn && e.block.titles == titles {
		return
	}
	th := f.look.Theme
	indent := gutter + titles + 2
	width := max(f.width-edge, 0)
	room := max(width-indent, 1)
	mark, token := " ", theme.Muted
	if e.focused {
		mark, token = th.Glyphs.Cursor, theme.TitleFocus
	}
	b := block{titles: titles}
	field := room
	if e.listed() {
		field = max(room-2, 1)
	}
	for i, part := range e.editor.draw(field, max(min(f.height/4, 8), 3), e.focused) {
		l := newLine(th, width)
		switch i {
		case 0:
			l.put(theme.Accent, mark).space(1).fit(token, e.spec.Title, titles)
		case 1:
			l.space(gutter).fit(f.counterToken(e), e.counter(), titles)
		}
		l.space(l.left-room).styled(part, field)
		if e.listed() {
			l.space(1).put(token, th.Glyphs.SortDown)
		}
		b.head = append(b.head, l.end())
	}
	if e.spec.About != "" {
		b.about = f.said(theme.Muted, " ", e.spec.About, indent, 2)
	}
	b.rest = f.remarks(e, indent)
	e.block, e.drawn = b, true
}

// remarks are what is said under a field about its value.
func (f *Form) remarks(e *entry, indent int) []string {
	th := f.look.Theme
	var lines []string
	if e.list.open {
		lines = append(lines, f.suggested(e, indent)...)
	}
	if choice, ok := e.editor.(*choiceEditor); ok && e.focused {
		lines = append(lines, f.said(theme.Muted, " ", choice.note(), indent, 2)...)
	}
	lines = append(lines, f.said(theme.Muted, th.Glyphs.Arrow, e.echo, indent, 2)...)
	if note, warning := strings.CutPrefix(e.note, "!"); warning {
		lines = append(lines, f.said(theme.Warn, th.Glyphs.Late, note, indent, 3)...)
	} else if !e.list.open { // the list says what there is
		lines = append(lines, f.said(theme.Info, th.Glyphs.Bullet, note, indent, 3)...)
	}
	if e.spec.Kind != form.Text {
		lines = append(lines, f.said(f.counterToken(e), " ", e.counter(), indent, 1)...)
	}
	return append(lines, f.said(theme.Bad, th.Glyphs.Failed, e.problem, indent, 3)...)
}

// counter says how much of the limit is used: always for a text, for a line when the limit is near.
func (e *entry) counter() string {
	limit, length := e.spec.Limit, 0
	if limit <= 0 {
		return ""
	}
	if length = e.length(); e.spec.Kind != form.Text && length*10 < limit*8 {
		return ""
	}
	return thousands(length) + "/" + thousands(limit)
}

func (f *Form) counterToken(e *entry) theme.Token {
	if e.spec.Limit > 0 && e.length() > e.spec.Limit {
		return theme.Bad
	}
	return theme.Muted
}

// suggested draws the suggestions.
func (f *Form) suggested(e *entry, indent int) []string {
	th := f.look.Theme
	from, to := e.list.window()
	var lines []string
	for i := from; i < to; i++ {
		o := e.list.options[i]
		mark, token := " ", theme.Text
		if i == e.list.at {
			mark, token = th.Glyphs.Cursor, theme.Strong
		}
		l := newLine(th, max(f.width-edge, 0)).space(indent).put(theme.Accent, mark).space(1).put(token, label(o))
		if o.Note != "" && l.left > 6 {
			l.space(2).put(theme.Muted, th.Measure.Truncate(o.Note, l.left))
		}
		if more := len(e.list.options) - to; i == to-1 && more > 0 {
			l.space(2).put(theme.Muted, "+"+thousands(more)+" more")
		}
		lines = append(lines, l.end())
	}
	return lines
}

// said is a remark in lines, behind a sign or further in than values, so that without colours it is not one.
func (f *Form) said(token theme.Token, sign, text string, indent, limit int) []string {
	if text == "" {
		return nil
	}
	width := max(f.width-edge, 0)
	sign += " "
	hang := f.look.Theme.Measure.Width(sign)
	parts := wrap(f.look.Theme.Measure, clean(text, true), width-indent-hang)
	if len(parts) > limit {
		rest := strings.Join(parts[limit-1:], " ")
		parts = append(parts[:limit-1], f.look.Theme.Measure.Truncate(rest, width-indent-hang))
	}
	lines := make([]string, len(parts))
	for i, part := range parts {
		l := newLine(f.look.Theme, width).space(indent)
		if i == 0 {
			l.put(token, sign)
		} else {
			l.space(hang)
		}
		lines[i] = l.put(token, part).end()
	}
	return lines
}
