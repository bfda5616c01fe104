package gazetteer

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the form in which names are compared: lower case, without accents and punctuation, one space between
// words, and "Saint", "Mount" and "Fort" in their short form. The table is sorted by it, so a change here needs a new
// table.
func Fold(s string) string {
	return string(appendFold(nil, s))
}

// appendFold is Fold into a buffer, so that a search allocates only once.
func appendFold(dst []byte, s string) []byte {
	if !isASCII(s) {
		s = norm.NFD.String(s)
	}
	start := len(dst)
	gap := false
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf && isLowerOrDigit(byte(r)):
			dst = closeGap(dst, start, &gap)
			dst = append(dst, byte(r))
		case 'A' <= r && r <= 'Z':
			dst = closeGap(dst, start, &gap)
			dst = append(dst, byte(r)+'a'-'A')
		case r == '\'' || r == '’' || r == 'ʻ' || r == '`' || unicode.Is(unicode.Mn, r):
			// Part of the word: O'Farrell and OFarrell are one street.
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			dst = closeGap(dst, start, &gap)
			dst = appendLetter(dst, r)
		default:
			gap = true
		}
	}
	return shortenWords(dst, start)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isLowerOrDigit(b byte) bool {
	return 'a' <= b && b <= 'z' || '0' <= b && b <= '9'
}

// closeGap writes one space for everything between two words.
func closeGap(dst []byte, start int, gap *bool) []byte {
	if *gap && len(dst) > start {
		dst = append(dst, ' ')
	}
	*gap = false
	return dst
}

// Read-only tables of Fold.
//
//nolint:gochecknoglobals // read-only
var (
	// plainLetters replace letters that Unicode does not decompose into a base letter and an accent.
	plainLetters = map[rune]string{
		'ß': "ss", 'ø': "o", 'æ': "ae", 'œ': "oe", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i",
	}
	// shortWords replace words that are commonly abbreviated.
	shortWords = map[string]string{"saint": "st", "sainte": "ste", "mount": "mt", "fort": "ft"}
)

func appendLetter(dst []byte, r rune) []byte {
	r = unicode.ToLower(r)
	if plain, ok := plainLetters[r]; ok {
		return append(dst, plain...)
	}
	return utf8.AppendRune(dst, r)
}

// shortenWords replaces words that are commonly abbreviated, in dst from start on.
func shortenWords(dst []byte, start int) []byte {
	folded := dst[start:]
	if !bytes.Contains(folded, []byte("saint")) && !bytes.Contains(folded, []byte("mount")) &&
		!bytes.Contains(folded, []byte("fort")) {
		return dst
	}
	words := bytes.Fields(bytes.Clone(folded))
	dst = dst[:start]
	for i, word := range words {
		if i > 0 {
			dst = append(dst, ' ')
		}
		if short, ok := shortWords[string(word)]; ok {
			dst = append(dst, short...)
		} else {
			dst = append(dst, word...)
		}
	}
	return dst
}
