package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"waybill/apiclient"
	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/views"
	"waybill/views/formview"
	"waybill/views/layout"
)

// formOverlay asks for what a verb needs. What is typed survives leaving it, a refusal, and a crash.
type formOverlay struct {
	verb  operations.Operation
	scene operations.Input
	form  *formview.Form

	looked  form.Values // what was last looked up
	looking bool
	hurried bool        // the preview waits for the look
	fresh   form.Values // what the form holds when nobody has typed anything
	kept    form.Values // the draft as it was last written

	revision uint64    // of the form when it was last looked at
	typedAt  time.Time // when it was last typed into, and when the first of what is not written yet was
	unkept   time.Time
}

func (m *Model) openForm(v operations.Operation, scene operations.Input, preset form.Values) tea.Cmd {
	values := m.draftOf(v.ID, scene)
	resumed := values != nil && preset == nil
	if !resumed { // what is to be filled in is not mixed with a draft
		values = v.Form.Start.Clone()
		if values == nil {
			values = form.Values{}
		}
	}
	for name, value := range preset {
		values[name] = value
	}
	o := &formOverlay{verb: v, scene: scene}
	look := formview.Look{Theme: m.look.theme}
	o.fresh = formview.New(v.Form, v.Form.Start, look).Values() // a choice holds its first option
	o.form = formview.New(v.Form, values, look)
	o.kept, o.revision = o.form.Values(), o.form.Revision()
	if resumed && o.changed() {
		m.inform("Your draft is back. " + m.keyOf("form.reset") + " starts over.")
	}
	return tea.Batch(m.open(o), o.form.Init(), o.look(m))
}

func (o *formOverlay) scope() keymaps.Scope { return keymaps.Form }

// place makes room for the longest page, so that the box stays as it is from page to page.
func (o *formOverlay) place(*Model) layout.Dialog {
	// Lines of a field; of the frame, the pages and a list of suggestions; and as many as an eye takes in at once, since
	// a page that is longer scrolls and the shorter ones would stand in an empty box.
	const field, around, most = 2, 9, 26
	longest, pages := 0, map[string]int{}
	values := o.form.Values()
	for i := range o.verb.Form.Fields {
		if show := o.verb.Form.Fields[i].Show; show != nil && !show(values) {
			continue
		}
		page := o.verb.Form.Fields[i].Page
		pages[page]++
		longest = max(longest, pages[page])
	}
	return layout.Dialog{Kind: layout.Form, Height: min(longest*field+around, most)}
}

func (o *formOverlay) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "form.next":
		o.form.FocusNext()
		return o.left(m), true
	case "form.previous":
		o.form.FocusPrevious()
		return o.left(m), true
	case "form.preview":
		return o.preview(m), true
	case "form.pick":
		return o.pick(m), true
	case "form.reset":
		o.form.Reset()
		return o.keep(m), true
	case "back":
		if o.form.CloseSuggestions() { // a list of suggestions first
			return nil, true
		}
		cmd := o.keep(m)
		m.closeOverlay()
		if o.changed() {
			m.inform(fmt.Sprintf("Draft kept: %s opens it again.", m.keyOf(o.verb.ID)))
		}
		return cmd, true
	}
	return nil, false
}

// changed reports that something was typed that the form did not start with.
func (o *formOverlay) changed() bool {
	values := o.form.Values()
	for i := range o.verb.Form.Fields {
		name := o.verb.Form.Fields[i].Name
		if values[name] != o.fresh[name] {
			return true
		}
	}
	return false
}

func (o *formOverlay) typed(*Model, string) tea.Cmd { return nil }
func (o *formOverlay) edit(*Model, string) tea.Cmd  { return nil }

// take gives the form a message of the terminal or of its own.
func (o *formOverlay) take(m *Model, msg tea.Msg) tea.Cmd {
	at := o.form.Focused()
	cmd := o.form.Update(msg)
	if now := m.now(); o.form.Revision() != o.revision {
		o.revision, o.typedAt = o.form.Revision(), now
		if o.unkept.IsZero() {
			o.unkept = now
		}
	}
	if o.form.TextRejected() {
		m.inform("Here something is chosen: left and right change it, tab goes on.")
	}
	if o.form.Completed() {
		return tea.Batch(cmd, o.preview(m))
	}
	if o.form.Focused() != at {
		return tea.Batch(cmd, o.left(m))
	}
	return cmd
}

// left follows when a field was left: the draft is written, and what only the service knows is asked for.
func (o *formOverlay) left(m *Model) tea.Cmd { return tea.Batch(o.keep(m), o.look(m)) }

const (
	draftPause = time.Second     // without a key, until what was typed is written
	draftDelay = 5 * time.Second // until it is written in the middle of typing
)

// keepTyped writes what is being typed at the first pause, so that a crash in the middle of a field costs a word at most.
func (m *Model) keepTyped() tea.Cmd {
	var cmds []tea.Cmd
	now := m.now()
	for _, top := range m.overlays {
		o, ok := top.(*formOverlay)
		if ok && !o.unkept.IsZero() && (now.Sub(o.typedAt) >= draftPause || now.Sub(o.unkept) >= draftDelay) {
			cmds = append(cmds, o.keep(m))
		}
	}
	return tea.Batch(cmds...)
}

// keep writes the draft if it has changed.
func (o *formOverlay) keep(m *Model) tea.Cmd {
	o.unkept = time.Time{}
	values := o.form.Values()
	if sameValues(values, o.kept) {
		return nil
	}
	o.kept = values.Clone()
	if !o.changed() {
		return m.dropDraft(o.verb.ID, o.scene)
	}
	return m.keepDraft(&o.verb.Form, o.verb.ID, o.scene, values)
}

func sameValues(a, b form.Values) bool {
	if len(a) != len(b) {
		return false
	}
	for name, value := range a {
		if b[name] != value {
			return false
		}
	}
	return true
}

// lookedUp is what the service knows about values of a form.
type lookedUp struct {
	form  *formOverlay
	notes map[string]string
}

func (l lookedUp) arrive(m *Model) tea.Cmd {
	o := l.form
	o.looking = false
	o.form.SetNotes(l.notes)
	if cmd := o.look(m); cmd != nil { // what was typed meanwhile
		return cmd
	}
	if o.hurried {
		o.hurried = false
		return o.preview(m)
	}
	return nil
}

const formLookLimit = 10 * time.Second

func (o *formOverlay) look(m *Model) tea.Cmd {
	values := o.form.VisibleValues()
	if o.verb.LoadNotes == nil || m.account.Client == nil || o.looking || sameValues(values, o.looked) {
		return nil
	}
	o.looked, o.looking = values.Clone(), true
	client, look := m.account.Client, o.verb.LoadNotes
	return m.run(formLookLimit, func(ctx context.Context) any {
		return lookedUp{o, look(ctx, client, values)}
	})
}

// preview shows what would be sent, or what is wrong.
func (o *formOverlay) preview(m *Model) tea.Cmd {
	if cmd := o.look(m); cmd != nil || o.looking {
		o.hurried = true
		return cmd
	}
	problems := o.form.Check()
	if len(problems) == 0 {
		plan, refused := o.verb.Prepare(o.form.VisibleValues())
		if len(refused) == 0 {
			o.form.SetProblems(nil) // what was wrong before must not come back with the form
			return tea.Batch(o.keep(m), m.propose(o.verb, o.scene, plan, o))
		}
		problems = refused
	}
	o.complain(m, problems)
	return nil
}

func (o *formOverlay) complain(m *Model, problems form.Problems) {
	o.form.SetProblems(problems)
	text := fmt.Sprintf("%d things to correct.", len(problems))
	if len(problems) == 1 {
		text = firstProblem(problems)
	}
	m.warn(text)
}

// refused shows a service's error on the field that it is about.
func (o *formOverlay) refused(err error) {
	name, text := "", err.Error()
	if o.verb.FieldOf != nil {
		if at, ok := o.verb.FieldOf(err); ok {
			name = at
		}
	}
	var refused *apiclient.Error
	if errors.As(err, &refused) {
		text = refused.Description()
		if cause, ok := refused.Cause.Get(); ok && cause.String() != "" {
			text = cause.String()
		}
		if refused.RequestID != "" {
			text += " (request " + refused.RequestID + ")"
		}
	}
	o.form.SetProblems(form.Problems{name: model.Clean(text)})
}

// pick lists everything that the focused field could hold.
func (o *formOverlay) pick(m *Model) tea.Cmd {
	title, options, ok := o.form.Options()
	if !ok {
		m.inform("This field has no list: type into it.")
		return nil
	}
	return m.open(newPicker(title, options, func(m *Model, value string) tea.Cmd {
		o.form.ChooseOption(value)
		return o.left(m)
	}))
}

func (o *formOverlay) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.verb.Title + " · " + m.accountName(), Foot: o.foot(m)}
	if y == 0 {
		o.form.SetSize(width-4, height-2)
	}
	lines := o.form.Lines()
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		if line < len(lines) {
			l.PutStyled(lines[line], ansi.StringWidth(lines[line]))
		}
	})
}

func (o *formOverlay) foot(m *Model) string {
	return fmt.Sprintf("%s next  %s preview  %s pick  esc leaves and keeps the draft", m.keyOf("form.next"), m.keyOf("form.preview"), m.keyOf("form.pick"))
}

// newPicker is a list of options that is typed into.
func newPicker(title string, options []form.Option, choose func(m *Model, value string) tea.Cmd) *finder {
	o := &finder{kind: keymaps.Picker, title: title, foot: "type to search  enter takes  esc leaves"}
	o.search = func(_ *Model, query string) ([]views.Choice, []string) {
		var items []views.Choice
		var values []string
		for _, option := range options {
			_, matches, ok := keymaps.MatchFuzzy(query, option.Label)
			if query != "" && !ok {
				continue
			}
			items = append(items, views.Choice{Label: option.Label, Note: option.Note, Matches: matches})
			values = append(values, option.Value)
		}
		return items, values
	}
	o.accept = func(m *Model, _, value string) tea.Cmd {
		m.closeOverlay()
		return choose(m, value)
	}
	items, values := o.search(nil, "")
	o.ids = values
	o.choices.Set(items)
	return o
}
