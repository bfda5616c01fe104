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

// commitTimes is how many times as long as a commit a group runs at most: however fast or slow the disk is, it takes no
// more than a third of the time of a writer that has enough to do.
const commitTimes = 2

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
}

type change struct {
	ctx    context.Context
	fn     func(*Tx) error
	result chan error
	after  []func()
	err    error
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

func (c *committer) do(ctx context.Context, fn func(*Tx) error) error {
	ch := &change{ctx: ctx, fn: fn, result: make(chan error, 1)}
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
	group, err := c.tryGroup(first)
	defer c.stmts.prepareWanted(context.Background())
	for _, ch := range group {
		switch {
		case ch.err != nil:
			ch.result <- ch.err
		case err != nil:
			ch.result <- err
		default:
			for _, fn := range ch.after {
				fn()
			}
			ch.result <- nil
		}
	}
}

func (c *committer) tryGroup(first *change) ([]*change, error) {
	ctx := context.Background()
	group := []*change{first}
	sqlTx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return group, fmt.Errorf("begin to write: %w", err)
	}
	bound := map[string]*sql.Stmt{}
	start := time.Now()
	for ch := first; ch != nil; ch = c.next(start, len(group)) {
		if ch != first {
			group = append(group, ch)
		}
		tx := &Tx{Tx: sqlTx, stmts: &c.stmts, bound: bound}
		if err := c.apply(ctx, tx, ch, ch != first); err != nil {
			return group, errors.Join(err, sqlTx.Rollback())
		}
		if first.err != nil { // nothing else has been written yet
			return group, sqlTx.Rollback()
		}
	}
	applied := time.Now()
	if err := sqlTx.Commit(); err != nil {
		return group, fmt.Errorf("commit: %w", err)
	}
	c.commitTime += (time.Since(applied) - c.commitTime) / 8
	return group, nil
}

// next takes another change into the group if one waits already; it never waits for more. A group runs no longer than
// some commits take: those who wait for its answer can then go on, on the other cores, while the next group runs.
func (c *committer) next(start time.Time, size int) *change {
	if size >= maxGroup || time.Since(start) > commitTimes*c.commitTime {
		return nil
	}
	select {
	case ch := <-c.queue:
		return ch
	default:
		return nil
	}
}

// apply runs one change, inside a savepoint of its own when others are in the transaction before it. Its own failure is
// kept in the change; the error returned is one that spoils the whole group.
func (c *committer) apply(ctx context.Context, tx *Tx, ch *change, shared bool) error {
	if ch.err = ch.ctx.Err(); ch.err != nil {
		return nil
	}
	if shared {
		if _, err := tx.Exec(ctx, "SAVEPOINT change"); err != nil {
			return fmt.Errorf("savepoint: %w", err)
		}
	}
	ch.err = guarded(ch.fn, tx)
	ch.after = tx.after
	if !shared {
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

// guarded keeps a panic in one change from taking the writer, and every other change, with it.
func guarded(fn func(*Tx) error, tx *Tx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic while writing: %v\n%s", r, debug.Stack())
		}
	}()
	return fn(tx)
}
