package formview

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"waybill/operations/form"
	"waybill/views"
	"waybill/views/theme"
)

// editor edits the value of a field.
type editor interface {
	value() string
	text() string // the visible text of the value
	set(value string)
	update(msg tea.Msg)
	// draw returns at most rows lines of at most width cells.
	draw(th *theme.Theme, width, rows int, focused bool) []string
}

// field is a field with its editor and everything shown around it.
type field struct {
	editor
	spec *form.Field
	page int

	visible     bool
	focused     bool
	problem     string
	note        string
	echo        string // how the value is understood
	suggestions suggestions

	drawn bool
	block block
}

func newField(spec *form.Field, page int, th *theme.Theme) *field {
	fd := &field{spec: spec, page: page, visible: true}
	switch spec.Kind {
	case form.Text:
		fd.editor = newTextEditor(spec, th.Measure)
	case form.Choice:
		fd.editor = &choiceEditor{options: spec.Options}
	case form.Yes:
		fd.editor = newToggleEditor()
	default:
		fd.editor = newLineEditor(spec)
	}
	return fd
}

// setValue replaces the value. The label of a suggestion is shown instead of its value.
func (fd *field) setValue(value string, values form.Values) {
	fd.suggestions = suggestions{}
	value = fd.clean(value)
	if line, ok := fd.editor.(*lineEditor); ok && value != "" && fd.spec.Suggest != nil {
		for _, o := range fd.spec.Suggest(value, values) {
			if o.Value == value {
				line.setOption(o)
				return
			}
		}
	}
	fd.set(value)
}

// setOption sets the field to an option.
func (fd *field) setOption(o form.Option) {
	o.Value, o.Label = fd.clean(o.Value), fd.clean(o.Label)
	if line, ok := fd.editor.(*lineEditor); ok {
		line.setOption(o)
		return
	}
	fd.set(o.Value)
}

func (fd *field) clean(text string) string {
	if fd.spec.Kind == form.Text {
		return cleanText(text, true)
	}
	return cleanText(strings.TrimRight(text, "\r\n"), false)
}

// updateEcho updates how the value is understood and reports whether that changed.
func (fd *field) updateEcho(values form.Values) bool {
	if fd.spec.Echo == nil {
		return false
	}
	echo := fd.spec.Echo(fd.value(), values)
	if echo == fd.text() {
		echo = ""
	}
	changed := echo != fd.echo
	fd.echo = echo
	return changed
}

// check returns what is wrong with the value.
func (fd *field) check() error {
	value := fd.value()
	if fd.spec.Check != nil {
		if err := fd.spec.Check(value); err != nil {
			return err
		}
	}
	if choice, ok := fd.editor.(*choiceEditor); ok && choice.unknown != "" {
		return fmt.Errorf("%q is no longer available; choose another option", choice.unknown)
	}
	if over := fd.length() - fd.spec.Limit; fd.spec.Limit > 0 && over > 0 {
		return fmt.Errorf("%s over the limit of %s characters", views.Count(over), views.Count(fd.spec.Limit))
	}
	return nil
}

func (fd *field) length() int { return utf8.RuneCountInString(fd.value()) }

// hasClosedList reports whether the field has suggestions that are not shown.
func (fd *field) hasClosedList() bool { return fd.spec.Suggest != nil && !fd.suggestions.isOpen }

func (fd *field) blur() {
	fd.focused = false
	if c, ok := fd.editor.(chooser); ok {
		c.resetTyping()
	}
	fd.suggestions.close()
}
