package planfile

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

func TestRunPlansFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "routes.txt")
	var stdout, stderr strings.Builder
	o := Options{Iterations: 500, Threads: 1, Progress: true, Draw: true, Out: out}
	require.NoError(t, Run(context.Background(), o, strings.NewReader(instance), &stdout, &stderr))
	routes, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Contains(t, string(routes), "Cost 80.0\n")
	require.Contains(t, stderr.String(), "2 vehicles")
	require.Contains(t, stdout.String(), "◆")
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	var s Summary
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &s))
	require.Equal(t, 2, s.Vehicles)
	require.Equal(t, "80.0", s.Cost.String())
	require.Zero(t, s.Unassigned)
	require.Positive(t, s.Iterations)
}

func TestRunListsLeftOutTasks(t *testing.T) {
	t.Parallel()
	var stdout strings.Builder
	text := strings.Replace(instance, "3         10", "1         10", 1)
	require.NoError(t, Run(context.Background(), Options{Iterations: 100}, strings.NewReader(text), &stdout, &stdout))
	require.Equal(t, 2, strings.Count(stdout.String(), "Left out"))
	require.Contains(t, stdout.String(), ": capacity")
}

func TestRunRejectsUnknownValues(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{Rounding: "up"}, {Objective: "beauty"}} {
		require.ErrorIs(t, Run(context.Background(), o, strings.NewReader(instance), nil, nil), ErrUsage)
	}
	require.Error(t, Run(context.Background(), Options{File: "/does/not/exist"}, nil, nil, nil))
	require.Error(t, Run(context.Background(), Options{Format: "xml"}, strings.NewReader(instance), nil, nil))
}

func TestRunPrintsTimetable(t *testing.T) {
	t.Parallel()
	text := `{"workers": [{"id": "ada", "vehicle": "car", "start": [52.5, 13.4], "end": null, "from": "2026-03-02T08:00:00Z"}],
	 "tasks": [{"id": "t1", "at": [52.51, 13.4]}], "rules": {}}`
	var stdout strings.Builder
	require.NoError(t, Run(context.Background(), Options{Iterations: 10}, strings.NewReader(text), &stdout, &stdout))
	require.Contains(t, stdout.String(), "ada: leaves 2026-03-02T08:00:00Z")
	require.Contains(t, stdout.String(), "t1")
}
