// Package form shows a [field.Form] in the console and takes what is typed into it.
//
// A page is a group of huh, a field is a field of huh, and huh says which of them has the focus. What is drawn is drawn
// here, line by line like the rest of the console, because a group of huh redraws all its fields on every key, keeps a
// person in a field until it is right, and knows nothing of problems that a service found.
//
// A form waits for nothing, starts nothing and sends nothing while no key is pressed: its cursor does not blink.
package formview

import (
	"maps"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"github.com/charmbracelet/x/ansi"

	"waybill/model"
	"waybill/operations/form"
	"waybill/views/theme"
)

// Look is how a form is drawn.
type Look struct {
	Theme *theme.Theme

	count ansi.Method // how the terminal counts cells
}

// ready fills in what follows from the theme, once.
func (l Look) ready() Look {
	l.count = counting(l.Theme)
	return l
}

// Form is a form being filled in.
type Form struct {
	spec    form.Form
	look    Look
	pages   []page
	entries []*entry // of all pages, in order
	order   *huh.Form

	values    form.Values // what all fields hold; replaced, never changed, because others keep it
	problem   string      // of the form as a whole
	completed bool
	revision  uint64

	width, height int
	top           int // first line of the page that is on the screen
	lines         []string
	stale         bool
}

// page is the fields that are shown together.
type page struct {
	name    string
	entries []*entry
}

// New is a form with values: those of a draft, or the start of the form.
func New(spec form.Form, values form.Values, look Look) *Form {
	f := &Form{spec: spec, look: look.ready(), stale: true}
	f.build()
	f.fill(values)
	return f
}

// build makes the fields and gives them to huh, a group for each page.
func (f *Form) build() {
	names := f.spec.Pages()
	at := make(map[string]int, len(names))
	for i, name := range names {
		at[name] = i
		f.pages = append(f.pages, page{name: name})
	}
	for i := range f.spec.Fields {
		spec := &f.spec.Fields[i]
		e := newEntry(spec, at[spec.Page], f.look)
		f.pages[e.page].entries = append(f.pages[e.page].entries, e)
	}
	groups := make([]*huh.Group, len(f.pages))
	for i := range f.pages {
		p := &f.pages[i]
		fields := make([]huh.Field, len(p.entries))
		for j, e := range p.entries {
			fields[j] = e
		}
		f.entries = append(f.entries, p.entries...)
		groups[i] = huh.NewGroup(fields...).WithHideFunc(func() bool { return !p.shown() })
	}
	if len(groups) == 0 {
		return
	}
	// An empty key map: keys that move are taken before huh sees them, so that a problem never holds anyone back.
	f.order = huh.NewForm(groups...).WithKeyMap(&huh.KeyMap{}).WithTheme(plainTheme()).
		WithShowHelp(false).WithShowErrors(false)
}

// fill puts values into all fields and goes to the first.
func (f *Form) fill(values form.Values) {
	f.values = form.Values{}
	maps.Copy(f.values, values)
	for _, e := range f.entries {
		e.set(values[e.spec.Name], f.values)
		e.problem, e.note = "", ""
		f.keep(e)
	}
	f.problem, f.completed, f.top = "", false, 0
	f.refresh()
	f.settle()
}

// Init starts the form.
func (f *Form) Init() tea.Cmd {
	if f.order != nil {
		f.order.Init() // its commands only make cursors blink and ask for the size
		f.settle()
		f.begin()
	}
	return nil
}

// begin goes to where the form begins.
func (f *Form) begin() {
	to := f.first()
	for _, e := range f.entries {
		if e.spec.Name == f.spec.First && e.shown {
			to = e
		}
	}
	if to != nil {
		f.jump(to)
	}
}

// SetSize says how many cells there are.
func (f *Form) SetSize(width, height int) {
	width, height = max(width, 0), max(height, 0)
	if width == f.width && height == f.height {
		return
	}
	f.width, f.height = width, height
	f.touchAll()
}

// SetTheme changes how the form is drawn.
func (f *Form) SetTheme(look Look) {
	f.look = look.ready()
	for _, e := range f.entries {
		e.setLook(f.look)
	}
	f.touchAll()
}

// Title is the title of the form.
func (f *Form) Title() string { return f.spec.Title }

// Values are the texts of all fields, hidden ones too, and of the names that were given and are no field.
func (f *Form) Values() form.Values { return f.values.Clone() }

// Revision is another number after each edit, for whoever keeps drafts.
func (f *Form) Revision() uint64 { return f.revision }

// VisibleValues are the values without those of fields that are hidden: what the person sees is what is meant.
func (f *Form) VisibleValues() form.Values {
	values := f.values.Clone()
	for _, e := range f.entries {
		if !e.shown {
			delete(values, e.spec.Name)
		}
	}
	return values
}

// Reset throws away what was typed and begins with the form's start.
func (f *Form) Reset() {
	f.revision++
	f.fill(f.spec.Start)
	f.begin()
}

// Update takes a key or a paste. It answers at once and has nothing left to do afterwards.
func (f *Form) Update(msg tea.Msg) tea.Cmd {
	f.completed = false
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		f.key(msg)
	case tea.PasteMsg:
		if e := f.current(); e != nil {
			f.edit(e, tea.PasteMsg{Content: e.clean(msg.Content)})
		}
	default:
		switch msg {
		case huh.NextField():
			f.FocusNext()
		case huh.PrevField():
			f.FocusPrevious()
		}
	}
	return nil
}

func (f *Form) key(msg tea.KeyPressMsg) {
	e := f.current()
	if e == nil {
		return
	}
	switch key := msg.String(); key {
	case "tab":
		f.FocusNext()
	case "shift+tab":
		f.FocusPrevious()
	case "pgdown", "ctrl+pgdown", "alt+pgdown":
		f.NextPage()
	case "pgup", "ctrl+pgup", "alt+pgup":
		f.PreviousPage()
	case "enter":
		if e.spec.Kind == form.Text {
			f.edit(e, msg)
			return
		}
		f.accept(e)
	case "up", "down", "ctrl+p", "ctrl+n":
		f.vertical(e, msg, key == "down" || key == "ctrl+n")
	case "esc":
		f.CloseSuggestions()
	default:
		if msg.Text != "" {
			if msg.Text = e.clean(msg.Text); msg.Text == "" {
				return
			}
		}
		f.edit(e, msg)
	}
}

// vertical moves in what has lines, and between fields otherwise.
func (f *Form) vertical(e *entry, msg tea.KeyPressMsg, down bool) {
	text, isText := e.editor.(*textEditor)
	switch {
	case isText && !text.edge(down):
		f.edit(e, msg)
	case down && e.spec.Suggest != nil && !e.list.open:
		e.list.show(e.spec.Suggest(e.text(), f.values))
		e.list.move(1)
		f.touch(e)
	case e.list.open:
		e.list.move(step(down))
		f.touch(e)
	case down:
		f.FocusNext()
	default:
		f.FocusPrevious()
	}
}

func step(forward bool) int {
	if forward {
		return 1
	}
	return -1
}

// CloseSuggestions closes the suggestions and reports whether there were any: going back one step begins with them.
func (f *Form) CloseSuggestions() bool {
	e := f.current()
	if e == nil || !e.list.open {
		return false
	}
	e.list.close()
	f.touch(e)
	return true
}

// accept is Enter: on to the next field, or done.
func (f *Form) accept(e *entry) {
	if e != f.last() {
		f.FocusNext()
		return
	}
	f.take(e)
	f.leave(e)
	f.completed = e == f.last() // what was taken may have brought up another field
	if !f.completed {
		f.FocusNext()
	}
}

// Completed reports that Enter was pressed in the last field, by the message that [Form.Update] took last.
func (f *Form) Completed() bool { return f.completed }

// edit lets a field have a message, and follows up when its value is another one then.
func (f *Form) edit(e *entry, msg tea.Msg) {
	before, shown := e.value(), e.text()
	f.order.Update(msg)
	f.touch(e)
	if e.value() == before && e.text() == shown {
		return
	}
	f.edited(e)
	if e.spec.Suggest != nil {
		e.list.show(e.spec.Suggest(e.text(), f.values))
	}
}

// edited follows a change of a field: what was said of the old value is no longer true.
func (f *Form) edited(e *entry) {
	e.problem, e.note = "", ""
	f.problem = ""
	f.revision++
	f.keep(e)
	f.refresh()
	f.touch(e)
	if !e.shown {
		f.settle()
	}
}

// keep takes over the value of a field.
func (f *Form) keep(e *entry) {
	next := f.values.Clone()
	if value := e.value(); value != "" {
		next[e.spec.Name] = value
	} else {
		delete(next, e.spec.Name)
	}
	f.values = next
}

// refresh asks the fields of the page what they show now. Fields of other pages are asked when they come up.
func (f *Form) refresh() {
	for _, e := range f.entries {
		if shown := e.spec.Show == nil || e.spec.Show(f.values); shown != e.shown {
			e.shown = shown
			f.stale = true
		}
	}
	f.echo()
}

// echo asks the fields on the screen what they take their values for.
func (f *Form) echo() {
	e := f.current()
	if e == nil {
		return
	}
	for _, e := range f.pages[e.page].entries {
		if e.shown && e.say(f.values) {
			f.touch(e)
		}
	}
}

func (f *Form) touch(e *entry) {
	e.drawn = false
	f.stale = true
}

func (f *Form) touchAll() {
	for _, e := range f.entries {
		e.drawn = false
	}
	f.stale = true
}

// Options is the whole list that the focused field chooses from.
func (f *Form) Options() (title string, options []form.Option, ok bool) {
	e := f.current()
	switch {
	case e == nil:
		return "", nil, false
	case e.spec.Kind == form.Choice:
		options = e.spec.Options
	case e.spec.Suggest != nil:
		options = e.spec.Suggest("", f.values)
	}
	return e.spec.Title, options, len(options) > 0
}

// ChooseOption puts a value from [Form.Pick] into the focused field.
func (f *Form) ChooseOption(value string) {
	e := f.current()
	if e == nil {
		return
	}
	_, options, _ := f.Options()
	for _, o := range options {
		if o.Value == value {
			f.put(e, o)
			return
		}
	}
	f.put(e, form.Option{Value: value})
}

// put takes an option into a field.
func (f *Form) put(e *entry, o form.Option) {
	e.take(o)
	e.list.close()
	f.edited(e)
}

// take takes the suggestion that the person means, if any.
func (f *Form) take(e *entry) {
	text := folded(e.text())
	if o, ok := e.list.meant(text); ok {
		f.put(e, o)
		e.list.completed = text
	}
	e.list.close()
	f.touch(e)
}

// clean is a text from outside that can do no harm on a screen.
func clean(text string, lines bool) string {
	if lines {
		return model.CleanMultiline(text)
	}
	return model.Clean(text)
}
