package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/ui/dialog"
	"waybill/views"
)

func (m *Model) openColumns() tea.Cmd {
	p := m.focusedPane()
	d := dialog.NewColumns("Columns of "+p.Kind().String(), p.ColumnChoices())
	return m.openDialog(d, func(_ *Model, a dialog.Action) tea.Cmd {
		if chosen, ok := a.(dialog.ChooseColumns); ok {
			p.ChooseColumns(chosen.Keys)
			d.SetColumns(p.ColumnChoices())
		}
		return nil
	})
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
