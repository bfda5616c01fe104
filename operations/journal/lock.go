package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	privateMode = os.FileMode(0o600)

	// lockTimeout is how long another console may hold a lock before it counts as stuck.
	lockTimeout = 2 * time.Second
	lockPoll    = 2 * time.Millisecond

	sessionPrefix, sessionSuffix = "activity.", ".running"
)

// lockFile keeps other consoles out of a file for a moment. Where that is not possible, because the file system has no
// locks or another console hangs, it returns false: one more entry is worth more than perfect order.
func lockFile(ctx context.Context, path string) (unlock func(), locked bool) {
	lock := flock.New(path, flock.SetPermissions(privateMode))
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	locked, err := lock.TryLockContext(ctx, lockPoll)
	if err != nil || !locked {
		return func() { _ = lock.Close() }, false
	}
	return func() { _ = lock.Unlock() }, true
}

// A session's file is locked for as long as its console runs, however it ends. So everyone can tell whether what it
// began can still be ended.

func (a *Activity) sessionPath(session string) string {
	return filepath.Join(a.dir, sessionPrefix+session+sessionSuffix)
}

// lockSession takes the lock of a new session. Where the file system has no locks it returns none: then what a console
// is just sending looks unfinished to another, which is no worse than not knowing.
func lockSession(path string) (*flock.Flock, error) {
	const attempts = 100
	for range attempts {
		lock := flock.New(path, flock.SetPermissions(privateMode))
		locked, err := lock.TryLock()
		if _, cannotMake := errors.AsType[*fs.PathError](err); cannotMake {
			return nil, err
		}
		if err != nil {
			break
		}
		// Someone who tidies up may have locked and removed the file between its making and the lock.
		held, errHeld := lock.Stat()
		named, errNamed := os.Stat(path)
		if locked && errHeld == nil && errNamed == nil && os.SameFile(held, named) {
			return lock, nil
		}
		_ = lock.Close()
	}
	return nil, nil
}

func releaseSession(lock *flock.Flock) error {
	if lock == nil {
		return nil
	}
	// Some systems cannot remove a file that is open, so the lock goes first. What is left behind does no harm.
	err := lock.Unlock()
	if removeErr := os.Remove(lock.Path()); removeErr != nil && !errors.Is(removeErr, os.ErrNotExist) {
		return errors.Join(err, removeErr)
	}
	return err
}

func removeDeadSessions(dir string) {
	paths, _ := filepath.Glob(filepath.Join(dir, sessionPrefix+"*"+sessionSuffix))
	for _, path := range paths {
		if !isSessionAlive(path) {
			_ = os.Remove(path)
		}
	}
}

// isSessionAlive reports whether a console still holds its session's file.
func isSessionAlive(path string) bool {
	if _, err := os.Stat(path); err != nil {
		return false
	}
	lock := flock.New(path, flock.SetPermissions(privateMode))
	locked, err := lock.TryLock()
	_ = lock.Close()
	return err == nil && !locked
}

// sessionOf is the session that made an id.
func sessionOf(id string) string {
	session, _, _ := strings.Cut(id, "-")
	return session
}
