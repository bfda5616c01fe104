package model

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWebhookRules(t *testing.T) {
	checkRules(t, WebhookInput.Check, []ruleCase{
		{"fine", `{"url":"https://example.com/hook","trigger":0,"name":"n"}`, nil},
		{"nothing", `{}`, []string{"url:1900", "trigger:1900"}},
		{"plain http", `{"url":"http://example.com","trigger":0}`, []string{"url:1000"}},
		{"not an address", `{"url":"example.com/hook","trigger":0}`, []string{"url:1000"}},
		{"no host", `{"url":"https:///hook","trigger":0}`, []string{"url:1000"}},
		{"trigger 11", `{"url":"https://x.y","trigger":11}`, []string{"trigger:1000"}},
		{"trigger unknown", `{"url":"https://x.y","trigger":99}`, []string{"trigger:1000"}},
		{"eta", `{"url":"https://x.y","trigger":1,"threshold":500}`, nil},
		{"arrival", `{"url":"https://x.y","trigger":2,"threshold":0}`, nil},
		{"delayed", `{"url":"https://x.y","trigger":12,"threshold":300.5}`, nil},
		{"threshold may be missing", `{"url":"https://x.y","trigger":12}`, nil},
		{"negative threshold", `{"url":"https://x.y","trigger":1,"threshold":-1}`, []string{"threshold:1000"}},
		{"threshold where there is none", `{"url":"https://x.y","trigger":6,"threshold":10}`, []string{"threshold:1000"}},
	})
	for _, trigger := range Triggers() {
		require.NotEmpty(t, trigger.Name())
		in := WebhookInput{URL: Some("https://x.y"), Trigger: Some(trigger)}
		requireProblems(t, in.Check())
	}
}

func TestWebhookLimit(t *testing.T) {
	for _, trigger := range Triggers() {
		limited := trigger == 1 || trigger == 2 || trigger == 12
		requireProblems(t, CheckWebhookLimit(trigger, 9))
		if limited {
			requireProblems(t, CheckWebhookLimit(trigger, 10), "trigger:1000")
		} else {
			requireProblems(t, CheckWebhookLimit(trigger, 1000))
		}
	}
}

func TestThresholds(t *testing.T) {
	for _, c := range []struct {
		trigger            Trigger
		measure, threshold float64
		met                bool
	}{
		{TriggerTaskETA, 301, 300, false},
		{TriggerTaskETA, 300, 300, true},
		{TriggerTaskETA, 10, 300, true},
		{TriggerTaskArrival, 151, 150, false},
		{TriggerTaskArrival, 150, 150, true},
		{TriggerTaskDelayed, 599, 600, false},
		{TriggerTaskDelayed, 600, 600, true},
		{TriggerTaskDelayed, 900, 600, true},
		{TriggerTaskCreated, 0, 0, false},
	} {
		require.Equal(t, c.met, ThresholdMet(c.trigger, c.measure, c.threshold), "%+v", c)
	}
}

func TestThresholdFiring(t *testing.T) {
	base := ThresholdFiring{Trigger: TriggerTaskETA, Threshold: 300, Measure: 200, State: TaskActive}
	require.True(t, base.ShouldFire())
	for name, change := range map[string]func(*ThresholdFiring){
		"fired before":            func(f *ThresholdFiring) { f.FiredForTask = true },
		"not started":             func(f *ThresholdFiring) { f.State = TaskAssigned },
		"completed":               func(f *ThresholdFiring) { f.State = TaskCompleted },
		"not met":                 func(f *ThresholdFiring) { f.Measure = 301 },
		"another kind of trigger": func(f *ThresholdFiring) { f.Trigger = TriggerTaskStarted },
	} {
		changed := base
		change(&changed)
		require.False(t, changed.ShouldFire(), name)
	}
	delayed := ThresholdFiring{Trigger: TriggerTaskDelayed, Threshold: 60, Measure: 60, State: TaskActive}
	require.True(t, delayed.ShouldFire())
}

func TestDeliveryRetries(t *testing.T) {
	attempts, last := 1, ruleNow
	for {
		next, ok := NextDelivery(ruleNow, attempts)
		if !ok {
			break
		}
		require.Equal(t, last.Add(30*time.Minute), next)
		last = next
		attempts++
	}
	require.Equal(t, 49, attempts)
	require.Equal(t, MaxWebhookAttempts, attempts)
	require.Equal(t, ruleNow.Add(24*time.Hour), last)
	require.False(t, DisablesWebhook(300))
	require.True(t, DisablesWebhook(301))
	require.True(t, IsDelivered(200))
	require.False(t, IsDelivered(201))
	require.False(t, IsDelivered(204))
}

func TestWhichTriggerTheEndOfATaskFires(t *testing.T) {
	require.Equal(t, TriggerTaskCompleted, CompletionTrigger(true))
	require.Equal(t, TriggerTaskFailed, CompletionTrigger(false))
}

func TestServiceTime(t *testing.T) {
	none := Opt[Minutes]{}
	require.Equal(t, Minutes(7), EffectiveServiceTime(7, Some[Minutes](5), Some[Minutes](3)))
	require.Equal(t, Minutes(5), EffectiveServiceTime(0, Some[Minutes](5), Some[Minutes](3)))
	require.Equal(t, Minutes(0), EffectiveServiceTime(0, Some[Minutes](0), Some[Minutes](3)), "optimized to nothing")
	require.Equal(t, Minutes(3), EffectiveServiceTime(0, none, Some[Minutes](3)))
	require.Equal(t, FallbackServiceTime, EffectiveServiceTime(0, none, none))
}

func TestEstimatedCompletion(t *testing.T) {
	transit := Some[Seconds](600)
	require.Equal(t, Some(ruleNow.Add(15*time.Minute)), EstimatedCompletion(TaskAssigned, ruleNow, transit, 5))
	for _, state := range []TaskState{TaskUnassigned, TaskActive, TaskCompleted} {
		require.True(t, EstimatedCompletion(state, ruleNow, transit, 5).IsNull(), state.String())
	}
	require.True(t, EstimatedCompletion(TaskAssigned, ruleNow, Null[Seconds](), 5).IsNull())

	require.Equal(t, Some(ruleNow.Add(10*time.Minute)), EstimatedArrival(TaskAssigned, ruleNow, transit))
	require.Equal(t, Some(ruleNow.Add(10*time.Minute)), EstimatedArrival(TaskActive, ruleNow, transit))
	require.True(t, EstimatedArrival(TaskUnassigned, ruleNow, transit).IsNull())
	require.True(t, EstimatedArrival(TaskCompleted, ruleNow, transit).IsNull())
	require.True(t, EstimatedArrival(TaskActive, ruleNow, Opt[Seconds]{}).IsNull())
}

func TestDelay(t *testing.T) {
	minutes := func(n int) Opt[Millis] { return Some(ruleNow.Add(time.Duration(n) * time.Minute)) }
	none := Null[Millis]()
	for _, c := range []struct {
		name     string
		state    TaskState
		deadline Opt[Millis]
		arrival  Opt[Millis]
		want     Opt[Seconds]
	}{
		{"no deadline", TaskActive, none, minutes(60), Null[Seconds]()},
		{"in time", TaskActive, minutes(30), minutes(20), Null[Seconds]()},
		{"exactly in time", TaskActive, minutes(0), none, Null[Seconds]()},
		{"late already", TaskAssigned, minutes(-8), none, Some[Seconds](480)},
		{"unassigned and late", TaskUnassigned, minutes(-1), none, Some[Seconds](60)},
		{"will be late", TaskActive, minutes(10), minutes(25), Some[Seconds](900)},
		{"late, and later on arrival", TaskActive, minutes(-5), minutes(5), Some[Seconds](600)},
		{"late although the estimate is old", TaskActive, minutes(-5), minutes(-10), Some[Seconds](300)},
		{"completed late", TaskCompleted, minutes(-60), none, Null[Seconds]()},
		{"a deadline beyond reason", TaskActive, Some(Millis(1 << 62)), none, Null[Seconds]()},
		{"part of a second", TaskActive, Some(ruleNow - 1), none, Some[Seconds](1)},
	} {
		require.Equal(t, c.want, TaskDelay(c.state, c.deadline, ruleNow, c.arrival), c.name)
	}
}

func TestWorkerDelay(t *testing.T) {
	late := func(s Seconds) Opt[Seconds] { return Some(s) }
	require.True(t, WorkerDelay(nil).IsNull())
	require.True(t, WorkerDelay([]Opt[Seconds]{Null[Seconds](), {}}).IsNull())
	require.Equal(t, late(90), WorkerDelay([]Opt[Seconds]{late(30), Null[Seconds](), late(90), late(60)}))
	require.Equal(t, time.Minute, DelayRefreshInterval(true))
	require.Equal(t, 10*time.Minute, DelayRefreshInterval(false))
}

func TestQueryRules(t *testing.T) {
	requireProblems(t, CheckWorkersNear(Location{-122, 37}, 1000))
	requireProblems(t, CheckWorkersNear(Location{-122, 37}, MaxRadiusMeters))
	requireProblems(t, CheckWorkersNear(Location{-122, 37}, MaxRadiusMeters+1), "radius:1000")
	requireProblems(t, CheckWorkersNear(Location{181, 91}, 0), "longitude:1000", "latitude:1000", "radius:1000")
	requireProblems(t, CheckSpan(Some[Millis](0), Opt[Millis]{}))
	requireProblems(t, CheckSpan(Opt[Millis]{}, Some(ruleNow)), "from:1900")
	requireProblems(t, CheckSpan(Some(ruleNow), Some(ruleNow-1)), "to:1009")
	requireProblems(t, CheckSpan(Some[Millis](-1), Opt[Millis]{}), "from:1009")
	requireProblems(t, CheckAnalytics(ruleNow.Add(-24*time.Hour), ruleNow))
	requireProblems(t, CheckAnalytics(ruleNow.Add(-24*time.Hour-time.Second), ruleNow), "to:1009")
	requireProblems(t, CheckAnalytics(ruleNow, ruleNow.Add(-time.Hour)), "to:1009")
	place, none := Some(Location{-122, 37}), Opt[Location]{}
	ready, untimed := Some(UnixSeconds(1772470800)), Opt[UnixSeconds]{}
	requireProblems(t, CheckEstimate(place, none, ready, Some(Seconds(0))))
	requireProblems(t, CheckEstimate(none, place, untimed, Opt[Seconds]{}))
	requireProblems(t, CheckEstimate(none, none, untimed, Opt[Seconds]{}), "dropoffLocation:1900")
	requireProblems(t, CheckEstimate(place, none, untimed, Some(Seconds(-1))), "pickupTime:1900", "serviceTime:1000")
	requireProblems(t, CheckEstimate(Some(Location{0, 91}), Some(Location{200, 0}), ready, Opt[Seconds]{}),
		"pickupLocation:1000", "dropoffLocation:1000")
}
