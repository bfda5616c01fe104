package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"waybill/model"
)

// printJSON prints a JSON document.
func (a *app) printJSON(v any) error { return a.printEncoded(model.MarshalIndent(v)) }

// printJSONLine prints a JSON value on one line.
func (a *app) printJSONLine(v any) error { return a.printEncoded(model.Marshal(v)) }

func (a *app) printEncoded(encoded []byte, err error) error {
	if err == nil {
		_, err = fmt.Fprintln(a.stdout, string(encoded))
	}
	return err
}

// printResult prints v as JSON with --json, otherwise it calls human.
func (a *app) printResult(v any, human func()) error {
	if a.flags.json {
		return a.printJSON(v)
	}
	human()
	return nil
}

// listPrinter prints elements as they arrive: one JSON object per line, or rows of a table.
type listPrinter[T any] struct {
	a     *app
	table *textTable
	cells func(T) []string
}

func newListPrinter[T any](a *app, cells func(T) []string, header ...string) *listPrinter[T] {
	return &listPrinter[T]{a: a, table: &textTable{header: header, out: a.stdout, limit: a.width}, cells: cells}
}

func (l *listPrinter[T]) print(v T) error {
	if l.a.flags.json {
		return l.a.printJSONLine(v)
	}
	return l.table.addRow(l.cells(v)...)
}

// finish prints the buffered rows, or the note empty if there were no elements.
func (l *listPrinter[T]) finish(empty string) error {
	if l.a.flags.json {
		return nil
	}
	if l.table.rows == nil && !l.table.started {
		l.a.printNote("%s", empty)
		return nil
	}
	return l.table.flush()
}

// printList prints all elements of a list.
func printList[T any](a *app, elements []T, empty string, cells func(T) []string, header ...string) error {
	l := newListPrinter(a, cells, header...)
	for _, v := range elements {
		if err := l.print(v); err != nil {
			return err
		}
	}
	return l.finish(empty)
}

// measuredRows is the number of rows that set the column widths before the first row is printed.
const measuredRows = 64

// textTable prints aligned columns with cells made safe for a terminal. The first rows set the widths, later ones are printed at once.
type textTable struct {
	header  []string
	rows    [][]string
	out     io.Writer
	limit   int // maximum width of a line; 0 means no limit
	widths  []int
	started bool
}

// maxCellWidth limits cells, so that one very long name does not pad every row. The last column is not limited, because
// nothing follows it.
const maxCellWidth = 100

func (t *textTable) addRow(cells ...string) error {
	for i, cell := range cells {
		cells[i] = model.Clean(cell)
		if i < len(cells)-1 {
			cells[i] = ansi.Truncate(cells[i], maxCellWidth, "…")
		}
	}
	t.rows = append(t.rows, cells)
	if t.started || len(t.rows) >= measuredRows {
		return t.flush()
	}
	return nil
}

// columnGap is the number of spaces between columns.
const columnGap = 2

func (t *textTable) flush() error {
	if !t.started {
		t.rows = append([][]string{t.header}, t.rows...)
		t.widths = make([]int, len(t.header))
		for _, row := range t.rows {
			for i, cell := range row {
				t.widths[i] = max(t.widths[i], ansi.StringWidth(cell))
			}
		}
		t.started = true
	}
	for _, row := range t.rows {
		if _, err := fmt.Fprintln(t.out, t.formatRow(row)); err != nil {
			return err
		}
	}
	t.rows = nil
	return nil
}

func (t *textTable) formatRow(row []string) string {
	var line strings.Builder
	for i, cell := range row {
		line.WriteString(cell)
		line.WriteString(strings.Repeat(" ", max(0, t.widths[i]-ansi.StringWidth(cell))+columnGap))
	}
	text := strings.TrimRight(line.String(), " ")
	if t.limit > 0 {
		text = ansi.Truncate(text, t.limit, "…")
	}
	return text
}

// printField prints a name and its value on one line, and nothing if the value is empty.
func (a *app) printField(name, value string) {
	if value != "" {
		fmt.Fprintf(a.stdout, "%-19s %s\n", name, model.Clean(value))
	}
}

// printMultiline is printField for values of several lines.
func (a *app) printMultiline(name, value string) {
	for i, line := range strings.Split(model.CleanMultiline(value), "\n") {
		if i > 0 {
			name = ""
		}
		if value != "" {
			fmt.Fprintf(a.stdout, "%-19s %s\n", name, line)
		}
	}
}

// toStrings converts texts of another type.
func toStrings[T ~string](texts []T) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = string(text)
	}
	return all
}
