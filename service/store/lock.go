package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// ErrServerRunning says that another server owns the data folder.
var ErrServerRunning = errors.New("another waybill server is running on this data folder")

// LockServer claims the folder for one server; the system frees it when the process ends, however it ends.
func LockServer(dir string) (unlock func() error, err error) {
	if err := createPrivateDir(dir); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(dir, "server.lock"), flock.SetPermissions(0o600))
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the data folder %s: %w", dir, err)
	}
	if !got {
		return nil, fmt.Errorf("%w (%s): stop it first, or choose another folder with --data", ErrServerRunning, dir)
	}
	if err := os.Chmod(lock.Path(), 0o600); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return lock.Unlock, nil
}
