package board

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
)

// east is a place so many kilometres east of the middle of the tests' city.
func east(km float64) model.Location { return model.Location{Lon: -122.4 + km/87.9, Lat: 37.78} }

func TestEstimateArrival(t *testing.T) {
	due := func(from, to int) *TaskRow {
		row := &TaskRow{ID: testID('k', 1), Location: east(0), HasLocation: true, Due: noon.Add(minutes(to)), Service: minutes(5)}
		if from != 0 {
			row.Earliest = noon.Add(minutes(from))
		}
		return row
	}
	car := func(km float64) *WorkerRow {
		return &WorkerRow{Vehicle: model.VehicleCar, Location: east(km), HasLocation: true}
	}
	known := func(id, finish int, km float64) Stop {
		return Stop{ID: testID('s', id), Row: &TaskRow{
			ID: testID('s', id), Arrival: noon.Add(minutes(finish - 4)), Finish: noon.Add(minutes(finish)), Location: east(km), HasLocation: true,
		}}
	}
	for name, c := range map[string]struct {
		worker *WorkerRow
		route  []Stop
		first  []*TaskRow
		task   *TaskRow
		text   string
		way    string
	}{
		"idle and near": {worker: car(2), task: due(0, 30), text: "there 12:06, on time", way: "2.0 km away"},
		"on foot":       {worker: &WorkerRow{Location: east(2), HasLocation: true}, task: due(0, 29), text: "there 12:30, 1m late", way: "2.0 km away"},
		"there in time is in time, as on the board": {
			worker: car(2), task: due(0, 8), text: "there 12:06, on time", way: "2.0 km away",
		},
		"too early waits": {worker: car(2), task: due(60, 66), text: "there 12:06, on time", way: "2.0 km away"},
		"too early for a short window": {
			worker: car(2), task: due(60, 63), text: "there 12:06, on time", way: "2.0 km away",
		},
		"from the last stop, not from where they are": {
			worker: car(0.1), route: []Stop{known(1, 20, 8), known(2, 120, 2)}, task: due(0, 60),
			text: "there 14:06, 1h06 late", way: "2.0 km from the last stop",
		},
		"an estimate that has passed counts as now": {
			worker: car(0), route: []Stop{known(1, -50, 2)}, task: due(0, 60), text: "there 12:06, on time", way: "2.0 km from the last stop",
		},
		"stops without an estimate take time too": {
			worker: car(2), route: []Stop{
				{ID: testID('s', 1), Row: &TaskRow{Location: east(2), HasLocation: true, Service: minutes(10)}},
				{ID: testID('s', 2), Row: &TaskRow{Location: east(2), HasLocation: true, Earliest: noon.Add(minutes(30))}},
				{ID: testID('s', 3)},
			},
			task: due(0, 120), text: "there 12:47, on time", way: "2.0 km from the last stop",
		},
		"told when they arrive, not when they are done": {
			worker: car(2), task: due(0, 60), route: []Stop{{ID: testID('s', 1), Row: &TaskRow{
				Location: east(2), HasLocation: true, Service: minutes(10), Arrival: noon.Add(minutes(5)), Finish: noon.Add(minutes(5)),
			}}},
			text: "there 12:21, on time", way: "2.0 km from the last stop",
		},
		"the pickup first": {
			worker: car(2), first: []*TaskRow{{ID: testID('k', 2), Location: east(4), HasLocation: true}}, task: due(0, 60),
			text: "there 12:21, on time", way: "6.0 km away via its pickup",
		},
		"the pickup is on the route": {
			worker: car(2), first: []*TaskRow{{ID: testID('s', 1)}}, route: []Stop{known(1, 10, 2)}, task: due(0, 60),
			text: "there 12:16, on time", way: "2.0 km from the last stop",
		},
		"no window": {
			worker: car(2), task: &TaskRow{Location: east(0), HasLocation: true}, text: "there ~12:06", way: "2.0 km away",
		},
		"nobody knows where they are": {
			worker: &WorkerRow{Vehicle: model.VehicleCar}, task: due(0, 60), text: "arrival unknown", way: "distance unknown",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := EstimateArrival(noon, c.worker, c.route, c.first, c.task)
			require.Equal(t, c.text, a.ArrivalText(time.UTC))
			require.Equal(t, c.way, a.DistanceText())
		})
	}
}

// The nearest is no good when they come too late: who makes the window goes first, then who is least late.
func TestCandidatesByTheWindow(t *testing.T) {
	b := NewBoard(DefaultSettings(), noon)
	worker := func(n int, km float64, stops ...model.ID) model.Worker {
		return model.Worker{
			ID: testID('w', n), OnDuty: true, TimeLastSeen: in(0), Location: model.Some(east(km)), Vehicle: model.Some(model.Vehicle{Type: model.VehicleCar}),
			Tasks: stops,
		}
	}
	stop := func(n, worker, finish int) model.Task {
		return model.Task{
			ID: testID('k', n), State: model.TaskAssigned, Worker: model.Some(testID('w', worker)), EstimatedCompletionTime: in(finish),
			Destination: model.Embedded(model.Destination{Location: east(0.1)}),
		}
	}
	change := Change{
		Tasks: []model.Task{
			{ID: testID('k', 9), State: model.TaskUnassigned, CompleteBefore: in(40), Destination: model.Embedded(model.Destination{Location: east(0)})},
			stop(1, 1, 170), stop(2, 2, 90),
		},
		Workers: []model.Worker{worker(1, 0.1, testID('k', 1)), worker(2, 0.1, testID('k', 2)), worker(3, 12)},
	}
	order := func(s *Snapshot) (ids []model.ID, makes bool) {
		found := s.Candidates(s.Tasks.Get(testID('k', 9)), 9)
		for _, c := range found {
			ids = append(ids, c.Worker.ID)
		}
		return ids, found[0].OnTime()
	}
	s, _ := b.Apply(change)
	ids, makes := order(s)
	require.Equal(t, []model.ID{testID('w', 3), testID('w', 2), testID('w', 1)}, ids)
	require.True(t, makes)
	require.False(t, s.NobodyOnTime(s.Tasks.Get(testID('k', 9))))

	change.Tasks[0].CompleteBefore = in(-60)
	s, _ = b.Apply(change)
	ids, makes = order(s)
	require.Equal(t, []model.ID{testID('w', 3), testID('w', 2), testID('w', 1)}, ids)
	require.False(t, makes)
	require.True(t, s.NobodyOnTime(s.Tasks.Get(testID('k', 9))), "nobody can be in time for what is over")

	change.Tasks[0].CompleteBefore = in(2)
	s, _ = b.Apply(change)
	require.True(t, s.NobodyOnTime(s.Tasks.Get(testID('k', 9))))
	change.Workers[2].Location = model.Null[model.Location]()
	s, _ = b.Apply(change)
	require.False(t, s.NobodyOnTime(s.Tasks.Get(testID('k', 9))), "nobody can tell when the third would be there")
}
