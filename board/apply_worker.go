package board

import (
	"slices"
	"strings"

	"waybill/model"
)

func (b *Board) applyWorkers(c *Change, d *Delta) {
	var renamed []model.ID
	for i := range c.Workers {
		w := &c.Workers[i]
		slot, old := b.workers.lookup(w.ID)
		if b.rejectAnswer(c, w.ID, &b.workers.seen, slot, old != nil, modifiedOf(old), w.TimeLastModified, nil) {
			continue
		}
		row := b.workerRow(w, old)
		if old == nil || old.Name != row.Name || old.TeamNames != row.TeamNames {
			b.displayNames[row.ID], b.workerTeamNames[row.ID] = row.Name, row.TeamNames
			renamed = append(renamed, row.ID)
		}
		b.storeWorker(slot, old, row, c.Requested, d)
	}
	for _, id := range renamed {
		b.refreshWorkerTaskNames(id, d)
	}
}

// refreshWorkerTaskNames updates the names of worker and team in the tasks of a worker.
func (b *Board) refreshWorkerTaskNames(worker model.ID, d *Delta) {
	slots, _ := b.links.get(string(worker))
	for _, slot := range slots {
		b.refreshTaskNames(slot, d)
	}
}

// rejectAnswer reports that an answer about a row must be ignored, and records that the row was in the answer.
func (b *Board) rejectAnswer(c *Change, id model.ID, seen *[]Stamp, slot uint32, known bool, have, told model.Millis, d *Delta) bool {
	if id == "" {
		return true
	}
	if !known {
		return b.isOutdated(c, id, 0, 0, 0, d)
	}
	stale := b.isOutdated(c, id, have, told, (*seen)[slot], d)
	(*seen)[slot] = max((*seen)[slot], c.Requested)
	return stale
}

func modifiedOf(row *WorkerRow) model.Millis {
	if row == nil {
		return 0
	}
	return row.Modified
}

func (b *Board) workerRow(w *model.Worker, old *WorkerRow) WorkerRow {
	name := w.Name
	if name == "" {
		name = w.DisplayName.Value()
	}
	row := WorkerRow{
		ID: model.ID(b.intern(string(w.ID))), Name: b.intern(name), Phone: b.intern(w.Phone),
		ActiveTask: w.ActiveTask.Value(),
		Vehicle:    model.VehicleType(b.intern(string(w.Vehicle.Value().Type))),
		Modified:   w.TimeLastModified, LastSeen: w.TimeLastSeen.Value(),
		reportedDelay: w.DelayTime.Value().Duration(), Capacity: w.Capacity, OnDuty: w.OnDuty,
		Battery: w.UserData.Value().BatteryLevel.Or(-1),
	}
	if at, ok := w.Location.Get(); ok && at.Valid() {
		row.Location, row.HasLocation = at, true
	}
	var before WorkerRow
	if old != nil {
		before = *old
	}
	row.Tasks, row.Teams = keptIDs(w.Tasks, before.Tasks), b.internIDs(w.Teams, before.Teams)
	row.TeamNames = b.teamNames(row.Teams)
	return row
}

// storeWorker assesses and stores a row, and updates everything that depends on it.
func (b *Board) storeWorker(slot uint32, old *WorkerRow, row WorkerRow, asked Stamp, d *Delta) {
	row.State = b.workerState(&row)
	late := b.latenessOf(slot, old, &row)
	row.Delay = late.delayAt(b.clock, row.reportedDelay)
	switch {
	case old == nil:
	case old.State == row.State:
		row.StateSince = old.StateSince
	default:
		row.StateSince = b.clock
	}
	if old != nil && old.Name == row.Name && old.Phone == row.Phone && old.TeamNames == row.TeamNames {
		row.search = old.search
	} else {
		row.search = string(appendFolded(nil, row.Name, row.Phone, row.TeamNames, string(row.Vehicle), string(row.ID)))
	}
	slot, kept := storeRow(&b.workers, row.ID, slot, old, row, old.changes(&row), asked, &d.Workers)
	for int(slot) >= len(b.lateness) {
		b.lateness = append(b.lateness, workerLateness{})
	}
	b.lateness[slot] = late
	if kept == old {
		return
	}
	if old != nil {
		b.counters.addWorker(old, -1)
	}
	b.counters.addWorker(kept, 1)
}

func (b *Board) workerState(w *WorkerRow) WorkerState {
	switch {
	case !w.OnDuty:
		return WorkerIsOff
	case w.LastSeen != 0 && b.clock.Sub(w.LastSeen) > b.settings.Silent:
		return WorkerIsSilent
	case w.Stops() > 0:
		return WorkerIsBusy
	}
	return WorkerIsIdle
}

// latenessOf returns a worker's lateness, computed again if their stops have changed.
func (b *Board) latenessOf(slot uint32, old, row *WorkerRow) workerLateness {
	if old != nil && old.ActiveTask == row.ActiveTask && slices.Equal(old.Tasks, row.Tasks) {
		return b.lateness[slot]
	}
	return b.computeLateness(row)
}

// reassessWorkers updates the workers who have become silent or later as time passed.
func (b *Board) reassessWorkers(d *Delta) {
	for slot := range b.workers.next {
		row := b.workers.rows.at(slot)
		if row != nil && (row.State != b.workerState(row) || row.Delay != b.lateness[slot].delayAt(b.clock, row.reportedDelay)) {
			b.storeWorker(slot, row, *row, 0, d)
		}
	}
}

func (b *Board) applyTeams(c *Change, d *Delta) {
	renamed := map[model.ID]bool{}
	for i := range c.Teams {
		t := &c.Teams[i]
		slot, old := b.teams.lookup(t.ID)
		var before TeamRow
		if old != nil {
			before = *old
		}
		if b.rejectAnswer(c, t.ID, &b.teams.seen, slot, old != nil, before.Modified, t.TimeLastModified, nil) {
			continue
		}
		row := TeamRow{
			ID: model.ID(b.intern(string(t.ID))), Name: b.intern(t.Name), Hub: model.ID(b.intern(string(t.Hub.Value()))),
			Workers: b.internIDs(t.Workers, before.Workers), Tasks: keptIDs(t.Tasks, before.Tasks),
			Modified: t.TimeLastModified,
		}
		if row.Name != before.Name {
			b.displayNames[row.ID] = row.Name
			renamed[row.ID] = true
		}
		storeRow(&b.teams, row.ID, slot, old, row, old.changes(&row), c.Requested, &d.Teams)
	}
	if len(renamed) > 0 {
		b.refreshTeamNames(renamed, d)
	}
}

// refreshTeamNames updates every row that shows the name of a renamed team. Teams are renamed so rarely that scanning all
// rows is cheaper than keeping an index.
func (b *Board) refreshTeamNames(renamed map[model.ID]bool, d *Delta) {
	for slot := range b.workers.next {
		row := b.workers.rows.at(slot)
		if row == nil || !slices.ContainsFunc(row.Teams, func(id model.ID) bool { return renamed[id] }) {
			continue
		}
		next := *row
		next.TeamNames = b.teamNames(row.Teams)
		b.workerTeamNames[row.ID] = next.TeamNames
		b.storeWorker(slot, row, next, 0, d)
		b.refreshWorkerTaskNames(row.ID, d)
	}
	for slot := range b.tasks.next {
		if row := b.tasks.rows.at(slot); row != nil && row.Team != "" && renamed[row.Team] {
			b.refreshTaskNames(slot, d)
		}
	}
}

// refreshTaskNames updates the names of worker and team in a task.
func (b *Board) refreshTaskNames(slot uint32, d *Delta) {
	row := b.tasks.rows.at(slot)
	worker, team := b.displayNames[row.Worker], b.teamNameOf(row)
	if worker == row.WorkerName && team == row.TeamName {
		return
	}
	next := *row
	next.WorkerName, next.TeamName = worker, team
	next.storeTexts(row, &b.buffer)
	b.storeTask(slot, row, next, 0, d)
}

func (b *Board) teamNames(ids []model.ID) string {
	var names []string
	for _, id := range ids {
		if name := b.displayNames[id]; name != "" {
			names = append(names, name)
		}
	}
	return b.intern(strings.Join(names, ", "))
}

func keptIDs(ids, old []model.ID) []model.ID {
	if slices.Equal(ids, old) {
		return old
	}
	return slices.Clone(ids)
}

// applyContainer takes the order of a route or team list from its container, which is fresher than the worker or team.
func (b *Board) applyContainer(c *Change, list *model.Container, d *Delta) {
	switch list.Type {
	case model.ContainerWorker:
		id := list.Worker.Value()
		slot, old := b.workers.lookup(id)
		if old == nil || b.rejectAnswer(c, id, &b.workers.seen, slot, true, old.Modified, old.Modified, nil) {
			return
		}
		next := *old
		next.Tasks = keptIDs(list.Tasks, old.Tasks)
		if list.ActiveTask.Present() {
			next.ActiveTask = list.ActiveTask.Value()
		}
		b.storeWorker(slot, old, next, c.Requested, d)
	case model.ContainerTeam:
		id := list.Team.Value()
		slot, old := b.teams.lookup(id)
		if old == nil || b.rejectAnswer(c, id, &b.teams.seen, slot, true, old.Modified, old.Modified, nil) {
			return
		}
		next := *old
		next.Tasks = keptIDs(list.Tasks, old.Tasks)
		storeRow(&b.teams, id, slot, old, next, old.changes(&next), c.Requested, &d.Teams)
	case model.ContainerOrganization:
	}
}

func (b *Board) applyHub(c *Change, h *model.Hub, d *Delta) {
	slot, old := b.hubs.lookup(h.ID)
	if b.rejectAnswer(c, h.ID, &b.hubs.seen, slot, old != nil, 0, 0, nil) {
		return
	}
	b.buffer = appendAddress(b.buffer[:0], &h.Address)
	row := HubRow{
		ID: h.ID, Name: h.Name, Address: string(b.buffer), Phone: h.Phone.Value(), Location: h.Location,
		Teams: slices.Clone(h.Teams),
	}
	storeRow(&b.hubs, h.ID, slot, old, row, old.changes(&row), c.Requested, &d.Hubs)
}

func (b *Board) applyTemplate(c *Change, t *model.Template, d *Delta) {
	slot, old := b.templates.lookup(t.ID)
	if b.rejectAnswer(c, t.ID, &b.templates.seen, slot, old != nil, 0, 0, nil) {
		return
	}
	row := TemplateRow{ID: t.ID, Name: t.Name, Default: t.IsDefault, Fields: slices.Clone(t.Fields)}
	storeRow(&b.templates, t.ID, slot, old, row, old.changes(&row), c.Requested, &d.Templates)
}

func (b *Board) applyOrder(c *Change, o *model.Order, d *Delta) {
	slot, old := b.orders.lookup(o.ID)
	var modified model.Millis
	if old != nil {
		modified = old.Modified
	}
	if b.rejectAnswer(c, o.ID, &b.orders.seen, slot, old != nil, modified, o.TimeLastModified, nil) {
		return
	}
	row := OrderRow{
		ID: model.ID(strings.Clone(string(o.ID))), ShortID: model.ShortID(strings.Clone(string(o.ShortID))),
		Client: b.intern(o.ClientName.Value()), ClientID: model.ID(b.intern(string(o.ClientID.Value()))), Service: b.intern(o.DeliveryService.Value()),
		Status: model.OrderStatus(b.intern(string(o.Status))),
		Pickup: b.orderLeg(&o.PickupTask), Dropoff: b.orderLeg(&o.DropoffTask),
		Price: o.Price.Value(), Priced: o.Price.Has(), Currency: b.intern(o.Currency.Value()),
		Modified: o.TimeLastModified,
	}
	row.Risk = b.orderRisk(&row)
	b.orderIDs[row.ShortID] = row.ID
	row.search = string(appendFolded(nil, row.Client, row.Service, string(row.ShortID), string(row.Status),
		string(row.Pickup.ShortID), string(row.Dropoff.ShortID), string(row.ID)))
	storeRow(&b.orders, row.ID, slot, old, row, old.changes(&row), c.Requested, &d.Orders)
}

// orderRisk returns the worse risk of the two tasks of an order.
func (b *Board) orderRisk(o *OrderRow) Risk {
	if !o.Open() {
		return RiskNone
	}
	return max(b.legRisk(&o.Pickup), b.legRisk(&o.Dropoff))
}

// legRisk returns the risk of one task of an order: from the task's own row where the board has it, because that is fresher.
func (b *Board) legRisk(leg *OrderLeg) Risk {
	if _, row := b.tasks.lookup(leg.Task); row != nil {
		return row.Risk
	}
	if leg.Task == "" {
		return RiskNone
	}
	risk, _ := b.assessRisk(&TaskRow{Status: leg.Status, Due: leg.Due, Arrival: leg.Arrival}, 0)
	return risk
}

// updateOrderRisk assesses the order of a task again.
func (b *Board) updateOrderRisk(short model.ShortID, d *Delta) {
	slot, old := b.orders.lookup(b.orderIDs[short])
	if old == nil {
		return
	}
	next := *old
	if next.Risk = b.orderRisk(old); next.Risk != old.Risk {
		storeRow(&b.orders, old.ID, slot, old, next, old.changes(&next), 0, &d.Orders)
	}
}

func (b *Board) orderLeg(t *model.Task) OrderLeg {
	if t.ID == "" {
		return OrderLeg{}
	}
	arrival, _ := b.expectedTimes(t, nil)
	return OrderLeg{
		Task: model.ID(strings.Clone(string(t.ID))), ShortID: model.ShortID(strings.Clone(string(t.ShortID))),
		Worker: model.ID(b.intern(string(t.Worker.Value()))),
		Status: statusOf(t), Due: t.CompleteBefore.Value(), Arrival: arrival,
	}
}
