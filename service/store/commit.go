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

// maxGroup bounds how many changes share one commit, so that none waits long for its answer.
const maxGroup = 64

// maxGroupTimeFactor is how many times as long as a commit a group runs at most: however fast or slow the disk is, it takes no
// more than a third of the time of a writer that has enough to do.
const maxGroupTimeFactor = 2

// ErrClosed says that the store is shutting down.
var ErrClosed = errors.New("the store is closed")

// committer runs changes one after the other and commits those that wait together: a commit costs a wait for the
// disk, whether it carries one change or sixty.
type committer struct {
	db    *sql.DB
	stmts statements
	queue chan *change
	stop  chan struct{}
	done  chan struct{}
	once  sync.Once
	// commitTime is how long a commit has taken lately.
	commitTime time.Duration
	// savepointsLeft is for how many changes yet savepoints are used even where a group could be made anew, because one has failed.
	savepointsLeft int
}

// savepointsAfterFailure bounds what failures cost: a group is made anew at most once in so many changes.
const savepointsAfterFailure = 1000

type change struct {
	ctx        context.Context
	fn         func(*Tx) error
	repeatable bool
	result     chan error
	after      []func()
	err        error
}

func newCommitter(db *sql.DB) *committer {
	c := &committer{
		db:    db,
		queue: make(chan *change, maxGroup),
		stop:  make(chan struct{}),
		done:  make(chan struct{}),
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
		// The committer has ended; it may have answered just before.
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

// commitGroup makes a change, and those that wait with it, and answers all of them.
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

func (c *committer) runGroup(first *change) ([]*change, error) {
	group := []*change{first}
	start := time.Now()
	tx, err := c.begin()
	if err != nil {
		return group, err
	}
	// As long as all that is in the transaction could be made anew, nothing has to be undone alone.
	anew := true
	for ch := first; ch != nil; ch = c.nextChange(start, len(group)) {
		if ch != first {
			group = append(group, ch)
		}
		if ch.err = ch.ctx.Err(); ch.err != nil {
			continue
		}
		savepoint := ch != first && (!anew || !ch.repeatable || c.savepointsLeft > 0)
		if err := c.applyChange(tx, ch, savepoint); err != nil {
			return group, errors.Join(err, tx.Rollback())
		}
		anew = anew && ch.repeatable
		if ch.err != nil && !savepoint {
			if err := tx.Rollback(); err != nil || ch == first { // nothing else has been written yet
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

// begin starts the transaction of a group. Its statements are shared by all changes.
func (c *committer) begin() (*Tx, error) {
	sqlTx, err := c.db.BeginTx(context.Background(), nil)
	if err != nil {
		return nil, fmt.Errorf("begin to write: %w", err)
	}
	return &Tx{Tx: sqlTx, stmts: &c.stmts, bound: map[string]*sql.Stmt{}}, nil
}

// redo makes changes anew, in a transaction of their own, that were undone because another one failed.
func (c *committer) redo(changes []*change) (*Tx, error) {
	tx, err := c.begin()
	if err != nil {
		return nil, err
	}
	for _, ch := range changes {
		if ch.err != nil { // it has its answer, and left nothing
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
	c.commitTime += (time.Since(applied) - c.commitTime) / 8
	return nil
}

// nextChange takes another change into the group if one waits already; it never waits for more. A group runs no longer than
// some commits take: those who wait for its answer can then go on, on the other cores, while the next group runs.
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

// applyChange runs one change, inside a savepoint of its own if others must outlive its failure. The failure is kept in the
// change; the error returned is one that spoils the whole group.
func (c *committer) applyChange(group *Tx, ch *change, savepoint bool) error {
	ctx := context.Background()
	tx := &Tx{Tx: group.Tx, stmts: group.stmts, bound: group.bound}
	if savepoint {
		if _, err := tx.Exec(ctx, "SAVEPOINT change"); err != nil {
			return fmt.Errorf("savepoint: %w", err)
		}
	}
	ch.err = recoverPanic(ch.fn, tx)
	ch.after = tx.after
	if !savepoint {
		return nil
	}
	if ch.err != nil {
		if _, err := tx.Exec(ctx, "ROLLBACK TO change"); err != nil {
			return fmt.Errorf("roll back: %w", err)
		}
	}
	if _, err := tx.Exec(ctx, "RELEASE change"); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// recoverPanic keeps a panic in one change from taking the writer, and every other change, with it.
func recoverPanic(fn func(*Tx) error, tx *Tx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic while writing: %v\n%s", r, debug.Stack())
		}
	}()
	return fn(tx)
}

// runAfterCommit does what was to be done once a change is on disk, all of it whatever becomes of one part. Its panics are
// the caller's: the writer has others to answer.
func runAfterCommit(all []func()) (err error) {
	for _, fn := range all {
		err = errors.Join(err, recoverPanic(func(*Tx) error { fn(); return nil }, nil))
	}
	if err != nil {
		return fmt.Errorf("the change is on disk, but not all that had to follow was done: %w", err)
	}
	return nil
}
