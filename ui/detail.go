package ui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/feed"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/table"
)

// detail is the object that is shown in full, and the ones that were open before it.
type detail struct {
	target feed.Target
	trail  []feed.Target
	view   views.Detail
}

func detailHandlers() map[string]handler {
	return map[string]handler{
		"look.detail": withoutArgument(func(m *Model) tea.Cmd {
			if m.screen == layout.Page {
				return m.page.current().open(m)
			}
			if m.detailFocused() {
				return m.openDetail(m.detail.linkTarget(m.orders))
			}
			return m.openDetail(m.cursorTarget())
		}),
		"look.raw": withoutArgument(func(m *Model) tea.Cmd {
			if m.screen == layout.Page && m.page.scope == keymaps.Events {
				return m.openEvent()
			}
			var cmd tea.Cmd
			if m.detail == nil {
				cmd = m.openDetail(m.cursorTarget())
			}
			if m.detail != nil {
				m.detail.view.Raw = !m.detail.view.Raw
				m.detail.view.Go(table.Top)
			}
			return cmd
		}),
		"look.map":       withoutCommand((*Model).openMap),
		"look.track":     withoutArgument(func(m *Model) tea.Cmd { return m.copyPart(trackingLink, m.cursorTarget()) }),
		"look.recipient": withoutArgument((*Model).recipientTasks),
		"look.route":     withoutArgument((*Model).openRoute),
		"look.partner":   withoutArgument((*Model).openPartner),
		"look.order":     withoutArgument((*Model).openOrder),
	}
}

// openDetail shows an object in full. What the board has is shown at once; the rest is requested.
func (m *Model) openDetail(t feed.Target) tea.Cmd {
	if t.Kind == feed.NoObject {
		return m.warn("Nothing to open here.")
	}
	if m.screen == layout.Page {
		m.screen = layout.Board
	}
	switch {
	case m.detail == nil:
		m.detail = &detail{}
		m.detail.show(t)
	case m.detail.target != t: // the same object keeps its data
		m.detail.trail = append(m.detail.trail, m.detail.target)
		m.detail.show(t)
	}
	m.computeLayout()
	m.feed.Select(t, m.now())
	return tea.Batch(m.refreshDue()...)
}

func (d *detail) show(t feed.Target) {
	d.target, d.view = t, views.Detail{Raw: d.view.Raw}
}

// backInDetail goes back to the object before, or closes the detail.
func (m *Model) backInDetail() tea.Cmd {
	d := m.detail
	switch n := len(d.trail); {
	case d.view.Raw:
		d.view.Raw = false
		return nil
	case n > 0:
		t := d.trail[n-1]
		d.trail = d.trail[:n-1]
		d.show(t)
		m.feed.Select(t, m.now())
		return tea.Batch(m.refreshDue()...)
	case m.inDetail && m.layout.DetailBeside():
		m.inDetail = false
		return nil
	}
	m.closeDetail()
	return nil
}

func (m *Model) closeDetail() {
	m.detail, m.inDetail = nil, false
	m.feed.Select(feed.Target{}, m.now())
}

// updateDetail shows an answer that belongs to the detail.
func (m *Model) updateDetail(r *feed.Result) {
	if m.detail == nil || r.Request.Lane != feed.Selected || r.Request.Target() != m.detail.target {
		return
	}
	o := &m.detail.view.Object
	o.Err = ""
	if r.Err == nil {
		setObject(o, r)
		return
	}
	o.Err = r.Err.Error()
	if refused, ok := errors.AsType[*apiclient.Error](r.Err); ok && refused.Hint() != "" {
		o.Err = refused.Description() + "; " + refused.Hint()
	}
}

// setObject sets the object that the service sent.
func setObject(o *views.Object, r *feed.Result) {
	switch {
	case len(r.Tasks) > 0:
		o.Task = &r.Tasks[0]
	case len(r.Workers) > 0:
		o.Worker = &r.Workers[0]
	case len(r.Orders) > 0:
		o.Order = &r.Orders[0]
	default:
		o.Recipient, o.Destination = r.Recipient, r.Destination
	}
}

// updateRows gives the detail the newest rows before it is drawn.
func (d *detail) updateRows(s *board.Snapshot, f *views.Frame) {
	o, id := &d.view.Object, d.target.ID // at most one list has the id
	o.TaskRow, o.WorkerRow, o.OrderRow = s.Tasks.Get(id), s.Workers.Get(id), s.Orders.Get(id)
	d.view.Prepare(s, f)
}

func (d *detail) scope() keymaps.Scope {
	switch d.target.Kind {
	case feed.Task:
		return keymaps.TaskDetail
	case feed.Worker:
		return keymaps.WorkerDetail
	case feed.Order:
		return keymaps.OrderDetail
	default:
		return keymaps.OtherDetail
	}
}

// cursorTarget is the object under the cursor of the detail, or the one it shows.
func (d *detail) cursorTarget() feed.Target {
	switch id, kind := d.view.Link(); kind {
	case views.TaskLink:
		return feed.Target{Kind: feed.Task, ID: id}
	case views.WorkerLink:
		return feed.Target{Kind: feed.Worker, ID: id}
	default:
		return d.target
	}
}

// linkTarget is the object that the line under the cursor leads to.
func (d *detail) linkTarget(orders map[model.ShortID]model.ID) feed.Target {
	switch id, kind := d.view.Link(); kind {
	case views.DriverLink:
		return feed.Target{Kind: feed.Worker, ID: id}
	case views.OrderLink:
		return feed.Target{Kind: feed.Order, ID: orders[model.ShortID(id)], Short: model.ShortID(id)}
	case views.RecipientLink:
		return feed.Target{Kind: feed.Recipient, ID: id}
	case views.DestinationLink:
		return feed.Target{Kind: feed.Destination, ID: id}
	default:
		return d.cursorTarget()
	}
}

// targetObjects is a single object as actions see it.
func (m *Model) targetObjects(t feed.Target) []keymaps.Object {
	if t.Kind == feed.NoObject {
		return nil
	}
	if row := m.panes.Snapshot().Tasks.Get(t.ID); row != nil {
		return []keymaps.Object{views.TaskObject(row)}
	}
	return []keymaps.Object{{Kind: keymaps.Kind(t.Kind)}}
}

// rowTarget is the object under a pane's cursor.
func (m *Model) rowTarget(p views.Pane) feed.Target {
	id := p.CursorID()
	if id == "" {
		return feed.Target{}
	}
	if kind := rowKind(p.Kind()); kind != feed.Order {
		return feed.Target{Kind: kind, ID: id}
	}
	return boardTarget(m.panes.Snapshot(), id)
}

// rowKind is the kind of the rows of a pane.
func rowKind(p board.Pane) feed.Kind {
	return [...]feed.Kind{feed.Task, feed.Worker, feed.Task, feed.Order}[p]
}

// boardTarget is the object with an id on the board, or none.
func boardTarget(s *board.Snapshot, id model.ID) feed.Target {
	switch {
	case s.Tasks.Has(id):
		return feed.Target{Kind: feed.Task, ID: id}
	case s.Workers.Has(id):
		return feed.Target{Kind: feed.Worker, ID: id}
	case s.Orders.Has(id):
		return feed.Target{Kind: feed.Order, ID: id, Short: s.Orders.Get(id).ShortID}
	}
	return feed.Target{}
}

// cursorTask is the task under the cursor, or nil.
func (m *Model) cursorTask() *board.TaskRow {
	if t := m.cursorTarget(); t.Kind == feed.Task {
		return m.panes.Snapshot().Tasks.Get(t.ID)
	}
	return nil
}

func (m *Model) openRoute() tea.Cmd {
	t := m.cursorTarget()
	if row := m.cursorTask(); row != nil {
		if row.Worker == "" {
			return m.warn("This task is unassigned, so it has no route.")
		}
		t = feed.Target{Kind: feed.Worker, ID: row.Worker}
	}
	return m.openDetail(t)
}

func (m *Model) openPartner() tea.Cmd {
	row := m.cursorTask()
	if row == nil {
		return nil
	}
	links := m.panes.Snapshot().LinkedTasks(row)
	if len(links) == 0 {
		return m.warn("This task has no linked tasks.")
	}
	return m.openDetail(feed.Target{Kind: feed.Task, ID: links[0].ID})
}

func (m *Model) openOrder() tea.Cmd {
	if row := m.cursorTask(); row != nil {
		if row.Order == "" {
			return m.warn("This task has no order.")
		}
		return m.openDetail(feed.Target{Kind: feed.Order, ID: m.orders[row.Order], Short: row.Order})
	}
	t := m.cursorTarget()
	if row := m.panes.Snapshot().Orders.Get(t.ID); row != nil {
		m.focusPane(board.PaneTasks)
		return m.setFilter("order:" + string(row.ShortID))
	}
	return nil
}

// recipientTasks filters the tasks by the phone number of the recipient, which identifies a recipient.
func (m *Model) recipientTasks() tea.Cmd {
	phone := ""
	if row := m.cursorTask(); row != nil {
		phone = row.Phone
	} else if m.detail != nil && m.detail.view.Object.Recipient != nil {
		phone = m.detail.view.Object.Recipient.Phone
	}
	if phone == "" {
		return m.warn("The recipient has no phone number to search by.")
	}
	m.focusPane(board.PaneTasks)
	return m.setFilter(`phone:"` + phone + `"`)
}

func (m *Model) openMap() {
	if m.screen == layout.Map {
		m.screen = layout.Board
		return
	}
	t := m.cursorTarget()
	m.screen = layout.Map
	if t.Kind == feed.Order {
		if row := m.panes.Snapshot().Orders.Get(t.ID); row != nil {
			t.ID = row.Dropoff.Task
		}
	}
	m.mapView.Open(t.ID)
}
