// Package journal keeps on disk what a person did with the console, and what they were about to do: the activity, with
// every change that was sent and what became of it, and the drafts of forms that were not sent yet.
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

// ErrWrite says that the activity cannot be written, so that what is done is not recorded.
var ErrWrite = errors.New("the activity cannot be written")

// Entry is one change and what became of it. It never holds what was sent, so that no secret can get in.
type Entry struct {
	ID      string // given by [Activity.Begin]
	Time    model.Millis
	Person  string // who did it, as the system calls them
	Account string
	Action  string // id of the action
	What    string // the whole in words: "assign 3 tasks to Ada Okafor"
	Object  model.ID
	Label   string // the object as the screen calls it
	Run     string // what was carried out together has the same

	Outcome
	// Running says that the console that sends it is still open and has no answer yet.
	Running bool
	// Unfinished says that the console ended in between; then Unknown is set too.
	Unfinished bool
}

// Outcome is what became of a change. One that is neither failed nor unknown was made.
type Outcome struct {
	Result    string // in words
	Failed    bool
	Unknown   bool // it may have been made or not
	RequestID string
	Duration  time.Duration
}

// UnfinishedResult is the result of what a console left behind when it ended in the middle.
const UnfinishedResult = "was being sent when the console ended; not known whether it happened"

// Options set how an activity is kept. The zero value is right for the console.
type Options struct {
	// Now stamps the entries; nil means time.Now.
	Now func() time.Time
	// MaxSize is how large the file grows before it makes room for a new one; 0 means 8 MiB. One older file is kept.
	MaxSize int64
}

const (
	activityName = "activity.jsonl"
	olderName    = "activity.older.jsonl"
	lockName     = "activity.lock"

	defaultMaxSize = 8 << 20
)

// Activity is the record of every change, shared by all consoles of one folder. It is safe for concurrent use.
type Activity struct {
	dir     string
	now     func() time.Time
	maxSize int64

	session     string // names this console in the ids of its entries
	sessionLock *flock.Flock
	count       atomic.Int64

	batchMu sync.Mutex
	next    *batch
	fileMu  sync.Mutex
}

// batch is lines that go to the disk together. It is done once the writing lock was given back.
type batch struct {
	lines []byte
	done  bool
	err   error
}

// Open begins to record in a folder, which is made if it is missing.
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

// Close says that this console has ended. What it began and did not end is unfinished from now on.
func (a *Activity) Close() error {
	a.fileMu.Lock() // a write that is under way ends first
	defer a.fileMu.Unlock()
	return releaseSession(a.sessionLock)
}

// Begin records that a change is about to be sent. When it returns without an error, the disk has it.
func (a *Activity) Begin(e Entry) (id string, err error) {
	id = fmt.Sprintf("%s-%d", a.session, a.count.Add(1))
	return id, a.write(record{
		ID: id, Event: eventSending, Time: model.MillisOf(a.now()),
		Account: e.Account, Person: e.Person, Action: e.Action, What: e.What, Object: string(e.Object), Label: e.Label, Run: e.Run,
	})
}

// End records what became of a change. What is learned later about an unknown one is recorded by ending it again.
func (a *Activity) End(id string, o Outcome) error {
	return a.write(record{
		ID: id, Event: eventEnded, Time: model.MillisOf(a.now()),
		Result: o.Result, Failed: o.Failed, Unknown: o.Unknown, Request: o.RequestID, Took: o.Duration.Milliseconds(),
	})
}

// write puts a record on the disk. Records that come while another is being written go together behind it: a sync
// costs the same for one as for many.
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

// appendLines appends lines in one piece and waits for the disk. It opens the file each time: another console may have begun
// a new one, and some systems cannot rename a file that someone holds open.
func (a *Activity) appendLines(lines []byte) (err error) {
	unlock, locked := lockFile(context.Background(), filepath.Join(a.dir, lockName))
	defer unlock()
	file, size, err := openToAppend(a.path())
	if err == nil && locked && size > 0 && size+int64(len(lines)) > a.maxSize {
		if err = file.Close(); err == nil {
			// A reader on a system that cannot rename an open file makes this fail; then the next one makes room.
			_ = os.Rename(a.path(), a.olderPath())
			file, size, err = openToAppend(a.path())
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrWrite, err)
	}
	if size > 0 && !endsLine(file, size) {
		// A crash cut the last line; it must not spoil this one too.
		lines = append([]byte{'\n'}, lines...)
	}
	_, writeErr := file.Write(lines)
	if err := errors.Join(writeErr, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("%w: %w", ErrWrite, err)
	}
	if size == 0 {
		return atomicfile.SyncFolder(a.dir)
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
