package board

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"waybill/model"
)

// AppendClock appends a time as hours and minutes, with the day when it is more than half a day away and not today.
func AppendClock(dst []byte, at model.Millis, now time.Time, zone *time.Location) []byte {
	if at == 0 {
		return dst
	}
	t, today := at.Time().In(zone), now.In(zone)
	switch away := t.Sub(today).Abs(); {
	case sameDay(t, today) || away < 12*time.Hour:
		return t.AppendFormat(dst, "15:04")
	case away < weekdayHorizon:
		return t.AppendFormat(dst, "Mon 15:04")
	}
	return t.AppendFormat(dst, "Jan _2 15:04")
}

// weekdayHorizon is how far away a day can be named by its weekday.
const weekdayHorizon = 6 * 24 * time.Hour

func sameDay(a, b time.Time) bool { return a.YearDay() == b.YearDay() && a.Year() == b.Year() }

// appendClock appends a time for a cell: only the day where the hour does not fit.
func (c *CellContext) appendClock(dst []byte, at model.Millis) []byte {
	start := len(dst)
	dst = AppendClock(dst, at, c.Now, c.Zone)
	if c.Width == 0 || len(dst)-start <= c.Width {
		return dst
	}
	if at.Time().Sub(c.Now).Abs() < weekdayHorizon {
		return dst[:start+bytes.IndexByte(dst[start:], ' ')]
	}
	return at.Time().In(c.Zone).AppendFormat(dst[:start], "1/2")
}

// AppendETA appends when the driver is expected at a task, or that they are there.
func AppendETA(dst []byte, r *TaskRow, now time.Time, zone *time.Location) []byte {
	if r.Arrived != 0 {
		return append(dst, "there"...)
	}
	return AppendClock(dst, r.Arrival, now, zone)
}

// AppendWindow appends a task's window.
func AppendWindow(dst []byte, r *TaskRow, now time.Time, zone *time.Location, dash string) []byte {
	return model.AppendWindow(dst, r.Earliest, r.Due, zone, dash, func(dst []byte, at model.Millis) []byte {
		return AppendClock(dst, at, now, zone)
	})
}

// AppendAge appends how long ago something was, in steps of ten seconds below a minute so that cells rarely change.
func AppendAge(dst []byte, at model.Millis, now time.Time) []byte {
	if at == 0 {
		return append(dst, "never"...)
	}
	switch age := now.Sub(at.Time()); {
	case age < 10*time.Second:
		return append(dst, "now"...)
	case age < time.Minute:
		return append(strconv.AppendInt(dst, int64(age/(10*time.Second))*10, 10), 's')
	default:
		return append(dst, model.FormatShortDelay(age)...)
	}
}

// AppendPercent appends a share as a percentage; nothing when it is negative, which means unknown.
func AppendPercent(dst []byte, share float64) []byte {
	if share < 0 {
		return dst
	}
	return append(strconv.AppendInt(dst, int64(share*100+0.5), 10), '%')
}

// AppendNumber appends a number with as many decimals as it has.
func AppendNumber(dst []byte, n float64) []byte { return strconv.AppendFloat(dst, n, 'f', -1, 64) }

// AppendMoney appends an amount in a currency.
func AppendMoney(dst []byte, amount float64, currency string) []byte {
	dollars := strings.EqualFold(currency, "USD")
	if dollars {
		dst = append(dst, '$')
	}
	dst = strconv.AppendFloat(dst, amount, 'f', 2, 64)
	if dollars || currency == "" {
		return dst
	}
	return append(append(dst, ' '), currency...)
}

// VehicleText names a vehicle.
func VehicleText(v model.VehicleType) string {
	if v == "" {
		return "on foot"
	}
	return strings.ToLower(string(v))
}

// KindText names the two kinds of task.
func KindText(pickup bool) string {
	if pickup {
		return "pickup"
	}
	return "dropoff"
}
