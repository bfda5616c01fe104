package board

import (
	"container/heap"
	"math"
	"slices"
	"time"

	"waybill/model"
)

// Slack is how long the task could still slip and be in time; negative when it is or will be late. It is false for a
// task that is closed, or that has nothing it could be late for.
//
// Lateness is counted from completeBefore to the arrival, or to now once that is later. Arrival is the one estimate that
// a task has from its assignment to its end: estimatedCompletionTime is told only until the driver starts, so lateness
// measured by it would fall by the time at the stop when they do. It is also what the service's delayTime of an active
// task can count to. So delayTime says the same where there is an arrival, only older, and it counts where there is none.
//
// It is counted in minutes as a clock shows them, so that due, eta and lateness add up wherever they stand side by side.
// Within one minute it is exact, so that its sign is always true.
func (r *TaskRow) Slack(now model.Millis) (time.Duration, bool) {
	if r.Status.Closed() {
		return 0, false
	}
	if r.Due == 0 {
		return -model.TruncateToMinutes(r.Delay), r.Delay > 0
	}
	slack := clockMinutes(max(now, r.Arrival), r.Due)
	if r.Arrival == 0 && r.Delay > 0 {
		slack = min(slack, -model.TruncateToMinutes(r.Delay))
	}
	return slack, true
}

// clockMinutes is the time from one moment to another as two clocks without seconds tell it; exact within a minute.
func clockMinutes(from, to model.Millis) time.Duration {
	const minute = model.Millis(time.Minute / time.Millisecond)
	if minutes := to/minute - from/minute; minutes != 0 {
		return time.Duration(minutes) * time.Minute
	}
	return to.Sub(from)
}

// exactSlack is Slack to the millisecond, for what happens at a moment and not in a minute.
func (r *TaskRow) exactSlack(now model.Millis) (time.Duration, bool) {
	if r.Status.Closed() {
		return 0, false
	}
	if r.Due == 0 {
		return -r.Delay, r.Delay > 0
	}
	slack := r.Due.Sub(max(now, r.Arrival))
	if r.Arrival == 0 && r.Delay > 0 {
		slack = min(slack, -r.Delay)
	}
	return slack, true
}

// expectedLateness is how long after its due time a task is expected to be reached, negative when before it, and whether
// anyone has said so.
func (r *TaskRow) expectedLateness() (time.Duration, bool) {
	if r.Arrival == 0 || r.Due == 0 {
		return model.TruncateToMinutes(r.Delay), r.Delay > 0
	}
	return clockMinutes(r.Due, r.Arrival), true
}

// Lateness is by how much the task is or will be late; zero when it is not.
func (r *TaskRow) Lateness(now model.Millis) time.Duration {
	slack, ok := r.Slack(now)
	if !ok || slack >= 0 {
		return 0
	}
	return -slack
}

const (
	never        = model.Millis(math.MaxInt64)
	reachHorizon = 3 * time.Hour // windows that end later are not yet worth measuring the way to
	reachPerTick = 128
	scanPerTick  = 4096
)

// assess judges a task now, and says when the judgement may next change by the mere passing of time. Reach is how
// long the nearest idle worker would need to get to it; zero when unknown.
func (b *Board) assess(r *TaskRow, reach time.Duration) (Risk, model.Millis) {
	slack, ok := r.exactSlack(b.clock)
	if !ok {
		return RiskNone, never
	}
	// On the dot is not yet late, so the change comes a millisecond after.
	if slack < 0 {
		return RiskLate, never
	}
	lateAt, margin := r.Due+1, b.settings.AtRisk
	if r.Status == StatusUnassigned && reach > 0 {
		margin = max(margin, reach+r.Service)
	}
	if slack < margin {
		return RiskAtRisk, lateAt
	}
	return RiskOK, r.Due.Add(-margin) + 1
}

func (b *Board) reassess(slot uint32, d *Delta) {
	row := b.tasks.rows.at(slot)
	if row == nil {
		return
	}
	risk, wake := b.assess(row, b.watch.reachOf(slot, row))
	b.watch.wakeAt(slot, wake)
	if risk == row.Risk {
		return
	}
	b.putTask(slot, row, *row, 0, d)
}

// Tick lets the board's clock catch up: windows end, workers fall silent, the way of the nearest idle worker to
// unassigned work is measured anew, a part of it each time. Once a second is enough.
func (b *Board) Tick(now model.Millis) (*Snapshot, Delta) {
	var d Delta
	b.advance(now, &d)
	b.measureReach(&d)
	b.trend.note(b.clock, b.counters.Late)
	return b.snapshot(), d
}

// advance moves the clock. It never goes back: an answer that was long under way does not undo time. Only a board that
// knows nothing yet can be told that it is earlier than was thought.
func (b *Board) advance(now model.Millis, d *Delta) {
	if now == 0 || now <= b.clock && b.tasks.rows.Len()+b.workers.rows.Len() > 0 {
		return
	}
	b.clock = now
	for {
		slot, ok := b.watch.due(now)
		if !ok {
			break
		}
		b.reassess(slot, d)
	}
	b.watchWorkers(d)
	if len(d.Workers) > 0 {
		b.findIdle()
	}
}

// watch is what the board waits for, by task slot.
type watch struct {
	wakes  []model.Millis // when to judge again; never when nothing is waited for
	reach  []time.Duration
	queue  wakeQueue
	idle   []idleSpot
	cursor uint32 // where measuring goes on
}

type wake struct {
	at   model.Millis
	slot uint32
}

type wakeQueue []wake

func (q wakeQueue) Len() int           { return len(q) }
func (q wakeQueue) Less(i, j int) bool { return q[i].at < q[j].at }
func (q wakeQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *wakeQueue) Push(x any) {
	if w, ok := x.(wake); ok {
		*q = append(*q, w)
	}
}

// Pop implements heap.Interface.
func (q *wakeQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (w *watch) grow(slot uint32) {
	for int(slot) >= len(w.wakes) {
		w.wakes, w.reach = append(w.wakes, never), append(w.reach, 0)
	}
}

func (w *watch) reachOf(slot uint32, row *TaskRow) time.Duration {
	if row == nil || int(slot) >= len(w.reach) {
		return 0
	}
	return w.reach[slot]
}

func (w *watch) forget(slot uint32) {
	w.wakes[slot], w.reach[slot] = never, 0
}

// wakeAt replaces what was waited for. The old entry stays in the queue and is passed over when its time comes; when
// such entries outnumber the true ones the queue is made anew.
func (w *watch) wakeAt(slot uint32, at model.Millis) {
	w.grow(slot)
	if w.wakes[slot] == at {
		return
	}
	w.wakes[slot] = at
	if at == never {
		return
	}
	heap.Push(&w.queue, wake{at, slot})
	if len(w.queue) > 2*len(w.wakes)+chunkSize {
		w.queue = w.queue[:0]
		for slot, at := range w.wakes {
			if at != never {
				w.queue = append(w.queue, wake{at, uint32(slot)})
			}
		}
		heap.Init(&w.queue)
	}
}

func (w *watch) due(now model.Millis) (uint32, bool) {
	for len(w.queue) > 0 && w.queue[0].at <= now {
		next := w.queue[0]
		heap.Pop(&w.queue)
		if w.wakes[next.slot] == next.at {
			w.wakes[next.slot] = never
			return next.slot, true
		}
	}
	return 0, false
}

// idleSpot is where an idle worker stands, and how fast they could leave it.
type idleSpot struct {
	at     model.Location
	placed bool
	speed  float64
	teams  []model.ID
}

func (s *idleSpot) mayTake(task *TaskRow) bool {
	return task.Team == "" || slices.Contains(s.teams, task.Team)
}

// findIdle lists the idle workers anew; snapshots share the list.
func (b *Board) findIdle() {
	b.watch.idle = make([]idleSpot, 0, len(b.watch.idle)+8)
	for row := range b.workers.rows.All() {
		if row.State == WorkerIsIdle {
			b.watch.idle = append(b.watch.idle, idleSpot{row.Location, row.HasLocation, travelSpeed(row.Vehicle), row.Teams})
		}
	}
}

// measureReach measures some of the unassigned tasks, going round.
func (b *Board) measureReach(d *Delta) {
	slots := b.tasks.next
	if slots == 0 {
		return
	}
	measured := 0
	for range min(scanPerTick, int(slots)) {
		slot := b.watch.cursor % slots
		b.watch.cursor = (slot + 1) % slots
		row := b.tasks.rows.at(slot)
		if row == nil || row.Status != StatusUnassigned || row.Due == 0 || !row.HasLocation ||
			row.Due < b.clock || row.Due.Sub(b.clock) > reachHorizon {
			continue
		}
		b.watch.reach[slot] = b.watch.nearest(row)
		b.reassess(slot, d)
		if measured++; measured == reachPerTick {
			return
		}
	}
}

func (w *watch) nearest(row *TaskRow) time.Duration {
	best, flat := math.Inf(1), flatEarth(row.Location)
	for i := range w.idle {
		spot := &w.idle[i]
		// Squares will do to compare, and teams need looking at only for who would be nearest.
		if seconds := flat.square(spot.at) / (spot.speed * spot.speed); seconds < best && spot.placed && spot.mayTake(row) {
			best = seconds
		}
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return time.Duration(math.Sqrt(best) * float64(time.Second)).Round(time.Second)
}
