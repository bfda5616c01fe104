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
	if f.withoutLists || !f.isDue(r.Lane) {
		return r, false
	}
	if !w.active {
		if !f.isWanted(r.Lane) {
			return r, false
		}
		*w = walk{active: true, query: f.firstPage(r.Lane)}
	}
	if w.pages > eagerPages {
		r.Priority = apiclient.PriorityBackground
	}
	// The screen waits for the first walk, which is not paced; later walks are.
	if f.HasLongList() && w.pages > 0 && !f.spendTokens(pagePrice) {
		return r, false
	}
	r.page = w.query
	return r, true
}

// isWanted reports that a list is worth reading at the moment.
func (f *Feed) isWanted(l Lane) bool {
	switch l {
	case Urgent:
		// During the first walk it brings the most urgent tasks first; later it is only needed for long lists.
		return !f.firstWalkDone || f.HasLongList()
	case Fresh:
		return f.HasLongList()
	case Open:
		return f.sweep == nil
	default:
		return true
	}
}

func (f *Feed) firstPage(l Lane) apiclient.TaskQuery {
	q := apiclient.TaskQuery{From: model.MillisOf(f.now.Add(-maxTaskAge)), States: openStates()}
	switch l {
	case Urgent:
		q.CompleteBeforeBefore = model.MillisOf(f.now.Add(f.options.AtRisk))
	case Fresh:
		q.From = max(q.From, f.newest.Add(-clockSkew))
	case Finished:
		q.From, q.States = f.finished, []model.TaskState{model.TaskCompleted}
	default:
	}
	return q
}

// applyPage takes a page of a list and ends the walk after the last one.
func (f *Feed) applyPage(r *Result, change *board.Change) {
	l := r.Request.Lane
	ln, w := &f.lanes[l], &f.walks[l]
	if w.pages == 0 {
		w.began = r.Request.Asked
	}
	w.pages++
	f.recordListed(l, r.Tasks)
	w.query.LastID = r.LastID
	if r.LastID != "" && (l != Urgent || w.pages < urgentPages) {
		ln.due = f.now
		return
	}
	w.active = false
	ln.due = f.now.Add(f.addJitter(ln.every))
	switch l {
	case Open:
		f.firstWalkDone, f.pages = true, w.pages
		f.sweep = &board.Sweep{List: board.SweepOpenTasks, Started: w.began, From: w.query.From}
		if f.lanes[Finished].off != nil || f.lanes[Finished].every == 0 {
			f.endSweep(change)
		} else {
			f.lanes[Finished].due = f.now
		}
		if w.pages > smallWalk {
			// A long list is read less often; the Fresh lane brings new tasks.
			ln.due = f.now.Add(f.addJitter(max(ln.every, 4*ln.every)))
		}
	case Finished:
		if f.sweep != nil && w.began > f.sweep.Started {
			f.endSweep(change)
		}
	default:
	}
}

// endSweep removes tasks that were on no page from the board. Tasks completed meanwhile stay, since the finished tasks
// are read after the open ones.
func (f *Feed) endSweep(change *board.Change) {
	change.Sweeps = append(change.Sweeps, *f.sweep)
	f.sweep = nil
}

// recordListed records what the tasks of a page tell about the list.
func (f *Feed) recordListed(l Lane, tasks []model.Task) {
	for i := range tasks {
		t := &tasks[i]
		if f.HasLongList() {
			f.recentlyListed[t.ID] = struct{}{}
		}
		f.newest = max(f.newest, t.TimeCreated)
		if at := t.CompletionDetails.Time.Value(); l == Finished && at.Add(-clockSkew) > f.finished {
			f.finished = at.Add(-clockSkew)
		}
	}
}

func (f *Feed) addJitter(d time.Duration) time.Duration {
	d = time.Duration(float64(d) * f.slowdown)
	return d - d/20 + time.Duration(f.random.Int64N(int64(d/10)+1))
}
