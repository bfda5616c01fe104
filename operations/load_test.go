package operations

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

// requestsOf counts the requests that the client sends while f runs, by method and path.
func (st *fixture) requestsOf(f func()) []string {
	st.t.Helper()
	var sent []string
	st.faults = func(r *http.Request) (*http.Response, error) {
		sent = append(sent, r.Method+" "+r.URL.Path)
		return nil, nil
	}
	f()
	st.faults = nil
	return sent
}

// commandInput is the input that a command starts from.
func (st *fixture) commandInput() Input {
	return Input{Organization: st.org, Now: model.MillisOf(st.server.Clock.Now())}
}

func (st *fixture) loadCommand(id string, selected Selection, given map[string][]string) (Operation, form.Values) {
	st.t.Helper()
	d, err := FindDefinition(id)
	require.NoError(st.t, err)
	s, err := Load(st.t.Context(), st.client, d, st.commandInput(), selected, given)
	require.NoError(st.t, err)
	op, err := d.New(s)
	require.NoError(st.t, err)
	values, err := op.Form.ParseFlags(given)
	require.NoError(st.t, err)
	return op, values
}

func TestLoadReadsOnlyWhatIsNamed(t *testing.T) {
	st := newFixture(t)
	ada, _ := st.worker("Ada Okafor", "+14155550110")
	first, second := st.task(nil), st.task(nil)
	flags := map[string][]string{"worker": {"okafor"}}
	sent := st.requestsOf(func() {
		op, values := st.loadCommand("route.assign", Selection{Tasks: []string{string(first.ShortID), string(second.ID)}}, flags)
		require.Equal(t, "okafor", values[fieldDriver])
		require.Equal(t, "Assign 2 tasks", op.Title)
	})
	require.Len(t, sent, 3, "two tasks and the workers: %v", sent)
	sent = st.requestsOf(func() {
		st.loadCommand("task.delete", Selection{Tasks: []string{string(first.ID)}}, nil)
		st.loadCommand("route.assign", Selection{Tasks: []string{string(first.ID)}}, map[string][]string{"worker": {string(ada)}})
	})
	require.Len(t, sent, 1, "deleting by id reads nothing: %v", sent)
}

func TestLoadUsesTheBoardThatIsGiven(t *testing.T) {
	st := newFixture(t)
	worker, _ := st.worker("Ada Okafor", "+14155550110")
	known := st.task(nil)
	input := st.commandInput()
	input.Board = st.refresh()
	later := st.task(nil)
	d, err := FindDefinition("route.transfer")
	require.NoError(t, err)
	var loaded Input
	sent := st.requestsOf(func() {
		selected := Selection{Tasks: []string{strings.ToUpper(string(known.ShortID)), string(known.ID), string(later.ShortID)}, Workers: []string{"ada"}}
		loaded, err = Load(t.Context(), st.client, d, input, selected, nil)
	})
	require.NoError(t, err)
	require.Len(t, sent, 1, "only the task that the board does not have is read: %v", sent)
	require.Equal(t, []model.ID{known.ID, later.ID}, loaded.Tasks)
	require.Equal(t, []model.ID{worker}, loaded.Workers)
	require.Same(t, input.Board, loaded.Board)
	require.False(t, loaded.NamedOnly)
}

func TestCommandsUseTheSameOperations(t *testing.T) {
	st := newFixture(t)
	ada, _ := st.worker("Ada Okafor", "+14155550110")
	task := st.task(nil)
	op, values := st.loadCommand("route.assign", Selection{Tasks: []string{string(task.ShortID)}}, map[string][]string{
		"worker": {"ada"}, "position": {"1"},
	})
	proposal, problems := op.Prepare(values)
	require.Empty(t, problems)
	result := st.do(proposal)[0]
	container, ok := result.Response.(model.Container)
	require.True(t, ok)
	require.Equal(t, []model.ID{task.ID}, container.Tasks)
	require.Equal(t, ada, st.read(task.ID).Worker.Value())

	op, values = st.loadCommand("task.update", Selection{Tasks: []string{string(task.ID)}}, map[string][]string{
		"notes": {"Ring twice"}, "meta": {"a=b", "c:number=2"}, "clear": {"after,before"},
	})
	proposal, problems = op.Prepare(values)
	require.Empty(t, problems)
	updated, ok := st.do(proposal)[0].Response.(model.Task)
	require.True(t, ok)
	require.Equal(t, "Ring twice", updated.Notes)
	require.Len(t, updated.Metadata, 2)

	op, values = st.loadCommand("create.task", Selection{}, map[string][]string{
		"address": {someAddress}, "worker": {"Okafor"}, "require": {"signature,photo"}, "name": {"Grace"}, "phone": {"+14155550123"},
	})
	proposal, problems = op.Prepare(values)
	require.Empty(t, problems)
	created, ok := st.do(proposal)[0].Response.(model.Task)
	require.True(t, ok)
	require.Equal(t, ada, created.Worker.Value())
	require.Equal(t, "Grace", created.Recipients[0].Object.Name)
}

func TestLoadRefusesWhatItCannotFind(t *testing.T) {
	st := newFixture(t)
	st.worker("Ada Okafor", "+14155550110")
	st.worker("Ada Lovelace", "+14155550111")
	d, err := FindDefinition("route.assign")
	require.NoError(t, err)
	load := func(selected Selection, given map[string][]string) error {
		s, err := Load(t.Context(), st.client, d, st.commandInput(), selected, given)
		if err != nil {
			return err
		}
		op, err := d.New(s)
		if err != nil {
			return err
		}
		_, err = op.Form.ParseFlags(given)
		return err
	}
	var notID *IDError
	require.ErrorAs(t, load(Selection{Tasks: []string{"x"}}, nil), &notID)
	require.ErrorIs(t, load(Selection{Tasks: []string{"0123abcd"}}, nil), apiclient.ErrNotFound)
	task := st.task(nil)
	named := Selection{Tasks: []string{string(task.ID)}}
	var name *NameError
	require.ErrorAs(t, load(named, map[string][]string{"worker": {"ada"}}), &name)
	require.Len(t, name.Candidates, 2)
	require.ErrorAs(t, load(named, map[string][]string{"worker": {"Ada Okafro"}}), &name)
	require.Equal(t, "Ada Okafor", name.Closest)
}

// A dry run needs no API key: full ids are taken as they are.
func TestADryRunNeedsNoKey(t *testing.T) {
	st := newFixture(t)
	client, err := apiclient.New(apiclient.Options{BaseURL: st.server.URL})
	require.NoError(t, err)
	st.client = client
	id, worker := string(model.NewID()), string(model.NewID())
	for _, c := range []struct {
		operation string
		selected  Selection
		given     map[string][]string
	}{
		{"route.assign", Selection{Tasks: []string{id}}, map[string][]string{"worker": {worker}}},
		{"task.update", Selection{Tasks: []string{id}}, map[string][]string{"notes": {"x"}}},
		{"task.clone", Selection{Tasks: []string{id}}, map[string][]string{"before": {"+2h"}, "with-metadata": {"true"}}},
		{"task.fail", Selection{Tasks: []string{id}}, map[string][]string{"notes": {"Nobody home"}}},
		{"task.delete", Selection{Tasks: []string{id}}, nil},
		{"order.cancel", Selection{Orders: []string{id}}, nil},
		{"webhook.delete", Selection{Webhooks: []string{id}}, nil},
		{"create.worker", Selection{}, map[string][]string{
			"name": {"Dayo"}, "phone": {"+14155550123"}, "team": {worker}, "vehicle": {"bicycle"}, "capacity-b": {"3"},
		}},
		{"create.template", Selection{}, map[string][]string{"name": {"Cold"}, "for": {"dropoff"}, "field": {"seal"}}},
		{"create.webhook", Selection{}, map[string][]string{
			"url": {"https://example.com/hook"}, "trigger": {"taskEta"}, "threshold": {"10m"},
		}},
		{"route.dispatch", Selection{}, map[string][]string{
			"team": {worker}, "max-tasks": {"50"}, "vehicle": {"car"}, "route-end": {"anywhere"}, "max-delay": {"15m"},
		}},
	} {
		op, values := st.loadCommand(c.operation, c.selected, c.given)
		proposal, problems := op.Prepare(values)
		require.Empty(t, problems, c.operation)
		previews := 0
		ctx := apiclient.WithDryRun(t.Context(), func(apiclient.Preview) { previews++ })
		_, err := proposal.Steps[0].Do(ctx, st.client)
		require.ErrorIs(t, err, apiclient.ErrDryRun, c.operation)
		require.Equal(t, 1, previews, c.operation)
	}
}

func TestABodyReplacesTheForm(t *testing.T) {
	st := newFixture(t)
	d, err := FindDefinition("create.recipient")
	require.NoError(t, err)
	s := st.commandInput()
	s.Body = []byte(`{"name":"Grace","phone":"+14155550123"}`)
	s, err = Load(t.Context(), st.client, d, s, Selection{}, nil)
	require.NoError(t, err)
	op, err := d.New(s)
	require.NoError(t, err)
	require.Empty(t, op.Form.Fields)
	proposal, problems := op.Prepare(nil)
	require.Empty(t, problems)
	made, ok := st.do(proposal)[0].Response.(model.Recipient)
	require.True(t, ok)
	require.Equal(t, "Grace", made.Name)
	s.Body = []byte(`{`)
	_, err = d.New(s)
	var wrong *BodyError
	require.ErrorAs(t, err, &wrong)
}

// Flags are known without a connection, and no two fields share one.
func TestEveryFlagIsUnique(t *testing.T) {
	t.Parallel()
	for _, d := range append(Definitions(), commandDefinitions()...) {
		seen := map[string]string{}
		for _, f := range d.FlagFields() {
			if name := f.FlagName(); name != "" {
				require.Empty(t, seen[name], "%s: --%s sets %s and %s", d.ID, name, seen[name], f.Name)
				require.NotEmpty(t, f.FlagUsage(), "%s: --%s", d.ID, name)
				seen[name] = f.Name
			}
		}
	}
}
