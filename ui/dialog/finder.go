package dialog

import (
	"waybill/keymaps"
	"waybill/operations/form"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// Match is a line of a finder with the id that accepting it returns; headings and legends have none.
type Match struct {
	views.Choice
	ID string
}

// Finder is a list that is searched by typing: the palette, the help and the options of a field.
type Finder struct {
	kind    keymaps.Scope
	title   string
	hints   []keymaps.Hint
	input   views.LineEditor
	choices views.Choices
	ids     []string // of the lines
	search  func(query string) []Match
}

// NewPalette returns the list of all actions.
func NewPalette(search func(query string) []Match) *Finder {
	return newFinder(keymaps.Palette, "All actions", search, hint("enter", "run"), hint("tab", "complete"), hint("esc", "cancel"))
}

// NewHelp returns the list of the keys that work at the moment.
func NewHelp(search func(query string) []Match) *Finder {
	return newFinder(keymaps.Help, "Keys that work here", search, hint("type", "to search"), hint("enter", "run"), hint("esc", "close"))
}

// NewPicker returns the list of the options of a field.
func NewPicker(title string, options []form.Option) *Finder {
	search := func(query string) []Match {
		var matches []Match
		for _, option := range options {
			_, positions, ok := keymaps.MatchFuzzy(query, option.Label)
			if query == "" || ok {
				matches = append(matches, Match{views.Choice{Label: option.Label, Note: option.Note, Matches: positions}, option.Value})
			}
		}
		return matches
	}
	return newFinder(keymaps.Picker, title, search, hint("type", "to search"), hint("enter", "choose"), hint("esc", "cancel"))
}

func newFinder(kind keymaps.Scope, title string, search func(query string) []Match, hints ...keymaps.Hint) *Finder {
	d := &Finder{kind: kind, title: title, hints: hints, search: search}
	d.updateMatches()
	return d
}

// Scope implements [Dialog].
func (d *Finder) Scope() keymaps.Scope { return d.kind }

// Placement implements [Dialog].
func (d *Finder) Placement(*Context) layout.Dialog {
	if d.kind == keymaps.Help {
		return layout.Dialog{Kind: layout.Full, Width: 110, Height: 200}
	}
	return layout.Dialog{Kind: layout.Palette, Width: 96, Height: len(d.choices.Items) + 4}
}

func (d *Finder) updateMatches() {
	matches := d.search(d.input.Text())
	choices := make([]views.Choice, len(matches))
	d.ids = make([]string, len(matches))
	for i, m := range matches {
		choices[i], d.ids[i] = m.Choice, m.ID
	}
	d.choices.Set(choices)
}

// RunAction implements [Dialog].
func (d *Finder) RunAction(id string) (Action, bool) {
	const page = 10
	switch id {
	case "type.down":
		d.choices.Move(1)
	case "type.up":
		d.choices.Move(-1)
	case "type.page-down":
		d.choices.Move(page)
	case "type.page-up":
		d.choices.Move(-page)
	case "type.complete":
		if at, ok := d.choices.Current(); ok {
			d.input.Set(d.choices.Items[at].Label)
			d.updateMatches()
		}
	case "type.accept":
		chosen := ""
		if at, ok := d.choices.Current(); ok {
			chosen = d.ids[at]
		}
		return Accept{d.input.Text(), chosen}, true
	default:
		return nil, false
	}
	return nil, true
}

// InsertText implements [Dialog].
func (d *Finder) InsertText(text string) Action {
	d.input.Insert(text)
	d.updateMatches()
	return nil
}

// PressKey edits the query; backspace in an empty one closes the finder.
func (d *Finder) PressKey(key string) Action {
	if key == "backspace" && d.input.Text() == "" {
		return Close{}
	}
	if d.input.Edit(key) {
		d.updateMatches()
	}
	return nil
}

// AppendLine implements [Dialog].
func (d *Finder) AppendLine(dst []byte, c *Context, y, width, height int) []byte {
	box := views.Box{Title: d.title, Hints: d.hints}
	d.choices.ScrollToCursor(height - 4)
	keys := d.choices.KeyWidth(c.Theme.Measure)
	return box.AppendLine(dst, y, width, height, c.Theme, func(l *views.Line, line int) {
		switch line {
		case 0:
			l.Put(theme.Key, ": ")
			d.input.Put(l, l.Left())
		case 1:
			if len(d.choices.Items) == 0 {
				l.Put(theme.Muted, "Nothing matches.")
			}
		default:
			d.choices.PutLine(l, line-2, keys)
		}
	})
}
