package model

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDispatchRules(t *testing.T) {
	check := func(in DispatchRequest) Problems { return in.Check(ruleNow) }
	checkRules(t, check, []ruleCase{
		{"defaults", `{}`, nil},
		{"nulls are defaults", `{"maxTasksPerRoute":null,"taskTimeWindow":null,"filters":null}`, nil},
		{"route of none", `{"maxTasksPerRoute":0}`, nil},
		{"route at the limit", `{"maxTasksPerRoute":200}`, nil},
		{"route too long", `{"maxTasksPerRoute":201}`, []string{"maxTasksPerRoute:1000"}},
		{"route negative", `{"maxTasksPerRoute":-1}`, []string{"maxTasksPerRoute:1000"}},

		{"task window", `{"taskTimeWindow":[<s-4h>,<s4h>]}`, nil},
		{"task window ends now", `{"taskTimeWindow":[<s-4h>,<s0s>]}`, nil},
		{"task window ended", `{"taskTimeWindow":[<s-4h>,<s-1s>]}`, []string{"taskTimeWindow[1]:1009"}},
		{"task window 12 hours ahead", `{"taskTimeWindow":[<s-4h>,<s12h>]}`, nil},
		{"task window further ahead", `{"taskTimeWindow":[<s0s>,<s12h1s>]}`, []string{"taskTimeWindow[1]:1009"}},
		{"task window of 16 hours", `{"taskTimeWindow":[<s-15h>,<s1h>]}`, nil},
		{"task window longer", `{"taskTimeWindow":[<s-15h1s>,<s1h>]}`, []string{"taskTimeWindow:1009"}},
		{"task window reversed", `{"taskTimeWindow":[<s2h>,<s1h>]}`, []string{"taskTimeWindow:1009"}},
		{"task window of nothing", `{"taskTimeWindow":[<s1h>,<s1h>]}`, []string{"taskTimeWindow:1009"}},
		{"task window in milliseconds", `{"taskTimeWindow":[<-1h>,<1h>]}`, []string{"taskTimeWindow[0]:1009"}},
		{"task window before time began", `{"taskTimeWindow":[-9223372036854775808,<s1h>]}`, []string{"taskTimeWindow[0]:1009"}},
		{"task window of one", `{"taskTimeWindow":[<s1h>]}`, []string{"taskTimeWindow:1000"}},
		{"task window of three", `{"taskTimeWindow":[<s1h>,<s2h>,<s3h>]}`, []string{"taskTimeWindow:1000"}},

		{"schedule window", `{"scheduleTimeWindow":[<s0s>,<s6h>]}`, nil},
		{"schedule from 3 hours ago", `{"scheduleTimeWindow":[<s-3h>,<s1h>]}`, nil},
		{"schedule from longer ago", `{"scheduleTimeWindow":[<s-3h1s>,<s1h>]}`, []string{"scheduleTimeWindow[0]:1009"}},
		{"schedule ended", `{"scheduleTimeWindow":[<s-2h>,<s-1h>]}`, []string{"scheduleTimeWindow[1]:1009"}},
		{"schedule 16 hours ahead", `{"scheduleTimeWindow":[<s0s>,<s16h>]}`, nil},
		{"schedule further ahead", `{"scheduleTimeWindow":[<s1h>,<s16h1s>]}`, []string{"scheduleTimeWindow[1]:1009"}},
		{"schedule too long", `{"scheduleTimeWindow":[<s-1h>,<s15h1s>]}`, []string{"scheduleTimeWindow:1009"}},

		{"service time", `{"serviceTime":0}`, nil},
		{"service time negative", `{"serviceTime":-1}`, []string{"serviceTime:1000"}},
		{"ends at the team's hub", `{"routeEnd":"teams://DEFAULT"}`, nil},
		{"ends at the worker's address", `{"routeEnd":"workers://ROUTING_ADDRESS"}`, nil},
		{"ends at a hub", `{"routeEnd":"hub://ID"}`, nil},
		{"ends anywhere", `{"routeEnd":null}`, nil},
		{"ends at no hub", `{"routeEnd":"hub://"}`, []string{"routeEnd:1005"}},
		{"ends nowhere", `{"routeEnd":"home"}`, []string{"routeEnd:1000"}},
		{"ends at nothing", `{"routeEnd":""}`, []string{"routeEnd:1000"}},
		{"delay", `{"maxAllowedDelay":1}`, nil},
		{"no delay", `{"maxAllowedDelay":0}`, []string{"maxAllowedDelay:1000"}},
		{"negative delay", `{"maxAllowedDelay":-5}`, []string{"maxAllowedDelay:1000"}},

		{"container size", `{"maxTasksPerRoute":20,"filters":{"workers":{"maxContainerSize":20}}}`, nil},
		{"container size above the route", `{"maxTasksPerRoute":20,"filters":{"workers":{"maxContainerSize":21}}}`, []string{"filters.workers.maxContainerSize:1000"}},
		{"container size above the default", `{"filters":{"workers":{"maxContainerSize":101}}}`, []string{"filters.workers.maxContainerSize:1000"}},
		{"container size negative", `{"filters":{"workers":{"maxContainerSize":-1}}}`, []string{"filters.workers.maxContainerSize:1000"}},
		{"vehicle", `{"filters":{"workers":{"vehicleType":"BICYCLE"}}}`, nil},
		{"unknown vehicle", `{"filters":{"workers":{"vehicleType":"PLANE"}}}`, []string{"filters.workers.vehicleType:1000"}},
	})
}

func TestDispatchDefaults(t *testing.T) {
	now := ruleNow.Time()
	require.Equal(t, DispatchSettings{
		MaxTasksPerRoute: 100,
		MaxContainerSize: 100,
		TaskWindow:       TimeWindow{now.Add(-4 * time.Hour), now.Add(4 * time.Hour)},
		ScheduleWindow:   TimeWindow{now, now.Add(6 * time.Hour)},
		ServiceTime:      2 * time.Minute,
		MaxAllowedDelay:  10 * time.Minute,
		RouteEnd:         RouteEnd{Kind: RouteEndsAtTeamHub},
	}, DispatchRequest{}.WithDefaults(ruleNow))

	var request DispatchRequest
	require.NoError(t, Unmarshal([]byte(fill(`{"maxTasksPerRoute":30,"taskTimeWindow":[<s-1h>,<s1h>],"scheduleTimeWindow":[<s0s>,<s2h>],
		"serviceTime":0,"routeEnd":"hub://ID","maxAllowedDelay":5,"filters":{"workers":{"vehicleType":"CAR"}}}`)), &request))
	require.Equal(t, DispatchSettings{
		MaxTasksPerRoute: 30,
		MaxContainerSize: 30,
		TaskWindow:       TimeWindow{now.Add(-time.Hour), now.Add(time.Hour)},
		ScheduleWindow:   TimeWindow{now, now.Add(2 * time.Hour)},
		MaxAllowedDelay:  5 * time.Minute,
		RouteEnd:         RouteEnd{Kind: RouteEndsAtHub, Hub: ruleID},
		VehicleType:      VehicleCar,
	}, request.WithDefaults(ruleNow))

	anywhere := DispatchRequest{RouteEnd: Null[string]()}.WithDefaults(ruleNow)
	require.Equal(t, RouteEndsAnywhere, anywhere.RouteEnd.Kind)
	home := DispatchRequest{RouteEnd: Some(RouteEndWorkerAddress)}.WithDefaults(ruleNow)
	require.Equal(t, RouteEndsAtWorkerAddress, home.RouteEnd.Kind)
}

func TestTimeWindow(t *testing.T) {
	w := TimeWindow{ruleNow.Time(), ruleNow.Time().Add(time.Hour)}
	require.Equal(t, time.Hour, w.Length())
	require.True(t, w.Contains(w.Start))
	require.True(t, w.Contains(w.End))
	require.False(t, w.Contains(w.End.Add(1)))
	require.False(t, w.Contains(w.Start.Add(-1)))
}

func TestDispatchDistance(t *testing.T) {
	sanFrancisco, oakland, losAngeles := Location{-122.42, 37.77}, Location{-122.27, 37.80}, Location{-118.24, 34.05}
	fresno := Location{-119.79, 36.74}
	requireProblems(t, CheckDispatchDistance(nil))
	requireProblems(t, CheckDispatchDistance([]Location{sanFrancisco}))
	requireProblems(t, CheckDispatchDistance([]Location{sanFrancisco, oakland, fresno}))
	requireProblems(t, CheckDispatchDistance([]Location{oakland, sanFrancisco, losAngeles}), ":1000")
	suva, funafuti := Location{179.9, -18}, Location{-179.9, -18}
	requireProblems(t, CheckDispatchDistance([]Location{suva, funafuti}))
}

func TestMetersTo(t *testing.T) {
	require.InDelta(t, 559_000, Location{-122.42, 37.77}.MetersTo(Location{-118.24, 34.05}), 2_000)
	require.InDelta(t, 111_195, Location{0, 0}.MetersTo(Location{0, 1}), 10)
	require.InDelta(t, 20_015_114, Location{0, 0}.MetersTo(Location{180, 0}), 10)
	require.Zero(t, Location{1, 2}.MetersTo(Location{1, 2}))
}

func TestBoxSizeIsNeverBelowTheDistanceOfTwoPlaces(t *testing.T) {
	place := rapid.Custom(func(t *rapid.T) Location {
		return Location{rapid.Float64Range(-180, 180).Draw(t, "lon"), rapid.Float64Range(-90, 90).Draw(t, "lat")}
	})
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfN(place, 2, 5).Draw(t, "places")
		for _, a := range places {
			for _, b := range places {
				if a.MetersTo(b) > boxSize(places)+0.01 {
					t.Fatalf("%v and %v are %f apart, the box is %f", a, b, a.MetersTo(b), boxSize(places))
				}
			}
		}
	})
}
