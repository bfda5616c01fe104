package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"waybill/model"
)

// printJSON prints one document.
func (a *app) printJSON(v any) error {
	encoded, err := model.MarshalIndent(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, string(encoded))
	return err
}

// printJSONLine prints one element of a list on a line of its own.
func (a *app) printJSONLine(v any) error {
	encoded, err := model.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, string(encoded))
	return err
}

// textTable lines up columns; cells are made safe for a terminal.
type textTable struct {
	header []string
	rows   [][]string
}

func newTextTable(header ...string) *textTable { return &textTable{header: header} }

func (t *textTable) add(cells ...string) {
	for i, cell := range cells {
		cells[i] = model.Clean(cell)
	}
	t.rows = append(t.rows, cells)
}

// columnGap stands between columns.
const columnGap = 2

func (t *textTable) print(w io.Writer) {
	widths := make([]int, len(t.header))
	for _, row := range append([][]string{t.header}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	for _, row := range append([][]string{t.header}, t.rows...) {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)+columnGap))
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// field prints one line of a detail.
func (a *app) field(name, value string) {
	if value != "" {
		fmt.Fprintf(a.stdout, "%-14s %s\n", name, model.Clean(value))
	}
}
