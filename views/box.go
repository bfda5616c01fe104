package views

import (
	"strings"

	"waybill/views/theme"
)

// Box is an overlay's frame with a title, and hints in its lower edge.
type Box struct {
	Title string
	Foot  string
	Note  string      // at the right of the title
	Token theme.Token // of the title; zero for the usual
}

// AppendLine draws one line of the box. Inner lines come from inside, which gets a line to fill.
func (b *Box) AppendLine(dst []byte, y, width, height int, th *theme.Theme, inside func(l *Line, y int)) []byte {
	l := NewLine(dst, th, width)
	edge := edges(th)
	switch y {
	case 0, height - 1:
		left, right, text, token := edge[0], edge[1], b.Title, theme.TitleFocus
		if y > 0 {
			left, right, text, token = edge[2], edge[3], b.Foot, theme.Muted
		} else if b.Token != 0 {
			token = b.Token
		}
		l.Put(theme.Rule, left)
		if text != "" && width > 6 {
			l.Put(theme.Rule, th.Glyphs.Horizontal)
			l.Space(1).Put(token, th.Measure.Truncate(text, width-6)).Space(1)
		}
		if note := th.Measure.Width(b.Note); y == 0 && note > 0 && l.Left() > note+5 {
			l.Rule(note + 4)
			l.Space(1).Put(theme.Muted, b.Note).Space(1)
		}
		l.Rule(1)
		return l.Put(theme.Rule, right).End()
	}
	l.Put(theme.Rule, th.Glyphs.Vertical)
	inner := &Line{theme: th, dst: l.dst, left: width - 4, on: l.on}
	inner.dst = append(inner.dst, ' ')
	inner.on = ""
	inner.dst = append(inner.dst[:len(inner.dst)-1], theme.Reset+" "...)
	inside(inner, y-1)
	out := inner.End()
	out = append(out, ' ')
	out = append(out, th.On(theme.Rule, theme.RowPlain)...)
	out = append(out, th.Glyphs.Vertical...)
	return append(out, theme.Reset...)
}

func edges(th *theme.Theme) [4]string {
	if th.ASCII() {
		return [4]string{"+", "+", "+", "+"}
	}
	return [4]string{"┌", "┐", "└", "┘"}
}

// Choice is a line of a menu or a list that is typed into.
type Choice struct {
	Key     string // pressed to take it, or the key of an action
	Label   string
	Note    string
	Matches []int  // runes of the label that matched what was typed
	Disabled     string // why it cannot be taken
	Heading bool
}

// Choices is a list with a cursor, shown a screen at a time.
type Choices struct {
	Items  []Choice
	Cursor int
	top    int
}

// Set replaces the items and puts the cursor on the first that can be chosen.
func (c *Choices) Set(items []Choice) {
	c.Items, c.top, c.Cursor = items, 0, 0
	if len(items) > 0 && items[0].Heading {
		c.Move(1)
	}
}

// Move moves the cursor, past headings.
func (c *Choices) Move(rows int) {
	step := 1
	if rows < 0 {
		step = -1
	}
	for at := c.Cursor + rows; at >= 0 && at < len(c.Items); at += step {
		if !c.Items[at].Heading {
			c.Cursor = at
			return
		}
	}
	if rows > 1 || rows < -1 { // past an end: go as far as there is
		c.Move(rows - step)
	}
}

// Current is the line under the cursor.
func (c *Choices) Current() (int, bool) {
	if c.Cursor < 0 || c.Cursor >= len(c.Items) || c.Items[c.Cursor].Heading {
		return 0, false
	}
	return c.Cursor, true
}

// ScrollToCursor scrolls so that the cursor is on a screen of a height.
func (c *Choices) ScrollToCursor(height int) {
	c.top = max(min(c.top, c.Cursor), c.Cursor-height+1)
	if c.Cursor == 1 && len(c.Items) > 0 && c.Items[0].Heading {
		c.top = 0
	}
	c.top = max(min(c.top, len(c.Items)-height), 0)
}

// PutLine draws one line of the list.
func (c *Choices) PutLine(l *Line, y int, keyWidth int) {
	at := c.top + y
	if at >= len(c.Items) {
		return
	}
	item, th := c.Items[at], l.theme
	if item.Heading {
		l.Put(theme.ColumnHead, item.Label)
		return
	}
	cursor, label, note := " ", theme.Text, theme.Muted
	if at == c.Cursor {
		cursor, label = th.Glyphs.Cursor, theme.Strong
	}
	if item.Disabled != "" {
		label = theme.Muted
		item.Note = item.Disabled
	}
	l.Put(theme.Accent, cursor)
	if keyWidth > 0 {
		l.Fit(theme.Key, item.Key, keyWidth, theme.Right).Space(2)
	}
	putMatched(l, item.Label, item.Matches, label)
	if room := l.Left() - 2; item.Note != "" && room > 6 {
		l.Space(2).Put(note, th.Measure.Truncate(item.Note, room))
	}
}

func putMatched(l *Line, text string, matches []int, token theme.Token) {
	if len(matches) == 0 {
		l.Put(token, text)
		return
	}
	next := 0
	for i, r := range []rune(text) {
		if next < len(matches) && matches[next] == i {
			l.Put(theme.Match, string(r))
			next++
			continue
		}
		l.Put(token, string(r))
	}
}

// KeyWidth is the room that the keys of a list need.
func (c *Choices) KeyWidth(m theme.Measure) int {
	width := 0
	for _, item := range c.Items {
		width = max(width, m.Width(item.Key))
	}
	return width
}

// Wrap breaks a text into lines of a width, at spaces where there are any.
func Wrap(text string, width int, m theme.Measure) []string {
	if width <= 0 {
		return nil
	}
	var lines []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			for m.Width(word) > width { // a word longer than the line
				head := firstCells(word, width, m)
				if line != "" {
					lines = append(lines, line)
					line = ""
				}
				lines = append(lines, head)
				word = strings.TrimPrefix(word, head)
			}
			switch {
			case line == "":
				line = word
			case m.Width(line)+1+m.Width(word) <= width:
				line += " " + word
			default:
				lines = append(lines, line)
				line = word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// firstCells is as much of a text as fits into some cells, at least one character.
func firstCells(text string, cells int, m theme.Measure) string {
	var b strings.Builder
	used := 0
	for cluster, width := range m.Clusters(text) {
		if used+width > cells && b.Len() > 0 {
			break
		}
		used += width
		b.WriteString(cluster)
	}
	head := b.String()
	if head == "" || !strings.HasPrefix(text, head) {
		return text // nothing that could be cut off safely
	}
	return head
}
