package dialog

import (
	"errors"
	"maps"
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
	"waybill/views/theme"
)

// Form asks for what an operation needs. What is typed survives closing the form, a refusal and a crash.
type Form struct {
	base // text and keys come through ReadInput
	*formview.Form
	operation operations.Operation
	account   string
	now       func() time.Time

	defaults form.Values // the values of the untouched form
	saved    form.Values // the draft as last saved
	revision uint64      // of the form at its last input
	typedAt  time.Time   // the last input, and the first that is not saved yet; zero if all is saved
	dirtyAt  time.Time

	noted        form.Values // the values for which notes were read last
	readingNotes bool
	submitted    bool // the preview waits for the notes
}

// FormOptions are what a form depends on.
type FormOptions struct {
	Operation operations.Operation
	Values    form.Values // nil starts with the defaults
	Account   string
	Theme     *theme.Theme
	Now       func() time.Time
}

// NewForm returns the form of an operation.
func NewForm(o FormOptions) *Form {
	spec := o.Operation.Form
	d := &Form{base: base{scope: keymaps.Form}, operation: o.Operation, account: o.Account, now: o.Now}
	d.defaults = formview.New(spec, spec.Start, o.Theme).Values() // a choice holds its first option
	values := o.Values
	if values == nil {
		values = spec.Start.Clone()
	}
	if values == nil {
		values = form.Values{}
	}
	d.Form = formview.New(spec, values, o.Theme)
	d.saved, d.revision = d.Values(), d.Revision()
	return d
}

// Operation is what the form is about.
func (d *Form) Operation() *operations.Operation { return &d.operation }

// Placement makes room for the longest page, so that the box keeps its size from page to page.
func (d *Form) Placement(*Context) layout.Dialog {
	// A field takes two lines; frame, page names and suggestions take nine. Pages longer than 26 lines scroll, because
	// shorter pages would otherwise stand in an empty box.
	const fieldLines, frameLines, maxLines = 2, 9, 26
	longest, pages := 0, map[string]int{}
	values := d.Values()
	for i := range d.operation.Form.Fields {
		field := &d.operation.Form.Fields[i]
		if field.Show != nil && !field.Show(values) {
			continue
		}
		pages[field.Page]++
		longest = max(longest, pages[field.Page])
	}
	return layout.Dialog{Kind: layout.Form, Height: min(longest*fieldLines+frameLines, maxLines)}
}

// RunAction implements [Dialog].
func (d *Form) RunAction(id string) (Action, bool) {
	switch id {
	case "form.next":
		d.FocusNext()
		return LeaveField{}, true
	case "form.previous":
		d.FocusPrevious()
		return LeaveField{}, true
	case "form.preview":
		return SubmitForm{}, true
	case "form.pick":
		title, options, ok := d.Options()
		if !ok {
			return Inform{"This field has no list. Type a value."}, true
		}
		return PickOption{title, options}, true
	case "form.reset":
		d.Reset()
		return SaveDraft{}, true
	case "back":
		if d.CloseSuggestions() { // closes the list of suggestions first
			return nil, true
		}
		return CloseForm{}, true
	}
	return nil, false
}

// ReadInput gives the form a key or a pasted text.
func (d *Form) ReadInput(msg tea.Msg) Action {
	focused := d.Focused()
	d.Update(msg)
	if d.Revision() != d.revision {
		d.revision, d.typedAt = d.Revision(), d.now()
		if d.dirtyAt.IsZero() {
			d.dirtyAt = d.typedAt
		}
	}
	switch {
	case d.Completed():
		return SubmitForm{}
	case d.Focused() != focused:
		return LeaveField{}
	case d.TextRejected():
		return Inform{"Choose with the left and right arrows. Tab goes to the next field."}
	}
	return nil
}

// IsChanged reports that the form holds other values than the untouched one.
func (d *Form) IsChanged() bool {
	values := d.Values()
	for i := range d.operation.Form.Fields {
		name := d.operation.Form.Fields[i].Name
		if values[name] != d.defaults[name] {
			return true
		}
	}
	return false
}

const (
	draftPause    = time.Second     // without a key, until the draft is saved
	maxDraftDelay = 5 * time.Second // while typing, until the draft is saved
)

// IsDraftDue reports that the draft should be saved: at the first pause, or now and then during long typing, so that a
// crash costs a word at most.
func (d *Form) IsDraftDue() bool {
	now := d.now()
	return !d.dirtyAt.IsZero() && (now.Sub(d.typedAt) >= draftPause || now.Sub(d.dirtyAt) >= maxDraftDelay)
}

// TakeDraft returns the values to save and marks them as saved; ok is false if nothing has changed since. A draft
// without changes is to be deleted.
func (d *Form) TakeDraft() (values form.Values, changed, ok bool) {
	d.dirtyAt = time.Time{}
	values = d.Values()
	if maps.Equal(values, d.saved) {
		return nil, false, false
	}
	d.saved = values.Clone()
	return values, d.IsChanged(), true
}

// StartNotes returns the values for which notes must be read; ok is false if that has been done or is being done.
func (d *Form) StartNotes() (values form.Values, ok bool) {
	values = d.VisibleValues()
	if d.operation.LoadNotes == nil || d.readingNotes || maps.Equal(values, d.noted) {
		return nil, false
	}
	d.noted, d.readingNotes = values.Clone(), true
	return values, true
}

// FinishNotes shows the notes that were read.
func (d *Form) FinishNotes(notes map[string]string) {
	d.readingNotes = false
	d.SetNotes(notes)
}

// WaitForNotes reports that notes are being read; the preview then follows when they are there.
func (d *Form) WaitForNotes() bool {
	d.submitted = d.readingNotes
	return d.readingNotes
}

// TakeSubmit reports, once, that the preview waits for the notes.
func (d *Form) TakeSubmit() bool {
	submitted := d.submitted
	d.submitted = false
	return submitted
}

// ShowError shows an error of the service on the field that it is about.
func (d *Form) ShowError(err error) {
	name, text := "", err.Error()
	if d.operation.FieldOf != nil {
		if field, ok := d.operation.FieldOf(err); ok {
			name = field
		}
	}
	if refused, ok := errors.AsType[*apiclient.Error](err); ok {
		text = refused.Description()
		if cause, ok := refused.Cause.Get(); ok && cause.String() != "" {
			text = cause.String()
		}
		if refused.RequestID != "" {
			text += " (request " + refused.RequestID + ")"
		}
	}
	d.SetProblems(form.Problems{name: model.Clean(text)})
}

// AppendLine implements [Dialog].
func (d *Form) AppendLine(dst []byte, c *Context, y, width, height int) []byte {
	box := views.Box{Title: d.operation.Title + " · " + d.account, Hints: []keymaps.Hint{
		hint(c.KeyFor("form.next"), "next"), hint(c.KeyFor("form.preview"), "preview"), hint(c.KeyFor("form.pick"), "list"),
		hint(c.KeyFor("back"), "close (draft saved)"),
	}}
	if y == 0 {
		d.SetTheme(c.Theme) // the terminal may report its background while the form is open
		d.SetSize(width-4, height-2)
	}
	lines := d.Lines()
	return box.AppendLine(dst, y, width, height, c.Theme, func(l *views.Line, line int) {
		if line < len(lines) {
			l.PutStyled(lines[line], ansi.StringWidth(lines[line]))
		}
	})
}
