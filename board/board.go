package board

import (
	"hash/maphash"
	"strings"
	"time"

	"waybill/model"
)

// Board is the console's read model: the newest row of everything that panes show. It accepts answers in any order,
// computes what changed, and returns immutable snapshots that share everything else.
//
// A Board must be used by one goroutine at a time. Snapshots can be used by all.
type Board struct {
	settings Settings
	clock    model.Millis
	stamp    Stamp
	last     *Snapshot

	tasks     rowStore[TaskRow]
	workers   rowStore[WorkerRow]
	orders    rowStore[OrderRow]
	teams     rowStore[TeamRow]
	hubs      rowStore[HubRow]
	templates rowStore[TemplateRow]

	links           trie[[]uint32] // task slots by order, by dependency and by worker
	written         map[model.ID]Stamp
	displayNames    map[model.ID]string // of workers and teams; kept after their rows are removed, because closed tasks still show them
	workerTeamNames map[model.ID]string // names of each worker's teams, kept after their rows are removed
	orderIDs        map[model.ShortID]model.ID
	interned        map[string]string
	buffer          []byte
	counters        Counters
	trend           lateTrend
	schedule        riskSchedule
	lateness        []workerLateness // by worker slot
	staleWorkers    []uint32         // worker slots whose lateness must be computed again
	refetch         []model.ID       // see Delta.Refetch
}

// Settings are the thresholds of the board.
type Settings struct {
	AtRisk     time.Duration // a task with less slack than this is at risk
	Silent     time.Duration // a worker not seen for longer is silent
	LowBattery float64       // a battery below this share is mentioned
	Near       float64       // meters within which a worker counts as near
}

// DefaultSettings returns settings for a city courier.
func DefaultSettings() Settings {
	return Settings{AtRisk: 15 * time.Minute, Silent: 10 * time.Minute, LowBattery: 0.15, Near: 5000}
}

// Stamp numbers the requests of this console in the order they were sent. Unlike the clocks of console and service, stamps
// can be compared.
type Stamp uint64

// NewBoard returns an empty board.
func NewBoard(settings Settings, now model.Millis) *Board {
	seed := maphash.MakeSeed()
	b := &Board{
		settings: settings,
		clock:    now,
		links:    newTrie[[]uint32](seed),
		written:  map[model.ID]Stamp{}, displayNames: map[model.ID]string{}, interned: map[string]string{},
		workerTeamNames: map[model.ID]string{}, orderIDs: map[model.ShortID]model.ID{},
	}
	b.tasks = newRowStore(seed, func(r *TaskRow) model.Millis { return r.Modified }, b.taskChanged)
	b.workers = newRowStore(seed, func(w *WorkerRow) model.Millis { return w.Modified }, b.workerChanged)
	b.orders = newRowStore(seed, func(o *OrderRow) model.Millis { return o.Modified }, func(uint32, *OrderRow, *OrderRow) {})
	b.teams = newRowStore(seed, func(t *TeamRow) model.Millis { return t.Modified }, func(uint32, *TeamRow, *TeamRow) {})
	b.hubs = newRowStore(seed, func(*HubRow) model.Millis { return 0 }, func(uint32, *HubRow, *HubRow) {})
	b.templates = newRowStore(seed, func(*TemplateRow) model.Millis { return 0 }, func(uint32, *TemplateRow, *TemplateRow) {})
	b.snapshot()
	return b
}

// Snapshot is an immutable state of the board.
type Snapshot struct {
	Version  uint64
	Now      model.Millis // the moment for which risks and worker states are computed
	Settings Settings

	Tasks     Rows[TaskRow]
	Workers   Rows[WorkerRow]
	Orders    Rows[OrderRow]
	Teams     Rows[TeamRow]
	Hubs      Rows[HubRow]
	Templates Rows[TemplateRow]

	Counters  Counters
	LateTrend []int // late tasks, minute by minute, newest last

	links       trie[[]uint32]
	idleWorkers []idleWorker
}

// Snapshot returns the current state.
func (b *Board) Snapshot() *Snapshot { return b.last }

// Stamp returns the stamp of a request that is about to be sent. Set Change.Requested to it when the answer comes.
func (b *Board) Stamp() Stamp {
	b.stamp++
	return b.stamp
}

// MarkWritten marks objects that this console is changing. Answers to earlier requests about them are ignored, because they
// do not include the change.
func (b *Board) MarkWritten(ids ...model.ID) {
	stamp := b.Stamp()
	for _, id := range ids {
		b.written[id] = stamp
	}
}

// snapshot makes a snapshot of the present rows and returns it with what has changed since the last one.
func (b *Board) snapshot() (*Snapshot, Delta) {
	s := Snapshot{
		Now: b.clock, Settings: b.settings,
		Tasks: b.tasks.share(), Workers: b.workers.share(), Orders: b.orders.share(),
		Teams: b.teams.share(), Hubs: b.hubs.share(), Templates: b.templates.share(),
		Counters: b.counters, LateTrend: b.trend.history(),
		links: b.links, idleWorkers: b.schedule.idleWorkers,
	}
	if b.last != nil {
		s.Version = b.last.Version + 1
	}
	b.last = &s
	d := Delta{
		Tasks: b.tasks.takeDeltas(), Workers: b.workers.takeDeltas(), Orders: b.orders.takeDeltas(),
		Teams: b.teams.takeDeltas(), Hubs: b.hubs.takeDeltas(), Templates: b.templates.takeDeltas(),
		Refetch: b.refetch,
	}
	b.refetch = nil
	return b.last, d
}

// intern returns one shared copy of a text that many rows repeat, so that the answer it came in can be freed.
func (b *Board) intern(text string) string {
	if text == "" {
		return ""
	}
	if kept, ok := b.interned[text]; ok {
		return kept
	}
	kept := strings.Clone(text)
	b.interned[kept] = kept
	return kept
}

// TaskByShortID returns the task with a short id; nil when there is none. It scans all tasks: fast enough for a lookup by
// hand, and an index would cost as much memory as the one by id.
func (s *Snapshot) TaskByShortID(short model.ShortID) *TaskRow {
	for row := range s.Tasks.All() {
		if row.ShortID == short {
			return row
		}
	}
	return nil
}
