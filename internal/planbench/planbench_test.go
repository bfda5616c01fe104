package planbench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const instance = `TINY

VEHICLE
NUMBER     CAPACITY
  3         10

CUSTOMER
CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE   TIME

    0      0         0          0          0       1000          0
    1      10        0          4          0       1000          5
    2      20        0          4          0       1000          5
    3      0         10         4          0       1000          5
    4      0         20         4          0       1000          5
`

func TestRunPrintsTable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "tiny"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tiny", "tiny.txt"), []byte(instance), 0o644))
	best, saved := filepath.Join(dir, "best.csv"), filepath.Join(dir, "saved.csv")
	require.NoError(t, os.WriteFile(best, []byte("set,instance,objective,vehicles,distance\ntiny,TINY,distance_only_dimacs,-1,40.0\n"), 0o644))
	o := Options{
		Dir: dir, Best: []string{best}, Times: []time.Duration{time.Minute}, Iterations: 300, Threads: 1, Save: saved, Each: true,
	}
	var out strings.Builder
	require.NoError(t, Run(context.Background(), o, &out))
	require.Contains(t, out.String(), "| tiny | 1 | 60 s |")
	require.Contains(t, out.String(), "100.00 %")
	o.Best, o.Save, o.Each = []string{best, saved}, "", false
	out.Reset()
	require.NoError(t, Run(context.Background(), o, &out), "saved results are not better than the best known")
	require.Contains(t, out.String(), "100.00 %")
	o.Match = "nothing*"
	require.ErrorContains(t, Run(context.Background(), o, &out), "no .txt file")
}
