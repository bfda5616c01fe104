package board

import (
	"strings"
	"unicode/utf8"

	"waybill/model"
)

// matchAny reports whether matches holds for one of the values. The value none holds when the row has no value.
func (t *filterTerm) matchAny(missing bool, matches func(v *filterValue) bool) bool {
	for i := range t.values {
		if v := &t.values[i]; v.isNone() && missing || !v.isNone() && matches(v) {
			return true
		}
	}
	return false
}

// matchSearch reports whether a folded text contains one of the values, or one of them is the whole id.
func (t *filterTerm) matchSearch(folded string, id model.ID) bool {
	for i := range t.values {
		if v := &t.values[i]; v.isIn(folded) || string(id) == v.text {
			return true
		}
	}
	return false
}

// matchWord reports whether is holds for one of the values.
func (t *filterTerm) matchWord(is func(string) bool) bool {
	for i := range t.values {
		if is(t.values[i].folded) {
			return true
		}
	}
	return false
}

// matchName reports whether a name contains one of the values, or one of them is the id of what it names. The folded texts
// of the whole row are searched first, which settles most rows without folding the name.
func (t *filterTerm) matchName(search, name string, id model.ID) bool {
	return t.matchAny(name == "" && id == "", func(v *filterValue) bool {
		return v.isIn(search) && containsFolded(name, v.folded) || id != "" && string(id) == v.text
	})
}

// matchPrefix reports whether an id or another id begins with one of the values.
func (t *filterTerm) matchPrefix(id, other string) bool {
	return t.matchAny(id == "", func(v *filterValue) bool {
		return strings.HasPrefix(id, v.text) || strings.HasPrefix(other, v.folded) || strings.HasPrefix(id, v.folded)
	})
}

// matchNumber compares a number with the limit; key:none matches an unknown number.
func (t *filterTerm) matchNumber(number float64, known bool) bool {
	switch t.op {
	case opLess:
		return known && number < t.limit
	case opMore:
		return known && number > t.limit
	default:
		return !known
	}
}

// containsFolded reports whether a text contains a folded word. ASCII needs no folded copy of the text.
func containsFolded(text, folded string) bool {
	if !isASCII(text) {
		return strings.Contains(foldText(text), folded)
	}
	for start := 0; start+len(folded) <= len(text); start++ {
		i := 0
		for i < len(folded) && lowerByte(text[start+i]) == folded[i] {
			i++
		}
		if i == len(folded) {
			return true
		}
	}
	return false
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
