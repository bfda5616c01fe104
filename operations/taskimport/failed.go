package taskimport

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"waybill/model"
)

// WriteFailed writes rows with their causes in the file's own format. The result can be corrected and imported: the columns
// line and error, and the JSON around the task, are then ignored.
func (f *File) WriteFailed(w io.Writer, failed []Failure) error {
	causes := causesByRow{}
	for _, failure := range failed {
		causes[failure.RowRef] = append(causes[failure.RowRef], failure.Cause)
	}
	if f.Format == FormatJSON {
		return f.writeFailedJSON(w, causes)
	}
	return f.writeFailedCSV(w, causes)
}

// causesByRow are causes by row. Rows of a JSON line may even be equal.
type causesByRow map[RowRef][]string

// takeCause returns and removes the cause of a row, if it failed.
func (f causesByRow) takeCause(row *Row) (cause string, failed bool) {
	ref := RowRef{Line: row.Line, Hash: row.Hash}
	causes := f[ref]
	if len(causes) == 0 {
		return "", false
	}
	f[ref] = causes[1:]
	return model.Clean(causes[0]), true
}

func (f *File) writeFailedCSV(w io.Writer, failed causesByRow) error {
	out := csv.NewWriter(w)
	out.Comma = f.delimiter
	kept := make([]bool, len(f.header))
	header := []string{lineColumn, errorColumn}
	for i, name := range f.header {
		if kept[i] = name != lineColumn && name != errorColumn; kept[i] {
			header = append(header, name)
		}
	}
	if err := out.Write(header); err != nil {
		return err
	}
	for i := range f.Rows {
		row := &f.Rows[i]
		cause, ok := failed.takeCause(row)
		if !ok {
			continue
		}
		cells := []string{strconv.Itoa(row.Line), model.GuardCSVCell(cause)}
		for i, cell := range row.cells {
			// Keep cells beyond the header: they are what is wrong with such a row.
			if i >= len(f.header) || kept[i] {
				cells = append(cells, model.GuardCSVCell(model.UnguardCSVCell(cell)))
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (f *File) writeFailedJSON(w io.Writer, failed causesByRow) error {
	for i := range f.Rows {
		row := &f.Rows[i]
		cause, ok := failed.takeCause(row)
		if !ok {
			continue
		}
		encoded, err := model.Marshal(wrappedTask{Line: row.Line, Error: cause, Task: row.raw})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n", encoded); err != nil {
			return err
		}
	}
	return nil
}

// SaveFailed writes failed rows to a new file and returns its path. It never overwrites a file, which may contain
// corrections.
func (f *File) SaveFailed(path string, failed []Failure) (string, error) {
	extension := filepath.Ext(path)
	stem := strings.TrimSuffix(path, extension)
	for n := 1; ; n++ {
		name := path
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", stem, n, extension)
		}
		out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("cannot write the failed rows: %w", err)
		}
		err = f.WriteFailed(out, failed)
		if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
			// A partial file would look like all failed rows.
			return "", fmt.Errorf("cannot write the failed rows to %s: %w", name, errors.Join(err, os.Remove(name)))
		}
		return name, nil
	}
}

// FailedPath is the default path for failed rows.
func FailedPath(path string, format Format) string {
	extension := filepath.Ext(path)
	if extension == "" {
		extension = "." + string(format)
	}
	if slices.Contains([]string{".json", ".ndjson", ".jsonl"}, strings.ToLower(extension)) {
		// One task per line is not what .json promises.
		extension = ".jsonl"
	}
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".failed" + extension
}

// Refused lists the rows that cannot be sent, with all their problems.
func (f *File) Refused() []Failure {
	var bad []Failure
	for _, row := range f.Rows {
		if len(row.Problems) == 0 {
			continue
		}
		texts := make([]string, len(row.Problems))
		for i, p := range row.Problems {
			texts[i] = strings.TrimPrefix(p.Column+": "+p.Text, ": ")
		}
		bad = append(bad, Failure{RowRef: RowRef{Line: row.Line, Hash: row.Hash}, Cause: strings.Join(texts, "; ")})
	}
	return bad
}
