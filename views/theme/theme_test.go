package theme

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"waybill/board"
)

func TestEveryStatusHasGlyphWordAndColour(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		th, err := New(Options{Name: Dark, ASCII: ascii})
		require.NoError(t, err)
		glyphs, words := map[string]board.Tone{}, map[string]bool{}
		for s := board.ToneUnknown; s < board.ToneCount; s++ {
			b := th.Badge(s)
			require.Equal(t, 1, ansi.StringWidth(b.Glyph), "%v", s)
			require.NotEmpty(t, b.Word)
			require.False(t, words[b.Word], "two statuses are called %q", b.Word)
			words[b.Word] = true
			if other, taken := glyphs[b.Glyph]; taken {
				require.ElementsMatch(t, []board.Tone{board.ToneActive, board.ToneBusy}, []board.Tone{s, other}, "only active and busy share a glyph")
			}
			glyphs[b.Glyph] = s
		}
	}
}

func TestGlyphsAreOneCell(t *testing.T) {
	for _, g := range []Glyphs{unicodeGlyphs(), asciiGlyphs()} {
		all := append([]string{
			g.Unassigned, g.Assigned, g.Active, g.Done, g.Failed, g.Late, g.AtRisk, g.Silent, g.Idle, g.Off, g.Unknown,
			g.Cursor, g.Mark, g.Range, g.New, g.Changed, g.Up, g.Down, g.SortUp, g.SortDown, g.More,
			g.Horizontal, g.Vertical, g.TeeDown, g.TeeUp, g.Cross, g.TeeRight, g.TeeLeft, g.Arrow, g.Dot, g.Lock, g.Bullet, g.None,
		}, g.Trend...)
		for _, glyph := range all {
			require.Equal(t, 1, ansi.WcWidth.StringWidth(glyph), "%q", glyph)
			require.Equal(t, 1, ansi.GraphemeWidth.StringWidth(glyph), "%q", glyph)
		}
	}
	for _, glyph := range asciiGlyphs().Trend {
		require.Less(t, glyph[0], byte(0x7f))
	}
}

// Every glyph has one meaning, in ASCII too.
func TestLegendGlyphsAreUnique(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		th, err := New(Options{Name: Dark, ASCII: ascii})
		require.NoError(t, err)
		seen := map[string]string{}
		for _, sign := range th.Legend() {
			require.NotContains(t, seen, sign.Glyph, "%s", sign.Word)
			seen[sign.Glyph] = sign.Word
			if ascii {
				require.Less(t, sign.Glyph[0], byte(0x7f), sign.Word)
			}
		}
		for s := board.ToneUnknown; s < board.ToneCount; s++ {
			require.Contains(t, seen, th.Badge(s).Glyph)
		}
	}
}

func TestEverySignIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/console.md")
	require.NoError(t, err)
	unicode, err := New(Options{Name: Dark})
	require.NoError(t, err)
	ascii, err := New(Options{Name: Dark, ASCII: true})
	require.NoError(t, err)
	plain := ascii.Legend()
	for i, sign := range unicode.Legend() {
		require.Contains(t, string(page), "| `"+sign.Glyph+"` | `"+plain[i].Glyph+"` | "+sign.Word+" | "+sign.Means+" |")
	}
}

func TestOrderStatusHasABadge(t *testing.T) {
	th := Choose(Dark, BackgroundDark)
	require.Equal(t, "unassigned", th.Badge(board.OrderTone("UNASSIGNED")).Word)
	require.Equal(t, "unknown", th.Badge(board.OrderTone("held_at_customs")).Word)
	require.Equal(t, "unknown", th.Badge(board.OrderTone("")).Word)
}

func TestMonoSendsNoColour(t *testing.T) {
	for _, o := range []Options{{Name: Mono}, {Name: Dark, Depth: DepthNone}, {Name: HighContrast}} {
		th, err := New(o)
		require.NoError(t, err)
		for row := range rowStates {
			for token := range tokenCount {
				for _, code := range strings.Split(strings.Trim(th.On(token, row), "\x1b[m"), ";") {
					require.Contains(t, []string{"", "1", "2", "4", "7"}, code, "%v", o)
				}
			}
		}
	}
}

func TestSequencesReplaceTheStyleBefore(t *testing.T) {
	th := Choose(Dark, BackgroundDark)
	require.Equal(t, "\x1b[m", th.On(Text, RowPlain))
	require.Equal(t, "\x1b[;1;38;5;220m", th.On(StatusToken(board.ToneLate), RowPlain))
	require.Equal(t, "\x1b[;1;38;5;220;48;5;237m", th.On(StatusToken(board.ToneLate), RowCursor))
	require.Equal(t, "\x1b[;2;38;5;220m", th.On(StatusToken(board.ToneLate), RowStale))

	sixteen, err := New(Options{Name: Dark, Depth: Depth16})
	require.NoError(t, err)
	require.Equal(t, "\x1b[;1;93m", sixteen.On(StatusToken(board.ToneLate), RowPlain))
	require.Equal(t, "\x1b[;7;1m", swapFirst(sixteen.On(StatusToken(board.ToneLate), RowCursor)), "without a background colour the row is reversed")
}

// swapFirst makes the order of attributes irrelevant to a test.
func swapFirst(s string) string { return strings.Replace(s, ";1;7m", ";7;1m", 1) }

func TestThemesAreValues(t *testing.T) {
	test := Choose(Dark, BackgroundDark)
	before := test.On(AccentBar, RowPlain)
	production, err := New(Options{Name: Dark, Background: BackgroundDark, AccentHue: "red"})
	require.NoError(t, err)
	require.NotEqual(t, before, production.On(AccentBar, RowPlain))
	require.Equal(t, before, test.On(AccentBar, RowPlain))

	_, err = New(Options{Name: Dark, AccentHue: "mauve"})
	require.ErrorContains(t, err, "teal, blue")
	_, err = New(Options{Name: "solarized"})
	require.ErrorContains(t, err, "high-contrast")
	require.Equal(t, Choose(Auto, BackgroundDark).sequences, Choose("solarized", BackgroundDark).sequences)
}

func TestNoColorIsAnyNonEmptyValue(t *testing.T) {
	for _, value := range []string{"1", "0", "yes", "false", " "} {
		name, depth := FromEnvironment(Auto, env("NO_COLOR", value, "TERM", "xterm-256color"))
		require.Equal(t, Mono, name)
		require.Equal(t, DepthNone, depth)
	}
	name, depth := FromEnvironment(Auto, env("NO_COLOR", "", "TERM", "xterm-256color"))
	require.Equal(t, Auto, name)
	require.Equal(t, Depth256, depth)
	name, _ = FromEnvironment(Light, env("NO_COLOR", "1", "TERM", "xterm"))
	require.Equal(t, Light, name, "a flag for this program wins")
	name, depth = FromEnvironment(Dark, env("TERM", "dumb"))
	require.Equal(t, Mono, name)
	require.Equal(t, DepthNone, depth)
	_, depth = FromEnvironment(Dark, env("TERM", "linux"))
	require.Equal(t, Depth16, depth)
}

// Palettes keep the contrast their comments promise.
func TestContrast(t *testing.T) {
	black, darkGrey := rgb{0, 0, 0}, rgb{0x1e, 0x1e, 0x1e}
	white, paper := rgb{255, 255, 255}, rgb{0xfd, 0xf6, 0xe3}
	for _, c := range []struct {
		name        string
		palette     palette
		backgrounds []rgb
		atLeast     float64
	}{
		{"dark", darkPalette, []rgb{black, darkGrey}, 4.5},
		{"dark on the cursor's row", darkPalette, []rgb{xterm(237)}, 3},
		{"light", lightPalette, []rgb{white}, 4.5},
		{"light on paper", lightPalette, []rgb{paper}, 4},
		{"light on the cursor's row", lightPalette, []rgb{xterm(254)}, 3},
		{"neutral", neutralPalette, []rgb{black, white}, 3},
		{"high contrast dark", highContrastDark, []rgb{black}, 7},
		{"high contrast light", highContrastLight, []rgb{white}, 7},
	} {
		for h, palettes := range hueColours() {
			col := palettes[c.palette]
			for _, bg := range c.backgrounds {
				if col.c256 >= 0 {
					require.GreaterOrEqual(t, contrast(xterm(col.c256), bg), c.atLeast, "%s: hue %d (%d)", c.name, h, col.c256)
				}
			}
		}
	}
}

type rgb [3]float64

// xterm is the colour of an index in the usual 256-colour table.
func xterm(index int16) rgb {
	switch {
	case index == 15:
		return rgb{255, 255, 255}
	case index >= 232:
		v := float64(8 + 10*(index-232))
		return rgb{v, v, v}
	}
	step := func(n int16) float64 {
		if n == 0 {
			return 0
		}
		return float64(55 + 40*n)
	}
	n := index - 16
	return rgb{step(n / 36), step(n / 6 % 6), step(n % 6)}
}

func contrast(a, b rgb) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c rgb) float64 {
	linear := func(v float64) float64 {
		v /= 255
		if v <= 0.03928 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// env is an environment of names and values in turn.
func env(pairs ...string) func(string) string {
	return func(key string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == key {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestNeedsASCII(t *testing.T) {
	for locale, want := range map[string]bool{
		"": false, "C": true, "POSIX": true, "C.UTF-8": false, "C.utf8": false, "en_US.UTF-8": false, "de_DE.UTF-8@euro": false,
		"de_DE": false, "de_DE.ISO-8859-1": true, "ja_JP.eucJP": true,
	} {
		require.Equal(t, want, NeedsASCII(env("LANG", locale)), locale)
	}
	require.False(t, NeedsASCII(env("LANG", "C", "LC_ALL", "C.UTF-8")))
	require.True(t, NeedsASCII(env("LANG", "C.UTF-8", "LC_CTYPE", "C")))
}
