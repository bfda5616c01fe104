package theme

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFitExamples(t *testing.T) {
	for _, c := range []struct {
		name, text string
		width      int
		align      Align
		want       string
	}{
		{"shorter", "Howard St", 12, Left, "Howard St   "},
		{"right", "34m", 6, Right, "   34m"},
		{"exact", "c77ff497", 8, Left, "c77ff497"},
		{"cut", "543 Howard Street", 8, Left, "543 How…"},
		{"cut right aligned keeps the beginning", "543 Howard", 5, Right, "543 …"},
		{"one cell", "Lindqvist", 1, Left, "…"},
		{"nothing", "Lindqvist", 0, Left, ""},
		{"accents", "Åsa Ångström", 7, Left, "Åsa Ån…"},
		{"wide", "東京都港区", 7, Left, "東京都…"},
		{"wide rune does not fit: padded", "東京都港区", 6, Left, "東京… "},
		{"combining stays with its letter", "e\u0301e\u0301e\u0301", 2, Left, "e\u0301…"},
		{"combining counts nothing", "e\u0301x", 3, Left, "e\u0301x "},
		{"leading combining is dropped", "\u0301x", 3, Left, "x  "},
		{"empty", "", 3, Left, "   "},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, NewMeasure(ByCodePoint, false).Fit(c.text, c.width, c.align))
		})
	}
}

func TestFitRemovesControlCharacters(t *testing.T) {
	for _, hostile := range []string{
		"\x1b[2Jgone", "a\nb", "a\rb", "tab\there", "\x1b]0;title\a", "\u009b31m", "\x7f", "a\u2028b", "abc\u202edcba", "\xff\xfe",
	} {
		out := NewMeasure(ByCodePoint, false).Fit(hostile, 20, Left)
		require.True(t, utf8.ValidString(out))
		require.Negative(t, strings.IndexFunc(out, isUnsafe), "%q", out)
		require.Equal(t, 20, ansi.WcWidth.StringWidth(out), "%q", out)
	}
}

// A fitted text has exactly the requested width by the measure's method.
func TestFitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		method := rapid.SampledFrom([]Method{ByCodePoint, ByGrapheme}).Draw(t, "method")
		text := drawText(t)
		width := rapid.IntRange(0, 30).Draw(t, "width")
		align := rapid.SampledFrom([]Align{Left, Right}).Draw(t, "align")
		m := NewMeasure(method, rapid.Bool().Draw(t, "ascii"))

		out := m.Fit(text, width, align)

		require.Equal(t, width, m.method.StringWidth(out), "%q became %q", text, out)
		require.Equal(t, width, m.Width(out))
		if full := m.Width(text); full <= width {
			require.Equal(t, strings.Trim(clean(text), " "), strings.Trim(out, " "), "nothing is lost when there is room")
		}
	})
}

func TestTruncateNeverPads(t *testing.T) {
	m := NewMeasure(ByCodePoint, false)
	require.Equal(t, "short", m.Truncate("short", 10))
	require.Equal(t, "lon…", m.Truncate("longer", 4))
	require.Equal(t, "a?b", m.Truncate("a\nb", 10))
}

func TestNarrowCharactersTakeOneCellAndJoinNothing(t *testing.T) {
	for r := rune(0); r < 0x3000; r++ {
		if !isNarrow(r) {
			continue
		}
		for _, method := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
			require.Equal(t, 1, method.StringWidth(string(r)), "%U", r)
			cluster, _ := ansi.FirstGraphemeCluster("a"+string(r), method)
			require.Equal(t, "a", cluster, "%U joins the letter before it", r)
		}
	}
}

// drawText draws texts that are hard to measure: wide runes, marks, joiners,
// flags, escape characters, broken UTF-8.
func drawText(t *rapid.T) string {
	pieces := []string{
		"a", "Z9", " ", "é", "–", "東", "e\u0301", "\u0301", "\u200d", "👩‍👩‍👧", "👍🏽", "🇸🇪", "🇸", "❤️", "नमस्ते", "한국", "각",
		"\x1b[31m", "\n", "\t", "\xff", "\u202e", "\u00ad", "ｶﾞ", "ﾞ", "🏿", "،", "\u0600", "▶", "◐", "…",
	}
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
	return text + strings.Trim(rapid.StringN(0, 4, -1).Draw(t, "any"), " ")
}

func BenchmarkAppendFit(b *testing.B) {
	m := NewMeasure(ByCodePoint, false)
	for name, text := range map[string]string{
		"ascii":    "543 Howard Street, San Francisco",
		"accents":  "Åsa Ångström – Malmö",
		"wide":     "東京都港区芝公園",
		"clusters": "नमस्ते 👍🏽 e\u0301",
	} {
		b.Run(name, func(b *testing.B) {
			dst := make([]byte, 0, 256)
			b.ReportAllocs()
			for b.Loop() {
				dst = m.AppendFit(dst[:0], text, 16, Left)
			}
		})
	}
}
