package run_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/board"
	"waybill/internal/clocktest"
	"waybill/internal/storetest"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/journal"
	"waybill/operations/run"
	"waybill/service"
	"waybill/service/jobs"
	"waybill/service/world"
)

// fault is an error of the network or the service for one request.
type fault string

const (
	busyOnce     fault = "busy once"
	busyAlways   fault = "busy whenever it is asked"
	limitedOnce  fault = "429 once"
	noConnection fault = "the connection cannot be made, once"
	lostBefore   fault = "the connection breaks before the service has read it"
	lostAfter    fault = "the connection breaks while the service answers"
	hangsBefore  fault = "no answer, and nothing was done"
	hangsAfter   fault = "no answer, but it was done"
	gatewayAfter fault = "a proxy answers 502 after it was done"
	slow         fault = "it takes ten seconds"
)

// network is a real service without sockets, so that waiting takes no time in a test, and with faults by task.
type network struct {
	handler http.Handler

	mu      sync.Mutex
	faults  map[model.ID]fault
	deletes map[model.ID]int // how often the service has carried one out
	calm    bool
}

func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	id := model.ID(r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:])
	n.mu.Lock()
	f := n.faults[id]
	if r.Method != http.MethodDelete || n.calm {
		f = ""
	}
	if f == busyOnce || f == limitedOnce || f == noConnection {
		delete(n.faults, id)
	}
	n.mu.Unlock()
	switch f {
	case busyOnce, busyAlways:
		return n.refuse(http.StatusPreconditionFailed, `{"code":"PreconditionFailed","message":{"error":0,"message":"locked","request":"busy-1"}}`), nil
	case limitedOnce:
		return n.refuse(http.StatusTooManyRequests, `{"code":"TooManyRequests","message":{"error":2300,"message":"slow down","request":"slow-1"}}`), nil
	case noConnection:
		return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	case lostBefore:
		return nil, io.ErrUnexpectedEOF
	case hangsBefore:
		<-r.Context().Done()
		return nil, r.Context().Err()
	case slow:
		time.Sleep(10 * time.Second)
	}
	answer := n.serve(r, id)
	switch f {
	case lostAfter:
		return nil, io.ErrUnexpectedEOF
	case hangsAfter:
		<-r.Context().Done()
		return nil, r.Context().Err()
	case gatewayAfter:
		return n.refuse(http.StatusBadGateway, "<html><title>502 Bad Gateway</title></html>"), nil
	}
	return answer, nil
}

func (n *network) serve(r *http.Request, id model.ID) *http.Response {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	recorder := httptest.NewRecorder()
	n.handler.ServeHTTP(recorder, r.WithContext(context.WithoutCancel(r.Context())))
	answer := recorder.Result()
	if r.Method == http.MethodDelete && answer.StatusCode == http.StatusOK {
		n.mu.Lock()
		n.deletes[id]++
		n.mu.Unlock()
	}
	return answer
}

func (n *network) refuse(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// start runs the service in this process and returns a client of it. It may be called in a bubble.
func start(t *testing.T) (*apiclient.Client, *network) {
	t.Helper()
	opened := storetest.Open(t)
	clock := clocktest.New(time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC))
	queue, err := jobs.NewQueue(opened)
	require.NoError(t, err)
	w := world.New(world.Options{Store: opened, Clock: clock, Jobs: queue})
	_, key, err := w.CreateOrganization(t.Context(), world.NewOrganization{Name: "Bay Couriers", Country: "US", Timezone: "America/Los_Angeles"})
	require.NoError(t, err)
	n := &network{handler: service.New(service.Options{World: w}), faults: map[model.ID]fault{}, deletes: map[model.ID]int{}}
	client, err := apiclient.New(apiclient.Options{
		BaseURL: "https://service.example" + service.BasePath, Key: apiclient.StaticKey(key.Secret), RoundTripper: n,
	})
	require.NoError(t, err)
	return client, n
}

// createTasks makes tasks at coordinates.
func createTasks(t *testing.T, c *apiclient.Client, count int) []model.ID {
	t.Helper()
	var ids []model.ID
	for i := range count {
		var input model.TaskInput
		text := fmt.Sprintf(`{"destination":{"address":{"number":"%d","street":"Howard St","city":"San Francisco","country":"USA"},"location":[-122.39,37.78]},"recipients":[]}`, i+1)
		require.NoError(t, model.Unmarshal([]byte(text), &input))
		task, err := c.CreateTask(t.Context(), input)
		require.NoError(t, err)
		ids = append(ids, task.ID)
	}
	return ids
}

// deletion is the step that deletes a task.
func deletion(id model.ID) operations.Step {
	return operations.Step{
		Object: id, Label: "task " + string(id),
		Do: func(ctx context.Context, c *apiclient.Client) (operations.Result, error) {
			if err := c.DeleteTask(ctx, id); err != nil {
				return operations.Result{}, err
			}
			return operations.Result{Object: id, Summary: "deleted", Change: board.Change{IsWrite: true, Removed: []model.ID{id}}}, nil
		},
		Lookup: func(ctx context.Context, c *apiclient.Client) (operations.LookupResult, error) {
			_, err := c.Task(ctx, id)
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
				return operations.LookupResult{Happened: true, Certain: true, Summary: "deleted"}, nil
			case err != nil:
				return operations.LookupResult{}, err
			}
			return operations.LookupResult{Certain: true, Summary: "it is still there"}, nil
		},
	}
}

func deletions(ids []model.ID) []operations.Step {
	var steps []operations.Step
	for _, id := range ids {
		steps = append(steps, deletion(id))
	}
	return steps
}

// Two hundred deletions with every kind of fault.
func TestBulkDeleteWithFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		client, network := start(t)
		ids := createTasks(t, client, 200)
		kinds := []fault{
			"", busyOnce, limitedOnce, noConnection, busyAlways, lostBefore, lostAfter, hangsBefore, hangsAfter, gatewayAfter, "gone",
		}
		by := map[fault][]model.ID{}
		for i, id := range ids {
			f := fault("")
			if i%4 == 1 {
				f = kinds[i/4%len(kinds)]
			}
			by[f] = append(by[f], id)
			switch f {
			case "":
			case "gone":
				require.NoError(t, client.DeleteTask(t.Context(), id))
			default:
				network.faults[id] = f
			}
		}
		activity, err := journal.Open(dir, journal.Options{})
		require.NoError(t, err)
		defer activity.Close()
		r := run.Start(t.Context(), client, deletions(ids), run.Options{Journal: activity, Entry: journal.Entry{Account: "a"}})
		p := finish(t, r)
		require.NoError(t, p.Unrecorded)
		require.NoError(t, p.Halted)
		status := map[model.ID]*run.State{}
		for _, s := range p.Steps {
			status[s.Object] = s
		}
		expect := func(want run.Status, again bool, faults ...fault) {
			t.Helper()
			for _, f := range faults {
				require.NotEmpty(t, by[f], f)
				for _, id := range by[f] {
					require.Equal(t, want, status[id].Status, "%q: %v", f, status[id].Err)
					require.Equal(t, again, status[id].Retryable, f)
				}
			}
		}
		expect(run.Done, false, "", busyOnce, limitedOnce, noConnection)
		expect(run.Failed, true, busyAlways, "gone")
		expect(run.Unknown, false, lostBefore, lostAfter, hangsBefore, hangsAfter, gatewayAfter)
		require.Equal(t, 4, status[by[busyAlways][0]].Attempts, "once, and three times more")
		require.Equal(t, "busy-1", status[by[busyAlways][0]].RequestID)
		require.Len(t, status[ids[0]].RequestID, 36, "what went well has its request id too")
		require.ErrorIs(t, status[by["gone"][0]].Err, apiclient.ErrNotFound)

		p = r.LookUpUnknown(t.Context())
		require.Zero(t, p.Unknown)
		for _, s := range p.Steps {
			status[s.Object] = s
		}
		expect(run.Done, false, lostAfter, hangsAfter, gatewayAfter)
		expect(run.Failed, true, lostBefore, hangsBefore)
		require.Len(t, p.Results, p.Done)

		network.calm = true
		p = finish(t, r.RetryFailed(t.Context()))
		require.Equal(t, len(by["gone"]), p.Failed, "what is gone stays gone")
		require.Equal(t, len(by[busyAlways])+len(by[lostBefore])+len(by[hangsBefore]), p.Done)
		for _, id := range ids {
			require.Equal(t, 1, network.deletes[id], "carried out exactly once")
		}
		checkActivity(t, activity, by["gone"])
	})
}

// checkActivity checks the last outcome of each task: all are deleted, some were deleted before.
func checkActivity(t *testing.T, activity *journal.Activity, gone []model.ID) {
	t.Helper()
	page, err := activity.Read(t.Context(), "a", journal.Query{})
	require.NoError(t, err)
	last := map[model.ID]journal.Entry{}
	for _, e := range page.Entries {
		if _, known := last[e.Object]; !known {
			last[e.Object] = e
		}
		require.False(t, e.Running || e.Unfinished)
	}
	require.Len(t, last, 200)
	for _, id := range gone {
		require.True(t, last[id].Failed)
		require.Len(t, last[id].RequestID, 36)
		delete(last, id)
	}
	for id, e := range last {
		require.Equal(t, "done", e.State(), "%s: %s", id, e.Result)
	}
}

// A step that has made a change is not retried, even if its last request did nothing.
func TestPartialStepIsNotRetried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, network := start(t)
		ids := createTasks(t, client, 2)
		network.faults[ids[1]] = busyAlways
		tries := 0
		half := operations.Step{Label: "both", Do: func(ctx context.Context, c *apiclient.Client) (operations.Result, error) {
			tries++
			if err := c.DeleteTask(ctx, ids[0]); err != nil {
				return operations.Result{}, err
			}
			return operations.Result{Summary: "the first is deleted"}, c.DeleteTask(ctx, ids[1])
		}}
		r := run.Start(t.Context(), client, []operations.Step{half}, run.Options{})
		p := finish(t, r)
		require.Equal(t, 1, tries)
		require.Equal(t, run.Failed, p.Steps[0].Status)
		require.ErrorIs(t, p.Steps[0].Err, apiclient.ErrBusy)
		require.Contains(t, p.Steps[0].Text, "the first is deleted; then another change to this list of tasks is in progress")
		require.Nil(t, r.RetryFailed(t.Context()))
	})
}

// While the service refuses requests because of their rate, a stop cancels the waiting steps.
func TestStopWhileTheBudgetIsUsedUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		client := clientOf(t, func(*http.Request) (*http.Response, error) {
			asked.Add(1)
			answer := (*network)(nil).refuse(http.StatusTooManyRequests, `{"code":"TooManyRequests","message":{"error":2300,"message":"banned"}}`)
			answer.Header.Set("Retry-After", "3600")
			return answer, nil
		})
		r := run.Start(t.Context(), client, deletions([]model.ID{"a", "b", "c", "d", "e", "f"}), run.Options{Parallel: 2})
		time.Sleep(10 * time.Minute)
		sent := asked.Load()
		require.LessOrEqual(t, sent, int64(2), "nothing goes out against a refusal for an hour")
		p := r.Snapshot()
		require.False(t, p.Ended)
		require.Zero(t, p.Sending)
		require.Contains(t, p.Steps[2].Text, "request limit reached; continuing in ")
		r.Stop()
		p = finish(t, r)
		require.Equal(t, sent, asked.Load())
		require.Zero(t, p.Unknown)
		require.Equal(t, 6, p.Retryable, "all can be sent later")
	})
}

// The timeout of a step does not include waits for the request budget.
func TestWaitingForTheBudgetIsNoTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := clientOf(t, func(*http.Request) (*http.Response, error) {
			return (*network)(nil).refuse(http.StatusOK, "{}"), nil
		})
		r := run.Start(t.Context(), client, []operations.Step{{Label: "paused", Do: func(ctx context.Context, c *apiclient.Client) (operations.Result, error) {
			c.Limiter().RecordRefusal(90 * time.Second) // another request of the organization was refused
			return operations.Result{Summary: "deleted"}, c.DeleteTask(ctx, "a")
		}}}, run.Options{})
		p := finish(t, r)
		require.Equal(t, 1, p.Done, "%v", p.Steps[0].Err)
		require.GreaterOrEqual(t, p.Steps[0].Ended.Sub(p.Steps[0].Began), 90*time.Second)
	})
}

func TestRunStopsWhenEveryStepWouldFail(t *testing.T) {
	t.Parallel()
	answers := map[string]func() (*http.Response, error){
		"key": func() (*http.Response, error) {
			return (*network)(nil).refuse(http.StatusUnauthorized, `{"code":"InvalidCredentials","message":{"error":1102,"message":"no"}}`), nil
		},
		"offline": func() (*http.Response, error) { return nil, &net.DNSError{Err: "no such host"} },
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := clientOf(t, func(*http.Request) (*http.Response, error) { return answer() })
				var ids []model.ID
				for i := range 100 {
					ids = append(ids, model.ID(fmt.Sprint(i)))
				}
				r := run.Start(t.Context(), client, deletions(ids), run.Options{})
				p := finish(t, r)
				require.Error(t, p.Halted)
				require.LessOrEqual(t, p.Failed, 7)
				require.Equal(t, 100, p.Failed+p.Stopped)
				require.Equal(t, 100, p.Retryable)
			})
		})
	}
}

// clientOf returns a client whose requests a function answers.
func clientOf(t *testing.T, f roundTrip) *apiclient.Client {
	t.Helper()
	client, err := apiclient.New(apiclient.Options{BaseURL: "https://service.example/api/v2", Key: apiclient.StaticKey("key"), RoundTripper: f})
	require.NoError(t, err)
	return client
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestPreviewShowsWhatWouldBeSent(t *testing.T) {
	t.Parallel()
	client := clientOf(t, func(r *http.Request) (*http.Response, error) {
		assert.Equal(t, http.MethodGet, r.Method, "a preview changes nothing")
		return (*network)(nil).refuse(http.StatusOK, `{"id":"t9"}`), nil
	})
	steps := deletions([]model.ID{"t1", "t2", "t3"})
	previews, err := run.Preview(t.Context(), client, steps, 2)
	require.NoError(t, err)
	require.Equal(t, []apiclient.Preview{{Method: "DELETE", Path: "/tasks/t1"}, {Method: "DELETE", Path: "/tasks/t2"}}, previews)
	previews, err = run.Preview(t.Context(), client, steps, 0)
	require.NoError(t, err)
	require.Len(t, previews, 3)

	reads := operations.Step{Label: "Ada", Do: func(ctx context.Context, c *apiclient.Client) (operations.Result, error) {
		if _, err := c.Task(ctx, "t9"); err != nil {
			return operations.Result{}, err
		}
		return operations.Result{}, c.DeleteTask(ctx, "t9")
	}}
	previews, err = run.Preview(t.Context(), client, []operations.Step{reads}, 1)
	require.NoError(t, err)
	require.Len(t, previews, 1)

	wrong := errors.New("the worker is gone")
	_, err = run.Preview(t.Context(), client, []operations.Step{steps[0], step("t5", takes(0, wrong))}, 5)
	require.ErrorIs(t, err, wrong)
	require.ErrorContains(t, err, "task t5: ")
	_, err = run.Preview(t.Context(), client, []operations.Step{step("t6", func(context.Context, *apiclient.Client) (operations.Result, error) {
		panic("nil pointer")
	})}, 5)
	require.ErrorContains(t, err, "nothing was sent")
	require.ErrorContains(t, err, "task t6: ")
}
