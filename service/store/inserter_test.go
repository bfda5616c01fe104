package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/storetest"
	"waybill/service/store"
)

func TestInserterKeepsTheOrder(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t)
	require.Equal(t, 42, store.MaxParameters/3)
	for _, n := range []int{0, 1, 41, 42, 43, 90} {
		var counted, ordered int
		require.NoError(t, s.Write(t.Context(), func(tx *store.Tx) error {
			if _, err := tx.Exec(t.Context(), "DELETE FROM duty_log"); err != nil {
				return err
			}
			rows := store.NewInserter("INSERT INTO duty_log (worker, time, on_duty)", "")
			for i := range n {
				rows.Add("w", i, 1)
			}
			rows.Flush(t.Context(), tx)
			require.Equal(t, n, rows.Inserted())
			return tx.QueryRow(t.Context(), "SELECT count(*), coalesce(sum(time = rowid - (SELECT min(rowid) FROM duty_log)), 0) FROM duty_log").
				Scan(&counted, &ordered)
		}))
		require.Equal(t, n, counted)
		require.Equal(t, n, ordered)
	}
	require.Equal(t, "$3, $4", store.Placeholders(3, 2))
}
