package taskimport

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"waybill/model"
)

// JournalPath is the default path of a file's journal.
func JournalPath(path string) string { return path + ".waybill-import.jsonl" }

// Errors of journals.
var (
	ErrJournalBusy = errors.New("another import of the same file is running")
	ErrJournal     = errors.New("cannot use the journal of the import")
)

// The types of records. A record is on disk before its action starts.
const (
	recordImport   = "import"   // an import to an account begins or goes on
	recordRestart  = "restart"  // earlier batches no longer count
	recordSending  = "sending"  // a batch is about to be sent
	recordAccepted = "accepted" // the service accepted it as a job
	recordReturned = "returned" // it was certainly not accepted; its rows can be sent again
	recordUnknown  = "unknown"  // it may have been accepted
	recordDone     = "done"     // the job has ended
	recordReported = "reported" // the results of batches were reported
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

// RowRef identifies a row.
type RowRef struct {
	Line int    `json:"line"`
	Hash string `json:"hash"`
}

// Failure is a row that did not become a task.
type Failure struct {
	RowRef
	Cause string `json:"cause"`
}

// batch is the state of a batch: its latest record, with the rows and the job of earlier ones.
type batch struct {
	record
	account  string
	reported bool // its result was reported
}

// isUnknown reports that the batch may have been accepted. A program that ended while it sent leaves no answer.
func (b *batch) isUnknown() bool { return b.Type == recordSending || b.Type == recordUnknown }

// Journal records on disk what was sent. Only one process has it open.
type Journal struct {
	path    string
	file    *os.File
	lock    *flock.Flock
	account string
	batches []*batch
	now     func() model.Millis
}

// OpenJournal opens or creates a journal and reads its records.
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

// lockJournal locks a separate file, because some systems cannot write a locked file through another handle.
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
		// The previous owner removes the file on closing. Then this lock is on a deleted file, so try again.
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
	// Remove a line that a crash left unfinished: its action never started.
	if err := file.Truncate(whole); err != nil {
		return fmt.Errorf("%w: %w", ErrJournal, err)
	}
	_, err = file.Seek(whole, 0)
	return err
}

// replay reads the records and returns where the last complete one ends. A read error is not an end: ignoring it would
// forget what was sent and send it again.
func (j *Journal) replay(from io.Reader) (int64, error) {
	reader := bufio.NewReader(from)
	var whole int64
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // also behind a last line without its end
			return whole, nil
		}
		if err != nil {
			return 0, fmt.Errorf("%w: cannot read line %d of %s: %w; nothing was sent, so check the disk and try again", ErrJournal, number,
				j.path, err)
		}
		var r record
		if err := model.Unmarshal(bytes.TrimSpace(line), &r); err != nil {
			return 0, fmt.Errorf("%w: line %d of %s is damaged; if nothing was sent yet, remove the journal", ErrJournal, number, j.path)
		}
		j.apply(r)
		whole += int64(len(line))
	}
}

// Close closes and unlocks the journal.
func (j *Journal) Close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	// Some systems cannot remove open files. A lock file that stays does no harm.
	_ = os.Remove(j.lock.Path())
	return errors.Join(err, j.lock.Unlock())
}

// write writes a record to disk and applies it.
func (j *Journal) write(r record) error {
	r.Time = j.now()
	encoded, err := model.Marshal(r)
	if err == nil {
		_, err = j.file.Write(append(encoded, '\n'))
	}
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
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
		j.batches = slices.DeleteFunc(j.batches, j.isOwn)
	case recordSending:
		j.batches = append(j.batches, &batch{record: r, account: j.account})
	case recordReported:
		for _, number := range r.Batches {
			if b := j.batch(number); b != nil {
				b.reported = true
			}
		}
	default:
		if b := j.batch(r.Batch); b != nil {
			r.Rows, r.JobID = b.Rows, cmp.Or(r.JobID, b.JobID)
			if r.Type == recordReturned {
				r.Rows = nil
			}
			b.record = r
		}
	}
}

// isOwn reports whether a batch was sent to the account of this import.
func (j *Journal) isOwn(b *batch) bool { return b.account == j.account }

// ownBatches are the batches of this account.
func (j *Journal) ownBatches() []*batch {
	return slices.DeleteFunc(slices.Clone(j.batches), func(b *batch) bool { return !j.isOwn(b) })
}

// batch finds the latest batch of a number.
func (j *Journal) batch(number int) *batch {
	for _, b := range slices.Backward(j.batches) {
		if b.Batch == number {
			return b
		}
	}
	return nil
}

func (j *Journal) nextNumber() int {
	next := 1
	for _, b := range j.batches {
		next = max(next, b.Batch+1)
	}
	return next
}
