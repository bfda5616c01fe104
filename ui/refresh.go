package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/model"
	"waybill/ui/feed"
	"waybill/views"
)

const (
	fetchTimeout = 45 * time.Second // including the wait for the request budget
	buildTimeout = time.Minute
)

// refreshDue sends the requests that are due.
func (m *Model) refreshDue() []tea.Cmd {
	if m.account.Client == nil || m.account.ctx.Err() != nil {
		return nil
	}
	now := m.now()
	m.feed.SetVisible(m.visibleTasks(), m.visibleOrders())
	var cmds []tea.Cmd
	client, clock := m.account.Client, m.clock()
	for _, r := range m.feed.Next(now) {
		if r.StartsRound() {
			m.ageChangeMarks(r.Lane)
		}
		cmds = append(cmds, m.run(fetchTimeout, func(ctx context.Context) result {
			answer := feed.Fetch(ctx, client, r, clock)
			return func(m *Model) tea.Cmd { return m.applyAnswer(&answer) }
		}))
	}
	m.checkHealth(now)
	return cmds
}

func (m *Model) visibleTasks() []model.ID {
	var ids []model.ID
	for _, p := range []board.Pane{m.focus, board.PaneDelays, board.PaneTasks} {
		if k := m.panes.Panes[p].Kind(); m.layout.Shows(p) && (k == board.PaneTasks || k == board.PaneDelays) {
			ids = append(ids, m.panes.Panes[p].OnScreen()...)
		}
	}
	return ids
}

func (m *Model) visibleOrders() []model.ShortID {
	if !m.layout.Shows(board.PaneOrders) {
		return nil
	}
	var shorts []model.ShortID
	orders := m.panes.Snapshot().Orders
	for _, id := range m.panes.Panes[board.PaneOrders].OnScreen() {
		if row := orders.Get(id); row != nil {
			shorts = append(shorts, row.ShortID)
		}
	}
	return shorts
}

// ageChangeMarks ages the marks of changed cells when a pane is refreshed again.
func (m *Model) ageChangeMarks(l feed.Lane) {
	switch l {
	case feed.Workers:
		m.panes.NextHighlights(board.PaneWorkers)
	case feed.Open, feed.Fresh:
		m.panes.NextHighlights(board.PaneTasks, board.PaneDelays, board.PaneOrders)
	default:
	}
}

// checkHealth computes how fresh the data of each pane is.
func (m *Model) checkHealth(now time.Time) {
	for i, p := range m.panes.Panes {
		m.health[i] = m.feed.Health(p.Kind(), now)
	}
}

// applyAnswer updates the board and the panes with the answer to a refresh, and requests what is due now.
func (m *Model) applyAnswer(r *feed.Result) tea.Cmd {
	before := m.panes.Snapshot()
	status := m.feed.Status()
	fresh := m.feed.IsSettled()
	if r.Request.Lane == feed.Orders {
		fresh = m.feed.AreOrdersSettled()
	}
	change := m.feed.Apply(*r)
	if r.Request.Lane == feed.Account && r.Err == nil {
		m.setOrganization(r.Organization)
	}
	for i := range r.Orders {
		m.orders[r.Orders[i].ShortID] = r.Orders[i].ID
	}
	snapshot, delta := m.board.Apply(change)
	m.frameUnchanged = delta.Empty() && r.Err == nil && fresh && !status.Offline && r.Request.Lane.IsList()
	cmds := m.updatePanes(before, snapshot, &delta, fresh)
	m.updateDetail(r)
	m.keepCursor()
	if !status.Watching && m.feed.Status().Watching {
		m.warn("This service has no task lists. Watch single tasks with " + m.keyFor("find.watch") + ".")
	}
	cmds = append(cmds, m.refreshDue()...)
	return tea.Batch(cmds...)
}

// keepCursor keeps the cursor of the focused pane on its row from now on, once all rows are loaded. Panes that have not
// been focused yet keep showing their worst row.
func (m *Model) keepCursor() {
	if m.feed.IsSettled() && (m.focus != board.PaneOrders || m.feed.AreOrdersSettled()) {
		m.focusedPane().EndFirstLoad()
	}
}

// applyChange applies a change to the board and updates the panes.
func (m *Model) applyChange(change board.Change, before *board.Snapshot, fresh bool) []tea.Cmd {
	snapshot, delta := m.board.Apply(change)
	return m.updatePanes(before, snapshot, &delta, fresh)
}

// advanceClock sets the clock of the board.
func (m *Model) advanceClock(now time.Time) []tea.Cmd {
	before := m.panes.Snapshot()
	snapshot, delta := m.board.Tick(model.MillisOf(now))
	m.checkHealth(now)
	return m.updatePanes(before, snapshot, &delta, m.feed.IsSettled())
}

// updatePanes follows a change of the board: panes, orders, marks and notifications.
func (m *Model) updatePanes(before, snapshot *board.Snapshot, delta *board.Delta, fresh bool) []tea.Cmd {
	if delta.Empty() && len(delta.Refetch) == 0 && snapshot.Now == before.Now {
		return nil
	}
	m.feed.QueueTasks(delta.Refetch...)
	if m.feed.HasLongList() {
		m.feed.QueueTasks(feed.MovedTasks(before, snapshot, delta.Workers)...)
	}
	m.queueOrders(snapshot, delta)
	for _, rows := range [][]board.RowDelta{delta.Tasks, delta.Workers, delta.Orders} {
		for _, d := range rows {
			if d.Kind == board.RowRemoved {
				m.unmark(d.ID)
			}
		}
	}
	cmds := m.buildCommands(m.panes.ShowSnapshot(snapshot, delta, fresh))
	if cmd := m.notifyLate(before, snapshot, delta, fresh); cmd != nil {
		cmds = append(cmds, cmd)
	}
	return cmds
}

// queueOrders requests orders of tasks that are unknown, or whose tasks have changed their status.
func (m *Model) queueOrders(snapshot *board.Snapshot, delta *board.Delta) {
	for _, d := range delta.Tasks {
		row := snapshot.Tasks.Get(d.ID)
		if row == nil || row.Order == "" {
			continue
		}
		_, known := m.orders[row.Order]
		if !known || d.Kind == board.RowChanged && d.Fields.Has(board.FieldStatus) {
			m.feed.QueueOrders(row.Order)
		}
	}
}

// buildCommands builds the rows of panes in the background.
func (m *Model) buildCommands(builds []views.Build) []tea.Cmd {
	cmds := make([]tea.Cmd, 0, len(builds))
	for _, b := range builds {
		if b != nil {
			cmds = append(cmds, m.run(buildTimeout, func(ctx context.Context) result {
				rows := b(ctx)
				return func(m *Model) tea.Cmd { return m.build(m.panes.ShowBuilt(rows)) }
			}))
		}
	}
	return cmds
}

// build builds the rows of panes in the background.
func (m *Model) build(builds ...views.Build) tea.Cmd { return tea.Batch(m.buildCommands(builds)...) }
