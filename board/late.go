package board

import (
	"slices"
	"time"

	"waybill/model"
)

// workerLate is what a worker's lateness follows from: the tasks that the board has of theirs.
type workerLate struct {
	due       model.Millis  // the earliest due time of their open tasks; zero when none has one
	worst     time.Duration // how late the latest of them is expected; negative when all are in time
	estimated bool          // worst is known
	unseen    bool          // they have a stop that the board cannot judge
	moved     bool          // a task changed since
}

// at is how late the worker is at a moment: as late as the worst of their open tasks, by the same count as the tasks'
// own. What the service tells of the worker is older than its tasks, so it counts only where these say nothing.
func (l *workerLate) at(now model.Millis, told time.Duration) time.Duration {
	late := time.Duration(0)
	if l.estimated {
		late = max(late, l.worst)
	} else if l.unseen {
		late = model.TruncateToMinutes(told)
	}
	if l.due != 0 {
		late = max(late, clockMinutes(l.due, now))
	}
	if late > 0 && late < time.Minute {
		return barelyLate
	}
	return late
}

// barelyLate is any lateness under a minute. It is shown as that and no more, and a worker whose row changed with every
// second of it would keep the whole board busy.
const barelyLate = 30 * time.Second

func (l *workerLate) add(task *TaskRow) {
	if task.Due != 0 && (l.due == 0 || task.Due < l.due) {
		l.due = task.Due
	}
	if late, ok := task.expectedLateness(); ok {
		if !l.estimated || late > l.worst {
			l.worst = late
		}
		l.estimated = true
	}
}

// lateOf looks through the tasks of a worker.
func (b *Board) lateOf(w *WorkerRow) workerLate {
	var l workerLate
	slots, _ := b.links.get(string(w.ID))
	for _, slot := range slots {
		if task := b.tasks.rows.at(slot); task.openOf(w.ID) {
			l.add(task)
		}
	}
	unjudged := func(id model.ID) bool {
		_, task := b.tasks.find(id)
		return task == nil || task.openOf(w.ID)
	}
	l.unseen = !l.estimated && (w.ActiveTask != "" && unjudged(w.ActiveTask) || slices.ContainsFunc(w.Tasks, unjudged))
	return l
}

// openOf reports an open task that a worker has.
func (r *TaskRow) openOf(worker model.ID) bool {
	return r != nil && r.Worker == worker && !r.Status.Closed()
}

// decides reports that a worker's lateness may be another without this task.
func (l *workerLate) decides(task *TaskRow) bool {
	late, ok := task.expectedLateness()
	return !l.estimated || ok && late >= l.worst || task.Due != 0 && task.Due <= l.due
}

// taskMoved lets the lateness of workers follow a task. Most tasks of a worker do not decide it, before or after; where
// one does, the worker is looked at again, once, when everything has been learned.
func (b *Board) taskMoved(old, row *TaskRow) {
	if old != nil && row != nil && old.Worker == row.Worker && old.Due == row.Due && old.Arrival == row.Arrival &&
		old.Delay == row.Delay && old.Status.Closed() == row.Status.Closed() {
		return
	}
	if slot, w := b.workerOf(old); w != nil && b.late[slot].decides(old) {
		b.unsettleLate(slot)
	}
	slot, w := b.workerOf(row)
	if w == nil || b.late[slot].moved {
		return
	}
	b.late[slot].add(row)
	if b.late[slot].at(b.clock, w.told) != w.Delay {
		b.unsettleLate(slot)
	}
}

// workerOf is who has an open task; nil when nobody has or the board does not know them.
func (b *Board) workerOf(task *TaskRow) (uint32, *WorkerRow) {
	if task == nil || task.Worker == "" || task.Status.Closed() {
		return 0, nil
	}
	return b.workers.find(task.Worker)
}

func (b *Board) unsettleLate(slot uint32) {
	if !b.late[slot].moved {
		b.late[slot].moved = true
		b.unsettled = append(b.unsettled, slot)
	}
}

// settleLate judges the workers whose tasks changed.
func (b *Board) settleLate(d *Delta) {
	for _, slot := range b.unsettled {
		if row := b.workers.rows.at(slot); row != nil && b.late[slot].moved {
			b.late[slot] = b.lateOf(row)
			if b.late[slot].at(b.clock, row.told) != row.Delay {
				b.putWorker(slot, row, *row, 0, d)
			}
		}
	}
	b.unsettled = b.unsettled[:0]
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
		return model.FormatShortDelay(-slack) + " overdue"
	case slack < 0:
		return model.FormatShortDelay(-slack) + " late"
	case r.Arrival != 0:
		return model.FormatShortDelay(slack) + " spare"
	}
	return "due in " + model.FormatShortDelay(slack)
}
