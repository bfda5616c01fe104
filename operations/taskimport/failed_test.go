package taskimport

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Spreadsheets run formulas in every cell, so cells beyond the header are guarded too.
func TestFailedRowsGuardCellsBeyondTheHeader(t *testing.T) {
	file, err := Parse(FormatCSV, []byte("line,address,notes\n7,x,y,=cmd|' /C calc'!A0,'+1\n"), Options{})
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, file.WriteFailed(&out, file.Refused()))
	_, row, _ := strings.Cut(out.String(), "\n")
	require.True(t, strings.HasSuffix(row, ",x,y,'=cmd|' /C calc'!A0,'+1\n"), row)
}

func TestPartialFileOfFailedRowsIsRemoved(t *testing.T) {
	file := &File{Format: FormatJSON, Rows: []Row{{Line: 1, raw: []byte(`{}`)}, {Line: 2, raw: []byte(`{`)}}}
	path := filepath.Join(t.TempDir(), "tasks.failed.jsonl")
	_, err := file.SaveFailed(path, []Failure{{RowRef: RowRef{Line: 1}}, {RowRef: RowRef{Line: 2}}})
	require.ErrorContains(t, err, path)
	_, err = os.Stat(path)
	require.ErrorIs(t, err, os.ErrNotExist)
}
