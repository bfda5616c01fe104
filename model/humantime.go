package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// recentClock is how far in the past a clock time alone still means today: people type the time it just was.
const recentClock = time.Hour

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
	case strings.Trim(words, "0123456789") == "":
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
	at, err := c.on(d, zone)
	if err != nil {
		return 0, err
	}
	if move := shiftDays(words, at, current, dayGiven, past); move != 0 {
		at, err = c.on(d.add(move), zone)
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

// shiftDays is by how many days a time without a date moves so that it lies on the wanted side of now.
func shiftDays(words string, at, now time.Time, dayGiven, past bool) int {
	_, isWeekday := weekdayOf(words)
	switch {
	case dayGiven && !isWeekday:
		return 0
	case isWeekday && past && at.After(now):
		return -7
	case isWeekday && !past && at.Before(now):
		return 7
	case isWeekday:
		return 0
	case past && at.After(now.Add(recentClock)):
		return -1
	case !past && at.Before(now.Add(-recentClock)):
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

// parseDigits takes Unix milliseconds only: ten digits are seconds, and guessing would put a deadline in 1970.
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

// day is a date without a zone.
type day struct {
	year  int
	month time.Month
	day   int
}

func dayOf(t time.Time) day {
	year, month, d := t.Date()
	return day{year, month, d}
}

func (d day) add(days int) day {
	return dayOf(time.Date(d.year, d.month, d.day+days, 12, 0, 0, 0, time.UTC))
}

// splitDay takes the day off the front of words. Without one it is today.
func splitDay(words string, now time.Time, past bool) (d day, rest string, given bool) {
	today := dayOf(now)
	first, rest, _ := strings.Cut(words, " ")
	switch first {
	case "today":
		return today, rest, true
	case "tomorrow":
		return today.add(1), rest, true
	case "yesterday":
		return today.add(-1), rest, true
	}
	if weekday, ok := weekdayOf(words); ok {
		ahead := (int(weekday) - int(now.Weekday()) + 7) % 7
		if past && ahead > 0 {
			ahead -= 7
		}
		return today.add(ahead), rest, true
	}
	const dateLength = len(time.DateOnly)
	if len(words) >= dateLength {
		if t, err := time.Parse(time.DateOnly, words[:dateLength]); err == nil {
			return dayOf(t), strings.TrimLeft(words[dateLength:], " t"), true
		}
	}
	return today, words, false
}

// weekdayOf reads the weekday that words start with: mon, monday and all between.
func weekdayOf(words string) (time.Weekday, bool) {
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

// clock is a time of day.
type clock struct{ hour, minute, second int }

// on is the clock time on a day in a zone.
func (c clock) on(d day, zone *time.Location) (time.Time, error) {
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

// parseClock reads a time of day. After a day it may be missing.
func parseClock(text string, dayGiven bool) (clock, error) {
	text = strings.TrimPrefix(text, "at ")
	switch {
	case text == "" && dayGiven, text == "midnight":
		return clock{}, nil
	case text == "noon":
		return clock{hour: 12}, nil
	}
	digits := strings.TrimSuffix(strings.TrimSuffix(text, "am"), "pm")
	half := strings.TrimPrefix(text, digits)
	parts := strings.Split(strings.TrimSpace(digits), ":")
	if len(parts) > 3 || (len(parts) == 1 && half == "") {
		return clock{}, errors.New(timeForms)
	}
	var numbers [3]int
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil || len(part) > 2 || (i > 0 && len(part) != 2) {
			return clock{}, errors.New(timeForms)
		}
		numbers[i] = int(n)
	}
	return clockOf(numbers, half)
}

func clockOf(numbers [3]int, half string) (clock, error) {
	c := clock{numbers[0], numbers[1], numbers[2]}
	if half != "" {
		if c.hour < 1 || c.hour > 12 {
			return clock{}, fmt.Errorf("%d%s is not an hour; with am or pm, hours are from 1 to 12", c.hour, half)
		}
		c.hour %= 12
		if half == "pm" {
			c.hour += 12
		}
	}
	if c.hour > 23 || c.minute > 59 || c.second > 59 {
		return clock{}, errors.New("hours are from 0 to 23, minutes and seconds from 0 to 59")
	}
	return c, nil
}
