package geo

import (
	"slices"
	"sort"
	"strings"

	"waybill/service/geo/gazetteer"
)

// StreetKey returns the same key for "Howard Street", "Howard St." and "HOWARD ST".
func StreetKey(street string) string {
	words := strings.Fields(gazetteer.Fold(street))
	for i, word := range words {
		if short, ok := streetAbbreviations[word]; ok {
			words[i] = short
		} else if rest, ok := strings.CutSuffix(word, "strasse"); ok {
			words[i] = rest + "str"
		}
	}
	return strings.Join(words, " ")
}

// Read-only tables of street names.
//
//nolint:gochecknoglobals // read-only
var (
	streetAbbreviations = map[string]string{
		"street": "st", "str": "st", "strasse": "st", "avenue": "ave", "av": "ave", "aven": "ave", "boulevard": "blvd",
		"blv": "blvd", "boul": "blvd", "road": "rd", "drive": "dr", "drv": "dr", "lane": "ln", "court": "ct", "crt": "ct",
		"place": "pl", "terrace": "ter", "terr": "ter", "square": "sq", "highway": "hwy", "parkway": "pkwy", "pky": "pkwy",
		"alley": "aly", "circle": "cir", "crescent": "cres", "plaza": "plz", "trail": "trl", "wy": "way",
		"north": "n", "south": "s", "east": "e", "west": "w", "northeast": "ne", "northwest": "nw", "southeast": "se",
		"southwest": "sw", "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th",
		"sixth": "6th", "seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th", "eleventh": "11th",
		"twelfth": "12th",
	}
	streetKinds = wordSet("st ave blvd rd dr ln ct pl ter sq hwy pkwy aly cir cres plz trl way")
	directions  = wordSet("n s e w ne nw se sw")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// StreetSortKey returns the key by which lists of streets for MatchStreets are sorted: the name itself, a tab, the
// direction, a space and the kind. "South Van Ness Avenue" is "van ness", "s", "ave".
func StreetSortKey(street string) string {
	words := strings.Fields(StreetKey(street))
	direction, kind := "", ""
	if n := len(words); n > 1 && directions[words[n-1]] {
		direction, words = words[n-1], words[:n-1]
	}
	if n := len(words); n > 1 && streetKinds[words[n-1]] {
		kind, words = words[n-1], words[:n-1]
	}
	if len(words) > 1 && direction == "" && directions[words[0]] {
		direction, words = words[0], words[1:]
	}
	return strings.Join(words, " ") + "\t" + direction + " " + kind
}

// StreetMatch is a street that may be meant by a name.
type StreetMatch struct {
	Index int
	// Difference is 0 for the same name, 1 if the kind or direction was left out, 2 if it differs, and more for a
	// different spelling.
	Difference int
}

// misspelled is the difference of a name with one wrong letter.
const misspelled = 3

// Misspelled reports whether the street has another name than the one that was asked for.
func (m StreetMatch) Misspelled() bool { return m.Difference >= misspelled }

// MatchStreets returns the streets of a list that a name may mean, the most similar first. key returns StreetSortKey of
// one of the count streets, which are sorted by it. If no street has the name, those with the most similar name match.
func MatchStreets(count int, key func(int) string, street string) []StreetMatch {
	wanted := StreetSortKey(street)
	name, rest, _ := strings.Cut(wanted, "\t")
	if name == "" {
		return nil
	}
	var matches []StreetMatch
	for i := sort.Search(count, func(i int) bool { return key(i) >= name+"\t" }); i < count; i++ {
		other, otherRest, _ := strings.Cut(key(i), "\t")
		if other != name {
			break
		}
		matches = append(matches, StreetMatch{i, restDifference(rest, otherRest)})
	}
	if len(matches) == 0 {
		matches = matchSimilar(count, key, name, rest)
	}
	slices.SortStableFunc(matches, func(a, b StreetMatch) int { return a.Difference - b.Difference })
	return matches
}

// restDifference compares direction and kind.
func restDifference(wanted, other string) int {
	if wanted == other {
		return 0
	}
	direction, kind, _ := strings.Cut(wanted, " ")
	otherDirection, otherKind, _ := strings.Cut(other, " ")
	if (direction == "" || direction == otherDirection) && (kind == "" || kind == otherKind) {
		return 1
	}
	return 2
}

// matchSimilar returns the streets whose names differ least from a name, within allowedTypos. Names with numbers must be
// right, because 22nd St and 24th St are different streets.
func matchSimilar(count int, key func(int) string, name, rest string) []StreetMatch {
	best := allowedTypos(name)
	if best == 0 {
		return nil
	}
	var matches []StreetMatch
	for i := range count {
		other, otherRest, _ := strings.Cut(key(i), "\t")
		if max(len(other)-len(name), len(name)-len(other)) > best || hasDigit(other) {
			continue
		}
		typos := editDistance(name, other, best)
		if typos > best {
			continue
		}
		if typos < best {
			best, matches = typos, nil
		}
		matches = append(matches, StreetMatch{i, misspelled*typos + restDifference(rest, otherRest)})
	}
	return matches
}

// allowedTypos is how many letters of a name may be wrong.
func allowedTypos(name string) int {
	switch {
	case len(name) < 4 || hasDigit(name):
		return 0
	case len(name) < 8:
		return 1
	default:
		return 2
	}
}

// editDistance counts the letters to insert, remove, replace or swap to get from a to b. Above limit it returns more than
// limit.
func editDistance(a, b string, limit int) int {
	const most = 64
	if len(a) > most || len(b) > most {
		if a == b {
			return 0
		}
		return limit + 1
	}
	var rows [3][most + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		smallest := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			smallest = min(smallest, row[j])
		}
		if smallest > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
