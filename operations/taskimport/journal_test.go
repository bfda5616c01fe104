package taskimport

import (
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// After a read error the journal is not truncated, because later records may say what was sent.
func TestReadErrorIsNotTheEndOfTheJournal(t *testing.T) {
	const first = `{"type":"import","time":1,"account":"a"}` + "\n"
	j := &Journal{path: "tasks.csv.waybill-import.jsonl"}
	_, err := j.replay(io.MultiReader(strings.NewReader(first), iotest.ErrReader(syscall.EIO)))
	require.ErrorIs(t, err, ErrJournal)
	require.ErrorIs(t, err, syscall.EIO)

	whole, err := j.replay(strings.NewReader(first + `{"type":"sen`))
	require.NoError(t, err, "a crash in the middle of a line is no damage")
	require.EqualValues(t, len(first), whole)
}
