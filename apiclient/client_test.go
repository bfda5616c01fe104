package apiclient_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
)

func TestBaseURL(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://service.example/api/v2":   "https://service.example/api/v2",
		"https://service.example/api/v2/":  "https://service.example/api/v2",
		" http://localhost:8080/v12// ":    "http://localhost:8080/v12",
		"https://user-free.example:444/v2": "https://user-free.example:444/v2",
	} {
		client, err := apiclient.New(apiclient.Options{BaseURL: url})
		require.NoError(t, err, url)
		require.Equal(t, want, client.BaseURL())
	}
}

func TestWrongBaseURL(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]struct{ reason, suggestion string }{
		"":                                      {"it is empty", ""},
		"service.example/v2":                    {"must begin with https://", ""},
		"ftp://service.example/v2":              {"must begin with https://", ""},
		"https:///v2":                           {"has no host", ""},
		"https://service.example":               {"must end in the version", "https://service.example/v2"},
		"https://service.example/api":           {"must end in the version", "https://service.example/api/v2"},
		"https://service.example/api/v2/tasks":  {"must end in the version", "https://service.example/api/v2"},
		"https://service.example/vx":            {"must end in the version", "https://service.example/vx/v2"},
		"https://secretkey:@service.example/v2": {"contains a user or password", ""},
		"https://service.example/v2?key=secret": {"must not have a query", ""},
		"https://service.example/\x7f/v2":       {"is not a URL", ""},
	} {
		_, err := apiclient.New(apiclient.Options{BaseURL: url})
		require.ErrorIs(t, err, model.ErrBaseURL, url)
		wrong, ok := errors.AsType[*model.BaseURLError](err)
		require.True(t, ok)
		require.Contains(t, wrong.Reason, want.reason, url)
		require.Equal(t, want.suggestion, wrong.Suggestion)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestSendsKeyUnencrypted(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"https://service.example/v2":  false,
		"http://service.example/v2":   true,
		"http://10.0.0.5/v2":          true,
		"http://localhost:8080/v2":    false,
		"http://api.localhost:80/v2":  false,
		"http://127.0.0.1:8080/v2":    false,
		"http://[::1]:8080/v2":        false,
		"http://localhost.example/v2": true,
	} {
		client, err := apiclient.New(apiclient.Options{BaseURL: url})
		require.NoError(t, err)
		require.Equal(t, want, client.SendsKeyUnencrypted(), url)
	}
}

func TestCAFile(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "none.pem")
	_, err := apiclient.New(apiclient.Options{BaseURL: base, Transport: apiclient.TransportOptions{CAFile: missing}})
	require.ErrorIs(t, err, apiclient.ErrCAFile)
	require.ErrorIs(t, err, os.ErrNotExist)

	empty := filepath.Join(t.TempDir(), "empty.pem")
	require.NoError(t, os.WriteFile(empty, []byte("nothing"), 0o600))
	_, err = apiclient.New(apiclient.Options{BaseURL: base, Transport: apiclient.TransportOptions{CAFile: empty}})
	require.ErrorIs(t, err, apiclient.ErrCAFile)
	require.ErrorContains(t, err, "BEGIN CERTIFICATE")
}

// TestReadOnly asks for every method that changes something, and for the queries that only look like it.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	asking := map[string]bool{
		"FindAdmins": true, "FindDestinations": true, "FindRecipients": true, "FindWorkers": true, "FindTasks": true,
		"FindTeams": true, "Quote": true, "Manifest": true,
	}
	for name, call := range uses() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			method := ""
			network := func(r *http.Request) (*http.Response, error) {
				method = r.Method
				return answer(http.StatusBadRequest, `{}`), nil
			}
			readOnly := newClient(t, network, func(o *apiclient.Options) { o.ReadOnly = func() bool { return true } })
			_, err := call(t.Context(), readOnly)
			if method == "" {
				require.ErrorIs(t, err, apiclient.ErrReadOnly)
				require.ErrorContains(t, err, "turn it off")
				_, err = call(t.Context(), newClient(t, network))
				require.NotErrorIs(t, err, apiclient.ErrReadOnly)
				require.NotEqual(t, http.MethodGet, method)
				require.False(t, asking[name])
				return
			}
			require.NotErrorIs(t, err, apiclient.ErrReadOnly)
			require.True(t, method == http.MethodGet || asking[name], "%s is let through", method)
		})
	}
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	sent := 0
	client := newClient(t, func(*http.Request) (*http.Response, error) {
		sent++
		return answer(200, `{"message":"hello"}`), nil
	}, func(o *apiclient.Options) { o.Key = nil })
	var shown []apiclient.Preview
	ctx := apiclient.WithDryRun(t.Context(), func(p apiclient.Preview) { shown = append(shown, p) })
	err := client.CompleteTask(ctx, taskID, model.CompleteDetails{Success: model.Some(true)})
	require.ErrorIs(t, err, apiclient.ErrDryRun)
	require.Equal(t, []apiclient.Preview{{
		Method: "POST", Path: "/tasks/" + string(taskID) + "/complete", Body: model.Raw(`{"completionDetails":{"success":true}}`),
	}}, shown)
	require.Zero(t, sent)
}

func TestReceipts(t *testing.T) {
	t.Parallel()
	sent := 0
	client := newClient(t, func(r *http.Request) (*http.Response, error) {
		sent++
		if r.Method == http.MethodPut {
			return answer(400, `{"code":"InvalidArgument","message":{"error":1000,"message":"no"}}`, "X-Request-Id", "refused"), nil
		}
		return answer(200, `{"id":"`+string(taskID)+`"}`, "X-Request-Id", fmt.Sprintf("request %d", sent)), nil
	})
	var told []string
	ctx := apiclient.WithReceipts(t.Context(), func(id string) { told = append(told, id) })
	_, err := client.Task(ctx, taskID)
	require.NoError(t, err)
	require.NoError(t, client.CompleteTask(ctx, taskID, model.CompleteDetails{Success: model.Some(true)}))
	_, err = client.UpdateTask(ctx, taskID, model.TaskInput{})
	require.Error(t, err)
	require.NoError(t, client.DeleteTask(ctx, taskID))
	require.NoError(t, client.DeleteTask(t.Context(), taskID))
	require.Equal(t, []string{"request 2", "request 4"}, told, "changes that were acknowledged, and those under the context only")
}

// TestEmptyNamesAreRefused guards against a path that would be another endpoint's.
func TestEmptyNamesAreRefused(t *testing.T) {
	t.Parallel()
	client := newClient(t, func(r *http.Request) (*http.Response, error) {
		t.Errorf("%s %s was sent", r.Method, r.URL)
		return answer(200, ""), nil
	})
	require.ErrorIs(t, client.DeleteTask(t.Context(), ""), apiclient.ErrArgument)
	require.ErrorIs(t, client.DeleteTeam(t.Context(), ".."), apiclient.ErrArgument)
	_, err := client.RecipientByName(t.Context(), ".")
	require.ErrorIs(t, err, apiclient.ErrArgument)
	_, err = client.Container(t.Context(), model.ContainerRef{Type: "SHELF", Team: model.Some(teamID)})
	require.ErrorIs(t, err, apiclient.ErrArgument)
}

func TestNamesCannotLeaveTheirSegment(t *testing.T) {
	t.Parallel()
	var asked string
	client := newClient(t, func(r *http.Request) (*http.Response, error) {
		asked = r.URL.String()
		return answer(200, `{}`), nil
	})
	_, err := client.RecipientByName(t.Context(), "../../admins?x=1#y\r\nz")
	require.NoError(t, err)
	require.Equal(t, base+"/recipients/name/..%2F..%2Fadmins%3Fx=1%23y%0D%0Az", asked)
}
