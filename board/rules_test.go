package board

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
)

func assigned(n, worker int, modified model.Millis) model.Task {
	return model.Task{ID: testID('k', n), State: model.TaskAssigned, Worker: model.Some(testID('w', worker)), TimeLastModified: modified}
}

// An answer that was asked for before a local write cannot know of it.
func TestAnswersOlderThanAWriteAreDropped(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	b.Apply(Change{Tasks: []model.Task{assigned(1, 1, noon)}})
	poll := b.Stamp()
	b.MarkWritten(testID('k', 1))
	s, d := b.Apply(Change{Requested: poll, Tasks: []model.Task{assigned(1, 2, noon+1)}})
	require.Equal(t, []model.ID{testID('k', 1)}, d.Refetch)
	require.Equal(t, testID('w', 1), s.Tasks.Get(testID('k', 1)).Worker)

	// Asked while the write was under way; the write's own answer comes first and holds.
	poll = b.Stamp()
	s, _ = b.Apply(Change{IsWrite: true, Tasks: []model.Task{assigned(1, 3, noon+2)}})
	require.Equal(t, testID('w', 3), s.Tasks.Get(testID('k', 1)).Worker)
	s, d = b.Apply(Change{Requested: poll, Tasks: []model.Task{assigned(1, 2, noon+2)}})
	require.Equal(t, []model.ID{testID('k', 1)}, d.Refetch)
	require.Equal(t, testID('w', 3), s.Tasks.Get(testID('k', 1)).Worker)

	// What is asked from now on counts, unless the service tells of an older state.
	s, d = b.Apply(Change{Requested: b.Stamp(), Tasks: []model.Task{assigned(1, 4, noon+3)}})
	require.Empty(t, d.Refetch)
	require.Equal(t, testID('w', 4), s.Tasks.Get(testID('k', 1)).Worker)
	s, d = b.Apply(Change{Requested: b.Stamp(), Tasks: []model.Task{assigned(1, 1, noon)}})
	require.True(t, d.Empty())
	require.Equal(t, testID('w', 4), s.Tasks.Get(testID('k', 1)).Worker)
}

// A page that was under way while its task was deleted must not bring it back.
// Only tasks are asked for one by one: whoever would ask for a worker as a task would be told that there is no such thing.
func TestOnlyTasksAreAskedForAgain(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	worker, asked := onDuty(func(*model.Worker) {}), b.Stamp()
	b.Apply(Change{Workers: []model.Worker{worker}})
	b.MarkWritten(worker.ID)
	worker.Name = "as it was"
	s, d := b.Apply(Change{Requested: asked, Workers: []model.Worker{worker}})
	require.Empty(t, d.Refetch)
	require.Equal(t, "Dayo Okafor", s.Workers.Get(worker.ID).Name)
}

func TestRemovedStaysRemoved(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	b.Apply(Change{Tasks: []model.Task{assigned(1, 1, noon)}})
	page := b.Stamp()
	s, d := b.Apply(Change{Requested: b.Stamp(), Removed: []model.ID{testID('k', 1)}})
	require.Equal(t, []RowDelta{{ID: testID('k', 1), Kind: RowRemoved}}, d.Tasks)
	require.Zero(t, s.Tasks.Len())
	s, _ = b.Apply(Change{Requested: page, Tasks: []model.Task{assigned(1, 1, noon)}})
	require.Zero(t, s.Tasks.Len())
	s, _ = b.Apply(Change{Requested: b.Stamp(), Tasks: []model.Task{assigned(1, 1, noon)}})
	require.Equal(t, 1, s.Tasks.Len(), "asked afterwards: it is there after all")
}

func TestSweep(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	old := assigned(3, 1, noon)
	old.TimeCreated = noon.Add(-48 * time.Hour)
	done := model.Task{ID: testID('k', 4), State: model.TaskCompleted, TimeCreated: noon}
	young := func(n int) model.Task {
		t := assigned(n, 1, noon)
		t.TimeCreated = noon
		return t
	}
	b.Apply(Change{Requested: b.Stamp(), Tasks: []model.Task{young(1), young(2), old, done}})
	began := b.Stamp()
	b.Apply(Change{Requested: began, Tasks: []model.Task{young(1)}})
	b.Apply(Change{Tasks: []model.Task{young(5)}}) // created while the walk went on
	s, d := b.Apply(Change{Requested: b.Stamp(), Sweeps: []Sweep{{List: SweepOpenTasks, Started: began, From: noon.Add(-time.Hour)}}})
	require.Equal(t, []RowDelta{{ID: testID('k', 2), Kind: RowRemoved}}, d.Tasks)
	for n, there := range map[int]bool{1: true, 2: false, 3: true, 4: true, 5: true} {
		require.Equal(t, there, s.Tasks.Has(testID('k', n)), "%d", n)
	}
	b.Apply(Change{
		Requested: b.Stamp(), Workers: []model.Worker{{ID: testID('w', 1)}}, Teams: []model.Team{{ID: testID('t', 1)}},
		Hubs: []model.Hub{{ID: testID('h', 1)}}, Templates: []model.Template{{ID: testID('m', 1)}}, Orders: []model.Order{{ID: testID('o', 1)}},
	})
	began = b.Stamp()
	s, d = b.Apply(Change{Requested: began, Sweeps: []Sweep{
		{List: SweepWorkers, Started: began},
		{List: SweepTeams, Started: began},
		{List: SweepHubs, Started: began},
		{List: SweepTemplates, Started: began},
		{List: SweepOrders, Started: began},
	}})
	require.Zero(t, s.Workers.Len()+s.Teams.Len()+s.Hubs.Len()+s.Templates.Len()+s.Orders.Len())
	require.Len(t, d.Workers, 1)
	require.Zero(t, s.Counters.Off)
}

// Names come after the rows that show them, and change.
func TestNamesReachRows(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	free := model.Task{ID: testID('k', 2), Container: model.Some(model.TeamContainer(testID('t', 1)))}
	b.Apply(Change{Tasks: []model.Task{assigned(1, 1, noon), free}})
	s, d := b.Apply(Change{
		Workers: []model.Worker{{ID: testID('w', 1), Name: "Dayo", Teams: []model.ID{testID('t', 1)}}},
		Teams:   []model.Team{{ID: testID('t', 1), Name: "North"}},
	})
	require.Equal(t, "Dayo", s.Tasks.Get(testID('k', 1)).WorkerName)
	require.Equal(t, "North", s.Tasks.Get(testID('k', 2)).TeamName)
	require.Equal(t, "North", s.Workers.Get(testID('w', 1)).TeamNames)
	require.Len(t, d.Tasks, 2)
	s, _ = b.Apply(Change{Teams: []model.Team{{ID: testID('t', 1), Name: "Nord"}}})
	require.Equal(t, "Nord", s.Tasks.Get(testID('k', 2)).TeamName)
	require.Equal(t, "Nord", s.Workers.Get(testID('w', 1)).TeamNames)
	f := mustFilter(t, PaneTasks, "nord")
	require.True(t, TaskRows().Match(f)(s.Tasks.Get(testID('k', 2)), noon), "the new name can be searched")
	s, _ = b.Apply(Change{Removed: []model.ID{testID('w', 1)}})
	require.Equal(t, "Dayo", s.Tasks.Get(testID('k', 1)).WorkerName, "a name outlives its worker's row")
}

func TestTaskRowTexts(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	task := model.Task{
		ID: testID('k', 1), Notes: "  Ring\n twice\t" + strings.Repeat("é", 200), State: 9,
		Destination: model.Embedded(model.Destination{ID: testID('d', 1), Address: model.Address{
			Name: model.Some("City Hall"), Number: "1", Street: "Main St", Apartment: "#4", City: "Bay",
		}}),
		Recipients: []model.IDOr[model.Recipient]{model.Embedded(model.Recipient{Name: "Ann", Phone: "+1"})},
		Overrides:  model.TaskOverrides{RecipientName: model.Some("Gift for Bo")},
	}
	s, _ := b.Apply(Change{Tasks: []model.Task{task}})
	row := s.Tasks.Get(task.ID)
	require.Equal(t, "City Hall, 1 Main St #4, Bay", row.Address)
	require.Equal(t, "Gift for Bo", row.RecipientName)
	require.True(t, strings.HasPrefix(row.Notes, "Ring twice é"))
	require.LessOrEqual(t, len(row.Notes), notesHead)
	require.Equal(t, "state 9", row.StatusText())
	require.False(t, row.HasLocation, "nowhere is not a place")
	require.Equal(t, Counters{}, s.Counters, "an unknown state is counted as none of the known ones")

	// The same task by ids alone keeps what is known of them.
	task.Destination, task.Recipients = model.ByID[model.Destination](testID('d', 1)), []model.IDOr[model.Recipient]{model.ByID[model.Recipient](testID('r', 1))}
	s, d := b.Apply(Change{Tasks: []model.Task{task}})
	require.True(t, d.Empty())
	require.Same(t, row, s.Tasks.Get(task.ID), "nothing changed, nothing is copied")

	task.Destination = model.Embedded(model.Destination{Address: model.Address{Unparsed: model.Some("somewhere, 12345")}})
	s, _ = b.Apply(Change{Tasks: []model.Task{task}})
	require.Equal(t, "somewhere, 12345", s.Tasks.Get(task.ID).Address)
}

// An ETA counts from the answer; its instant must not tremble from poll to poll.
func TestArrivalIsSteady(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	task := model.Task{ID: testID('k', 1), State: model.TaskActive, ETA: model.Some(model.Seconds(600))}
	s, _ := b.Apply(Change{ReceivedAt: noon, Tasks: []model.Task{task}})
	require.Equal(t, noon.Add(10*time.Minute), s.Tasks.Get(task.ID).Arrival)
	task.ETA = model.Some(model.Seconds(595))
	_, d := b.Apply(Change{ReceivedAt: noon.Add(10 * time.Second), Tasks: []model.Task{task}})
	require.True(t, d.Empty(), "five seconds later is the same arrival")
	task.ETA = model.Some(model.Seconds(900))
	s, d = b.Apply(Change{ReceivedAt: noon.Add(20 * time.Second), Tasks: []model.Task{task}})
	require.Equal(t, []RowDelta{{task.ID, RowChanged, FieldArrival}}, d.Tasks)
	require.Equal(t, noon.Add(20*time.Second+15*time.Minute), s.Tasks.Get(task.ID).Finish)
}

func TestRoutesAndContainers(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	b.Apply(Change{
		Workers: []model.Worker{{
			ID: testID('w', 1), ActiveTask: model.Some(testID('k', 1)), Tasks: []model.ID{testID('k', 2), testID('k', 3)}, OnDuty: true,
		}},
		Teams: []model.Team{{ID: testID('t', 1)}},
		Tasks: []model.Task{assigned(1, 1, noon), assigned(2, 1, noon)},
	})
	s, d := b.Apply(Change{Containers: []model.Container{
		{Type: model.ContainerWorker, Worker: model.Some(testID('w', 1)), Tasks: []model.ID{testID('k', 3), testID('k', 2)}},
		{Type: model.ContainerTeam, Team: model.Some(testID('t', 1)), Tasks: []model.ID{testID('k', 7)}},
		{Type: model.ContainerWorker, Worker: model.Some(testID('w', 99)), Tasks: []model.ID{testID('k', 3)}},
	}})
	require.Equal(t, []RowDelta{{testID('w', 1), RowChanged, FieldRoute}}, d.Workers)
	require.Equal(t, []model.ID{testID('k', 7)}, s.Teams.Get(testID('t', 1)).Tasks)
	w := s.Workers.Get(testID('w', 1))
	route := s.Route(w)
	require.Equal(t, []Stop{
		{0, testID('k', 1), s.Tasks.Get(testID('k', 1)), true},
		{1, testID('k', 3), nil, false},
		{2, testID('k', 2), s.Tasks.Get(testID('k', 2)), false},
	}, route)
	require.Equal(t, 2, s.RoutePosition(s.Tasks.Get(testID('k', 2))))
	require.Equal(t, 0, s.RoutePosition(s.Tasks.Get(testID('k', 1))))
	require.Equal(t, -1, s.RoutePosition(&TaskRow{ID: testID('k', 5)}))
}

func TestLinkedTasks(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	order := model.Some(model.ShortID("18fa03cc"))
	s, _ := b.Apply(Change{Tasks: []model.Task{
		{ID: testID('k', 1), PickupTask: true, OrderShortID: order},
		{ID: testID('k', 2), Dependencies: []model.ID{testID('k', 1)}, OrderShortID: order},
		{ID: testID('k', 3), Dependencies: []model.ID{testID('k', 2), testID('k', 77)}},
		{ID: testID('k', 4), OrderShortID: order},
	}})
	row := func(n int) *TaskRow { return s.Tasks.Get(testID('k', n)) }
	require.Equal(t, []LinkedTask{
		{testID('k', 1), row(1), LinkedBefore}, {testID('k', 3), row(3), LinkedAfter}, {testID('k', 4), row(4), LinkedOrder},
	}, s.LinkedTasks(row(2)))
	require.Equal(t, []LinkedTask{{testID('k', 2), row(2), LinkedBefore}, {testID('k', 77), nil, LinkedBefore}}, s.LinkedTasks(row(3)))
	require.Equal(t, []LinkedTask{{testID('k', 1), row(1), LinkedOrder}, {testID('k', 2), row(2), LinkedOrder}}, s.LinkedTasks(row(4)))
	s, _ = b.Apply(Change{Removed: []model.ID{testID('k', 2)}})
	require.Equal(t, []LinkedTask{{testID('k', 4), row(4), LinkedOrder}}, s.LinkedTasks(row(1)))
}

func TestHighlights(t *testing.T) {
	var h Highlights
	one, two := testID('k', 1), testID('k', 2)
	h.Add([]RowDelta{{ID: two, Kind: RowAdded}, {ID: one, Kind: RowChanged, Fields: FieldStatus}})
	fields, added := h.Get(one)
	require.Equal(t, FieldStatus, fields)
	require.False(t, added)
	_, added = h.Get(two)
	require.True(t, added)
	h.NextRound()
	h.Add([]RowDelta{{ID: one, Kind: RowChanged, Fields: FieldWorker}})
	fields, _ = h.Get(one)
	require.Equal(t, FieldStatus|FieldWorker, fields)
	h.NextRound()
	_, added = h.Get(two)
	require.False(t, added, "two polls are over")
	h.Add([]RowDelta{{ID: one, Kind: RowRemoved}})
	require.Zero(t, h.Len())
}

func TestKnownRecipientsAndPlaces(t *testing.T) {
	b, _ := boardOf(200, 5)
	s := b.Snapshot()
	require.Len(t, s.KnownRecipients("recipient", 7), 7)
	require.Equal(t, []KnownRecipient{{"Recipient Number 42", "+16280000042"}}, s.KnownRecipients("0000042", 7))
	require.Empty(t, s.KnownRecipients("howard", 7), "an address is not a recipient")
	places := s.KnownDestinations("howard", 500)
	seen := map[string]bool{}
	for _, p := range places {
		require.False(t, seen[p.Address])
		require.True(t, p.HasLocation)
		seen[p.Address] = true
	}
	require.NotEmpty(t, places)
}

func TestSettingsDecideRiskAndSilence(t *testing.T) {
	usual, c := boardOf(400, 50)
	settings := DefaultSettings()
	settings.AtRisk, settings.Silent = 3*time.Hour, time.Minute
	b := NewBoard(settings, noon)
	b.Apply(Change{Teams: c.teams, Workers: c.workers})
	s, _ := b.Apply(Change{Tasks: c.tasks(400)})
	require.Greater(t, s.Counters.AtRisk, usual.Snapshot().Counters.AtRisk)
	require.Greater(t, s.Counters.Silent, usual.Snapshot().Counters.Silent)
}

// Snapshots and views are read by others while the board goes on; the race detector watches this one.
func TestSnapshotsAreShared(t *testing.T) {
	b, c := boardOf(2000, 20)
	var wait sync.WaitGroup
	for round := range 20 {
		s := b.Snapshot()
		wait.Go(func() {
			view := BuildTasks(s, mustFilter(t, PaneTasks, "howard"), Sort{Column: "worker"}).Finish()
			if view.Len() != 2000 {
				t.Errorf("round %d: %d rows", round, view.Len())
			}
			s.TriageQueue(20)
			s.Candidates(view.At(0), 5)
		})
		b.Apply(Change{Tasks: spread(c, 2000, true, round)})
		b.Tick(noon.Add(time.Duration(round) * time.Minute))
	}
	wait.Wait()
}

func TestExport(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	hostile := troubled(func(t *model.Task) {
		t.Notes, t.Quantity = "=cmd|'/c calc'!A0", 1.5
		t.Destination.Object.Address = model.Address{Unparsed: model.Some(`@SUM(1+1), "quoted"`)}
		t.TimeLastModified = noon
	})
	s, _ := b.Apply(Change{
		Tasks:   []model.Task{hostile, {ID: testID('k', 1), State: model.TaskCompleted, CompletionDetails: model.CompletionDetails{Time: model.Some(noon)}}},
		Workers: []model.Worker{onDuty(func(w *model.Worker) { w.Name = "+Dayo" })},
		Orders:  []model.Order{{ID: testID('o', 1), ShortID: "18fa03cc", ClientName: model.Some("Florist Co"), Price: model.Some(14.2), Currency: model.Some("USD")}},
	})
	tasks := BuildTasks(s, Filter{}, Sort{Column: "task"}).Finish()
	workers := BuildWorkers(s, Filter{}, Sort{}).Finish()
	orders := BuildOrders(s, Filter{}, Sort{}).Finish()
	for _, format := range []ExportFormat{ExportCSV, ExportJSON} {
		var out bytes.Buffer
		require.NoError(t, TaskRows().Export(&out, format, tasks.All(), s.Now, time.UTC))
		require.NoError(t, WorkerRows().Export(&out, format, workers.All(), s.Now, time.UTC))
		require.NoError(t, OrderRows().Export(&out, format, orders.All(), s.Now, time.UTC))
		requireGolden(t, "export."+string(format), out.Bytes())
	}
	require.ErrorContains(t, TaskRows().Export(&bytes.Buffer{}, "xml", tasks.All(), s.Now, time.UTC), "choose csv or json")
	empty := BuildTasks(s, mustFilter(t, PaneTasks, "zebra"), Sort{}).Finish()
	var out bytes.Buffer
	require.NoError(t, TaskRows().Export(&out, ExportJSON, empty.All(), s.Now, time.UTC))
	require.Equal(t, "[]\n", out.String())
	var list []map[string]any
	out.Reset()
	require.NoError(t, TaskRows().Export(&out, ExportJSON, tasks.All(), s.Now, time.UTC))
	require.NoError(t, model.Unmarshal(out.Bytes(), &list))
	require.Len(t, list, 2)
}

func requireGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(path, got, 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// A task that someone has is in no team's list, and still of their team.
func TestTeamOfAnAssignedTask(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	north, south := model.Team{ID: testID('t', 1), Name: "North"}, model.Team{ID: testID('t', 2), Name: "South"}
	ada := model.Worker{ID: testID('w', 1), Name: "Ada", OnDuty: true, Teams: []model.ID{north.ID}}
	tasks := []model.Task{
		{ID: testID('k', 1), State: model.TaskAssigned, Worker: model.Some(ada.ID)},
		{ID: testID('k', 2), State: model.TaskUnassigned, Container: model.Some(model.TeamContainer(south.ID))},
		{ID: testID('k', 3), State: model.TaskUnassigned},
	}
	found := func(s *Snapshot, text string) (ids []model.ID) {
		filter, err := ParseFilter(PaneTasks, text)
		require.NoError(t, err)
		for row := range BuildTasks(s, filter, Sort{Column: "task"}).Finish().All() {
			ids = append(ids, row.ID)
		}
		return ids
	}
	// In whichever order the answers come.
	b.Apply(Change{Tasks: tasks})
	b.Apply(Change{Workers: []model.Worker{ada}})
	s, _ := b.Apply(Change{Teams: []model.Team{north, south}})
	require.Equal(t, []model.ID{testID('k', 1)}, found(s, "team:north"))
	require.Equal(t, []model.ID{testID('k', 2)}, found(s, "team:south"))
	require.Equal(t, []model.ID{testID('k', 3)}, found(s, "team:none"))
	require.Equal(t, "North", s.Tasks.Get(testID('k', 1)).TeamName)

	ada.Teams = []model.ID{north.ID, south.ID}
	s, _ = b.Apply(Change{Workers: []model.Worker{ada}})
	require.Equal(t, []model.ID{testID('k', 1), testID('k', 2)}, found(s, "team:south"))
	north.Name = "Hills"
	s, _ = b.Apply(Change{Teams: []model.Team{north}})
	require.Empty(t, found(s, "team:north"))
	require.Equal(t, []model.ID{testID('k', 1)}, found(s, "team:hills"))
}

// Who has stops in hand is not idle, started or not.
func TestIdleIsWhoHasNothingToDo(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	worker := func(n int, bend func(*model.Worker)) model.Worker {
		w := model.Worker{ID: testID('w', n), Name: "Ada", OnDuty: true, TimeLastSeen: in(0)}
		bend(&w)
		return w
	}
	s, _ := b.Apply(Change{Workers: []model.Worker{
		worker(1, func(*model.Worker) {}),
		worker(2, func(w *model.Worker) { w.Tasks = []model.ID{testID('k', 1)} }),
		worker(3, func(w *model.Worker) { w.ActiveTask = model.Some(testID('k', 2)) }),
		worker(4, func(w *model.Worker) { w.Tasks, w.TimeLastSeen = []model.ID{testID('k', 3)}, in(-60) }),
		worker(5, func(w *model.Worker) { w.OnDuty = false }),
	}})
	require.Equal(t, Counters{Idle: 1, Busy: 2, Silent: 1, Off: 1}, s.Counters)
	waiting, err := ParseFilter(PaneWorkers, "waiting")
	require.NoError(t, err)
	require.True(t, WorkerRows().Match(waiting)(s.Workers.Get(testID('w', 2)), noon))
	require.False(t, WorkerRows().Match(waiting)(s.Workers.Get(testID('w', 3)), noon))
}

// An order is as urgent as the worse of its tasks, and follows them as time goes by.
func TestOrdersWorstFirst(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	order := func(n int, status model.OrderStatus, due int) model.Order {
		short := model.ShortID(testID('o', n)[16:])
		return model.Order{
			ID: testID('o', n), ShortID: short, Status: status,
			PickupTask:  model.Task{ID: testID('p', n), State: model.TaskAssigned, OrderShortID: model.Some(short), CompleteBefore: in(due - 20)},
			DropoffTask: model.Task{ID: testID('d', n), State: model.TaskAssigned, OrderShortID: model.Some(short), CompleteBefore: in(due)},
		}
	}
	orders := []model.Order{
		order(1, model.OrderUnassigned, 21*60), order(2, model.OrderAssigned, 300), order(3, model.OrderActive, 10), order(4, model.OrderAssigned, 70),
	}
	s, _ := b.Apply(Change{Orders: orders, Tasks: []model.Task{orders[1].PickupTask, orders[1].DropoffTask, orders[3].PickupTask}})
	sorted := func(s *Snapshot) (ids []model.ID) {
		open, err := ParseFilter(PaneOrders, "open")
		require.NoError(t, err)
		for row := range BuildOrders(s, open, Sort{}).Finish().All() {
			ids = append(ids, row.ID)
		}
		return ids
	}
	require.Equal(t, []model.ID{testID('o', 3), testID('o', 1), testID('o', 4), testID('o', 2)}, sorted(s))
	require.Equal(t, RiskLate, s.Orders.Get(testID('o', 3)).Risk, "told by the order alone")

	late := orders[1].DropoffTask
	late.EstimatedCompletionTime = in(330)
	s, d := b.Apply(Change{Tasks: []model.Task{late}})
	require.Equal(t, RiskLate, s.Orders.Get(testID('o', 2)).Risk)
	require.Equal(t, []RowDelta{{testID('o', 2), RowChanged, FieldRisk}}, d.Orders)
	require.Equal(t, []model.ID{testID('o', 3), testID('o', 2), testID('o', 1), testID('o', 4)}, sorted(s))
	s, _ = b.Tick(noon.Add(minutes(51)))
	require.Equal(t, RiskLate, s.Orders.Get(testID('o', 4)).Risk, "its pickup's window ended")
	s, _ = b.Apply(Change{Removed: []model.ID{late.ID}})
	require.Equal(t, RiskOK, s.Orders.Get(testID('o', 2)).Risk, "what the order itself says of a task that is gone")
}

func TestStanding(t *testing.T) {
	at := func(n int) model.Millis { return noon.Add(minutes(n)) }
	for want, row := range map[string]TaskRow{
		"42m overdue":  {Due: at(-42)},
		"55m overdue":  {Due: at(-42), Arrival: at(13)},
		"19m late":     {Due: at(10), Arrival: at(29)},
		"5m spare":     {Due: at(10), Arrival: at(5)},
		"due in 36m":   {Due: at(36)},
		"due in 21h":   {Due: at(21*60 + 5)},
		"9h59 overdue": {Due: at(-599)},
		"2d overdue":   {Due: at(-2*24*60 - 90)},
		"<1m spare":    {Due: at(1) - 1, Arrival: at(0)},
		"7m late":      {Delay: minutes(7)},
		"":             {},
	} {
		require.Equal(t, want, row.LatenessText(noon))
		require.LessOrEqual(t, len(want), len("9h59 overdue"), "a column has room for it")
	}
	require.Empty(t, (&TaskRow{Due: at(-5), Status: StatusDone}).LatenessText(noon))
}
