package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// recentClockLimit is how far in the past a clock time still means today, because people type the time it just was.
const recentClockLimit = time.Hour

// latestMillis is the end of the year 9999.
const latestMillis Millis = 253_402_300_799_999

// ParseTime reads a time as a dispatcher types it:
//
//	14:30  2:30pm  9am  noon  midnight     a clock time; see below for the day
//	+2h  +90m  -30m  in 1h30               from now
//	today 18:00  tomorrow 9am  mon 10:00   a weekday is the next one that is not past
//	2026-11-20 14:00  2026-11-20T14:00     in the given zone; a day alone is its first minute
//	2026-11-20T14:00:00Z                   RFC 3339
//	1795183200000                          Unix milliseconds; seconds are refused
//
// A clock time alone is today's when that is ahead or at most an hour ago, else tomorrow's. A time that the zone skips
// when its clocks go forward is refused; one that comes twice is the earlier one.
func ParseTime(text string, now Millis, zone *time.Location) (Millis, error) {
	return parseTime(text, now, zone, false)
}

// ParsePastTime is [ParseTime] for questions about what happened: a clock time alone is today's when that is past or
// at most an hour ahead, else yesterday's, and a weekday is the last one.
func ParsePastTime(text string, now Millis, zone *time.Location) (Millis, error) {
	return parseTime(text, now, zone, true)
}

func parseTime(text string, now Millis, zone *time.Location, past bool) (Millis, error) {
	words := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	current := now.Time().In(zone)
	switch {
	case words == "":
		return 0, errors.New("no time given: " + timeForms)
	case words == "now":
		return now, nil
	case words[0] == '+' || words[0] == '-' || strings.HasPrefix(words, "in "):
		return parseOffset(words, now)
	case AllDigits(words):
		return parseDigits(words)
	}
	if t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(words)); err == nil {
		return checkedTime(t)
	}
	d, rest, dayGiven := splitDay(words, current, past)
	c, err := parseClock(rest, dayGiven)
	if err != nil {
		return 0, fmt.Errorf("%.60q is not a time: %w", Clean(text), err)
	}
	at, err := c.onDay(d, zone)
	if err != nil {
		return 0, err
	}
	if move := shiftDays(words, at, current, dayGiven, past); move != 0 {
		at, err = c.onDay(d.addDays(move), zone)
	}
	if err != nil {
		return 0, err
	}
	return checkedTime(at)
}

const timeForms = "write 14:30, 2:30pm, +2h, tomorrow 9am, mon 10:00, 2026-11-20 14:00, an RFC 3339 time or Unix milliseconds"

func checkedTime(t time.Time) (Millis, error) {
	at := MillisOf(t)
	if at < earliestMillis || at > latestMillis {
		return 0, fmt.Errorf("the year %d is out of range", t.Year())
	}
	return at, nil
}

// shiftDays returns by how many days a time without a date moves to be on the wanted side of now.
func shiftDays(words string, at, now time.Time, dayGiven, past bool) int {
	_, isWeekday := parseWeekday(words)
	switch {
	case dayGiven && !isWeekday:
		return 0
	case isWeekday && past && at.After(now):
		return -7
	case isWeekday && !past && at.Before(now):
		return 7
	case isWeekday:
		return 0
	case past && at.After(now.Add(recentClockLimit)):
		return -1
	case !past && at.Before(now.Add(-recentClockLimit)):
		return 1
	}
	return 0
}

func parseOffset(words string, now Millis) (Millis, error) {
	sign, rest := 1, strings.TrimPrefix(words, "in ")
	switch {
	case strings.HasPrefix(rest, "+"):
		rest = rest[1:]
	case strings.HasPrefix(rest, "-"):
		sign, rest = -1, rest[1:]
	}
	length, err := ParseDuration(strings.TrimSpace(rest))
	if err != nil {
		return 0, err
	}
	return now.Add(time.Duration(sign) * length), nil
}

// parseDigits accepts Unix milliseconds only. Ten digits are seconds; guessing would put a deadline into 1970.
func parseDigits(words string) (Millis, error) {
	n, err := strconv.ParseInt(words, 10, 64)
	switch {
	case err != nil || n > int64(latestMillis):
		return 0, fmt.Errorf("%.30s is too large for Unix milliseconds, which have 13 digits today", words)
	case n >= int64(earliestMillis):
		return Millis(n), nil
	case len(words) >= 8:
		return 0, fmt.Errorf("%s looks like Unix seconds; times are in milliseconds: %s000", words, words)
	case len(words) >= 3 && len(words) <= 4:
		return 0, fmt.Errorf("%s is not a time; write %s:%s", words, words[:len(words)-2], words[len(words)-2:])
	default:
		return 0, fmt.Errorf("%s is not a time; write %s:00 for a clock time or +%sm for minutes from now", words, words, words)
	}
}

// calendarDay is a date without a time zone.
type calendarDay struct {
	year  int
	month time.Month
	day   int
}

func calendarDayOf(t time.Time) calendarDay {
	year, month, d := t.Date()
	return calendarDay{year, month, d}
}

func (d calendarDay) addDays(days int) calendarDay {
	return calendarDayOf(time.Date(d.year, d.month, d.day+days, 12, 0, 0, 0, time.UTC))
}

// splitDay splits the day off the front of words. Without one it is today.
func splitDay(words string, now time.Time, past bool) (d calendarDay, rest string, given bool) {
	today := calendarDayOf(now)
	first, rest, _ := strings.Cut(words, " ")
	switch first {
	case "today":
		return today, rest, true
	case "tomorrow":
		return today.addDays(1), rest, true
	case "yesterday":
		return today.addDays(-1), rest, true
	}
	if weekday, ok := parseWeekday(words); ok {
		ahead := (int(weekday) - int(now.Weekday()) + 7) % 7
		if past && ahead > 0 {
			ahead -= 7
		}
		return today.addDays(ahead), rest, true
	}
	const dateLength = len(time.DateOnly)
	if len(words) >= dateLength {
		if t, err := time.Parse(time.DateOnly, words[:dateLength]); err == nil {
			return calendarDayOf(t), strings.TrimLeft(words[dateLength:], " t"), true
		}
	}
	return today, words, false
}

// parseWeekday parses the weekday at the start of words: mon, monday and everything in between.
func parseWeekday(words string) (time.Weekday, bool) {
	first, _, _ := strings.Cut(words, " ")
	if len(first) < 3 {
		return 0, false
	}
	for weekday := time.Sunday; weekday <= time.Saturday; weekday++ {
		if strings.HasPrefix(strings.ToLower(weekday.String()), first) {
			return weekday, true
		}
	}
	return 0, false
}

// clockTime is a time of day.
type clockTime struct{ hour, minute, second int }

// onDay returns the clock time on a day in a time zone.
func (c clockTime) onDay(d calendarDay, zone *time.Location) (time.Time, error) {
	t := time.Date(d.year, d.month, d.day, c.hour, c.minute, c.second, 0, zone)
	if t.Hour() != c.hour || t.Minute() != c.minute {
		return t, fmt.Errorf("%02d:%02d does not exist on %s in %s because the clocks go forward",
			c.hour, c.minute, t.Format(time.DateOnly), zone)
	}
	for _, back := range []time.Duration{30 * time.Minute, time.Hour} {
		if earlier := t.Add(-back); earlier.Hour() == c.hour && earlier.Minute() == c.minute {
			return earlier, nil
		}
	}
	return t, nil
}

// parseClock parses a time of day. After a day it may be missing.
func parseClock(text string, dayGiven bool) (clockTime, error) {
	text = strings.TrimPrefix(text, "at ")
	switch {
	case text == "" && dayGiven, text == "midnight":
		return clockTime{}, nil
	case text == "noon":
		return clockTime{hour: 12}, nil
	}
	digits := strings.TrimSuffix(strings.TrimSuffix(text, "am"), "pm")
	half := strings.TrimPrefix(text, digits)
	parts := strings.Split(strings.TrimSpace(digits), ":")
	if len(parts) > 3 || (len(parts) == 1 && half == "") {
		return clockTime{}, errors.New(timeForms)
	}
	var numbers [3]int
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil || len(part) > 2 || (i > 0 && len(part) != 2) {
			return clockTime{}, errors.New(timeForms)
		}
		numbers[i] = int(n)
	}
	return newClockTime(numbers, half)
}

func newClockTime(numbers [3]int, half string) (clockTime, error) {
	c := clockTime{numbers[0], numbers[1], numbers[2]}
	if half != "" {
		if c.hour < 1 || c.hour > 12 {
			return clockTime{}, fmt.Errorf("%d%s is not an hour; with am or pm, hours are from 1 to 12", c.hour, half)
		}
		c.hour %= 12
		if half == "pm" {
			c.hour += 12
		}
	}
	if c.hour > 23 || c.minute > 59 || c.second > 59 {
		return clockTime{}, errors.New("hours are from 0 to 23, minutes and seconds from 0 to 59")
	}
	return c, nil
}
