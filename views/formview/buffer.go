package formview

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"waybill/views/theme"
)

// buffer is a text with a cursor. The cursor moves by visible characters: a flag, or a letter with its accents, is one
// step.
type buffer struct {
	content string
	cursor  int // in bytes
	measure theme.Measure
}

// handleKey handles an editing key and inserts the text of other keys.
func (b *buffer) handleKey(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "left", "ctrl+b":
		b.cursor -= b.lengthBefore(b.cursor)
	case "right", "ctrl+f":
		b.cursor += b.lengthAfter(b.cursor)
	case "home", "ctrl+a":
		b.cursor = b.lineStart()
	case "end", "ctrl+e":
		b.cursor = b.lineEnd()
	case "ctrl+home":
		b.cursor = 0
	case "ctrl+end":
		b.cursor = len(b.content)
	case "ctrl+left", "alt+left", "alt+b":
		b.cursor = b.wordStart()
	case "ctrl+right", "alt+right", "alt+f":
		b.cursor = b.wordEnd()
	case "backspace", "ctrl+h":
		b.delete(b.cursor-b.lengthBefore(b.cursor), b.cursor)
	case "delete", "ctrl+d":
		b.delete(b.cursor, b.cursor+b.lengthAfter(b.cursor))
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		b.delete(b.wordStart(), b.cursor)
	case "alt+d", "alt+delete", "ctrl+delete":
		b.delete(b.cursor, b.wordEnd())
	case "ctrl+u":
		b.delete(b.lineStart(), b.cursor)
	case "ctrl+k":
		b.delete(b.cursor, b.lineEnd())
	default:
		b.insert(msg.Text)
	}
	b.alignCursor()
}

// set replaces the text and moves the cursor to its end.
func (b *buffer) set(text string) { b.content, b.cursor = text, len(text) }

func (b *buffer) insert(text string) {
	b.content = b.content[:b.cursor] + text + b.content[b.cursor:]
	b.cursor += len(text)
	b.alignCursor()
}

func (b *buffer) delete(from, to int) {
	b.content = b.content[:from] + b.content[to:]
	b.cursor = from
	b.alignCursor()
}

// alignCursor moves the cursor out of a character, after an edit has joined the characters around it into one.
func (b *buffer) alignCursor() {
	if b.cursor == 0 || b.cursor == len(b.content) || b.isASCII(b.cursor-1) && b.isASCII(b.cursor) {
		return
	}
	at := b.lineStart()
	for at < b.cursor {
		at += b.lengthAfter(at)
	}
	b.cursor = at
}

// cluster returns the bytes and the cells of the character at an offset.
func (b *buffer) cluster(at int) (length, cells int) {
	if b.isASCII(at) && (at+1 == len(b.content) || b.isASCII(at+1)) {
		return 1, 1
	}
	cluster, _ := ansi.FirstGraphemeCluster(b.content[at:], ansi.GraphemeWidth)
	return max(len(cluster), 1), b.measure.Width(cluster)
}

// isASCII reports whether the byte at an offset is an ASCII character.
func (b *buffer) isASCII(at int) bool { return b.content[at] < utf8.RuneSelf }

// lengthAfter returns the bytes of the character at an offset.
func (b *buffer) lengthAfter(at int) int {
	if at >= len(b.content) {
		return 0
	}
	length, _ := b.cluster(at)
	return length
}

// lengthBefore returns the bytes of the character that ends at an offset. Characters can only be separated from the
// start of the line.
func (b *buffer) lengthBefore(at int) int {
	if at == 0 {
		return 0
	}
	if b.content[at-1] == '\n' || b.isASCII(at-1) && (at == 1 || b.isASCII(at-2)) {
		return 1
	}
	from, length := strings.LastIndexByte(b.content[:at], '\n')+1, 0
	for from < at {
		length = b.lengthAfter(from)
		from += length
	}
	return length
}

// cells returns the cells of a part of the text.
func (b *buffer) cells(from, to int) int {
	used := 0
	for from < to {
		length, cells := b.cluster(from)
		from += length
		used += cells
	}
	return used
}

func (b *buffer) wordStart() int {
	words := strings.Fields(b.content[:b.cursor])
	if len(words) == 0 {
		return 0
	}
	return strings.LastIndex(b.content[:b.cursor], words[len(words)-1])
}

func (b *buffer) wordEnd() int {
	word := strings.TrimLeftFunc(b.content[b.cursor:], unicode.IsSpace)
	if end := strings.IndexFunc(word, unicode.IsSpace); end >= 0 {
		return len(b.content) - len(word) + end
	}
	return len(b.content)
}

func (b *buffer) lineStart() int { return strings.LastIndexByte(b.content[:b.cursor], '\n') + 1 }

func (b *buffer) lineEnd() int {
	if n := strings.IndexByte(b.content[b.cursor:], '\n'); n >= 0 {
		return b.cursor + n
	}
	return len(b.content)
}

// underCursor returns the character under the cursor and where it ends; at the end of a line it is a space.
func (b *buffer) underCursor() (text string, next int) {
	if b.cursor == len(b.content) || b.content[b.cursor] == '\n' {
		return " ", b.cursor
	}
	next = b.cursor + b.lengthAfter(b.cursor)
	return b.content[b.cursor:next], next
}
