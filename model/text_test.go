package model

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestCleanDropsWhatCouldHarmAScreen(t *testing.T) {
	tests := []struct{ name, in, line, text string }{
		{"plain", "12 Rue Légère, 東京 🚚", "12 Rue Légère, 東京 🚚", "12 Rue Légère, 東京 🚚"},
		{"newline", "gate\ncode", "gate code", "gate\ncode"},
		{"windows line end", "gate\r\ncode", "gate code", "gate\ncode"},
		{"lone carriage return", "gate\rcode", "gate code", "gate\ncode"},
		{"tab", "a\tb", "a b", "a b"},
		{"line separators", "a\u2028b\u2029c\u0085d", "a b c d", "a\nb\nc\nd"},
		{"vertical tab and form feed", "a\vb\fc", "a b c", "a\nb\nc"},
		{"C0", "a\x00b\x07c\x08d", "abcd", "abcd"},
		{"DEL", "a\x7fb", "ab", "ab"},
		{"C1", "a\u0080b\u008dc", "abc", "abc"},
		{"CSI", "a\x1b[31;1mred\x1b[0m", "ared", "ared"},
		{"CSI with intermediates", "a\x1b[2 qb", "ab", "ab"},
		{"CSI as C1", "a\u009b31mb", "ab", "ab"},
		{"OSC ended by BEL", "a\x1b]0;title\x07b", "ab", "ab"},
		{"OSC ended by ST", "a\x1b]52;c;cHduZWQ=\x1b\\b", "ab", "ab"},
		{"OSC ended by C1 ST", "a\x1b]8;;http://x\u009cb", "ab", "ab"},
		{"OSC as C1", "a\u009d0;title\x07b", "ab", "ab"},
		{"OSC over lines", "a\x1b]0;one\ntwo\x07b", "ab", "ab"},
		{"OSC cancelled", "a\x1b]0;one\x18b", "ab", "ab"},
		{"OSC without end takes its line", "a\x1b]0;one\nb", "a b", "a\nb"},
		{"OSC cut by another sequence", "a\x1b]0;one\x1b[1mb", "ab", "ab"},
		{"DCS", "a\x1bPq#0;2\x1b\\b", "ab", "ab"},
		{"APC, PM, SOS", "a\x1b_x\x1b\\\x1b^y\x1b\\\x1bXz\x1b\\b", "ab", "ab"},
		{"short escapes", "a\x1bcb\x1b(Bc\x1b7d", "abcd", "abcd"},
		{"escape at the end", "a\x1b", "a", "a"},
		{"escape before a newline", "a\x1b\nb", "a b", "a\nb"},
		{"direction override", "invoice\u202efdp.exe", "invoicefdp.exe", "invoicefdp.exe"},
		{"direction isolates and marks", "\u2066a\u2069\u200eb\u061c", "ab", "ab"},
		{"zero width", "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg", "abcdefg", "abcdefg"},
		{"tags", "a\U000e0041\U000e007fb", "ab", "ab"},
		{"variation selectors stay", "❤️", "❤️", "❤️"},
		{"broken UTF-8", "a\xff\xfeb", "a\ufffd\ufffdb", "a\ufffd\ufffdb"},
		{"cut-off rune", "a\xe2\x82", "a\ufffd\ufffd", "a\ufffd\ufffd"},
		{"8-bit CSI is broken UTF-8", "a\x9b31mb", "a\ufffd31mb", "a\ufffd31mb"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.line, Clean(test.in))
			require.Equal(t, test.text, CleanMultiline(test.in))
		})
	}
}

func TestCleanCutsLongTexts(t *testing.T) {
	require.Equal(t, strings.Repeat("ä", MaxLine), Clean(strings.Repeat("ä", MaxLine)))
	require.Equal(t, strings.Repeat("ä", MaxLine-1)+"…", Clean(strings.Repeat("ä", MaxLine+1)))
	require.Equal(t, strings.Repeat("x\n", MaxText/2-1)+"x…", CleanMultiline(strings.Repeat("x\n", MaxText)))
	require.Equal(t, strings.Repeat("x", MaxLine), Clean(strings.Repeat("x\u200b", MaxLine)), "what is dropped does not count")
}

func TestCleanTextIsNotCopied(t *testing.T) {
	text := strings.Repeat("Café de Flore, 172 Boulevard Saint-Germain ", 4)
	require.Zero(t, testing.AllocsPerRun(100, func() { Clean(text) }))
}

func TestCleanIsLinearInHostileText(t *testing.T) {
	// Each introducer could start a search to the end of the text; a second-order cleaner would not come back.
	for _, piece := range []string{"\x1b]", "\u009d", "\x1bP\n", "\u009dx\n", "\x1b["} {
		require.Empty(t, strings.Trim(Clean(strings.Repeat(piece, 1<<20)), " …"), "%q", piece)
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "plain", "a\x1b[31mb", "\x1b]0;x\x07", "\u009b1m", "a\xffb", "a\u202eb\r\nc", "\x1b\x1b[[\x1b]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line, text := Clean(s), CleanMultiline(s)
		requireHarmless(t, line, false)
		requireHarmless(t, text, true)
		require.Equal(t, line, Clean(line))
		require.Equal(t, text, CleanMultiline(text))
		require.LessOrEqual(t, utf8.RuneCountInString(line), MaxLine)
		require.LessOrEqual(t, utf8.RuneCountInString(text), MaxText)
	})
}

// requireHarmless says again, in other words than the code, what must never reach a screen.
func requireHarmless(t *testing.T, s string, multiline bool) {
	t.Helper()
	require.True(t, utf8.ValidString(s))
	for _, r := range s {
		allowed := r == '\n' && multiline
		control := r < ' ' || (r >= 0x7f && r < 0xa0)
		require.False(t, control && !allowed, "control %U in %q", r, s)
		require.False(t, strings.ContainsRune("\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b"+
			"\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206f\ufeff", r), "%U in %q", r, s)
		require.False(t, r >= 0xe0000 && r <= 0xe007f, "tag %U in %q", r, s)
	}
}

func TestCSVCellGuardsFormulas(t *testing.T) {
	for cell, guarded := range map[string]string{
		"":              "",
		"plain":         "plain",
		"=1+1":          "'=1+1",
		"+15551234567":  "'+15551234567",
		"-5":            "'-5",
		"@SUM(A1)":      "'@SUM(A1)",
		"\tx":           "'\tx",
		"\rx":           "'\rx",
		"\nx":           "'\nx",
		"'quoted'":      "'quoted'",
		"'=1":           "''=1",
		"O'Neill = Ann": "O'Neill = Ann",
	} {
		require.Equal(t, guarded, GuardCSVCell(cell))
		require.Equal(t, cell, UnguardCSVCell(guarded))
	}
}
