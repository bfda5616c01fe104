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
	editor
	title   string
	hints   []keymaps.Hint
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
	d := &Finder{title: title, hints: hints, search: search}
	d.editor = editor{base: base{scope: kind}, changed: d.updateMatches, closesEmpty: true}
	d.updateMatches()
	return d
}

// Placement implements [Dialog].
func (d *Finder) Placement(*Context) layout.Dialog {
	if d.scope == keymaps.Help {
		return layout.Dialog{Kind: layout.Full, Width: 110, Height: 200}
	}
	return layout.Dialog{Kind: layout.Palette, Width: 96, Height: len(d.choices.Items) + 4}
}

func (d *Finder) updateMatches() Action {
	matches := d.search(d.Input.Text())
	choices := make([]views.Choice, len(matches))
	d.ids = make([]string, len(matches))
	for i, m := range matches {
		choices[i], d.ids[i] = m.Choice, m.ID
	}
	d.choices.Set(choices)
	return nil
}

// RunAction implements [Dialog].
func (d *Finder) RunAction(id string) (Action, bool) {
	at, ok := d.choices.Current()
	switch id {
	case "type.complete":
		if ok {
			d.Input.Set(d.choices.Items[at].Label)
			d.updateMatches()
		}
		return nil, true
	case "type.accept":
		chosen := ""
		if ok {
			chosen = d.ids[at]
		}
		return Accept{d.Input.Text(), chosen}, true
	}
	n, move := steps(id)
	d.choices.Move(n)
	return nil, move
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
			d.Input.Put(l, l.Left())
		case 1:
			if len(d.choices.Items) == 0 {
				l.Put(theme.Muted, "Nothing matches.")
			}
		default:
			d.choices.PutLine(l, line-2, keys)
		}
	})
}
