package board

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
)

// A load is what is aboard at once: a parcel that is picked up and dropped off on the way counts once, and what was
// dropped off makes room.
func TestLoadIsWhatIsAboardAtOnce(t *testing.T) {
	worker := testID('w', 1)
	stop := func(n int, quantity float64, pickup bool, needs ...model.ID) model.Task {
		return model.Task{ID: testID('k', n), State: model.TaskAssigned, Worker: model.Some(worker), Quantity: quantity, PickupTask: pickup, Dependencies: needs}
	}
	for name, c := range map[string]struct {
		tasks []model.Task
		most  float64
	}{
		"nothing":                     {nil, 0},
		"two drop-offs":               {[]model.Task{stop(1, 3, false), stop(2, 4, false)}, 7},
		"picked up and dropped off":   {[]model.Task{stop(1, 5, true), stop(2, 5, false, testID('k', 1))}, 5},
		"one pair after the other":    {[]model.Task{stop(1, 5, true), stop(2, 5, false, testID('k', 1)), stop(3, 5, true), stop(4, 5, false, testID('k', 3))}, 5},
		"both picked up first":        {[]model.Task{stop(1, 5, true), stop(3, 4, true), stop(2, 5, false, testID('k', 1)), stop(4, 4, false, testID('k', 3))}, 9},
		"room before the pickup":      {[]model.Task{stop(1, 6, false), stop(2, 5, true)}, 6},
		"pickup while still aboard":   {[]model.Task{stop(1, 5, true), stop(2, 6, false)}, 11},
		"its pickup is somebody's":    {[]model.Task{stop(2, 5, false, testID('k', 7)), stop(3, 1, false)}, 6},
		"the active one counts once ": {[]model.Task{stop(1, 3, false), stop(2, 4, false)}, 7},
	} {
		b := NewBoard(DefaultSettings(), noon)
		w := model.Worker{ID: worker, OnDuty: true, Capacity: 10}
		for i := range c.tasks {
			w.Tasks = append(w.Tasks, c.tasks[i].ID)
		}
		if strings.HasPrefix(name, "the active") {
			w.ActiveTask = model.Some(c.tasks[0].ID)
		}
		s, _ := b.Apply(Change{Tasks: c.tasks, Workers: []model.Worker{w}})
		require.InDelta(t, c.most, s.LoadOf(s.Workers.Get(worker)).Quantity, 1e-9, name)
	}
}

func TestCandidates(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	at := func(lon float64) model.Opt[model.Location] { return model.Some(model.Location{Lon: lon, Lat: 37.78}) }
	worker := func(n int, bend func(*model.Worker)) model.Worker {
		w := model.Worker{
			ID: testID('w', n), OnDuty: true, TimeLastSeen: in(0), Location: at(-122.41), Capacity: 10,
			Vehicle: model.Some(model.Vehicle{Type: model.VehicleCar}), Teams: []model.ID{testID('t', 1)},
		}
		bend(&w)
		return w
	}
	s, _ := b.Apply(Change{
		Teams: []model.Team{{ID: testID('t', 1), Name: "North"}},
		Tasks: []model.Task{
			troubled(func(t *model.Task) {
				t.State, t.Worker, t.Quantity, t.CompleteBefore = model.TaskUnassigned, model.Null[model.ID](), 3, in(60)
				t.Container = model.Some(model.TeamContainer(testID('t', 1)))
			}),
			{
				ID: testID('k', 1), State: model.TaskAssigned, Worker: model.Some(testID('w', 3)), Quantity: 8, EstimatedCompletionTime: in(8),
				Destination: model.Embedded(model.Destination{Location: model.Location{Lon: -122.41, Lat: 37.78}}),
			},
		},
		Workers: []model.Worker{
			worker(1, func(*model.Worker) {}),
			worker(2, func(w *model.Worker) { w.Location = at(-122.49) }),
			worker(3, func(w *model.Worker) { w.Tasks = []model.ID{testID('k', 1)} }),
			worker(4, func(w *model.Worker) { w.TimeLastSeen = in(-11) }),
			worker(5, func(w *model.Worker) { w.OnDuty = false }),
			worker(6, func(w *model.Worker) { w.Teams, w.DelayTime = nil, model.Some(model.Seconds(720)) }),
			worker(7, func(w *model.Worker) { w.Location = model.Null[model.Location]() }),
			worker(8, func(w *model.Worker) { w.Vehicle = model.Some(model.Vehicle{Type: model.VehicleBicycle}) }),
		},
	})
	task := s.Tasks.Get(testID('k', 9))
	var got []string
	for _, c := range s.Candidates(task, 10) {
		got = append(got, string(c.Worker.ID[23:])+": "+c.Arrival.ArrivalText(time.UTC)+", "+c.ReasonText())
	}
	require.Equal(t, []string{
		"1: there 12:02, on time, 880 m away, idle, carries 0 of 10",
		"8: there 12:04, on time, 880 m away, by bicycle, idle, carries 0 of 10",
		"2: there 12:20, on time, 7.9 km away, idle, carries 0 of 10",
		"7: arrival unknown, distance unknown, idle, carries 0 of 10",
		"4: there 12:02, on time, silent 11m, 880 m away, carries 0 of 10",
		"6: there 12:02, on time, not in North, 880 m away, idle, carries 0 of 10",
		"3: there 12:10, on time, not enough capacity: 2 free, 3 needed, 880 m from the last stop, 1 stop before it",
	}, got)
	require.Len(t, s.Candidates(task, 2), 2)
	require.False(t, s.Candidates(task, 10)[6].Fits)
	require.True(t, slices.ContainsFunc(s.Candidates(s.Tasks.Get(testID('k', 1)), 10), func(c Candidate) bool {
		return c.HasTask && c.Worker.ID == testID('w', 3)
	}))
}

// Whoever has the task is the measure of the others, and all are measured as the board measures lateness: by when the
// task would be done.
func TestCandidatesAreComparedWithWhoHasIt(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	worker := func(n int, km float64, stops ...model.ID) model.Worker {
		return model.Worker{
			ID: testID('w', n), OnDuty: true, TimeLastSeen: in(0), Location: model.Some(east(km)),
			Vehicle: model.Some(model.Vehicle{Type: model.VehicleCar}), Tasks: stops,
		}
	}
	change := Change{
		Tasks: []model.Task{{
			ID: testID('k', 9), State: model.TaskAssigned, Worker: model.Some(testID('w', 1)), CompleteBefore: in(-30),
			EstimatedArrivalTime: in(10), EstimatedCompletionTime: in(15), Destination: model.Embedded(model.Destination{Location: east(0)}),
		}},
		Workers: []model.Worker{worker(1, 4, testID('k', 9)), worker(2, 12), worker(3, 20)},
	}
	lines := func(limit int) (got []string, s *Snapshot) {
		s, _ = b.Apply(change)
		for _, c := range s.Candidates(s.Tasks.Get(testID('k', 9)), limit) {
			got = append(got, string(c.Worker.ID[23:])+": "+c.Arrival.ArrivalText(time.UTC)+", "+c.GainText())
		}
		return got, s
	}
	got, s := lines(9)
	require.Equal(t, []string{
		"1: there 12:10, 40m late, has it now", "2: there 12:25, 55m late, 15m worse", "3: there 12:33, 1h03 late, 23m worse",
	}, got)
	task := s.Tasks.Get(testID('k', 9))
	require.Equal(t, 40*time.Minute, task.Lateness(noon), "the number on the board")
	require.True(t, s.NobodyBetter(task))
	require.Equal(t, "stop 1 of 1", s.Candidates(task, 1)[0].ReasonText())

	change.Workers[2] = worker(3, 1)
	got, s = lines(9)
	require.Equal(t, "3: there 12:03, 33m late, 7m better", got[0])
	require.False(t, s.NobodyBetter(s.Tasks.Get(testID('k', 9))))
	got, _ = lines(1)
	require.Equal(t, []string{"1: there 12:10, 40m late, has it now"}, got, "the measure is never left out")

	change.Tasks[0].EstimatedArrivalTime, change.Tasks[0].EstimatedCompletionTime = model.Null[model.Millis](), model.Null[model.Millis]()
	got, _ = lines(9)
	require.Equal(t, []string{"3: there 12:03, 33m late, 9m better", "1: there 12:12, 42m late, has it now"}, got[:2], "without a word of the service")

	change.Workers[0].Location = model.Null[model.Location]()
	got, s = lines(9)
	require.Contains(t, got, "3: there 12:03, 33m late, ", "nothing to compare with")
	require.False(t, s.NobodyBetter(s.Tasks.Get(testID('k', 9))))

	change.Tasks[0].EstimatedArrivalTime, change.Tasks[0].EstimatedCompletionTime = in(1), in(1)
	_, s = lines(9)
	require.True(t, s.NobodyBetter(s.Tasks.Get(testID('k', 9))))
	change.Workers[0].OnDuty = false
	_, s = lines(9)
	require.False(t, s.NobodyBetter(s.Tasks.Get(testID('k', 9))))
}

func TestNearest(t *testing.T) {
	b, _ := boardOf(0, 50)
	s := b.Snapshot()
	here := model.Location{Lon: -122.4, Lat: 37.75}
	near := s.NearestWorkers(here, 20)
	require.Len(t, near, 20)
	for i, n := range near {
		require.True(t, n.Worker.OnDuty)
		require.InDelta(t, here.MetersTo(n.Worker.Location), n.Distance, 1e-6)
		require.InEpsilon(t, n.Distance, newFlatPlane(here).meters(n.Worker.Location), 0.001)
		if i > 0 {
			require.GreaterOrEqual(t, n.Distance, near[i-1].Distance)
		}
	}
	for point, to := range map[string]model.Location{
		"N": {Lon: -122.4, Lat: 38}, "E": {Lon: -122, Lat: 37.75}, "S": {Lon: -122.4, Lat: 37}, "W": {Lon: -123, Lat: 37.75}, "NE": {Lon: -122.1, Lat: 38}, "SW": {Lon: -122.7, Lat: 37.5},
	} {
		require.Equal(t, point, CompassPoint(here.Bearing(to)))
	}
}
