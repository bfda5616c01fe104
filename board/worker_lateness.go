package board

import (
	"slices"
	"time"

	"waybill/model"
)

// workerLateness is what a worker's delay is computed from: their tasks on the board.
type workerLateness struct {
	earliestDue    model.Millis  // of their open tasks; zero when none has a due time
	worst          time.Duration // lateness of the latest task; negative when all are on time
	estimated      bool          // worst is known
	hasUnknownStop bool          // they have a stop without an estimate
	stale          bool          // a task has changed since
}

// delayAt returns how late the worker is at a moment: as late as the latest of their open tasks. The delay that the service
// reports is older than the tasks, so it is used only where no task has an estimate.
func (l *workerLateness) delayAt(now model.Millis, told time.Duration) time.Duration {
	late := time.Duration(0)
	if l.estimated {
		late = max(late, l.worst)
	} else if l.hasUnknownStop {
		late = model.TruncateToMinutes(told)
	}
	if l.earliestDue != 0 {
		late = max(late, minutesBetween(l.earliestDue, now))
	}
	if late > 0 && late < time.Minute {
		return barelyLate
	}
	return late
}

// barelyLate is the delay for any lateness under a minute, so that the row does not change every second.
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

// computeLateness scans the tasks of a worker.
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

// isOpenFor reports an open task of a worker.
func (r *TaskRow) isOpenFor(worker model.ID) bool {
	return r != nil && r.Worker == worker && !r.Status.Closed()
}

// dependsOn reports that the lateness may change without this task.
func (l *workerLateness) dependsOn(task *TaskRow) bool {
	late, ok := task.expectedLateness()
	return !l.estimated || ok && late >= l.worst || task.Due != 0 && task.Due <= l.earliestDue
}

// updateLateness updates the lateness of workers after a change of a task. Most tasks do not affect it; where one does, the
// worker is marked, and assessed once at the end of the change.
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

// openTaskWorker returns the worker of an open task; nil when there is none on the board.
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

// refreshLateness computes the lateness of marked workers again.
func (b *Board) refreshLateness() {
	for _, slot := range b.staleWorkers {
		if row := b.workers.rows.at(slot); row != nil && b.lateness[slot].stale {
			b.lateness[slot] = b.computeLateness(row)
			if b.lateness[slot].delayAt(b.clock, row.reportedDelay) != row.Delay {
				b.storeWorker(slot, row, *row, 0)
			}
		}
	}
	b.staleWorkers = b.staleWorkers[:0]
}

// LatenessText returns the lateness or slack of an open task in words: "42m overdue" after due, "19m late" and "5m spare" by
// the estimate before due, "due in 36m" without an estimate. It is empty for a task without a due time.
func (r *TaskRow) LatenessText(now model.Millis) string {
	slack, ok := r.Slack(now)
	switch {
	case !ok:
		return ""
	case r.Due != 0 && now > r.Due:
		return model.FormatShortDelay(-slack) + " overdue"
	case slack < 0:
		return model.FormatShortDelay(-slack) + " late"
	case r.Arrival != 0:
		return model.FormatShortDelay(slack) + " spare"
	}
	return "due in " + model.FormatShortDelay(slack)
}
