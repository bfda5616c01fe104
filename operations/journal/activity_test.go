package journal_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/operations/journal"
)

// at is the time of all entries.
func at() time.Time { return time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC) }

func open(t testing.TB, dir string, o journal.Options) *journal.Activity {
	t.Helper()
	if o.Now == nil {
		o.Now = at
	}
	a, err := journal.Open(dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = a.Close() })
	return a
}

func entry(account, object string) journal.Entry {
	return journal.Entry{
		Person: "ada", Account: account, Action: "task.delete", What: "delete 3 tasks", Object: model.ID(object),
		Label: "task " + object, Run: "run1",
	}
}

func begin(t testing.TB, a *journal.Activity, e journal.Entry) string {
	t.Helper()
	id, err := a.Begin(e)
	require.NoError(t, err)
	return id
}

func read(t testing.TB, a *journal.Activity, account string, q journal.Query) journal.Page {
	t.Helper()
	page, err := a.Read(t.Context(), account, q)
	require.NoError(t, err)
	return page
}

func objects(entries []journal.Entry) []string {
	list := []string{}
	for _, e := range entries {
		list = append(list, string(e.Object))
	}
	return list
}

func TestActivityRecordsChanges(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state", "waybill")
	a := open(t, dir, journal.Options{})
	id := begin(t, a, entry("north", "t1"))
	require.Equal(t, "running", read(t, a, "north", journal.Query{}).Entries[0].State())

	outcome := journal.Outcome{Result: "deleted", RequestID: "r-1", Duration: 120 * time.Millisecond}
	require.NoError(t, a.End(id, outcome))
	require.NoError(t, a.End(begin(t, a, entry("north", "t2")), journal.Outcome{Result: "it is gone", Failed: true}))
	require.NoError(t, a.End(begin(t, a, entry("south", "s1")), journal.Outcome{Result: "deleted"}))
	require.NoError(t, a.Close())

	a = open(t, dir, journal.Options{})
	page := read(t, a, "north", journal.Query{})
	require.Equal(t, []string{"t2", "t1"}, objects(page.Entries), "accounts do not mix")
	want := entry("north", "t1")
	want.ID, want.Time, want.Outcome = id, model.MillisOf(at()), outcome
	require.Equal(t, want, page.Entries[1])
	require.Equal(t, "failed", page.Entries[0].State())
	require.Zero(t, page.Damaged)

	if runtime.GOOS == "windows" {
		return
	}
	for _, name := range []string{"activity.jsonl", "activity.lock"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestChangesOfAnEndedConsoleAreUnfinished(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, second := open(t, dir, journal.Options{}), open(t, dir, journal.Options{})
	left := begin(t, first, entry("north", "t1"))
	begin(t, first, entry("south", "s1"))
	require.NoError(t, first.End(begin(t, first, entry("north", "t2")), journal.Outcome{Result: "deleted"}))

	unfinished, err := second.Unfinished(t.Context(), "north")
	require.NoError(t, err)
	require.Empty(t, unfinished, "another console may be open and still sending")
	require.True(t, read(t, second, "north", journal.Query{}).Entries[1].Running)

	require.NoError(t, first.Close())
	for range 2 { // it is told until someone has said what became of it
		unfinished, err = second.Unfinished(t.Context(), "north")
		require.NoError(t, err)
		require.Equal(t, []string{"t1"}, objects(unfinished))
		require.Equal(t, journal.Outcome{Unknown: true, Result: journal.UnfinishedResult}, unfinished[0].Outcome)
	}
	require.NoError(t, second.End(left, journal.Outcome{Result: "looked: it did not happen", Failed: true}))
	unfinished, err = second.Unfinished(t.Context(), "north")
	require.NoError(t, err)
	require.Empty(t, unfinished)
	unfinished, err = second.Unfinished(t.Context(), "south")
	require.NoError(t, err)
	require.Equal(t, []string{"s1"}, objects(unfinished))
}

func TestLaterOutcomeReplacesUnknown(t *testing.T) {
	t.Parallel()
	a := open(t, t.TempDir(), journal.Options{})
	id := begin(t, a, entry("north", "t1"))
	require.NoError(t, a.End(id, journal.Outcome{Result: "the connection broke", Unknown: true}))
	require.NoError(t, a.End(id, journal.Outcome{Result: "assigned to Ada"}))
	require.Equal(t, "assigned to Ada", read(t, a, "north", journal.Query{}).Entries[0].Result)
}

func TestSearchAndPages(t *testing.T) {
	t.Parallel()
	a := open(t, t.TempDir(), journal.Options{})
	for i := range 10 {
		e := entry("north", fmt.Sprintf("t%d", i))
		if i%2 == 0 {
			e.What = "assign to Ádám Kovács"
		}
		require.NoError(t, a.End(begin(t, a, e), journal.Outcome{Result: "ok", Failed: i == 4}))
	}
	page := read(t, a, "north", journal.Query{Text: "kovács ASSIGN", Limit: 2})
	require.Equal(t, []string{"t8", "t6"}, objects(page.Entries))
	require.True(t, page.More)
	page = read(t, a, "north", journal.Query{Text: "kovács", Limit: 3, Before: page.Entries[1].ID})
	require.Equal(t, []string{"t4", "t2", "t0"}, objects(page.Entries))
	require.False(t, page.More)
	require.Equal(t, []string{"t4"}, objects(read(t, a, "north", journal.Query{Text: "failed"}).Entries))
	require.Empty(t, read(t, a, "north", journal.Query{Text: "kovács nobody"}).Entries)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := a.Read(ctx, "north", journal.Query{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestRotationKeepsOneOlderFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := open(t, dir, journal.Options{MaxSize: 4 << 10})
	for i := range 60 {
		require.NoError(t, a.End(begin(t, a, entry("north", fmt.Sprintf("t%02d", i))), journal.Outcome{Result: "deleted"}))
	}
	for _, name := range []string{"activity.jsonl", "activity.older.jsonl"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.LessOrEqual(t, info.Size(), int64(4<<10))
	}
	entries := read(t, a, "north", journal.Query{}).Entries
	require.Greater(t, len(entries), 14, "both files are read")
	for i, e := range entries {
		require.Equal(t, fmt.Sprintf("t%02d", 59-i), string(e.Object), "newest first, without a gap")
		require.Equal(t, "deleted", e.Result)
	}
}

func TestTextsAreCleanedAndShortened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := open(t, dir, journal.Options{})
	e := entry("north", "t1")
	e.Label = "evil\x1b]0;title\x07\nname"
	e.What = strings.Repeat("é", 5000)
	require.NoError(t, a.End(begin(t, a, e), journal.Outcome{Result: "bad \xff byte"}))
	got := read(t, a, "north", journal.Query{}).Entries[0]
	require.NotContains(t, got.Label, "\x1b")
	require.NotContains(t, got.Label, "\n")
	require.Less(t, len(got.What), 1000)
	text, err := os.ReadFile(filepath.Join(dir, "activity.jsonl"))
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(text), "\n"))
}

// Consoles that write at the same time, while new files are started, lose no entry.
func TestManyConsolesShareAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const consoles, writers, each = 3, 3, 15
	var group sync.WaitGroup
	for c := range consoles {
		a := open(t, dir, journal.Options{MaxSize: 40 << 10})
		for w := range writers {
			group.Go(func() {
				for i := range each {
					id, err := a.Begin(entry("north", fmt.Sprintf("%d-%d-%d", c, w, i)))
					if err == nil {
						err = a.End(id, journal.Outcome{Result: fmt.Sprintf("result %d-%d-%d", c, w, i)})
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	page := read(t, open(t, dir, journal.Options{}), "north", journal.Query{})
	require.Zero(t, page.Damaged)
	require.Len(t, page.Entries, consoles*writers*each)
	for _, e := range page.Entries {
		require.Equal(t, "result "+string(e.Object), e.Result)
	}
}

func TestUnwritableFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := journal.Open(filepath.Join(file, "state"), journal.Options{})
	require.ErrorIs(t, err, journal.ErrWrite)
}
