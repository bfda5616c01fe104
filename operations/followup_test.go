package operations

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// failing refuses or loses the requests that change something of a path, once the first was let through.
func (st *fixture) failing(method, path string, happens bool) {
	st.faults = func(r *http.Request) (*http.Response, error) {
		if r.Method != method || !strings.Contains(r.URL.Path, path) {
			return nil, nil
		}
		if happens {
			response, err := st.server.Client.Transport.RoundTrip(r)
			if err != nil {
				return nil, err
			}
			response.Body.Close()
		}
		return nil, errors.New("the connection was reset")
	}
}

func (st *fixture) route(worker model.ID) []model.ID {
	st.t.Helper()
	container, err := st.client.Container(st.t.Context(), model.WorkerContainer(worker))
	require.NoError(st.t, err)
	return container.Tasks
}

func TestANewTaskIsInsertedOnARoute(t *testing.T) {
	st := newFixture(t)
	worker, _ := st.worker("Ada", "+14155550150")
	on := func(in *model.TaskInput) { in.Container = model.Some(model.WorkerContainer(worker)) }
	first, second := st.task(on), st.task(on)
	for _, c := range []struct {
		position string
		index    int
		requests int
	}{
		{"next", 0, 2},
		{"1", 0, 2},
		{"after " + string(first.ShortID), 1, 2},
		{"before " + string(second.ShortID), 1, 2},
		{string(second.ID), 1, 2},
		{"2", 1, 2},
		{"3", 2, 1},
		{"last", 2, 1},
		{"", 2, 1},
		{"after " + string(second.ShortID), 2, 1},
	} {
		v, err := NewTask(st.input())
		require.NoError(t, err)
		proposal, shown := st.preview(v, form.Values{"address": someAddress, "assign": "worker", "worker": "ada", "position": c.position})
		require.Len(t, shown, c.requests, c.position)
		require.Equal(t, []string{"container " + string(worker)}, proposal.Steps[0].Locks)
		if c.requests == 2 {
			require.Equal(t, "/containers/workers/"+string(worker), shown[1].Path)
			require.Contains(t, string(shown[1].Body), "<new task>")
			require.Contains(t, lineTexts(proposal.Lines), "It goes to Ada, in front of ")
		}
		done := st.do(proposal)[0]
		require.False(t, done.Partial)
		require.Equal(t, done.Object, st.route(worker)[c.index], c.position)
		if c.requests == 2 {
			require.Equal(t, done.Object, st.board.Snapshot().Workers.Get(worker).Tasks[c.index], "the board learns it at once")
		}
		st.undo(done)
		require.Equal(t, []model.ID{first.ID, second.ID}, st.route(worker))
	}
	v, err := NewTask(st.input())
	require.NoError(t, err)
	for _, position := range []string{"0", "4", "nowhere", "after nowhere", "after 1"} {
		_, problems := v.Prepare(form.Values{"address": someAddress, "assign": "worker", "worker": "ada", "position": position})
		require.NotEmpty(t, problems["position"], position)
	}
	f, _ := v.Form.Field("position")
	options := f.Suggest("", form.Values{"assign": "worker", "worker": "ada"})
	require.Len(t, options, 3)
	require.Equal(t, "1, next, in front of "+string(first.ShortID), options[0].Label)
	require.Equal(t, "at the end of the route", f.Echo("last", form.Values{"assign": "worker", "worker": "ada"}))
}

func TestANewTaskIsInsertedInATeamsList(t *testing.T) {
	st := newFixture(t)
	_, team := st.worker("Ada", "+14155550150")
	first := st.task(func(in *model.TaskInput) { in.Container = model.Some(model.TeamContainer(team)) })
	s := st.input()
	container, err := st.client.Container(t.Context(), model.TeamContainer(team))
	require.NoError(t, err)
	st.board.Apply(board.Change{ReceivedAt: s.Now, Containers: []model.Container{container}})
	s.Board = st.board.Snapshot()
	v, err := NewTask(s)
	require.NoError(t, err)
	proposal, shown := st.preview(v, form.Values{"address": someAddress, "assign": "team", "team": "team of ada", "position": "next"})
	require.Equal(t, "/containers/teams/"+string(team), shown[1].Path)
	done := st.do(proposal)[0]
	container, err = st.client.Container(t.Context(), model.TeamContainer(team))
	require.NoError(t, err)
	require.Equal(t, []model.ID{done.Object, first.ID}, container.Tasks)
	require.Contains(t, done.Summary, "in front of "+string(first.ShortID))
}

func TestANewPickupIsLinkedWithItsDropOff(t *testing.T) {
	st := newFixture(t)
	worker, _ := st.worker("Ada", "+14155550150")
	earlier := st.task(nil)
	drop := st.task(func(in *model.TaskInput) {
		in.Container, in.Dependencies = model.Some(model.WorkerContainer(worker)), model.Some([]model.ID{earlier.ID})
	})
	v, err := NewTask(st.input())
	require.NoError(t, err)
	values := form.Values{"kind": "pickup", "address": someAddress, "needed_by": string(drop.ShortID)}
	proposal, shown := st.preview(v, values)
	require.Len(t, shown, 2)
	require.Equal(t, "PUT /tasks/"+string(drop.ID), shown[1].Method+" "+shown[1].Path)
	require.JSONEq(t, `{"dependencies":["`+string(earlier.ID)+`","<new task>"]}`, string(shown[1].Body))
	require.Contains(t, lineTexts(proposal.Lines), "with Ada, who does not get the new task")
	require.Contains(t, proposal.Steps[0].Locks, "task "+string(drop.ID))

	done := st.do(proposal)[0]
	require.Equal(t, []model.ID{earlier.ID, done.Object}, st.read(drop.ID).Dependencies)
	require.Contains(t, done.Summary, "task "+string(drop.ShortID)+" depends on it")
	require.Equal(t, []model.ID{earlier.ID, done.Object}, st.board.Snapshot().Tasks.Get(drop.ID).Dependencies, "the board learns it at once")

	var taken []apiclient.Preview
	_, err = done.Undo.Step.Do(apiclient.WithDryRun(t.Context(), func(p apiclient.Preview) { taken = append(taken, p) }), st.client)
	require.ErrorIs(t, err, apiclient.ErrDryRun)
	require.Len(t, taken, 2)
	require.JSONEq(t, `{"dependencies":["`+string(earlier.ID)+`"]}`, string(taken[0].Body))
	st.undo(done)
	require.Equal(t, []model.ID{earlier.ID}, st.read(drop.ID).Dependencies)

	// The drop-off is started while the form is open: nothing is made.
	proposal, _ = st.preview(v, values)
	require.NoError(t, st.client.DeleteTask(t.Context(), drop.ID))
	_, err = proposal.Steps[0].Do(t.Context(), st.client)
	require.ErrorContains(t, err, "no longer exists")
	name, ok := v.FieldOf(err)
	require.True(t, ok)
	require.Equal(t, "needed_by", name)
}

func TestLinksThatAreRefused(t *testing.T) {
	st := newFixture(t)
	drop := st.task(nil)
	between := st.task(func(in *model.TaskInput) { in.Dependencies = model.Some([]model.ID{drop.ID}) })
	started := st.startedTask("+14155550151")
	v, err := NewTask(st.input())
	require.NoError(t, err)
	for _, c := range []struct{ neededBy, dependsOn, words string }{
		{string(started.ShortID), "", "has started this task"},
		{string(drop.ShortID), string(drop.ShortID), "would depend on"},
		{string(drop.ShortID), string(between.ShortID), "would depend on"},
		{"nothing", "", "is not the id of a task"},
	} {
		_, problems := v.Prepare(form.Values{"kind": "pickup", "address": someAddress, "needed_by": c.neededBy, "depends_on": c.dependsOn})
		require.Contains(t, problems["needed_by"], c.words, "%v", c)
	}
	f, _ := v.Form.Field("needed_by")
	require.False(t, f.Show(form.Values{}), "a drop-off says itself what it waits for")
	require.Len(t, f.Suggest("", nil), 2, "what was started cannot wait any more")
}

func TestFollowUpsMayFail(t *testing.T) {
	st := newFixture(t)
	worker, _ := st.worker("Ada", "+14155550150")
	first := st.task(func(in *model.TaskInput) { in.Container = model.Some(model.WorkerContainer(worker)) })
	drop := st.task(nil)
	values := form.Values{
		"kind": "pickup", "address": someAddress, "needed_by": string(drop.ShortID), "assign": "worker", "worker": "ada", "position": "1",
	}
	prepare := func() Proposal {
		v, err := NewTask(st.input())
		require.NoError(t, err)
		proposal, shown := st.preview(v, values)
		require.Len(t, shown, 3)
		return proposal
	}
	// The position fails: the task is there, it is linked, and the key that inserts it is offered as it was meant.
	proposal := prepare()
	st.failing(http.MethodPut, "/containers/", false)
	done := st.do(proposal)[0]
	st.faults = nil
	require.True(t, done.Partial)
	require.Contains(t, done.Summary, "but at the end of the route")
	require.Contains(t, lineTexts(done.Report), "unknown whether it was inserted in front of "+string(first.ShortID))
	require.Equal(t, "route.insert", done.Next)
	require.Equal(t, []model.ID{first.ID, done.Object}, st.route(worker))
	require.Contains(t, st.read(drop.ID).Dependencies, done.Object)
	next, err := NewInsert(st.input(done.NextObjects()...))
	require.NoError(t, err)
	proposal, problems := next.Prepare(done.NextValues)
	require.Empty(t, problems)
	st.do(proposal)
	require.Equal(t, []model.ID{done.Object, first.ID}, st.route(worker))

	// The link fails.
	proposal = prepare()
	st.failing(http.MethodPut, "/tasks/", false)
	done = st.do(proposal)[0]
	st.faults = nil
	require.Contains(t, done.Summary, "but task "+string(drop.ShortID)+" does not depend on it")
	require.Equal(t, "task.link", done.Next)
	require.Equal(t, []model.ID{drop.ID}, done.NextObjects())
	require.NotContains(t, st.read(drop.ID).Dependencies, done.Object)
	next, err = NewLink(st.input(done.NextObjects()...))
	require.NoError(t, err)
	proposal, problems = next.Prepare(done.NextValues)
	require.Empty(t, problems)
	st.do(proposal)
	require.Contains(t, st.read(drop.ID).Dependencies, done.Object)

	// Both happen, but their answers are lost: that is looked up at once.
	proposal = prepare()
	st.failing(http.MethodPut, "/", true)
	done = st.do(proposal)[0]
	st.faults = nil
	require.False(t, done.Partial, lineTexts(done.Report))
	require.Equal(t, done.Object, st.route(worker)[0])

	// The stop that was meant is gone before anything is made: nothing is.
	proposal = prepare()
	route := st.route(worker)
	require.NoError(t, st.client.DeleteTask(t.Context(), route[0]))
	_, err = proposal.Steps[0].Do(t.Context(), st.client)
	require.ErrorContains(t, err, "choose a position again")
	require.Len(t, st.route(worker), len(route)-1)
}

func TestALostCreationLacksItsFollowUps(t *testing.T) {
	st := newFixture(t)
	worker, _ := st.worker("Ada", "+14155550150")
	first := st.task(func(in *model.TaskInput) { in.Container = model.Some(model.WorkerContainer(worker)) })
	drop := st.task(nil)
	v, err := NewTask(st.input())
	require.NoError(t, err)
	proposal, _ := st.preview(v, form.Values{
		"kind": "pickup", "address": someAddress, "needed_by": string(drop.ShortID), "assign": "worker", "worker": "ada", "position": "1",
	})
	st.failing(http.MethodPost, "/tasks", true)
	_, err = proposal.Steps[0].Do(t.Context(), st.client)
	require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
	st.faults = nil
	found, err := proposal.Steps[0].Lookup(t.Context(), st.client)
	require.NoError(t, err)
	require.True(t, found.Happened && found.Certain)
	require.True(t, found.Result.Partial)
	require.Contains(t, lineTexts(found.Result.Report), "was not inserted in front of "+string(first.ShortID))
	require.Contains(t, lineTexts(found.Result.Report), "was not linked with task "+string(drop.ShortID))
	require.Equal(t, "route.insert", found.Result.Next)
	require.Equal(t, found.Result.Object, st.route(worker)[1])
	st.undo(found.Result)
}

func TestDependenciesAreChangedAndUndone(t *testing.T) {
	st := newFixture(t)
	pickup := st.task(func(in *model.TaskInput) { in.PickupTask = model.Some(true) })
	drop := st.task(nil)
	v, err := NewLink(st.input(drop.ID))
	require.NoError(t, err)
	require.Empty(t, v.Form.Start["depends_on"])
	_, problems := v.Prepare(form.Values{})
	require.Contains(t, problems["depends_on"], "Nothing would change")
	_, problems = v.Prepare(form.Values{"depends_on": string(drop.ShortID)})
	require.Contains(t, problems["depends_on"], "depend on itself")
	proposal, shown := st.preview(v, form.Values{"depends_on": string(pickup.ShortID)})
	require.Equal(t, "/tasks/"+string(drop.ID), shown[0].Path)
	done := st.do(proposal)[0]
	require.Equal(t, []model.ID{pickup.ID}, st.read(drop.ID).Dependencies)

	back, err := NewLink(st.input(pickup.ID))
	require.NoError(t, err)
	_, problems = back.Prepare(form.Values{"depends_on": string(drop.ShortID)})
	require.Contains(t, problems["depends_on"], "wait forever")

	st.undo(done)
	require.Empty(t, st.read(drop.ID).Dependencies)
	_, err = NewLink(st.input(st.startedTask("+14155550152").ID))
	require.ErrorContains(t, err, "started")
	_, err = NewLink(st.input(pickup.ID, drop.ID))
	require.ErrorContains(t, err, "one task at a time")
}
