package server_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/sandbox"
	"waybill/service/server"
	"waybill/service/store"
	"waybill/service/world"
)

// client speaks to a running server.
type client struct {
	t    *testing.T
	base string
	key  string
}

func (c client) do(method, path, body string) (int, []byte) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, bytes.NewBufferString(body))
	require.NoError(c.t, err)
	req.SetBasicAuth(c.key, "")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(c.t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(c.t, err)
	return resp.StatusCode, answer
}

func (c client) ok(method, path, body string, into any) {
	c.t.Helper()
	status, answer := c.do(method, path, body)
	require.Equal(c.t, http.StatusOK, status, "%s", answer)
	if into != nil {
		require.NoError(c.t, model.Unmarshal(answer, into))
	}
}

func start(t *testing.T, c server.Config) *server.Server {
	t.Helper()
	c.Listen = "127.0.0.1:0"
	s, err := server.Start(t.Context(), c)
	require.NoError(t, err)
	return s
}

func startSandbox(t *testing.T, dir string, box server.Sandbox) (*server.Server, client) {
	t.Helper()
	if box.Options == (sandbox.Options{}) {
		box.Options = sandbox.Options{Tasks: 60, Workers: 6}
	}
	s := start(t, server.Config{Dir: dir, Sandbox: &box})
	return s, client{t, s.BaseURL(), s.SandboxKey()}
}

func TestJobsAreDoneAndEndInOrder(t *testing.T) {
	t.Parallel()
	const key = "0123456789abcdef"
	s := start(t, server.Config{
		Dir: t.TempDir(), BootstrapKey: key, Organization: world.NewOrganization{Name: "A", Country: "US", Timezone: "UTC"},
	})
	c := client{t, s.BaseURL(), key}
	var accepted model.BatchAccepted
	c.ok("POST", "/tasks/batch-async", `{"tasks":[{"destination":{"address":{"number":"1","street":"A St","city":"San Francisco",
		"country":"USA"},"location":[-122.4,37.78]},"recipients":[]}]}`, &accepted)
	servicetest.WaitFor(t, func() bool {
		var job model.BatchJob
		c.ok("GET", "/tasks/batch/"+string(accepted.JobID), "", &job)
		return job.Status == model.BatchSucceeded
	})
	require.NoError(t, s.Stop(t.Context()))
	require.Empty(t, s.SandboxKey())
}

func TestASandboxIsThereWithItsKeyAndGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, c := startSandbox(t, dir, server.Sandbox{Speed: 60})
	key, err := server.SandboxKey(dir)
	require.NoError(t, err)
	require.Equal(t, c.key, key)
	info, err := os.Stat(filepath.Join(dir, server.KeyFile))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	var workers []model.Worker
	c.ok("GET", "/workers", "", &workers)
	require.Len(t, workers, 6)
	completed := func() int {
		var page model.TaskPage
		c.ok("GET", "/tasks/all?from=0&state=3", "", &page)
		return len(page.Tasks)
	}
	before := completed()
	servicetest.WaitFor(t, func() bool { return completed() > before }) // drivers drive
	require.NoError(t, s.Stop(t.Context()))
	stopped := s.World().Now()

	saved := savedTime(t, dir)
	require.LessOrEqual(t, saved, stopped)
	restarted := time.Now()
	s, again := startSandbox(t, dir, server.Sandbox{})
	require.Equal(t, c.key, again.key)
	require.LessOrEqual(t, s.World().Now().Sub(saved), time.Since(restarted)+time.Second, "it goes on where it was")
	require.GreaterOrEqual(t, s.World().Now(), saved)
	require.NoError(t, s.Stop(t.Context()))
}

func TestALargeSandboxAnswersWhileItIsFilled(t *testing.T) {
	t.Parallel()
	tasks := 3000
	if underRace {
		tasks = 2001 // the least that counts as large
	}
	s, c := startSandbox(t, t.TempDir(), server.Sandbox{Options: sandbox.Options{Tasks: tasks, Workers: 6}})
	var page model.TaskPage
	c.ok("GET", "/tasks/all?from=0", "", &page)
	require.NotEmpty(t, page.Tasks, "the first are there at once")
	full := func() bool { return count(t, s, "SELECT count(*) FROM tasks") > int64(tasks)*6/10 }
	c.ok("POST", "/tasks", `{"destination":{"address":{"number":"1","street":"A St","city":"San Francisco","country":"USA"},
		"location":[-122.4,37.78]},"recipients":[]}`, nil)
	servicetest.WaitFor(t, full)
	require.NoError(t, s.Stop(t.Context()))
}

func savedTime(t *testing.T, dir string) model.Millis {
	t.Helper()
	opened, err := store.Open(t.Context(), dir)
	require.NoError(t, err)
	defer opened.Close()
	saved, known, err := sandbox.SavedTime(t.Context(), opened)
	require.NoError(t, err)
	require.True(t, known)
	return saved
}

func TestSnapshotsRestoreAndReset(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "day.db")
	s, c := startSandbox(t, dir, server.Sandbox{})
	var task model.Task
	c.ok("POST", "/tasks", `{"destination":{"address":{"number":"1","street":"A St","city":"San Francisco","country":"USA"},
		"location":[-122.4,37.78]},"recipients":[],"notes":"mine"}`, &task)
	require.NoError(t, server.Snapshot(t.Context(), dir, file), "also while the server runs")
	require.ErrorContains(t, server.Snapshot(t.Context(), dir, file), "exists already")
	c.ok("DELETE", "/tasks/"+string(task.ID), "", nil)
	require.NoError(t, s.Stop(t.Context()))

	elsewhere := t.TempDir()
	for _, target := range []string{dir, elsewhere} {
		s, c := startSandbox(t, target, server.Sandbox{Restore: file})
		c.ok("GET", "/tasks/"+string(task.ID), "", nil)
		require.NoError(t, s.Stop(t.Context()))
	}
	s, c = startSandbox(t, dir, server.Sandbox{Reset: true})
	status, _ := c.do("GET", "/tasks/"+string(task.ID), "")
	require.Equal(t, http.StatusNotFound, status)
	require.NoError(t, s.Stop(t.Context()))

	refused := func(box server.Sandbox, dir, why string) {
		t.Helper()
		_, err := server.Start(t.Context(), server.Config{Dir: dir, Listen: "127.0.0.1:0", Sandbox: &box})
		require.ErrorContains(t, err, why)
	}
	refused(server.Sandbox{Restore: filepath.Join(dir, server.KeyFile)}, dir, "not a snapshot")
	refused(server.Sandbox{Restore: "/nowhere/at/all"}, dir, "no snapshot")
	require.Positive(t, savedTime(t, dir), "a snapshot that is none leaves the folder as it was")
	own := t.TempDir()
	mine := start(t, server.Config{Dir: own, Organization: world.NewOrganization{Name: "Mine", Country: "US", Timezone: "UTC"}})
	require.NoError(t, mine.Stop(t.Context()))
	refused(server.Sandbox{Reset: true}, own, "holds organizations of its own")
	refused(server.Sandbox{}, own, "holds organizations of its own")
	refused(server.Sandbox{Restore: file}, own, "holds organizations of its own")
}

func TestFaultsAreAsManyAsAskedFor(t *testing.T) {
	t.Parallel()
	faults, err := server.ParseFaults("latency=1ms, errors=20%, drop=0.1")
	require.NoError(t, err)
	require.Equal(t, server.Faults{Latency: time.Millisecond, Errors: 0.2, Drop: 0.1}, faults)
	for _, bad := range []string{"latency=fast", "errors=120%", "drop=-1%", "noise=1%", "errors", "latency=2h", "drop=NaN"} {
		_, err := server.ParseFaults(bad)
		require.ErrorContains(t, err, "latency=200ms,errors=2%,drop=1%", bad)
	}
	const key, requests = "0123456789abcdef", 600
	s := start(t, server.Config{
		Dir: t.TempDir(), BootstrapKey: key, Faults: faults, Organization: world.NewOrganization{Name: "A", Country: "US", Timezone: "UTC"},
	})
	outcomes := map[int]int{}
	for range requests {
		outcomes[tryOnce(t, s.BaseURL()+"/auth/test", key)]++
	}
	require.NoError(t, s.Stop(t.Context()))
	require.InDelta(t, 0.7*requests, outcomes[http.StatusOK], 60)
	require.InDelta(t, 0.2*requests, outcomes[http.StatusServiceUnavailable], 45)
	require.InDelta(t, 0.1*requests, outcomes[0], 35)
}

// tryOnce returns the status, or 0 when there was no answer. It uses a connection of its own: net/http sends a GET
// again when a kept one breaks.
func tryOnce(t *testing.T, url, key string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	req.SetBasicAuth(key, "")
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		require.True(t, errors.Is(err, io.EOF) || strings.Contains(err.Error(), "reset"), "%v", err)
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}
