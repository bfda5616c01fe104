package board

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
)

func genFilter(t *rapid.T) Filter {
	text := rapid.SampledFrom([]string{
		"", "late", "!done", "unassigned,active", "worker:none", "worker:ana,bo", "ring", "late>10m", "due<30m",
		"!worker:chi atrisk,late", "qty>1 open", "id:k0000000000000000000001", "slack<5m !active", "state:failed",
	}).Draw(t, "filter")
	f, err := ParseFilter(PaneTasks, text)
	require.NoError(t, err)
	return f
}

func genSort(t *rapid.T, pane Pane) Sort {
	return Sort{rapid.SampledFrom(SortColumns(pane)).Draw(t, "column"), rapid.Bool().Draw(t, "desc")}
}

// naiveView filters and sorts everything at once.
func naiveView(s *Snapshot, now model.Millis, f Filter, by Sort) []model.ID {
	key := TaskRows().viewSpec(f, by).key
	var rows []*TaskRow
	for row := range s.Tasks.All() {
		if TaskRows().Match(f)(row, now) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b *TaskRow) int {
		x, y := key(a, now), key(b, now)
		order := cmp.Or(cmp.Compare(x.number, y.number), compareFolded(x.text, y.text))
		switch {
		case x.isMissing() != y.isMissing():
			order = cmp.Compare(x.number, y.number)
		case by.Desc:
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a.ID, b.ID))
	})
	ids := make([]model.ID, 0, len(rows))
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	return ids
}

func idsOf(v *View[TaskRow]) []model.ID {
	ids := make([]model.ID, 0, v.Len())
	for row := range v.All() {
		ids = append(ids, row.ID)
	}
	return ids
}

// requireView checks a view against the whole, and that every way of asking it gives the same answer.
func requireView(t require.TestingT, s *Snapshot, v *View[TaskRow]) {
	want := naiveView(s, v.madeAt, v.Filter(), v.Sort())
	require.Equal(t, want, idsOf(v))
	require.Equal(t, len(want), v.Len())
	for i, id := range want {
		require.Equal(t, id, v.At(i).ID)
		require.Same(t, s.Tasks.Get(id), v.At(i), "the view shows an old version of the row")
		at, ok := v.Position(id)
		require.True(t, ok)
		require.Equal(t, i, at)
	}
}

// TestViewFollows checks that a view which follows change by change is the view built anew, and that a cursor kept by
// id stays on its row.
func TestViewFollows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBoard(DefaultSettings(), noon)
		now := noon
		view := BuildTasks(b.Snapshot(), genFilter(t), genSort(t, PaneTasks)).Finish()
		var cursor model.ID
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			now = now.Add(time.Duration(rapid.IntRange(0, 10).Draw(t, "minutes")) * time.Minute)
			change := Change{ReceivedAt: now}
			for range rapid.IntRange(0, 30).Draw(t, "page") {
				change.Tasks = append(change.Tasks, genTask(t, now))
			}
			change.Workers = append(change.Workers, genWorker(t, now))
			for range rapid.IntRange(0, 3).Draw(t, "gone") {
				change.Removed = append(change.Removed, testID('k', rapid.IntRange(0, 40).Draw(t, "id")))
			}
			snapshot, _ := b.Apply(change)
			if rapid.Bool().Draw(t, "skip") {
				continue // a view may miss snapshots and catch up later
			}
			older, olderIDs := view, idsOf(view)
			var ok bool
			view, ok = view.Follow(snapshot.Tasks)
			require.True(t, ok)
			requireView(t, snapshot, view)
			require.Equal(t, olderIDs, idsOf(older), "following changed the view it followed from")
			if at, shown := view.Position(cursor); shown {
				require.Equal(t, cursor, view.At(at).ID)
			} else if view.Len() > 0 {
				cursor = view.At(rapid.IntRange(0, view.Len()-1).Draw(t, "cursor")).ID
			}
		}
		// Another filter and sort, starting from what is shown.
		snapshot := b.Snapshot()
		changed := view.Change(snapshot.Tasks, snapshot.Now, genFilter(t), genSort(t, PaneTasks)).Finish()
		requireView(t, snapshot, changed)
	})
}

func TestViewNarrowsWhileTyping(t *testing.T) {
	b, _ := boardOf(1000, 20)
	s := b.Snapshot()
	view := BuildTasks(s, Filter{}, Sort{}).Finish()
	for _, typed := range []string{"n", "nu", "num", "numb", "number", "number 9", "number 91"} {
		f, err := ParseFilter(PaneTasks, `"`+typed+`"`)
		require.NoError(t, err)
		build := view.Change(s.Tasks, s.Now, f, Sort{})
		require.NotNil(t, build.source, "typing on should look at what is shown")
		view = build.Finish()
		requireView(t, s, view)
	}
	require.NotZero(t, view.Len())
	// The other way round everything must be looked at again.
	require.Nil(t, view.Change(s.Tasks, s.Now, Filter{}, Sort{}).source)
}

func TestViewRefusesTooMuch(t *testing.T) {
	b, c := boardOf(followLimit+100, 20)
	view := BuildTasks(b.Snapshot(), Filter{}, Sort{Column: "address"}).Finish()
	tasks := c.tasks(followLimit + 100)
	for i := range tasks {
		tasks[i].TimeLastModified = noon
		tasks[i].Notes = "changed"
	}
	snapshot, _ := b.Apply(Change{Tasks: tasks})
	same, ok := view.Follow(snapshot.Tasks)
	require.False(t, ok)
	require.Same(t, view, same)
	requireView(t, snapshot, view.Change(snapshot.Tasks, snapshot.Now, Filter{}, Sort{Column: "address"}).Finish())
}

// Steps of any size give the same view.
func TestBuildInSteps(t *testing.T) {
	b, _ := boardOf(5000, 20)
	s := b.Snapshot()
	rapid.Check(t, func(t *rapid.T) {
		f, sort := genFilter(t), genSort(t, PaneTasks)
		build := BuildTasks(s, f, sort)
		for !build.Step(rapid.IntRange(1, 4000).Draw(t, "budget")) {
			require.Nil(t, build.View())
		}
		require.Equal(t, naiveView(s, s.Now, f, sort), idsOf(build.View()))
	})
}

func TestBuildStops(t *testing.T) {
	b, _ := boardOf(5000, 20)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := BuildTasks(b.Snapshot(), Filter{}, Sort{}).Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	view, err := BuildTasks(b.Snapshot(), Filter{}, Sort{}).Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, 5000, view.Len())
}

func TestViewWindow(t *testing.T) {
	b, _ := boardOf(500, 20)
	view := BuildTasks(b.Snapshot(), Filter{}, Sort{}).Finish()
	ids := idsOf(view)
	for _, window := range [][2]int{{0, 10}, {120, 20}, {490, 30}, {499, 1}, {-5, 5}} {
		top := max(0, window[0])
		rows := view.Window(window[0], window[1])
		for i, row := range rows {
			require.Equal(t, ids[top+i], row.ID)
		}
		require.Len(t, rows, min(window[1], len(ids)-top))
	}
	require.Empty(t, view.Window(500, 10))
	require.Empty(t, view.Window(0, 0))
}

func TestUrgencyOrder(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	at := func(minutes int) model.Opt[model.Millis] {
		return model.Some(noon.Add(time.Duration(minutes) * time.Minute))
	}
	worker := model.Some(testID('w', 1))
	snapshot, _ := b.Apply(Change{Tasks: []model.Task{
		{ID: testID('k', 1), ShortID: "done", State: model.TaskCompleted, CompletionDetails: model.CompletionDetails{Success: model.Some(true)}},
		{ID: testID('k', 2), ShortID: "later", State: model.TaskAssigned, Worker: worker, CompleteBefore: at(300)},
		{ID: testID('k', 3), ShortID: "free", State: model.TaskUnassigned, CompleteBefore: at(400)},
		{ID: testID('k', 4), ShortID: "soon", State: model.TaskAssigned, Worker: worker, CompleteBefore: at(10)},
		{ID: testID('k', 5), ShortID: "lateactive", State: model.TaskActive, Worker: worker, CompleteBefore: at(-50)},
		{ID: testID('k', 6), ShortID: "latefree", State: model.TaskUnassigned, CompleteBefore: at(-5)},
		{ID: testID('k', 7), ShortID: "willbelate", State: model.TaskAssigned, Worker: worker, CompleteBefore: at(60), EstimatedCompletionTime: at(70)},
		{ID: testID('k', 8), ShortID: "nowindow", State: model.TaskUnassigned},
		{ID: testID('k', 9), ShortID: "willbelater", State: model.TaskActive, Worker: worker, CompleteBefore: at(80), EstimatedCompletionTime: at(100)},
		{ID: testID('k', 10), ShortID: "tight", State: model.TaskAssigned, Worker: worker, CompleteBefore: at(90), EstimatedCompletionTime: at(89)},
		{ID: testID('k', 11), ShortID: "tighter", State: model.TaskAssigned, Worker: worker, CompleteBefore: at(95), EstimatedCompletionTime: at(95)},
	}})
	order := func(sort Sort, filter Filter) string {
		var names []string
		for row := range BuildTasks(snapshot, filter, sort).Finish().All() {
			names = append(names, string(row.ShortID))
		}
		return strings.Join(names, " ")
	}
	require.Equal(t, "latefree lateactive willbelater willbelate soon tighter tight free nowindow later done", order(Sort{}, Filter{}))
	require.Equal(t, "lateactive willbelater willbelate latefree tighter tight soon", order(Sort{Column: ByTriage}, TriageFilter()))
	// Without a window is last, both ways.
	require.Equal(t, "lateactive latefree soon willbelate willbelater tight tighter later free done nowindow", order(Sort{Column: "due"}, Filter{}))
	require.Equal(t, "free later tighter tight willbelater willbelate soon latefree lateactive done nowindow", order(Sort{Column: "due", Desc: true}, Filter{}))
}

func TestWorkerAndOrderViews(t *testing.T) {
	b, _ := boardOf(0, 40)
	b.Apply(Change{Orders: []model.Order{
		{ID: testID('o', 1), ShortID: "aaaa0001", Status: model.OrderCompleted, ClientName: model.Some("Florist Co"), Price: model.Some(14.2)},
		{ID: testID('o', 2), ShortID: "aaaa0002", Status: model.OrderUnassigned, ClientName: model.Some("Pharma One"), Price: model.Some(22.75)},
		{ID: testID('o', 3), ShortID: "aaaa0003", Status: "parked", ClientName: model.Some("Florist Co")},
	}})
	s := b.Snapshot()
	for _, column := range SortColumns(PaneWorkers) {
		require.Equal(t, 40, BuildWorkers(s, Filter{}, Sort{Column: column}).Finish().Len())
	}
	for _, column := range SortColumns(PaneOrders) {
		require.Equal(t, 3, BuildOrders(s, Filter{}, Sort{Column: column}).Finish().Len())
	}
	orders := BuildOrders(s, Filter{}, Sort{}).Finish()
	require.Equal(t, model.ShortID("aaaa0002"), orders.At(0).ShortID)
	require.Equal(t, model.ShortID("aaaa0001"), orders.At(2).ShortID)
	f, err := ParseFilter(PaneOrders, "client:florist state:parked")
	require.NoError(t, err)
	require.Equal(t, 1, BuildOrders(s, f, Sort{}).Finish().Len())
	for _, view := range BuiltinViews() {
		filter, sort, err := view.Parse()
		require.NoError(t, err)
		want, ok := view.Count(s.Counters)
		require.True(t, ok)
		if view.Pane == PaneWorkers {
			require.Equal(t, want, BuildWorkers(s, filter, sort).Finish().Len(), view.Name)
		} else {
			require.Equal(t, want, BuildTasks(s, filter, sort).Finish().Len(), view.Name)
		}
	}
	_, known := SavedView{Name: "mine", Pane: PaneTasks, Filter: "open"}.Count(s.Counters)
	require.False(t, known)
	_, _, err = SavedView{Name: "old", Pane: PaneTasks, Filter: "colour:red"}.Parse()
	require.ErrorContains(t, err, `view "old"`)
}

func TestParseSort(t *testing.T) {
	for _, pane := range []Pane{PaneTasks, PaneWorkers, PaneOrders, PaneDelays} {
		for i, column := range SortColumns(pane) {
			for _, desc := range []bool{false, true} {
				sort := Sort{column, desc}
				if i == 0 && !desc {
					sort = Sort{}
				}
				parsed, err := ParseSort(pane, sort.String())
				require.NoError(t, err)
				require.Equal(t, sort, parsed)
			}
		}
	}
	_, err := ParseSort(PaneTasks, "adddress")
	require.EqualError(t, err, `cannot sort tasks by "adddress"; did you mean address?`)
	_, err = ParseSort(PaneTasks, "qqqqqqqq")
	require.ErrorContains(t, err, "choose one of urgency, task")
}
