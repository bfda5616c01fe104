package board

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"waybill/model"
)

// Filter is a list of terms that a row must all match.
//
//	late>10m team:north worker:none !done "ring twice"
//
// A term is a word or a quoted phrase found in any text of the row; a bare state; key:value, where commas separate
// alternatives and none matches a missing value; or key<limit and key>limit. An exclamation mark negates a term. The zero
// Filter matches every row.
type Filter struct {
	pane  Pane
	terms []filterTerm
}

// filterTerm is one condition. Equal texts give equal terms.
type filterTerm struct {
	negated bool
	bare    bool // a state without its key
	op      filterOp
	key     string
	form    filterForm
	values  []filterValue
	limit   float64 // what < and > compare with: milliseconds for durations

	wide, substring bool // see filterInfo
}

type filterValue struct {
	text   string // as typed
	folded string
	rarest int  // index of the rarest letter of folded
	quoted bool // it would mean something else without quotes
}

func newFilterValue(text string, quoted bool) filterValue {
	v := filterValue{text: text, folded: foldText(text), quoted: quoted}
	// Letters of texts and phone numbers from the most to the least common; others are rarer.
	const common = " e0aotnri1s2h345d6l789cumfpgwybvk"
	rarest := -1
	for i := range len(v.folded) {
		rank := strings.IndexByte(common, v.folded[i])
		if rank < 0 {
			rank = len(common)
		}
		if rank > rarest {
			v.rarest, rarest = i, rank
		}
	}
	return v
}

// isIn reports whether a folded text contains the value. It looks for the rarest letter first, which is many times faster.
func (v *filterValue) isIn(folded string) bool {
	for from := v.rarest; from < len(folded); {
		next := strings.IndexByte(folded[from:], v.folded[v.rarest])
		if next < 0 {
			return false
		}
		if from += next; strings.HasPrefix(folded[from-v.rarest:], v.folded) {
			return true
		}
		from++
	}
	return false
}

type filterOp byte

const (
	opIs   filterOp = ':'
	opLess filterOp = '<'
	opMore filterOp = '>'
)

// Keys of terms that parser and panes treat specially. The column tables hold all keys.
const (
	keyText  = "" // a word found in any text of the row
	keyState = "state"
)

// filterForm is what may follow a key.
type filterForm uint8

const (
	formText     filterForm = iota // words and phrases, or none
	formName                       // like formText, completed with names of the board
	formWord                       // one of a fixed set
	formDuration                   // compared with a duration
	formNumber                     // compared with a number
)

// compared reports that the term takes < and > instead of a value.
func (f filterForm) compared() bool { return f == formDuration || f == formNumber }

// filterInfo describes a term to parser, completion and help.
type filterInfo struct {
	key       string
	form      filterForm
	words     []string                 // the values of formWord; for others the words that complete it
	names     func(*Snapshot) []string // completes formName
	help      string
	more      bool // the example is key>value instead of key<value
	ago       bool // a time is compared by how long ago it was, and the example is key>value
	wide      bool // it asks for a single row, so closed rows are searched too
	substring bool // it searches a text, so a longer value matches fewer rows
	prefix    bool // it compares the beginning of an id
}

// rowFilter is a term of one row type.
type rowFilter[R any] struct {
	filterInfo
	match func(t *filterTerm, row *R, now model.Millis) bool
}

const noneWord = "none"

func filterInfos(pane Pane) []filterInfo { return pane.columnTable().filterInfos() }

// stateWords are the states that need no key.
func stateWords(pane Pane) []string {
	info, _ := findFilterInfo(pane, keyState)
	return info.words
}

func findFilterInfo(pane Pane, key string) (filterInfo, bool) {
	if pane == PaneWorkers && key == "load" {
		key = "stops" // its name in views saved by earlier versions
	}
	infos := filterInfos(pane)
	at := slices.IndexFunc(infos, func(i filterInfo) bool { return i.key == key })
	if at < 0 {
		return filterInfo{}, false
	}
	return infos[at], true
}

// Pane returns the pane whose terms the filter uses.
func (f Filter) Pane() Pane { return f.pane }

// Empty reports that the filter matches every row.
func (f Filter) Empty() bool { return len(f.terms) == 0 }

// With returns the filter with the terms of another added.
func (f Filter) With(other Filter) Filter {
	return Filter{pane: f.pane, terms: slices.Concat(f.terms, other.terms)}
}

// String returns the filter as people type it; parsing it gives the same filter.
func (f Filter) String() string {
	var b strings.Builder
	for i := range f.terms {
		if i > 0 {
			b.WriteByte(' ')
		}
		f.terms[i].write(&b)
	}
	return b.String()
}

func (t *filterTerm) write(b *strings.Builder) {
	if t.negated {
		b.WriteByte('!')
	}
	if !t.bare && t.key != keyText {
		b.WriteString(t.key)
		b.WriteByte(byte(t.op))
	}
	if t.op != opIs {
		b.WriteString(t.limitText())
		return
	}
	for i, value := range t.values {
		if i > 0 {
			b.WriteByte(',')
		}
		if value.quoted || needsQuotes(value.text) {
			writeQuoted(b, value.text)
			continue
		}
		b.WriteString(value.text)
	}
}

func needsQuotes(text string) bool {
	return strings.HasPrefix(text, "!") || strings.ContainsAny(text, "\",:<>\\") ||
		strings.ContainsFunc(text, unicode.IsSpace)
}

func writeQuoted(b *strings.Builder, text string) {
	b.WriteByte('"')
	for i := range len(text) {
		if text[i] == '"' || text[i] == '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	b.WriteByte('"')
}

func (t *filterTerm) limitText() string {
	if t.form == formNumber {
		return strconv.FormatFloat(t.limit, 'f', -1, 64)
	}
	return durationText(time.Duration(t.limit) * time.Millisecond)
}

// durationText writes a duration as filters do: 1d2h, 1h30m for 90m.
func durationText(d time.Duration) string {
	if d == 0 {
		return "0m"
	}
	var b strings.Builder
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if n := d / unit.length; n > 0 {
			b.WriteString(strconv.FormatInt(int64(n), 10) + unit.name)
			d -= n * unit.length
		}
	}
	return b.String()
}

// timed reports that time alone can change which rows match.
func (f *Filter) timed() bool {
	return slices.ContainsFunc(f.terms, func(t filterTerm) bool { return t.form == formDuration && t.op != opIs })
}

// narrows reports that every row that matches this filter also matches the wider one.
func (f *Filter) narrows(wider *Filter) bool {
	for i := range wider.terms {
		if !slices.ContainsFunc(f.terms, func(t filterTerm) bool { return t.implies(&wider.terms[i]) }) {
			return false
		}
	}
	return true
}

func (t *filterTerm) implies(wider *filterTerm) bool {
	if t.negated != wider.negated || t.key != wider.key || t.op != wider.op {
		return false
	}
	if t.limit == wider.limit && slices.Equal(t.values, wider.values) {
		return true
	}
	// Whatever contains a longer text contains a shorter part of it. A whole id is the exception: it matches its row
	// only once it is complete.
	return t.substring && !t.negated && len(t.values) == 1 && len(wider.values) == 1 &&
		!t.values[0].isNone() && !wider.values[0].isNone() &&
		(t.key != keyText || !model.ID(t.values[0].text).Valid()) &&
		strings.Contains(t.values[0].folded, wider.values[0].folded)
}

func (v *filterValue) isNone() bool { return !v.quoted && v.folded == noneWord }
