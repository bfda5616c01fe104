package journal

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDecode reads any text: all lines are returned unchanged, and only complete records count as records.
func FuzzDecode(f *testing.F) {
	line, err := record{ID: "s-1", Event: eventSending, Entry: Entry{Account: "north", What: `quotes " and {"id":" inside`}}.encode()
	require.NoError(f, err)
	f.Add(bytes.Repeat(line, 3))
	f.Add(append(bytes.Clone(line[:40]), line...))
	f.Add([]byte("\n\n{}\nnull\n{\"id\":\"\"}\n\x00\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var lines [][]byte
		require.NoError(t, readBackwards(bytes.NewReader(text), int64(len(text)), func(line []byte) bool {
			lines = append(lines, bytes.Clone(line))
			return true
		}))
		slices.Reverse(lines)
		require.Equal(t, string(text), string(bytes.Join(lines, []byte("\n"))))
		for _, line := range lines {
			records, damaged := decodeLine(line)
			require.Equal(t, len(bytes.TrimSpace(line)) == 0, len(records) == 0 && !damaged)
			for _, r := range records {
				again, err := r.encode()
				require.NoError(t, err)
				_, ok := decodeRecord(bytes.TrimSpace(again))
				require.True(t, ok)
			}
		}
	})
}

// Lines that span several blocks are returned whole.
func TestReadBackwardsAcrossBlocks(t *testing.T) {
	t.Parallel()
	for _, length := range []int{1, 100, blockSize - 1, blockSize, blockSize + 1, 3*blockSize + 7} {
		want := [][]byte{bytes.Repeat([]byte("a"), length), nil, bytes.Repeat([]byte("b"), length), []byte("c"), nil}
		text := bytes.Join(want, []byte("\n"))
		var got [][]byte
		require.NoError(t, readBackwards(bytes.NewReader(text), int64(len(text)), func(line []byte) bool {
			got = append(got, append([]byte(nil), line...))
			return true
		}))
		slices.Reverse(got)
		require.Equal(t, want, got)
	}
}
