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
	input   views.Input
	choices views.Choices
	ids     []string // action of each line
	search  func(m *Model, query string) ([]views.Choice, []string)
	accept  func(m *Model, query, id string) tea.Cmd
}

func (o *finder) scope() keymaps.Scope { return o.kind }

func (o *finder) place(*Model) layout.Overlay {
	if o.kind == keymaps.Help {
		return layout.Overlay{Kind: layout.Full, Width: 110, Height: 200}
	}
	return layout.Overlay{Kind: layout.Palette, Width: 96, Height: len(o.choices.Items) + 4}
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
		m.closeDialog()
		return nil
	}
	if o.input.Edit(key) {
		o.refresh(m)
	}
	return nil
}

func (o *finder) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.title, Foot: o.foot}
	o.choices.Fit(height - 4)
	keys := o.choices.KeyWidth(m.appearance.theme.Measure)
	return box.AppendLine(dst, y, width, height, m.appearance.theme, func(l *views.Line, line int) {
		switch line {
		case 0:
			l.Put(theme.Key, ": ")
			o.input.Put(l, l.Left(), m.appearance.theme.Measure)
		case 1:
			if len(o.choices.Items) == 0 {
				l.Put(theme.Muted, "Nothing matches.")
			}
		default:
			o.choices.Put(l, line-2, keys)
		}
	})
}

// openPalette lists every action, those that cannot run with the reason.
func (m *Model) openPalette() tea.Cmd {
	situation := m.actionContext() // as it was when the palette opened: the cursor does not move under it
	situation.Scopes = m.scopes()
	o := &finder{kind: keymaps.Palette, title: "All actions", foot: "enter runs  tab completes  esc leaves"}
	o.search = func(m *Model, query string) ([]views.Choice, []string) {
		hits := m.keys.Search(query, situation)
		if a, argument, ok := m.keys.Command(query); ok && len(hits) == 0 {
			return []views.Choice{{Label: a.Title, Note: "with " + argument, Off: m.keys.Reason(a, situation)}}, []string{a.ID}
		}
		items, ids := m.matchingViews(query)
		for _, hit := range hits {
			if slices.Contains(ids, hit.Action.ID) {
				continue
			}
			key := ""
			if len(hit.Action.Keys) > 0 {
				key = keymaps.DisplayKey(hit.Action.Keys[0])
			}
			items = append(items, views.Choice{
				Key: key, Label: hit.Action.Title, Note: hit.Action.Help, Off: hit.Reason, Matches: hit.Positions,
			})
			ids = append(ids, hit.Action.ID)
		}
		return items, ids
	}
	o.accept = func(m *Model, query, id string) tea.Cmd {
		argument := ""
		// A word with something behind it is a command; anything else is a search.
		if a, rest, ok := m.keys.Command(query); ok && (rest != "" || id == "") {
			id, argument = a.ID, rest
		}
		a, ok := m.keys.Get(id)
		if !ok {
			m.warn(fmt.Sprintf("Nothing is called %q.", query))
			return nil
		}
		m.closeDialog()
		if reason := m.keys.Reason(a, situation); reason != "" {
			m.warn(reason)
			return nil
		}
		return m.runAction(a, argument)
	}
	o.refresh(m)
	return m.openDialog(o)
}

// matchingViews are the saved views that hold the words of a query, before all else: who types "late" wants to see it.
func (m *Model) matchingViews(query string) (items []views.Choice, ids []string) {
	if strings.TrimSpace(query) == "" {
		return nil, nil
	}
	for i, v := range m.keyViews {
		if at, ok := keymaps.Words(query, v.Name); ok && v.Name != "" {
			id := fmt.Sprintf("view.%d", i+5)
			items = append(items, views.Choice{Key: m.keyFor(id), Label: v.Name, Note: "Shows this saved view.", Matches: at})
			ids = append(ids, id)
		}
	}
	return items, ids
}

// openHelp lists the keys that work here.
func (m *Model) openHelp() tea.Cmd {
	stack, situation := m.scopes(), m.actionContext()
	o := &finder{kind: keymaps.Help, title: "Keys that work here", foot: "type to search  enter runs  esc leaves"}
	o.search = func(m *Model, query string) ([]views.Choice, []string) {
		var items []views.Choice
		var ids []string
		for _, section := range m.keys.HelpFor(stack, situation) {
			heading := len(items)
			items, ids = append(items, views.Choice{Label: string(section.Group), Heading: true}), append(ids, "")
			for _, line := range section.Lines {
				a := line.Action
				matches, ok := matchWords(query, a.Title, a.Help)
				if !ok {
					continue
				}
				items = append(items, views.Choice{Key: actionKeys(&a), Label: a.Title, Note: a.Help, Off: line.Reason, Matches: matches})
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
		m.closeDialog()
		if a, ok := m.keys.Get(id); ok {
			return m.runAction(a, "")
		}
		return nil
	}
	o.refresh(m)
	return m.openDialog(o)
}

// legend is what the signs of the lists mean.
func (m *Model) legend(query string) []views.Choice {
	var items []views.Choice
	for _, sign := range m.appearance.theme.Legend() {
		items = append(items, views.Choice{Key: sign.Glyph, Label: sign.Word, Note: sign.Means})
	}
	return matchingSection("signs", query, items)
}

// filterHelp is what a filter of the focused pane may hold.
func (m *Model) filterHelp(query string) []views.Choice {
	var items []views.Choice
	for _, term := range board.FilterTerms(m.focusedPane().Kind()) {
		items = append(items, views.Choice{Key: keymaps.DisplayKey("/"), Label: term.Term, Note: term.Means})
	}
	return matchingSection("filter terms", query, items)
}

// matchingSection is a section of what matches, or nothing.
func matchingSection(heading, query string, items []views.Choice) []views.Choice {
	section := []views.Choice{{Label: heading, Heading: true}}
	for _, item := range items {
		var ok bool
		if item.Matches, ok = matchWords(query, item.Label, item.Note); !ok {
			continue
		}
		section = append(section, item)
	}
	if len(section) == 1 {
		return nil
	}
	return section
}

// matchWords reports that a title and what is said about it hold all words of a query between them, and where the title
// has them.
func matchWords(query, title, about string) (inTitle []int, ok bool) {
	inTitle, _ = keymaps.Words(query, title)
	_, ok = keymaps.Words(query, title+" "+about)
	return inTitle, ok
}

func actionKeys(a *keymaps.Action) string {
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
