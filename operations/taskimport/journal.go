package taskimport

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"waybill/model"
)

// JournalPath is the usual place for the journal of a file.
func JournalPath(path string) string { return path + ".waybill-import.jsonl" }

// Errors of journals.
var (
	ErrJournalBusy = errors.New("another import of the same file is running")
	ErrJournal     = errors.New("the journal of the import cannot be used")
)

// kinds of records. A record is written and on the disk before what it announces is done.
const (
	recordImport   = "import"   // an import to an account begins or goes on
	recordRestart  = "restart"  // what was sent before does not count any more
	recordSending  = "sending"  // a batch is about to be sent
	recordAccepted = "accepted" // the service took it and named the job
	recordReturned = "returned" // it surely was not taken; its rows can be sent again
	recordUnknown  = "unknown"  // it may have been taken
	recordDone     = "done"     // the job has ended
	recordReported = "reported" // someone was told what became of batches
)

// record is one line of a journal.
type record struct {
	Type        string       `json:"type"`
	Time        model.Millis `json:"time"`
	Account     string       `json:"account,omitzero"`
	ContentHash string       `json:"contentHash,omitzero"`
	Batch       int          `json:"batch,omitzero"`
	Rows        []RowRef     `json:"rows,omitzero"`
	JobID       model.ID     `json:"jobId,omitzero"`
	Cause       string       `json:"cause,omitzero"`
	Created     int          `json:"created,omitzero"`
	Failed      []Failure    `json:"failed,omitzero"`
	Unmatched   []string     `json:"unmatched,omitzero"`
	Path        string       `json:"path,omitzero"`
	Batches     []int        `json:"batches,omitzero"`
}

// RowRef names a row.
type RowRef struct {
	Line int    `json:"line"`
	Hash string `json:"hash"`
}

// Failure is a row that the service did not make a task of.
type Failure struct {
	RowRef
	Cause string `json:"cause"`
}

// batchState is how far a batch is.
type batchState struct {
	number    int
	account   string
	rows      []RowRef
	jobID     model.ID
	unknown   bool
	cause     string
	done      bool
	created   int
	failed    []Failure
	unmatched []string
	reported  bool // someone was told what became of it
}

// Journal remembers on the disk what was sent. One process at a time has it.
type Journal struct {
	path    string
	file    *os.File
	lock    *flock.Flock
	account string
	batches []*batchState
	now     func() model.Millis
}

// OpenJournal opens or makes a journal and reads what it remembers.
func OpenJournal(path string, now func() model.Millis) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrJournal, err)
	}
	lock, err := lockJournal(path + ".lock")
	if err != nil {
		return nil, err
	}
	j := &Journal{path: path, lock: lock, now: now}
	if err := j.open(); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// lockJournal locks a file of its own, because the journal's could not be written through another handle on every system.
func lockJournal(path string) (*flock.Flock, error) {
	for {
		lock := flock.New(path, flock.SetPermissions(0o600))
		locked, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrJournal, err)
		}
		if !locked {
			return nil, fmt.Errorf("%w; wait until it has ended (%s)", ErrJournalBusy, path)
		}
		// Whoever had the lock before removes the file; then this is a lock on nothing.
		held, errHeld := lock.Stat()
		named, errNamed := os.Stat(path)
		if errHeld == nil && errNamed == nil && os.SameFile(held, named) {
			return lock, nil
		}
		if err := lock.Unlock(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrJournal, err)
		}
	}
}

func (j *Journal) open() error {
	file, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrJournal, err)
	}
	j.file = file
	whole, err := j.replay(file)
	if err != nil {
		return err
	}
	// A line that a crash left unfinished announced something that never began, so it goes.
	if err := file.Truncate(whole); err != nil {
		return fmt.Errorf("%w: %w", ErrJournal, err)
	}
	_, err = file.Seek(whole, 0)
	return err
}

// replay reads the records and returns where the last whole one ends. Only the end of the file ends them: whoever takes
// a disk that cannot be read for it forgets what was sent, and sends it again.
func (j *Journal) replay(from io.Reader) (int64, error) {
	reader := bufio.NewReader(from)
	var whole int64
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // also behind a last line without its end
			return whole, nil
		}
		if err != nil {
			return 0, fmt.Errorf("%w: line %d of %s cannot be read: %w; nothing was sent, so look at the disk and try again", ErrJournal, number, j.path, err)
		}
		var r record
		if err := model.Unmarshal(bytes.TrimSpace(line), &r); err != nil {
			return 0, fmt.Errorf("%w: line %d of %s is damaged; if nothing of the file was sent yet, remove the journal", ErrJournal, number, j.path)
		}
		j.apply(r)
		whole += int64(len(line))
	}
}

// Close gives the journal up.
func (j *Journal) Close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	// Some systems do not remove an open file; a lock file left behind does no harm.
	_ = os.Remove(j.lock.Path())
	return errors.Join(err, j.lock.Unlock())
}

// write puts a record onto the disk, then takes it in.
func (j *Journal) write(r record) error {
	r.Time = j.now()
	encoded, err := model.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(encoded, '\n')); err != nil {
		return fmt.Errorf("%w: %w", ErrJournal, err)
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("%w: %w", ErrJournal, err)
	}
	j.apply(r)
	return nil
}

func (j *Journal) apply(r record) {
	switch r.Type {
	case recordImport:
		j.account = r.Account
	case recordRestart:
		j.batches = j.otherBatches()
	case recordSending:
		j.batches = append(j.batches, &batchState{number: r.Batch, account: j.account, rows: r.Rows, unknown: true})
	case recordReported:
		for _, number := range r.Batches {
			if b := j.batch(number); b != nil {
				b.reported = true
			}
		}
	}
	b := j.batch(r.Batch)
	if b == nil {
		return
	}
	switch r.Type {
	case recordAccepted:
		b.jobID, b.unknown = r.JobID, false
	case recordReturned:
		b.rows, b.done, b.unknown = nil, true, false
	case recordUnknown:
		b.cause = r.Cause
	case recordDone:
		b.done, b.unknown = true, false
		b.created, b.failed, b.unmatched = r.Created, r.Failed, r.Unmatched
	}
}

// otherBatches are the batches of other accounts.
func (j *Journal) otherBatches() []*batchState {
	var kept []*batchState
	for _, b := range j.batches {
		if b.account != j.account {
			kept = append(kept, b)
		}
	}
	return kept
}

// ownBatches are the batches of the account of this run.
func (j *Journal) ownBatches() []*batchState {
	var own []*batchState
	for _, b := range j.batches {
		if b.account == j.account {
			own = append(own, b)
		}
	}
	return own
}

// batch finds a batch by number; the last one, for a restart counts on.
func (j *Journal) batch(number int) *batchState {
	for i := len(j.batches) - 1; i >= 0; i-- {
		if j.batches[i].number == number {
			return j.batches[i]
		}
	}
	return nil
}

func (j *Journal) nextNumber() int {
	next := 1
	for _, b := range j.batches {
		next = max(next, b.number+1)
	}
	return next
}
