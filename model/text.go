package model

import (
	"strings"
	"unicode/utf8"
)

// Lengths in characters (Unicode code points) to which text from outside is cut; the last one left is then "…".
const (
	// MaxLine is for texts of one line: names, addresses, titles.
	MaxLine = 4_096
	// MaxText is for texts of several lines; the longest the interface allows are notes of 10,000 characters.
	MaxText = 65_536
)

const ellipsis = "…"

// Clean makes text from outside safe to show on one line: in a terminal, a window title, a log or an error.
//
// It removes escape sequences with their payload, control characters, and characters that are invisible or reorder their
// neighbours: such text can move the cursor, set the clipboard, or make one name look like another. Emoji joiners and
// those of some scripts are lost, too. Line breaks and tabs become spaces and invalid UTF-8 becomes U+FFFD. Clean text
// is returned without allocation.
func Clean(s string) string { return clean(s, false, MaxLine) }

// CleanMultiline is [Clean] for texts with several lines: all kinds of line breaks become "\n" and stay.
func CleanMultiline(s string) string { return clean(s, true, MaxText) }

func clean(s string, multiline bool, limit int) string {
	if isClean(s, multiline, limit) {
		return s
	}
	lineBreak := byte(' ')
	if multiline {
		lineBreak = '\n'
	}
	var out strings.Builder
	out.Grow(len(s))
	length, lastStart := 0, 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if skip := escapeLength(s[i:], r); skip > 0 {
			i += skip
			continue
		}
		if r == '\r' && strings.HasPrefix(s[i+1:], "\n") {
			size = 2
		}
		i += size
		if isInvisible(r) && !isBreak(r) {
			continue
		}
		if length == limit {
			return out.String()[:lastStart] + ellipsis
		}
		length++
		lastStart = out.Len()
		switch {
		case r == '\t':
			out.WriteByte(' ')
		case isBreak(r):
			out.WriteByte(lineBreak)
		default:
			out.WriteRune(r) // a broken byte decodes to U+FFFD
		}
	}
	return out.String()
}

// isClean is the fast path: most text needs no cleaning.
func isClean[Text string | []byte](s Text, multiline bool, limit int) bool {
	length := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if (c < ' ' || c == 0x7f) && (c != '\n' || !multiline) {
				return false
			}
			i++
			length++
			continue
		}
		r, size := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if isInvisible(r) || (r == utf8.RuneError && size == 1) {
			return false
		}
		i += size
		length++
	}
	return length <= limit
}

// isBreak reports the characters that end a line or a column: they become a space; line ends stay in multi-line text.
func isBreak(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// isInvisible reports the characters that must not reach a screen: controls, and format characters that take no
// space or change the direction of what follows. Variation selectors stay: they only choose a glyph.
func isInvisible(r rune) bool {
	switch {
	case r < 0x20 || (r >= 0x7f && r <= 0x9f):
		return true
	case r < 0xad:
		return false
	case r == 0xad || r == 0x034f || r == 0x061c || r == 0x17b4 || r == 0x17b5 || r == 0x180e:
		return true
	case r < 0x200b:
		return false
	case r <= 0x200f, // zero-width space and joiners, direction marks
		r >= 0x2028 && r <= 0x202e, // line separators, direction embeddings and overrides
		r >= 0x2060 && r <= 0x206f, // word joiner, invisible operators, direction isolates, deprecated controls
		r == 0xfeff,
		r >= 0xfff9 && r <= 0xfffb,   // interlinear annotation
		r >= 0x1d173 && r <= 0x1d17a, // musical format controls
		r >= 0xe0000 && r <= 0xe007f: // tags, which carry hidden text
		return true
	}
	return false
}

// escapeLength is the length of the escape sequence that s starts with r, or 0 when s does not start with one.
func escapeLength(s string, r rune) int {
	switch r {
	case 0x1b:
		return escLength(s)
	case 0x9b:
		return 2 + controlSequenceLength(s[2:])
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		return 2 + controlStringLength(s[2:])
	}
	return 0
}

// escLength measures what follows ESC as terminals read it: CSI, the control strings, or intermediates and a final.
func escLength(s string) int {
	if len(s) == 1 {
		return 1
	}
	switch s[1] {
	case '[':
		return 2 + controlSequenceLength(s[2:])
	case ']', 'P', 'X', '^', '_':
		return 2 + controlStringLength(s[2:])
	}
	i := 1
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
		i++
	}
	if i < len(s) && s[i] >= 0x30 && s[i] <= 0x7e {
		i++
	}
	return i
}

func controlSequenceLength(s string) int {
	i := 0
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x3f {
		i++
	}
	if i < len(s) && s[i] >= 0x40 && s[i] <= 0x7e {
		i++
	}
	return i
}

// controlStringLength measures the payload of OSC, DCS, SOS, PM or APC with its terminator. One that never ends takes
// the rest of its line only, so that a stray ESC cannot swallow the notes below it. The search stops at the next
// introducer, as a terminal's does, which also keeps it linear.
func controlStringLength(s string) int {
	line := -1
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == 0x07 || c == 0x18 || c == 0x1a:
			return i + 1
		case c == 0x1b:
			if i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			return unterminatedLength(line, i)
		case c == 0xc2 && i+1 < len(s) && s[i+1] == 0x9c:
			return i + 2
		case c == 0xc2 && i+1 < len(s) && s[i+1] >= 0x80 && s[i+1] <= 0x9f:
			return unterminatedLength(line, i)
		case c == '\n' && line < 0:
			line = i
		}
	}
	return unterminatedLength(line, len(s))
}

func unterminatedLength(line, end int) int {
	if line >= 0 {
		return line
	}
	return end
}

// GuardCSVCell guards a cell of a CSV file with a leading apostrophe when a spreadsheet would run it as a formula: when
// it starts with = + - @, a tab or a line break. [UnguardCSVCell] removes the guard.
func GuardCSVCell(s string) string {
	if startsFormula(strings.TrimLeft(s, "'")) {
		return "'" + s
	}
	return s
}

// UnguardCSVCell removes the guard of [GuardCSVCell].
func UnguardCSVCell(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && startsFormula(strings.TrimLeft(rest, "'")) {
		return rest
	}
	return cell
}

func startsFormula(s string) bool {
	return s != "" && strings.IndexByte("=+-@\t\r\n", s[0]) >= 0
}
