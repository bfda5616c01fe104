package journal_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/operations/journal"
)

// written is a record of the file: its id, whether it ends an entry, and its text.
type written struct {
	id   string
	ends bool
	text []byte
}

// After any damage, every undamaged record is found and no other.
func TestDamageLosesOnlyDamagedRecords(t *testing.T) {
	t.Parallel()
	whole, records := sampleJournal(t)
	before := map[string]journal.Entry{}
	for _, e := range readJournal(t, whole).Entries {
		before[e.ID] = e
	}
	rapid.Check(t, func(rt *rapid.T) {
		text, intact := damage(rt, whole, records)
		page := readJournal(t, text)
		found := map[string]journal.Entry{}
		for _, e := range page.Entries {
			original, known := before[e.ID]
			require.True(rt, known, "an entry that nobody wrote: %+v", e)
			if e.Unfinished {
				original.Outcome, original.Unfinished = e.Outcome, true
			}
			require.Equal(rt, original, e)
			found[e.ID] = e
		}
		for _, r := range intact {
			e, ok := found[r.id]
			if r.ends {
				require.False(rt, ok && e.Unfinished, "%s has ended", r.id)
			} else {
				require.True(rt, ok, "%s is lost", r.id)
			}
		}
		if bytes.Equal(text, whole) {
			require.Zero(rt, page.Damaged)
		}
	})
}

// sampleJournal is a file with entries that ended and others that did not, and its records.
func sampleJournal(t testing.TB) ([]byte, []written) {
	dir := t.TempDir()
	a := open(t, dir, journal.Options{})
	for i := range 20 {
		e := entry("north", fmt.Sprintf("t%d", i))
		e.What = `quotes " and {"id":" inside`
		id := begin(t, a, e)
		if i%5 != 0 {
			require.NoError(t, a.End(id, journal.Outcome{Result: fmt.Sprintf("result %d", i), Failed: i%3 == 0}))
		}
	}
	require.NoError(t, a.Close())
	text, err := os.ReadFile(filepath.Join(dir, "activity.jsonl"))
	require.NoError(t, err)
	var records []written
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		_, id, _ := bytes.Cut(line, []byte(`{"id":"`))
		id, _, _ = bytes.Cut(id, []byte(`"`))
		records = append(records, written{string(id), bytes.Contains(line, []byte(`"event":"ended"`)), line})
	}
	require.Len(t, records, 36)
	return text, records
}

// readJournal reads a journal with this text.
func readJournal(t testing.TB, text []byte) journal.Page {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "activity.jsonl"), text, 0o600))
	a := open(t, dir, journal.Options{})
	defer a.Close() //nolint:errcheck // closed again by the cleanup
	return read(t, a, "north", journal.Query{})
}

// damage damages a file in a few places and returns the undamaged records.
func damage(rt *rapid.T, whole []byte, records []written) ([]byte, []written) {
	text := bytes.Clone(whole)
	places := make([]int, len(whole)) // where each byte was before, -1 for what is new
	for i := range places {
		places[i] = i
	}
	for range rapid.IntRange(0, 4).Draw(rt, "hits") {
		from := rapid.IntRange(0, len(text)).Draw(rt, "from")
		to := min(len(text), from+rapid.IntRange(1, 400).Draw(rt, "length"))
		garbage := rapid.OneOf(
			rapid.SliceOfN(rapid.Byte(), 0, 40),
			rapid.SliceOfN(rapid.Just(byte(0)), 0, 40),
			rapid.SampledFrom([][]byte{[]byte("\n"), []byte(`{"id":"`), []byte(`"`), []byte(`\`), []byte("}\n{")}),
		).Draw(rt, "garbage")
		switch rapid.SampledFrom([]string{"replace", "join", "insert", "cut"}).Draw(rt, "how") {
		case "join": // two lines, as when a crash has cut the first
			if newline := bytes.IndexByte(text[from:], '\n'); newline >= 0 {
				to = from + newline + 1
			}
		case "insert":
			to = from
		case "cut":
			to, garbage = len(text), nil
		}
		text = slices.Replace(text, from, to, garbage...)
		places = slices.Replace(places, from, to, slices.Repeat([]int{-1}, len(garbage))...)
	}
	var intact []written
	at := 0
	for _, r := range records {
		start := slices.Index(places, at)
		unbroken := start >= 0 && start+len(r.text) <= len(places)
		for i := 0; unbroken && i < len(r.text); i++ {
			unbroken = places[start+i] == at+i
		}
		if unbroken {
			intact = append(intact, r)
		}
		at += len(r.text) + 1
	}
	return text, intact
}

func TestRecordsWithoutNewlinesAreFound(t *testing.T) {
	t.Parallel()
	whole, _ := sampleJournal(t)
	want, got := readJournal(t, whole), readJournal(t, bytes.ReplaceAll(whole, []byte("\n"), []byte("\x00")))
	require.Equal(t, want.Entries, got.Entries)
	require.Equal(t, 1, got.Damaged)
}

func TestTruncatedLineLosesNoOtherRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := open(t, dir, journal.Options{})
	require.NoError(t, a.End(begin(t, a, entry("north", "t1")), journal.Outcome{Result: "deleted"}))
	begin(t, a, entry("north", "t2"))
	require.NoError(t, a.Close())
	path := filepath.Join(dir, "activity.jsonl")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(path, info.Size()-30))

	a = open(t, dir, journal.Options{})
	begin(t, a, entry("north", "t3"))
	page := read(t, a, "north", journal.Query{})
	require.Equal(t, []string{"t3", "t1"}, objects(page.Entries))
	require.Equal(t, 1, page.Damaged)
}
