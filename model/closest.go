package model

import "strings"

// longestWord is the longest word that is compared: longer words are no typing mistakes, and the cost grows with the
// square of the length.
const longestWord = 128

// ClosestName returns the name that a mistyped word most likely means, ignoring case: one that starts with the word, or
// else the one with the smallest edit distance. It is empty when no name is close enough.
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

// editDistance counts the letters to change, insert, delete or swap with their neighbour.
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
