package keymaps

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Hit is an action the palette found.
type Hit struct {
	Action    Action
	DisabledReason    string // why it cannot run now, or nothing
	Positions []int  // runes of the title that matched, for highlighting
	score     int
}

// Search finds actions by typing a part of their title, id or command, best
// first. Those that cannot run are found too, with the reason. Without a query
// all are listed in the order of the table, those that can run first.
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

// rank puts what cannot run a little lower: below an equal match that can, but
// not below a poor one, since the reason may be what was looked for.
func (h Hit) rank() int {
	if h.DisabledReason != "" {
		return h.score - costDisabled
	}
	return h.score
}

// ParseCommand reads a palette line such as "profile acme": the action whose word
// it begins with, and the rest. A word may be shortened while it is unique.
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

// matchAction is the best of title, id and commands; the title counts most.
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

// Scores of a match. A match at the start of a word says more about what was
// meant than one in the middle, and a run of letters more than scattered ones.
const (
	scoreLetter    = 4
	scoreWordStart = 12
	scoreRun       = 8
	scoreCommand   = 1000 // the query is the word that runs it
	costSkip       = 1
	costDisabled   = 6
)

// MatchFuzzy reports whether the letters of query occur in text in that order,
// spaces aside, with a score and the positions of the best way to match. It is
// for pickers too.
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

// MatchWords reports whether every word of a query occurs in a text, and where. It is for texts to read: in a sentence the
// letters of almost any word occur in order.
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

// containsInOrder is a quick no for the many texts that do not match at all.
func containsInOrder(q, s []rune) bool {
	for _, r := range s {
		if len(q) > 0 && r == q[0] {
			q = q[1:]
		}
	}
	return len(q) == 0
}

const impossible = -1 << 30

// bestMatch fills, letter by letter of the query, the best score of matching
// it at each place of the text, and remembers where the letter before was.
func bestMatch(q, s []rune) (score int, positions []int, ok bool) {
	best := make([]int, len(s)) // of the query up to this letter, ending at each place
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

// bestPredecessor is the best place for the letter before one at j.
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

// closestWord is the candidate with the fewest letters to change, if that is few
// enough to be a slip.
func closestWord(word string, candidates []string) (string, bool) {
	best, distance := "", len(word)/3+1
	for _, c := range candidates {
		if d := editDistance(word, c); d <= distance && (best == "" || d < distance) {
			best, distance = c, d
		}
	}
	return best, best != ""
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(diagonal+cost, row[j]+1, row[j+1]+1)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
