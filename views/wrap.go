package views

import (
	"strings"

	"waybill/views/theme"
)

// Wrap breaks a text into lines of at most width cells, at spaces where possible.
func Wrap(text string, width int, m theme.Measure) []string {
	if width <= 0 {
		return nil
	}
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			for m.Width(word) > width { // a word longer than the line
				head := firstCells(word, width, m)
				if line != "" {
					lines = append(lines, line)
					line = ""
				}
				lines = append(lines, head)
				word = strings.TrimPrefix(word, head)
			}
			switch {
			case line == "":
				line = word
			case m.Width(line)+1+m.Width(word) <= width:
				line += " " + word
			default:
				lines = append(lines, line)
				line = word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// firstCells returns the longest beginning of a text that fits into the cells, at least one character.
func firstCells(text string, cells int, m theme.Measure) string {
	var b strings.Builder
	used := 0
	for cluster, width := range m.Clusters(text) {
		if used+width > cells && b.Len() > 0 {
			break
		}
		used += width
		b.WriteString(cluster)
	}
	head := b.String()
	if head == "" || !strings.HasPrefix(text, head) {
		return text // it has no safe place to break
	}
	return head
}
