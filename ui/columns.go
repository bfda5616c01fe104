package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/ui/dialog"
	"waybill/views"
)

// columnMenu shows and hides the columns of a pane. It stays open, because people rarely change a single column.
type columnMenu struct {
	dialog.Menu
	pane views.ColumnChooser
}

func (m *Model) openColumns() tea.Cmd {
	p := m.focusedPane()
	d := &columnMenu{pane: p}
	d.Title = "Columns of " + p.Kind().String()
	d.Hints = []keymaps.Hint{{Key: "enter", Label: "show or hide (shown again last)"}, {Key: "esc", Label: "close"}}
	d.listColumns()
	return m.openDialog(d, nil)
}

// listColumns fills the menu with the columns as they are now. The cursor stays on its line.
func (o *columnMenu) listColumns() {
	at := o.Choices.Cursor
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
	o.Choices.Set(list)
	o.Choices.Cursor = min(at, len(list)-1)
}

// RunAction implements [dialog.Dialog].
func (o *columnMenu) RunAction(id string) (dialog.Action, bool) {
	if id != "menu.choose" {
		return o.Menu.RunAction(id)
	}
	at, ok := o.Choices.Current()
	all := o.pane.ColumnChoices()
	switch {
	case !ok:
	case at == len(all):
		o.pane.ChooseColumns(nil)
	case all[at].Fixed:
		return dialog.Warn{Text: "This column cannot be hidden: it identifies the row."}, true
	default:
		o.toggleColumn(all, at)
	}
	o.listColumns()
	return nil, true
}

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
			return m.warn(fmt.Sprintf("Unknown column %q. Choose from %s.", word, strings.Join(titles, ", ")))
		}
		keys = append(keys, all[at].Key)
	}
	m.focusedPane().ChooseColumns(keys)
	return nil
}
