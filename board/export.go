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

// ExportFormat is how rows leave the console.
type ExportFormat string

// Formats.
const (
	ExportCSV  ExportFormat = "csv"
	ExportJSON ExportFormat = "json"
)

// exportCell is one value under its heading. Heading and JSON member are the same word.
type exportCell struct {
	name  string
	value any // string, float64, bool, or nil when there is none
}

// ExportTasks writes tasks in the order given. Times are RFC 3339 in the zone.
func ExportTasks(w io.Writer, format ExportFormat, rows iter.Seq[*TaskRow], now model.Millis, zone *time.Location) error {
	return export(w, format, rows, func(r *TaskRow) []exportCell {
		var slack any
		if left, ok := r.Slack(now); ok {
			slack = left.Round(time.Second).Minutes()
		}
		return []exportCell{
			{"id", string(r.ID)},
			{"shortId", string(r.ShortID)},
			{"kind", r.Kind()},
			{"status", r.StatusText()},
			{"risk", r.Risk.String()},
			{"slackMinutes", slack},
			{"stands", r.LatenessText(now)},
			{"completeAfter", exportTime(r.Earliest, zone)},
			{"completeBefore", exportTime(r.Due, zone)},
			{"expectedArrival", exportTime(r.Arrival, zone)},
			{"expectedCompletion", exportTime(r.Finish, zone)},
			{"completed", exportTime(r.Completed, zone)},
			{"worker", r.WorkerName},
			{"workerId", string(r.Worker)},
			{"team", r.TeamName},
			{"teamId", string(r.Team)},
			{"address", r.Address},
			{"latitude", exportNumber(r.Location.Lat, r.HasLocation)},
			{"longitude", exportNumber(r.Location.Lon, r.HasLocation)},
			{"recipient", r.RecipientName},
			{"phone", r.Phone},
			{"notes", r.Notes},
			{"quantity", r.Quantity},
			{"order", string(r.Order)},
			{"modified", exportTime(r.Modified, zone)},
		}
	})
}

// ExportWorkers writes workers in the order given.
func ExportWorkers(w io.Writer, format ExportFormat, rows iter.Seq[*WorkerRow], zone *time.Location) error {
	return export(w, format, rows, func(r *WorkerRow) []exportCell {
		return []exportCell{
			{"id", string(r.ID)},
			{"name", r.Name},
			{"state", r.State.String()},
			{"activeTask", string(r.ActiveTask)},
			{"stops", float64(r.Stops())},
			{"capacity", r.Capacity},
			{"delayMinutes", exportNumber(r.Delay.Minutes(), r.Delay != 0)},
			{"lastSeen", exportTime(r.LastSeen, zone)},
			{"battery", exportNumber(r.Battery, r.Battery >= 0)},
			{"vehicle", string(r.Vehicle)},
			{"teams", r.TeamNames},
			{"phone", r.Phone},
			{"latitude", exportNumber(r.Location.Lat, r.HasLocation)},
			{"longitude", exportNumber(r.Location.Lon, r.HasLocation)},
		}
	})
}

// ExportOrders writes orders in the order given.
func ExportOrders(w io.Writer, format ExportFormat, rows iter.Seq[*OrderRow], zone *time.Location) error {
	return export(w, format, rows, func(r *OrderRow) []exportCell {
		return []exportCell{
			{"id", string(r.ID)},
			{"shortId", string(r.ShortID)},
			{"client", r.Client},
			{"status", string(r.Status)},
			{"pickupTask", string(r.Pickup.Task)},
			{"pickupStatus", r.Pickup.Status.String()},
			{"dropoffTask", string(r.Dropoff.Task)},
			{"dropoffStatus", r.Dropoff.Status.String()},
			{"due", exportTime(r.Due(), zone)},
			{"price", exportNumber(r.Price, r.Priced)},
			{"currency", r.Currency},
			{"service", r.Service},
		}
	})
}

func export[R any](w io.Writer, format ExportFormat, rows iter.Seq[*R], cells func(*R) []exportCell) error {
	switch format {
	case ExportCSV:
		return exportRowsCSV(w, rows, cells)
	case ExportJSON:
		return exportRowsJSON(w, rows, cells)
	}
	return fmt.Errorf("rows cannot be exported as %q; choose csv or json", format)
}

func exportRowsCSV[R any](w io.Writer, rows iter.Seq[*R], cells func(*R) []exportCell) error {
	out := csv.NewWriter(w)
	var record []string
	write := func(row []exportCell, text func(exportCell) string) error {
		record = record[:0]
		for _, cell := range row {
			record = append(record, text(cell))
		}
		return out.Write(record)
	}
	if err := write(cells(new(R)), func(c exportCell) string { return c.name }); err != nil {
		return err
	}
	for row := range rows {
		if err := write(cells(row), exportText); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func exportText(cell exportCell) string {
	switch value := cell.value.(type) {
	case string:
		return model.GuardCSVCell(value)
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return ""
}

func exportRowsJSON[R any](w io.Writer, rows iter.Seq[*R], cells func(*R) []exportCell) error {
	separator := "[\n  "
	for row := range rows {
		if _, err := io.WriteString(w, separator); err != nil {
			return err
		}
		separator = ",\n  "
		if err := exportObject(w, cells(row)); err != nil {
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

// exportObject writes members in the order of the columns, which a map would lose.
func exportObject(w io.Writer, row []exportCell) error {
	line := []byte{'{'}
	for i, cell := range row {
		if i > 0 {
			line = append(line, ',')
		}
		value, err := model.Marshal(cell.value)
		if err != nil {
			return fmt.Errorf("%s cannot be exported: %w", cell.name, err)
		}
		line = append(strconv.AppendQuote(line, cell.name), ':')
		line = append(line, value...)
	}
	_, err := w.Write(append(line, '}'))
	return err
}

func exportTime(at model.Millis, zone *time.Location) any {
	if at == 0 {
		return nil
	}
	return at.Time().In(zone).Format(time.RFC3339)
}

func exportNumber(number float64, known bool) any {
	if !known {
		return nil
	}
	return number
}
