// Package formview draws a [form.Form] and edits its values.
//
// Lines are edited by [views.LineEditor], which is Bubbles' textinput. Notes are edited by an editor of this package:
// Bubbles' textarea renders the whole text on every key, 5 ms for 1,000 characters and 37 ms for 10,000, where the
// editor here draws only the visible rows and takes 0.3 ms for 10,000.
//
// A form starts no commands and needs no redraw between keys: its cursor does not blink.
package formview

import (
	"maps"

	tea "charm.land/bubbletea/v2"

	"waybill/model"
	"waybill/operations/form"
	"waybill/views/theme"
)

// Form is a form being filled in.
type Form struct {
	spec   form.Form
	theme  *theme.Theme
	pages  []page
	fields []*field // of all pages, in order
	focus  *field   // may be invisible when all fields are

	values    form.Values // replaced on every edit, never changed: callers keep it
	problem   string      // of the whole form
	completed bool
	revision  uint64

	width, height int
	top           int // first visible line of the page
	lines         []string
	stale         bool
}

// page is the fields that are shown together.
type page struct {
	name   string
	fields []*field
}

// New returns a form with the values of a draft or with the start values of the form.
func New(spec form.Form, values form.Values, th *theme.Theme) *Form {
	f := &Form{spec: spec, theme: th, stale: true}
	pageIndex := map[string]int{}
	for i, name := range f.spec.Pages() {
		pageIndex[name] = i
		f.pages = append(f.pages, page{name: name})
	}
	for i := range f.spec.Fields {
		fieldSpec := &f.spec.Fields[i]
		p := &f.pages[pageIndex[fieldSpec.Page]]
		p.fields = append(p.fields, newField(fieldSpec, pageIndex[fieldSpec.Page], th))
	}
	for i := range f.pages {
		f.fields = append(f.fields, f.pages[i].fields...)
	}
	f.setValues(values)
	f.focusStart()
	return f
}

// setValues replaces the values of all fields.
func (f *Form) setValues(values form.Values) {
	f.values = form.Values{}
	maps.Copy(f.values, values)
	for _, fd := range f.fields {
		fd.setValue(values[fd.spec.Name], f.values)
		fd.problem, fd.note = "", ""
		f.storeValue(fd)
	}
	f.problem, f.completed, f.top = "", false, 0
	f.updateVisibility()
}

// SetSize sets the size of the drawn form in cells.
func (f *Form) SetSize(width, height int) {
	width, height = max(width, 0), max(height, 0)
	if width == f.width && height == f.height {
		return
	}
	f.width, f.height = width, height
	f.invalidateAll()
}

// SetTheme changes the theme.
func (f *Form) SetTheme(th *theme.Theme) {
	if th == f.theme {
		return
	}
	f.theme = th
	f.invalidateAll()
}

// Values returns the values of all fields, including invisible ones, and the given values that belong to no field.
func (f *Form) Values() form.Values { return f.values.Clone() }

// VisibleValues returns the values without those of invisible fields: only what the user sees is sent.
func (f *Form) VisibleValues() form.Values {
	values := f.values.Clone()
	for _, fd := range f.fields {
		if !fd.visible {
			delete(values, fd.spec.Name)
		}
	}
	return values
}

// Revision returns a number that changes with every edit.
func (f *Form) Revision() uint64 { return f.revision }

// Reset discards all edits and goes back to the start values.
func (f *Form) Reset() {
	f.revision++
	f.setValues(f.spec.Start)
	f.focusStart()
}

// Update handles a key or a paste.
func (f *Form) Update(msg tea.Msg) {
	f.completed = false
	if !f.hasFocus() {
		return
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		f.handleKey(msg)
	case tea.PasteMsg:
		f.editField(f.focus, tea.PasteMsg{Content: f.focus.clean(msg.Content)})
	}
}

func (f *Form) handleKey(msg tea.KeyPressMsg) {
	fd := f.focus
	switch key := msg.String(); key {
	case "tab":
		f.FocusNext()
	case "shift+tab":
		f.FocusPrevious()
	case "pgdown", "ctrl+pgdown", "alt+pgdown":
		f.turnPage(1)
	case "pgup", "ctrl+pgup", "alt+pgup":
		f.turnPage(-1)
	case "enter":
		if fd.spec.Kind == form.Text {
			f.editField(fd, msg)
			return
		}
		f.confirmField(fd)
	case "up", "ctrl+p":
		f.moveVertically(fd, msg, -1)
	case "down", "ctrl+n":
		f.moveVertically(fd, msg, 1)
	case "esc":
		f.CloseSuggestions()
	default:
		if msg.Text != "" {
			if msg.Text = fd.clean(msg.Text); msg.Text == "" {
				return
			}
		}
		f.editField(fd, msg)
	}
}

// moveVertically moves inside a text or a list of suggestions, and between fields otherwise.
func (f *Form) moveVertically(fd *field, msg tea.KeyPressMsg, step int) {
	text, isText := fd.editor.(*textEditor)
	switch {
	case isText && !text.atEdge(step):
		f.editField(fd, msg)
	case step > 0 && fd.spec.Suggest != nil && !fd.suggestions.isOpen:
		fd.suggestions.open(fd.spec.Suggest(fd.text(), f.values))
		fd.suggestions.move(1)
		f.invalidate(fd)
	case fd.suggestions.isOpen:
		fd.suggestions.move(step)
		f.invalidate(fd)
	default:
		f.moveFocus(step)
	}
}

// CloseSuggestions closes the list of suggestions and reports whether it was open.
func (f *Form) CloseSuggestions() bool {
	if f.focus == nil || !f.focus.suggestions.isOpen {
		return false
	}
	f.focus.suggestions.close()
	f.invalidate(f.focus)
	return true
}

// confirmField handles Enter: it goes to the next field, or completes the form in the last one.
func (f *Form) confirmField(fd *field) {
	if fd != f.lastField() {
		f.FocusNext()
		return
	}
	f.applySuggestion(fd)
	f.checkField(fd)
	f.completed = fd == f.lastField() // the suggestion may have made another field visible
	if !f.completed {
		f.FocusNext()
	}
}

// Completed reports whether the last message was Enter in the last field.
func (f *Form) Completed() bool { return f.completed }

// editField passes a message to the editor of a field and handles a changed value.
func (f *Form) editField(fd *field, msg tea.Msg) {
	value, text := fd.value(), fd.text()
	fd.update(msg)
	f.invalidate(fd)
	if fd.value() == value && fd.text() == text {
		return
	}
	f.fieldEdited(fd)
	if fd.spec.Suggest != nil {
		fd.suggestions.open(fd.spec.Suggest(fd.text(), f.values))
	}
}

// fieldEdited stores the new value of a field and removes what was said about the old one.
func (f *Form) fieldEdited(fd *field) {
	fd.problem, fd.note = "", ""
	f.problem = ""
	f.revision++
	f.storeValue(fd)
	f.updateVisibility()
	f.invalidate(fd)
	if !fd.visible {
		f.focusVisible()
	}
}

func (f *Form) storeValue(fd *field) {
	next := f.values.Clone()
	if value := fd.value(); value != "" {
		next[fd.spec.Name] = value
	} else {
		delete(next, fd.spec.Name)
	}
	f.values = next
}

// updateVisibility updates which fields are visible.
func (f *Form) updateVisibility() {
	for _, fd := range f.fields {
		if visible := fd.spec.Show == nil || fd.spec.Show(f.values); visible != fd.visible {
			fd.visible = visible
			f.stale = true
		}
	}
	f.updateEchoes()
}

// updateEchoes updates how the values of the current page are understood.
func (f *Form) updateEchoes() {
	if f.focus == nil {
		return
	}
	for _, fd := range f.pages[f.focus.page].fields {
		if fd.visible && fd.updateEcho(f.values) {
			f.invalidate(fd)
		}
	}
}

// invalidate makes the next drawing draw a field again.
func (f *Form) invalidate(fd *field) {
	fd.drawn = false
	f.stale = true
}

func (f *Form) invalidateAll() {
	for _, fd := range f.fields {
		f.invalidate(fd)
	}
	f.stale = true
}

// Options returns the title and all options of the focused field.
func (f *Form) Options() (title string, options []form.Option, ok bool) {
	switch {
	case !f.hasFocus():
		return "", nil, false
	case f.focus.spec.Kind == form.Choice:
		options = f.focus.spec.Options
	case f.focus.spec.Suggest != nil:
		options = f.focus.spec.Suggest("", f.values)
	}
	return f.focus.spec.Title, options, len(options) > 0
}

// ChooseOption sets the focused field to one of its [Form.Options].
func (f *Form) ChooseOption(value string) {
	if !f.hasFocus() {
		return
	}
	chosen := form.Option{Value: value}
	_, options, _ := f.Options()
	for _, o := range options {
		if o.Value == value {
			chosen = o
		}
	}
	f.applyOption(f.focus, chosen)
}

func (f *Form) applyOption(fd *field, o form.Option) {
	fd.setOption(o)
	fd.suggestions.close()
	f.fieldEdited(fd)
}

// applySuggestion sets a field to the suggestion that its text means, if any.
func (f *Form) applySuggestion(fd *field) {
	text := foldText(fd.text())
	if o, ok := fd.suggestions.match(text); ok {
		f.applyOption(fd, o)
		fd.suggestions.completed = text
	}
	fd.suggestions.close()
	f.invalidate(fd)
}

// TextRejected reports whether text was typed into the focused field although it only offers choices.
func (f *Form) TextRejected() bool {
	if f.focus == nil {
		return false
	}
	c, ok := f.focus.editor.(chooser)
	return ok && c.textRejected()
}

// cleanText removes control characters from a text; multiline keeps its line breaks.
func cleanText(text string, multiline bool) string {
	if multiline {
		return model.CleanMultiline(text)
	}
	return model.Clean(text)
}
