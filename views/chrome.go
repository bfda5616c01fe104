package views

import (
	"fmt"
	"strings"

	"waybill/views/theme"
)

// Chrome draws the lines around the panes with Lip Gloss: header, titles, tabs and status line. Most of them are the same
// from frame to frame, so each is kept until its content changes: rendering a header takes 25 times as long as finding it.
type Chrome struct {
	theme *theme.Theme
	lines map[string]string
	key   []byte
}

// maxChrome is how many lines are kept. A screen has about ten; older ones are from other screens and minutes.
const maxChrome = 64

// append appends the line for a content, a value without pointers. It is rendered if it is not known.
func (c *Chrome) append(dst []byte, content any, th *theme.Theme, width int, render func() string) []byte {
	if c.theme != th || len(c.lines) >= maxChrome {
		c.theme, c.lines = th, map[string]string{}
	}
	c.key = fmt.Appendf(c.key[:0], "%T %d %v", content, width, content)
	line, known := c.lines[string(c.key)]
	if !known {
		line = render()
		c.lines[string(c.key)] = line
	}
	return append(dst, line...)
}

// renderSpans draws spans.
func renderSpans(th *theme.Theme, spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(th.Render(s.Token, s.Text))
	}
	return b.String()
}

// fill puts two drawn texts at the ends of a line. What does not fit is cut.
func fill(th *theme.Theme, left, right string, width int) string {
	m := th.Measure
	gap := width - m.StyledWidth(left) - m.StyledWidth(right)
	if gap < 0 {
		left, right = m.TruncateStyled(left+right, width), ""
		gap = width - m.StyledWidth(left)
	}
	return left + strings.Repeat(" ", max(gap, 0)) + right
}

// Title is the content of the rule above a pane.
type Title struct {
	Key     string
	Name    string
	Focused bool
	Notes   []Span // after the name
	Right   []Span // at the right end
}

// AppendTitle draws a rule with a title in it.
func (c *Chrome) AppendTitle(dst []byte, t *Title, th *theme.Theme, width int) []byte {
	return c.append(dst, *t, th, width, func() string { return renderTitle(t, th, width) })
}

func renderTitle(t *Title, th *theme.Theme, width int) string {
	m, token := th.Measure, theme.Title
	if t.Focused {
		token = theme.TitleFocus
	}
	rule := func(n int) string { return th.Render(theme.Rule, strings.Repeat(th.Glyphs.Horizontal, max(n, 0))) }
	line := rule(1) + " " + th.Render(token, strings.TrimPrefix(t.Key+" "+t.Name, " "))
	right := ""
	if len(t.Right) > 0 {
		right = " " + renderSpans(th, t.Right) + " " + rule(1)
	}
	for _, note := range t.Notes {
		if note.Text == "" {
			continue
		}
		room := width - m.StyledWidth(line) - m.StyledWidth(right) - 2
		if room < 4 || note.Token != theme.Match && m.Width(note.Text) > room {
			break // only a filter may be truncated: part of a number would be wrong
		}
		line += " " + th.Render(note.Token, m.Truncate(note.Text, room))
	}
	line += " "
	left := width - m.StyledWidth(line) - m.StyledWidth(right)
	if left < 0 {
		right, left = "", width-m.StyledWidth(line)
	}
	return fill(th, line+rule(left), right, width)
}

// Tab is a pane in the tab bar.
type Tab struct {
	Key   string
	Name  string
	Count int
	Worst Span // the worst status in it; may be empty
}

// AppendTabs draws the tab bar of screens that show one pane at a time.
func (c *Chrome) AppendTabs(dst []byte, tabs []Tab, focused int, th *theme.Theme, width int) []byte {
	type bar struct {
		tabs    []Tab
		focused int
	}
	return c.append(dst, bar{tabs, focused}, th, width, func() string {
		line := renderTabs(tabs, focused, th, true)
		if th.Measure.StyledWidth(line) > width {
			line = renderTabs(tabs, focused, th, false)
		}
		return fill(th, line, "", width)
	})
}

// renderTabs draws the tabs, with the worst status of the focused one or of all.
func renderTabs(tabs []Tab, focused int, th *theme.Theme, all bool) string {
	var drawn []string
	for i, t := range tabs {
		token := theme.Title
		if i == focused {
			token = theme.TitleFocus
		}
		text := th.Render(token, t.Key+" "+t.Name) + th.Render(theme.Text, " "+Count(t.Count))
		if t.Worst.Text != "" && (all || i == focused) {
			text += " " + th.Render(t.Worst.Token, t.Worst.Text)
		}
		drawn = append(drawn, text)
	}
	return " " + strings.Join(drawn, th.Render(theme.Rule, " "+th.Glyphs.Vertical+" "))
}
