package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations"
	"waybill/ui/dialog"
	"waybill/ui/feed"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

func searchHandlers() map[string]handler {
	return map[string]handler{
		"find.filter":  withoutArgument((*Model).openFilter),
		"find.clear":   withoutArgument((*Model).clearFilter),
		"find.palette": withoutArgument((*Model).openPalette),
		"find.help":    withoutArgument((*Model).openHelp),
		"find.sort": func(m *Model, argument string) tea.Cmd {
			if argument == "" {
				return m.openSort()
			}
			for _, c := range board.SortColumns(m.focusedPane().Kind()) { // also by its title
				if title := columnTitle(m.focusedPane(), c); strings.EqualFold(strings.TrimPrefix(argument, "-"), title) {
					argument = strings.TrimSuffix(argument, strings.TrimPrefix(argument, "-")) + c
					break
				}
			}
			s, err := board.ParseSort(m.focusedPane().Kind(), argument)
			if err != nil {
				return m.warn(err.Error())
			}
			return m.setSort(s)
		},
		"find.sort-flip": withoutArgument(func(m *Model) tea.Cmd {
			s := m.focusedPane().State().Sort
			if s.Column == "" {
				s.Column = board.SortColumns(m.focusedPane().Kind())[0]
			}
			s.Desc = !s.Desc
			return m.setSort(s)
		}),
		"find.sort-left":  withoutArgument(func(m *Model) tea.Cmd { return m.setSort(m.focusedPane().NextSort(-1)) }),
		"find.sort-right": withoutArgument(func(m *Model) tea.Cmd { return m.setSort(m.focusedPane().NextSort(1)) }),
		"find.columns": func(m *Model, argument string) tea.Cmd {
			if argument == "" {
				return m.openColumns()
			}
			return m.chooseColumns(strings.FieldsFunc(argument, func(r rune) bool { return r == ' ' || r == ',' }))
		},
		"find.goto": func(m *Model, argument string) tea.Cmd {
			return m.withArgument(argument, "Go to", "id or short id of a task, order, driver, recipient or destination", (*Model).openByID)
		},
		"find.watch": func(m *Model, argument string) tea.Cmd {
			return m.withArgument(argument, "Watch a task", "id or short id; the task is refreshed regularly", (*Model).watchTask)
		},
	}
}

// withArgument runs with the argument from the palette, or asks for it.
func (m *Model) withArgument(argument, title, note string, run func(m *Model, text string) tea.Cmd) tea.Cmd {
	if argument != "" {
		return run(m, argument)
	}
	return m.openPrompt(dialog.NewPrompt(title, note, ""), run)
}

// openSort opens the menu of sort columns. Choosing the current one reverses the order.
func (m *Model) openSort() tea.Cmd {
	current := m.focusedPane().State().Sort
	var items []menuItem
	for i, column := range board.SortColumns(m.focusedPane().Kind()) {
		note := ""
		s := board.Sort{Column: column}
		if i == 0 {
			note, s = "default order", board.Sort{}
		}
		if column == current.Column || i == 0 && current.Column == "" {
			note = "current; press again to reverse"
			s = board.Sort{Column: column, Desc: !current.Desc}
		}
		items = append(items, menuItem{
			label: columnTitle(m.focusedPane(), column), note: note, run: func(m *Model) tea.Cmd { return m.setSort(s) },
		})
	}
	return m.openMenu("Sort "+m.focusedPane().Kind().String()+" by", items)
}

// columnTitle is the heading of a column, unless another sort column has that name.
func columnTitle(p views.Pane, column string) string {
	for _, c := range p.ColumnChoices() {
		if c.Key == column && c.Title != "" && !slices.Contains(board.SortColumns(p.Kind()), c.Title) {
			return c.Title
		}
	}
	return column
}

// openByID opens the object with an id or short id, from the board or else from the service.
func (m *Model) openByID(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if t, ok := m.knownTarget(text); ok {
		return m.openDetail(t)
	}
	return m.searchService(text, false)
}

func (m *Model) knownTarget(text string) (feed.Target, bool) {
	s, short := m.panes.Snapshot(), model.ShortID(strings.ToLower(text))
	if t := boardTarget(s, model.ID(text)); t.Kind != feed.NoObject {
		return t, true
	}
	if row := s.TaskByShortID(short); row != nil {
		return feed.Target{Kind: feed.Task, ID: row.ID}, true
	}
	id, ok := m.orders[short]
	return feed.Target{Kind: feed.Order, ID: id, Short: short}, ok
}

// watchTask refreshes a task regularly by its id.
func (m *Model) watchTask(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if t, ok := m.knownTarget(text); ok && t.Kind == feed.Task {
		m.feed.Watch(t.ID)
		return m.inform("Watching " + text + ".")
	}
	return m.searchService(text, true)
}

func (m *Model) searchService(text string, watch bool) tea.Cmd {
	id, short := model.ID(text), model.ShortID(strings.ToLower(text))
	if !id.Valid() && !short.Valid() {
		return m.warn(fmt.Sprintf("%q is not an id (24 characters) or a short id (8 hex digits).", text))
	}
	if m.account.Client == nil {
		return m.warn(notConnected)
	}
	m.inform("Searching for " + text + "…")
	client, stamp, now := m.account.Client, m.board.Stamp(), m.clock()
	return m.run(readTimeout, func(ctx context.Context) result {
		found := searchAll(ctx, client, id, short)
		change := board.Change{
			Requested: stamp, ReceivedAt: model.MillisOf(now()), Tasks: found.Tasks, Workers: found.Workers, Orders: found.Orders,
		}
		return func(m *Model) tea.Cmd {
			switch {
			case errors.Is(found.Err, apiclient.ErrNotFound):
				return m.showMessage(theme.Warn, "No object with the id "+text+".", operations.Line{Text: found.Err.Error()})
			case found.Err != nil:
				return m.fail("Searching for "+text, found.Err)
			}
			return m.showFound(text, &found, change, watch)
		}
	})
}

// searchAll requests one kind of object after the other, since an id does not tell its kind.
func searchAll(ctx context.Context, client *apiclient.Client, id model.ID, short model.ShortID) (found feed.Result) {
	targets := []feed.Target{{Kind: feed.Task, ID: id}, {Kind: feed.Worker, ID: id}, {Kind: feed.Recipient, ID: id}, {Kind: feed.Destination, ID: id}}
	if short.Valid() {
		targets = []feed.Target{{Kind: feed.Task, Short: short}, {Kind: feed.Order, Short: short}}
	}
	for _, t := range targets {
		if found = feed.FetchTarget(ctx, client, t); found.Err == nil {
			break
		}
	}
	return found
}

// showFound opens or watches an object that was found at the service.
func (m *Model) showFound(text string, found *feed.Result, change board.Change, watch bool) tea.Cmd {
	t := found.Request.Target()
	cmds := m.applyChange(change, m.panes.Snapshot(), true)
	for _, o := range found.Orders {
		t.ID, m.orders[o.ShortID] = o.ID, o.ID
	}
	m.message = message{}
	if len(found.Tasks) > 0 {
		t = feed.Target{Kind: feed.Task, ID: found.Tasks[0].ID}
		if watch {
			m.feed.Watch(t.ID)
			m.inform("Watching " + text + ".")
			return tea.Batch(cmds...)
		}
	}
	return tea.Batch(append(cmds, m.openDetail(t))...)
}

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
		Before: m.focusedPane().State().Filter, History: &m.history, Count: m.focusedPane().Len,
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
