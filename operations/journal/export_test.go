package journal_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/model"
	"waybill/operations/journal"
)

func TestExport(t *testing.T) {
	t.Parallel()
	a := open(t, t.TempDir(), journal.Options{})
	e := entry("north", "t1")
	e.Label = `=HYPERLINK("http://evil")`
	require.NoError(t, a.End(begin(t, a, e), journal.Outcome{Result: "deleted", RequestID: "r-1", Duration: 1500 * time.Millisecond}))
	require.NoError(t, a.End(begin(t, a, entry("north", "t2")), journal.Outcome{Result: "-gone", Failed: true}))
	require.NoError(t, a.End(begin(t, a, entry("south", "s1")), journal.Outcome{Result: "deleted"}))
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)

	var out bytes.Buffer
	require.NoError(t, a.Export(t.Context(), &out, board.ExportCSV, "north", journal.Query{}, zone))
	require.Equal(t, `time,person,account,action,what,object,label,state,result,requestId,seconds,run
2026-03-02T09:00:00-08:00,ada,north,task.delete,delete 3 tasks,t2,task t2,failed,'-gone,,0,run1
2026-03-02T09:00:00-08:00,ada,north,task.delete,delete 3 tasks,t1,"'=HYPERLINK(""http://evil"")",done,deleted,r-1,1.5,run1
`, out.String())

	out.Reset()
	require.NoError(t, a.Export(t.Context(), &out, board.ExportJSON, "north", journal.Query{Text: "r-1"}, zone))
	var rows []map[string]any
	require.NoError(t, model.Unmarshal(out.Bytes(), &rows))
	require.Len(t, rows, 1)
	require.Equal(t, `=HYPERLINK("http://evil")`, rows[0]["label"])
	require.InDelta(t, 1.5, rows[0]["seconds"], 0)

	out.Reset()
	require.NoError(t, a.Export(t.Context(), &out, board.ExportJSON, "nobody", journal.Query{}, zone))
	require.Equal(t, "[]\n", out.String())
	require.ErrorContains(t, a.Export(t.Context(), &out, "xlsx", "north", journal.Query{}, zone), "choose csv or json")
}
