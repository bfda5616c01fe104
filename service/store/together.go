package store

import (
	"context"
	"errors"
	"fmt"
)

// transactionKey finds the transaction of a store in a context; each store has its own.
type transactionKey struct{ store *Store }

// RunInTransaction makes many changes one: every Write and every read of this store with the context that fn gets is part of
// one transaction, which commits when fn returns nil. A Write inside that fails is undone alone, as it is outside. A
// change that stands for a thousand small ones then waits for the disk once.
//
// fn runs on the writing goroutine, so other writers wait for it: it must not wait for anything but the database.
func (s *Store) RunInTransaction(ctx context.Context, fn func(context.Context) error) error {
	return s.Write(ctx, func(tx *Tx) error { return fn(context.WithValue(ctx, transactionKey{s}, tx)) })
}

// InTransaction reports whether reads and changes with a context belong to a transaction that has not been committed yet: what
// they find must not be remembered.
func (s *Store) InTransaction(ctx context.Context) bool { return s.transactionOf(ctx) != nil }

// transactionOf is the transaction that a context's reads and changes belong to; nil for none.
func (s *Store) transactionOf(ctx context.Context) *Tx {
	tx, _ := ctx.Value(transactionKey{s}).(*Tx)
	return tx
}

// runNested runs a change inside the transaction, and undoes it alone when it fails.
func (t *Tx) runNested(ctx context.Context, fn func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := t.Exec(ctx, "SAVEPOINT joined"); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	promised := len(t.after)
	failure := fn(t)
	if failure != nil {
		t.after = t.after[:promised]
		if _, err := t.Exec(ctx, "ROLLBACK TO joined"); err != nil {
			return errors.Join(failure, fmt.Errorf("roll back: %w", err))
		}
	}
	if _, err := t.Exec(ctx, "RELEASE joined"); err != nil {
		return errors.Join(failure, fmt.Errorf("release: %w", err))
	}
	return failure
}
