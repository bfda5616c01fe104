// Package journal keeps on disk what a person did and was about to do: the activity, which has every change with its
// outcome, and the drafts of forms.
package journal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"waybill/atomicfile"
	"waybill/model"
)

// ErrWrite says that the activity cannot be written, so changes are not recorded.
var ErrWrite = errors.New("cannot write the activity")

// Entry is one change and its outcome. It does not contain the request, so it cannot contain secrets. The tags are the
// members of its records.
type Entry struct {
	ID      string       `json:"-"` // given by [Activity.Begin]
	Time    model.Millis `json:"time"`
	Account string       `json:"account,omitzero"`
	Person  string       `json:"person,omitzero"` // user name of the system
	Action  string       `json:"action,omitzero"` // id of the action
	What    string       `json:"what,omitzero"`   // the summary of the proposal: "assign 3 tasks to Ada Okafor"
	Object  model.ID     `json:"object,omitzero"`
	Label   string       `json:"label,omitzero"` // the object as shown: "task 5d20c1aa"
	Run     string       `json:"run,omitzero"`   // entries of one run share it

	Outcome
	// Running says that the program that sends the change is still running and has no answer yet.
	Running bool `json:"-"`
	// Unfinished says that the program ended before the answer came; Unknown is set too.
	Unfinished bool `json:"-"`
}

// Outcome is what happened to a change. Without Failed and Unknown it was made.
type Outcome struct {
	Result    string        `json:"result,omitzero"` // in words
	Failed    bool          `json:"failed,omitzero"`
	Unknown   bool          `json:"unknown,omitzero"` // it may or may not have been made
	RequestID string        `json:"request,omitzero"`
	Duration  time.Duration `json:"-"`
}

// UnfinishedResult is the result of changes whose program ended before the answer came.
const UnfinishedResult = "the program ended while this was being sent; the outcome is unknown"

// Options configure an activity. The zero value suits the console.
type Options struct {
	// Now stamps the entries; nil means time.Now.
	Now func() time.Time
	// MaxSize is the size at which a new file is started; 0 means 8 MiB. One older file is kept.
	MaxSize int64
}

const (
	activityName = "activity.jsonl"
	olderName    = "activity.older.jsonl"
	lockName     = "activity.lock"

	defaultMaxSize = 8 << 20
)

// Activity records every change. All programs that use a folder share it. It is safe for concurrent use.
type Activity struct {
	dir     string
	now     func() time.Time
	maxSize int64

	session     string // identifies this program in the ids of its entries
	sessionLock *flock.Flock
	count       atomic.Int64

	batchMu sync.Mutex
	next    *batch
	fileMu  sync.Mutex
}

// batch is lines that are written together. It is done once fileMu is free again.
type batch struct {
	lines []byte
	done  bool
	err   error
}

// Open opens the activity of a folder, which is created if it is missing.
func Open(dir string, o Options) (*Activity, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxSize <= 0 {
		o.MaxSize = defaultMaxSize
	}
	a := &Activity{dir: dir, now: o.Now, maxSize: o.MaxSize, session: strings.ToLower(rand.Text()[:10])}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWrite, err)
	}
	removeDeadSessions(dir)
	lock, err := lockSession(a.sessionPath(a.session))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWrite, err)
	}
	a.sessionLock = lock
	return a, nil
}

// Close ends this session. Changes without an outcome are unfinished from now on.
func (a *Activity) Close() error {
	a.fileMu.Lock() // wait for a running write
	defer a.fileMu.Unlock()
	return releaseSession(a.sessionLock)
}

// Begin records that a change is about to be sent. It returns when the record is on disk.
func (a *Activity) Begin(e Entry) (id string, err error) {
	id = fmt.Sprintf("%s-%d", a.session, a.count.Add(1))
	e.Time, e.Outcome = model.MillisOf(a.now()), Outcome{}
	return id, a.write(record{ID: id, Event: eventSending, Entry: e})
}

// End records the outcome of a change. A later End replaces an unknown outcome.
func (a *Activity) End(id string, o Outcome) error {
	ended := Entry{Time: model.MillisOf(a.now()), Outcome: o}
	return a.write(record{ID: id, Event: eventEnded, Entry: ended, Took: o.Duration.Milliseconds()})
}

// write writes a record to disk. Records that arrive during a write are written together after it, because a sync costs
// the same for one as for many.
func (a *Activity) write(r record) error {
	line, err := r.encode()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrWrite, err)
	}
	a.batchMu.Lock()
	if a.next == nil {
		a.next = new(batch)
	}
	mine := a.next
	mine.lines = append(mine.lines, line...)
	a.batchMu.Unlock()

	a.fileMu.Lock()
	defer a.fileMu.Unlock()
	if !mine.done {
		a.batchMu.Lock()
		a.next = nil
		a.batchMu.Unlock()
		mine.err, mine.done = a.appendLines(mine.lines), true
	}
	return mine.err
}

// appendLines appends lines in one piece and syncs. It opens the file each time: another program may have started a new
// file, and some systems cannot rename open files.
func (a *Activity) appendLines(lines []byte) (err error) {
	unlock, locked := lockFile(context.Background(), filepath.Join(a.dir, lockName))
	defer unlock()
	file, size, err := openToAppend(a.path())
	if err == nil && locked && size > 0 && size+int64(len(lines)) > a.maxSize {
		if err = file.Close(); err == nil {
			// Renaming fails on systems where a reader has the file open. Then the next write tries again.
			_ = os.Rename(a.path(), a.olderPath())
			file, size, err = openToAppend(a.path())
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrWrite, err)
	}
	if size > 0 && !endsLine(file, size) {
		// A crash cut the last line. Start a new line, so that this record can be read.
		lines = append([]byte{'\n'}, lines...)
	}
	_, writeErr := file.Write(lines)
	if err := errors.Join(writeErr, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("%w: %w", ErrWrite, err)
	}
	if size == 0 {
		return atomicfile.SyncDir(a.dir)
	}
	return nil
}

func openToAppend(path string) (*os.File, int64, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, privateMode)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = file.Chmod(privateMode)
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

func endsLine(file *os.File, size int64) bool {
	var last [1]byte
	_, err := file.ReadAt(last[:], size-1)
	return err == nil && last[0] == '\n'
}

func (a *Activity) path() string      { return filepath.Join(a.dir, activityName) }
func (a *Activity) olderPath() string { return filepath.Join(a.dir, olderName) }
