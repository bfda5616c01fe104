package apiclient_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/internal/apitest"
	"waybill/model"
)

// forms are the shapes in which a key could show.
func forms() []string {
	return []string{
		apitest.Key,
		base64.StdEncoding.EncodeToString([]byte(apitest.Key + ":")),
		base64.StdEncoding.EncodeToString([]byte(apitest.Key)),
	}
}

func requireNoKey(t *testing.T, text string) {
	t.Helper()
	for _, form := range forms() {
		require.NotContains(t, text, form)
	}
}

// echo is a service that puts the credentials of a request into everything it answers.
func echo(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Request-Id", "abc")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"code":"InvalidContent","message":{"error":1000,"message":"key %s in %s",`+
			`"cause":"%s","request":"%s"}}`, apitest.Key, r.Header.Get("Authorization"), apitest.Key,
			base64.StdEncoding.EncodeToString([]byte(apitest.Key))+strings.ReplaceAll(string(body), `"`, `'`))
	}
}

func TestKeyNeverShows(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(echo(http.StatusBadRequest))
	defer server.Close()
	client := at(t, server.URL)
	_, err := client.CreateTask(t.Context(), model.TaskInput{Notes: model.Some("my key is " + apitest.Key)})
	require.ErrorIs(t, err, apiclient.ErrInvalid)

	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		requireNoKey(t, fmt.Sprintf(verb, client))
		requireNoKey(t, fmt.Sprintf(verb, *client)) //nolint:govet // printing a copy is the point
		requireNoKey(t, fmt.Sprintf(verb, err))
		failure, _ := errors.AsType[*apiclient.Error](err)
		requireNoKey(t, fmt.Sprintf(verb, *failure))
		requireNoKey(t, fmt.Sprintf(verb, client.Log()))
		requireNoKey(t, fmt.Sprintf(verb, client.Log().Entries()))
	}
	entry := client.Log().Entries()[0]
	require.Contains(t, entry.RequestBody, "my key is [redacted]")
	requireNoKey(t, entry.Curl())
	require.Contains(t, entry.Curl(), "$WAYBILL_API_KEY")
}

func TestKeyNeverShowsOnSuccess(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(echo(http.StatusOK))
	defer server.Close()
	client := at(t, server.URL)
	_, err := client.RecipientByName(t.Context(), apitest.Key)
	require.NoError(t, err)
	requireNoKey(t, fmt.Sprintf("%+v", client.Log().Entries()))
	requireNoKey(t, client.Log().Entries()[0].Curl())
}

func TestKeyNeverShowsInErrorPaths(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(echo(http.StatusNotFound))
	defer server.Close()
	_, err := at(t, server.URL).RecipientByName(t.Context(), apitest.Key)
	require.Error(t, err)
	requireNoKey(t, err.Error())
}

func TestOptionsDoNotShowTheKey(t *testing.T) {
	t.Parallel()
	options := apiclient.Options{BaseURL: base, Key: apiclient.StaticKey(apitest.Key)}
	for _, verb := range []string{"%v", "%+v", "%#v"} {
		requireNoKey(t, fmt.Sprintf(verb, options))
		require.Contains(t, fmt.Sprintf(verb, options), "[redacted]")
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("start", "key", options.Key)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("start", "key", options.Key)
	requireNoKey(t, log.String())
	text, err := options.Key.MarshalText()
	require.NoError(t, err)
	require.Equal(t, "[redacted]", string(text))
}

func TestKeyNeverShowsInPanics(t *testing.T) {
	t.Parallel()
	client := newClient(t, func(*http.Request) (*http.Response, error) { panic("broken network") })
	defer func() {
		requireNoKey(t, fmt.Sprintf("%+v", recover()))
	}()
	_, _ = client.TestAuth(t.Context())
	t.Fatal("the panic was swallowed")
}

func TestUnusableKeys(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		key  apiclient.Secret
		want error
		text string
	}{
		"none":     {nil, apiclient.ErrNoKey, "there is no API key; add one with 'waybill keys add NAME', or set WAYBILL_API_KEY"},
		"empty":    {apiclient.StaticKey(""), apiclient.ErrNoKey, "there is no API key; add one"},
		"line end": {apiclient.StaticKey("secret-key\n"), apiclient.ErrInvalidKey, "this API key is not valid: character 11 is a line break"},
		"colon":    {apiclient.StaticKey("secret:key"), apiclient.ErrInvalidKey, "this API key is not valid: character 7 is a colon"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newClient(t, func(*http.Request) (*http.Response, error) {
				t.Error("a request was sent")
				return nil, errors.New("no")
			}, func(o *apiclient.Options) { o.Key = test.key })
			_, err := client.TestAuth(t.Context())
			require.ErrorIs(t, err, test.want)
			require.ErrorContains(t, err, test.text)
			require.NotContains(t, err.Error(), "the service rejects")
			require.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestPasswordsStayOutOfTheLog(t *testing.T) {
	t.Parallel()
	client := newClient(t, func(*http.Request) (*http.Response, error) {
		return answer(200, `[{"id":"a","password":{"isPermanent":false,"value":"hunter2"},"name":"password"}]`), nil
	})
	workers, err := client.Workers(t.Context(), apiclient.WorkersQuery{Passwords: true})
	require.NoError(t, err)
	require.Equal(t, "hunter2", workers[0].Password.Value().Value.Value())
	require.Equal(t, `[{"id":"a","password":"[redacted]","name":"password"}]`, client.Log().Entries()[0].ResponseBody)
}
