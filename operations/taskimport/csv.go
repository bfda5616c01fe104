package taskimport

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"waybill/model"
)

// Columns that the file of failed rows adds. They are ignored when it is imported.
const (
	errorColumn = "error"
	lineColumn  = "line"
)

// commentPrefix starts the names of ignored columns.
const commentPrefix = "#"

func (f *File) parseCSV(data []byte, o Options) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	f.delimiter = detectDelimiter(data)
	reader := csv.NewReader(bytes.NewReader(data))
	reader.Comma = f.delimiter
	reader.FieldsPerRecord = -1
	reader.TrimLeadingSpace = true
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it is empty; the first line must name the columns", ErrFile)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFile, err)
	}
	if f.header, err = checkHeader(header); err != nil {
		return err
	}
	draft := NewDraft(o)
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrFile, err)
		}
		line, _ := reader.FieldPos(0)
		if strings.TrimSpace(strings.Join(cells, "")) != "" {
			f.Rows = append(f.Rows, f.csvRow(draft, line, cells))
		}
	}
}

// detectDelimiter finds the delimiter in the first line. Spreadsheets of many countries write semicolons.
func detectDelimiter(data []byte) rune {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	best, most := ',', bytes.Count(first, []byte(","))
	for _, candidate := range []rune{';', '\t'} {
		if n := bytes.Count(first, []byte(string(candidate))); n > most {
			best, most = candidate, n
		}
	}
	return best
}

// checkHeader normalizes column names and refuses unknown ones, so that a mistyped column does not lose its values.
func checkHeader(header []string) ([]string, error) {
	names := make([]string, len(header))
	var problems []string
	for i, cell := range header {
		name := normalizeColumn(cell)
		names[i] = name
		switch {
		case name == "", strings.HasPrefix(name, commentPrefix):
		case slices.Contains(names[:i], name):
			problems = append(problems, fmt.Sprintf("the column %q comes twice", name))
		case !isKnownColumn(name):
			problems = append(problems, unknownColumnText(name))
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%w: line 1: %s; the columns are %s", ErrFile, strings.Join(problems, "; "), strings.Join(fieldNames(), ", "))
	}
	return names, nil
}

func normalizeColumn(cell string) string {
	name := strings.TrimSpace(model.UnguardCSVCell(cell))
	for _, prefix := range []string{customFieldPrefix, metadataPrefix} {
		if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			return prefix + name[len(prefix):]
		}
	}
	underscored := strings.NewReplacer(" ", "_", "-", "_")
	name = underscored.Replace(strings.ToLower(name))
	for _, field := range Fields() { // the short words that flags use say the same
		if field.Flag != "" && name == underscored.Replace(field.Flag) {
			return field.Name
		}
	}
	return name
}

func isKnownColumn(name string) bool {
	if isSkipped(name) || strings.HasPrefix(name, customFieldPrefix) || strings.HasPrefix(name, metadataPrefix) {
		return true
	}
	return slices.Contains(fieldNames(), name)
}

func unknownColumnText(name string) string {
	shown := model.Clean(name)
	if near := model.ClosestName(name, fieldNames()); near != "" {
		return fmt.Sprintf("unknown column %q; did you mean %q?", shown, near)
	}
	return fmt.Sprintf("unknown column %q; start its name with %s to ignore it", shown, commentPrefix)
}

// isSkipped reports columns that are ignored.
func isSkipped(name string) bool {
	return name == "" || name == errorColumn || name == lineColumn || strings.HasPrefix(name, commentPrefix)
}

// csvRow reads a row with a draft that all rows share.
func (f *File) csvRow(draft *Draft, line int, cells []string) Row {
	row := Row{Line: line, cells: cells}
	problem := func(column, text string) {
		row.Problems = append(row.Problems, Problem{Line: line, Column: column, Text: text})
	}
	if len(cells) != len(f.header) {
		problem("", fmt.Sprintf("it has %d cells, but the first line names %d columns; check commas and quotes", len(cells), len(f.header)))
		return row
	}
	draft.reset()
	var said []string
	for i, cell := range cells {
		value := strings.TrimSpace(model.UnguardCSVCell(cell))
		if isSkipped(f.header[i]) || value == "" {
			continue
		}
		said = append(said, f.header[i], value)
		if err := draft.Set(f.header[i], value); err != nil {
			problem(f.header[i], err.Error())
		}
	}
	if err := draft.CheckWindow(); err != nil {
		problem("window", err.Error())
	}
	row.Hash = hashParts(said...)
	task, err := draft.Task()
	if err != nil {
		problem("", err.Error())
	}
	row.Task = task
	return row
}

// fieldNames are the names of all columns.
func fieldNames() []string {
	fields := Fields()
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	return names
}

// Template is a CSV file with every column and one example row.
func Template() string {
	var out strings.Builder
	w := csv.NewWriter(&out)
	var names, examples []string
	fields := fieldTable()
	for _, name := range []string{
		"address", "apartment", "destination_notes", "recipient_name", "recipient_phone", "recipient_notes", "kind", "window",
		"notes", "quantity", "service_time", "require", "minimum_age", "barcodes", "color", "team",
	} {
		field := fields[name]
		names, examples = append(names, field.Name), append(examples, model.GuardCSVCell(field.Example))
	}
	_ = w.WriteAll([][]string{names, examples})
	return out.String()
}
