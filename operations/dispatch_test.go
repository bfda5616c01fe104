package operations_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
)

// taskAt makes a waiting task of the team at a place, in degrees from its middle.
func (d *teamFixture) taskAt(owner model.ID, east, north float64, more string) model.ID {
	d.t.Helper()
	container := fmt.Sprintf(`{"type":"TEAM","team":%q}`, d.team.ID)
	if owner != d.team.ID {
		container = fmt.Sprintf(`{"type":"WORKER","worker":%q}`, owner)
	}
	if more != "" {
		more = "," + more
	}
	var task model.Task
	d.Do("POST", "/tasks", fmt.Sprintf(`{"destination":{"address":{"number":"1","street":"Main St","city":"San Francisco","country":"USA"},
		"location":[%f,%f]},"recipients":[],"container":%s%s}`, -122.42+east, 37.77+north, container, more)).OK(&task)
	return task.ID
}

func (d *teamFixture) await(follow *operations.Follow) operations.JobState {
	d.t.Helper()
	var state operations.JobState
	servicetest.WaitFor(d.t, func() bool {
		var err error
		state, err = follow.Poll(d.t.Context(), d.api)
		require.NoError(d.t, err)
		return state.Ended
	})
	return state
}

func millisIn(d *teamFixture, ahead time.Duration) string {
	return fmt.Sprint(int64(model.MillisOf(d.Clock.Now().Add(ahead))))
}

func TestADispatchDoesWhatItsPreviewShowed(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz", "Cleo Diaz")
	d.RunJobs()
	ada := d.workers[0].ID
	had := []model.ID{d.taskAt(ada, 0.03, 0.01, ""), d.taskAt(ada, 0.01, 0.02, "")}
	var waiting []model.ID
	for i := range 9 {
		waiting = append(waiting, d.taskAt(d.team.ID, float64(i%3)/80, float64(i/3)/80, ""))
	}
	heavy := d.taskAt(d.team.ID, 0.01, 0, `"quantity":50`)
	missed := d.taskAt(d.team.ID, 0.3, 0.3, `"completeBefore":`+millisIn(d, 5*time.Minute))
	late := d.taskAt(d.team.ID, 0.02, 0.02, `"completeAfter":`+millisIn(d, 9*time.Hour))

	s := d.input()
	v, err := operations.NewDispatch(s)
	require.NoError(t, err)
	require.Equal(t, "North", v.Form.Start["team"], "the only team is meant")
	values := v.Form.Start.Clone()
	values["routeEnd"] = "anywhere"
	team, request, problems := operations.ParseDispatch(s, values)
	require.Empty(t, problems)
	var heard []string
	preview, err := operations.PreviewDispatch(t.Context(), d.api, s, team, request, func(words string) { heard = append(heard, words) })
	require.NoError(t, err)
	require.Contains(t, strings.Join(heard, "\n"), "planning: ")
	require.Equal(t, []model.ID{heavy, missed}, []model.ID{preview.Unplanned[0].Task, preview.Unplanned[1].Task})
	require.Equal(t, "No driver has enough capacity.", preview.Unplanned[0].Reason)
	require.Equal(t, 11, preview.Before.Unplanned)
	require.Equal(t, 2, preview.After.Unplanned)
	require.Equal(t, 2, preview.Before.Stops)
	require.Equal(t, 11, preview.After.Stops)
	for _, route := range preview.Routes {
		require.Len(t, route.Points, len(route.Stops)+min(1, len(route.Stops)), "from where the worker is through every stop")
		if route.Worker == ada {
			at := d.input(had...).Board
			require.Equal(t, []model.Location{d.workerAt(ada), at.Tasks.Get(had[0]).Location, at.Tasks.Get(had[1]).Location}, route.PointsNow,
				"the route as it is now keeps its order")
		}
	}
	text := lineTexts(preview.Lines())
	require.Contains(t, text, "9 tasks would be assigned, 2 tasks would stay unassigned.")
	require.Contains(t, text, "PST")
	require.Equal(t, had, d.list(ada), "a preview changes nothing")

	plan := prepare(t, v, form.Values{"routeEnd": "anywhere"})
	require.Equal(t, "dispatch team North", plan.Summary)
	shown := d.dryRun(plan.Steps[0])
	require.Equal(t, "/teams/"+string(d.team.ID)+"/dispatch", shown[0].Path)
	require.JSONEq(t, `{"routeEnd":null}`, string(shown[0].Body))
	done := d.do(plan.Steps[0])
	require.NotNil(t, done.Follow)
	state := d.await(done.Follow)
	require.False(t, state.Failed)
	require.Contains(t, state.Summary, "9 tasks assigned to")
	require.Contains(t, state.Summary, "2 unassigned")
	require.Equal(t, "route.auto-assign", state.Next)
	require.Regexp(t, `^9 tasks assigned to \d drivers?, 2 unassigned`, state.Report[0].Text, "the whole in a line, first of all")
	require.ElementsMatch(t, []model.ID{heavy, missed}, state.Remaining, "the service leaves out what the preview did")
	require.Contains(t, lineTexts(state.Report), "1 task stays unassigned: ")
	require.Contains(t, lineTexts(state.Report), "Ada Okafor: ")
	var placed []model.ID
	for _, w := range d.workers {
		placed = append(placed, d.list(w.ID)...)
	}
	require.ElementsMatch(t, slices.Concat(had, waiting), placed)
	require.ElementsMatch(t, []model.ID{heavy, missed, late}, d.list(d.team.ID))
}

func (d *teamFixture) workerAt(id model.ID) model.Location {
	d.t.Helper()
	w, err := d.api.Worker(d.t.Context(), id, apiclient.WorkerQuery{})
	require.NoError(d.t, err)
	return w.Location.Value()
}

func TestAPreviewKnowsShiftsDependenciesAndWhatIsOutsideTheTeam(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	ada := d.workers[0].ID
	outside := d.task("", `"pickupTask":true`)
	waits := d.taskAt(d.team.ID, 0.01, 0, fmt.Sprintf(`"dependencies":[%q]`, outside))
	far := d.taskAt(d.team.ID, 0.2, 0.2, "")
	now := d.Clock.Now()
	schedule := model.Schedule{Entries: []model.ScheduleEntry{{
		Date: now.Format(time.DateOnly), Timezone: "America/Los_Angeles",
		Shifts: [][2]model.Millis{{model.MillisOf(now.Add(-time.Hour)), model.MillisOf(now.Add(10 * time.Minute))}},
	}}}
	_, err := d.api.SetWorkerSchedule(t.Context(), ada, schedule)
	require.NoError(t, err)
	s := d.input()
	wide, err := operations.PreviewDispatch(t.Context(), d.api, s, d.team.ID, model.DispatchRequest{RouteEnd: model.Null[string]()}, nil)
	require.NoError(t, err)
	reasons := map[model.ID]string{}
	for _, left := range wide.Unplanned {
		reasons[left.Task] = left.Reason
	}
	require.Equal(t, map[model.ID]string{
		waits: "The task depends on a task that is neither completed nor planned.",
		far:   "The shifts end before the task could be completed.",
	}, reasons)

	// A large organization is read team by team; the plan is the same.
	others := make([]model.ID, 70)
	for i := range others {
		others[i] = d.task("", "")
	}
	narrow, err := operations.PreviewDispatch(t.Context(), d.api, d.input(), d.team.ID, model.DispatchRequest{RouteEnd: model.Null[string]()}, nil)
	require.NoError(t, err)
	require.Equal(t, wide.Unplanned, narrow.Unplanned)
}

// A route that can take nothing more says why: by its load, or by the hours.
func TestAPreviewSaysWhichRuleIsBroken(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz", "Cleo Diaz")
	ada, ben := d.workers[0].ID, d.workers[1].ID
	d.taskAt(ada, 0.01, 0, `"quantity":50`)
	d.taskAt(ben, 0.01, 0, `"completeAfter":`+millisIn(d, 30*time.Hour))
	d.taskAt(d.team.ID, 0.01, 0.01, "")
	s := d.input()
	team, request, problems := operations.ParseDispatch(s, form.Values{"team": "North", "routeEnd": "anywhere"})
	require.Empty(t, problems)
	preview, err := operations.PreviewDispatch(t.Context(), d.api, s, team, request, nil)
	require.NoError(t, err)
	text := lineTexts(preview.Summary())
	require.Regexp(t, `The route of Ada Okafor stays unchanged: it carries 50 with a capacity of \d+\.`, text)
	require.Contains(t, text, "The route of Ben Ruiz stays unchanged: it ends ")
	require.Contains(t, text, ", after the working hours (")
}

// What a dispatch did about what was late is told with its result.
func TestADispatchSaysWhatItDidAboutLateness(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	d.RunJobs()
	d.taskAt(d.team.ID, 0.3, 0.3, `"completeBefore":`+millisIn(d, 2*time.Minute))
	d.taskAt(d.team.ID, 0.001, 0.001, `"completeBefore":`+millisIn(d, 3*time.Hour))
	d.Clock.Advance(5 * time.Minute)
	v, err := operations.NewDispatch(d.input())
	require.NoError(t, err)
	state := d.await(d.do(prepare(t, v, form.Values{"routeEnd": "anywhere"}).Steps[0]).Follow)
	require.Equal(t, "1 task assigned to 1 driver, 1 unassigned, late: 1 before, 1 now.", state.Report[0].Text)
}

func TestAPreviewCanBeCancelled(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	for i := range 12 {
		d.taskAt(d.team.ID, float64(i)/100, 0, "")
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := operations.PreviewDispatch(ctx, d.api, d.input(), d.team.ID, model.DispatchRequest{}, func(words string) {
		if strings.HasPrefix(words, "planning") {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
}

func TestDispatchRefusesBrokenLimitsOnTheirFields(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	v, err := operations.NewDispatch(d.input())
	require.NoError(t, err)
	for name, c := range map[string]struct {
		values form.Values
		field  string
		text   string
	}{
		"no team":          {form.Values{"team": ""}, "team", "Name the team"},
		"unknown team":     {form.Values{"team": "South"}, "team", "o team is called"},
		"too many":         {form.Values{"maxTasksPerRoute": "201"}, "maxTasksPerRoute", "from 0 to 200"},
		"no number":        {form.Values{"maxTasksPerRoute": "many"}, "maxTasksPerRoute", "whole number"},
		"no window":        {form.Values{"taskTimeWindow": "noonish"}, "taskTimeWindow", "not a window"},
		"too far ahead":    {form.Values{"taskTimeWindow": "+1h - +13h"}, "taskTimeWindow", "at most 12h in the future"},
		"too long":         {form.Values{"taskTimeWindow": "-8h - +10h"}, "taskTimeWindow", "at most 16h"},
		"begun long ago":   {form.Values{"scheduleTimeWindow": "-4h - +2h"}, "scheduleTimeWindow", "at most 3h in the past"},
		"no delay":         {form.Values{"maxAllowedDelay": "0"}, "maxAllowedDelay", "above 0"},
		"parts of minutes": {form.Values{"serviceTime": "90s"}, "serviceTime", "whole number of minutes"},
		"negative service": {form.Values{"serviceTime": "-1"}, "serviceTime", "0 or more"},
		"containers":       {form.Values{"maxTasksPerRoute": "5", "maxContainerSize": "6"}, "maxContainerSize", "at most the tasks per route, which is 5"},
	} {
		values := v.Form.Start.Clone()
		for name, value := range c.values {
			values[name] = value
		}
		_, problems := v.Prepare(values)
		require.Contains(t, problems[c.field], c.text, name)
	}
}

func TestEveryParameterOfADispatchIsSentInTheUnitsOfTheDocument(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	d.Do("POST", "/hubs", `{"name":"Depot","address":{"number":"1","street":"Main St","city":"San Francisco","country":"USA"},"location":[-122.4,37.77]}`).OK(nil)
	s := d.input()
	v, err := operations.NewDispatch(s)
	require.NoError(t, err)
	end, _ := v.Form.Field("routeEnd")
	require.Equal(t, "at hub Depot", end.Options[3].Label)
	window, _ := v.Form.Field("taskTimeWindow")
	require.Equal(t, "05:00 – 13:00 PST", window.Empty)
	plan := prepare(t, v, form.Values{
		"maxTasksPerRoute": "20", "taskTimeWindow": "9am-11am", "scheduleTimeWindow": "9:00-12:30", "serviceTime": "5m", "routeEnd": end.Options[3].Value,
		"maxAllowedDelay": "1h", "maxContainerSize": "4", "vehicleType": "CAR",
	})
	require.Contains(t, lineTexts(plan.Lines), "Routes end at hub Depot.")
	at := d.Clock.Now().Unix() // 9am there
	require.JSONEq(t, fmt.Sprintf(`{"maxTasksPerRoute":20,"taskTimeWindow":[%d,%d],"scheduleTimeWindow":[%d,%d],"serviceTime":5,"routeEnd":"hub://%s",
		"maxAllowedDelay":60,"filters":{"workers":{"maxContainerSize":4,"vehicleType":"CAR"}}}`,
		at, at+2*3600, at, at+3*3600+1800, end.Options[3].Value), string(d.dryRun(plan.Steps[0])[0].Body))
	d.do(plan.Steps[0])
}

func TestASecondDispatchIsSaidToBeRunning(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor") // no jobs run here, so the first never ends
	d.taskAt(d.team.ID, 0, 0, "")
	v, err := operations.NewDispatch(d.input())
	require.NoError(t, err)
	done := d.do(prepare(t, v, nil).Steps[0])
	state, err := done.Follow.Poll(t.Context(), d.api)
	require.NoError(t, err)
	require.False(t, state.Ended)
	_, err = prepare(t, v, nil).Steps[0].Do(t.Context(), d.api)
	require.ErrorIs(t, err, apiclient.ErrDispatchActive)
	require.EqualError(t, err, "A dispatch of team North is running already, since 09:00 PST, started by a program with an API key. "+
		"Nothing was sent; wait until it has ended.")
}

func TestADispatchOfUnknownOutcomeIsLookedUp(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	v, err := operations.NewDispatch(d.input())
	require.NoError(t, err)
	step := prepare(t, v, nil).Steps[0]
	d.dryRun(step)
	found, err := step.Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.True(t, found.Certain && !found.Happened)
	d.cut = true
	_, err = step.Do(t.Context(), d.api)
	require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
	found, err = step.Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.True(t, found.Certain && found.Happened)
}

// noDispatchTransport is a service that accepts dispatches and tells nothing of them.
type noDispatchTransport struct{ next http.RoundTripper }

func (f noDispatchTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.URL.Path, "/dispatches") {
		answer := httptest.NewRecorder()
		answer.WriteHeader(http.StatusNotFound)
		return answer.Result(), nil
	}
	return f.next.RoundTrip(r)
}

func TestADispatchThatCannotBeReadIsFollowedByTheList(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	client, err := apiclient.New(apiclient.Options{BaseURL: d.URL, Key: apiclient.StaticKey(d.Key), RoundTripper: noDispatchTransport{d.Client.Transport}})
	require.NoError(t, err)
	d.api = client
	d.taskAt(d.team.ID, 0, 0, "")
	v, err := operations.NewDispatch(d.input())
	require.NoError(t, err)
	step := prepare(t, v, nil).Steps[0]
	done := d.do(step)
	state, err := done.Follow.Poll(t.Context(), d.api)
	require.NoError(t, err)
	require.False(t, state.Ended)
	require.Equal(t, "0 of 1 tasks have left the list of team North; this service does not report more about dispatches", state.Summary)
	d.RunJobs()
	state = d.await(done.Follow)
	require.Equal(t, 1, state.Done)
	found, err := step.Lookup(t.Context(), d.api)
	require.NoError(t, err)
	require.False(t, found.Certain)
	_, err = step.Do(t.Context(), d.api)
	if err != nil { // the first may still be writing its end
		require.True(t, errors.Is(err, apiclient.ErrDispatchActive))
	}
}

func TestTheTeamOfADispatchIsGuessed(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor")
	d.Do("POST", "/teams", `{"name":"South","workers":[],"managers":[]}`).OK(nil)
	task := d.taskAt(d.team.ID, 0, 0, "")
	guess := func(change func(*operations.Input)) string {
		s := d.input()
		change(&s)
		v, err := operations.NewDispatch(s)
		require.NoError(t, err)
		return v.Form.Start["team"]
	}
	require.Empty(t, guess(func(*operations.Input) {}))
	require.Equal(t, "North", guess(func(s *operations.Input) { s.Tasks = []model.ID{task} }))
	require.Equal(t, "North", guess(func(s *operations.Input) { s.Workers = []model.ID{d.workers[0].ID} }))
	require.Equal(t, "South", guess(func(s *operations.Input) { s.Argument = "team sou" }))
}

func TestAPreviewMeasuresThePresentAsThePlannerMeasuresThePlan(t *testing.T) {
	d := newTeamFixture(t, "Ada Okafor", "Ben Ruiz")
	d.taskAt(d.workers[0].ID, 0.07, 0.03, `"serviceTime":7,"completeBefore":`+millisIn(d, 10*time.Minute))
	d.taskAt(d.workers[1].ID, 0.01, 0.03, `"completeAfter":`+millisIn(d, time.Hour))
	p, err := operations.PreviewDispatch(t.Context(), d.api, d.input(), d.team.ID, model.DispatchRequest{}, nil)
	require.NoError(t, err)
	require.NotZero(t, p.Before.Travel)
	require.Equal(t, 1, p.Before.LateStops)
	require.Equal(t, p.Before, p.After, "nothing is to be placed and each route has one order")
}

// What is shown as equal is neither praised nor warned of.
func TestLatenessIsComparedAsItIsShown(t *testing.T) {
	now := operations.PreviewTotals{Late: 10*time.Minute + 2*time.Second, LateStops: 2}
	for _, c := range []struct {
		after         operations.PreviewTotals
		good, warning bool
	}{
		{operations.PreviewTotals{Late: 10*time.Minute + 9*time.Second, LateStops: 2}, false, false},
		{operations.PreviewTotals{Late: 10 * time.Minute, LateStops: 2}, false, false},
		{operations.PreviewTotals{Late: 10 * time.Minute, LateStops: 1}, true, false},
		{operations.PreviewTotals{Late: 10 * time.Minute, LateStops: 3}, false, true},
		{operations.PreviewTotals{Late: 5 * time.Minute, LateStops: 3}, true, false},
		{operations.PreviewTotals{Late: 20 * time.Minute, LateStops: 1}, false, true},
	} {
		p := operations.DispatchPreview{Before: now, After: c.after}
		lines := p.Summary()
		late := lines[slices.IndexFunc(lines, func(l operations.Line) bool { return strings.HasPrefix(l.Text, "Late: ") })]
		require.Equal(t, c.good, late.Good, late.Text)
		require.Equal(t, c.warning, late.Warning, late.Text)
	}
}
