package cli

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/operations"
	"waybill/settings"
)

// startProxy starts a proxy in front of the service. intercept returns true if it has answered a request itself.
func startProxy(t *testing.T, service *servicetest.Server, intercept func(w http.ResponseWriter, r *http.Request, pass http.Handler) bool) string {
	t.Helper()
	address, err := url.Parse(service.URL)
	require.NoError(t, err)
	pass := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: address.Scheme, Host: address.Host})
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !intercept(w, r, pass) {
			pass.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL + address.Path
}

// newTestProgram returns a program that reads the given answers, and its output.
func newTestProgram(t *testing.T, key, answers string) (*app, *bytes.Buffer) {
	t.Helper()
	home := t.TempDir()
	env := settings.Environment{Home: home, OS: "linux", Getenv: func(name string) string {
		return map[string]string{"WAYBILL_API_KEY": key, "HOME": home, "USER": "ada"}[name]
	}}
	var output bytes.Buffer
	a := newApp(strings.NewReader(answers), &output, &output, env)
	a.now, a.jobPollDelay = servicetest.Epoch, time.Millisecond
	return a, &output
}

func TestDoOffersEveryOperation(t *testing.T) {
	listed := map[string]bool{}
	for _, v := range listDoable() {
		listed[v.action.ID] = true
		for _, kind := range v.action.Requires.Kinds {
			require.Contains(t, []string{"task", "worker", "order", "webhook"}, string(kind), "%s: nothing finds a %s by a word", v.action.ID, kind)
		}
	}
	for _, maker := range operations.Definitions() {
		require.True(t, listed[maker.ID], "%s is not in the table of actions", maker.ID)
	}
}

func TestReadOnlyRefusesEveryOperationThatWrites(t *testing.T) {
	service := servicetest.Start(t)
	address := startProxy(t, service, func(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
		require.Equal(t, http.MethodGet, r.Method, r.URL.Path)
		return false
	})
	for _, v := range listDoable() {
		if !v.action.Writes {
			continue
		}
		a, output := newTestProgram(t, service.Key, "")
		args := []string{"do", v.action.ID, "0123abcd", "--readonly", "--yes", "--base-url", address}
		require.Equal(t, exitRefused, execute(context.Background(), a, args), "%s: %s", v.action.ID, output)
		require.Contains(t, output.String(), "read-only mode is on", v.action.ID)
	}
}

const anAddress = "543 Howard St, San Francisco, CA 94105, USA"

func TestUnknownOutcomeIsLookedUp(t *testing.T) {
	service := servicetest.Start(t)
	for _, test := range []struct {
		name     string
		happens  bool
		code     int
		contains string
	}{
		{"it happened", true, exitOK, "The change was made: new drop-off: task "},
		{"it did not, as far as anyone can tell", false, exitUnknownOutcome, "Still unknown; check before you send it again"},
	} {
		t.Run(test.name, func(t *testing.T) {
			address := startProxy(t, service, func(w http.ResponseWriter, r *http.Request, pass http.Handler) bool {
				if r.Method != http.MethodPost {
					return false
				}
				if test.happens {
					pass.ServeHTTP(httptest.NewRecorder(), r)
				}
				connection, _, err := w.(http.Hijacker).Hijack()
				if err == nil {
					connection.Close()
				}
				return true
			})
			a, output := newTestProgram(t, service.Key, "")
			args := []string{"do", "create.task", anAddress, "--set", "notes=" + test.name, "--yes", "--base-url", address}
			require.Equal(t, test.code, execute(context.Background(), a, args), output)
			require.Contains(t, output.String(), "The outcome is unknown. Checking…")
			require.Contains(t, output.String(), test.contains)
		})
	}
}

func TestInterruptedRunHasNoUnknownOutcomes(t *testing.T) {
	service := servicetest.Start(t)
	const tasks = 12
	args := []string{"do", "task.delete", "--yes"}
	var ids []model.ID
	for range tasks {
		var task model.Task
		service.Do("POST", "/tasks", `{"destination":{"address":{"unparsed":"`+anAddress+`"}},"recipients":[]}`).OK(&task)
		ids, args = append(ids, task.ID), append(args, string(task.ID))
	}
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	address := startProxy(t, service, func(w http.ResponseWriter, r *http.Request, pass http.Handler) bool {
		if r.Method == http.MethodDelete {
			interrupt() // Ctrl-C while the first are under way
			pass.ServeHTTP(w, r)
			return true
		}
		return false
	})
	a, output := newTestProgram(t, service.Key, "")
	code := execute(ctx, a, append(args, "--base-url", address))
	require.Equal(t, exitInterrupted, code, output)
	require.Contains(t, output.String(), "Waiting for requests already sent; no more will be sent.")
	require.NotContains(t, output.String(), "unknown")
	gone := 0
	for _, id := range ids {
		if service.Do("GET", "/tasks/"+string(id), nil).Status == http.StatusNotFound {
			gone++
		}
	}
	require.Positive(t, gone)
	require.Less(t, gone, tasks)
	require.Equal(t, gone, strings.Count(output.String(), ", done: deleted."))
	require.Equal(t, tasks-gone, strings.Count(output.String(), ", stopped: not sent."))
}

func TestDoWritesTheJournal(t *testing.T) {
	service := servicetest.Start(t)
	a, output := newTestProgram(t, service.Key, "Ada\n+14155550123\n\n\n\n\nyes\n")
	home, err := a.env.Locate()
	require.NoError(t, err)
	code := execute(context.Background(), a, []string{"do", "create.recipient", "--base-url", service.URL})
	require.Equal(t, exitOK, code, output)
	files, err := filepath.Glob(filepath.Join(home.State, "*"))
	require.NoError(t, err)
	var all []byte
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			all = append(all, text...)
		}
	}
	require.Contains(t, string(all), `"create.recipient"`)
	require.Contains(t, string(all), `"ada"`)
}

func TestAnswersFromAPipeAreCleaned(t *testing.T) {
	service := servicetest.Start(t)
	a, output := newTestProgram(t, service.Key, "Ada\x1b[2J\x1b]0;title\a Okafor\n")
	require.Equal(t, exitUsage, execute(context.Background(), a, []string{"do", "create.recipient", "--base-url", service.URL}))
	require.Contains(t, output.String(), "> Ada Okafor\n")
	require.NotContains(t, output.String(), "\x1b")
}

func TestDoCountsTheLinesAndRequestsItLeavesOut(t *testing.T) {
	a, output := newTestProgram(t, "", "")
	d := &doCommand{session: &session{app: a}, out: output}
	body := model.Raw("[" + strings.Repeat("1,", maxRequestLines-3) + "1]")
	d.printRequests([]apiclient.Preview{{Method: "POST", Path: "/tasks", Body: body}}, 2)
	require.Contains(t, output.String(), "and 1 more line; --dry-run shows all of them.")
	require.Contains(t, output.String(), "And 1 more similar request.")
}
