package board

import (
	"container/heap"
	"math"
	"slices"
	"time"

	"waybill/model"
)

// Slack returns how much later the task could be and still be on time; negative when it is late. It is false for a closed
// task and for one without a due time.
//
// Lateness counts from the due time to the arrival, or to now once that is later. A task has an arrival from its assignment
// to its end, but estimatedCompletionTime only until the driver starts; lateness counted to that would drop by the service
// time at the start. The service's delayTime is used only where there is no arrival, because it is older.
//
// Slack is in minutes as clocks show them, so that due, ETA and lateness add up on the screen. Within one minute it is
// exact, so that its sign is always right.
func (r *TaskRow) Slack(now model.Millis) (time.Duration, bool) {
	if r.Status.Closed() {
		return 0, false
	}
	if r.Due == 0 {
		return -model.TruncateToMinutes(r.Delay), r.Delay > 0
	}
	slack := minutesBetween(max(now, r.Arrival), r.Due)
	if r.Arrival == 0 && r.Delay > 0 {
		slack = min(slack, -model.TruncateToMinutes(r.Delay))
	}
	return slack, true
}

// minutesBetween returns the time between two moments as clocks without seconds show them; exact within a minute.
func minutesBetween(from, to model.Millis) time.Duration {
	const minute = model.Millis(time.Minute / time.Millisecond)
	if minutes := to/minute - from/minute; minutes != 0 {
		return time.Duration(minutes) * time.Minute
	}
	return to.Sub(from)
}

// exactSlack is Slack to the millisecond, for changes that happen at an exact moment.
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

// expectedLateness returns how long after its due time the driver is expected, negative when before it; false when there is
// no estimate.
func (r *TaskRow) expectedLateness() (time.Duration, bool) {
	if r.Arrival == 0 || r.Due == 0 {
		return model.TruncateToMinutes(r.Delay), r.Delay > 0
	}
	return minutesBetween(r.Due, r.Arrival), true
}

// Lateness returns how late the task is or will be; zero when it is not.
func (r *TaskRow) Lateness(now model.Millis) time.Duration {
	slack, ok := r.Slack(now)
	if !ok || slack >= 0 {
		return 0
	}
	return -slack
}

const (
	never        = model.Millis(math.MaxInt64)
	reachHorizon = 3 * time.Hour // tasks due later are not measured yet
	reachPerTick = 128
	scanPerTick  = 4096
)

// assessRisk returns the risk of a task, and when time alone can next change it. Reach is how long the nearest idle worker
// would need to the task; zero when unknown.
func (b *Board) assessRisk(r *TaskRow, reach time.Duration) (Risk, model.Millis) {
	slack, ok := r.exactSlack(b.clock)
	if !ok {
		return RiskNone, never
	}
	// A task that is exactly on time is not late, so the change comes one millisecond later.
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

func (b *Board) reassessTask(slot uint32) {
	row := b.tasks.rows.at(slot)
	if row == nil {
		return
	}
	risk, wake := b.assessRisk(row, b.schedule.reachOf(slot, row))
	b.schedule.setWake(slot, wake)
	if risk != row.Risk {
		b.storeTask(slot, row, *row, 0)
	}
}

// Tick advances the board's clock: windows end, workers become silent, and the reach of some unassigned tasks is measured
// again. Call it once per second.
func (b *Board) Tick(now model.Millis) (*Snapshot, Delta) {
	b.advanceClock(now)
	b.measureReach()
	b.trend.record(b.clock, b.counters.Late)
	return b.snapshot()
}

// advanceClock moves the clock forward and reassesses what is due. The clock of a board with rows never goes back, because
// a slow answer must not undo time.
func (b *Board) advanceClock(now model.Millis) {
	if now == 0 || now <= b.clock && b.tasks.rows.Len()+b.workers.rows.Len() > 0 {
		return
	}
	b.clock = now
	for {
		slot, ok := b.schedule.popDue(now)
		if !ok {
			break
		}
		b.reassessTask(slot)
	}
	b.reassessWorkers()
	if len(b.workers.deltas) > 0 {
		b.listIdleWorkers()
	}
}

// riskSchedule knows when to assess each task again, by task slot.
type riskSchedule struct {
	wakeTimes   []model.Millis // when to assess again; never when time cannot change the risk
	reach       []time.Duration
	queue       wakeQueue
	idleWorkers []idleWorker
	nextSlot    uint32 // where measuring continues
}

type wakeEntry struct {
	at   model.Millis
	slot uint32
}

type wakeQueue []wakeEntry

func (q wakeQueue) Len() int           { return len(q) }
func (q wakeQueue) Less(i, j int) bool { return q[i].at < q[j].at }
func (q wakeQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *wakeQueue) Push(x any) {
	if w, ok := x.(wakeEntry); ok {
		*q = append(*q, w)
	}
}

// Pop implements heap.Interface.
func (q *wakeQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (w *riskSchedule) grow(slot uint32) {
	for int(slot) >= len(w.wakeTimes) {
		w.wakeTimes, w.reach = append(w.wakeTimes, never), append(w.reach, 0)
	}
}

func (w *riskSchedule) reachOf(slot uint32, row *TaskRow) time.Duration {
	if row.ID == "" || int(slot) >= len(w.reach) {
		return 0
	}
	return w.reach[slot]
}

func (w *riskSchedule) clearSlot(slot uint32) {
	w.wakeTimes[slot], w.reach[slot] = never, 0
}

// setWake sets when to assess a task again. The old entry stays in the queue and is skipped when its time comes; when there
// are too many of those the queue is rebuilt.
func (w *riskSchedule) setWake(slot uint32, at model.Millis) {
	w.grow(slot)
	if w.wakeTimes[slot] == at {
		return
	}
	w.wakeTimes[slot] = at
	if at == never {
		return
	}
	heap.Push(&w.queue, wakeEntry{at, slot})
	if len(w.queue) > 2*len(w.wakeTimes)+chunkSize {
		w.queue = w.queue[:0]
		for slot, at := range w.wakeTimes {
			if at != never {
				w.queue = append(w.queue, wakeEntry{at, uint32(slot)})
			}
		}
		heap.Init(&w.queue)
	}
}

func (w *riskSchedule) popDue(now model.Millis) (uint32, bool) {
	for len(w.queue) > 0 && w.queue[0].at <= now {
		next := w.queue[0]
		heap.Pop(&w.queue)
		if w.wakeTimes[next.slot] == next.at {
			w.wakeTimes[next.slot] = never
			return next.slot, true
		}
	}
	return 0, false
}

// idleWorker is the location, speed and teams of an idle worker.
type idleWorker struct {
	location    model.Location
	hasLocation bool
	speed       float64
	teams       []model.ID
}

func (s *idleWorker) canTake(task *TaskRow) bool {
	return task.Team == "" || slices.Contains(s.teams, task.Team)
}

// listIdleWorkers makes a new list of idle workers; snapshots share it.
func (b *Board) listIdleWorkers() {
	b.schedule.idleWorkers = make([]idleWorker, 0, len(b.schedule.idleWorkers)+8)
	for row := range b.workers.rows.All() {
		if row.State == WorkerIsIdle {
			b.schedule.idleWorkers = append(b.schedule.idleWorkers, idleWorker{row.Location, row.HasLocation, row.Vehicle.Pace().LocalSpeed(), row.Teams})
		}
	}
}

// measureReach measures how long the nearest idle worker needs to some unassigned tasks, in turn.
func (b *Board) measureReach() {
	slots := b.tasks.next
	if slots == 0 {
		return
	}
	measured := 0
	for range min(scanPerTick, int(slots)) {
		slot := b.schedule.nextSlot % slots
		b.schedule.nextSlot = (slot + 1) % slots
		row := b.tasks.rows.at(slot)
		if row == nil || row.Status != StatusUnassigned || row.Due == 0 || !row.HasLocation ||
			row.Due < b.clock || row.Due.Sub(b.clock) > reachHorizon {
			continue
		}
		b.schedule.reach[slot] = b.schedule.nearestIdle(row)
		b.reassessTask(slot)
		if measured++; measured == reachPerTick {
			return
		}
	}
}

func (w *riskSchedule) nearestIdle(row *TaskRow) time.Duration {
	best, flat := math.Inf(1), newFlatPlane(row.Location)
	for i := range w.idleWorkers {
		spot := &w.idleWorkers[i]
		// Squares are enough to compare, and teams are checked only for a worker who would be the nearest.
		if seconds := flat.squaredMeters(spot.location) / (spot.speed * spot.speed); seconds < best && spot.hasLocation && spot.canTake(row) {
			best = seconds
		}
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return time.Duration(math.Sqrt(best) * float64(time.Second)).Round(time.Second)
}
