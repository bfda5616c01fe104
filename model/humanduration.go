package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// maxDuration prevents overflow of typed durations.
const maxDuration = 10 * 366 * 24 * time.Hour

// ParseDuration parses a duration as people type it: 90m, 2h, 1h30m, 1h30, 2d, 45s.
func ParseDuration(text string) (time.Duration, error) {
	rest := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), " ", "")
	if rest == "" {
		return 0, errors.New("no duration given: write 90m, 2h, 1h30 or 2d")
	}
	var total time.Duration
	unit, after := time.Duration(0), time.Duration(0)
	for rest != "" {
		end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		digits, letter := rest, ""
		if end >= 0 {
			digits, letter = rest[:end], rest[end:end+1]
		}
		n, err := strconv.ParseInt(digits, 10, 32)
		if err != nil {
			return 0, durationError(text)
		}
		unit = parseUnit(letter, after)
		if unit == 0 || (after != 0 && unit >= after) {
			return 0, durationError(text)
		}
		total += time.Duration(n) * unit
		if time.Duration(n) > maxDuration/unit || total > maxDuration {
			return 0, fmt.Errorf("%.40q is longer than ten years", Clean(text))
		}
		after = unit
		rest = rest[len(digits)+len(letter):]
	}
	return total, nil
}

// parseUnit returns the length of a unit. A number without a unit after hours means minutes, as in 1h30.
func parseUnit(letter string, after time.Duration) time.Duration {
	switch letter {
	case "d":
		return 24 * time.Hour
	case "h":
		return time.Hour
	case "m":
		return time.Minute
	case "s":
		return time.Second
	case "":
		if after == time.Hour {
			return time.Minute
		}
	}
	return 0
}

func durationError(text string) error {
	trimmed := strings.TrimSpace(text)
	if AllDigits(trimmed) {
		return fmt.Errorf("%.40s needs a unit: write %.40sm for minutes or %.40sh for hours", trimmed, trimmed, trimmed)
	}
	return fmt.Errorf("%.40q is not a duration: write 90m, 2h, 1h30 or 2d", Clean(trimmed))
}

// ParseWindow reads two times with a dash between: 14:00-16:00, tomorrow 9am - 11am, 2026-11-20 22:00-02:00. An end
// without a day is on the day of the start, or on the next when it would be earlier. A window without a day is
// today's unless it ended more than an hour ago.
func ParseWindow(text string, now Millis, zone *time.Location) (from, to Millis, err error) {
	words := strings.NewReplacer("–", "-", "—", "-", " to ", "-", "..", "-").Replace(strings.ToLower(text))
	firstError := fmt.Errorf("%.60q is not a window: write 14:00-16:00 or tomorrow 9am-11am", Clean(text))
	for at := len(words) - 1; at > 0; at-- {
		if words[at] != '-' {
			continue
		}
		from, to, err = parseWindowParts(strings.TrimSpace(words[:at]), strings.TrimSpace(words[at+1:]), now, zone)
		if err == nil {
			return from, to, nil
		}
	}
	return 0, 0, firstError
}

func parseWindowParts(left, right string, now Millis, zone *time.Location) (from, to Millis, err error) {
	endClock, err := parseClock(right, false)
	if err != nil {
		from, err = ParseTime(left, now, zone)
		if err != nil {
			return 0, 0, err
		}
		to, err = ParseTime(right, now, zone)
		if err == nil && to <= from {
			err = errors.New("the end is not after the start")
		}
		return from, to, err
	}
	startClock, err := parseClock(left, false)
	if err != nil {
		from, err = ParseTime(left, now, zone)
		if err != nil {
			return 0, 0, err
		}
		start := from.Time().In(zone)
		startClock = clockTime{start.Hour(), start.Minute(), start.Second()}
		return windowOnDay(calendarDayOf(start), startClock, endClock, zone)
	}
	today := calendarDayOf(now.Time().In(zone))
	from, to, err = windowOnDay(today, startClock, endClock, zone)
	if err == nil && to.Add(recentClockLimit) < now {
		return windowOnDay(today.addDays(1), startClock, endClock, zone)
	}
	return from, to, err
}

func windowOnDay(d calendarDay, start, end clockTime, zone *time.Location) (from, to Millis, err error) {
	first, err := start.onDay(d, zone)
	if err != nil {
		return 0, 0, err
	}
	last, err := end.onDay(d, zone)
	if err == nil && !last.After(first) {
		last, err = end.onDay(d.addDays(1), zone)
	}
	if err != nil {
		return 0, 0, err
	}
	return MillisOf(first), MillisOf(last), nil
}

// FormatDuration formats a duration as short as possible: 45s, 34m, 2h05, 16h, 3d4h.
func FormatDuration(d time.Duration) string {
	if d < 0 {
		return "-" + FormatDuration(-d)
	}
	days, hours, minutes := d/(24*time.Hour), d/time.Hour%24, d/time.Minute%60
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", minutes)
	case days == 0 && minutes == 0:
		return fmt.Sprintf("%dh", hours)
	case days == 0:
		return fmt.Sprintf("%dh%02d", hours, minutes)
	case hours == 0:
		return fmt.Sprintf("%dd", days)
	default:
		return fmt.Sprintf("%dd%dh", days, hours)
	}
}

// justNowLimit is how near a time must be to be called "just now".
const justNowLimit = 30 * time.Second

// FormatRelative formats a time relative to now: "in 12m", "8m ago", "just now".
func FormatRelative(at, now Millis) string {
	switch d := at.Sub(now); {
	case d > -justNowLimit && d < justNowLimit:
		return "just now"
	case d > 0:
		return "in " + FormatDuration(d)
	default:
		return FormatDuration(-d) + " ago"
	}
}

// FormatShortDelay formats a delay for lists: in whole minutes, and in whole hours once there are many. Seconds would
// change with every refresh.
func FormatShortDelay(d time.Duration) string {
	if d < time.Minute {
		return "<1m"
	}
	return FormatDuration(RoundDelay(d))
}

// RoundDelay rounds a delay as FormatShortDelay shows it, so that filters match the screen.
func RoundDelay(d time.Duration) time.Duration {
	const manyHours = 10 * time.Hour
	switch {
	case d < manyHours:
		return TruncateToMinutes(d)
	case d < 24*time.Hour:
		return d.Truncate(time.Hour)
	}
	return d.Truncate(24 * time.Hour)
}

// FormatDelay formats a delay as "8m late"; it is empty without a delay.
func FormatDelay(delay Opt[Seconds]) string {
	seconds, ok := delay.Get()
	if !ok || seconds <= 0 {
		return ""
	}
	return FormatDuration(seconds.Duration()) + " late"
}

// FormatTime formats a time with date and zone, for logs and confirmations: "2026-11-20 14:00 CET".
func FormatTime(at Millis, zone *time.Location) string {
	t := at.Time().In(zone)
	return t.Format("2006-01-02 15:04 ") + zoneName(t)
}

// FormatClock formats a time as short as possible relative to now: "14:30", "tomorrow 09:00", "Sat 09:00", "2026-12-24
// 09:00".
func FormatClock(at, now Millis, zone *time.Location) string {
	t, today := at.Time().In(zone), calendarDayOf(now.Time().In(zone))
	switch d := calendarDayOf(t); {
	case d == today:
		return t.Format("15:04")
	case d == today.addDays(1):
		return t.Format("tomorrow 15:04")
	case d == today.addDays(-1):
		return t.Format("yesterday 15:04")
	case at > now && at < now.Add(6*24*time.Hour):
		return t.Format("Mon 15:04")
	default:
		return t.Format("2006-01-02 15:04")
	}
}

// AppendWindow appends a window: "14:00-16:00" with the dash given, "from 14:00", "until 16:00", or nothing. An end of zero
// is open. appendTime appends one end; of two ends on the same day of the zone, only the first has its day.
func AppendWindow(dst []byte, from, to Millis, zone *time.Location, dash string, appendTime func([]byte, Millis) []byte) []byte {
	switch {
	case from == 0 && to == 0:
		return dst
	case from == 0:
		return appendTime(append(dst, "until "...), to)
	case to == 0:
		return appendTime(append(dst, "from "...), from)
	}
	dst = append(appendTime(dst, from), dash...)
	if end := to.Time().In(zone); calendarDayOf(from.Time().In(zone)) == calendarDayOf(end) {
		return end.AppendFormat(dst, "15:04")
	}
	return appendTime(dst, to)
}

// zoneName returns the abbreviation of the zone, or its offset where it has none, as in "-03".
func zoneName(t time.Time) string {
	name, _ := t.Zone()
	if name == "" || name[0] == '+' || name[0] == '-' {
		return "UTC" + name
	}
	return name
}

// TruncateToMinutes drops the seconds of a delay. A delay under a minute stays as it is.
func TruncateToMinutes(delay time.Duration) time.Duration {
	if delay < time.Minute {
		return delay
	}
	return delay.Truncate(time.Minute)
}
