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

	// lockTimeout is how long to wait for another program's lock.
	lockTimeout = 2 * time.Second
	lockPoll    = 2 * time.Millisecond

	sessionPrefix, sessionSuffix = "activity.", ".running"
)

// lockFile locks a file against other programs. It returns false when the file system has no locks or another program
// hangs: the entry is written anyway, because a missing entry is worse than a mixed order.
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

// A session's file is locked while its program runs, however it ends, so others can tell whether its changes are unfinished.

func (a *Activity) sessionPath(session string) string {
	return filepath.Join(a.dir, sessionPrefix+session+sessionSuffix)
}

// lockSession locks the file of a new session. Without locks in the file system it returns nil: then changes in progress
// look unfinished to other programs.
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
		// Another program may have removed the file between its creation and the lock.
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
	// Some systems cannot remove open files, so unlock first. A file that stays does no harm.
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

// isSessionAlive reports whether a program holds the lock of its session.
func isSessionAlive(path string) bool {
	if _, err := os.Stat(path); err != nil {
		return false
	}
	lock := flock.New(path, flock.SetPermissions(privateMode))
	locked, err := lock.TryLock()
	_ = lock.Close()
	return err == nil && !locked
}

// sessionOf is the session of an entry's id.
func sessionOf(id string) string {
	session, _, _ := strings.Cut(id, "-")
	return session
}
