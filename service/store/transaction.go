package store

import (
	"context"
)

// transactionKey is the context key of the transaction of a store.
type transactionKey struct{ store *Store }

// RunInTransaction combines many changes: every Write and read of this store with the context of fn belongs to one
// transaction, which commits when fn returns nil. A failing Write inside is rolled back alone. A thousand small changes
// then wait for the disk only once.
//
// fn runs on the writing goroutine, so it must not wait for anything but the database.
func (s *Store) RunInTransaction(ctx context.Context, fn func(context.Context) error) error {
	return s.Write(ctx, func(tx *Tx) error { return fn(context.WithValue(ctx, transactionKey{s}, tx)) })
}

// InTransaction reports whether a context belongs to a running transaction. What it reads must not be cached.
func (s *Store) InTransaction(ctx context.Context) bool { return s.transactionOf(ctx) != nil }

// transactionOf returns the transaction of a context, or nil.
func (s *Store) transactionOf(ctx context.Context) *Tx {
	tx, _ := ctx.Value(transactionKey{s}).(*Tx)
	return tx
}

// runNested runs a change inside the transaction and rolls back only that change if it fails.
func (t *Tx) runNested(ctx context.Context, fn func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.Try(ctx, func() error { return fn(t) })
}
