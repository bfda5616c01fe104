package views

import (
	"strconv"

	"waybill/board"
	"waybill/views/canvas"
	"waybill/views/theme"
)

// Header is the content of the first line.
type Header struct {
	Profile      string // name of the account; may be empty
	Sandbox      bool
	Production   bool
	Organization string
	ReadOnly     bool
	Counters     board.Counters
	Blank        bool      // no data has arrived yet
	Trend        []int     // late tasks over time
	Views        []Counter // saved views with a key
	Zone         string
	Clock        string
}

// Counter is a saved view on a key. It opens one of the header's numbers or shows its own name and count.
type Counter struct {
	Key    string
	Name   string
	Status board.Tone // the number it opens; zero for a user's view
	Count  int        // rows of a user's view; negative while unknown
}

// part is a part of a line. Where there is too little room, parts with the highest drop are left out first.
type part struct {
	spans []Span
	gap   int
	drop  int
}

// trendMinWidth is the screen width from which on the trend of late tasks is shown.
const trendMinWidth = 120

// AppendHeader draws the header. With less room it leaves out the program's name, then the drivers who are off duty or
// busy, the keys of views, the done tasks and half of the trend, then it shortens words, and at last it leaves out what
// is no problem. A number always has its word.
func AppendHeader(dst []byte, h *Header, th *theme.Theme, width int) []byte {
	var left, counters, right []part
	whole := min(8+(width-trendMinWidth)/10, 16)
	for _, try := range [...]struct {
		labels labeling
		least  int // parts with a lower drop stay
		trend  int // cells of the trend
	}{
		{keysAndWords, 8, whole},
		{wordsOnly, 6, whole},
		{wordsOnly, 5, whole},
		{wordsOnly, 5, whole / 2},
		{shortWords, 5, whole},
		{shortWords, 1, whole},
	} {
		var fits bool
		left, counters, right, fits = dropParts(th.Measure, width, try.least,
			headerAccount(h, th), headerCounters(h, th, try.labels), headerTime(h, th, width, try.trend))
		if fits {
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

// headerTime returns the trend of late tasks and the clock.
func headerTime(h *Header, th *theme.Theme, width, cells int) []part {
	parts := []part{{spans: []Span{{theme.Text, h.Clock}}, gap: 1}, {spans: []Span{{theme.Muted, h.Zone}}, gap: 1, drop: 2}}
	if width < trendMinWidth {
		return parts
	}
	line := canvas.Spark(h.Trend, cells, th.Glyphs.Trend)
	return append([]part{{spans: []Span{{theme.StatusToken(board.ToneLate), line}}, gap: 2, drop: 4}}, parts...)
}

// headerAccount returns the account's name and mode.
func headerAccount(h *Header, th *theme.Theme) []part {
	name := h.Profile
	if h.Sandbox {
		name = "SANDBOX"
	}
	parts := []part{{spans: []Span{{theme.Strong, "waybill"}}, gap: 2, drop: 9}}
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
		parts = append(parts, part{spans: []Span{{theme.Text, h.Organization}}, gap: 2, drop: 6})
	}
	return parts
}

// labeling is how the counters are labeled.
type labeling uint8

const (
	keysAndWords labeling = iota
	wordsOnly
	shortWords
)

// shortWord returns a short word for a status.
func shortWord(s board.Tone, word string) string {
	switch s {
	case board.ToneAtRisk:
		return "risk"
	case board.ToneUnassigned:
		return "unasgd"
	case board.ToneActive:
		return "act"
	case board.ToneFailed:
		return "fail"
	case board.ToneOff:
		return "off"
	default:
		return word
	}
}

// headerCounters returns the counters and the saved views.
func headerCounters(h *Header, th *theme.Theme, labels labeling) []part {
	c := h.Counters
	numbers := []struct {
		status board.Tone
		count  int
		drop   int
	}{
		{board.ToneLate, c.Late, 0},
		{board.ToneAtRisk, c.AtRisk, 0},
		{board.ToneUnassigned, c.Unassigned, 1},
		{board.ToneActive, c.Active, 4},
		{board.ToneDone, c.Done, 5},
		{board.ToneFailed, c.Failed, 3},
		{board.ToneIdle, c.Idle, 2},
		{board.ToneBusy, c.Busy, 7},
		{board.ToneSilent, c.Silent, 1},
		{board.ToneOff, c.Off, 8},
	}
	var parts []part
	for _, n := range numbers {
		badge := th.Badge(n.status)
		token := badge.Token
		if n.count == 0 {
			token = theme.Muted
		}
		word := badge.Word
		if labels == shortWords {
			word = shortWord(n.status, word)
		}
		text := Count(n.count)
		if h.Blank {
			text = th.Glyphs.None
		}
		p := part{spans: []Span{{token, badge.Glyph + " " + text + " " + word}}, gap: 2, drop: n.drop}
		if key := h.keyOf(n.status); key != "" && labels == keysAndWords {
			p.spans = append([]Span{{theme.Key, key + " "}}, p.spans...)
		}
		parts = append(parts, p)
	}
	for _, v := range h.Views {
		if v.Status == 0 && labels == keysAndWords {
			text := v.Name
			if v.Count >= 0 {
				text = Count(v.Count) + " " + text
			}
			parts = append(parts, part{spans: []Span{{theme.Key, v.Key + " "}, {theme.Text, text}}, gap: 2, drop: 8})
		}
	}
	return parts
}

// keyOf returns the key of the view that a number opens.
func (h *Header) keyOf(s board.Tone) string {
	for _, v := range h.Views {
		if v.Status == s {
			return v.Key
		}
	}
	return ""
}

// partsWidth returns the cells of parts with their gaps.
func partsWidth(m theme.Measure, parts []part) int {
	sum := 0
	for _, p := range parts {
		sum += spansWidth(m, p.spans) + p.gap
	}
	return sum
}

// dropParts leaves out parts, the highest drop first and none below least, until the rest fits.
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

// Title is the content of the rule above a pane.
type Title struct {
	Key     string
	Name    string
	Focused bool
	Notes   []Span // after the name
	Right   []Span // at the right end
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
	right := spansWidth(th.Measure, t.Right)
	if right > 0 {
		right += 3
	}
	for _, note := range t.Notes {
		if note.Text == "" {
			continue
		}
		room := l.Left() - right - 2
		if room < 4 || note.Token != theme.Match && th.Measure.Width(note.Text) > room {
			break // only a filter may be truncated: part of a number would be wrong
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

// Tab is a pane in the tab bar.
type Tab struct {
	Key   string
	Name  string
	Count int
	Worst Span // the worst status in it; may be empty
}

// AppendTabs draws the tab bar of screens that show one pane at a time.
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
