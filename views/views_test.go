package views

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/board"
	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

func measure() theme.Measure { return theme.NewMeasure(theme.ByCodePoint, false) }

func TestWrapKeepsEveryWordAndTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 40).Draw(t, "width")
		text := strings.Join(rapid.SliceOf(rapid.StringMatching(`[a-zé東-]{1,60}`)).Draw(t, "words"), " ")
		lines := Wrap(text, width, measure())
		for _, line := range lines {
			// A character wider than the line has nowhere else to go.
			require.LessOrEqual(t, measure().Width(line), max(width, 2))
		}
		require.Equal(t, strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(strings.Join(lines, ""), " ", ""))
	})
}

func TestLineEditorKeepsTheCursorInTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in LineEditor
		keys := []string{
			"backspace", "delete", "left", "right", "home", "end", "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+a", "ctrl+e", "up", "x",
		}
		for range rapid.IntRange(0, 60).Draw(t, "keys") {
			if rapid.Bool().Draw(t, "type") {
				in.Insert(rapid.String().Draw(t, "text"))
			} else {
				in.Edit(rapid.SampledFrom(keys).Draw(t, "key"))
			}
			require.GreaterOrEqual(t, in.Cursor(), 0)
			require.LessOrEqual(t, in.Cursor(), len(in.Text()))
			require.NotContains(t, in.Text(), "\n")
			width := rapid.IntRange(0, 30).Draw(t, "width")
			l := NewLine(nil, theme.Choose(theme.Dark, theme.BackgroundDark), width)
			in.Put(l, width)
			require.GreaterOrEqual(t, l.Left(), 0)
		}
	})
}

// A character of several runes is moved over and deleted as one.
func TestLineEditorTreatsClustersAsOneCharacter(t *testing.T) {
	var in LineEditor
	in.Insert("a🇸🇪e\u0301")
	in.Edit("left")
	in.Edit("left")
	require.Equal(t, 1, in.Cursor())
	in.Edit("delete")
	require.Equal(t, "ae\u0301", in.Text())
	in.Edit("end")
	in.Edit("backspace")
	require.Equal(t, "a", in.Text())
}

func TestLineEditorDeletesWords(t *testing.T) {
	var in LineEditor
	in.Insert("team:north late")
	in.Edit("ctrl+w")
	require.Equal(t, "team:north ", in.Text())
	in.Replace(5, 10, "south")
	require.Equal(t, "team:south ", in.Text())
	require.Equal(t, 10, in.Cursor())
}

func TestProgressBar(t *testing.T) {
	th, err := theme.New(theme.Options{Name: theme.Mono, ASCII: true})
	require.NoError(t, err)
	require.Equal(t, "####......", ProgressBar(th, 5, 12, 10))
	require.Equal(t, "#...", ProgressBar(th, 1, 900, 4))
	require.Equal(t, "....", ProgressBar(th, 0, 0, 4))
	require.Equal(t, "####", ProgressBar(th, 9, 3, 4))
}

func TestScrollFollowsLinks(t *testing.T) {
	var s Scroll
	s.SetHeight(4)
	lines := make([]docLine, 12)
	for _, at := range []int{2, 3, 9} {
		lines[at] = docLine{target: model.ID("t"), kind: TaskLink}
		lines[at].target = model.ID(rune('a' + at))
	}
	s.setLines(lines)
	s.Move(1)
	id, kind := s.Link()
	require.Equal(t, TaskLink, kind)
	require.Equal(t, model.ID("c"), id)
	s.Move(1)
	id, _ = s.Link()
	require.Equal(t, model.ID("d"), id)
	for range 12 {
		s.Move(1)
	}
	require.Zero(t, s.More())
	s.Go(table.Top)
	s.Go(table.Bottom)
	s.Move(-1)
	id, _ = s.Link()
	require.Equal(t, model.ID("j"), id, "the nearest link on the way")
}

func TestFormats(t *testing.T) {
	zone := time.UTC
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, zone)
	at := func(d time.Duration) model.Millis { return model.MillisOf(now.Add(d)) }
	for text, row := range map[string]board.TaskRow{
		"":                   {},
		"11:00–13:00":        {Earliest: at(-time.Hour), Due: at(time.Hour)},
		"until 13:00":        {Due: at(time.Hour)},
		"from 11:00":         {Earliest: at(-time.Hour)},
		"Tue 12:00–13:00":    {Earliest: at(24 * time.Hour), Due: at(25 * time.Hour)},
		"11:00–Tue 12:00":    {Earliest: at(-time.Hour), Due: at(24 * time.Hour)},
		"until Apr  1 12:00": {Due: at(30 * 24 * time.Hour)},
	} {
		require.Equal(t, text, windowText(&row, now, zone, "–"))
	}
	require.Equal(t, "1,234,567", Count(1234567))
	require.Equal(t, "999", Count(999))
	require.Equal(t, "-1,000", Count(-1000))
	require.Equal(t, "$14.20", moneyText(14.2, "usd"))
	require.Equal(t, "14.20 EUR", moneyText(14.2, "EUR"))
	require.Equal(t, "<1m", model.FormatShortDelay(20*time.Second))
}

// Lines of the header are exact at every width, and trouble is the last thing to go.
func TestHeaderAtEveryWidth(t *testing.T) {
	th := theme.Choose(theme.Dark, theme.BackgroundDark)
	h := &Header{
		Profile: "prod", Organization: "Bay Couriers", ReadOnly: true, Clock: "12:00", Zone: "PST", Trend: []int{1, 2, 3},
		Counters: board.Counters{Late: 1234, AtRisk: 11, Unassigned: 42, Active: 63, Done: 212, Failed: 4, Idle: 5, Busy: 12, Silent: 1, Off: 3},
		Views:    []Counter{{Key: "5", Name: "Late now", Status: board.ToneLate}, {Key: "6", Name: "mine"}},
	}
	for width := 60; width < 260; width++ {
		line := string(new(Chrome).AppendHeader(nil, h, th, width))
		text := plainText(line)
		require.Equal(t, width, measure().Width(text), "%q", text)
		require.Contains(t, text, "1,234")
		require.Contains(t, text, "read-only")
		require.Contains(t, text, "12:00")
		require.Equal(t, width >= trendMinWidth, strings.ContainsAny(text, "▂▃▄▅▆▇"), "%d: %q", width, text)
		require.NotRegexp(t, `[!~○▶✓✗◇?·] [0-9,]+( *$|  )`, text, "a number has its word")
	}
}

// plainText is a line without the sequences that style it.
func plainText(line string) string {
	var b strings.Builder
	for rest := line; rest != ""; {
		before, after, found := strings.Cut(rest, "\x1b[")
		b.WriteString(before)
		if !found {
			break
		}
		_, rest, _ = strings.Cut(after, "m")
	}
	return b.String()
}
