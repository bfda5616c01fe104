package formview

import (
	tea "charm.land/bubbletea/v2"

	"waybill/operations/form"
	"waybill/views"
	"waybill/views/theme"
)

// lineEditor edits a line of text. It may show the label of an option and hold its value.
type lineEditor struct {
	views.LineEditor
	option form.Option
	hint   string
}

func newLineEditor(spec *form.Field) *lineEditor {
	return &lineEditor{LineEditor: views.LineEditor{Secret: spec.Kind == form.Secret}, hint: spec.Placeholder()}
}

// value returns the value of the option while its label is unchanged, and the text otherwise.
func (l *lineEditor) value() string {
	if l.option.Label != "" && l.Text() == l.option.Label {
		return l.option.Value
	}
	return l.Text()
}

func (l *lineEditor) text() string { return l.Text() }

func (l *lineEditor) set(value string) {
	l.option = form.Option{}
	l.Set(value)
}

func (l *lineEditor) setOption(o form.Option) {
	o.Label = optionLabel(o)
	l.option = o
	l.Set(o.Label)
}

func (l *lineEditor) update(msg tea.Msg) { l.Update(msg) }

func (l *lineEditor) draw(th *theme.Theme, width, _ int, focused bool) []string {
	line := views.NewLine(nil, th, width)
	switch {
	case l.Text() == "":
		putPlaceholder(line, th, l.hint, focused)
	case focused:
		l.Put(line, width)
	default:
		line.Put(theme.Text, l.Masked())
	}
	return []string{string(line.End())}
}

// putPlaceholder draws an empty field: the cursor if it is focused, and the hint in brackets so that it cannot be
// mistaken for a value without colours.
func putPlaceholder(l *views.Line, th *theme.Theme, hint string, focused bool) {
	switch {
	case hint != "" && focused:
		l.PutCursor("(").Put(theme.Muted, hint+")")
	case hint != "":
		l.Put(theme.Muted, "("+hint+")")
	case focused:
		l.PutCursor(" ")
	default:
		l.Put(theme.Muted, th.Glyphs.None)
	}
}
