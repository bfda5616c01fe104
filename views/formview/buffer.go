package formview

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// buffer is a text with a cursor. The cursor moves by characters as they are seen: a flag, or a letter with its accents,
// is one step, and never cut in two.
type buffer struct {
	content string
	at      int // in bytes
	count   ansi.Method
}

// press carries out a key that edits.
func (b *buffer) press(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "left", "ctrl+b":
		b.at -= b.before(b.at)
	case "right", "ctrl+f":
		b.at += b.after(b.at)
	case "home", "ctrl+a":
		b.at = b.lineStart()
	case "end", "ctrl+e":
		b.at = b.lineEnd()
	case "ctrl+home":
		b.at = 0
	case "ctrl+end":
		b.at = len(b.content)
	case "ctrl+left", "alt+left", "alt+b":
		b.at = b.wordBefore()
	case "ctrl+right", "alt+right", "alt+f":
		b.at = b.wordAfter()
	case "backspace", "ctrl+h":
		b.cut(b.at-b.before(b.at), b.at)
	case "delete", "ctrl+d":
		b.cut(b.at, b.at+b.after(b.at))
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		b.cut(b.wordBefore(), b.at)
	case "alt+d", "alt+delete", "ctrl+delete":
		b.cut(b.at, b.wordAfter())
	case "ctrl+u":
		b.cut(b.lineStart(), b.at)
	case "ctrl+k":
		b.cut(b.at, b.lineEnd())
	default:
		b.insert(msg.Text)
	}
}

// set replaces the text and puts the cursor at its end.
func (b *buffer) set(text string) { b.content, b.at = text, len(text) }

func (b *buffer) insert(text string) {
	b.content = b.content[:b.at] + text + b.content[b.at:]
	b.at += len(text)
	b.align()
}

func (b *buffer) cut(from, to int) {
	b.content = b.content[:from] + b.content[to:]
	b.at = from
	b.align()
}

// align moves the cursor behind a character that it came to be inside of, where an edit has joined two into one.
func (b *buffer) align() {
	if b.at == 0 || b.at == len(b.content) || b.ascii(b.at-1) && b.ascii(b.at) {
		return
	}
	at := b.lineStart()
	for at < b.at {
		at += b.after(at)
	}
	b.at = at
}

// cluster is the length and the cells of the character at an offset.
func (b *buffer) cluster(at int) (length, cells int) {
	if b.ascii(at) && (at+1 == len(b.content) || b.ascii(at+1)) {
		return 1, 1
	}
	cluster, cells := ansi.FirstGraphemeCluster(b.content[at:], b.count)
	return max(len(cluster), 1), cells
}

// ascii reports a byte that is a character, unless one that is not has joined it.
func (b *buffer) ascii(at int) bool { return b.content[at] < utf8.RuneSelf }

// after is the length of the character at an offset.
func (b *buffer) after(at int) int {
	if at >= len(b.content) {
		return 0
	}
	length, _ := b.cluster(at)
	return length
}

// before is the length of the character that ends at an offset. Only from the front can characters be told apart.
func (b *buffer) before(at int) int {
	if at == 0 {
		return 0
	}
	if b.content[at-1] == '\n' || b.ascii(at-1) && (at == 1 || b.ascii(at-2)) {
		return 1
	}
	from, length := strings.LastIndexByte(b.content[:at], '\n')+1, 0
	for from < at {
		length = b.after(from)
		from += length
	}
	return length
}

// cells is how wide a part of the text is.
func (b *buffer) cells(from, to int) int {
	used := 0
	for from < to {
		length, cells := b.cluster(from)
		from += length
		used += cells
	}
	return used
}

func (b *buffer) wordBefore() int {
	at := b.at
	for at > 0 && b.spaceBefore(at) {
		at -= b.before(at)
	}
	for at > 0 && !b.spaceBefore(at) {
		at -= b.before(at)
	}
	return at
}

func (b *buffer) spaceBefore(at int) bool {
	r, _ := utf8.DecodeLastRuneInString(b.content[:at])
	return unicode.IsSpace(r)
}

func (b *buffer) wordAfter() int {
	at := b.at
	for at < len(b.content) && b.spaceAfter(at) {
		at += b.after(at)
	}
	for at < len(b.content) && !b.spaceAfter(at) {
		at += b.after(at)
	}
	return at
}

func (b *buffer) spaceAfter(at int) bool {
	r, _ := utf8.DecodeRuneInString(b.content[at:])
	return unicode.IsSpace(r)
}

func (b *buffer) lineStart() int { return strings.LastIndexByte(b.content[:b.at], '\n') + 1 }

func (b *buffer) lineEnd() int {
	if n := strings.IndexByte(b.content[b.at:], '\n'); n >= 0 {
		return b.at + n
	}
	return len(b.content)
}

// under is the character that the cursor is on, and where it ends; a space at the end of a line.
func (b *buffer) under() (text string, next int) {
	if b.at == len(b.content) || b.content[b.at] == '\n' {
		return " ", b.at
	}
	next = b.at + b.after(b.at)
	return b.content[b.at:next], next
}
