package feed

import (
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

// walk is a list being read page by page.
type walk struct {
	active bool
	began  board.Stamp
	query  apiclient.TaskQuery
	pages  int
}

func openStates() []model.TaskState {
	return []model.TaskState{model.TaskUnassigned, model.TaskAssigned, model.TaskActive}
}

// nextPage is the next page of a list, or the first when the list is due.
func (f *Feed) nextPage(r Request) (Request, bool) {
	w := &f.walks[r.Lane]
	if f.watch || !f.due(r.Lane) {
		return r, false
	}
	if !w.active {
		if !f.wanted(r.Lane) {
			return r, false
		}
		*w = walk{active: true, query: f.firstPage(r.Lane)}
	}
	if w.pages > eagerPages {
		r.Priority = apiclient.PriorityBackground
	}
	// The first walk is what the screen waits for and takes what there is; later ones leave room.
	if f.walked && w.pages > 0 && f.pages > smallWalk && !f.paced(pagePrice) {
		return r, false
	}
	r.page = w.query
	return r, true
}

// wanted says whether a list is worth reading at all at the moment.
func (f *Feed) wanted(l Lane) bool {
	switch l {
	case Urgent:
		// Before the first walk has ended it brings what matters first; after that it is for boards too large to be
		// read whole at every interval.
		return !f.walked || f.pages > smallWalk
	case Fresh:
		return f.walked && f.pages > smallWalk
	case Open:
		return f.sweep == nil
	}
	return true
}

func (f *Feed) firstPage(l Lane) apiclient.TaskQuery {
	q := apiclient.TaskQuery{From: model.MillisOf(f.now.Add(-reach)), States: openStates()}
	switch l {
	case Urgent:
		q.CompleteBeforeBefore = model.MillisOf(f.now.Add(f.options.AtRisk))
	case Fresh:
		q.From = max(q.From, f.newest.Add(-overlap))
	case Finished:
		q.From, q.States = f.finished, []model.TaskState{model.TaskCompleted}
	}
	return q
}

// turnPage takes a page and says whether the list has ended.
func (f *Feed) turnPage(r *Result, change *board.Change) {
	l := r.Request.Lane
	ln, w := &f.lanes[l], &f.walks[l]
	if w.pages == 0 {
		w.began = r.Request.Asked
	}
	w.pages++
	f.noteTimes(l, r.Tasks)
	w.query.LastID = r.LastID
	if r.LastID != "" && (l != Urgent || w.pages < urgentPages) {
		ln.due = f.now
		return
	}
	w.active = false
	ln.due = f.now.Add(f.jittered(ln.every))
	switch l {
	case Open:
		f.walked, f.pages = true, w.pages
		f.sweep = &board.Sweep{List: board.SweepOpenTasks, Started: w.began, From: w.query.From}
		if f.lanes[Finished].off != nil || f.lanes[Finished].every == 0 {
			f.endSweep(change)
		} else {
			f.lanes[Finished].due = f.now
		}
		if w.pages > smallWalk {
			// So long a list is read again at the pace of the share, and new work comes by the fresh lane.
			ln.due = f.now.Add(f.jittered(max(ln.every, 4*ln.every)))
		}
	case Finished:
		if f.sweep != nil && w.began > f.sweep.Started {
			f.endSweep(change)
		}
	}
}

// endSweep lets go of rows that were in no page. Work that was completed meanwhile is not among them, since the
// finished list was read after the open one.
func (f *Feed) endSweep(change *board.Change) {
	change.Sweeps = append(change.Sweeps, *f.sweep)
	f.sweep = nil
}

func (f *Feed) noteTimes(l Lane, tasks []model.Task) {
	for i := range tasks {
		t := &tasks[i]
		if f.LongList() {
			f.listed[t.ID] = struct{}{}
		}
		f.newest = max(f.newest, t.TimeCreated)
		if at := t.CompletionDetails.Time.Value(); l == Finished && at.Add(-overlap) > f.finished {
			f.finished = at.Add(-overlap)
		}
	}
}

func (f *Feed) jittered(d time.Duration) time.Duration {
	d = time.Duration(float64(d) * f.slow)
	return d - d/20 + time.Duration(f.random.Int64N(int64(d/10)+1))
}
