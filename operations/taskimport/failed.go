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
	causes := map[RowRef][]string{} // rows of a JSON line may even be equal
	for _, failure := range failed {
		causes[failure.RowRef] = append(causes[failure.RowRef], failure.Cause)
	}
	write, finish := f.failedWriter(w)
	for i := range f.Rows {
		row := &f.Rows[i]
		ref := RowRef{Line: row.Line, Hash: row.Hash}
		if len(causes[ref]) == 0 {
			continue
		}
		if err := write(row, model.Clean(causes[ref][0])); err != nil {
			return err
		}
		causes[ref] = causes[ref][1:]
	}
	return finish()
}

// failedWriter returns what writes a row with its cause, and what ends the file.
func (f *File) failedWriter(w io.Writer) (write func(row *Row, cause string) error, finish func() error) {
	if f.Format == FormatJSON {
		return func(row *Row, cause string) error {
			encoded, err := model.Marshal(wrappedTask{Line: row.Line, Error: cause, Task: row.raw})
			if err == nil {
				_, err = fmt.Fprintf(w, "%s\n", encoded)
			}
			return err
		}, func() error { return nil }
	}
	out := csv.NewWriter(w)
	out.Comma = f.delimiter
	isAdded := func(i int) bool {
		return i < len(f.header) && (f.header[i] == lineColumn || f.header[i] == errorColumn)
	}
	header := []string{lineColumn, errorColumn}
	for i, name := range f.header {
		if !isAdded(i) {
			header = append(header, name)
		}
	}
	err := out.Write(header)
	return func(row *Row, cause string) error {
			cells := []string{strconv.Itoa(row.Line), model.GuardCSVCell(cause)}
			// Cells beyond the header stay: they are what is wrong with such a row.
			for i, cell := range row.cells {
				if !isAdded(i) {
					cells = append(cells, model.GuardCSVCell(model.UnguardCSVCell(cell)))
				}
			}
			return out.Write(cells)
		}, func() error {
			out.Flush()
			return errors.Join(err, out.Error())
		}
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
