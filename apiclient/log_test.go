package apiclient_test

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/apitest"
	"waybill/model"
)

func TestLogKeepsTheLastRequests(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 5, 3, 0, 0, 0, time.UTC)
	client := newClient(t, func(r *http.Request) (*http.Response, error) {
		return answer(200, fmt.Sprintf(`{"id":%q}`, r.URL.Path), "X-Request-Id", "req"), nil
	}, fast, func(o *apiclient.Options) {
		o.LogSize = 3
		o.Now = func() time.Time { now = now.Add(time.Second); return now }
	})
	require.Empty(t, client.Log().Entries())
	for i := range 5 {
		_, err := client.Recipient(t.Context(), model.ID(fmt.Sprint("r", i)))
		require.NoError(t, err)
	}
	entries := client.Log().Entries()
	require.Equal(t, 5, client.Log().Total())
	require.Len(t, entries, 3)
	for i, entry := range entries {
		require.Equal(t, i+3, entry.Number)
		require.Equal(t, fmt.Sprint("/recipients/r", i+2), entry.Path)
		require.Equal(t, "GET", entry.Method)
		require.Equal(t, 200, entry.Status)
		require.Equal(t, 1, entry.Attempts)
		require.Equal(t, "req", entry.RequestID)
		require.Empty(t, entry.Error)
		require.Contains(t, entry.ResponseBody, entry.Path)
	}
	require.True(t, entries[0].Time.Before(entries[1].Time))
}

func TestLogIsSafeForManyWriters(t *testing.T) {
	t.Parallel()
	client := newClient(t, func(*http.Request) (*http.Response, error) { return answer(200, `{}`), nil }, fast,
		func(o *apiclient.Options) { o.LogSize = 7 })
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			_, _ = client.TestAuth(t.Context())
			_ = client.Log().Entries()
		})
	}
	wg.Wait()
	entries := client.Log().Entries()
	require.Len(t, entries, 7)
	for i, entry := range entries {
		require.Equal(t, 44+i, entry.Number)
	}
}

func TestLogCutsLongBodies(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 200_000)
	client := newClient(t, func(*http.Request) (*http.Response, error) {
		return answer(200, `{"id":"a","notes":"`+long+`"}`), nil
	})
	_, err := client.CreateRecipient(t.Context(), model.RecipientInput{Notes: model.Some(long)})
	require.NoError(t, err)
	entry := client.Log().Entries()[0]
	require.True(t, entry.RequestCut)
	require.True(t, entry.ResponseCut)
	require.LessOrEqual(t, len(entry.RequestBody), 64<<10)
	require.LessOrEqual(t, len(entry.ResponseBody), 16<<10)
	require.True(t, utf8.ValidString(entry.RequestBody))
	require.Contains(t, entry.Curl(), "@body.json")
	require.NotContains(t, entry.Curl(), "é")
}

// TestTruncatedLogContainsNoPartOfAKey moves a key over the place where bodies are cut.
func TestTruncatedLogContainsNoPartOfAKey(t *testing.T) {
	t.Parallel()
	for shift := range 40 {
		body := `{"notes":"` + strings.Repeat("a", 16<<10-30+shift-len(`{"notes":"`)) + apitest.Key + `bbbbbbbbbbbbbbbb"}`
		client := newClient(t, func(*http.Request) (*http.Response, error) { return answer(200, body), nil })
		_, err := client.TestAuth(t.Context())
		require.NoError(t, err)
		require.NotContains(t, client.Log().Entries()[0].ResponseBody, apitest.Key[:8])
	}
}

// TestCurlIsOneSafeLine gives the line to a real shell, with curl replaced by something that prints its arguments.
func TestCurlIsOneSafeLine(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no POSIX shell")
	}
	notes := "it's \"quoted\" $(touch /tmp/owned) `id` $HOME \\ ; rm -rf / & \u2028 é\n!"
	client := newClient(t, func(*http.Request) (*http.Response, error) { return answer(200, `{"id":"a"}`), nil })
	_, err = client.UpdateRecipient(t.Context(), "a'$(id)[1-9]", model.RecipientInput{Notes: model.Some(notes)})
	require.NoError(t, err)
	line := client.Log().Entries()[0].Curl()
	require.NotContains(t, line, "\n")

	command := exec.CommandContext(t.Context(), shell, "-c", `curl() { printf '%s\n' "$@"; }; `+line)
	command.Env = []string{"WAYBILL_API_KEY=from-the-environment"}
	out, err := command.Output()
	require.NoError(t, err)
	args := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	require.Equal(t, []string{
		"--globoff", "--user", "from-the-environment:", "--request", "PUT", "--header", "Content-Type: application/json",
		"--data-raw", args[8], "--", base + "/recipients/a%27$%28id%29%5B1-9%5D",
	}, args)
	var sent model.RecipientInput
	require.NoError(t, model.Unmarshal([]byte(args[8]), &sent))
	require.Equal(t, notes, sent.Notes.Value())
}
