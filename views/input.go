package views

import (
	"strings"
	"unicode"

	"waybill/views/theme"
)

// LineEditor is a line of text being typed.
type LineEditor struct {
	text   []rune
	cursor int
	Secret bool // show dots
}

// Text is what was typed.
func (in *LineEditor) Text() string { return string(in.text) }

// Cursor is where the cursor is, in bytes of the text.
func (in *LineEditor) Cursor() int { return len(string(in.text[:in.cursor])) }

// Set replaces the text and puts the cursor at its end.
func (in *LineEditor) Set(text string) {
	in.text = []rune(text)
	in.cursor = len(in.text)
}

// Replace puts text in place of some bytes and the cursor behind it.
func (in *LineEditor) Replace(from, to int, text string) {
	whole := in.Text()
	from, to = max(0, min(from, len(whole))), max(0, min(to, len(whole)))
	head := whole[:from] + text
	in.text = []rune(head + whole[to:])
	in.cursor = len([]rune(head))
}

// Insert adds text at the cursor. Line breaks become spaces: what is pasted stays on its line.
func (in *LineEditor) Insert(text string) {
	var clean []rune
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			clean = append(clean, ' ')
		case unicode.IsPrint(r):
			clean = append(clean, r)
		}
	}
	tail := append(clean, in.text[in.cursor:]...)
	in.text = append(in.text[:in.cursor:in.cursor], tail...)
	in.cursor += len(clean)
}

// Edit carries out a key that edits, and reports whether it was one.
func (in *LineEditor) Edit(key string) bool {
	switch key {
	case "backspace", "ctrl+h":
		in.cut(in.cursor-1, in.cursor)
	case "delete":
		in.cut(in.cursor, in.cursor+1)
	case "left":
		in.cursor = max(in.cursor-1, 0)
	case "right":
		in.cursor = min(in.cursor+1, len(in.text))
	case "home", "ctrl+a":
		in.cursor = 0
	case "end", "ctrl+e":
		in.cursor = len(in.text)
	case "ctrl+w", "alt+backspace":
		in.cut(in.wordStart(), in.cursor)
	case "ctrl+u":
		in.cut(0, in.cursor)
	case "ctrl+k":
		in.cut(in.cursor, len(in.text))
	default:
		return false
	}
	return true
}

func (in *LineEditor) cut(from, to int) {
	from, to = max(from, 0), min(to, len(in.text))
	if from >= to {
		return
	}
	in.text = append(in.text[:from:from], in.text[to:]...)
	in.cursor = from
}

func (in *LineEditor) wordStart() int {
	at := in.cursor
	for at > 0 && in.text[at-1] == ' ' {
		at--
	}
	for at > 0 && in.text[at-1] != ' ' {
		at--
	}
	return at
}

// Put draws the text with its cursor into a line, scrolled so that the cursor is seen.
func (in *LineEditor) Put(l *Line, width int, m theme.Measure) {
	width = min(width, l.Left())
	if width < 2 {
		return
	}
	head, tail := string(in.text[:in.cursor]), string(in.text[in.cursor:])
	if in.Secret {
		head, tail = strings.Repeat("*", in.cursor), strings.Repeat("*", len(in.text)-in.cursor)
	}
	for over := m.Width(head) - width + 2; over > 0 && head != ""; over = m.Width(head) - width + 2 {
		head = string([]rune(head)[1:])
	}
	l.Put(theme.Strong, head)
	width -= m.Width(head)
	under := " "
	if tail != "" {
		for cluster := range m.Clusters(tail) {
			under = cluster
			break
		}
		tail = strings.TrimPrefix(tail, under)
	}
	l.Put(theme.AccentBar, under)
	width -= m.Width(under)
	l.Put(theme.Strong, m.Truncate(tail, max(width, 0)))
}
