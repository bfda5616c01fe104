package views

import (
	"strings"

	"waybill/views/theme"
)

// Wrap breaks a text into lines of at most width cells, at spaces where possible. Several spaces become one.
func Wrap(text string, width int, m theme.Measure) []string {
	if width <= 0 {
		return nil
	}
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		wrapped := m.Wrap(strings.Join(strings.Fields(paragraph), " "), width)
		lines = append(lines, strings.Split(wrapped, "\n")...)
	}
	return lines
}
