package views

import (
	"strconv"

	"waybill/model"
	"waybill/ui/canvas"
	"waybill/ui/theme"
)

// Header is what stands in the first line.
type Header struct {
	Profile      string // what the account is called; empty on a run without one
	Sandbox      bool
	Production   bool
	Organization string
	ReadOnly     bool
	Counters     model.Counters
	Trend        []int
	Views        []Counter // saved views with a key
	Zone         string
	Clock        string
}

// Counter is a saved view on a key: one of the header's numbers, or a name of one's own.
type Counter struct {
	Key    string
	Name   string
	Status theme.Status // the number it opens; unknown for a view of one's own
}

// part is a piece of a line that may be left out; the highest drop goes first.
type part struct {
	spans []Span
	gap   int
	drop  int
}

// AppendHeader draws the header. As the screen narrows the trend goes first, then words, then what is not trouble.
func AppendHeader(dst []byte, h *Header, th *theme.Theme, width int) []byte {
	left := headerAccount(h, th)
	right := []part{{spans: []Span{{theme.Text, h.Clock}, {theme.Muted, " " + h.Zone}}, gap: 1}}
	if len(h.Trend) > 1 {
		line := canvas.Spark(h.Trend, 12, th.Glyphs.Trend)
		right = append([]part{{spans: []Span{{theme.LateToken, line}}, gap: 2, drop: 9}}, right...)
	}
	var counters []part
	for words, most := range []int{allWords: 8, someWords: 5, noWords: 1} { // what may be left out to keep the words
		counters = headerCounters(h, th, wording(words))
		l, c, r, fits := dropParts(th.Measure, width, most, left, counters, right)
		if fits || wording(words) == noWords {
			left, counters, right = l, c, r
			break
		}
	}
	l := NewLine(dst, th, width)
	l.Space(1)
	putParts(l, left)
	putParts(l, counters)
	l.Space(l.Left() - partsWidth(th.Measure, right))
	putParts(l, right)
	return l.End()
}

func headerAccount(h *Header, th *theme.Theme) []part {
	name := h.Profile
	if h.Sandbox {
		name = "SANDBOX"
	}
	parts := []part{{spans: []Span{{theme.Strong, "waybill"}}, gap: 2, drop: 8}}
	if name != "" {
		bar := theme.AccentBar
		if h.Production {
			bar = theme.Banner
		}
		parts = append(parts, part{spans: []Span{{bar, " " + name + " "}}, gap: 2})
	}
	if h.ReadOnly {
		parts = append(parts, part{spans: []Span{{theme.Warn, th.Glyphs.Lock + " read-only"}}, gap: 2})
	}
	if h.Organization != "" {
		parts = append(parts, part{spans: []Span{{theme.Text, h.Organization}}, gap: 2, drop: 5})
	}
	return parts
}

// wording is how much of the counters is said in words.
type wording uint8

const (
	allWords  wording = iota
	someWords         // for what is trouble or help
	noWords
)

// headerCounters are the numbers a dispatcher triages by.
func headerCounters(h *Header, th *theme.Theme, words wording) []part {
	c := h.Counters
	numbers := []struct {
		status theme.Status
		count  int
		drop   int
		spoken bool
	}{
		{theme.Late, c.Late, 0, true},
		{theme.AtRisk, c.AtRisk, 0, true},
		{theme.Unassigned, c.Unassigned, 0, true},
		{theme.Active, c.Active, 3, false},
		{theme.Done, c.Done, 4, false},
		{theme.Failed, c.Failed, 3, false},
		{theme.Idle, c.Idle, 2, true},
		{theme.Busy, c.Busy, 6, false},
		{theme.Silent, c.Silent, 1, true},
		{theme.Off, c.Off, 7, false},
	}
	var parts []part
	for _, n := range numbers {
		badge := th.Badge(n.status)
		token := badge.Token
		if n.count == 0 {
			token = theme.Muted
		}
		p := part{spans: []Span{{token, badge.Glyph + " " + Count(n.count)}}, gap: 2, drop: n.drop}
		switch {
		case words == allWords, words == someWords && n.spoken:
			p.spans[0].Text += " " + badge.Word
		case words == noWords:
			p.gap = 1
		}
		if key := h.keyOf(n.status); key != "" && words == allWords {
			p.spans = append([]Span{{theme.Key, key + " "}}, p.spans...)
		}
		parts = append(parts, p)
	}
	for _, v := range h.Views {
		if v.Status == theme.Unknown && words == allWords {
			parts = append(parts, part{spans: []Span{{theme.Key, v.Key + " "}, {theme.Text, v.Name}}, gap: 2, drop: 8})
		}
	}
	return parts
}

// keyOf is the key that opens what a number counts.
func (h *Header) keyOf(s theme.Status) string {
	for _, v := range h.Views {
		if v.Status == s {
			return v.Key
		}
	}
	return ""
}

func partsWidth(m theme.Measure, parts []part) int {
	sum := 0
	for _, p := range parts {
		sum += widthOf(m, p.spans) + p.gap
	}
	return sum
}

// dropParts leaves parts out, the highest drop first and none below the least, until the rest fits.
func dropParts(m theme.Measure, width, least int, groups ...[]part) (a, b, c []part, fits bool) {
	for {
		sum, at, index, highest := 1, -1, -1, least-1
		for g, group := range groups {
			sum += partsWidth(m, group)
			for i, p := range group {
				if p.drop > highest {
					at, index, highest = g, i, p.drop
				}
			}
		}
		if sum <= width || at < 0 {
			return groups[0], groups[1], groups[2], sum <= width
		}
		kept := make([]part, 0, len(groups[at]))
		kept = append(append(kept, groups[at][:index]...), groups[at][index+1:]...)
		groups[at] = kept
	}
}

func putParts(l *Line, parts []part) {
	for _, p := range parts {
		l.PutSpans(p.spans)
		l.Space(p.gap)
	}
}

// Title is what stands in the rule above a pane.
type Title struct {
	Key     string
	Name    string
	Focused bool
	Notes   []Span // after the name, each set apart
	Right   []Span // at the end
}

// AppendTitle draws a rule with a title in it.
func AppendTitle(dst []byte, t *Title, th *theme.Theme, width int) []byte {
	l := NewLine(dst, th, width)
	l.Rule(max(width-1, 0))
	token := theme.Title
	if t.Focused {
		token = theme.TitleFocus
	}
	l.Space(1)
	if t.Key != "" {
		l.Put(token, t.Key+" ")
	}
	l.Put(token, t.Name)
	right := widthOf(th.Measure, t.Right)
	if right > 0 {
		right += 3
	}
	for _, note := range t.Notes {
		if note.Text == "" {
			continue
		}
		room := l.Left() - right - 2
		if room < 4 {
			break
		}
		l.Space(1)
		l.Put(note.Token, th.Measure.Truncate(note.Text, room))
	}
	l.Space(1)
	if right > 0 && l.Left() >= right {
		l.Rule(right)
		l.Space(1).PutSpans(t.Right).Space(1)
	}
	return l.Rule(0).End()
}

// Tab is one pane in the bar that stands above a lone pane.
type Tab struct {
	Key   string
	Name  string
	Count int
	Worst Span // the worst thing in it, if there is one
}

// AppendTabs draws the bar of panes for screens that show one at a time.
func AppendTabs(dst []byte, tabs []Tab, focused int, th *theme.Theme, width int) []byte {
	l := NewLine(dst, th, width)
	full := 1
	for _, t := range tabs {
		full += th.Measure.Width(t.Key+" "+t.Name+" "+strconv.Itoa(t.Count)+" "+t.Worst.Text) + 3
	}
	for i, t := range tabs {
		if i > 0 {
			l.Put(theme.Rule, " "+th.Glyphs.Vertical+" ")
		} else {
			l.Space(1)
		}
		token := theme.Title
		if i == focused {
			token = theme.TitleFocus
		}
		l.Put(token, t.Key+" "+t.Name)
		l.Put(theme.Text, " "+Count(t.Count))
		if t.Worst.Text != "" && (full <= width || i == focused) {
			l.Put(t.Worst.Token, " "+t.Worst.Text)
		}
	}
	return l.End()
}
