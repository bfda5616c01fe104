package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/store"
)

const (
	insertGeocode = "INSERT INTO geocodes (query, created, result) VALUES ($1, 0, '')"
	breakGeocode  = "INSERT INTO geocodes (query, created, result) VALUES ($1, NULL, '')" // violates NOT NULL
)

func TestFailedWriteRollsBackTheChange(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*store.Tx){
		"statement": func(tx *store.Tx) { tx.Write(t.Context(), "insert geocode", breakGeocode, "broken") },
		"duplicate": func(tx *store.Tx) { tx.WriteUnique(t.Context(), errRefused, "insert geocode", insertGeocode, "a") },
		"refusal":   func(tx *store.Tx) { tx.Fail(errRefused) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openStore(t)
			told := false
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				tx.AfterCommit(func() { told = true })
				require.EqualValues(t, 1, tx.Write(t.Context(), "insert geocode", insertGeocode, "a"))
				require.NoError(t, tx.Err())
				fail(tx)
				first := tx.Err()
				require.Error(t, first)

				require.Zero(t, tx.Write(t.Context(), "insert geocode", insertGeocode, "b"))
				tx.Fail(errors.New("a later failure"))
				_, err := tx.Exec(t.Context(), insertGeocode, "c")
				require.Equal(t, first, err)
				_, err = tx.Query(t.Context(), "SELECT query FROM geocodes") //nolint:rowserrcheck,sqlclosecheck // it returns no rows
				require.Equal(t, first, err)
				require.Equal(t, first, tx.QueryRow(t.Context(), "SELECT 1").Scan(new(int)))
				require.Equal(t, first, tx.Try(t.Context(), func() error { panic("not called") }))
				return nil
			})
			require.Error(t, err)
			require.NotContains(t, err.Error(), "later")
			require.Zero(t, countRows(t.Context(), t, s))
			require.False(t, told, "a failed change is not acknowledged")
		})
	}
}

func TestFailedWriteDoesNotAffectOtherChanges(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	results := make(chan error)
	const changes = 40
	for i := range changes {
		go func() {
			results <- s.WriteRepeatable(t.Context(), func(tx *store.Tx) error {
				tx.Write(t.Context(), "insert geocode", insertGeocode, i)
				if i%4 == 0 {
					tx.Write(t.Context(), "insert geocode", breakGeocode, "broken")
				}
				return nil
			})
		}()
	}
	failed := 0
	for range changes {
		if <-results != nil {
			failed++
		}
	}
	require.Equal(t, changes/4, failed)
	require.Equal(t, changes-changes/4, countRows(t.Context(), t, s))
}

func TestFailureNamesItsFirstCause(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	write := func(result error) error {
		return s.Write(t.Context(), func(tx *store.Tx) error { tx.Fail(errRefused); return result })
	}
	require.Equal(t, errRefused, write(nil))
	require.Equal(t, errRefused, write(errors.New("a consequence")))

	err := s.Write(t.Context(), func(tx *store.Tx) error { tx.Write(t.Context(), "insert geocode", breakGeocode, "a"); return nil })
	require.ErrorContains(t, err, "insert geocode: ")
}

func TestFailedReadIsNoFailureOfTheTransaction(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	require.NoError(t, s.RunInTransaction(t.Context(), func(ctx context.Context) error {
		require.Equal(t, errRefused, s.Read(ctx, func(tx *store.Tx) error { tx.Fail(errRefused); return nil }))
		return insertRow(ctx, s, "a", nil)
	}))
	require.Equal(t, 1, countRows(t.Context(), t, s))
}

func TestTryContinuesAfterAFailedWrite(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	require.NoError(t, s.Write(t.Context(), func(tx *store.Tx) error {
		err := tx.Try(t.Context(), func() error {
			tx.Write(t.Context(), "insert geocode", insertGeocode, "a")
			tx.WriteUnique(t.Context(), errRefused, "insert geocode", insertGeocode, "a")
			return nil
		})
		require.Equal(t, errRefused, err)
		require.NoError(t, tx.Err())
		tx.Write(t.Context(), "insert geocode", insertGeocode, "b")
		return nil
	}))
	require.Equal(t, 1, countRows(t.Context(), t, s))
}
