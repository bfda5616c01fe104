package theme

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Align is where text stands in its cell.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Right
	Center
)

// Method is how a terminal counts the cells of a text.
type Method uint8

// Terminals either add up the widths of code points, or, once they have
// answered that they know Unicode core mode (2027), count grapheme clusters.
// The two differ on emoji made of several parts and on Indic conjuncts. Bubble
// Tea starts with the first and switches; a theme must use the same, or lines
// that hold such text drift by a cell.
const (
	ByCodePoint Method = iota
	ByGrapheme
)

// Measure counts and cuts text for one terminal.
type Measure struct {
	method    ansi.Method
	tail      string
	tailWidth int
	narrow    bool // ambiguous characters take one cell
}

// NewMeasure is a measure for a terminal that counts by method. In ASCII mode
// cut text ends in '$' instead of an ellipsis.
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

// Width is how many cells a text takes. Text is taken literally: an escape
// character in it counts as the cell that [Measure.AppendFit] puts there.
func (m Measure) Width(text string) int {
	if cells, ok := m.simple(text); ok {
		return cells
	}
	return m.scan(clean(text), -1).cells
}

// Fit pads or cuts text to exactly width cells.
func (m Measure) Fit(text string, width int, align Align) string {
	if width <= 0 {
		return ""
	}
	if cells, ok := m.simple(text); ok && cells == width {
		return text
	}
	return string(m.AppendFit(make([]byte, 0, width+len(text)), text, width, align))
}

// AppendFit appends text to dst, padded or cut to exactly width cells. It
// allocates nothing when dst has room and the text no control characters.
// Control characters, line separators and direction overrides become '?':
// whatever a cell holds, it cannot move the cursor or colour its neighbours.
func (m Measure) AppendFit(dst []byte, text string, width int, align Align) []byte {
	if width <= 0 {
		return dst
	}
	if cells, ok := m.simple(text); ok {
		if cells <= width {
			return pad(dst, text, width-cells, align)
		}
		keep := width - m.tailWidth
		end := keep
		if cells != len(text) {
			end = runeOffset(text, keep)
		}
		return m.appendCut(dst, text, span{end: end, cells: keep}, width)
	}
	text = clean(text)
	whole := m.scan(text, width)
	if whole.end == len(text) {
		return pad(dst, text, width-whole.cells, align)
	}
	return m.appendCut(dst, text, m.scan(text, width-m.tailWidth), width)
}

// Truncate cuts text to at most width cells and does not pad it.
func (m Measure) Truncate(text string, width int) string {
	if cells, ok := m.simple(text); ok && cells <= width {
		return text
	}
	return strings.TrimRight(m.Fit(text, width, Left), " ")
}

// Clusters takes a text apart into characters as they are seen, each with its
// cells. The text is made safe first, as [Measure.AppendFit] does; characters
// without a cell are left out.
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

// simple counts a text of narrow characters only: nearly every text there is,
// so this is the path that must be fast.
func (m Measure) simple(text string) (cells int, ok bool) {
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

// runeOffset is where the n-th rune of text begins.
func runeOffset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

func (m Measure) appendCut(dst []byte, text string, kept span, width int) []byte {
	dst = append(dst, text[:kept.end]...)
	dst = append(dst, m.tail...)
	return appendSpaces(dst, width-kept.cells-m.tailWidth)
}

// span is a beginning of a text: its bytes and its cells.
type span struct{ end, cells int }

// scan takes whole grapheme clusters from text while they fit in limit cells;
// a negative limit takes all.
func (m Measure) scan(text string, limit int) span {
	var s span
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

// isNarrow lists characters that take one cell by either method and never
// join a neighbour: Latin, Greek and Cyrillic letters, dashes and quotes,
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

// isUnsafe reports characters that would act on the terminal or on the order
// of the text around them.
func isUnsafe(r rune) bool {
	return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == utf8.RuneError
}

// isInvisible reports format characters that show nothing by themselves and
// whose width terminals disagree on. The two joiners stay: scripts need them.
func isInvisible(r rune) bool {
	return r >= 0xad && r != 0x200c && r != 0x200d && unicode.Is(unicode.Cf, r)
}

// clean makes text safe to print in a cell of its own.
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
	return trimLoose(text)
}

// trimLoose drops what would join the space before or after the cell: marks
// with no letter to stand on, signs that wait for a letter to come.
func trimLoose(text string) string {
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r < 0x300 || unicode.Is(unicode.Lo, r) || !joins(" ", text[:size]) {
			break
		}
		text = text[size:]
	}
	for text != "" {
		r, size := utf8.DecodeLastRuneInString(text)
		if !mayWait(r) || !joins(text[len(text)-size:], " ") {
			break
		}
		text = text[:len(text)-size]
	}
	return text
}

// mayWait is false for nearly everything, which spares the check: signs that
// join what follows exist in a few Arabic, Syriac and Indic blocks only.
func mayWait(r rune) bool { return r >= 0x600 && r < 0xe00 || r >= 0x11000 && r < 0x12000 }

// joins reports whether two characters become one cluster.
func joins(a, b string) bool {
	cluster, _ := ansi.FirstGraphemeCluster(a+b, ansi.GraphemeWidth)
	return len(cluster) > len(a)
}

func pad(dst []byte, text string, space int, align Align) []byte {
	before := 0
	switch align {
	case Right:
		before = space
	case Center:
		before = space / 2
	}
	dst = appendSpaces(dst, before)
	dst = append(dst, text...)
	return appendSpaces(dst, space-before)
}

const blanks = "                                                                                "

func appendSpaces(dst []byte, n int) []byte {
	for n > len(blanks) {
		dst = append(dst, blanks...)
		n -= len(blanks)
	}
	if n > 0 {
		dst = append(dst, blanks[:n]...)
	}
	return dst
}

// AppendSpaces appends n spaces.
func AppendSpaces(dst []byte, n int) []byte { return appendSpaces(dst, n) }

// AppendRepeat appends a one-cell glyph n times, for rules.
func AppendRepeat(dst []byte, glyph string, n int) []byte {
	for range n {
		dst = append(dst, glyph...)
	}
	return dst
}
