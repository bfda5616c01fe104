package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/views"
)

// columnMenu shows and hides the columns of a pane. It stays open, because people rarely change a single column.
type columnMenu struct {
	menu
	pane views.ColumnChooser
}

func newColumnMenu(p views.Pane) *columnMenu {
	o := &columnMenu{pane: p}
	o.title = "Columns of " + p.Kind().String()
	o.foot = "enter show or hide · esc close"
	o.listColumns()
	return o
}

// listColumns fills the menu with the columns as they are now. The cursor stays on its line.
func (o *columnMenu) listColumns() {
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
			list[i].Note = "shown if it fits"
		case c.Shown:
			list[i].Note = "shown"
		}
	}
	list = append(list, views.Choice{Label: "default columns"})
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
		m.warn("This column cannot be hidden: it identifies the row.")
	default:
		o.toggleColumn(all, at)
	}
	o.listColumns()
	return nil, true
}

// edit ignores text: the lines of this menu are not chosen by digit.
func (o *columnMenu) edit(*Model, string) tea.Cmd { return nil }

func (o *columnMenu) toggleColumn(all []views.ColumnChoice, at int) {
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

// chooseColumns shows the columns with the given titles or keys, as typed into the palette.
func (m *Model) chooseColumns(words []string) tea.Cmd {
	all := m.pane().ColumnChoices()
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
			m.warn(fmt.Sprintf("Unknown column %q. Choose from %s.", word, strings.Join(titles, ", ")))
			return nil
		}
		keys = append(keys, all[at].Key)
	}
	m.pane().ChooseColumns(keys)
	return nil
}
