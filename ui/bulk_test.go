package ui

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/operations/journal"
)

// faulty breaks changes of some tasks, each in its own way.
type faulty struct {
	mu   sync.Mutex
	once map[string]func(r *http.Request) (*http.Response, error) // by task; gone after it was used
}

func (f *faulty) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		f.mu.Lock()
		breaks := f.once[filepath.Base(r.URL.Path)]
		delete(f.once, filepath.Base(r.URL.Path))
		f.mu.Unlock()
		if breaks != nil {
			return breaks(r)
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// refusal is an answer that the client reads and closes.
func refusal(status int, body string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: status, Status: http.StatusText(status), Request: r, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(bytes.NewReader([]byte(body))),
		}, nil
	}
}

// In a bulk operation with faults each row shows its outcome, only failed rows are sent again, and a lost answer is
// looked up first.
func TestBulkWithFaults(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	var tasks []model.Task
	for i := range 12 {
		tasks = append(tasks, world.task(t, i+1, time.Hour))
	}
	lost := func(r *http.Request) (*http.Response, error) { // it happens, and nobody hears of it
		if made, err := http.DefaultTransport.RoundTrip(r); err == nil {
			made.Body.Close()
		}
		return nil, errors.New("connection reset by peer")
	}
	transport := &faulty{once: map[string]func(*http.Request) (*http.Response, error){
		string(tasks[1].ID): refusal(http.StatusBadRequest, `{"code":"InvalidContent","message":{"error":1000,"message":"No.","cause":"It is locked.","request":"r-1"}}`), //nolint:bodyclose // the client closes it
		string(tasks[2].ID): lost,
	}}
	world.Do("DELETE", "/tasks/"+string(tasks[3].ID), nil).OK(nil) // gone behind the console's back
	d := world.consoleThrough(t, transport, nil)
	d.press("pane.tasks", "mark.all")
	gone := tasks[4]
	world.Do("DELETE", "/tasks/"+string(gone.ID), nil).OK(nil)
	d.press("task.delete", "preview.send")
	d.showsWrapped("It is locked", "was already deleted", "10 of 11 done, 1 failed")
	d.press("job.retry")
	world.Do("GET", "/tasks/"+string(tasks[1].ID), nil).Refused(404, model.ErrorNotFound)
	world.Do("GET", "/tasks/"+string(tasks[2].ID), nil).Refused(404, model.ErrorNotFound)
	require.Empty(t, d.m.sendingJobs())
	for _, j := range d.m.jobs.list {
		require.Zero(t, j.progress.Unknown, "%s", j.StatusText())
	}
}

// held keeps changes waiting until it is let go.
type held struct{ reached, letGo chan struct{} }

func (h held) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodDelete {
		h.reached <- struct{}{}
		<-h.letGo
	}
	return http.DefaultTransport.RoundTrip(r)
}

// Resuming a stopped deletion needs a confirmation with another key.
func TestStoppedDeletionResumesAfterConfirmation(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	for i := range 20 {
		world.task(t, i+1, time.Hour)
	}
	left := func() int {
		var list struct {
			Tasks []model.Task `json:"tasks"`
		}
		world.Do("GET", "/tasks/all?from=1", nil).OK(&list)
		return len(list.Tasks)
	}
	transport := held{make(chan struct{}, 20), make(chan struct{})}
	d := world.consoleThrough(t, transport, nil)
	d.press("pane.tasks", "mark.all", "task.delete")
	sent := d.m.Press("preview.send")
	const done = 4 // what is under way at once
	for range done {
		<-transport.reached
	}
	d.m.stopJob(d.m.jobs.list[0])
	close(transport.letGo)
	d.do(sent)
	require.Equal(t, 20-done, left())
	d.showsWrapped("4 of 20 done, 16 not sent", "R send the remaining 16")
	require.Contains(t, d.screen(), "░", "the bar is not full")

	d.press("job.retry")
	d.showsWrapped("Continue the stopped job: delete 20 tasks?", "16 of 20 steps not sent", "16 changes in bay", "DELETE /tasks/")
	d.press("menu.choose", "job.retry")
	require.Equal(t, 20-done, left(), "neither enter nor the key that asked says yes")
	d.press("back", "job.retry", "preview.send")
	require.Zero(t, left())
	d.showsWrapped("continue: delete 20 tasks (16 steps)", "16 of 16 done")
	require.Equal(t, "Nothing can be retried: the failed steps may have changed something, were retried already, or their outcome is unknown.",
		d.m.jobs.list[1].DisabledReason("job.retry"))
}

// Two consoles act on one task: the second one gets an error, and the change is made once.
func TestTwoConsoles(t *testing.T) {
	world := newTestService(t, "Ada Okafor", "Ben Castillo")
	task := world.task(t, 1, time.Hour)
	one, two := world.console(t, nil), world.console(t, nil)
	for _, d := range []*testConsole{one, two} {
		d.find(task.ID)
		d.press("task.delete")
	}
	one.press("preview.send")
	two.press("preview.send")
	world.Do("GET", "/tasks/"+string(task.ID), nil).Refused(404, model.ErrorNotFound)
	two.press("look.activity")
	two.showsWrapped("delete")
}

// A console that is killed while it types and while it sends leaves the draft and the record of what it was sending.
func TestKilledConsole(t *testing.T) {
	if folder := os.Getenv("WAYBILL_KILLED_CONSOLE"); folder != "" {
		consoleToBeKilled(t, folder)
		return
	}
	folder := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestKilledConsole$", "-test.v")
	child.Env = append(os.Environ(), "WAYBILL_KILLED_CONSOLE="+folder, "TMPDIR="+t.TempDir()) // it cannot tidy up itself
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	read := make([]byte, 4096)
	said := ""
	for !strings.Contains(said, "now kill me") {
		n, err := out.Read(read)
		said += string(read[:n])
		require.NoError(t, err, said)
	}
	require.NoError(t, child.Process.Kill())
	_ = child.Wait()

	activity, err := journal.Open(folder, journal.Options{})
	require.NoError(t, err)
	defer activity.Close()
	left, err := activity.Unfinished(t.Context(), "bay")
	require.NoError(t, err)
	require.NotEmpty(t, left, "what was being sent is known")
	draft, ok, err := journal.NewDrafts(folder, nil).Load(journal.DraftKey{Account: "bay", Operation: "create.task"})
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "543 Howard St", draft.Values["address"])
}

func consoleToBeKilled(t *testing.T, folder string) {
	world := newTestService(t, "Ada Okafor")
	for i := range 4 {
		world.task(t, i+1, time.Hour)
	}
	hang := &hanging{began: make(chan struct{})}
	d := world.consoleThrough(t, hang, func(o *Options) {
		activity, err := journal.Open(folder, journal.Options{})
		require.NoError(t, err)
		o.Activity, o.Drafts = activity, journal.NewDrafts(folder, nil)
	})
	d.press("create.task")
	d.fill("address", "543 Howard St")
	world.Clock.Advance(2 * time.Second)
	d.send(tickMsg(world.Clock.Now())) // nothing but a pause: the field is not left
	d.m.dialogs = nil
	d.press("pane.tasks", "mark.all", "task.delete")
	go func() {
		<-hang.began
		os.Stdout.WriteString("now kill me\n")
	}()
	d.press("preview.send")
}

// hanging never answers a deletion.
type hanging struct {
	began chan struct{}
	once  sync.Once
}

func (h *hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		h.once.Do(func() { close(h.began) })
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return http.DefaultTransport.RoundTrip(r)
}
