package dialog

import (
	"fmt"

	"waybill/board"
	"waybill/keymaps"
	"waybill/views"
	"waybill/views/theme"
)

// Filter is the line in which a filter is typed. The pane is filtered while typing.
type Filter struct {
	editor
	FilterOptions
	Err         error // why the text is no filter, set by the console after each change
	refused     bool  // the user tried to accept a text with an error
	completions []board.Completion
	completion  int // the one that tab inserts
	recalled    int // steps back in the history; -1 for none
}

// FilterOptions are what a filter line depends on.
type FilterOptions struct {
	Before   string // the filter that esc restores
	History  *History
	Complete func(text string, cursor int) []board.Completion
	Count    func() int // rows that match
}

// NewFilter returns a filter line that starts with the current filter.
func NewFilter(o FilterOptions) *Filter {
	d := &Filter{FilterOptions: o, recalled: -1}
	d.editor = editor{base: base{scope: keymaps.Filter}, changed: d.change, closesEmpty: true}
	d.Input.Set(o.Before)
	if o.Before != "" {
		d.Input.Insert(" ")
	}
	d.updateCompletions()
	return d
}

// Text is what has been typed.
func (d *Filter) Text() string { return d.Input.Text() }

// RunAction implements [Dialog].
func (d *Filter) RunAction(id string) (Action, bool) {
	switch id {
	case "back":
		return RestoreFilter{d.Before}, true
	case "type.accept":
		if d.Err != nil { // it stays open to be corrected
			d.refused = true
			return nil, true
		}
		return KeepFilter{d.Input.Text()}, true
	case "type.complete":
		if d.completion < len(d.completions) {
			c := d.completions[d.completion]
			d.Input.Replace(c.From, c.To, c.Text)
		}
		return d.change(), true
	case "type.up":
		return d.recall(1), true
	case "type.down":
		return d.recall(-1), true
	case "type.page-down":
		d.completion = min(d.completion+1, max(len(d.completions)-1, 0))
	case "type.page-up":
		d.completion = max(d.completion-1, 0)
	default:
		return nil, false
	}
	return nil, true
}

func (d *Filter) recall(steps int) Action {
	text, at := d.History.Recall(d.recalled + steps)
	d.recalled = at
	d.Input.Set(text)
	return d.change()
}

func (d *Filter) change() Action {
	d.refused = false
	d.updateCompletions()
	return SetFilter{d.Input.Text()}
}

func (d *Filter) updateCompletions() {
	d.completion = 0
	d.completions = d.Complete(d.Input.Text(), d.Input.Cursor())
}

// AppendLine implements [Dialog].
func (d *Filter) AppendLine(dst []byte, c *Context, _, width, _ int) []byte {
	l := views.NewLine(dst, c.Theme, width)
	l.Put(theme.Key, " / ")
	room := max(width/2, 20)
	if d.refused {
		room = max(width/3, 20)
	}
	d.Input.Put(l, room)
	l.Space(2)
	if d.Err != nil && (d.refused || len(d.completions) == 0) {
		return l.Put(theme.Warn, d.Err.Error()).End()
	}
	l.Put(theme.Muted, fmt.Sprintf("%d match", d.Count())).Space(2)
	for i, completion := range d.completions {
		token := theme.Muted
		if i == d.completion {
			l.Put(theme.Key, "tab ")
			token = theme.Strong
		}
		l.Put(token, completion.Text).Space(2)
	}
	return l.End()
}

// History is the filters of the past, the newest last.
type History struct{ Texts []string }

const maxHistory = 50

// Add appends a filter, unless it is empty or the newest already.
func (h *History) Add(text string) {
	if text == "" || text == h.Last() {
		return
	}
	h.Texts = append(h.Texts, text)
	if len(h.Texts) > maxHistory {
		h.Texts = h.Texts[1:]
	}
}

// Last is the newest filter.
func (h *History) Last() string {
	if len(h.Texts) == 0 {
		return ""
	}
	return h.Texts[len(h.Texts)-1]
}

// Recall is the filter some steps back and how many steps that really are; -1 is an empty line.
func (h *History) Recall(steps int) (string, int) {
	steps = max(min(steps, len(h.Texts)-1), -1)
	if steps < 0 {
		return "", -1
	}
	return h.Texts[len(h.Texts)-1-steps], steps
}
