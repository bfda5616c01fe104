package views

import (
	"cmp"
	"slices"
	"strings"

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
	text string // drawn
	gap  int
	drop int
}

// trendMinWidth is the screen width from which on the trend of late tasks is shown.
const trendMinWidth = 120

// AppendHeader draws the header.
func (c *Chrome) AppendHeader(dst []byte, h *Header, th *theme.Theme, width int) []byte {
	return c.append(dst, *h, th, width, func() string { return renderHeader(h, th, width) })
}

// renderHeader draws the header. With less room it leaves out the program's name, then the drivers who are off duty or
// busy, the keys of views, the done tasks and half of the trend, then it shortens words, and at last it leaves out what
// is no problem. A number always has its word.
func renderHeader(h *Header, th *theme.Theme, width int) string {
	whole := min(8+(width-trendMinWidth)/10, 16)
	var left, right string
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
		clock := headerTime(h, th, width, try.trend)
		parts := slices.Concat(headerAccount(h, th), headerCounters(h, th, try.labels), clock)
		var fits bool
		left, right, fits = fitParts(th.Measure, parts, len(parts)-len(clock), width-1, try.least)
		if fits {
			break
		}
	}
	return fill(th, " "+left, right, width)
}

// headerTime returns the trend of late tasks and the clock.
func headerTime(h *Header, th *theme.Theme, width, cells int) []part {
	parts := []part{{th.Render(theme.Text, h.Clock), 1, 0}, {th.Render(theme.Muted, h.Zone), 1, 2}}
	if width < trendMinWidth {
		return parts
	}
	line := canvas.Spark(h.Trend, cells, th.Glyphs.Trend)
	return append([]part{{th.Render(theme.StatusToken(board.ToneLate), line), 2, 4}}, parts...)
}

// headerAccount returns the account's name and mode.
func headerAccount(h *Header, th *theme.Theme) []part {
	name := h.Profile
	if h.Sandbox {
		name = "SANDBOX"
	}
	parts := []part{{th.Render(theme.Strong, "waybill"), 2, 9}}
	if name != "" {
		bar := theme.AccentBar
		if h.Production {
			bar = theme.Banner
		}
		parts = append(parts, part{th.Render(bar, " "+name+" "), 2, 0})
	}
	if h.ReadOnly {
		parts = append(parts, part{th.Render(theme.Warn, th.Glyphs.Lock+" read-only"), 2, 0})
	}
	if h.Organization != "" {
		parts = append(parts, part{th.Render(theme.Text, h.Organization), 2, 6})
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

// shortWordOf returns a shorter word for a status.
func shortWordOf(tone board.Tone, word string) string {
	return cmp.Or(map[board.Tone]string{
		board.ToneAtRisk: "risk", board.ToneUnassigned: "unasg", board.ToneActive: "act", board.ToneFailed: "fail", board.ToneOff: "off",
	}[tone], word)
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
		if n.count == 0 {
			badge.Token = theme.Muted
		}
		if labels == shortWords {
			badge.Word = shortWordOf(n.status, badge.Word)
		}
		count, key := Count(n.count), ""
		if h.Blank {
			count = th.Glyphs.None
		}
		if labels == keysAndWords {
			key = h.keyOf(n.status, th)
		}
		parts = append(parts, part{key + th.Render(badge.Token, badge.Glyph+" "+count+" "+badge.Word), 2, n.drop})
	}
	for _, v := range h.Views {
		if v.Status == 0 && labels == keysAndWords {
			text := v.Name
			if v.Count >= 0 {
				text = Count(v.Count) + " " + text
			}
			parts = append(parts, part{th.Render(theme.Key, v.Key+" ") + th.Render(theme.Text, text), 2, 8})
		}
	}
	return parts
}

// keyOf draws the key of the view that a number opens.
func (h *Header) keyOf(s board.Tone, th *theme.Theme) string {
	for _, v := range h.Views {
		if v.Status == s {
			return th.Render(theme.Key, v.Key+" ")
		}
	}
	return ""
}

// fitParts leaves out parts, the highest drop first and none below least, until the rest fits into a width. It returns
// the first parts and those from index right on.
func fitParts(m theme.Measure, parts []part, right, width, least int) (first, last string, fits bool) {
	for {
		sum, at := 0, -1
		for i, p := range parts {
			sum += m.StyledWidth(p.text) + p.gap
			if p.drop >= least && (at < 0 || p.drop > parts[at].drop) {
				at = i
			}
		}
		if sum <= width || at < 0 {
			return joinParts(parts[:right]), joinParts(parts[right:]), sum <= width
		}
		if parts = slices.Delete(parts, at, at+1); at < right {
			right--
		}
	}
}

func joinParts(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text + strings.Repeat(" ", p.gap))
	}
	return b.String()
}
