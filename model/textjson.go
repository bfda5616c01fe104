package model

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// CleanJSON cleans every string of a JSON document, member names included, and leaves everything else byte for byte
// as it was. The nearest member name decides whether a string may keep its line breaks: notes may, a name may not.
//
// A document with nothing to clean comes back as it is, and so does one that is not JSON: the decoder says so better.
// Two member names that differ only in characters that are dropped become the same name.
func CleanJSON(raw []byte) []byte {
	if !needsCleaning(raw) {
		return raw
	}
	c := jsonCleaner{in: raw}
	c.cleanAll()
	if c.out == nil ||
		!jsontext.Value(raw).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) {
		return raw
	}
	return append(c.out, raw[c.copied:]...)
}

// isMultilineMember reports the member names whose texts people write in several lines. The values of metadata and
// custom fields are among them, because what they hold is not known.
func isMultilineMember(name []byte) bool {
	switch string(name) {
	case "notes", "successNotes", "failureNotes", "recipientNotes", "description", "body", "comment", "comments",
		"message", "cause", "text", "value", "reason":
		return true
	}
	return false
}

// needsCleaning looks for anything that could call for a change, eight bytes at a time. It may say yes too often,
// never no wrongly.
func needsCleaning(raw []byte) bool {
	if hasLongString(raw) {
		return true
	}
	for i := 0; i < len(raw); {
		if len(raw)-i >= 8 && !hasSpecial(binary.LittleEndian.Uint64(raw[i:])) {
			i += 8
			continue
		}
		switch c := raw[i]; {
		case c == '\\':
			if i+1 >= len(raw) || (raw[i+1] != '"' && raw[i+1] != '\\' && raw[i+1] != '/') {
				return true
			}
			i += 2
		case c == 0x7f:
			return true
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRune(raw[i:])
			if isInvisible(r) || (r == utf8.RuneError && size == 1) {
				return true
			}
			i += size
		}
	}
	return false
}

// hasSpecial reports whether one of eight bytes is a backslash, DEL or not ASCII.
func hasSpecial(word uint64) bool {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	slashes := word ^ (ones * '\\')
	dels := word ^ (ones * 0x7f)
	return (word|((slashes-ones)&^slashes)|((dels-ones)&^dels))&highs != 0
}

// hasLongString looks for more than MaxLine bytes without a quote. It hops from window to window, so that it reads
// only a few bytes of each.
func hasLongString(raw []byte) bool {
	for len(raw) > MaxLine {
		quote := bytes.LastIndexByte(raw[:MaxLine], '"')
		if quote < 0 {
			return true
		}
		raw = raw[quote+1:]
	}
	return false
}

// jsonCleaner walks a document from string to string. It copies only once something has changed. It does not rely on
// the document being valid; what it makes of a broken one is thrown away.
type jsonCleaner struct {
	in, out []byte
	copied  int
	scratch []byte
	// multiline holds, for each open array and object, whether strings directly in it may keep their line breaks.
	multiline []bool
	current   bool
}

func (c *jsonCleaner) cleanAll() {
	for i := 0; i < len(c.in); {
		switch c.in[i] {
		case '"':
			end, escaped := stringEnd(c.in, i)
			c.cleanString(i, end, escaped)
			i = end
			continue
		case '{', '[':
			c.multiline = append(c.multiline, c.current)
		case '}', ']':
			if n := len(c.multiline); n > 0 {
				c.current, c.multiline = c.multiline[n-1], c.multiline[:n-1]
			}
		case ',':
			if n := len(c.multiline); n > 0 {
				c.current = c.multiline[n-1]
			}
		}
		i++
	}
}

// cleanString cleans the string in[start:end], which is a member name when a colon follows.
func (c *jsonCleaner) cleanString(start, end int, escaped bool) {
	isName := nextByte(c.in, end) == ':'
	content := c.in[start+1 : max(start+1, end-1)]
	if escaped || len(content) > MaxLine || !isPlain(content) {
		content = c.cleanContent(start, end, escaped, c.current && !isName)
	}
	if isName {
		c.current = isMultilineMember(content)
	}
}

// cleanContent cleans a string that may need it and returns what it says then.
func (c *jsonCleaner) cleanContent(start, end int, escaped, multiline bool) []byte {
	content, broken := c.in[start+1:max(start+1, end-1)], false
	if escaped {
		var err error
		c.scratch, err = jsontext.AppendUnquote(c.scratch[:0], c.in[start:end])
		content, broken = c.scratch, err != nil
	}
	limit := MaxLine
	if multiline {
		limit = MaxText
	}
	if !broken && isClean(content, multiline, limit) {
		return content
	}
	cleaned := clean(string(content), multiline, limit)
	c.replace(start, end, cleaned)
	return []byte(cleaned)
}

func (c *jsonCleaner) replace(start, end int, text string) {
	if c.out == nil {
		c.out = slices.Grow(c.out, len(c.in))
	}
	c.out = append(c.out, c.in[c.copied:start]...)
	c.out, _ = jsontext.AppendQuote(c.out, text) //nolint:errcheck // cleaned text is valid UTF-8
	c.copied = end
}

// stringEnd is the index after the closing quote of the string that opens at start, and whether it has escapes.
func stringEnd(raw []byte, start int) (end int, escaped bool) {
	quote := bytes.IndexByte(raw[start+1:], '"')
	if quote < 0 {
		return len(raw), true
	}
	if bytes.IndexByte(raw[start+1:start+1+quote], '\\') < 0 {
		return start + 1 + quote + 1, false
	}
	for i := start + 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1, true
		}
	}
	return len(raw), true
}

// isPlain reports text of printable ASCII only, which most strings are. Controls are not looked for: unescaped, they
// are not valid in a JSON string.
func isPlain(content []byte) bool {
	for len(content) >= 8 {
		if hasSpecial(binary.LittleEndian.Uint64(content)) {
			return false
		}
		content = content[8:]
	}
	for _, c := range content {
		if c >= 0x7f {
			return false
		}
	}
	return true
}

// nextByte is the first byte from i on that is not white space, or 0.
func nextByte(raw []byte, i int) byte {
	for ; i < len(raw); i++ {
		if c := raw[i]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
	}
	return 0
}
