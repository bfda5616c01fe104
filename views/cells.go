package views

import (
	"strconv"
	"strings"
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

// statusOf is the status a task's row leads with: late and at risk lie over the rest.
func statusOf(r *board.TaskRow) theme.Status {
	switch r.Risk {
	case board.RiskLate:
		return theme.Late
	case board.RiskSoon:
		return theme.AtRisk
	}
	return plainStatus(r.Status)
}

func plainStatus(s board.Status) theme.Status {
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

// clock is a time near now as hours and minutes, and one of another day with that day's name.
func clock(at model.Millis, now time.Time, zone *time.Location) string {
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

// eta is when a driver is expected, in a column of five cells; once they are there that is over.
func eta(r *board.TaskRow, now time.Time, zone *time.Location) string {
	if r.Arrived != 0 {
		return "there"
	}
	return clock(r.Arrival, now, zone)
}

// clockIn is a clock for a column: without the hour where only the day has room.
func clockIn(width int, at model.Millis, now time.Time, zone *time.Location) string {
	text := clock(at, now, zone)
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

// window is when a task may be done.
func window(r *board.TaskRow, now time.Time, zone *time.Location, dash string) string {
	switch {
	case r.After == 0 && r.Before == 0:
		return ""
	case r.After == 0:
		return "until " + clock(r.Before, now, zone)
	case r.Before == 0:
		return "from " + clock(r.After, now, zone)
	}
	from, to := r.After.Time().In(zone), r.Before.Time().In(zone)
	if sameDay(from, to) {
		return clock(r.After, now, zone) + dash + to.Format("15:04")
	}
	return clock(r.After, now, zone) + dash + clock(r.Before, now, zone)
}

// minutes is a length of time as short as a table needs it.
func minutes(d time.Duration) string { return model.FormatShortDelay(d) }

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
	return minutes(d)
}

func percent(share float64) string {
	if share < 0 {
		return ""
	}
	return strconv.Itoa(int(share*100+0.5)) + "%"
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// Count is a number with its thousands set apart.
func Count(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func money(amount float64, currency string) string {
	text := strconv.FormatFloat(amount, 'f', 2, 64)
	switch strings.ToUpper(currency) {
	case "USD":
		return "$" + text
	case "":
		return text
	}
	return text + " " + currency
}

func vehicleName(v model.VehicleType) string {
	if v == "" {
		return "on foot"
	}
	return strings.ToLower(string(v))
}

// kindName is what a dispatcher calls the two kinds of task.
func kindName(pickup bool) string {
	if pickup {
		return "pickup"
	}
	return "dropoff"
}
