package views

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"waybill/model"
	"waybill/views/theme"
)

// LineEditor edits one line of text. It is the editor of form fields, of the filter and of the palette.
//
// Bubbles' textinput holds the text and handles the keys. Drawing is done here, because textinput counts the cells of
// single runes and would draw emoji of several runes wider or narrower than the terminal does.
type LineEditor struct {
	Secret bool // draw asterisks

	input  textinput.Model
	ready  bool
	scroll int // first visible byte
}

// model returns the text input and creates it on first use.
func (e *LineEditor) model() *textinput.Model {
	if !e.ready {
		e.ready = true
		e.input = textinput.New()
		e.input.SetVirtualCursor(false)
		e.input.KeyMap.Paste.Unbind() // it would read the clipboard of the machine the program runs on, not the user's
		e.input.Focus()
	}
	return &e.input
}

// Text returns the text.
func (e *LineEditor) Text() string { return e.model().Value() }

// Cursor returns the position of the cursor in bytes.
func (e *LineEditor) Cursor() int { return theme.RuneOffset(e.Text(), e.model().Position()) }

// Set replaces the text and moves the cursor to its end.
func (e *LineEditor) Set(text string) {
	e.model().SetValue(text)
	e.model().CursorEnd()
}

// Replace replaces the bytes from-to and moves the cursor behind the new text.
func (e *LineEditor) Replace(from, to int, text string) {
	whole := e.Text()
	from, to = max(0, min(from, len(whole))), max(0, min(to, len(whole)))
	e.Set(whole[:from] + text + whole[to:])
	e.model().SetCursor(utf8.RuneCountInString(whole[:from] + text))
}

// Insert inserts text at the cursor. Line breaks become spaces and control characters are removed.
func (e *LineEditor) Insert(text string) { e.Update(tea.PasteMsg{Content: model.Clean(text)}) }

// Edit handles an editing key by its name and reports whether it was one.
func (e *LineEditor) Edit(name string) bool {
	k := e.model().KeyMap
	msg := tea.KeyPressMsg{Text: name} // bindings compare String, which returns Text
	if !key.Matches(msg, k.CharacterForward, k.CharacterBackward, k.WordForward, k.WordBackward, k.DeleteWordBackward,
		k.DeleteWordForward, k.DeleteAfterCursor, k.DeleteBeforeCursor, k.DeleteCharacterBackward,
		k.DeleteCharacterForward, k.LineStart, k.LineEnd) {
		return false
	}
	e.Update(msg)
	return true
}

// Update handles a key or a paste. A key that moves over or deletes a character applies to all runes of that character.
func (e *LineEditor) Update(msg tea.Msg) {
	m, times := e.model(), 1
	if press, ok := msg.(tea.KeyPressMsg); ok {
		before, after := clusterAround(m.Value(), m.Position())
		switch k := m.KeyMap; {
		case key.Matches(press, k.CharacterBackward, k.DeleteCharacterBackward):
			times = before
		case key.Matches(press, k.CharacterForward, k.DeleteCharacterForward):
			times = after
		}
	}
	for range times {
		*m, _ = m.Update(msg)
	}
}

// clusterAround returns the runes from the start of the character before a position, and to the end of the one after it.
func clusterAround(text string, position int) (before, after int) {
	for at := 0; text != ""; {
		cluster, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		next := at + utf8.RuneCountInString(cluster)
		if at < position {
			before = position - at
		}
		if next > position {
			return before, next - position
		}
		at, text = next, text[len(cluster):]
	}
	return before, 0
}

// Put draws the text with the cursor, scrolled so that the cursor is visible.
func (e *LineEditor) Put(l *Line, width int) {
	if width = min(width, l.Left()); width < 1 {
		return
	}
	m, text := l.theme.Measure, e.Masked()
	at := theme.RuneOffset(text, e.model().Position())
	under, rest := " ", ""
	if at < len(text) {
		under, _ = ansi.FirstGraphemeCluster(text[at:], ansi.GraphemeWidth)
		rest = text[at+len(under):]
	}
	cells := max(m.Width(under), 1)
	e.scroll = min(e.scroll, at)
	if m.Width(text) < width {
		e.scroll = 0
	}
	for m.Width(text[e.scroll:at])+cells > width && e.scroll < at {
		cluster, _ := ansi.FirstGraphemeCluster(text[e.scroll:], ansi.GraphemeWidth)
		e.scroll = min(e.scroll+len(cluster), at)
	}
	end := l.Left() - width
	l.Put(theme.Text, text[e.scroll:at]).PutCursor(under)
	l.Put(theme.Text, m.Truncate(rest, l.Left()-end))
}

// Masked returns the text, or asterisks for a secret one.
func (e *LineEditor) Masked() string {
	if e.Secret {
		return strings.Repeat("*", utf8.RuneCountInString(e.Text()))
	}
	return e.Text()
}
