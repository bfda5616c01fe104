package theme

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Align is the alignment of text in its cell.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Right
)

// Method is how a terminal counts the cells of a text.
type Method uint8

// Terminals add up the widths of code points, or count grapheme clusters once
// they have reported Unicode core mode (2027). The two differ on emoji made of
// several parts and on Indic conjuncts. Bubble Tea starts with the first and
// switches; a theme must use the same method or such lines shift by a cell.
const (
	ByCodePoint Method = iota
	ByGrapheme
)

// Measure counts the cells of text and truncates it for one terminal.
type Measure struct {
	method    ansi.Method
	tail      string
	tailWidth int
	narrow    bool // ambiguous characters take one cell
}

// NewMeasure returns a measure for a terminal that counts by method. In ASCII
// mode truncated text ends in '$' instead of an ellipsis.
func NewMeasure(method Method, ascii bool) Measure {
	m := Measure{method: ansi.WcWidth, tail: "…", tailWidth: 1}
	if method == ByGrapheme {
		m.method = ansi.GraphemeWidth
	}
	m.narrow = m.method.StringWidth(m.tail) == 1
	if ascii || !m.narrow {
		m.tail = "$"
	}
	return m
}

// Width returns the number of cells of a text. An escape character counts as
// the one cell that [Measure.AppendFit] writes for it.
func (m Measure) Width(text string) int {
	if cells, ok := m.narrowWidth(text); ok {
		return cells
	}
	return m.scan(clean(text), -1).cells
}

// StyledWidth returns the number of cells of a text with styles.
func (m Measure) StyledWidth(text string) int { return m.method.StringWidth(text) }

// TruncateStyled shortens a text with styles to at most width cells.
func (m Measure) TruncateStyled(text string, width int) string {
	return m.method.Truncate(text, width, m.tail)
}

// Fit pads or truncates text to exactly width cells.
func (m Measure) Fit(text string, width int, align Align) string {
	if width <= 0 {
		return ""
	}
	if cells, ok := m.narrowWidth(text); ok && cells == width {
		return text
	}
	return string(m.AppendFit(make([]byte, 0, width+len(text)), text, width, align))
}

// AppendFit appends text to dst, padded or truncated to exactly width cells. It
// allocates nothing when dst has room and the text has no control characters.
// Control characters, line separators and direction overrides become '?', so
// that no text can move the cursor or change the style of its neighbours.
func (m Measure) AppendFit(dst []byte, text string, width int, align Align) []byte {
	if width <= 0 {
		return dst
	}
	if cells, ok := m.narrowWidth(text); ok {
		if cells <= width {
			return pad(dst, text, width-cells, align)
		}
		keep := width - m.tailWidth
		end := keep
		if cells != len(text) {
			end = RuneOffset(text, keep)
		}
		return m.appendTruncated(dst, text, prefix{end: end, cells: keep}, width)
	}
	text = clean(text)
	whole := m.scan(text, width)
	if whole.end == len(text) {
		return pad(dst, text, width-whole.cells, align)
	}
	return m.appendTruncated(dst, text, m.scan(text, width-m.tailWidth), width)
}

// Truncate shortens text to at most width cells without padding it.
func (m Measure) Truncate(text string, width int) string {
	if cells, ok := m.narrowWidth(text); ok && cells <= width {
		return text
	}
	return strings.TrimRight(m.Fit(text, width, Left), " ")
}

// Wrap inserts line breaks into text so that no line has more than width cells,
// at least two. Hyphens are hidden from the library: it breaks lines after them
// and then exceeds the width.
func (m Measure) Wrap(text string, width int) string {
	const nonBreakingHyphen = "\u2011"
	text = strings.ReplaceAll(clean(text), "-", nonBreakingHyphen)
	return strings.ReplaceAll(m.method.Wrap(text, max(width, 2), ""), nonBreakingHyphen, "-")
}

// Hardwrap inserts line breaks into text after width cells.
func (m Measure) Hardwrap(text string, width int) string {
	return m.method.Hardwrap(clean(text), width, true)
}

// Clusters iterates over the visible characters of a text and their cells. The
// text is made safe as in [Measure.AppendFit]; characters without a cell are
// skipped.
func (m Measure) Clusters(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for rest := clean(text); rest != ""; {
			cluster, cells := ansi.FirstGraphemeCluster(rest, m.method)
			rest = rest[len(cluster):]
			if cells > 0 && !yield(cluster, cells) {
				return
			}
		}
	}
}

// narrowWidth counts a text of narrow characters only, which is nearly every
// text, so this path must be fast.
func (m Measure) narrowWidth(text string) (cells int, ok bool) {
	for i := 0; i < len(text); cells++ {
		c := text[i]
		if c >= 0x20 && c < 0x7f {
			i++
			continue
		}
		if c < utf8.RuneSelf || !m.narrow {
			return 0, false
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isNarrow(r) {
			return 0, false
		}
		i += size
	}
	return cells, true
}

// RuneOffset returns the byte offset of the n-th rune.
func RuneOffset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

func (m Measure) appendTruncated(dst []byte, text string, kept prefix, width int) []byte {
	dst = append(dst, text[:kept.end]...)
	dst = append(dst, m.tail...)
	return AppendSpaces(dst, width-kept.cells-m.tailWidth)
}

// prefix is the beginning of a text in bytes and cells.
type prefix struct{ end, cells int }

// scan returns the longest prefix of whole grapheme clusters that fits in limit
// cells; a negative limit means the whole text.
func (m Measure) scan(text string, limit int) prefix {
	var s prefix
	for s.end < len(text) {
		cluster, cells := ansi.FirstGraphemeCluster(text[s.end:], m.method)
		if limit >= 0 && s.cells+cells > limit {
			break
		}
		s.end += len(cluster)
		s.cells += cells
	}
	return s
}

// isNarrow reports whether a character takes one cell by both methods and never
// joins a neighbour: Latin, Greek and Cyrillic letters, dashes and quotes,
// arrows, box drawing and shapes, check and cross, braille.
func isNarrow(r rune) bool {
	switch {
	case r < 0x20:
		return false
	case r < 0x7f:
		return true
	case r < 0xa1:
		return false
	case r <= 0x2ff:
		return r != 0xad && r != 0xa9 && r != 0xae
	}
	return r >= 0x391 && r <= 0x3a1 || r >= 0x3b1 && r <= 0x3c9 || r >= 0x410 && r <= 0x44f ||
		r >= 0x2010 && r <= 0x2027 || r >= 0x2190 && r <= 0x2193 ||
		r >= 0x2500 && r <= 0x25fc || r == 0x2713 || r == 0x2717 || r >= 0x2801 && r <= 0x28ff
}

// isUnsafe reports whether a character would control the terminal or change the
// order of the text around it.
func isUnsafe(r rune) bool {
	return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == utf8.RuneError
}

// isInvisible reports whether a format character shows nothing by itself, so
// that terminals disagree on its width. The two joiners stay: scripts need them.
func isInvisible(r rune) bool {
	return r >= 0xad && r != 0x200c && r != 0x200d && unicode.Is(unicode.Cf, r)
}

// clean makes text safe to print in a cell.
func clean(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return isUnsafe(r) || isInvisible(r) }) >= 0 {
		text = strings.Map(func(r rune) rune {
			switch {
			case isUnsafe(r):
				return '?'
			case isInvisible(r):
				return -1
			}
			return r
		}, text)
	}
	return trimJoining(text)
}

// trimJoining drops characters at the ends that would join the space before or
// after the cell: marks without a base letter, and signs that join the next one.
func trimJoining(text string) string {
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r < 0x300 || unicode.Is(unicode.Lo, r) || !joins(" ", text[:size]) {
			break
		}
		text = text[size:]
	}
	for text != "" {
		r, size := utf8.DecodeLastRuneInString(text)
		if !mayJoinNext(r) || !joins(text[len(text)-size:], " ") {
			break
		}
		text = text[:len(text)-size]
	}
	return text
}

// mayJoinNext reports whether a character is in a block with signs that join
// the next one. Only a few Arabic, Syriac and Indic blocks have them.
func mayJoinNext(r rune) bool { return r >= 0x600 && r < 0xe00 || r >= 0x11000 && r < 0x12000 }

// joins reports whether two characters form one cluster.
func joins(a, b string) bool {
	cluster, _ := ansi.FirstGraphemeCluster(a+b, ansi.GraphemeWidth)
	return len(cluster) > len(a)
}

func pad(dst []byte, text string, space int, align Align) []byte {
	if align == Right {
		return append(AppendSpaces(dst, space), text...)
	}
	return AppendSpaces(append(dst, text...), space)
}

const blanks = "                                                                                "

// AppendSpaces appends n spaces.
func AppendSpaces(dst []byte, n int) []byte {
	for n > len(blanks) {
		dst = append(dst, blanks...)
		n -= len(blanks)
	}
	if n > 0 {
		dst = append(dst, blanks[:n]...)
	}
	return dst
}

// AppendRepeat appends a glyph n times.
func AppendRepeat(dst []byte, glyph string, n int) []byte {
	for range n {
		dst = append(dst, glyph...)
	}
	return dst
}

// AppendDimmed appends a drawn line without its styles, in the style of rules.
// It dims what lies behind a dialog.
func (t *Theme) AppendDimmed(dst []byte, line []byte) []byte {
	dst = append(dst, t.On(Rule, RowPlain)...)
	for len(line) > 0 {
		start := bytes.IndexByte(line, 0x1b)
		if start < 0 {
			dst = append(dst, line...)
			break
		}
		dst = append(dst, line[:start]...)
		end := bytes.IndexByte(line[start:], 'm')
		if end < 0 {
			break
		}
		line = line[start+end+1:]
	}
	return append(dst, Reset...)
}
