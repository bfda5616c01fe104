package board

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every column of every table works in sort, filter, export and cell with nothing but its entry.
func TestEveryColumnIsOneEntry(t *testing.T) {
	b, _ := boardOf(200, 20)
	s := b.Snapshot()
	walkColumns(t, s, TaskRows(), PaneTasks, PaneDelays)
	walkColumns(t, s, WorkerRows(), PaneWorkers)
	walkColumns(t, s, OrderRows(), PaneOrders)
}

func walkColumns[R any](t *testing.T, s *Snapshot, rows RowType[R], panes ...Pane) {
	var exported []string
	for _, c := range rows.columns {
		t.Run(panes[0].String()+" "+c.Key, func(t *testing.T) {
			used := len(c.Layouts) + len(c.filters) + len(c.exports)
			require.True(t, used > 0 || c.Sortable(), "the column is used for something")
			for _, layout := range c.Layouts {
				require.Contains(t, panes, layout.Pane)
				require.Positive(t, layout.Min)
			}
			for _, pane := range panes {
				walkColumn(t, s, rows, pane, c)
			}
		})
		for _, value := range c.exports {
			exported = append(exported, value.name)
		}
	}
	var out bytes.Buffer
	require.NoError(t, rows.Export(&out, ExportCSV, rows.Rows(s).All(), s.Now, time.UTC))
	records, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	require.Equal(t, exported, records[0])
	require.Len(t, records, rows.Rows(s).Len()+1)
	require.Len(t, exported, len(slices.Compact(slices.Sorted(slices.Values(exported)))), "names are unique")
}

func walkColumn[R any](t *testing.T, s *Snapshot, rows RowType[R], pane Pane, c Column[R]) {
	if c.Sortable() && (!c.delays || pane == PaneDelays) {
		for _, text := range []string{c.Key, "-" + c.Key} {
			sort, err := ParseSort(pane, text)
			require.NoError(t, err)
			require.Equal(t, rows.Rows(s).Len(), rows.Build(s, Filter{pane: pane}, sort).Finish().Len())
		}
	}
	for _, f := range c.filters {
		filter, err := ParseFilter(pane, strings.TrimPrefix(strings.Split(exampleOf(f.filterInfo), " or ")[0], "write "))
		require.NoError(t, err)
		opposite, err := ParseFilter(pane, "!"+filter.String())
		require.NoError(t, err)
		matching, other := rows.Build(s, filter, Sort{}).Finish().Len(), rows.Build(s, opposite, Sort{}).Finish().Len()
		require.Equal(t, rows.Rows(s).Len(), matching+other, "%s", filter)
		require.True(t, slices.ContainsFunc(FilterTerms(pane), func(h FilterHelp) bool {
			return strings.HasPrefix(h.Term, f.key) && h.Means == f.help
		}), "%s is in the help", f.key)
	}
	if _, shown := c.Layout(pane); !shown {
		return
	}
	ctx := &CellContext{CellData: &CellData{Snapshot: s, Now: s.Now.Time(), Zone: time.UTC}, Pane: pane, Width: 12}
	for row := range rows.Rows(s).All() {
		text, tone := c.AppendCell([]byte("before "), row, ctx)
		require.True(t, bytes.HasPrefix(text, []byte("before ")), "cells only append")
		require.Less(t, tone, ToneCount)
	}
}
