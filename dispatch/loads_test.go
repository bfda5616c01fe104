package dispatch_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/dispatch"
	"waybill/model"
	"waybill/planner"
)

func quantity(units float64) [planner.Dimensions]float64 { return [planner.Dimensions]float64{units} }

// A quantity, service time or window beyond all sense leaves its own task out, not the dispatch.
func TestNumbersBeyondSenseLeaveOnlyTheirTaskOut(t *testing.T) {
	van := driver("van", at(0, 0))
	van.Capacity = quantity(10)
	for name, task := range map[string]dispatch.Task{
		"quantity":    {Quantities: quantity(500_000)},
		"infinity":    {Quantities: quantity(math.MaxFloat64)},
		"service":     {Service: 1e15},
		"far windows": {After: model.Some(now.Add(1 << 61))},
	} {
		task.ID, task.At = "odd", at(0, 1)
		plan := solve(t, dispatch.Team{
			Workers: []dispatch.Worker{van},
			Tasks:   []dispatch.Task{task, {ID: "a", At: at(0, 1), Quantities: quantity(4)}, {ID: "b", At: at(1, 0), Quantities: quantity(6)}},
		}, model.DispatchRequest{RouteEnd: model.Null[string]()})
		require.ElementsMatch(t, []model.ID{"a", "b"}, stops(plan, "van"), name)
	}
}

func TestGreatQuantitiesAreStillCompared(t *testing.T) {
	van := driver("van", at(0, 0))
	van.Capacity = quantity(1_000_000)
	plan := solve(t, dispatch.Team{
		Workers: []dispatch.Worker{van},
		Tasks: []dispatch.Task{
			{ID: "a", At: at(0, 1), Quantities: quantity(600_000)},
			{ID: "b", At: at(1, 0), Quantities: quantity(400_000)},
			{ID: "c", At: at(1, 1), Quantities: quantity(1_000_001)},
		},
	}, model.DispatchRequest{RouteEnd: model.Null[string]()})
	require.ElementsMatch(t, []model.ID{"a", "b"}, stops(plan, "van"))
	require.Equal(t, []dispatch.Unplanned{{Task: "c", Reason: planner.ReasonCapacity}}, plan.Unplanned)
}

func TestQuantitiesDoNotCountWhereNobodyIsLimited(t *testing.T) {
	plan := solve(t, dispatch.Team{
		Workers: []dispatch.Worker{driver("van", at(0, 0))},
		Tasks:   []dispatch.Task{{ID: "a", At: at(0, 1), Quantities: quantity(1e12)}, {ID: "b", At: at(1, 0), Quantities: quantity(1e12)}},
	}, model.DispatchRequest{RouteEnd: model.Null[string]()})
	require.Len(t, stops(plan, "van"), 2)
}

func TestDecimalsOfQuantitiesCount(t *testing.T) {
	van := driver("van", at(0, 0))
	van.Capacity = quantity(0.3)
	plan := solve(t, dispatch.Team{
		Workers: []dispatch.Worker{van},
		Tasks:   []dispatch.Task{{ID: "a", At: at(0, 1), Quantities: quantity(0.1)}, {ID: "b", At: at(1, 0), Quantities: quantity(0.2)}, {ID: "c", At: at(1, 1), Quantities: quantity(0.1)}},
	}, model.DispatchRequest{RouteEnd: model.Null[string]()})
	require.Len(t, stops(plan, "van"), 2)
	require.Len(t, plan.Unplanned, 1)
}
