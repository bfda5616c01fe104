package canvas

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/board"
	"waybill/views/theme"
)

func mono() *theme.Theme { return theme.Choose(theme.Mono, theme.BackgroundUnknown) }

func picture(c *Canvas, th *theme.Theme) string {
	_, h := c.Size()
	lines := make([]string, h)
	for y := range lines {
		lines[y] = strings.TrimRight(ansi.Strip(string(c.AppendLine(nil, y, th))), " ")
	}
	return strings.Join(lines, "\n")
}

func TestEveryDotHasItsBit(t *testing.T) {
	for i, want := range []string{"⠁", "⠂", "⠄", "⡀", "⠈", "⠐", "⠠", "⢀"} {
		c := New(1, 1)
		c.Point(i/4, i%4, theme.Text)
		require.Equal(t, want, picture(c, mono()))
	}
	c := New(1, 1)
	for _, p := range [][2]int{{-1, 0}, {0, -1}, {2, 0}, {0, 4}} {
		c.Point(p[0], p[1], theme.Text)
		require.False(t, c.Glyph(p[0], p[1], "x", theme.Text))
		require.False(t, c.Label(p[0], p[1], "x", theme.Text, mono().Measure))
	}
	require.Empty(t, picture(c, mono()))
}

func TestDrawing(t *testing.T) {
	c := New(24, 5)
	c.Line(0, 19, 47, 0, theme.StatusToken(board.ToneActive))
	c.Line(8, 0, 8, 19, theme.Muted)
	c.Glyph(4, 8, "▶", theme.StatusToken(board.ToneActive))
	require.True(t, c.Label(4, 8, "D. Okafor", theme.Strong, mono().Measure))
	c.Glyph(40, 8, "○", theme.StatusToken(board.ToneUnassigned))
	require.True(t, c.Label(40, 8, "9e01ab42", theme.Text, mono().Measure), "no room to the right or left: above")
	require.Equal(t, strings.Join([]string{
		"    ⡇              ⢀⡠⠤⠒⠉",
		"    ⡇         ⢀⡠9e01ab42",
		"  ▶ D. Okafor⠉⠁     ○",
		"    ⣇⣀⠤⠒⠊⠁",
		"⣀⠤⠒⠊⡇",
	}, "\n"), picture(c, mono()))

	ascii, err := theme.New(theme.Options{Name: theme.Mono, ASCII: true})
	require.NoError(t, err)
	for _, r := range strings.Replace(strings.Replace(picture(c, ascii), "▶", "", 1), "○", "", 1) {
		require.Less(t, r, rune(0x7f), "dots have ASCII stand-ins")
	}
}

func TestLabelsDoNotOverlap(t *testing.T) {
	m := mono().Measure
	c := New(20, 3)
	for _, name := range []string{"first", "second", "third", "fourth"} {
		c.Glyph(20, 4, "o", theme.Text)
		c.Label(20, 4, name, theme.Text, m)
	}
	got := picture(c, mono())
	for _, name := range []string{"first", "second", "third", "fourth"} {
		require.Contains(t, got, name)
	}
	require.False(t, c.Label(20, 4, "there is no room for this", theme.Text, m))
	require.Equal(t, got, picture(c, mono()), "a label without a place changes nothing")
}

func TestGlyphOverWideLetter(t *testing.T) {
	for x := range 8 {
		c := New(10, 1)
		require.True(t, c.Label(0, 0, "東京", theme.Text, mono().Measure))
		c.Glyph(x*2, 0, "x", theme.Text)
		line := string(c.AppendLine(nil, 0, mono()))
		require.Equal(t, 10, ansi.WcWidth.StringWidth(line), "%q", line)
		require.Contains(t, line, "x")
	}
}

func TestLinesAreExactAndNothingPanics(t *testing.T) {
	names := []string{"D. Okafor", "東京都", "e\u0301a", "👩‍👩‍👧", "\x1b[2J", "नमस्ते", "🇸🇪", "한국", "각", "\n", ""}
	rapid.Check(t, func(t *rapid.T) {
		method := rapid.SampledFrom([]theme.Method{theme.ByCodePoint, theme.ByGrapheme}).Draw(t, "method")
		th, err := theme.New(theme.Options{Name: theme.Dark, Measure: method, ASCII: rapid.Bool().Draw(t, "ascii")})
		require.NoError(t, err)
		w, h := rapid.IntRange(0, 40).Draw(t, "w"), rapid.IntRange(0, 12).Draw(t, "h")
		c := New(w, h)
		dot := rapid.IntRange(-200, 200)
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			token := theme.Token(rapid.IntRange(0, theme.TokenCount-1).Draw(t, "token"))
			x, y := dot.Draw(t, "x"), dot.Draw(t, "y")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				c.Point(x, y, token)
			case 1:
				c.Line(x, y, dot.Draw(t, "x1"), dot.Draw(t, "y1"), token)
			case 2:
				c.Glyph(x%(2*w+1), y%(4*h+1), "▶", token)
			case 3:
				c.Label(x%(2*w+1), y%(4*h+1), rapid.SampledFrom(names).Draw(t, "name"), token, th.Measure)
			}
		}
		counting := ansi.WcWidth
		if method == theme.ByGrapheme {
			counting = ansi.GraphemeWidth
		}
		for y := range h {
			line := string(c.AppendLine(nil, y, th))
			require.Equal(t, w, counting.StringWidth(line), "%q", line)
		}
	})
}

// A clipped line follows the line it was cut from, and its ends are drawn when
// they are on the canvas.
func TestLinesAreStraight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const w, h = 20, 10
		coordinate := rapid.IntRange(-500, 500)
		x0, y0, x1, y1 := coordinate.Draw(t, "x0"), coordinate.Draw(t, "y0"), coordinate.Draw(t, "x1"), coordinate.Draw(t, "y1")
		c := New(w, h)
		c.Line(x0, y0, x1, y1, theme.Text)
		drawn := 0
		for y := range h * dotsY {
			for x := range w * dotsX {
				if !isSet(c, x, y) {
					continue
				}
				drawn++
				require.LessOrEqual(t, distance(x, y, x0, y0, x1, y1), 1.5, "%d,%d", x, y)
			}
		}
		for _, end := range [][2]int{{x0, y0}, {x1, y1}} {
			if x, y := end[0], end[1]; x >= 0 && y >= 0 && x < w*dotsX && y < h*dotsY {
				require.True(t, isSet(c, x, y))
				require.Positive(t, drawn)
			}
		}
	})
}

func isSet(c *Canvas, x, y int) bool {
	return c.cells[y/dotsY*c.width+x/dotsX].dots&dotBit(x%dotsX, y%dotsY) != 0
}

func distance(x, y, x0, y0, x1, y1 int) float64 {
	dx, dy := float64(x1-x0), float64(y1-y0)
	length := math.Hypot(dx, dy)
	if length == 0 {
		return math.Hypot(float64(x-x0), float64(y-y0))
	}
	return math.Abs(dy*float64(x-x0)-dx*float64(y-y0)) / length
}

func TestResizeClears(t *testing.T) {
	c := New(4, 2)
	c.Line(0, 0, 7, 7, theme.Text)
	c.Resize(3, 2)
	require.Equal(t, "\n", picture(c, mono()))
	w, h := c.Dots()
	require.Equal(t, []int{6, 8}, []int{w, h})
}

func TestSpark(t *testing.T) {
	levels := mono().Glyphs.Trend
	require.Equal(t, "  ▁▃▆█", Spark([]int{0, 1, 6, 10}, 6, levels))
	require.Equal(t, "▂█", Spark([]int{99, 99, 1, 500}, 2, levels), "one among hundreds is seen")
	require.Equal(t, "▅▅▅▅", Spark([]int{13, 13, 13, 13}, 4, levels), "what stands still is no wall")
	require.Equal(t, "▃▅▅▇", Spark([]int{11, 12, 12, 13}, 4, levels), "little movement is seen as little")
	require.Equal(t, "   ", Spark(nil, 3, levels))
	require.Equal(t, "▁▁", Spark([]int{0, 0}, 2, levels))
	require.Empty(t, Spark([]int{1}, 0, levels))
}

func BenchmarkMap(b *testing.B) {
	th := theme.Choose(theme.Dark, theme.BackgroundDark)
	c := New(150, 55)
	w, h := c.Dots()
	places := make([]Place, 3000)
	for i := range places {
		places[i] = Place{-122.5 + float64(i*7919%1000)/4000, 37.7 + float64(i*104729%1000)/6000}
	}
	dst := make([]byte, 0, 1<<16)
	b.ReportAllocs()
	for b.Loop() {
		c.Resize(150, 55)
		v := Fit(places, w, h)
		var px, py int
		for i, p := range places {
			x, y := v.Project(p)
			if i%10 != 0 && i < 1000 {
				c.Line(px, py, x, y, theme.StatusToken(board.ToneAssigned))
			}
			px, py = x, y
			c.Point(x, y, theme.StatusToken(board.ToneActive))
		}
		for i, p := range places[:40] {
			x, y := v.Project(p)
			c.Glyph(x, y, th.Glyphs.Active, theme.StatusToken(board.ToneActive))
			if i < 10 {
				c.Label(x, y, "D. Okafor", theme.Text, th.Measure)
			}
		}
		dst = dst[:0]
		for y := range 55 {
			dst = c.AppendLine(dst, y, th)
		}
	}
	b.ReportMetric(float64(len(dst)), "bytes/frame")
}
