package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/model"
	"waybill/ui/feed"
	"waybill/views"
	"waybill/views/layout"
)

const (
	fetchLimit = 45 * time.Second // waiting for the budget included
	buildLimit = time.Minute
)

// poll asks for what is due.
func (m *Model) poll() []tea.Cmd {
	if m.account.Client == nil || m.account.ctx.Err() != nil {
		return nil
	}
	now := m.now()
	m.feed.Look(m.visibleTasks())
	m.feed.LookOrders(m.visibleOrders())
	var cmds []tea.Cmd
	client, clock := m.account.Client, m.clock()
	for _, r := range m.feed.Next(now) {
		if m.feed.Begins(r) {
			m.nextRound(r.Lane)
		}
		cmds = append(cmds, m.run(fetchLimit, func(ctx context.Context) any { return feed.Fetch(ctx, client, r, clock) }))
	}
	m.checkHealth(now)
	return cmds
}

func (m *Model) visibleTasks() []model.ID {
	var ids []model.ID
	for _, p := range []layout.Pane{m.focus, layout.Delays, layout.Tasks} {
		if k := m.panes.Panes[p].Kind(); m.layout.Shows(p) && (k == board.PaneTasks || k == board.PaneDelays) {
			ids = append(ids, m.panes.Panes[p].OnScreen()...)
		}
	}
	return ids
}

func (m *Model) visibleOrders() []model.ShortID {
	if !m.layout.Shows(layout.Orders) {
		return nil
	}
	var shorts []model.ShortID
	orders := m.panes.Snapshot().Orders
	for _, id := range m.panes.Panes[layout.Orders].OnScreen() {
		if row := orders.Get(id); row != nil {
			shorts = append(shorts, row.ShortID)
		}
	}
	return shorts
}

// nextRound lets marks of change grow older when a pane is asked for again.
func (m *Model) nextRound(l feed.Lane) {
	switch l {
	case feed.Workers:
		m.panes.Panes[layout.Workers].NextHighlights()
	case feed.Open, feed.Fresh:
		m.panes.Panes[layout.Tasks].NextHighlights()
		m.panes.Panes[layout.Delays].NextHighlights()
		m.panes.Panes[layout.Orders].NextHighlights()
	}
}

// checkHealth notes how old each pane's data is; drawing only shows it.
func (m *Model) checkHealth(now time.Time) {
	for i, p := range m.panes.Panes {
		m.health[i] = m.feed.Health(p.Kind(), now)
	}
}

// fetched takes an answer: the board learns from it, panes follow, more may be due.
func (m *Model) fetched(r feed.Result) tea.Cmd {
	before := m.panes.Snapshot()
	status := m.feed.Status()
	fresh := m.feed.Settled()
	if r.Request.Lane == feed.Orders {
		fresh = m.feed.OrdersSettled()
	}
	change := m.feed.Done(r)
	if r.Request.Lane == feed.Account && r.Err == nil {
		m.learnOrganization(r.Organization)
	}
	for i := range r.Orders {
		m.orders[r.Orders[i].ShortID] = r.Orders[i].ID
	}
	snapshot, delta := m.board.Apply(change)
	m.noNews = delta.Empty() && r.Err == nil && fresh && !status.Offline && r.Request.Lane.Lists()
	cmds := m.follow(before, snapshot, &delta, fresh)
	m.learnDetail(r)
	m.settle()
	if !status.Watching && m.feed.Status().Watching {
		m.warn("This service has no list of tasks. Add tasks to watch with " + m.keyOf("find.watch") + "; they are asked for one by one.")
	}
	cmds = append(cmds, m.poll()...)
	return tea.Batch(cmds...)
}

// settle lets the focused pane's cursor stay with its row from now on, once all rows have come. Panes that nobody has
// gone to yet keep showing their worst row: nothing was chosen in them.
func (m *Model) settle() {
	if m.feed.Settled() && (m.focus != layout.Orders || m.feed.OrdersSettled()) {
		m.pane().EndFirstLoad()
	}
}

// learn applies a change to the board and lets everything that follows from it happen.
func (m *Model) learn(change board.Change, before *board.Snapshot, fresh bool) []tea.Cmd {
	snapshot, delta := m.board.Apply(change)
	return m.follow(before, snapshot, &delta, fresh)
}

// pass lets the board's clock catch up.
func (m *Model) pass(now time.Time) []tea.Cmd {
	before := m.panes.Snapshot()
	snapshot, delta := m.board.Tick(model.MillisOf(now))
	m.checkHealth(now)
	return m.follow(before, snapshot, &delta, m.feed.Settled())
}

func (m *Model) follow(before, snapshot *board.Snapshot, delta *board.Delta, fresh bool) []tea.Cmd {
	if delta.Empty() && len(delta.Refetch) == 0 && snapshot.Now == before.Now {
		return nil
	}
	m.feed.Moved(delta.Refetch...)
	if m.feed.LongList() {
		m.feed.Moved(feed.MovedTasks(before, snapshot, delta.Workers)...)
	}
	m.noteOrders(snapshot, delta)
	for _, rows := range [][]board.RowDelta{delta.Tasks, delta.Workers, delta.Orders} {
		for _, d := range rows {
			if d.Kind == board.RowRemoved {
				m.unmark(d.ID)
			}
		}
	}
	cmds := m.builds(m.panes.ShowSnapshot(snapshot, delta, fresh))
	if cmd := m.noteLate(before, snapshot, delta, fresh); cmd != nil {
		cmds = append(cmds, cmd)
	}
	return cmds
}

// noteOrders asks for orders that tasks belong to and that are not known yet, or to whose tasks something happened.
func (m *Model) noteOrders(snapshot *board.Snapshot, delta *board.Delta) {
	for _, d := range delta.Tasks {
		row := snapshot.Tasks.Get(d.ID)
		if row == nil || row.Order == "" {
			continue
		}
		_, known := m.orders[row.Order]
		if !known || d.Kind == board.RowChanged && d.Fields.Has(board.FieldStatus) {
			m.feed.KnowOrders(row.Order)
		}
	}
}

// builds turns the making of views into commands.
func (m *Model) builds(builds []views.Build) []tea.Cmd {
	cmds := make([]tea.Cmd, 0, len(builds))
	for _, b := range builds {
		if b != nil {
			cmds = append(cmds, m.run(buildLimit, func(ctx context.Context) any { return b(ctx) }))
		}
	}
	return cmds
}

func (m *Model) built(b views.Built) tea.Cmd {
	return tea.Batch(m.builds([]views.Build{m.panes.ShowBuilt(b)})...)
}
