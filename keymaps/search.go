package keymaps

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Hit is an action that matches a search.
type Hit struct {
	Action         Action
	DisabledReason string // why the action cannot run now, or nothing
	Positions      []int  // runes of the title that matched, for highlighting
	score          int
}

// Search finds actions by a part of their title, id or command, best match
// first. Disabled actions are found too, with the reason. An empty query lists
// all actions in the order of the table, enabled ones first.
func (t *Table) Search(query string, ctx Context) []Hit {
	query = strings.TrimSpace(query)
	var hits []Hit
	for _, a := range t.actions {
		if a.Hidden {
			continue
		}
		hit := Hit{Action: a, DisabledReason: t.DisabledReason(a, ctx)}
		if query != "" {
			var ok bool
			if hit.score, hit.Positions, ok = matchAction(query, a); !ok {
				continue
			}
		}
		hits = append(hits, hit)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.rank(), a.rank()) })
	return hits
}

// rank is the score, a little lower for a disabled action. It stays above
// much worse matches because the user may want to know the reason.
func (h Hit) rank() int {
	if h.DisabledReason != "" {
		return h.score - costDisabled
	}
	return h.score
}

// ParseCommand splits a palette line such as "profile acme" into the action
// and its argument. The command word may be shortened while it is unique.
func (t *Table) ParseCommand(line string) (a Action, argument string, ok bool) {
	word, argument, _ := strings.Cut(strings.TrimSpace(line), " ")
	argument = strings.TrimSpace(argument)
	if word == "" {
		return Action{}, "", false
	}
	var short []Action
	for _, a := range t.actions {
		if slices.Contains(a.Commands, word) || a.ID == word {
			return a, argument, true
		}
		if slices.ContainsFunc(a.Commands, func(c string) bool { return strings.HasPrefix(c, word) }) {
			short = append(short, a)
		}
	}
	if len(short) == 1 {
		return short[0], argument, true
	}
	return Action{}, "", false
}

// matchAction returns the best match of title, id and commands; the title counts most.
func matchAction(query string, a Action) (score int, positions []int, ok bool) {
	score, positions, ok = MatchFuzzy(query, a.Title)
	if ok {
		score += 8
	}
	if slices.Contains(a.Commands, strings.ToLower(query)) {
		return scoreCommand, positions, true
	}
	for _, text := range append([]string{a.ID}, a.Commands...) {
		if s, _, found := MatchFuzzy(query, text); found && (!ok || s > score) {
			score, ok = s, true
		}
	}
	return score, positions, ok
}

// Scores of a match. Letters at the start of a word count more than letters in
// the middle, and consecutive letters more than scattered ones.
const (
	scoreLetter    = 4
	scoreWordStart = 12
	scoreRun       = 8
	scoreCommand   = 1000 // the query is a command word of the action
	costSkip       = 1
	costDisabled   = 6
)

// MatchFuzzy reports whether the letters of query occur in text in that order,
// ignoring spaces, with the score and the positions of the best match.
func MatchFuzzy(query, text string) (score int, positions []int, ok bool) {
	q := []rune(strings.ToLower(strings.ReplaceAll(query, " ", "")))
	s := []rune(strings.ToLower(text))
	if len(q) == 0 {
		return 0, nil, true
	}
	if !containsInOrder(q, s) {
		return 0, nil, false
	}
	return bestMatch(q, s)
}

// MatchWords reports whether every word of a query occurs in a text, and where. Use it for sentences, in which
// [MatchFuzzy] would match almost any word.
func MatchWords(query, text string) (positions []int, ok bool) {
	folded := []rune(strings.ToLower(text))
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		letters := []rune(word)
		at := indexOfRunes(folded, letters)
		if at < 0 {
			return nil, false
		}
		for i := range letters {
			positions = append(positions, at+i)
		}
	}
	slices.Sort(positions)
	return slices.Compact(positions), true
}

func indexOfRunes(text, word []rune) int {
	for at := range len(text) - len(word) + 1 {
		if slices.Equal(text[at:at+len(word)], word) {
			return at
		}
	}
	return -1
}

// containsInOrder reports whether the letters of q occur in s in that order. It rejects most texts quickly.
func containsInOrder(q, s []rune) bool {
	for _, r := range s {
		if len(q) > 0 && r == q[0] {
			q = q[1:]
		}
	}
	return len(q) == 0
}

const impossible = -1 << 30

// bestMatch computes, for each letter of the query, the best score of matching
// it at each position of the text, and remembers the position of the letter
// before.
func bestMatch(q, s []rune) (score int, positions []int, ok bool) {
	best := make([]int, len(s)) // best score of the query up to this letter, by the position of the letter
	from := make([][]int, len(q))
	for i, letter := range q {
		before := best
		best, from[i] = make([]int, len(s)), make([]int, len(s))
		for j := range s {
			best[j], from[i][j] = impossible, -1
			switch {
			case s[j] != letter:
			case i == 0:
				best[j] = letterScore(s, j) - skipCost(j)
			default:
				best[j], from[i][j] = bestPredecessor(before, j)
				best[j] += letterScore(s, j)
			}
		}
	}
	end := -1
	for j, v := range best {
		if v > impossible/2 && (end < 0 || v > best[end]) {
			end = j
		}
	}
	if end < 0 {
		return 0, nil, false
	}
	positions = make([]int, len(q))
	for i, j := len(q)-1, end; i >= 0; i-- {
		positions[i] = j
		j = from[i][j]
	}
	return best[end] - len(s)/8, positions, true
}

// bestPredecessor returns the best position of the previous letter if this one is at j.
func bestPredecessor(before []int, j int) (score, at int) {
	score, at = impossible, -1
	for k := range j {
		total := before[k] - skipCost(j-k-1)
		if k == j-1 {
			total += scoreRun
		}
		if total > score {
			score, at = total, k
		}
	}
	return score, at
}

func letterScore(s []rune, j int) int {
	if j == 0 || !isWordRune(s[j-1]) {
		return scoreLetter + scoreWordStart
	}
	return scoreLetter
}

func skipCost(letters int) int { return min(letters, 10) * costSkip }

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
