package board

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"waybill/model"
)

// Board is what the console knows: the newest row of everything that panes show. It takes answers in any order,
// works out what changed, and hands out immutable snapshots that share all that did not.
//
// A Board belongs to one goroutine. Its snapshots belong to everyone.
type Board struct {
	settings Settings
	clock    model.Millis
	stamp    Stamp
	last     *Snapshot

	tasks     table[TaskRow]
	workers   table[WorkerRow]
	orders    table[OrderRow]
	teams     table[TeamRow]
	hubs      table[HubRow]
	templates table[TemplateRow]

	links     trie[[]uint32] // task slots by order, by dependency and by worker
	written   map[model.ID]Stamp
	names     map[model.ID]string // of workers and teams; outlives their rows, since finished tasks still show them
	teamsOf   map[model.ID]string // the names of each worker's teams, which outlive their rows too
	orderOf   map[model.ShortID]model.ID
	interned  map[string]string
	scratch   []byte
	counters  Counters
	trend     lateTrend
	watch     watch
	late      []workerLate // by worker slot
	unsettled []uint32     // worker slots whose lateness has to be looked at
}

// Settings are what the board's judgement depends on.
type Settings struct {
	AtRisk     time.Duration // a window that ends sooner than this is at risk
	Silent     time.Duration // a worker not heard of for longer is silent
	LowBattery float64       // a battery below this share is worth a word
	Near       float64       // meters within which a worker counts as near
}

// DefaultSettings are a city courier's.
func DefaultSettings() Settings {
	return Settings{AtRisk: 15 * time.Minute, Silent: 10 * time.Minute, LowBattery: 0.15, Near: 5000}
}

// Stamp is a moment in the order of what this console asked and did. Wall clocks of two machines cannot be compared;
// the order in which one console sent things can.
type Stamp uint64

// NewBoard is an empty board.
func NewBoard(settings Settings, now model.Millis) *Board {
	seed := maphash.MakeSeed()
	b := &Board{
		settings: settings,
		clock:    now,
		tasks:    newTable[TaskRow](seed), workers: newTable[WorkerRow](seed), orders: newTable[OrderRow](seed),
		teams: newTable[TeamRow](seed), hubs: newTable[HubRow](seed), templates: newTable[TemplateRow](seed),
		links:   newTrie[[]uint32](seed),
		written: map[model.ID]Stamp{}, names: map[model.ID]string{}, interned: map[string]string{},
		teamsOf: map[model.ID]string{}, orderOf: map[model.ShortID]model.ID{},
	}
	b.snapshot()
	return b
}

// Snapshot is everything the board knew at one moment.
type Snapshot struct {
	Version  uint64
	Now      model.Millis // the moment that risks and worker states are judged for
	Settings Settings

	Tasks     Rows[TaskRow]
	Workers   Rows[WorkerRow]
	Orders    Rows[OrderRow]
	Teams     Rows[TeamRow]
	Hubs      Rows[HubRow]
	Templates Rows[TemplateRow]

	Counters  Counters
	LateTrend []int // late tasks, minute by minute, newest last

	links trie[[]uint32]
	idle  []idleSpot
}

// Snapshot is the board as it is now.
func (b *Board) Snapshot() *Snapshot { return b.last }

// Stamp marks the moment at which a request is sent; give it back as Asked with the answer.
func (b *Board) Stamp() Stamp {
	b.stamp++
	return b.stamp
}

// MarkWritten marks a thing that a local write is changing. Answers to what was asked before are ignored from here on:
// they cannot know of it.
func (b *Board) MarkWritten(ids ...model.ID) {
	stamp := b.Stamp()
	for _, id := range ids {
		b.written[id] = stamp
	}
}

// Configure changes the settings and judges every row anew.
func (b *Board) Configure(settings Settings) (*Snapshot, Delta) {
	b.settings = settings
	var d Delta
	for slot := range b.tasks.next {
		b.reassess(slot, &d)
	}
	b.watchWorkers(&d)
	b.settleLate(&d)
	return b.snapshot(), d
}

// snapshot shares what the board holds now.
func (b *Board) snapshot() *Snapshot {
	s := Snapshot{
		Now: b.clock, Settings: b.settings,
		Tasks: b.tasks.share(), Workers: b.workers.share(), Orders: b.orders.share(),
		Teams: b.teams.share(), Hubs: b.hubs.share(), Templates: b.templates.share(),
		Counters: b.counters, LateTrend: b.trend.line(),
		links: b.links, idle: b.watch.idle,
	}
	if b.last != nil {
		s.Version = b.last.Version + 1
	}
	b.last = &s
	return b.last
}

// intern keeps one copy of a text that many rows repeat, and frees the answer it came in.
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

func (b *Board) internIDs(ids, old []model.ID) []model.ID {
	if slices.Equal(ids, old) {
		return old
	}
	if len(ids) == 0 {
		return nil
	}
	kept := make([]model.ID, len(ids))
	for i, id := range ids {
		kept[i] = model.ID(b.intern(string(id)))
	}
	return kept
}

// TaskByShortID finds a task by the name that people use. It looks through all of them: quick enough for a lookup that
// someone asked for, and an index would cost as much memory as the one by id.
func (s *Snapshot) TaskByShortID(short model.ShortID) *TaskRow {
	for row := range s.Tasks.All() {
		if row.ShortID == short {
			return row
		}
	}
	return nil
}
