package operations_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/board"
	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/service/world"
)

// teamFixture is a running service with a team, drivers on duty, and a client.
type teamFixture struct {
	*servicetest.Server
	t       *testing.T
	api     *apiclient.Client
	cut     bool // the next change is carried out, but its answer is lost
	forbid  int  // which of the next changes is refused, from 1
	team    model.Team
	workers []model.Worker
}

func newTeamFixture(t *testing.T, names ...string) *teamFixture {
	t.Helper()
	t.Parallel()
	d := &teamFixture{Server: servicetest.Start(t), t: t}
	d.api = d.newClient()
	var err error
	d.team, err = d.api.CreateTeam(t.Context(), model.TeamInput{
		Name: model.Some("North"), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{}),
	})
	require.NoError(t, err)
	for i, name := range names {
		var w model.Worker
		d.Do("POST", "/workers", fmt.Sprintf(`{"name":%q,"phone":"+1415555%04d","teams":[%q],"vehicle":{"type":"CAR"},"capacity":10}`,
			name, 3000+i, d.team.ID)).OK(&w)
		require.NoError(t, d.World.GoOnDuty(t.Context(), w.ID))
		require.NoError(t, d.World.ReportPositions(t.Context(), []world.Position{{
			Worker: w.ID, Location: model.Location{Lon: -122.42 + float64(i)/100, Lat: 37.77},
		}}))
		d.workers = append(d.workers, w)
	}
	return d
}

func (d *teamFixture) newClient() *apiclient.Client {
	client, err := apiclient.New(apiclient.Options{
		BaseURL: d.URL, Key: apiclient.StaticKey(d.Key), RoundTripper: lossyTransport{d, d.Client.Transport},
		Limiter: apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 1000}),
	})
	require.NoError(d.t, err)
	return client
}

// lossyTransport loses the answer to a change, or refuses one, when the fixture says so.
type lossyTransport struct {
	fixture *teamFixture
	next    http.RoundTripper
}

func (c lossyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet && c.fixture.forbid > 0 {
		if c.fixture.forbid--; c.fixture.forbid == 0 {
			answer := httptest.NewRecorder()
			answer.WriteHeader(http.StatusForbidden)
			return answer.Result(), nil
		}
	}
	response, err := c.next.RoundTrip(r)
	if err == nil && c.fixture.cut && r.Method != http.MethodGet {
		c.fixture.cut = false
		response.Body.Close()
		return nil, errors.New("connection reset by peer")
	}
	return response, err
}

// task makes a task east of the team, in a list: "" for the organization's, a worker's or the team's id.
func (d *teamFixture) task(owner model.ID, more string) model.ID {
	d.t.Helper()
	container := ""
	switch owner {
	case "":
	case d.team.ID:
		container = fmt.Sprintf(`"container":{"type":"TEAM","team":%q},`, owner)
	default:
		container = fmt.Sprintf(`"container":{"type":"WORKER","worker":%q},`, owner)
	}
	if more != "" {
		more = "," + more
	}
	var task model.Task
	d.Do("POST", "/tasks", fmt.Sprintf(`{"destination":{"address":{"number":"543","street":"Howard St","city":"San Francisco","country":"USA"},
		"location":[-122.41,37.775]},%s"recipients":[]%s}`, container, more)).OK(&task)
	return task.ID
}

func (d *teamFixture) tasks(owner model.ID, n int) []model.ID {
	ids := make([]model.ID, n)
	for i := range ids {
		ids[i] = d.task(owner, "")
	}
	return ids
}

// input is the board as it is now, with these tasks selected.
func (d *teamFixture) input(tasks ...model.ID) operations.Input {
	d.t.Helper()
	ctx := d.t.Context()
	change := board.Change{ReceivedAt: model.MillisOf(d.Clock.Now())}
	var err error
	change.Teams, err = d.api.Teams(ctx)
	require.NoError(d.t, err)
	change.Workers, err = d.api.Workers(ctx, apiclient.WorkersQuery{})
	require.NoError(d.t, err)
	change.Hubs, err = d.api.Hubs(ctx)
	require.NoError(d.t, err)
	for task, err := range d.api.Tasks(ctx, apiclient.TaskQuery{From: 1}) {
		require.NoError(d.t, err)
		change.Tasks = append(change.Tasks, task)
	}
	org, err := d.api.Organization(ctx)
	require.NoError(d.t, err)
	zone, err := time.LoadLocation(org.Timezone)
	require.NoError(d.t, err)
	state := board.NewBoard(board.DefaultSettings(), change.ReceivedAt)
	snapshot, _ := state.Apply(change)
	return operations.Input{
		Board: snapshot, Tasks: tasks, Organization: org, Hubs: change.Hubs, Now: change.ReceivedAt, Zone: zone, WorkDir: d.t.TempDir(),
	}
}

func (d *teamFixture) board() *board.Snapshot { return d.input().Board }

// list is the tasks of a worker or of the team.
func (d *teamFixture) list(owner model.ID) []model.ID {
	d.t.Helper()
	ref := model.WorkerContainer(owner)
	switch owner {
	case "":
		ref = model.OrganizationContainer(d.Org)
	case d.team.ID:
		ref = model.TeamContainer(owner)
	}
	container, err := d.api.Container(d.t.Context(), ref)
	require.NoError(d.t, err)
	return container.Tasks
}

// dryRun shows what a step would send and makes sure that it changes nothing.
func (d *teamFixture) dryRun(step operations.Step) []apiclient.Preview {
	d.t.Helper()
	var shown []apiclient.Preview
	_, err := step.Do(apiclient.WithDryRun(d.t.Context(), func(p apiclient.Preview) { shown = append(shown, p) }), d.api)
	require.ErrorIs(d.t, err, apiclient.ErrDryRun)
	require.NotEmpty(d.t, shown)
	return shown
}

func (d *teamFixture) do(step operations.Step) operations.Result {
	d.t.Helper()
	done, err := step.Do(d.t.Context(), d.api)
	require.NoError(d.t, err)
	return done
}

// prepare makes the proposal of a form with a single step.
func prepare(t *testing.T, v operations.Operation, values form.Values) operations.Proposal {
	t.Helper()
	filled := v.Form.Start.Clone()
	if filled == nil {
		filled = form.Values{}
	}
	for name, value := range values {
		_, known := v.Form.Field(name)
		require.True(t, known, "the form has no field %s", name)
		filled[name] = value
	}
	proposal, problems := v.Prepare(filled)
	require.Empty(t, problems)
	require.NotEmpty(t, proposal.Summary)
	require.NotEmpty(t, proposal.Lines)
	require.Len(t, proposal.Steps, 1)
	return proposal
}

func lineTexts(lines []operations.Line) string {
	text := ""
	for _, line := range lines {
		if line.Warning {
			text += "! "
		}
		text += line.Text + "\n"
	}
	return text
}
