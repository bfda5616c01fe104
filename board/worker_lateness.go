package board

import (
	"slices"
	"time"

	"waybill/model"
)

// workerLateness is what a worker's lateness follows from: the tasks that the board has of theirs.
type workerLateness struct {
	earliestDue    model.Millis  // the earliest due time of their open tasks; zero when none has one
	worst          time.Duration // how late the latest of them is expected; negative when all are in time
	estimated      bool          // worst is known
	hasUnknownStop bool          // they have a stop that the board cannot judge
	stale          bool          // a task changed since
}

// delayAt is how late the worker is at a moment: as late as the worst of their open tasks, by the same count as the tasks'
// own. What the service tells of the worker is older than its tasks, so it counts only where these say nothing.
func (l *workerLateness) delayAt(now model.Millis, told time.Duration) time.Duration {
	late := time.Duration(0)
	if l.estimated {
		late = max(late, l.worst)
	} else if l.hasUnknownStop {
		late = model.WholeMinutes(told)
	}
	if l.earliestDue != 0 {
		late = max(late, minutesBetween(l.earliestDue, now))
	}
	if late > 0 && late < time.Minute {
		return barelyLate
	}
	return late
}

// barelyLate is any lateness under a minute. It is shown as that and no more, and a worker whose row changed with every
// second of it would keep the whole board busy.
const barelyLate = 30 * time.Second

func (l *workerLateness) addTask(task *TaskRow) {
	if task.Due != 0 && (l.earliestDue == 0 || task.Due < l.earliestDue) {
		l.earliestDue = task.Due
	}
	if late, ok := task.expectedLateness(); ok {
		if !l.estimated || late > l.worst {
			l.worst = late
		}
		l.estimated = true
	}
}

// computeLateness looks through the tasks of a worker.
func (b *Board) computeLateness(w *WorkerRow) workerLateness {
	var l workerLateness
	slots, _ := b.links.get(string(w.ID))
	for _, slot := range slots {
		if task := b.tasks.rows.at(slot); task.isOpenFor(w.ID) {
			l.addTask(task)
		}
	}
	unjudged := func(id model.ID) bool {
		_, task := b.tasks.lookup(id)
		return task == nil || task.isOpenFor(w.ID)
	}
	l.hasUnknownStop = !l.estimated && (w.ActiveTask != "" && unjudged(w.ActiveTask) || slices.ContainsFunc(w.Tasks, unjudged))
	return l
}

// isOpenFor reports an open task that a worker has.
func (r *TaskRow) isOpenFor(worker model.ID) bool {
	return r != nil && r.Worker == worker && !r.Status.Closed()
}

// dependsOn reports that a worker's lateness may be another without this task.
func (l *workerLateness) dependsOn(task *TaskRow) bool {
	late, ok := task.expectedLateness()
	return !l.estimated || ok && late >= l.worst || task.Due != 0 && task.Due <= l.earliestDue
}

// updateLateness lets the lateness of workers follow a task. Most tasks of a worker do not decide it, before or after; where
// one does, the worker is looked at again, once, when everything has been learned.
func (b *Board) updateLateness(old, row *TaskRow) {
	if old != nil && row != nil && old.Worker == row.Worker && old.Due == row.Due && old.Arrival == row.Arrival &&
		old.Delay == row.Delay && old.Status.Closed() == row.Status.Closed() {
		return
	}
	if slot, w := b.openTaskWorker(old); w != nil && b.lateness[slot].dependsOn(old) {
		b.markStale(slot)
	}
	slot, w := b.openTaskWorker(row)
	if w == nil || b.lateness[slot].stale {
		return
	}
	b.lateness[slot].addTask(row)
	if b.lateness[slot].delayAt(b.clock, w.reportedDelay) != w.Delay {
		b.markStale(slot)
	}
}

// openTaskWorker is who has an open task; nil when nobody has or the board does not know them.
func (b *Board) openTaskWorker(task *TaskRow) (uint32, *WorkerRow) {
	if task == nil || task.Worker == "" || task.Status.Closed() {
		return 0, nil
	}
	return b.workers.lookup(task.Worker)
}

func (b *Board) markStale(slot uint32) {
	if !b.lateness[slot].stale {
		b.lateness[slot].stale = true
		b.staleWorkers = append(b.staleWorkers, slot)
	}
}

// refreshLateness judges the workers whose tasks changed.
func (b *Board) refreshLateness(d *Delta) {
	for _, slot := range b.staleWorkers {
		if row := b.workers.rows.at(slot); row != nil && b.lateness[slot].stale {
			b.lateness[slot] = b.computeLateness(row)
			if b.lateness[slot].delayAt(b.clock, row.reportedDelay) != row.Delay {
				b.storeWorker(slot, row, *row, 0, d)
			}
		}
	}
	b.staleWorkers = b.staleWorkers[:0]
}

// LatenessText is how an open task stands against its window, in words that tell what is from what is expected:
// "42m overdue" once the window is over, by as much as it will be by the estimate; "19m late" and "5m spare" while that
// is a forecast; "due in 36m" where there is none. It is empty for a task that cannot be late.
func (r *TaskRow) LatenessText(now model.Millis) string {
	slack, ok := r.Slack(now)
	switch {
	case !ok:
		return ""
	case r.Due != 0 && now > r.Due:
		return model.DelayText(-slack) + " overdue"
	case slack < 0:
		return model.DelayText(-slack) + " late"
	case r.Arrival != 0:
		return model.DelayText(slack) + " spare"
	}
	return "due in " + model.DelayText(slack)
}
