package views

import "waybill/views/theme"

// Choice is one line of a menu or of a searchable list.
type Choice struct {
	Key      string // pressed to choose it, or the key of its action
	Label    string
	Note     string
	Matches  []int  // runes of the label that match the query
	Disabled string // why it cannot be chosen
	Heading  bool
}

// Choices is a scrolling list of choices with a cursor.
type Choices struct {
	Items  []Choice
	Cursor int
	top    int
}

// Set replaces the items and moves the cursor to the first one that can be chosen.
func (c *Choices) Set(items []Choice) {
	c.Items, c.top, c.Cursor = items, 0, 0
	if len(items) > 0 && items[0].Heading {
		c.Move(1)
	}
}

// Move moves the cursor by rows and skips headings.
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
	if rows > 1 || rows < -1 { // past the end: move as far as possible
		c.Move(rows - step)
	}
}

// Current returns the index of the choice under the cursor.
func (c *Choices) Current() (int, bool) {
	if c.Cursor < 0 || c.Cursor >= len(c.Items) || c.Items[c.Cursor].Heading {
		return 0, false
	}
	return c.Cursor, true
}

// ScrollToCursor scrolls so that the cursor is visible in a list of the given height.
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
	cursor, label := " ", theme.Text
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
		l.Space(2).Put(theme.Muted, th.Measure.Truncate(item.Note, room))
	}
}

// putMatched draws a label with the runes that match the query highlighted.
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

// KeyWidth returns the width of the widest key.
func (c *Choices) KeyWidth(m theme.Measure) int {
	width := 0
	for _, item := range c.Items {
		width = max(width, m.Width(item.Key))
	}
	return width
}
