package journal_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/operations/journal"
)

// bigJournal is a full file and a full older one.
func bigJournal(b *testing.B) *journal.Activity {
	dir := b.TempDir()
	text, _ := sampleJournal(b)
	full := bytes.Repeat(text, (8<<20)/len(text))
	for _, name := range []string{"activity.jsonl", "activity.older.jsonl"} {
		require.NoError(b, os.WriteFile(filepath.Join(dir, name), full, 0o600))
	}
	return open(b, dir, journal.Options{MaxSize: 1 << 30})
}

func BenchmarkNewest200(b *testing.B) {
	a := bigJournal(b)
	for b.Loop() {
		require.Len(b, read(b, a, "north", journal.Query{Limit: 200}).Entries, 200)
	}
}

func BenchmarkSearchAll(b *testing.B) {
	a := bigJournal(b)
	for b.Loop() {
		require.Empty(b, read(b, a, "north", journal.Query{Text: "nowhere"}).Entries)
	}
}

func BenchmarkUnfinished(b *testing.B) {
	a := bigJournal(b)
	for b.Loop() {
		_, err := a.Unfinished(b.Context(), "south")
		require.NoError(b, err)
	}
}

func BenchmarkBegin(b *testing.B) {
	for _, writers := range []int{1, 4} {
		b.Run(fmt.Sprintf("%d at once", writers), func(b *testing.B) {
			a := open(b, b.TempDir(), journal.Options{})
			b.SetParallelism(writers)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := a.Begin(entry("north", "t1")); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
