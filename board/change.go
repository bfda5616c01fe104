package board

import (
	"maps"
	"slices"

	"waybill/model"
)

// Change is something learned: a page of a list, one object, a removal, the end of a walk over a list.
type Change struct {
	// Requested is when the request was sent. Zero means that this is news and not an answer, as webhooks bring it.
	Requested Stamp
	// ReceivedAt is when the answer came. The board's clock follows it.
	ReceivedAt model.Millis
	// IsWrite says that this answers a write of our own: it holds against everything asked for before.
	IsWrite bool

	Tasks      []model.Task
	Workers    []model.Worker
	Orders     []model.Order
	Teams      []model.Team
	Hubs       []model.Hub
	Templates  []model.Template
	Containers []model.Container

	Removed []model.ID // gone: deleted, or the service said there is no such thing
	Sweeps  []Sweep    // lists that have now been seen from end to end
}

// Sweep is a list walked to its end. Rows that should have been in it and were not seen since it began are gone.
type Sweep struct {
	List  SweepList
	Started Stamp        // Asked of the first page
	From  model.Millis // for tasks: what was created before is not in the list and is left alone
}

// SweepList names a list.
type SweepList uint8

// Lists that can be walked whole.
const (
	SweepOpenTasks SweepList = iota // tasks that are not completed
	SweepWorkers
	SweepOrders
	SweepTeams
	SweepHubs
	SweepTemplates
)

// Delta is what a change did.
type Delta struct {
	Tasks, Workers, Orders, Teams, Hubs, Templates []RowDelta

	// Refetch are tasks whose answer was older than a local write. Ask for them again. Other things come with the next
	// look at their list, which is short.
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

// DeltaKind is whether a row came, changed or went.
type DeltaKind uint8

// Kinds of delta.
const (
	RowAdded DeltaKind = iota
	RowChanged
	RowRemoved
)

// Apply takes a change, in proportion to its size and not the board's, and returns the new snapshot and what differs.
func (b *Board) Apply(c Change) (*Snapshot, Delta) {
	var d Delta
	b.advance(c.ReceivedAt, &d)
	if c.Requested == 0 {
		c.Requested = b.Stamp()
	}
	// Names first, so that rows which show them are built once.
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
		b.remove(id, &d)
	}
	for _, sweep := range c.Sweeps {
		b.sweep(sweep, &d)
	}
	if len(d.Workers) > 0 {
		b.findIdle()
	}
	b.settleLate(&d) // after the idle ones were looked for: who is late does not change who is idle
	b.trend.note(b.clock, b.counters.Late)
	return b.snapshot(), d
}

// outdated reports that an answer about a row knows less than the board does. With a delta it notes what was dropped.
func (b *Board) outdated(c *Change, id model.ID, known, told model.Millis, seen Stamp, d *Delta) bool {
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

func (b *Board) remove(id model.ID, d *Delta) {
	if slot, row := b.tasks.find(id); row != nil {
		b.dropTask(slot, row, d)
	}
	if slot, row := b.workers.find(id); row != nil {
		b.dropWorker(slot, row, d)
	}
	dropRow(&b.orders, id, &d.Orders)
	dropRow(&b.teams, id, &d.Teams)
	dropRow(&b.hubs, id, &d.Hubs)
	dropRow(&b.templates, id, &d.Templates)
}

func (b *Board) sweep(s Sweep, d *Delta) {
	switch s.List {
	case SweepOpenTasks:
		for slot, seen := range b.tasks.seen {
			if seen >= s.Started {
				continue
			}
			row := b.tasks.rows.at(uint32(slot))
			if row != nil && !row.Status.Closed() && row.Created >= s.From && b.written[row.ID] < s.Started {
				b.dropTask(uint32(slot), row, d)
			}
		}
		// Answers from before the walk are no longer under way by its end.
		maps.DeleteFunc(b.written, func(_ model.ID, stamp Stamp) bool { return stamp < s.Started })
	case SweepWorkers:
		for slot, seen := range b.workers.seen {
			if row := b.workers.rows.at(uint32(slot)); row != nil && seen < s.Started && b.written[row.ID] < s.Started {
				b.dropWorker(uint32(slot), row, d)
			}
		}
	case SweepOrders:
		sweepRows(b, &b.orders, s.Started, func(r *OrderRow) model.ID { return r.ID }, &d.Orders)
	case SweepTeams:
		sweepRows(b, &b.teams, s.Started, func(r *TeamRow) model.ID { return r.ID }, &d.Teams)
	case SweepHubs:
		sweepRows(b, &b.hubs, s.Started, func(r *HubRow) model.ID { return r.ID }, &d.Hubs)
	case SweepTemplates:
		sweepRows(b, &b.templates, s.Started, func(r *TemplateRow) model.ID { return r.ID }, &d.Templates)
	}
}

func sweepRows[R any](b *Board, t *table[R], began Stamp, id func(*R) model.ID, out *[]RowDelta) {
	for slot, seen := range t.seen {
		if row := t.rows.at(uint32(slot)); row != nil && seen < began && b.written[id(row)] < began {
			dropRow(t, id(row), out)
		}
	}
}

func dropRow[R any](t *table[R], id model.ID, out *[]RowDelta) {
	slot, row := t.find(id)
	if row == nil {
		return
	}
	t.drop(id, slot)
	*out = append(*out, RowDelta{ID: id, Kind: RowRemoved})
}

func (b *Board) dropTask(slot uint32, row *TaskRow, d *Delta) {
	b.counters.task(row, -1)
	b.relink(slot, row, nil)
	b.tasks.drop(row.ID, slot)
	b.taskMoved(row, nil)
	b.watch.forget(slot)
	d.Tasks = append(d.Tasks, RowDelta{ID: row.ID, Kind: RowRemoved})
	if row.Order != "" && row.Risk >= RiskAtRisk {
		b.judgeOrder(row.Order, d)
	}
}

func (b *Board) dropWorker(slot uint32, row *WorkerRow, d *Delta) {
	b.counters.worker(row, -1)
	b.workers.drop(row.ID, slot)
	d.Workers = append(d.Workers, RowDelta{ID: row.ID, Kind: RowRemoved})
}

// putRow stores a row and says what differs; a row that says the same keeps its old place in memory, so that
// snapshots go on sharing it. Fields are what differs from old.
func putRow[R any](
	t *table[R], id model.ID, slot uint32, old *R, row R, fields Fields, asked Stamp, out *[]RowDelta,
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

// relink keeps the ways from a task to what belongs together with it.
func (b *Board) relink(slot uint32, old, row *TaskRow) {
	if old != nil && row != nil && old.Order == row.Order && old.Worker == row.Worker &&
		slices.Equal(old.Dependencies, row.Dependencies) {
		return
	}
	if old != nil {
		old.linkKeys(func(key string) { b.unlink(key, slot) })
	}
	if row != nil {
		row.linkKeys(func(key string) { b.link(key, slot) })
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

func (b *Board) link(key string, slot uint32) {
	slots, _ := b.links.get(key)
	if !slices.Contains(slots, slot) {
		b.links = b.links.with(key, inserted(slots, len(slots), slot))
	}
}

func (b *Board) unlink(key string, slot uint32) {
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
