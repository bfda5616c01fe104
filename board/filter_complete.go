package board

import (
	"cmp"
	"slices"
	"strings"
)

// Completion is a replacement for part of a typed filter.
type Completion struct {
	From, To int // the bytes to replace
	Text     string
	Help     string
}

// CompleteFilter suggests completions of the word at the cursor: keys and states, and after a key its words or names.
func CompleteFilter(s *Snapshot, pane Pane, text string, cursor, limit int) []Completion {
	cursor = max(0, min(cursor, len(text)))
	from := wordStart(text[:cursor])
	word := strings.TrimPrefix(text[from:cursor], "!")
	from = cursor - len(word)
	key, value, keyed := strings.Cut(word, ":")
	if !keyed {
		return completeKeys(pane, word, from, cursor, limit)
	}
	info, ok := findFilterInfo(pane, foldText(key))
	if !ok {
		return nil
	}
	if comma := strings.LastIndexByte(value, ','); comma >= 0 && !strings.HasPrefix(value[comma+1:], "\"") {
		value = value[comma+1:]
	}
	from = cursor - len(value)
	prefix := foldText(strings.Trim(value, "\""))
	var out []Completion
	for _, name := range s.completeValues(info, prefix) {
		if len(out) == limit {
			break
		}
		out = append(out, Completion{from, cursor, name, info.help})
	}
	return out
}

// wordStart returns where the last word of a text begins; a quoted phrase belongs to its word.
func wordStart(text string) int {
	start, quoted := 0, false
	for i := range len(text) {
		switch {
		case text[i] == '"' && (i == 0 || text[i-1] != '\\'):
			quoted = !quoted
		case isSpaceAt(text, i) && !quoted:
			start = i + 1
		}
	}
	return start
}

func completeKeys(pane Pane, word string, from, to, limit int) []Completion {
	word = foldText(word)
	var out []Completion
	add := func(text, help string) {
		if strings.HasPrefix(text, word) && text != word && len(out) < limit {
			out = append(out, Completion{from, to, text, help})
		}
	}
	for _, info := range filterInfos(pane) {
		end := ":"
		switch {
		case info.more || info.ago:
			end = ">"
		case info.form.compared():
			end = "<"
		}
		add(info.key+end, info.help)
	}
	for _, state := range stateWords(pane) {
		add(state, "state")
	}
	return out
}

func (s *Snapshot) completeValues(info filterInfo, prefix string) []string {
	names := slices.Clone(info.words)
	if info.names != nil {
		names = info.names(s)
	}
	if info.form == formText || info.form == formName {
		names = append(names, noneWord)
	}
	names = rankNames(names, prefix)
	for i, name := range names {
		if needsQuotes(name) {
			var b strings.Builder
			writeQuoted(&b, name)
			names[i] = b.String()
		}
	}
	return names
}

// rankNames returns the names that contain the typed text: first those that begin with it, then those in which a word
// begins with it, then the others, each in alphabetical order.
func rankNames(names []string, typed string) []string {
	type match struct {
		name string
		rank int
	}
	var matches []match
	for _, name := range names {
		folded := foldText(name)
		at := strings.Index(folded, typed)
		switch {
		case at < 0 || name == "":
		case at == 0:
			matches = append(matches, match{name, 0})
		case strings.Contains(folded, " "+typed):
			matches = append(matches, match{name, 1})
		default:
			matches = append(matches, match{name, 2})
		}
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), compareFolded(a.name, b.name), cmp.Compare(a.name, b.name))
	})
	out := make([]string, 0, len(matches))
	for _, m := range slices.Compact(matches) {
		out = append(out, m.name)
	}
	return out
}
