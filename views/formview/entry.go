package formview

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"

	"waybill/operations/form"
)

// editor is where the value of a field is typed or chosen.
type editor interface {
	value() string
	// text is what is seen of the value.
	text() string
	set(value string)
	update(msg tea.Msg)
	setLook(look Look)
	// draw is the lines of the editor, each a width wide at most, in at most some rows.
	draw(width, rows int, focused bool) []string
}

// entry is a field with everything that is said around it. It is a field of huh.
type entry struct {
	editor
	spec *form.Field
	page int

	shown   bool
	focused bool
	problem string
	note    string
	echo    string
	list    suggestions

	drawn bool
	block block
}

var _ huh.Field = (*entry)(nil)

func newEntry(spec *form.Field, page int, look Look) *entry {
	e := &entry{spec: spec, page: page, shown: true}
	switch spec.Kind {
	case form.Text:
		e.editor = newTextEditor(spec, look)
	case form.Choice:
		e.editor = newChoiceEditor(spec, look)
	case form.Yes:
		e.editor = newSwitchEditor(look)
	default:
		e.editor = newLineEditor(spec, look)
	}
	return e
}

// set replaces the value. A value that stands for something is shown as that, when the suggestions know it.
func (e *entry) set(value string, values form.Values) {
	e.list = suggestions{}
	value = e.clean(value)
	if line, ok := e.editor.(*lineEditor); ok && value != "" && e.spec.Suggest != nil {
		for _, o := range e.spec.Suggest(value, values) {
			if o.Value == value {
				line.take(o)
				return
			}
		}
	}
	e.editor.set(value)
}

// take puts an option into the field.
func (e *entry) take(o form.Option) {
	o.Value, o.Label = e.clean(o.Value), e.clean(o.Label)
	if line, ok := e.editor.(*lineEditor); ok {
		line.take(o)
		return
	}
	e.editor.set(o.Value)
}

func (e *entry) clean(text string) string {
	if e.spec.Kind == form.Text {
		return clean(text, true)
	}
	return clean(strings.TrimRight(text, "\r\n"), false)
}

// say asks what the value is taken for, and reports whether that is another answer than before.
func (e *entry) say(values form.Values) bool {
	if e.spec.Echo == nil {
		return false
	}
	echo := e.spec.Echo(e.value(), values)
	if echo == e.text() { // the field says it already
		echo = ""
	}
	changed := echo != e.echo
	e.echo = echo
	return changed
}

// check says what is wrong with the value on its own.
func (e *entry) check() error {
	value := e.value()
	if e.spec.Check != nil {
		if err := e.spec.Check(value); err != nil {
			return err
		}
	}
	if choice, ok := e.editor.(*choiceEditor); ok && choice.stray != "" {
		return fmt.Errorf("%q cannot be chosen any more; choose another", choice.stray)
	}
	if over := e.length() - e.spec.Limit; e.spec.Limit > 0 && over > 0 {
		return fmt.Errorf("%s too long; %s characters fit", thousands(over), thousands(e.spec.Limit))
	}
	return nil
}

func (e *entry) length() int { return utf8.RuneCountInString(e.value()) }

// listed reports that there is a list to choose from behind the field.
func (e *entry) listed() bool { return e.spec.Suggest != nil && !e.list.open }

// enter and exit are told by the form, once it has arrived.
func (e *entry) enter() { e.focused = true }

func (e *entry) exit() {
	e.focused = false
	if c, ok := e.editor.(chooser); ok {
		c.rest()
	}
	e.list.close()
}

// Update is how huh hands on keys. Everything else that it tells its fields is about drawing them.
func (e *entry) Update(msg tea.Msg) (huh.Model, tea.Cmd) {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if e.focused {
			e.editor.update(msg)
		}
	}
	return e, nil
}

// Skip is how huh passes over fields that are hidden.
func (e *entry) Skip() bool { return !e.shown }

// Error is always nil, so that huh lets everyone leave: problems are shown and hold up only the preview.
func (e *entry) Error() error { return nil }

// View is empty: huh would draw all fields of a page on each key.
func (e *entry) View() string { return "" }

// The rest is what huh asks of a field and what is not needed here.

func (e *entry) Init() tea.Cmd                            { return nil }
func (e *entry) Focus() tea.Cmd                           { return nil }
func (e *entry) Blur() tea.Cmd                            { return nil }
func (e *entry) Zoom() bool                               { return false }
func (e *entry) KeyBinds() []key.Binding                  { return nil }
func (e *entry) WithTheme(huh.Theme) huh.Field            { return e }
func (e *entry) WithKeyMap(*huh.KeyMap) huh.Field         { return e }
func (e *entry) WithWidth(int) huh.Field                  { return e }
func (e *entry) WithHeight(int) huh.Field                 { return e }
func (e *entry) WithPosition(huh.FieldPosition) huh.Field { return e }
func (e *entry) GetKey() string                           { return e.spec.Name }
func (e *entry) GetValue() any                            { return e.value() }

// errAlone is for what a field of a form cannot do by itself.
var errAlone = errors.New("a field is asked for as part of its form")

func (e *entry) Run() error                               { return errAlone }
func (e *entry) RunAccessible(io.Writer, io.Reader) error { return errAlone }
