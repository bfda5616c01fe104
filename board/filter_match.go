package board

import (
	"strings"
	"unicode/utf8"

	"waybill/model"
)

// matchWord reports whether is holds for one of the values.
func (t *filterTerm) matchWord(is func(string) bool) bool {
	for i := range t.values {
		if is(t.values[i].folded) {
			return true
		}
	}
	return false
}

// matchSearch reports whether a folded text contains one of the values.
func (t *filterTerm) matchSearch(folded string) bool {
	for i := range t.values {
		if t.values[i].isIn(folded) {
			return true
		}
	}
	return false
}

// matchID reports whether one of the values is the whole id.
func (t *filterTerm) matchID(id model.ID) bool {
	for i := range t.values {
		if string(id) == t.values[i].text {
			return true
		}
	}
	return false
}

// matchText reports whether one text of a row contains one of the values. The folded texts of the whole row are searched
// first, which settles most rows without folding the text.
func (t *filterTerm) matchText(search, text string) bool {
	for i := range t.values {
		v := &t.values[i]
		if v.isNone() {
			if text == "" {
				return true
			}
		} else if v.isIn(search) && containsFolded(text, v.folded) {
			return true
		}
	}
	return false
}

// matchName is matchText for a name that can also be given by its id.
func (t *filterTerm) matchName(search, name string, id model.ID) bool {
	for i := range t.values {
		v := &t.values[i]
		if v.isNone() {
			if id == "" {
				return true
			}
		} else if v.isIn(search) && containsFolded(name, v.folded) || id != "" && string(id) == v.text {
			return true
		}
	}
	return false
}

// matchTeam is matchName for the team that a task waits in, or the teams of its worker.
func (t *filterTerm) matchTeam(r *TaskRow) bool {
	for i := range t.values {
		v := &t.values[i]
		if v.isNone() {
			if r.Team == "" && r.TeamName == "" {
				return true
			}
		} else if v.isIn(r.search) && containsFolded(r.TeamName, v.folded) || r.Team != "" && string(r.Team) == v.text {
			return true
		}
	}
	return false
}

// matchPrefix reports whether an id or another id begins with one of the values.
func (t *filterTerm) matchPrefix(id, other string) bool {
	for i := range t.values {
		v := &t.values[i]
		if v.isNone() {
			if id == "" {
				return true
			}
		} else if strings.HasPrefix(id, v.text) || strings.HasPrefix(other, v.folded) || strings.HasPrefix(id, v.folded) {
			return true
		}
	}
	return false
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
