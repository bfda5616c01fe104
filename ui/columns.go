package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/views"
)

// columnMenu shows and hides the columns of a pane. It stays open: one rarely changes a single one.
type columnMenu struct {
	menu
	pane views.Pane
}

func newColumnMenu(p views.Pane) *columnMenu {
	o := &columnMenu{pane: p}
	o.title = "Columns of " + string(p.Kind())
	o.foot = "enter shows or hides; one shown again comes last  esc leaves"
	o.fill()
	return o
}

// fill lists the columns as they are now; the cursor stays on its line.
func (o *columnMenu) fill() {
	at := o.choices.Cursor
	all := o.pane.ColumnChoices()
	list := make([]views.Choice, len(all), len(all)+1)
	widest := 0
	for _, c := range all {
		widest = max(widest, len(c.Title))
	}
	for i, c := range all {
		list[i] = views.Choice{Label: fmt.Sprintf("%-*s", widest, c.Title), Note: "hidden"}
		switch {
		case c.Fixed:
			list[i].Note = "always shown"
		case c.Shown && !c.Fits:
			list[i].Note = "shown where there is room"
		case c.Shown:
			list[i].Note = "shown"
		}
	}
	list = append(list, views.Choice{Label: "the pane's own choice"})
	o.choices.Set(list)
	o.choices.Cursor = min(at, len(list)-1)
}

func (o *columnMenu) act(m *Model, id string) (tea.Cmd, bool) {
	if id != "menu.choose" {
		return o.menu.act(m, id)
	}
	at, ok := o.choices.Current()
	all := o.pane.ColumnChoices()
	switch {
	case !ok:
	case at == len(all):
		o.pane.ChooseColumns(nil)
	case all[at].Fixed:
		m.warn("Rows could not be told apart without this column.")
	default:
		o.toggle(all, at)
	}
	o.fill()
	return nil, true
}

// edit does nothing: the lines have no digits.
func (o *columnMenu) edit(*Model, string) tea.Cmd { return nil }

func (o *columnMenu) toggle(all []views.ColumnChoice, at int) {
	var keys []string
	for i, c := range all {
		if c.Shown && !c.Fixed && i != at {
			keys = append(keys, c.Key)
		}
	}
	if !all[at].Shown {
		keys = append(keys, all[at].Key)
	}
	o.pane.ChooseColumns(keys)
}

// chooseColumns takes columns by their titles, as they are typed into the palette.
func (m *Model) chooseColumns(words []string) tea.Cmd {
	all := m.focusedPane().ColumnChoices()
	var keys []string
	for _, word := range words {
		at := slices.IndexFunc(all, func(c views.ColumnChoice) bool {
			return strings.EqualFold(word, c.Title) || strings.EqualFold(word, c.Key)
		})
		if at < 0 {
			titles := make([]string, len(all))
			for i, c := range all {
				titles[i] = c.Title
			}
			m.warn(fmt.Sprintf("There is no column %q here; there are %s.", word, strings.Join(titles, ", ")))
			return nil
		}
		keys = append(keys, all[at].Key)
	}
	m.focusedPane().ChooseColumns(keys)
	return nil
}
