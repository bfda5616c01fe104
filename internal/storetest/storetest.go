// Package storetest opens stores for tests. The schema is created once per process and copied, because creating it would
// be most of the cost of a small test.
package storetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/store"
)

var template = sync.OnceValues(createTemplate) //nolint:gochecknoglobals // created once, then read-only

func createTemplate() ([]byte, error) {
	dir, err := os.MkdirTemp("", "waybill-schema-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	created, err := store.Open(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	// Closing the last connection merges the log into the file.
	if err := created.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, store.FileName))
}

// Open opens a new store in a temporary folder and closes it when the test ends.
func Open(t testing.TB) *store.Store {
	t.Helper()
	return OpenIn(t, t.TempDir())
}

// OpenIn opens or creates the store of a folder. The caller may close it before the test ends.
func OpenIn(t testing.TB, dir string) *store.Store {
	t.Helper()
	file := filepath.Join(dir, store.FileName)
	if _, err := os.Stat(file); os.IsNotExist(err) {
		schema, err := template()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, schema, 0o600))
	}
	opened, err := store.Open(context.Background(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { opened.Close() })
	return opened
}
