package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/keymaps"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// finder is a list that is typed into: the palette and the help.
type finder struct {
	kind    keymaps.Scope
	title   string
	foot    string
	input   views.LineEditor
	choices views.Choices
	ids     []string // action of each line
	search  func(m *Model, query string) ([]views.Choice, []string)
	accept  func(m *Model, query, id string) tea.Cmd
}

func (o *finder) scope() keymaps.Scope { return o.kind }

func (o *finder) place(*Model) layout.Dialog {
	if o.kind == keymaps.Help {
		return layout.Dialog{Kind: layout.Full, Width: 110, Height: 200}
	}
	return layout.Dialog{Kind: layout.Palette, Width: 96, Height: len(o.choices.Items) + 4}
}

func (o *finder) refresh(m *Model) {
	items, ids := o.search(m, o.input.Text())
	o.ids = ids
	o.choices.Set(items)
}

func (o *finder) act(m *Model, id string) (tea.Cmd, bool) {
	const page = 10
	switch id {
	case "type.down":
		o.choices.Move(1)
	case "type.up":
		o.choices.Move(-1)
	case "type.page-down":
		o.choices.Move(page)
	case "type.page-up":
		o.choices.Move(-page)
	case "type.complete":
		if at, ok := o.choices.Current(); ok {
			o.input.Set(o.choices.Items[at].Label)
			o.refresh(m)
		}
	case "type.accept":
		chosen := ""
		if at, ok := o.choices.Current(); ok {
			chosen = o.ids[at]
		}
		return o.accept(m, o.input.Text(), chosen), true
	default:
		return nil, false
	}
	return nil, true
}

func (o *finder) typed(m *Model, text string) tea.Cmd {
	o.input.Insert(text)
	o.refresh(m)
	return nil
}

func (o *finder) edit(m *Model, key string) tea.Cmd {
	if key == "backspace" && o.input.Text() == "" {
		m.closeOverlay()
		return nil
	}
	if o.input.Edit(key) {
		o.refresh(m)
	}
	return nil
}

func (o *finder) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.title, Foot: o.foot}
	o.choices.ScrollToCursor(height - 4)
	keys := o.choices.KeyWidth(m.look.theme.Measure)
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		switch line {
		case 0:
			l.Put(theme.Key, ": ")
			o.input.Put(l, l.Left(), m.look.theme.Measure)
		case 1:
			if len(o.choices.Items) == 0 {
				l.Put(theme.Muted, "Nothing matches.")
			}
		default:
			o.choices.PutLine(l, line-2, keys)
		}
	})
}

// openPalette lists every action, those that cannot run with the reason.
func (m *Model) openPalette() tea.Cmd {
	situation := m.situation() // as it was when the palette opened: the cursor does not move under it
	situation.Scopes = m.scopes()
	o := &finder{kind: keymaps.Palette, title: "All actions", foot: "enter runs  tab completes  esc leaves"}
	o.search = func(m *Model, query string) ([]views.Choice, []string) {
		hits := m.keys.Search(query, situation)
		if a, argument, ok := m.keys.ParseCommand(query); ok && len(hits) == 0 {
			return []views.Choice{{Label: a.Title, Note: "with " + argument, Disabled: m.keys.DisabledReason(a, situation)}}, []string{a.ID}
		}
		items, ids := m.viewsNamed(query)
		for _, hit := range hits {
			if slices.Contains(ids, hit.Action.ID) {
				continue
			}
			key := ""
			if len(hit.Action.Keys) > 0 {
				key = keymaps.DisplayKey(hit.Action.Keys[0])
			}
			items = append(items, views.Choice{
				Key: key, Label: hit.Action.Title, Note: hit.Action.Help, Disabled: hit.DisabledReason, Matches: hit.Positions,
			})
			ids = append(ids, hit.Action.ID)
		}
		return items, ids
	}
	o.accept = func(m *Model, query, id string) tea.Cmd {
		argument := ""
		// A word with something behind it is a command; anything else is a search.
		if a, rest, ok := m.keys.ParseCommand(query); ok && (rest != "" || id == "") {
			id, argument = a.ID, rest
		}
		a, ok := m.keys.Get(id)
		if !ok {
			m.warn(fmt.Sprintf("Nothing is called %q.", query))
			return nil
		}
		m.closeOverlay()
		if reason := m.keys.DisabledReason(a, situation); reason != "" {
			m.warn(reason)
			return nil
		}
		return m.act(a, argument)
	}
	o.refresh(m)
	return m.open(o)
}

// viewsNamed are the saved views that hold the words of a query, before all else: who types "late" wants to see it.
func (m *Model) viewsNamed(query string) (items []views.Choice, ids []string) {
	if strings.TrimSpace(query) == "" {
		return nil, nil
	}
	for i, v := range m.saved {
		if at, ok := keymaps.MatchWords(query, v.Name); ok && v.Name != "" {
			id := fmt.Sprintf("view.%d", i+5)
			items = append(items, views.Choice{Key: m.keyOf(id), Label: v.Name, Note: "Shows this saved view.", Matches: at})
			ids = append(ids, id)
		}
	}
	return items, ids
}

// openHelp lists the keys that work here.
func (m *Model) openHelp() tea.Cmd {
	stack, situation := m.scopes(), m.situation()
	o := &finder{kind: keymaps.Help, title: "Keys that work here", foot: "type to search  enter runs  esc leaves"}
	o.search = func(m *Model, query string) ([]views.Choice, []string) {
		var items []views.Choice
		var ids []string
		for _, section := range m.keys.HelpSections(stack, situation) {
			heading := len(items)
			items, ids = append(items, views.Choice{Label: string(section.Group), Heading: true}), append(ids, "")
			for _, line := range section.Lines {
				a := line.Action
				matches, ok := mentioned(query, a.Title, a.Help)
				if !ok {
					continue
				}
				items = append(items, views.Choice{Key: keysOf(&a), Label: a.Title, Note: a.Help, Disabled: line.DisabledReason, Matches: matches})
				ids = append(ids, a.ID)
			}
			if len(items) == heading+1 {
				items, ids = items[:heading], ids[:heading]
			}
		}
		about := append(m.legend(query), m.filterHelp(query)...)
		return append(items, about...), append(ids, make([]string, len(about))...)
	}
	o.accept = func(m *Model, _, id string) tea.Cmd {
		m.closeOverlay()
		if a, ok := m.keys.Get(id); ok {
			return m.act(a, "")
		}
		return nil
	}
	o.refresh(m)
	return m.open(o)
}

// legend is what the signs of the lists mean.
func (m *Model) legend(query string) []views.Choice {
	var items []views.Choice
	for _, sign := range m.look.theme.Legend() {
		items = append(items, views.Choice{Key: sign.Glyph, Label: sign.Word, Note: sign.Means})
	}
	return matching("signs", query, items)
}

// filterHelp is what a filter of the focused pane may hold.
func (m *Model) filterHelp(query string) []views.Choice {
	var items []views.Choice
	for _, term := range board.FilterTerms(m.pane().Kind()) {
		items = append(items, views.Choice{Key: keymaps.DisplayKey("/"), Label: term.Term, Note: term.Means})
	}
	return matching("filter terms", query, items)
}

// matching is a section of what matches, or nothing.
func matching(heading, query string, items []views.Choice) []views.Choice {
	section := []views.Choice{{Label: heading, Heading: true}}
	for _, item := range items {
		var ok bool
		if item.Matches, ok = mentioned(query, item.Label, item.Note); !ok {
			continue
		}
		section = append(section, item)
	}
	if len(section) == 1 {
		return nil
	}
	return section
}

// mentioned reports that a title and what is said about it hold all words of a query between them, and where the title
// has them.
func mentioned(query, title, about string) (inTitle []int, ok bool) {
	inTitle, _ = keymaps.MatchWords(query, title)
	_, ok = keymaps.MatchWords(query, title+" "+about)
	return inTitle, ok
}

func keysOf(a *keymaps.Action) string {
	text := ""
	for i, key := range a.Keys {
		if i > 1 {
			break
		}
		if i > 0 {
			text += " "
		}
		text += keymaps.DisplayKey(key)
	}
	return text
}
