package server_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/server"
	"waybill/service/store"
	"waybill/service/world"
)

// newTask is larger than a page of the database.
func newTask() string {
	return `{"destination":{"address":{"number":"1","street":"A St","city":"San Francisco","country":"USA"},
		"location":[-122.4,37.78]},"recipients":[],"notes":"` + strings.Repeat("n", 9000) + `"}`
}

// startInFolder starts a server in its own folder and returns a client and a function that asks whether it is ready.
func startInFolder(t *testing.T) (s *server.Server, c client, ready func() (int, string), dir string) {
	t.Helper()
	const key = "0123456789abcdef"
	dir = filepath.Join(t.TempDir(), "data")
	s = start(t, server.Config{
		Dir: dir, BootstrapKey: key, Organization: world.NewOrganization{Name: "A", Country: "US", Timezone: "UTC"},
	})
	t.Cleanup(func() { s.Stop(t.Context()) }) //nolint:errcheck // it cannot save its last state
	handler := s.MonitoringHandler()
	return s, client{t, s.BaseURL(), key}, func() (int, string) {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		return answer.Code, answer.Body.String()
	}, dir
}

// requireUnavailable requires 503 in the shape of the interface, with a text.
func requireUnavailable(t *testing.T, c client, text string) {
	t.Helper()
	status, answer := c.do("POST", "/tasks", newTask())
	require.Equal(t, http.StatusServiceUnavailable, status, "%s", answer)
	var body model.ErrorBody
	require.NoError(t, model.Unmarshal(answer, &body), "%s", answer)
	require.Equal(t, model.ErrorUnavailable, body.Message.Error)
	require.Contains(t, body.Message.Message, text)
}

func TestNothingIsAcknowledgedAfterTheFolderIsMoved(t *testing.T) {
	t.Parallel()
	_, c, ready, dir := startInFolder(t)
	status, _ := ready()
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, os.Rename(dir, dir+".moved"))
	requireUnavailable(t, c, "data folder was moved or removed")
	status, text := ready()
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, text, "moved, replaced or removed")
	require.NoError(t, os.Rename(dir+".moved", dir))
	c.ok("POST", "/tasks", newTask(), nil)
	status, _ = ready()
	require.Equal(t, http.StatusOK, status)
}

func TestAFullDiskIsReported(t *testing.T) {
	t.Parallel()
	s, c, ready, _ := startInFolder(t)
	fill(t, s.World().Store())
	requireUnavailable(t, c, "disk of the service is full")
	status, text := ready()
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, text, "full")
	c.ok("GET", "/teams", "", nil)
}

// fill makes SQLite refuse to grow the database, as on a full disk, and uses up its free pages.
func fill(t *testing.T, s *store.Store) {
	t.Helper()
	require.NoError(t, s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), "CREATE TABLE ballast (content BLOB)")
		return err
	}))
	_, err := s.Writer().ExecContext(t.Context(), "PRAGMA max_page_count = 1") // it becomes the current size
	require.NoError(t, err)
	for size := 4000; size > 0; size /= 2 {
		for err = nil; err == nil; {
			err = s.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.Exec(t.Context(), "INSERT INTO ballast (content) VALUES (zeroblob($1))", size)
				return err
			})
		}
		require.True(t, store.IsFull(err), "%v", err)
	}
}

func TestAServerDoesNotStartOnADamagedDatabase(t *testing.T) {
	t.Parallel()
	s, _, _, dir := startInFolder(t)
	require.NoError(t, s.World().Store().Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), "DROP TABLE driver_sessions")
		return err
	}))
	require.NoError(t, s.Stop(t.Context()))
	_, err := server.Start(t.Context(), server.Config{Dir: dir, Listen: "127.0.0.1:0"})
	require.ErrorIs(t, err, store.ErrDamaged)
	require.ErrorContains(t, err, filepath.Join(dir, store.FileName))
}
