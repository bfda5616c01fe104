package run_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/journal"
	"waybill/operations/run"
	"waybill/service"
)

const (
	childURL   = "WAYBILL_TEST_URL"
	childKey   = "WAYBILL_TEST_KEY"
	childState = "WAYBILL_TEST_STATE"
	childTasks = "WAYBILL_TEST_TASKS"
)

// TestBulkRunChild is the console that [TestKilledRunLeavesUnfinishedEntries] kills.
func TestBulkRunChild(t *testing.T) {
	if os.Getenv(childURL) == "" {
		t.Skip("only runs as a child")
	}
	activity, err := journal.Open(os.Getenv(childState), journal.Options{})
	require.NoError(t, err)
	client := killClient(t, os.Getenv(childURL), os.Getenv(childKey))
	var ids []model.ID
	for id := range strings.FieldsSeq(os.Getenv(childTasks)) {
		ids = append(ids, model.ID(id))
	}
	finish(t, run.Start(t.Context(), client, deletions(ids), run.Options{
		Journal: activity, Entry: journal.Entry{Person: "ada", Account: "north", Action: "task.delete", What: "delete 60 tasks"},
	}))
}

func killClient(t *testing.T, url, key string) *apiclient.Client {
	t.Helper()
	client, err := apiclient.New(apiclient.Options{
		BaseURL: url, Key: apiclient.StaticKey(key), Limiter: apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 5000}),
	})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// gate answers the first deletions. Later ones get no answer, but every second one is carried out.
type gate struct {
	service http.Handler
	opened  int
	full    chan struct{}

	mu     sync.Mutex
	passed []model.ID
	held   map[model.ID]bool // and whether it was carried out
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodDelete {
		g.service.ServeHTTP(w, r)
		return
	}
	id := model.ID(r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:])
	g.mu.Lock()
	if len(g.passed) < g.opened {
		g.passed = append(g.passed, id)
		g.mu.Unlock()
		g.service.ServeHTTP(w, r)
		return
	}
	carriedOut := len(g.held)%2 == 0
	g.held[id] = carriedOut
	g.mu.Unlock()
	if carriedOut {
		g.service.ServeHTTP(httptest.NewRecorder(), r)
	}
	g.full <- struct{}{}
	<-r.Context().Done()
}

// After a console is killed during a bulk run, the journal lists exactly the changes without an answer.
func TestKilledRunLeavesUnfinishedEntries(t *testing.T) {
	t.Parallel()
	server := servicetest.Start(t)
	client := killClient(t, server.URL, server.Key)
	ids := createTasks(t, client, 60)
	g := &gate{
		service: service.New(service.Options{World: server.World}), opened: 37, held: map[model.ID]bool{}, full: make(chan struct{}, 60),
	}
	front := httptest.NewServer(g)
	t.Cleanup(front.Close)
	state := t.TempDir()

	var tasks []string
	for _, id := range ids {
		tasks = append(tasks, string(id))
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBulkRunChild$")
	child.Env = append(os.Environ(), childURL+"="+front.URL+service.BasePath, childKey+"="+server.Key, childState+"="+state,
		childTasks+"="+strings.Join(tasks, " "))
	require.NoError(t, child.Start())
	for range 4 { // as many as are under way at once
		<-g.full
	}
	require.NoError(t, child.Process.Kill())
	require.Error(t, child.Wait())

	activity, err := journal.Open(state, journal.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, activity.Close()) })
	unfinished, err := activity.Unfinished(t.Context(), "north")
	require.NoError(t, err)
	require.ElementsMatch(t, slices.Collect(maps.Keys(g.held)), objectsOf(unfinished))

	page, err := activity.Read(t.Context(), "north", journal.Query{})
	require.NoError(t, err)
	require.Zero(t, page.Damaged)
	var done []journal.Entry
	for _, e := range page.Entries {
		if !e.Unfinished {
			require.Equal(t, "done", e.State())
			require.Len(t, e.RequestID, 36)
			done = append(done, e)
		}
	}
	require.ElementsMatch(t, g.passed, objectsOf(done), "what was acknowledged is recorded")

	lookUpUnfinished(t, activity, client, g, unfinished)
}

// lookUpUnfinished looks up unfinished changes, as a person would, and records their outcomes.
func lookUpUnfinished(t *testing.T, a *journal.Activity, c *apiclient.Client, g *gate, unfinished []journal.Entry) {
	t.Helper()
	for _, e := range unfinished {
		found, err := deletion(e.Object).Lookup(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, operations.LookupResult{Happened: g.held[e.Object], Certain: true, Summary: found.Summary}, found)
		require.NoError(t, a.End(e.ID, journal.Outcome{Result: found.Summary, Failed: !found.Happened}))
	}
	left, err := a.Unfinished(t.Context(), "north")
	require.NoError(t, err)
	require.Empty(t, left)
}

func objectsOf(entries []journal.Entry) []model.ID {
	var ids []model.ID
	for _, e := range entries {
		ids = append(ids, e.Object)
	}
	return ids
}
