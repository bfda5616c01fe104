package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// maxGroup is how many changes share one commit at most, so that none waits long for its answer.
const maxGroup = 64

// maxGroupTimeFactor limits the time of a group to a multiple of the time of a commit. A busy writer then spends at least
// a third of its time on commits, however fast the disk is.
const maxGroupTimeFactor = 2

// ErrClosed means that the store is closed.
var ErrClosed = errors.New("the store is closed")

// committer runs changes one after the other and commits waiting changes together, because a commit waits for the disk
// once, whether it has one change or sixty.
type committer struct {
	db    *sql.DB
	stmts statements
	// checkFiles returns an error if the data folder no longer has the open database.
	checkFiles func() error
	queue      chan *change
	stop       chan struct{}
	done       chan struct{}
	once       sync.Once
	// commitTime is the moving average of the time of a commit.
	commitTime time.Duration
	// savepointsLeft is for how many more changes savepoints are used, after the failure of a repeatable change.
	savepointsLeft int
}

// savepointsAfterFailure limits the cost of failures: a group is repeated at most once per this many changes.
const savepointsAfterFailure = 1000

type change struct {
	ctx        context.Context
	fn         func(*Tx) error
	repeatable bool
	result     chan error
	after      []func()
	err        error
}

func newCommitter(db *sql.DB, checkFiles func() error) *committer {
	c := &committer{
		db:         db,
		checkFiles: checkFiles,
		queue:      make(chan *change, maxGroup),
		stop:       make(chan struct{}),
		done:       make(chan struct{}),
	}
	c.stmts.db = db
	go c.run()
	return c
}

func (c *committer) submit(ctx context.Context, fn func(*Tx) error, repeatable bool) error {
	ch := &change{ctx: ctx, fn: fn, repeatable: repeatable, result: make(chan error, 1)}
	select {
	case c.queue <- ch:
	case <-ctx.Done():
		return ctx.Err()
	case <-c.stop:
		return ErrClosed
	}
	select {
	case err := <-ch.result:
		return err
	case <-c.done:
		// The committer has stopped, but it may have answered just before.
		select {
		case err := <-ch.result:
			return err
		default:
			return ErrClosed
		}
	}
}

func (c *committer) close() {
	c.once.Do(func() { close(c.stop) })
	<-c.done
}

func (c *committer) run() {
	defer close(c.done)
	defer c.stmts.close()
	for {
		select {
		case first := <-c.queue:
			c.commitGroup(first)
		case <-c.stop:
			for {
				select {
				case first := <-c.queue:
					c.commitGroup(first)
				default:
					return
				}
			}
		}
	}
}

// commitGroup runs and commits a change and those that wait with it, and answers all of them.
func (c *committer) commitGroup(first *change) {
	group, err := c.runGroup(first)
	defer c.stmts.prepareMissing(context.Background())
	for _, ch := range group {
		switch {
		case ch.err != nil:
			ch.result <- ch.err
		case err != nil:
			ch.result <- err
		default:
			ch.result <- runAfterCommit(ch.after)
		}
	}
}

// runGroup runs a group of changes in one transaction and commits it.
func (c *committer) runGroup(first *change) ([]*change, error) {
	group := []*change{first}
	start := time.Now()
	tx, err := c.begin()
	if err != nil {
		return group, err
	}
	// While all changes in the transaction are repeatable, a failing one needs no savepoint: the others are repeated.
	allRepeatable := true
	for ch := first; ch != nil; ch = c.nextChange(start, len(group)) {
		if ch != first {
			group = append(group, ch)
		}
		if ch.err = ch.ctx.Err(); ch.err != nil {
			continue
		}
		savepoint := ch != first && (!allRepeatable || !ch.repeatable || c.savepointsLeft > 0)
		if err := c.applyChange(tx, ch, savepoint); err != nil {
			return group, errors.Join(err, tx.Rollback())
		}
		allRepeatable = allRepeatable && ch.repeatable
		if ch.err != nil && !savepoint {
			if err := tx.Rollback(); err != nil || ch == first { // nothing else was written
				return group, err
			}
			c.savepointsLeft = savepointsAfterFailure
			if tx, err = c.redo(group[:len(group)-1]); err != nil {
				return group, err
			}
		}
		c.savepointsLeft = max(0, c.savepointsLeft-1)
	}
	return group, c.commit(tx)
}

// begin starts the transaction of a group, whose changes share prepared statements.
func (c *committer) begin() (*Tx, error) {
	if err := c.checkFiles(); err != nil {
		return nil, err
	}
	sqlTx, err := c.db.BeginTx(context.Background(), nil)
	if err != nil {
		return nil, fmt.Errorf("begin to write: %w", err)
	}
	return &Tx{Tx: sqlTx, stmts: &c.stmts, bound: map[string]*sql.Stmt{}}, nil
}

// redo repeats changes in a new transaction, after they were rolled back because another one failed.
func (c *committer) redo(changes []*change) (*Tx, error) {
	tx, err := c.begin()
	if err != nil {
		return nil, err
	}
	for _, ch := range changes {
		if ch.err != nil { // it failed and wrote nothing
			continue
		}
		if err := c.applyChange(tx, ch, true); err != nil {
			return nil, errors.Join(err, tx.Rollback())
		}
	}
	return tx, nil
}

func (c *committer) commit(tx *Tx) error {
	applied := time.Now()
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	if err := c.checkFiles(); err != nil { // written, but to a file that a restart does not find
		return err
	}
	c.commitTime += (time.Since(applied) - c.commitTime) / 8
	return nil
}

// nextChange returns a waiting change for the group, or nil if none waits or the group has run long enough. Callers can
// then continue on other cores while the next group runs.
func (c *committer) nextChange(start time.Time, size int) *change {
	if size >= maxGroup || time.Since(start) > maxGroupTimeFactor*c.commitTime {
		return nil
	}
	select {
	case ch := <-c.queue:
		return ch
	default:
		return nil
	}
}

// applyChange runs one change, in a savepoint if others must survive its failure. It stores the failure in the change; a
// returned error fails the whole group.
func (c *committer) applyChange(group *Tx, ch *change, savepoint bool) error {
	ctx := context.Background()
	tx := &Tx{Tx: group.Tx, stmts: group.stmts, bound: group.bound}
	if savepoint {
		if _, err := group.Exec(ctx, "SAVEPOINT change"); err != nil {
			return fmt.Errorf("savepoint: %w", err)
		}
	}
	ch.err = tx.failure(recoverPanic(ch.fn, tx))
	ch.after = tx.after
	if !savepoint {
		return nil
	}
	if ch.err != nil {
		if _, err := group.Exec(ctx, "ROLLBACK TO change"); err != nil {
			return fmt.Errorf("roll back: %w", err)
		}
	}
	if _, err := group.Exec(ctx, "RELEASE change"); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// recoverPanic calls fn and turns a panic into an error, so that it does not stop the writer.
func recoverPanic(fn func(*Tx) error, tx *Tx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic while writing: %v\n%s", r, debug.Stack())
		}
	}()
	return fn(tx)
}

// runAfterCommit calls the AfterCommit functions of a change, even if one of them panics.
func runAfterCommit(functions []func()) (err error) {
	for _, fn := range functions {
		err = errors.Join(err, recoverPanic(func(*Tx) error { fn(); return nil }, nil))
	}
	if err != nil {
		return fmt.Errorf("the change is on disk, but not everything after it was done: %w", err)
	}
	return nil
}
