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
	b.advanceClock(c.ReceivedAt)
	if c.Requested == 0 {
		c.Requested = b.Stamp()
	}
	// Teams and workers come first, so that rows that show their names are built once.
	b.applyTeams(&c)
	applyAll(b, &c, c.Hubs, (*Board).applyHub)
	applyAll(b, &c, c.Templates, (*Board).applyTemplate)
	b.applyWorkers(&c)
	applyAll(b, &c, c.Containers, (*Board).applyContainer)
	applyAll(b, &c, c.Orders, (*Board).applyOrder)
	applyAll(b, &c, c.Tasks, (*Board).applyTask)
	for _, id := range c.Removed {
		b.written[id] = b.stamp
		b.tasks.remove(id)
		b.workers.remove(id)
		b.orders.remove(id)
		b.teams.remove(id)
		b.hubs.remove(id)
		b.templates.remove(id)
	}
	for _, sweep := range c.Sweeps {
		b.applySweep(sweep)
	}
	if len(b.workers.deltas) > 0 {
		b.listIdleWorkers()
	}
	b.refreshLateness() // after listIdleWorkers: lateness does not change who is idle
	b.trend.record(b.clock, b.counters.Late)
	return b.snapshot()
}

func applyAll[T any](b *Board, c *Change, list []T, apply func(*Board, *Change, *T)) {
	for i := range list {
		apply(b, c, &list[i])
	}
}

// isOutdated reports that an answer about a row is older than what the board has.
func (b *Board) isOutdated(c *Change, id model.ID, known, told model.Millis, seen Stamp) bool {
	if c.IsWrite {
		b.written[id] = b.Stamp()
	} else if b.isOverwritten(c, id) {
		return true
	} else if len(b.written) > 0 {
		delete(b.written, id)
	}
	if told != known {
		return told < known
	}
	return c.Requested < seen && !c.IsWrite
}

// isOverwritten reports that this console has changed an object since an answer about it was requested.
func (b *Board) isOverwritten(c *Change, id model.ID) bool {
	return !c.IsWrite && b.written[id] > c.Requested
}

func (b *Board) applySweep(s Sweep) {
	switch s.List {
	case SweepOpenTasks:
		b.tasks.removeUnseen(b, s.Started, func(r *TaskRow) model.ID { return r.ID }, func(r *TaskRow) bool {
			return !r.Status.Closed() && r.Created >= s.From
		})
		// No answer to a request from before the sweep is outstanding any more.
		maps.DeleteFunc(b.written, func(_ model.ID, stamp Stamp) bool { return stamp < s.Started })
	case SweepWorkers:
		b.workers.removeUnseen(b, s.Started, func(r *WorkerRow) model.ID { return r.ID }, nil)
	case SweepOrders:
		b.orders.removeUnseen(b, s.Started, func(r *OrderRow) model.ID { return r.ID }, nil)
	case SweepTeams:
		b.teams.removeUnseen(b, s.Started, func(r *TeamRow) model.ID { return r.ID }, nil)
	case SweepHubs:
		b.hubs.removeUnseen(b, s.Started, func(r *HubRow) model.ID { return r.ID }, nil)
	case SweepTemplates:
		b.templates.removeUnseen(b, s.Started, func(r *TemplateRow) model.ID { return r.ID }, nil)
	}
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
