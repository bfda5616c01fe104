// Package apitest tests clients and services of the interface. Clients are tested with a server of recorded answers,
// services with a suite of what every service must do.
package apitest

import (
	"embed"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
)

//go:embed recorded
var recorded embed.FS //nolint:gochecknoglobals // embedded files are read-only

// BasePath is the path of a recorded server's base URL.
const BasePath = "/api/v2"

// Key is the API key that a recorded server accepts.
const Key = "c64f80ba83d7cfce8ae74f51e263ce93"

// Exchange is an expected request and its answer.
type Exchange struct {
	Request struct {
		Method string            `json:"method"`
		Path   string            `json:"path"` // after the base URL, escaped
		Query  map[string]string `json:"query,omitzero"`
		Body   model.Raw         `json:"body,omitzero"` // absent when there must be none
	} `json:"request"`
	Answer struct {
		Status int               `json:"status"`
		Header map[string]string `json:"header,omitzero"`
		Body   model.Raw         `json:"body,omitzero"`
	} `json:"answer"`
}

// Load reads a recorded exchange by name, such as "CreateTask" or "refusals/1102-key".
func Load(t testing.TB, name string) Exchange {
	t.Helper()
	data, err := recorded.ReadFile(path.Join("recorded", name+".json"))
	require.NoError(t, err)
	var exchange Exchange
	require.NoError(t, model.Unmarshal(data, &exchange))
	return exchange
}

// Names lists the recorded exchanges of a folder: "" for the endpoints, "refusals" for errors.
func Names(t testing.TB, folder string) []string {
	t.Helper()
	files, err := recorded.ReadDir(path.Join("recorded", folder))
	require.NoError(t, err)
	var names []string
	for _, file := range files {
		if name, ok := strings.CutSuffix(file.Name(), ".json"); ok {
			names = append(names, path.Join(folder, name))
		}
	}
	return names
}

// Server answers with recorded exchanges and fails the test when a request is not the one recorded.
type Server struct {
	t         testing.TB
	server    *httptest.Server
	mu        sync.Mutex
	exchanges []Exchange
	served    int
}

// NewServer serves exchanges in order and then repeats the last one.
func NewServer(t testing.TB, exchanges ...Exchange) *Server {
	t.Helper()
	s := &Server{t: t, exchanges: exchanges}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

// BaseURL returns the base URL for a client.
func (s *Server) BaseURL() string { return s.server.URL + BasePath }

// Client returns a client of the server.
func (s *Server) Client() *apiclient.Client {
	s.t.Helper()
	client, err := apiclient.New(apiclient.Options{BaseURL: s.BaseURL(), Key: apiclient.StaticKey(Key)})
	require.NoError(s.t, err)
	return client
}

// Served returns the number of answered requests.
func (s *Server) Served() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.served
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	exchange := s.exchanges[min(s.served, len(s.exchanges)-1)]
	s.served++
	s.mu.Unlock()
	s.check(r, exchange)
	header := w.Header()
	header.Set("X-RateLimit-Limit", "20")
	header.Set("X-RateLimit-Remaining", "19")
	for name, value := range exchange.Answer.Header {
		header.Set(name, value)
	}
	if exchange.Answer.Body != nil {
		header.Set("Content-Type", "application/json")
	}
	w.WriteHeader(exchange.Answer.Status)
	_, _ = w.Write(exchange.Answer.Body)
}

// check compares a request with the recorded one. It runs on the server's goroutine, so it must not stop the test.
func (s *Server) check(r *http.Request, exchange Exchange) {
	want := exchange.Request
	assert.Equal(s.t, want.Method, r.Method)
	assert.Equal(s.t, BasePath+want.Path, r.URL.EscapedPath())
	query := url.Values{}
	for name, value := range want.Query {
		query.Set(name, value)
	}
	assert.Equal(s.t, query, r.URL.Query())
	user, password, ok := r.BasicAuth()
	assert.True(s.t, ok && user == Key && password == "", "basic authentication with the key and no password")
	body, err := io.ReadAll(r.Body)
	assert.NoError(s.t, err)
	if want.Body == nil {
		assert.Empty(s.t, body)
		return
	}
	assert.Equal(s.t, "application/json", r.Header.Get("Content-Type"))
	assert.JSONEq(s.t, string(want.Body), string(body))
}
