package journal

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"waybill/board"
	"waybill/model"
)

// exported is an entry in an export. CSV headings and JSON members are the same.
type exported struct {
	Time      string  `json:"time"`
	Person    string  `json:"person"`
	Account   string  `json:"account"`
	Action    string  `json:"action"`
	What      string  `json:"what"`
	Object    string  `json:"object"`
	Label     string  `json:"label"`
	State     string  `json:"state"`
	Result    string  `json:"result"`
	RequestID string  `json:"requestId"`
	Seconds   float64 `json:"seconds"`
	Run       string  `json:"run"`
}

func export(e *Entry, zone *time.Location) exported {
	return exported{
		Time: e.Time.Time().In(zone).Format(time.RFC3339), Person: e.Person, Account: e.Account, Action: e.Action, What: e.What,
		Object: string(e.Object), Label: e.Label, State: e.State(), Result: e.Result, RequestID: e.RequestID,
		Seconds: e.Duration.Seconds(), Run: e.Run,
	}
}

// Export writes entries of an account, newest first, with times in the zone.
func (a *Activity) Export(
	ctx context.Context, w io.Writer, format board.ExportFormat, account string, q Query, zone *time.Location,
) error {
	page, err := a.Read(ctx, account, q)
	if err != nil {
		return err
	}
	switch format {
	case board.ExportCSV:
		return exportCSV(w, page.Entries, zone)
	case board.ExportJSON:
		rows := make([]exported, len(page.Entries))
		for i := range page.Entries {
			rows[i] = export(&page.Entries[i], zone)
		}
		text, err := model.MarshalIndent(rows)
		if err != nil {
			return err
		}
		_, err = w.Write(append(text, '\n'))
		return err
	}
	return fmt.Errorf("unknown format %q; choose csv or json", format)
}

func exportCSV(w io.Writer, entries []Entry, zone *time.Location) error {
	out := csv.NewWriter(w)
	row := []string{
		"time", "person", "account", "action", "what", "object", "label", "state", "result", "requestId", "seconds", "run",
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for i := range entries {
		x := export(&entries[i], zone)
		row = append(row[:0], x.Time, x.Person, x.Account, x.Action, x.What, x.Object, x.Label, x.State, x.Result, x.RequestID,
			strconv.FormatFloat(x.Seconds, 'f', -1, 64), x.Run)
		for i := range row {
			row[i] = model.GuardCSVCell(row[i])
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
