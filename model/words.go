package model

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Capitalize returns a text with an upper-case first letter.
func Capitalize(text string) string { return mapFirst(text, unicode.ToUpper) }

// Uncapitalize returns a text with a lower-case first letter.
func Uncapitalize(text string) string { return mapFirst(text, unicode.ToLower) }

func mapFirst(text string, change func(rune) rune) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(change(first)) + text[size:]
}

// FormatCount returns a number with its noun: "1 task", "3 tasks", "2 batches", "2 deliveries".
func FormatCount(n int, noun string) string {
	switch stem, endsInY := strings.CutSuffix(noun, "y"); {
	case n == 1:
		return "1 " + noun
	case endsInY:
		return fmt.Sprintf("%d %sies", n, stem)
	case strings.HasSuffix(noun, "ch"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// AllDigits reports whether a text consists of digits 0 to 9 and is not empty.
func AllDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// JoinParts joins the parts that are not blank with commas, without the spaces around them.
func JoinParts(parts ...string) string {
	var filled []string
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			filled = append(filled, part)
		}
	}
	return strings.Join(filled, ", ")
}

// FormatDistance formats a distance in meters, or in kilometers from one on.
func FormatDistance(meters float64) string {
	switch {
	case meters < 1000:
		return fmt.Sprintf("%.0f m", meters)
	case meters < 10_000:
		return fmt.Sprintf("%.1f km", meters/1000)
	}
	return fmt.Sprintf("%.0f km", meters/1000)
}
