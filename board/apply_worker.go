package board

import (
	"cmp"
	"slices"
	"strings"

	"waybill/model"
)

func (b *Board) applyWorkers(c *Change) {
	var renamed []model.ID
	for i := range c.Workers {
		w := &c.Workers[i]
		slot, old, ok := b.workers.accept(b, c, w.ID, w.TimeLastModified)
		if !ok {
			continue
		}
		row := b.workerRow(w, old)
		if old.ID == "" || old.Name != row.Name || old.TeamNames != row.TeamNames {
			b.displayNames[row.ID], b.workerTeamNames[row.ID] = row.Name, row.TeamNames
			renamed = append(renamed, row.ID)
		}
		b.storeWorker(slot, old, row, c.Requested)
	}
	for _, id := range renamed {
		b.refreshWorkerTaskNames(id)
	}
}

// refreshWorkerTaskNames updates the names of worker and team in the tasks of a worker.
func (b *Board) refreshWorkerTaskNames(worker model.ID) {
	slots, _ := b.links.get(string(worker))
	for _, slot := range slots {
		b.refreshTaskNames(slot)
	}
}

func (b *Board) workerRow(w *model.Worker, old *WorkerRow) WorkerRow {
	row := WorkerRow{
		ID: model.ID(b.intern(string(w.ID))), Name: b.intern(cmp.Or(w.Name, w.DisplayName.Value())), Phone: b.intern(w.Phone),
		ActiveTask: w.ActiveTask.Value(),
		Vehicle:    model.VehicleType(b.intern(string(w.Vehicle.Value().Type))),
		Modified:   w.TimeLastModified, LastSeen: w.TimeLastSeen.Value(),
		reportedDelay: w.DelayTime.Value().Duration(), Capacity: w.Capacity, OnDuty: w.OnDuty,
		Battery: w.UserData.Value().BatteryLevel.Or(-1),
		Tasks:   keepIDs(w.Tasks, old.Tasks, asIs), Teams: keepIDs(w.Teams, old.Teams, b.intern),
	}
	if at, ok := w.Location.Get(); ok && at.Valid() {
		row.Location, row.HasLocation = at, true
	}
	row.TeamNames = b.teamNames(row.Teams)
	return row
}

// storeWorker assesses and stores a row.
func (b *Board) storeWorker(slot uint32, old *WorkerRow, row WorkerRow, asked Stamp) {
	row.State = b.workerState(&row)
	late := b.latenessOf(slot, old, &row)
	row.Delay = late.delayAt(b.clock, row.reportedDelay)
	switch {
	case old.ID == "":
	case old.State == row.State:
		row.StateSince = old.StateSince
	default:
		row.StateSince = b.clock
	}
	if old.ID == row.ID && old.Name == row.Name && old.Phone == row.Phone && old.TeamNames == row.TeamNames {
		row.search = old.search
	} else {
		row.search = string(appendFolded(nil, row.Name, row.Phone, row.TeamNames, string(row.Vehicle), string(row.ID)))
	}
	slot = b.workers.store(row.ID, slot, old, row, old.changes(&row), asked)
	for int(slot) >= len(b.lateness) {
		b.lateness = append(b.lateness, workerLateness{})
	}
	b.lateness[slot] = late
}

func (b *Board) workerChanged(_ uint32, old, row *WorkerRow) {
	b.counters.addWorker(old, -1)
	b.counters.addWorker(row, 1)
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
	if old.ID != "" && old.ActiveTask == row.ActiveTask && slices.Equal(old.Tasks, row.Tasks) {
		return b.lateness[slot]
	}
	return b.computeLateness(row)
}

// reassessWorkers updates the workers who have become silent or later as time passed.
func (b *Board) reassessWorkers() {
	for slot := range b.workers.next {
		row := b.workers.rows.at(slot)
		if row != nil && (row.State != b.workerState(row) || row.Delay != b.lateness[slot].delayAt(b.clock, row.reportedDelay)) {
			b.storeWorker(slot, row, *row, 0)
		}
	}
}

func (b *Board) applyTeams(c *Change) {
	renamed := map[model.ID]bool{}
	for i := range c.Teams {
		t := &c.Teams[i]
		slot, old, ok := b.teams.accept(b, c, t.ID, t.TimeLastModified)
		if !ok {
			continue
		}
		row := TeamRow{
			ID: model.ID(b.intern(string(t.ID))), Name: b.intern(t.Name), Hub: model.ID(b.intern(string(t.Hub.Value()))),
			Workers: keepIDs(t.Workers, old.Workers, b.intern), Tasks: keepIDs(t.Tasks, old.Tasks, asIs),
			Modified: t.TimeLastModified,
		}
		if row.Name != old.Name {
			b.displayNames[row.ID] = row.Name
			renamed[row.ID] = true
		}
		b.teams.store(row.ID, slot, old, row, old.changes(&row), c.Requested)
	}
	if len(renamed) > 0 {
		b.refreshTeamNames(renamed)
	}
}

// refreshTeamNames updates every row that shows the name of a renamed team. Teams are renamed so rarely that scanning all
// rows is cheaper than keeping an index.
func (b *Board) refreshTeamNames(renamed map[model.ID]bool) {
	for slot := range b.workers.next {
		row := b.workers.rows.at(slot)
		if row == nil || !slices.ContainsFunc(row.Teams, func(id model.ID) bool { return renamed[id] }) {
			continue
		}
		next := *row
		next.TeamNames = b.teamNames(row.Teams)
		b.workerTeamNames[row.ID] = next.TeamNames
		b.storeWorker(slot, row, next, 0)
		b.refreshWorkerTaskNames(row.ID)
	}
	for slot := range b.tasks.next {
		if row := b.tasks.rows.at(slot); row != nil && row.Team != "" && renamed[row.Team] {
			b.refreshTaskNames(slot)
		}
	}
}

// refreshTaskNames updates the names of worker and team in a task.
func (b *Board) refreshTaskNames(slot uint32) {
	row := b.tasks.rows.at(slot)
	worker, team := b.displayNames[row.Worker], b.teamNameOf(row)
	if worker == row.WorkerName && team == row.TeamName {
		return
	}
	next := *row
	next.WorkerName, next.TeamName = worker, team
	next.storeTexts(row, &b.buffer)
	b.storeTask(slot, row, next, 0)
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

// keepIDs copies ids, and each of them with keep. Unchanged ids are shared with the old row.
func keepIDs(ids, old []model.ID, keep func(string) string) []model.ID {
	if slices.Equal(ids, old) {
		return old
	}
	kept := slices.Clone(ids)
	for i, id := range kept {
		kept[i] = model.ID(keep(string(id)))
	}
	return kept
}

func asIs(text string) string { return text }

// applyContainer takes the order of a route or team list from its container, which is fresher than the worker or team.
func (b *Board) applyContainer(c *Change, list *model.Container) {
	switch list.Type {
	case model.ContainerWorker:
		known := b.workers.rows.Get(list.Worker.Value())
		if known == nil {
			return
		}
		if slot, old, ok := b.workers.accept(b, c, known.ID, known.Modified); ok {
			next := *old
			next.Tasks = keepIDs(list.Tasks, old.Tasks, asIs)
			if list.ActiveTask.Present() {
				next.ActiveTask = list.ActiveTask.Value()
			}
			b.storeWorker(slot, old, next, c.Requested)
		}
	case model.ContainerTeam:
		known := b.teams.rows.Get(list.Team.Value())
		if known == nil {
			return
		}
		if slot, old, ok := b.teams.accept(b, c, known.ID, known.Modified); ok {
			next := *old
			next.Tasks = keepIDs(list.Tasks, old.Tasks, asIs)
			b.teams.store(old.ID, slot, old, next, old.changes(&next), c.Requested)
		}
	case model.ContainerOrganization:
	}
}

func (b *Board) applyHub(c *Change, h *model.Hub) {
	slot, old, ok := b.hubs.accept(b, c, h.ID, 0)
	if !ok {
		return
	}
	b.buffer = appendAddress(b.buffer[:0], &h.Address)
	row := HubRow{
		ID: h.ID, Name: h.Name, Address: string(b.buffer), Phone: h.Phone.Value(), Location: h.Location,
		Teams: slices.Clone(h.Teams),
	}
	b.hubs.store(h.ID, slot, old, row, old.changes(&row), c.Requested)
}

func (b *Board) applyTemplate(c *Change, t *model.Template) {
	if slot, old, ok := b.templates.accept(b, c, t.ID, 0); ok {
		row := TemplateRow{ID: t.ID, Name: t.Name, Default: t.IsDefault, Fields: slices.Clone(t.Fields)}
		b.templates.store(t.ID, slot, old, row, old.changes(&row), c.Requested)
	}
}

func (b *Board) applyOrder(c *Change, o *model.Order) {
	slot, old, ok := b.orders.accept(b, c, o.ID, o.TimeLastModified)
	if !ok {
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
	b.orders.store(row.ID, slot, old, row, old.changes(&row), c.Requested)
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
func (b *Board) updateOrderRisk(short model.ShortID) {
	slot, old := b.orders.lookup(b.orderIDs[short])
	if short == "" || old == nil {
		return
	}
	next := *old
	next.Risk = b.orderRisk(old)
	b.orders.store(old.ID, slot, old, next, old.changes(&next), 0)
}

func (b *Board) orderLeg(t *model.Task) OrderLeg {
	if t.ID == "" {
		return OrderLeg{}
	}
	arrival, _ := b.expectedTimes(t, b.tasks.none)
	return OrderLeg{
		Task: model.ID(strings.Clone(string(t.ID))), ShortID: model.ShortID(strings.Clone(string(t.ShortID))),
		Worker: model.ID(b.intern(string(t.Worker.Value()))),
		Status: statusOf(t), Due: t.CompleteBefore.Value(), Arrival: arrival,
	}
}
