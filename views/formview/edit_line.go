package formview

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"waybill/operations/form"
	"waybill/views/theme"
)

// lineEditor is a line of text.
//
// The input of huh is not used: it steps through the parts of a character one by one, counts cells otherwise than the
// terminal may, and pastes from the clipboard of the machine that the program runs on, which over SSH is another's.
type lineEditor struct {
	buffer
	taken  form.Option
	secret bool
	hint   string
	look   Look
	left   int // the first byte that is seen
}

func newLineEditor(spec *form.Field, look Look) *lineEditor {
	l := &lineEditor{secret: spec.Kind == form.Secret, hint: spec.Placeholder()}
	l.setLook(look)
	return l
}

func (l *lineEditor) setLook(look Look) { l.look, l.count = look, look.count }

// value is what stands behind the text: that of the option that was taken, or the text itself.
func (l *lineEditor) value() string {
	if l.taken.Label != "" && l.content == l.taken.Label {
		return l.taken.Value
	}
	return l.content
}

func (l *lineEditor) text() string { return l.content }

func (l *lineEditor) set(value string) {
	l.taken = form.Option{}
	l.buffer.set(value)
}

// take holds an option's value and shows its label.
func (l *lineEditor) take(o form.Option) {
	o.Label = label(o)
	l.taken = o
	l.buffer.set(o.Label)
}

func (l *lineEditor) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		l.press(msg)
	case tea.PasteMsg:
		l.insert(msg.Content)
	}
}

func (l *lineEditor) draw(width, _ int, focused bool) []string {
	th := l.look.Theme
	if l.content == "" {
		return []string{empty(th, l.hint, width, focused)}
	}
	seen := l.buffer
	if l.secret {
		seen.at = utf8.RuneCountInString(l.content[:l.at])
		seen.content = strings.Repeat("*", utf8.RuneCountInString(l.content))
	}
	if !focused {
		l.left = 0
		return []string{paint(th, theme.Text, seen.content, width)}
	}
	l.left = seen.scroll(l.left, width)
	under, next := seen.under()
	line := newLine(th, width).put(theme.Text, seen.content[l.left:seen.at]).cursor(under)
	return []string{line.put(theme.Text, seen.content[next:]).end()}
}

// scroll is the first byte to be seen for the cursor to be seen too.
func (b *buffer) scroll(left, width int) int {
	if b.cells(0, len(b.content)) < width {
		return 0
	}
	left = min(left, b.at)
	under, _ := b.under()
	used := b.cells(left, b.at) + b.count.StringWidth(under)
	for used > width && left < b.at {
		length, cells := b.cluster(left)
		left += length
		used -= cells
	}
	for left > 0 && left < len(b.content) && !utf8.RuneStart(b.content[left]) {
		left--
	}
	return left
}
