package formview

import (
	"slices"
	"strings"

	"waybill/operations/form"
	"waybill/views"
	"waybill/views/theme"
)

// block is a drawn field. The description is left out where there is little room.
type block struct {
	labelWidth  int // the width it was drawn for
	head        []string
	description []string
	rest        []string
}

func (b *block) height() int { return len(b.head) + len(b.description) + len(b.rest) }

const (
	gutter   = 2  // cells in front of a field, for the focus mark
	margin   = 2  // cells behind a field, for the scroll marks
	minWidth = 12 // nothing is drawn below this width
)

// Lines returns the drawn form: height lines of width cells. They are only drawn again after a change.
func (f *Form) Lines() []string {
	if f.stale {
		f.stale = false
		f.lines = f.draw()
	}
	return f.lines
}

func (f *Form) draw() []string {
	var lines []string
	if f.width >= minWidth {
		lines = f.headerLines()
		lines = lines[:min(len(lines), f.height)]
		if f.hasFocus() && len(lines) < f.height {
			lines = append(lines, f.pageLines(f.height-len(lines))...)
		}
	}
	for len(lines) < f.height {
		lines = append(lines, strings.Repeat(" ", f.width))
	}
	return lines
}

// line starts a line of the form, without the margin.
func (f *Form) line() *views.Line { return views.NewLine(nil, f.theme, max(f.width-margin, 0)) }

// headerLines returns the tabs of the pages and the problem of the whole form.
func (f *Form) headerLines() []string {
	var lines []string
	if f.hasFocus() {
		if line := f.tabLine(); line != "" {
			lines = append(lines, line)
		}
	}
	for _, line := range f.wrapRemark(theme.Bad, f.theme.Glyphs.Failed, f.problem, 0, 4) {
		lines = append(lines, line+strings.Repeat(" ", margin))
	}
	if len(lines) > 0 && f.height >= 12 {
		lines = append(lines, strings.Repeat(" ", f.width))
	}
	return lines
}

// tabLine returns the names of the pages; it is empty for a single page.
func (f *Form) tabLine() string {
	var tabs []*page
	number, width := 0, 0
	for i := range f.pages {
		if p := &f.pages[i]; firstVisible(p.fields) != nil {
			tabs = append(tabs, p)
			width += f.theme.Measure.Width(p.name) + 6
			if i == f.focus.page {
				number = len(tabs)
			}
		}
	}
	if len(tabs) < 2 {
		return ""
	}
	l := views.NewLine(nil, f.theme, f.width)
	for i, p := range tabs {
		if width > f.width && i+1 != number {
			continue
		}
		glyph, token := " ", theme.Muted
		if i+1 == number {
			glyph, token = f.theme.Glyphs.Here, theme.TitleFocus
		}
		l.Put(token, glyph+" "+p.name)
		if p.hasProblem() {
			l.Put(theme.Bad, " "+f.theme.Glyphs.Failed)
		}
		l.Space(2)
	}
	if width > f.width {
		l.Put(theme.Muted, views.Count(number)+" of "+views.Count(len(tabs)))
	}
	const keys = "pgup pgdn"
	if l.Left() > len(keys)+margin {
		l.Space(l.Left()-len(keys)-margin).Put(theme.Muted, keys)
	}
	return string(l.End())
}

func (p *page) hasProblem() bool {
	return slices.ContainsFunc(p.fields, func(fd *field) bool { return fd.visible && fd.problem != "" })
}

// pageLines draws the fields of the current page, scrolled so that the focused one is visible.
func (f *Form) pageLines(height int) []string {
	fields := f.pages[f.focus.page].fields
	labelWidth, full := f.labelWidth(fields), 0
	for _, fd := range fields {
		if fd.visible {
			f.drawField(fd, labelWidth)
			full += fd.block.height()
		}
	}
	var lines []string
	start, end := 0, 0
	for _, fd := range fields {
		if !fd.visible {
			continue
		}
		if fd == f.focus {
			start = len(lines)
		}
		lines = append(lines, fd.block.head...)
		if full <= height || fd == f.focus { // with little room only the focused field is described
			lines = append(lines, fd.block.description...)
		}
		lines = append(lines, fd.block.rest...)
		if fd == f.focus {
			end = len(lines)
		}
	}
	f.top = min(max(f.top, end-height), start)
	f.top = max(min(f.top, len(lines)-height), 0)
	return f.visibleLines(lines, height)
}

// visibleLines returns the visible part of the lines, with marks where there is more.
func (f *Form) visibleLines(lines []string, height int) []string {
	to := min(f.top+height, len(lines))
	visible := make([]string, 0, height)
	for y := f.top; y < to; y++ {
		mark := " "
		switch {
		case y == f.top && f.top > 0:
			mark = f.theme.Glyphs.Up
		case y == to-1 && to < len(lines):
			mark = f.theme.Glyphs.Down
		}
		l := views.NewLine(nil, f.theme, f.width)
		visible = append(visible, string(l.PutStyled(lines[y], f.width-margin).Space(1).Put(theme.Key, mark).End()))
	}
	return visible
}

// labelWidth returns the width of the labels.
func (f *Form) labelWidth(fields []*field) int {
	width := 0
	for _, fd := range fields {
		if fd.visible {
			width = max(width, f.theme.Measure.Width(fd.spec.Title))
		}
	}
	return min(width, f.width/3)
}

// drawField draws a field unless it is unchanged.
func (f *Form) drawField(fd *field, labelWidth int) {
	if fd.drawn && fd.block.labelWidth == labelWidth {
		return
	}
	indent := gutter + labelWidth + 2
	room := max(f.width-margin-indent, 1)
	glyph, token := " ", theme.Muted
	if fd.focused {
		glyph, token = f.theme.Glyphs.Cursor, theme.TitleFocus
	}
	b := block{labelWidth: labelWidth}
	width := room
	if fd.hasClosedList() {
		width = max(room-2, 1)
	}
	for i, part := range fd.editor.draw(f.theme, width, max(min(f.height/4, 8), 3), fd.focused) {
		l := f.line()
		switch i {
		case 0:
			l.Put(theme.Accent, glyph).Space(1).Fit(token, fd.spec.Title, labelWidth, theme.Left)
		case 1:
			l.Space(gutter).Fit(fd.counterToken(), fd.counter(), labelWidth, theme.Left)
		}
		l.Space(l.Left()-room).PutStyled(part, width)
		if fd.hasClosedList() {
			l.Space(1).Put(token, f.theme.Glyphs.SortDown)
		}
		b.head = append(b.head, string(l.End()))
	}
	b.description = f.wrapRemark(theme.Muted, " ", fd.spec.About, indent, 2)
	b.rest = f.remarkLines(fd, indent)
	fd.block, fd.drawn = b, true
}

// remarkLines returns what is shown below a field about its value.
func (f *Form) remarkLines(fd *field, indent int) []string {
	glyphs := &f.theme.Glyphs
	var lines []string
	add := func(token theme.Token, glyph, text string, limit int) {
		lines = append(lines, f.wrapRemark(token, glyph, text, indent, limit)...)
	}
	if fd.suggestions.isOpen {
		lines = append(lines, f.suggestionLines(fd, indent)...)
	}
	if choice, ok := fd.editor.(*choiceEditor); ok && fd.focused {
		add(theme.Muted, " ", choice.option().Note, 2)
	}
	add(theme.Muted, glyphs.Arrow, fd.echo, 2)
	if note, isWarning := strings.CutPrefix(fd.note, "!"); isWarning {
		add(theme.Warn, glyphs.Late, note, 3)
	} else if !fd.suggestions.isOpen {
		add(theme.Info, glyphs.Bullet, note, 3)
	}
	if fd.spec.Kind != form.Text {
		add(fd.counterToken(), " ", fd.counter(), 1)
	}
	add(theme.Bad, glyphs.Failed, fd.problem, 3)
	return lines
}

// counter returns the length and the limit of a value: always for a text, near the limit for a line.
func (fd *field) counter() string {
	limit, length := fd.spec.Limit, fd.length()
	if limit <= 0 || fd.spec.Kind != form.Text && length*10 < limit*8 {
		return ""
	}
	return views.Count(length) + "/" + views.Count(limit)
}

func (fd *field) counterToken() theme.Token {
	if fd.spec.Limit > 0 && fd.length() > fd.spec.Limit {
		return theme.Bad
	}
	return theme.Muted
}

func (f *Form) suggestionLines(fd *field, indent int) []string {
	from, to := fd.suggestions.visibleRange()
	var lines []string
	for i := from; i < to; i++ {
		o := fd.suggestions.options[i]
		glyph, token := " ", theme.Text
		if i == fd.suggestions.cursor {
			glyph, token = f.theme.Glyphs.Cursor, theme.Strong
		}
		l := f.line().Space(indent).Put(theme.Accent, glyph).Space(1).Put(token, optionLabel(o))
		if o.Note != "" && l.Left() > 6 {
			l.Space(2).Put(theme.Muted, f.theme.Measure.Truncate(o.Note, l.Left()))
		}
		if more := len(fd.suggestions.options) - to; i == to-1 && more > 0 {
			l.Space(2).Put(theme.Muted, "+"+views.Count(more)+" more")
		}
		lines = append(lines, string(l.End()))
	}
	return lines
}

// wrapRemark wraps a remark into at most limit lines. A glyph or a deeper indent separates it from values without
// colours.
func (f *Form) wrapRemark(token theme.Token, glyph, text string, indent, limit int) []string {
	if text == "" {
		return nil
	}
	m := f.theme.Measure
	glyph += " "
	hang := m.Width(glyph)
	width := f.width - margin - indent - hang
	parts := slices.DeleteFunc(views.Wrap(cleanText(text, true), width, m), func(part string) bool { return part == "" })
	if len(parts) > limit {
		rest := strings.Join(parts[limit-1:], " ")
		parts = append(parts[:limit-1], m.Truncate(rest, width))
	}
	lines := make([]string, len(parts))
	for i, part := range parts {
		l := f.line().Space(indent)
		if i == 0 {
			l.Put(token, glyph)
		} else {
			l.Space(hang)
		}
		lines[i] = string(l.Put(token, part).End())
	}
	return lines
}
