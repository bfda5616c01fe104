package board

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"waybill/model"
)

// Keys of columns that code refers to. The column tables hold all columns.
const (
	ByUrgency = "urgency" // the default order of every pane but Delays
	ByTriage  = "triage"  // the default order of Delays
	BySlack   = "slack"
)

// SortColumns lists the columns that a pane can be sorted by, its default order first.
func SortColumns(pane Pane) []string { return pane.columnTable().sortColumns(pane) }

// Sort is an order of rows. The zero Sort is the default of the pane: most urgent first. Equal rows are sorted by id, and
// rows without a value come last in both directions.
type Sort struct {
	Column string
	Desc   bool
}

// ParseSort reads a sort as [Sort.String] writes it: the key of a column, with a minus in front for descending.
func ParseSort(pane Pane, text string) (Sort, error) {
	name, desc := strings.CutPrefix(strings.TrimSpace(text), "-")
	if name == "" && !desc {
		return Sort{}, nil
	}
	if pane == PaneWorkers && name == "load" {
		name = "stops" // its name in views saved by earlier versions
	}
	columns := SortColumns(pane)
	switch at := slices.Index(columns, name); {
	case at == 0 && !desc:
		return Sort{}, nil
	case at >= 0:
		return Sort{name, desc}, nil
	}
	if near := model.ClosestName(name, columns); near != "" {
		return Sort{}, fmt.Errorf("cannot sort %s by %q; did you mean %s?", pane, name, near)
	}
	return Sort{}, fmt.Errorf("cannot sort %s by %q; choose one of %s", pane, name, strings.Join(columns, ", "))
}

// String returns the sort as ParseSort reads it; empty for the default order.
func (s Sort) String() string {
	if s.Desc && s.Column != "" {
		return "-" + s.Column
	}
	return s.Column
}

// In returns the sort with the default of Delays spelled out.
func (s Sort) In(pane Pane) Sort {
	if s.Column == "" && pane == PaneDelays {
		s.Column = ByTriage
	}
	return s
}

// sortKey is what rows are sorted by: first the number, which for texts is made of their first letters, then the text,
// ignoring case.
type sortKey struct {
	number int64
	text   string
}

// lastNumber is the number of keys without a value. They come last in both directions.
const lastNumber = math.MaxInt64

func missingKey() sortKey { return sortKey{number: lastNumber} }

func (k sortKey) isMissing() bool { return k.number == lastNumber && k.text == "" }

// reversed returns the key for descending order; its text must be compared in reverse.
func (k sortKey) reversed() sortKey {
	if k.isMissing() {
		return k
	}
	return sortKey{^k.number, k.text}
}

// compareFolded compares texts ignoring the case of ASCII letters, without allocating.
func compareFolded(a, b string) int {
	if a == b { // names are interned, so most equal texts are found here
		return 0
	}
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x < utf8.RuneSelf && y < utf8.RuneSelf {
			x, y = lowerByte(x), lowerByte(y)
		}
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func textKey(text string) sortKey {
	if text == "" {
		return missingKey()
	}
	return sortKey{number: foldedPrefix(text), text: text}
}

// foldedPrefix returns the beginning of a text as a number that sorts like the text, ignoring case.
func foldedPrefix(text string) int64 {
	var number uint64
	for i := range 8 {
		number <<= 8
		if i < len(text) {
			number |= uint64(lowerByte(text[i]))
		}
	}
	return int64(number ^ 1<<63)
}

// bytePrefix returns the beginning of a text as a number that sorts like the text.
func bytePrefix(text string) uint64 {
	var begin [8]byte
	copy(begin[:], text)
	return binary.BigEndian.Uint64(begin[:])
}

func numberKey(known bool, number int64) sortKey {
	if !known {
		return missingKey()
	}
	return sortKey{number: number}
}

// rankNumber combines a rank and a number so that the rank is compared first.
func rankNumber(rank int64, number int64) int64 {
	const room = 1 << 52
	return rank*2*room + max(-room, min(number, room-1))
}

// scaleNumber converts a number to thousandths, which is precise enough for quantities and prices.
func scaleNumber(number float64) int64 {
	const decimals, room = 1000, 1e15
	return int64(max(-room, min(number, room)) * decimals)
}
