package views

import (
	"strconv"
	"strings"
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

// taskStatus is the status a task's row leads with: late and at risk lie over the rest.
func taskStatus(r *board.TaskRow) theme.Status {
	switch r.Risk {
	case board.RiskLate:
		return theme.Late
	case board.RiskAtRisk:
		return theme.AtRisk
	}
	return ownStatus(r.Status)
}

func ownStatus(s board.Status) theme.Status {
	switch s {
	case board.StatusUnassigned:
		return theme.Unassigned
	case board.StatusAssigned:
		return theme.Assigned
	case board.StatusActive:
		return theme.Active
	case board.StatusDone:
		return theme.Done
	case board.StatusFailed:
		return theme.Failed
	}
	return theme.Unknown
}

func workerStatus(w *board.WorkerRow) theme.Status {
	switch w.State {
	case board.WorkerIsIdle:
		return theme.Idle
	case board.WorkerIsBusy:
		return theme.Busy
	case board.WorkerIsSilent:
		return theme.Silent
	}
	return theme.Off
}

// clockText is a time near now as hours and minutes, and one of another day with that day's name.
func clockText(at model.Millis, now time.Time, zone *time.Location) string {
	if at == 0 {
		return ""
	}
	t, today := at.Time().In(zone), now.In(zone)
	if sameDay(t, today) || t.Sub(today).Abs() < halfDay {
		return t.Format("15:04") // past midnight there is no other that could be meant
	}
	if days := t.Sub(today).Abs(); days < 6*24*time.Hour {
		return t.Format("Mon 15:04")
	}
	return t.Format("Jan _2 15:04")
}

// etaText is when a driver is expected, in a column of five cells; once they are there that is over.
func etaText(r *board.TaskRow, now time.Time, zone *time.Location) string {
	if r.Arrived != 0 {
		return "there"
	}
	return clockText(r.Arrival, now, zone)
}

// clockIn is a clock for a column: without the hour where only the day has room.
func clockIn(width int, at model.Millis, now time.Time, zone *time.Location) string {
	text := clockText(at, now, zone)
	if width == 0 || len(text) <= width {
		return text
	}
	if day, _, _ := strings.Cut(text, " "); at.Time().Sub(now).Abs() < 6*24*time.Hour {
		return day
	}
	return at.Time().In(zone).Format("1/2")
}

const halfDay = 12 * time.Hour

func sameDay(a, b time.Time) bool {
	return a.YearDay() == b.YearDay() && a.Year() == b.Year()
}

// windowText is when a task may be done.
func windowText(r *board.TaskRow, now time.Time, zone *time.Location, dash string) string {
	switch {
	case r.Earliest == 0 && r.Due == 0:
		return ""
	case r.Earliest == 0:
		return "until " + clockText(r.Due, now, zone)
	case r.Due == 0:
		return "from " + clockText(r.Earliest, now, zone)
	}
	from, to := r.Earliest.Time().In(zone), r.Due.Time().In(zone)
	if sameDay(from, to) {
		return clockText(r.Earliest, now, zone) + dash + to.Format("15:04")
	}
	return clockText(r.Earliest, now, zone) + dash + clockText(r.Due, now, zone)
}

// delayText is a length of time as short as a table needs it.
func delayText(d time.Duration) string { return model.FormatShortDelay(d) }

// ago is how long something is past, in whole units so that quiet rows stay quiet.
func ago(at model.Millis, now time.Time) string {
	if at == 0 {
		return "never"
	}
	d := now.Sub(at.Time())
	switch {
	case d < 10*time.Second:
		return "now"
	case d < time.Minute:
		return strconv.Itoa(int(d.Seconds())/10*10) + "s"
	}
	return delayText(d)
}

func percentText(share float64) string {
	if share < 0 {
		return ""
	}
	return strconv.Itoa(int(share*100+0.5)) + "%"
}

func numberText(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// Count is a number with its thousands set apart.
func Count(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func moneyText(amount float64, currency string) string {
	text := strconv.FormatFloat(amount, 'f', 2, 64)
	switch strings.ToUpper(currency) {
	case "USD":
		return "$" + text
	case "":
		return text
	}
	return text + " " + currency
}

func vehicleText(v model.VehicleType) string {
	if v == "" {
		return "on foot"
	}
	return strings.ToLower(string(v))
}

// kindText is what a dispatcher calls the two kinds of task.
func kindText(pickup bool) string {
	if pickup {
		return "pickup"
	}
	return "dropoff"
}
