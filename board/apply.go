package board

import (
	"maps"
	"slices"

	"waybill/model"
)

// Change is new data for the board: a page of a list, one object, a removal, or the end of a list.
type Change struct {
	// Requested is when the request was sent. Zero means that the data is not an answer but came by webhook.
	Requested Stamp
	// ReceivedAt is when the answer came. The board's clock follows it.
	ReceivedAt model.Millis
	// IsWrite marks the answer to a write of this console. It wins over the answers to earlier requests.
	IsWrite bool

	Tasks      []model.Task
	Workers    []model.Worker
	Orders     []model.Order
	Teams      []model.Team
	Hubs       []model.Hub
	Templates  []model.Template
	Containers []model.Container

	Removed []model.ID // deleted, or unknown to the service
	Sweeps  []Sweep    // lists that have been read to their end
}

// Sweep is a list that was read to its end. Rows that belong in it and were not in it are removed.
type Sweep struct {
	List    SweepList
	Started Stamp        // Requested of the first page
	From    model.Millis // for tasks: those created earlier are not in the list and stay
}

// SweepList names a list.
type SweepList uint8

// Lists that can be read to their end.
const (
	SweepOpenTasks SweepList = iota // tasks that are not completed
	SweepWorkers
	SweepOrders
	SweepTeams
	SweepHubs
	SweepTemplates
)

// Delta is what a change changed.
type Delta struct {
	Tasks, Workers, Orders, Teams, Hubs, Templates []RowDelta

	// Refetch lists tasks whose answer was ignored because it was older than a local write. Request them again. Other
	// objects come with the next refresh of their list, which is short.
	Refetch []model.ID
}

// Empty reports that nothing changed.
func (d *Delta) Empty() bool {
	return len(d.Tasks)+len(d.Workers)+len(d.Orders)+len(d.Teams)+len(d.Hubs)+len(d.Templates) == 0
}

// RowDelta is what happened to one row.
type RowDelta struct {
	ID     model.ID
	Kind   DeltaKind
	Fields Fields // for RowChanged
}

// DeltaKind says whether a row was added, changed or removed.
type DeltaKind uint8

// Kinds of delta.
const (
	RowAdded DeltaKind = iota
	RowChanged
	RowRemoved
)

// Apply applies a change and returns the new snapshot and what changed. Its cost depends on the size of the change, not on
// the size of the board.
func (b *Board) Apply(c Change) (*Snapshot, Delta) {
	var d Delta
	b.advanceClock(c.ReceivedAt, &d)
	if c.Requested == 0 {
		c.Requested = b.Stamp()
	}
	// Teams and workers come first, so that rows that show their names are built once.
	b.applyTeams(&c, &d)
	for i := range c.Hubs {
		b.applyHub(&c, &c.Hubs[i], &d)
	}
	for i := range c.Templates {
		b.applyTemplate(&c, &c.Templates[i], &d)
	}
	b.applyWorkers(&c, &d)
	for i := range c.Containers {
		b.applyContainer(&c, &c.Containers[i], &d)
	}
	for i := range c.Orders {
		b.applyOrder(&c, &c.Orders[i], &d)
	}
	for i := range c.Tasks {
		b.applyTask(&c, &c.Tasks[i], &d)
	}
	for _, id := range c.Removed {
		b.written[id] = b.stamp
		b.removeByID(id, &d)
	}
	for _, sweep := range c.Sweeps {
		b.applySweep(sweep, &d)
	}
	if len(d.Workers) > 0 {
		b.listIdleWorkers()
	}
	b.refreshLateness(&d) // after listIdleWorkers: lateness does not change who is idle
	b.trend.record(b.clock, b.counters.Late)
	return b.snapshot(), d
}

// isOutdated reports that an answer about a row is older than what the board has. With a delta it asks for the row again.
func (b *Board) isOutdated(c *Change, id model.ID, known, told model.Millis, seen Stamp, d *Delta) bool {
	if c.IsWrite {
		b.written[id] = b.Stamp()
	} else if b.written[id] > c.Requested {
		if d != nil {
			d.Refetch = append(d.Refetch, id)
		}
		return true
	} else if len(b.written) > 0 {
		delete(b.written, id)
	}
	if told != known {
		return told < known
	}
	return c.Requested < seen && !c.IsWrite
}

func (b *Board) removeByID(id model.ID, d *Delta) {
	if slot, row := b.tasks.lookup(id); row != nil {
		b.removeTask(slot, row, d)
	}
	if slot, row := b.workers.lookup(id); row != nil {
		b.removeWorker(slot, row, d)
	}
	removeRow(&b.orders, id, &d.Orders)
	removeRow(&b.teams, id, &d.Teams)
	removeRow(&b.hubs, id, &d.Hubs)
	removeRow(&b.templates, id, &d.Templates)
}

func (b *Board) applySweep(s Sweep, d *Delta) {
	switch s.List {
	case SweepOpenTasks:
		for slot, seen := range b.tasks.seen {
			if seen >= s.Started {
				continue
			}
			row := b.tasks.rows.at(uint32(slot))
			if row != nil && !row.Status.Closed() && row.Created >= s.From && b.written[row.ID] < s.Started {
				b.removeTask(uint32(slot), row, d)
			}
		}
		// No answer to a request from before the sweep is outstanding any more.
		maps.DeleteFunc(b.written, func(_ model.ID, stamp Stamp) bool { return stamp < s.Started })
	case SweepWorkers:
		for slot, seen := range b.workers.seen {
			if row := b.workers.rows.at(uint32(slot)); row != nil && seen < s.Started && b.written[row.ID] < s.Started {
				b.removeWorker(uint32(slot), row, d)
			}
		}
	case SweepOrders:
		removeUnseen(b, &b.orders, s.Started, func(r *OrderRow) model.ID { return r.ID }, &d.Orders)
	case SweepTeams:
		removeUnseen(b, &b.teams, s.Started, func(r *TeamRow) model.ID { return r.ID }, &d.Teams)
	case SweepHubs:
		removeUnseen(b, &b.hubs, s.Started, func(r *HubRow) model.ID { return r.ID }, &d.Hubs)
	case SweepTemplates:
		removeUnseen(b, &b.templates, s.Started, func(r *TemplateRow) model.ID { return r.ID }, &d.Templates)
	}
}

func removeUnseen[R any](b *Board, t *rowStore[R], began Stamp, id func(*R) model.ID, out *[]RowDelta) {
	for slot, seen := range t.seen {
		if row := t.rows.at(uint32(slot)); row != nil && seen < began && b.written[id(row)] < began {
			removeRow(t, id(row), out)
		}
	}
}

func removeRow[R any](t *rowStore[R], id model.ID, out *[]RowDelta) {
	slot, row := t.lookup(id)
	if row == nil {
		return
	}
	t.remove(id, slot)
	*out = append(*out, RowDelta{ID: id, Kind: RowRemoved})
}

func (b *Board) removeTask(slot uint32, row *TaskRow, d *Delta) {
	b.counters.addTask(row, -1)
	b.updateLinks(slot, row, nil)
	b.tasks.remove(row.ID, slot)
	b.updateLateness(row, nil)
	b.schedule.clearSlot(slot)
	d.Tasks = append(d.Tasks, RowDelta{ID: row.ID, Kind: RowRemoved})
	if row.Order != "" && row.Risk >= RiskAtRisk {
		b.updateOrderRisk(row.Order, d)
	}
}

func (b *Board) removeWorker(slot uint32, row *WorkerRow, d *Delta) {
	b.counters.addWorker(row, -1)
	b.workers.remove(row.ID, slot)
	d.Workers = append(d.Workers, RowDelta{ID: row.ID, Kind: RowRemoved})
}

// storeRow stores a row and adds to the delta; fields are what differs from old. An unchanged row is not replaced, so that
// snapshots go on sharing it.
func storeRow[R any](
	t *rowStore[R], id model.ID, slot uint32, old *R, row R, fields Fields, asked Stamp, out *[]RowDelta,
) (uint32, *R) {
	if old == nil {
		kept := new(R)
		*kept = row
		*out = append(*out, RowDelta{ID: id, Kind: RowAdded})
		return t.add(id, kept, asked), kept
	}
	t.seen[slot] = max(t.seen[slot], asked)
	if fields == 0 {
		return slot, old
	}
	kept := new(R)
	*kept = row
	t.set(slot, kept)
	*out = append(*out, RowDelta{ID: id, Kind: RowChanged, Fields: fields})
	return slot, kept
}

// updateLinks updates the index from orders, workers and dependencies to tasks.
func (b *Board) updateLinks(slot uint32, old, row *TaskRow) {
	if old != nil && row != nil && old.Order == row.Order && old.Worker == row.Worker &&
		slices.Equal(old.Dependencies, row.Dependencies) {
		return
	}
	if old != nil {
		old.linkKeys(func(key string) { b.removeLink(key, slot) })
	}
	if row != nil {
		row.linkKeys(func(key string) { b.addLink(key, slot) })
	}
}

func (r *TaskRow) linkKeys(visit func(string)) {
	if r.Order != "" {
		visit(string(r.Order))
	}
	if r.Worker != "" {
		visit(string(r.Worker))
	}
	for _, id := range r.Dependencies {
		visit(string(id))
	}
}

func (b *Board) addLink(key string, slot uint32) {
	slots, _ := b.links.get(key)
	if !slices.Contains(slots, slot) {
		b.links = b.links.with(key, inserted(slots, len(slots), slot))
	}
}

func (b *Board) removeLink(key string, slot uint32) {
	slots, _ := b.links.get(key)
	at := slices.Index(slots, slot)
	switch {
	case at < 0:
	case len(slots) == 1:
		b.links = b.links.without(key)
	default:
		b.links = b.links.with(key, without(slots, at))
	}
}
