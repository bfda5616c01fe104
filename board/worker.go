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
		slot, old := b.workers.find(w.ID)
		if b.refuses(c, w.ID, &b.workers.seen, slot, old != nil, modifiedOf(old), w.TimeLastModified, nil) {
			continue
		}
		row := b.workerRow(w, old)
		if old == nil || old.Name != row.Name || old.TeamNames != row.TeamNames {
			b.names[row.ID], b.teamsOf[row.ID] = row.Name, row.TeamNames
			renamed = append(renamed, row.ID)
		}
		b.putWorker(slot, old, row, c.Requested, d)
	}
	for _, id := range renamed {
		b.renameTasksOf(id, d)
	}
}

// renameTasksOf gives the tasks of a worker the names that the worker and their teams have now.
func (b *Board) renameTasksOf(worker model.ID, d *Delta) {
	slots, _ := b.links.get(string(worker))
	for _, slot := range slots {
		b.rename(slot, d)
	}
}

// refuses is outdated for any table, and notes that the row was in the answer.
func (b *Board) refuses(c *Change, id model.ID, seen *[]Stamp, slot uint32, known bool, have, told model.Millis, d *Delta) bool {
	if id == "" {
		return true
	}
	if !known {
		return b.outdated(c, id, 0, 0, 0, d)
	}
	stale := b.outdated(c, id, have, told, (*seen)[slot], d)
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
		told: w.DelayTime.Value().Duration(), Capacity: w.Capacity, OnDuty: w.OnDuty,
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

// putWorker judges and stores a row, and keeps everything that follows from it.
func (b *Board) putWorker(slot uint32, old *WorkerRow, row WorkerRow, asked Stamp, d *Delta) {
	row.State = b.workerState(&row)
	late := b.lateNow(slot, old, &row)
	row.Delay = late.at(b.clock, row.told)
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
	slot, kept := putRow(&b.workers, row.ID, slot, old, row, old.changes(&row), asked, &d.Workers)
	for int(slot) >= len(b.late) {
		b.late = append(b.late, workerLate{})
	}
	b.late[slot] = late
	if kept == old {
		return
	}
	if old != nil {
		b.counters.worker(old, -1)
	}
	b.counters.worker(kept, 1)
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

// lateNow is what a worker's lateness follows from, looked up again if the stops are others than before.
func (b *Board) lateNow(slot uint32, old, row *WorkerRow) workerLate {
	if old != nil && old.ActiveTask == row.ActiveTask && slices.Equal(old.Tasks, row.Tasks) {
		return b.late[slot]
	}
	return b.lateOf(row)
}

// watchWorkers notices who fell silent or later as the clock went on.
func (b *Board) watchWorkers(d *Delta) {
	for slot := range b.workers.next {
		row := b.workers.rows.at(slot)
		if row != nil && (row.State != b.workerState(row) || row.Delay != b.late[slot].at(b.clock, row.told)) {
			b.putWorker(slot, row, *row, 0, d)
		}
	}
}

func (b *Board) applyTeams(c *Change, d *Delta) {
	renamed := map[model.ID]bool{}
	for i := range c.Teams {
		t := &c.Teams[i]
		slot, old := b.teams.find(t.ID)
		var before TeamRow
		if old != nil {
			before = *old
		}
		if b.refuses(c, t.ID, &b.teams.seen, slot, old != nil, before.Modified, t.TimeLastModified, nil) {
			continue
		}
		row := TeamRow{
			ID: model.ID(b.intern(string(t.ID))), Name: b.intern(t.Name), Hub: model.ID(b.intern(string(t.Hub.Value()))),
			Workers: b.internIDs(t.Workers, before.Workers), Tasks: keptIDs(t.Tasks, before.Tasks),
			Modified: t.TimeLastModified,
		}
		if row.Name != before.Name {
			b.names[row.ID] = row.Name
			renamed[row.ID] = true
		}
		putRow(&b.teams, row.ID, slot, old, row, old.changes(&row), c.Requested, &d.Teams)
	}
	if len(renamed) > 0 {
		b.renameTeams(renamed, d)
	}
}

// renameTeams rebuilds every row that shows one of the names. Teams are renamed so seldom that looking through all
// rows is cheaper than an index kept for it.
func (b *Board) renameTeams(renamed map[model.ID]bool, d *Delta) {
	for slot := range b.workers.next {
		row := b.workers.rows.at(slot)
		if row == nil || !slices.ContainsFunc(row.Teams, func(id model.ID) bool { return renamed[id] }) {
			continue
		}
		next := *row
		next.TeamNames = b.teamNames(row.Teams)
		b.teamsOf[row.ID] = next.TeamNames
		b.putWorker(slot, row, next, 0, d)
		b.renameTasksOf(row.ID, d)
	}
	for slot := range b.tasks.next {
		if row := b.tasks.rows.at(slot); row != nil && row.Team != "" && renamed[row.Team] {
			b.rename(slot, d)
		}
	}
}

// rename gives a task the names that its worker and team have now.
func (b *Board) rename(slot uint32, d *Delta) {
	row := b.tasks.rows.at(slot)
	worker, team := b.names[row.Worker], b.teamNameOf(row)
	if worker == row.WorkerName && team == row.TeamName {
		return
	}
	next := *row
	next.WorkerName, next.TeamName = worker, team
	next.keepTexts(row, &b.scratch)
	b.putTask(slot, row, next, 0, d)
}

func (b *Board) teamNames(ids []model.ID) string {
	var names []string
	for _, id := range ids {
		if name := b.names[id]; name != "" {
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

// applyContainer takes the order of a list from the list itself, which knows it sooner than its owner's object does.
func (b *Board) applyContainer(c *Change, list *model.Container, d *Delta) {
	switch list.Type {
	case model.ContainerWorker:
		id := list.Worker.Value()
		slot, old := b.workers.find(id)
		if old == nil || b.refuses(c, id, &b.workers.seen, slot, true, old.Modified, old.Modified, nil) {
			return
		}
		next := *old
		next.Tasks = keptIDs(list.Tasks, old.Tasks)
		if list.ActiveTask.Present() {
			next.ActiveTask = list.ActiveTask.Value()
		}
		b.putWorker(slot, old, next, c.Requested, d)
	case model.ContainerTeam:
		id := list.Team.Value()
		slot, old := b.teams.find(id)
		if old == nil || b.refuses(c, id, &b.teams.seen, slot, true, old.Modified, old.Modified, nil) {
			return
		}
		next := *old
		next.Tasks = keptIDs(list.Tasks, old.Tasks)
		putRow(&b.teams, id, slot, old, next, old.changes(&next), c.Requested, &d.Teams)
	}
}

func (b *Board) applyHub(c *Change, h *model.Hub, d *Delta) {
	slot, old := b.hubs.find(h.ID)
	if b.refuses(c, h.ID, &b.hubs.seen, slot, old != nil, 0, 0, nil) {
		return
	}
	b.scratch = appendAddress(b.scratch[:0], &h.Address)
	row := HubRow{
		ID: h.ID, Name: h.Name, Address: string(b.scratch), Phone: h.Phone.Value(), Location: h.Location,
		Teams: slices.Clone(h.Teams),
	}
	putRow(&b.hubs, h.ID, slot, old, row, old.changes(&row), c.Requested, &d.Hubs)
}

func (b *Board) applyTemplate(c *Change, t *model.Template, d *Delta) {
	slot, old := b.templates.find(t.ID)
	if b.refuses(c, t.ID, &b.templates.seen, slot, old != nil, 0, 0, nil) {
		return
	}
	row := TemplateRow{ID: t.ID, Name: t.Name, Default: t.IsDefault, Fields: slices.Clone(t.Fields)}
	putRow(&b.templates, t.ID, slot, old, row, old.changes(&row), c.Requested, &d.Templates)
}

func (b *Board) applyOrder(c *Change, o *model.Order, d *Delta) {
	slot, old := b.orders.find(o.ID)
	var modified model.Millis
	if old != nil {
		modified = old.Modified
	}
	if b.refuses(c, o.ID, &b.orders.seen, slot, old != nil, modified, o.TimeLastModified, nil) {
		return
	}
	row := OrderRow{
		ID: model.ID(strings.Clone(string(o.ID))), ShortID: model.ShortID(strings.Clone(string(o.ShortID))),
		Client: b.intern(o.ClientName.Value()), ClientID: model.ID(b.intern(string(o.ClientID.Value()))), Service: b.intern(o.DeliveryService.Value()),
		Status: model.OrderStatus(b.intern(string(o.Status))),
		Pickup: b.legOf(&o.PickupTask), Dropoff: b.legOf(&o.DropoffTask),
		Price: o.Price.Value(), Priced: o.Price.Has(), Currency: b.intern(o.Currency.Value()),
		Modified: o.TimeLastModified,
	}
	row.Risk = b.orderRisk(&row)
	b.orderOf[row.ShortID] = row.ID
	row.search = string(appendFolded(nil, row.Client, row.Service, string(row.ShortID), string(row.Status),
		string(row.Pickup.ShortID), string(row.Dropoff.ShortID), string(row.ID)))
	putRow(&b.orders, row.ID, slot, old, row, old.changes(&row), c.Requested, &d.Orders)
}

// orderRisk is the worse of how the two tasks stand.
func (b *Board) orderRisk(o *OrderRow) Risk {
	if !o.Open() {
		return RiskNone
	}
	return max(b.legRisk(&o.Pickup), b.legRisk(&o.Dropoff))
}

// legRisk is how a task stands: as the board knows it where it does, since that is fresher than what the order says.
func (b *Board) legRisk(leg *OrderLeg) Risk {
	if _, row := b.tasks.find(leg.Task); row != nil {
		return row.Risk
	}
	if leg.Task == "" {
		return RiskNone
	}
	risk, _ := b.assess(&TaskRow{Status: leg.Status, Due: leg.Due, Arrival: leg.Arrival}, 0)
	return risk
}

// judgeOrder lets the order of a task follow how the task stands.
func (b *Board) judgeOrder(short model.ShortID, d *Delta) {
	slot, old := b.orders.find(b.orderOf[short])
	if old == nil {
		return
	}
	next := *old
	if next.Risk = b.orderRisk(old); next.Risk != old.Risk {
		putRow(&b.orders, old.ID, slot, old, next, old.changes(&next), 0, &d.Orders)
	}
}

func (b *Board) legOf(t *model.Task) OrderLeg {
	if t.ID == "" {
		return OrderLeg{}
	}
	arrival, _ := b.expected(t, nil)
	return OrderLeg{
		Task: model.ID(strings.Clone(string(t.ID))), ShortID: model.ShortID(strings.Clone(string(t.ShortID))),
		Worker: model.ID(b.intern(string(t.Worker.Value()))),
		Status: statusOf(t), Due: t.CompleteBefore.Value(), Arrival: arrival,
	}
}
