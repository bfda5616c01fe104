package board

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
)

// naiveBoard does what the board does, with maps and by looking at everything.
type naiveBoard struct {
	tasks   map[model.ID]TaskRow
	workers map[model.ID]WorkerRow
	seen    map[model.ID]Stamp
	touched map[model.ID]Stamp
}

// plain is a row without what depends on how it is stored.
func plain(r TaskRow) TaskRow {
	r.search = ""
	return r
}

func genTask(t *rapid.T, now model.Millis) model.Task {
	n := rapid.IntRange(0, 40).Draw(t, "task")
	state := model.TaskState(rapid.IntRange(0, 3).Draw(t, "state"))
	task := model.Task{
		ID: testID('k', n), ShortID: model.ShortID(rapid.StringMatching(`[0-9a-f]{8}`).Draw(t, "short")),
		State: state, TimeLastModified: noon + model.Millis(rapid.IntRange(0, 5).Draw(t, "modified")),
		TimeCreated: noon, Quantity: float64(rapid.IntRange(0, 3).Draw(t, "quantity")),
		Notes:             rapid.SampledFrom([]string{"", "ring", "Ring\ntwice"}).Draw(t, "notes"),
		CompletionDetails: model.CompletionDetails{Success: model.Some(rapid.Bool().Draw(t, "success"))},
	}
	if rapid.Bool().Draw(t, "due") {
		task.CompleteBefore = model.Some(now.Add(time.Duration(rapid.IntRange(-60, 120).Draw(t, "in")) * time.Minute))
	}
	if rapid.Bool().Draw(t, "expected") {
		task.EstimatedCompletionTime = model.Some(now.Add(time.Duration(rapid.IntRange(-60, 120).Draw(t, "finish")) * time.Minute))
	}
	if state != model.TaskUnassigned {
		task.Worker = model.Some(testID('w', rapid.IntRange(0, 5).Draw(t, "worker")))
	}
	if rapid.IntRange(0, 3).Draw(t, "linked") == 0 {
		task.Dependencies = []model.ID{testID('k', rapid.IntRange(0, 40).Draw(t, "first"))}
		task.OrderShortID = model.Some(model.ShortID("0000000" + string(rune('0'+n%3))))
	}
	return task
}

func genWorker(t *rapid.T, now model.Millis) model.Worker {
	n := rapid.IntRange(0, 5).Draw(t, "worker")
	w := model.Worker{
		ID: testID('w', n), Name: rapid.SampledFrom([]string{"Ana", "Bo", "Chi"}).Draw(t, "name"),
		OnDuty: rapid.Bool().Draw(t, "duty"), TimeLastModified: noon,
		TimeLastSeen: model.Some(now.Add(-time.Duration(rapid.IntRange(0, 30).Draw(t, "seen")) * time.Minute)),
	}
	if rapid.Bool().Draw(t, "active") {
		w.ActiveTask = model.Some(testID('k', n))
	}
	return w
}

// TestBoardAgainstMaps changes a board at random and holds every snapshot against a board that is only maps.
func TestBoardAgainstMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		settings := DefaultSettings()
		b := NewBoard(settings, noon)
		naive := naiveBoard{map[model.ID]TaskRow{}, map[model.ID]WorkerRow{}, map[model.ID]Stamp{}, map[model.ID]Stamp{}}
		now := noon
		snapshots, rows := []*Snapshot{}, []map[model.ID]TaskRow{}
		names := map[model.ID]string{}
		for range rapid.IntRange(1, 25).Draw(t, "changes") {
			now = now.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "minutes")) * time.Minute)
			asked := b.Stamp()
			if rapid.IntRange(0, 4).Draw(t, "slow") == 0 {
				asked = max(1, asked-3)
			}
			change := Change{Requested: asked, ReceivedAt: now}
			for range rapid.IntRange(0, 12).Draw(t, "page") {
				change.Tasks = append(change.Tasks, genTask(t, now))
			}
			for range rapid.IntRange(0, 2).Draw(t, "team") {
				change.Workers = append(change.Workers, genWorker(t, now))
			}
			if rapid.IntRange(0, 5).Draw(t, "gone") == 0 {
				change.Removed = []model.ID{testID('k', rapid.IntRange(0, 40).Draw(t, "id"))}
			}
			if rapid.IntRange(0, 6).Draw(t, "walked") == 0 {
				change.Sweeps = []Sweep{{List: SweepOpenTasks, Started: asked}}
			}
			if rapid.IntRange(0, 4).Draw(t, "write") == 0 {
				id := testID('k', rapid.IntRange(0, 40).Draw(t, "written"))
				b.MarkWritten(id)
				naive.touched[id] = b.stamp
			}
			before := maps.Clone(naive.tasks)
			snapshot, delta := b.Apply(change)
			naive.apply(&change, names, b.stamp)
			naive.judge(settings, now)

			require.Equal(t, naive.tasks, tasksOf(snapshot))
			require.Equal(t, naive.counters(), snapshot.Counters)
			requireDelta(t, before, naive.tasks, delta.Tasks)
			requireLinks(t, snapshot)
			snapshots, rows = append(snapshots, snapshot), append(rows, maps.Clone(naive.tasks))
		}
		// What was handed out has not changed since.
		for i, snapshot := range snapshots {
			require.Equal(t, rows[i], tasksOf(snapshot))
		}
	})
}

func (n *naiveBoard) apply(c *Change, names map[model.ID]string, stamp Stamp) {
	for _, w := range c.Workers {
		if c.Requested >= n.seen[w.ID] {
			n.seen[w.ID] = c.Requested
			n.workers[w.ID] = WorkerRow{
				OnDuty: w.OnDuty, LastSeen: w.TimeLastSeen.Value(), ActiveTask: w.ActiveTask.Value(),
			}
			names[w.ID] = w.Name
		}
	}
	for i := range c.Tasks {
		task := &c.Tasks[i]
		old, known := n.tasks[task.ID]
		if n.touched[task.ID] > c.Requested {
			if known {
				n.seen[task.ID] = max(n.seen[task.ID], c.Requested)
			}
			continue
		}
		delete(n.touched, task.ID)
		stale := known && (task.TimeLastModified < old.Modified ||
			task.TimeLastModified == old.Modified && c.Requested < n.seen[task.ID])
		if !known {
			n.seen[task.ID] = 0
		}
		n.seen[task.ID] = max(n.seen[task.ID], c.Requested)
		if !stale {
			n.tasks[task.ID] = naiveRow(task)
		}
	}
	for _, id := range c.Removed {
		n.touched[id] = stamp
		delete(n.tasks, id)
	}
	for _, sweep := range c.Sweeps {
		maps.DeleteFunc(n.tasks, func(id model.ID, r TaskRow) bool {
			return !r.Status.Closed() && n.seen[id] < sweep.Started && n.touched[id] < sweep.Started
		})
		maps.DeleteFunc(n.touched, func(_ model.ID, stamp Stamp) bool { return stamp < sweep.Started })
	}
	for id, row := range n.tasks {
		row.WorkerName = names[row.Worker]
		n.tasks[id] = row
	}
}

func naiveRow(t *model.Task) TaskRow {
	r := TaskRow{
		ID: t.ID, ShortID: t.ShortID, Order: t.OrderShortID.Value(), Worker: t.Worker.Value(),
		Dependencies: t.Dependencies, Created: t.TimeCreated, Modified: t.TimeLastModified,
		Due: t.CompleteBefore.Value(), Quantity: t.Quantity, State: t.State,
	}
	if t.Notes != "" {
		r.Notes = map[bool]string{true: "ring", false: "Ring twice"}[t.Notes == "ring"]
	}
	switch {
	case t.State < model.TaskCompleted:
		r.Status = []Status{StatusUnassigned, StatusAssigned, StatusActive}[t.State]
		if r.Finish = t.EstimatedCompletionTime.Value(); r.Finish != 0 {
			r.Arrival = r.Finish.Add(-usualStop)
		}
	case t.CompletionDetails.Success.Value():
		r.Status = StatusDone
	default:
		r.Status = StatusFailed
	}
	return r
}

func (n *naiveBoard) judge(s Settings, now model.Millis) {
	for id, r := range n.tasks {
		expected := max(now, r.Arrival)
		switch {
		case r.Status.Closed() || r.Due == 0:
			r.Risk = RiskNone
		case expected > r.Due:
			r.Risk = RiskLate
		case r.Due.Sub(expected) < s.AtRisk:
			r.Risk = RiskAtRisk
		default:
			r.Risk = RiskOK
		}
		n.tasks[id] = r
	}
	for id, w := range n.workers {
		switch {
		case !w.OnDuty:
			w.State = WorkerIsOff
		case now.Sub(w.LastSeen) > s.Silent:
			w.State = WorkerIsSilent
		case w.Stops() > 0:
			w.State = WorkerIsBusy
		default:
			w.State = WorkerIsIdle
		}
		n.workers[id] = w
	}
}

func (n *naiveBoard) counters() Counters {
	var c Counters
	for _, r := range n.tasks {
		c.task(&r, 1)
	}
	for _, w := range n.workers {
		c.worker(&w, 1)
	}
	return c
}

func tasksOf(s *Snapshot) map[model.ID]TaskRow {
	rows := map[model.ID]TaskRow{}
	for row := range s.Tasks.All() {
		rows[row.ID] = plain(*row)
	}
	return rows
}

// requireDelta checks that a delta names exactly the rows that differ, each as what it is.
func requireDelta(t require.TestingT, before, after map[model.ID]TaskRow, delta []RowDelta) {
	named := map[model.ID]bool{}
	for _, d := range delta {
		named[d.ID] = true
	}
	for id, row := range after {
		old, known := before[id]
		if !known || len(old.Dependencies)+len(row.Dependencies) > 0 && !slices.Equal(old.Dependencies, row.Dependencies) ||
			old.changes(&row) != 0 {
			require.True(t, named[id], "%s changed and the delta does not say so", id)
		}
	}
	for id := range before {
		if _, still := after[id]; !still {
			require.True(t, named[id], "%s is gone and the delta does not say so", id)
		}
	}
	for id := range named {
		_, was := before[id]
		_, is := after[id]
		require.True(t, was || is || slices.ContainsFunc(delta, func(d RowDelta) bool { return d.ID == id && d.Kind == RowRemoved }))
	}
}

func requireLinks(t require.TestingT, s *Snapshot) {
	for row := range s.Tasks.All() {
		require.Same(t, row, s.Tasks.Get(row.ID))
		require.Equal(t, row.ShortID, s.TaskByShortID(row.ShortID).ShortID)
		if row.Worker != "" {
			require.Contains(t, s.WorkerTasks(row.Worker), row)
		}
		for _, id := range row.Dependencies {
			if first := s.Tasks.Get(id); first != nil && first != row {
				require.True(t, slices.ContainsFunc(s.LinkedTasks(first), func(l LinkedTask) bool { return l.Row == row }))
			}
		}
	}
}

func TestTrieAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		snapshot := NewBoard(DefaultSettings(), noon)
		trie, naive := newTrie[int](snapshot.links.seed), map[string]int{}
		older, olderNaive := trie, map[string]int{}
		for i := range rapid.IntRange(1, 300).Draw(t, "edits") {
			key := rapid.StringMatching(`[a-e]{0,4}`).Draw(t, "key")
			if rapid.IntRange(0, 2).Draw(t, "what") == 0 {
				trie = trie.without(key)
				delete(naive, key)
			} else {
				trie = trie.with(key, i)
				naive[key] = i
			}
			if i%50 == 25 {
				older, olderNaive = trie, maps.Clone(naive)
			}
		}
		for _, pair := range []struct {
			trie  trieOf
			naive map[string]int
		}{{trie, naive}, {older, olderNaive}} {
			require.Equal(t, len(pair.naive), pair.trie.size)
			for key, value := range pair.naive {
				got, ok := pair.trie.get(key)
				require.True(t, ok)
				require.Equal(t, value, got)
			}
			_, ok := pair.trie.get("absent")
			require.False(t, ok)
		}
	})
}

type trieOf = trie[int]

// A hash with no bits left must still tell keys apart.
func TestTrieCollisions(t *testing.T) {
	node, grown := &trieNode[int]{}, false
	empty := trie[int]{}
	for i, key := range []string{"a", "b", "a"} {
		node = empty.insert(node, 0, trieDepth, trieLeaf[int]{key, i}, &grown)
	}
	require.Equal(t, []trieLeaf[int]{{"a", 2}, {"b", 1}}, node.leaves)
	node, found := empty.remove(node, 0, trieDepth, "a")
	require.True(t, found)
	require.Equal(t, []trieLeaf[int]{{"b", 1}}, node.leaves)
}
