package operations

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/board"
	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/operations/form"
)

// fixture is a running service with a board that reads it.
type fixture struct {
	t      *testing.T
	server *servicetest.Server
	client *apiclient.Client
	board  *board.Board
	org    model.Organization
	faults func(r *http.Request) (*http.Response, error)
}

// newFixture also lets the test run beside others: each has a service of its own.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	t.Parallel()
	st := &fixture{t: t, server: servicetest.Start(t)}
	st.client = st.clientFor(st.server.Key)
	st.board = board.NewBoard(board.DefaultSettings(), model.MillisOf(st.server.Clock.Now()))
	var err error
	st.org, err = st.client.Organization(t.Context())
	require.NoError(t, err)
	return st
}

func (st *fixture) clientFor(key string) *apiclient.Client {
	st.t.Helper()
	client, err := apiclient.New(apiclient.Options{
		BaseURL: st.server.URL, Key: apiclient.StaticKey(key), RoundTripper: faultTransport{st},
		Limiter: apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 1_000_000}),
	})
	require.NoError(st.t, err)
	return client
}

// faultTransport lets a test answer in the service's place.
type faultTransport struct{ st *fixture }

func (f faultTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if f.st.faults != nil {
		if response, err := f.st.faults(r); response != nil || err != nil {
			return response, err
		}
	}
	return f.st.server.Client.Transport.RoundTrip(r)
}

// refresh reads everything again, as a console does.
func (st *fixture) refresh() *board.Snapshot {
	st.t.Helper()
	ctx := st.t.Context()
	change := board.Change{ReceivedAt: st.server.World.Now()}
	for task, err := range st.client.Tasks(ctx, apiclient.TaskQuery{From: 1}) {
		require.NoError(st.t, err)
		change.Tasks = append(change.Tasks, task)
	}
	var err error
	change.Workers, err = st.client.Workers(ctx, apiclient.WorkersQuery{})
	require.NoError(st.t, err)
	change.Teams, err = st.client.Teams(ctx)
	require.NoError(st.t, err)
	snapshot, _ := st.board.Apply(change)
	return snapshot
}

// input is what an operation starts from, with these tasks selected.
func (st *fixture) input(tasks ...model.ID) Input {
	st.t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(st.t, err)
	return Input{
		Board: st.refresh(), Tasks: tasks, Organization: st.org, Now: st.server.World.Now(), Zone: zone,
	}
}

// inputWithTask is an input with the one task read in full.
func (st *fixture) inputWithTask(id model.ID) Input {
	st.t.Helper()
	s := st.input(id)
	task, err := st.client.TaskWithHistory(st.t.Context(), id)
	require.NoError(st.t, err)
	s.Task = &task
	return s
}

// task makes a task with the given changes of its body.
func (st *fixture) task(change func(in *model.TaskInput)) model.Task {
	st.t.Helper()
	in := model.TaskInput{
		Destination: model.Some(model.Embedded(model.DestinationInput{
			Address:  model.Some(model.AddressInput{Number: "543", Street: "Howard St", City: "San Francisco", Country: "USA"}),
			Location: model.Some(model.Location{Lon: -122.3965, Lat: 37.7875}),
		})),
		Recipients: model.Some([]model.IDOr[model.RecipientInput]{}),
	}
	if change != nil {
		change(&in)
	}
	task, err := st.client.CreateTask(st.t.Context(), in)
	require.NoError(st.t, err)
	return task
}

func (st *fixture) read(id model.ID) model.Task {
	st.t.Helper()
	task, err := st.client.Task(st.t.Context(), id)
	require.NoError(st.t, err)
	return task
}

// worker makes a worker in a team of its own.
func (st *fixture) worker(name, phone string) (worker, team model.ID) {
	st.t.Helper()
	made, err := st.client.CreateTeam(st.t.Context(), model.TeamInput{
		Name: model.Some("Team of " + name), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{}),
	})
	require.NoError(st.t, err)
	w, err := st.client.CreateWorker(st.t.Context(), model.WorkerInput{
		Name: model.Some(name), Phone: model.Some(phone), Teams: model.Some([]model.ID{made.ID}),
	})
	require.NoError(st.t, err)
	return w.ID, made.ID
}

// startedTask makes a task that a driver is on the way for.
func (st *fixture) startedTask(phone string) model.Task {
	st.t.Helper()
	worker, _ := st.worker("Driver "+phone, phone)
	task := st.task(func(in *model.TaskInput) { in.Container = model.Some(model.WorkerContainer(worker)) })
	require.NoError(st.t, st.server.World.GoOnDuty(st.t.Context(), worker))
	require.NoError(st.t, st.server.World.StartTask(st.t.Context(), worker, task.ID))
	return st.read(task.ID)
}

// preview requires a proposal and checks that its preview sends nothing.
func (st *fixture) preview(v Operation, values form.Values) (Proposal, []apiclient.Preview) {
	st.t.Helper()
	proposal, problems := v.Prepare(values)
	require.Empty(st.t, problems)
	require.NotEmpty(st.t, proposal.Steps)
	require.NotEmpty(st.t, proposal.Summary)
	var shown []apiclient.Preview
	ctx := apiclient.WithDryRun(st.t.Context(), func(p apiclient.Preview) { shown = append(shown, p) })
	for _, step := range proposal.Steps {
		_, err := step.Do(ctx, st.client)
		require.ErrorIs(st.t, err, apiclient.ErrDryRun)
		require.NotEmpty(st.t, step.Label)
	}
	return proposal, shown
}

// do carries out a proposal and tells the board.
func (st *fixture) do(proposal Proposal) []Result {
	st.t.Helper()
	var all []Result
	for _, step := range proposal.Steps {
		done, err := step.Do(st.t.Context(), st.client)
		require.NoError(st.t, err)
		require.NotEmpty(st.t, done.Summary)
		st.board.Apply(done.Change)
		all = append(all, done)
	}
	return all
}

// undo takes a step back, as long as the board allows it.
func (st *fixture) undo(done Result) Result {
	st.t.Helper()
	require.NotNil(st.t, done.Undo)
	require.NotEmpty(st.t, done.Undo.Title)
	require.Empty(st.t, done.Undo.Unavailable(st.refresh()))
	back, err := done.Undo.Step.Do(st.t.Context(), st.client)
	require.NoError(st.t, err)
	return back
}

func lineTexts(lines []Line) string {
	text := ""
	for _, line := range lines {
		text += line.Text + "\n"
	}
	return text
}
