package model

import "strings"

// longestWord is the longest that is compared: a word much longer than any name is no typing mistake, and comparing costs
// its length squared.
const longestWord = 128

// ClosestName is the name that a mistyped word most likely stands for, whatever its case: one that it begins, or else the one
// with the fewest letters to change, add, drop or swap. It is empty when none is near enough to be more than chance.
func ClosestName(word string, names []string) string {
	if len(word) > longestWord {
		return ""
	}
	word = strings.ToLower(word)
	best, distance := "", len(word)/3+2
	for _, name := range names {
		folded := strings.ToLower(name)
		if len(word) >= 2 && strings.HasPrefix(folded, word) {
			return name
		}
		if d := editDistance(word, folded); d < distance && d < len(name) {
			best, distance = name, d
		}
	}
	return best
}

// editDistance counts the letters to change, add, drop or swap with their neighbour.
func editDistance(a, b string) int {
	source, target := []rune(a), []rune(b)
	before, last, row := make([]int, len(target)+1), make([]int, len(target)+1), make([]int, len(target)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(source); i++ {
		row[0] = i
		for j := 1; j <= len(target); j++ {
			cost := 1
			if source[i-1] == target[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && source[i-1] == target[j-2] && source[i-2] == target[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(target)]
}
