package board

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"waybill/model"
)

// ExportFormat is a file format for exported rows.
type ExportFormat string

// Formats.
const (
	ExportCSV  ExportFormat = "csv"
	ExportJSON ExportFormat = "json"
)

// exportValue is a value of a row under its name, which is both CSV heading and JSON member.
type exportValue[R any] struct {
	name string
	read func(*R, *exportContext) any // a string, a float64, or nil when there is none
}

type exportContext struct {
	now  model.Millis
	zone *time.Location
}

// time returns a time in RFC 3339; nil for none.
func (c *exportContext) time(at model.Millis) any {
	if at == 0 {
		return nil
	}
	return at.Time().In(c.zone).Format(time.RFC3339)
}

// Export writes the exported values of rows in the order given. Times are RFC 3339 in the zone.
func (t RowType[R]) Export(
	w io.Writer, format ExportFormat, rows iter.Seq[*R], now model.Millis, zone *time.Location,
) error {
	var values []exportValue[R]
	for _, c := range t.columns {
		values = append(values, c.exports...)
	}
	ctx := &exportContext{now, zone}
	switch format {
	case ExportCSV:
		return exportCSV(w, rows, values, ctx)
	case ExportJSON:
		return exportJSON(w, rows, values, ctx)
	}
	return fmt.Errorf("unknown export format %q; choose csv or json", format)
}

func exportCSV[R any](w io.Writer, rows iter.Seq[*R], values []exportValue[R], ctx *exportContext) error {
	out := csv.NewWriter(w)
	record := make([]string, len(values))
	for i := range values {
		record[i] = values[i].name
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for row := range rows {
		for i := range values {
			record[i] = csvText(values[i].read(row, ctx))
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvText(value any) string {
	switch value := value.(type) {
	case string:
		return model.GuardCSVCell(value)
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return ""
}

func exportJSON[R any](w io.Writer, rows iter.Seq[*R], values []exportValue[R], ctx *exportContext) error {
	separator := "[\n  "
	for row := range rows {
		if _, err := io.WriteString(w, separator); err != nil {
			return err
		}
		separator = ",\n  "
		if err := exportObject(w, row, values, ctx); err != nil {
			return err
		}
	}
	end := "\n]\n"
	if separator[0] == '[' {
		end = "[]\n"
	}
	_, err := io.WriteString(w, end)
	return err
}

// exportObject writes the members in the order of the columns, which a map would lose.
func exportObject[R any](w io.Writer, row *R, values []exportValue[R], ctx *exportContext) error {
	line := []byte{'{'}
	for i := range values {
		if i > 0 {
			line = append(line, ',')
		}
		value, err := model.Marshal(values[i].read(row, ctx))
		if err != nil {
			return fmt.Errorf("cannot export %s: %w", values[i].name, err)
		}
		line = append(strconv.AppendQuote(line, values[i].name), ':')
		line = append(line, value...)
	}
	_, err := w.Write(append(line, '}'))
	return err
}

func exportNumber(number float64, known bool) any {
	if !known {
		return nil
	}
	return number
}

// exportText is an exported value that is a text.
func exportText[R any, T ~string](name string, read func(*R) T) exportValue[R] {
	return exportValue[R]{name, func(row *R, _ *exportContext) any { return string(read(row)) }}
}

// exportLocation is the exported coordinates of a location that may be unknown.
func exportLocation[R any](read func(*R) (model.Location, bool)) []exportValue[R] {
	return []exportValue[R]{
		{"latitude", func(row *R, _ *exportContext) any {
			at, known := read(row)
			return exportNumber(at.Lat, known)
		}},
		{"longitude", func(row *R, _ *exportContext) any {
			at, known := read(row)
			return exportNumber(at.Lon, known)
		}},
	}
}
