package dispatch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/dispatch"
	"waybill/model"
	"waybill/planner"
)

var now = model.MillisOf(time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC))

func at(east, north float64) model.Location {
	return model.Location{Lon: -122.42 + east/100, Lat: 37.77 + north/100}
}

func solve(t *testing.T, team dispatch.Team, r model.DispatchRequest) dispatch.Plan {
	t.Helper()
	require.Empty(t, r.Check(now))
	plan, err := dispatch.Solve(t.Context(), team, dispatch.Options{
		Settings: r.WithDefaults(now), Now: now, Search: planner.Options{Iterations: 2000, Seed: 1, Threads: 1},
	})
	require.NoError(t, err)
	return plan
}

func driver(id string, where model.Location, route ...model.ID) dispatch.Worker {
	return dispatch.Worker{ID: model.ID(id), At: model.Some(where), Vehicle: model.VehicleCar, Route: route}
}

func stops(plan dispatch.Plan, worker string) []model.ID {
	ids := []model.ID{}
	for _, r := range plan.Routes {
		if r.Worker == model.ID(worker) {
			for _, s := range r.Stops {
				ids = append(ids, s.Task)
			}
		}
	}
	return ids
}

func TestTasksGoToTheNearestWorkerAndPinnedOnesStay(t *testing.T) {
	plan := solve(t, dispatch.Team{
		Workers: []dispatch.Worker{driver("west", at(0, 0), "far"), driver("east", at(5, 0))},
		Tasks: []dispatch.Task{
			{ID: "far", At: at(5, 0.1)}, {ID: "w", At: at(0.1, 0)}, {ID: "e", At: at(5.1, 0)},
		},
	}, model.DispatchRequest{RouteEnd: model.Null[string]()})
	require.Contains(t, stops(plan, "west"), model.ID("far"), "a task already on a route stays with its worker")
	require.Contains(t, stops(plan, "west"), model.ID("w"))
	require.Equal(t, []model.ID{"e"}, stops(plan, "east"))
	require.Empty(t, plan.Unplanned)
	for _, r := range plan.Routes {
		for _, s := range r.Stops {
			require.Equal(t, s.Task != "far", s.New)
			require.GreaterOrEqual(t, s.Depart-s.Start, model.Millis(2*60*1000), "two minutes of service by default")
		}
	}
}

func TestFiltersDecideWhoTakesPart(t *testing.T) {
	team := dispatch.Team{
		Workers: []dispatch.Worker{
			driver("full", at(0, 0), "a", "b"),
			{ID: "bike", At: model.Some(at(0, 0)), Vehicle: model.VehicleBicycle},
			{ID: "lost", Vehicle: model.VehicleCar},
			driver("free", at(3, 3)),
		},
		Tasks: []dispatch.Task{{ID: "a", At: at(0, 1)}, {ID: "b", At: at(0, 2)}, {ID: "new", At: at(0, 0)}},
	}
	plan := solve(t, team, model.DispatchRequest{
		RouteEnd: model.Null[string](),
		Filters: model.Some(model.DispatchFilters{Workers: model.Some(model.WorkerFilters{
			MaxContainerSize: model.Some(model.Int(1)), VehicleType: model.Some(model.VehicleCar),
		})}),
	})
	require.Equal(t, []model.ID{"new"}, stops(plan, "free"))
	require.Len(t, plan.Routes, 1)
}

func TestTaskWindowAndReasons(t *testing.T) {
	later := now.Add(20 * time.Hour)
	plan := solve(t, dispatch.Team{
		Workers: []dispatch.Worker{driver("d", at(0, 0))},
		Tasks: []dispatch.Task{
			{ID: "tomorrow", At: at(0, 1), After: model.Some(later), Before: model.Some(later.Add(time.Hour))},
			{ID: "missed", At: at(9, 9), Before: model.Some(now.Add(-time.Hour))},
			{ID: "ok", At: at(0, 1), Before: model.Some(now.Add(time.Hour))},
		},
	}, model.DispatchRequest{})
	require.Equal(t, []model.ID{"ok"}, stops(plan, "d"))
	require.Equal(t, []dispatch.Unplanned{{Task: "missed", Reason: planner.ReasonWindow}}, plan.Unplanned)
	require.NotEmpty(t, dispatch.Explain(planner.ReasonWindow))
}

func TestRoutesOfLengthZeroTakeNothing(t *testing.T) {
	plan := solve(t, dispatch.Team{
		Workers: []dispatch.Worker{driver("d", at(0, 0))},
		Tasks:   []dispatch.Task{{ID: "x", At: at(0, 1)}},
	}, model.DispatchRequest{MaxTasksPerRoute: model.Some(model.Int(0))})
	require.Equal(t, []dispatch.Unplanned{{Task: "x", Reason: planner.ReasonRouteLength}}, plan.Unplanned)
}

func TestRouteEndCostsTime(t *testing.T) {
	team := dispatch.Team{
		Hub: model.Some(at(9, 9)), EndHub: model.Some(at(0, 0)),
		Workers: []dispatch.Worker{{ID: "d", At: model.Some(at(0, 0)), Home: model.Some(at(0, 0)), Vehicle: model.VehicleCar}},
		Tasks:   []dispatch.Task{{ID: "x", At: at(0, 1)}},
	}
	hub := model.ID("AAAAAAAAAAAAAAAAAAAAAAAA")
	anywhere := solve(t, team, model.DispatchRequest{RouteEnd: model.Null[string]()}).Routes[0].Travel
	toHub := solve(t, team, model.DispatchRequest{}).Routes[0].Travel
	home := solve(t, team, model.DispatchRequest{RouteEnd: model.Some(model.RouteEndWorkerAddress)}).Routes[0].Travel
	named := solve(t, team, model.DispatchRequest{RouteEnd: model.Some(model.RouteEndHubPrefix + string(hub))}).Routes[0].Travel
	require.Equal(t, 2*anywhere, home)
	require.Equal(t, home, named)
	require.Greater(t, toHub, home)
}
