package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/keymaps"
	"waybill/ui/dialog"
	"waybill/views"
)

// openPalette lists every action, the disabled ones with the reason.
func (m *Model) openPalette() tea.Cmd {
	context := m.actionContext() // of this moment: the cursor does not move under the palette
	context.Scopes = m.scopes()
	search := func(query string) []dialog.Match { return m.searchActions(query, context) }
	return m.openDialog(dialog.NewPalette(search), func(m *Model, a dialog.Action) tea.Cmd {
		accepted, ok := a.(dialog.Accept)
		if !ok {
			return nil
		}
		return m.runFromPalette(accepted.Query, accepted.ID, context)
	})
}

// searchActions finds saved views and actions. A command word with an argument is found where nothing else is.
func (m *Model) searchActions(query string, context keymaps.Context) []dialog.Match {
	hits := m.keys.Search(query, context)
	if a, argument, ok := m.keys.ParseCommand(query); ok && len(hits) == 0 {
		return []dialog.Match{{Choice: views.Choice{Label: a.Title, Note: "with " + argument, Disabled: m.keys.DisabledReason(a, context)}, ID: a.ID}}
	}
	matches := m.matchingViews(query)
	for _, hit := range hits {
		a := &hit.Action
		if slices.ContainsFunc(matches, func(m dialog.Match) bool { return m.ID == a.ID }) {
			continue
		}
		matches = append(matches, dialog.Match{Choice: views.Choice{
			Key: displayKeys(a, 1), Label: a.Title, Note: a.Help, Disabled: hit.DisabledReason, Matches: hit.Positions,
		}, ID: a.ID})
	}
	return matches
}

func (m *Model) runFromPalette(query, id string, context keymaps.Context) tea.Cmd {
	argument := ""
	// A word with something behind it is a command; anything else is a search.
	if a, rest, ok := m.keys.ParseCommand(query); ok && (rest != "" || id == "") {
		id, argument = a.ID, rest
	}
	a, ok := m.keys.Get(id)
	if !ok {
		return m.warn(fmt.Sprintf("No action is called %q.", query))
	}
	m.closeDialog()
	if reason := m.keys.DisabledReason(a, context); reason != "" {
		return m.warn(reason)
	}
	return m.runAction(a, argument)
}

// openHelp lists the keys that work here.
func (m *Model) openHelp() tea.Cmd {
	scopes, context := m.scopes(), m.actionContext()
	search := func(query string) []dialog.Match {
		var matches []dialog.Match
		for _, section := range m.keys.HelpSections(scopes, context) {
			var lines []dialog.Match
			for _, line := range section.Lines {
				a := &line.Action
				lines = append(lines, dialog.Match{
					Choice: views.Choice{Key: displayKeys(a, 2), Label: a.Title, Note: a.Help, Disabled: line.DisabledReason}, ID: a.ID,
				})
			}
			matches = append(matches, matchingSection(string(section.Group), query, lines)...)
		}
		matches = append(matches, matchingSection("signs", query, m.legend())...)
		return append(matches, matchingSection("filter terms", query, m.filterTerms())...)
	}
	return openFor(m, dialog.NewHelp(search), func(m *Model, accepted dialog.Accept) tea.Cmd {
		if a, ok := m.keys.Get(accepted.ID); ok {
			return m.runAction(a, "")
		}
		return nil
	})
}

// legend explains the signs of the lists.
func (m *Model) legend() []dialog.Match {
	var lines []dialog.Match
	for _, sign := range m.appearance.theme.Legend() {
		lines = append(lines, dialog.Match{Choice: views.Choice{Key: sign.Glyph, Label: sign.Word, Note: sign.Means}})
	}
	return lines
}

// filterTerms explains what a filter of the focused pane may contain.
func (m *Model) filterTerms() []dialog.Match {
	var lines []dialog.Match
	for _, term := range board.FilterTerms(m.focusedPane().Kind()) {
		lines = append(lines, dialog.Match{Choice: views.Choice{Key: keymaps.DisplayKey("/"), Label: term.Term, Note: term.Means}})
	}
	return lines
}

// matchingSection is a heading and the lines that contain all words of a query, or nothing.
func matchingSection(heading, query string, lines []dialog.Match) []dialog.Match {
	section := []dialog.Match{{Choice: views.Choice{Label: heading, Heading: true}}}
	for _, line := range lines {
		if _, ok := keymaps.MatchWords(query, line.Label+" "+line.Note); ok {
			line.Matches, _ = keymaps.MatchWords(query, line.Label)
			section = append(section, line)
		}
	}
	if len(section) == 1 {
		return nil
	}
	return section
}

// displayKeys is the first keys of an action as they are shown.
func displayKeys(a *keymaps.Action, most int) string {
	var keys []string
	for _, key := range a.Keys[:min(most, len(a.Keys))] {
		keys = append(keys, keymaps.DisplayKey(key))
	}
	return strings.Join(keys, " ")
}
