// Package storetest opens stores for tests. The schema is made once a process and copied: making it is most of what a
// small test would cost, above all under the race detector.
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

var template = sync.OnceValues(createTemplate) //nolint:gochecknoglobals // made once and only read

func createTemplate() ([]byte, error) {
	dir, err := os.MkdirTemp("", "waybill-schema-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	made, err := store.Open(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	// Closing the last connection moves everything into the one file.
	if err := made.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, store.FileName))
}

// Open opens a new store in a temporary folder and closes it when the test ends.
func Open(t testing.TB) *store.Store {
	t.Helper()
	return OpenIn(t, t.TempDir())
}

// OpenIn opens the store of a folder, a new one if there is none. The caller may close it before the test ends.
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
