package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/ui/dialog"
	"waybill/views/layout"
)

// openFilter opens the filter line of the focused pane, or the search of the activity.
func (m *Model) openFilter() tea.Cmd {
	if m.onActivityPage() {
		d := dialog.NewPrompt("Search the activity", "words in any order; empty shows everything", m.page.search)
		return m.openPrompt(d, (*Model).searchActivity)
	}
	if m.screen != layout.Board {
		m.focusPane(m.focus)
	}
	const maxCompletions = 12
	d := dialog.NewFilter(dialog.FilterOptions{
		Before: m.focusedPane().FilterText(), History: &m.history, Count: m.focusedPane().Len,
		Complete: func(text string, cursor int) []board.Completion {
			return board.CompleteFilter(m.panes.Snapshot(), m.focusedPane().Kind(), text, cursor, maxCompletions)
		},
	})
	return m.openDialog(d, func(m *Model, a dialog.Action) tea.Cmd {
		switch a := a.(type) {
		case dialog.SetFilter:
			return m.filterWhileTyping(d, a.Text)
		case dialog.KeepFilter:
			m.history.Add(a.Text)
			m.closeDialog()
		case dialog.RestoreFilter:
			m.closeDialog()
			return m.setFilter(a.Text)
		}
		return nil
	})
}

// filterWhileTyping filters by what is typed so far, without a last term that is not complete yet.
func (m *Model) filterWhileTyping(d *dialog.Filter, text string) tea.Cmd {
	build, err := m.focusedPane().SetFilter(text)
	d.Err = err
	if err != nil {
		complete := strings.LastIndexByte(strings.TrimRight(text, " "), ' ')
		if build, err = m.focusedPane().SetFilter(text[:max(complete, 0)]); err != nil {
			return nil
		}
	}
	return m.build(build)
}

// setFilter narrows the focused pane.
func (m *Model) setFilter(text string) tea.Cmd {
	build, err := m.focusedPane().SetFilter(strings.TrimSpace(text))
	if err != nil {
		return m.warn(err.Error())
	}
	return m.build(build)
}

// clearFilter shows every row again. A sort that came with a saved view is cleared with it.
func (m *Model) clearFilter() tea.Cmd {
	shown, cleared := m.shownView(), m.setFilter("")
	for _, v := range m.views.all() {
		if v.Name = ""; v == shown {
			return tea.Batch(cleared, m.setSort(board.Sort{}))
		}
	}
	return cleared
}

func (m *Model) setSort(s board.Sort) tea.Cmd {
	return m.build(m.focusedPane().SetSort(s))
}

// moveToMatch moves the cursor to the next row that contains the last filter text.
func (m *Model) moveToMatch(forward bool) {
	text := m.history.Last()
	if text == "" {
		m.warn("No filter yet. " + m.keyFor("find.filter") + " filters.")
		return
	}
	if m.screen == layout.Board && !m.focusedPane().FindNext(text, forward) {
		m.warn("No row matches " + text + ".")
	}
}
