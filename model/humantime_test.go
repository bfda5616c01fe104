package model

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	location, err := time.LoadLocation(name)
	require.NoError(t, err)
	return location
}

// at is a time in Berlin, where ruleNow is 15:00 on Friday, 20 November 2026.
func berlinTime(t *testing.T, text string) Millis {
	t.Helper()
	parsed, err := time.ParseInLocation("2006-01-02 15:04:05", text, zone(t, "Europe/Berlin"))
	require.NoError(t, err)
	return MillisOf(parsed)
}

func TestParseTime(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	for _, c := range []struct{ text, future, past string }{
		{"16:30", "2026-11-20 16:30:00", "2026-11-19 16:30:00"},
		{"15:30", "2026-11-20 15:30:00", "2026-11-20 15:30:00"},
		{"14:30", "2026-11-20 14:30:00", "2026-11-20 14:30:00"},
		{"14:00", "2026-11-20 14:00:00", "2026-11-20 14:00:00"},
		{"13:59", "2026-11-21 13:59:00", "2026-11-20 13:59:00"},
		{"16:30:15", "2026-11-20 16:30:15", "2026-11-19 16:30:15"},
		{"4:30pm", "2026-11-20 16:30:00", "2026-11-19 16:30:00"},
		{"4:30 PM", "2026-11-20 16:30:00", "2026-11-19 16:30:00"},
		{"9am", "2026-11-21 09:00:00", "2026-11-20 09:00:00"},
		{"12am", "2026-11-21 00:00:00", "2026-11-20 00:00:00"},
		{"12pm", "2026-11-21 12:00:00", "2026-11-20 12:00:00"},
		{"noon", "2026-11-21 12:00:00", "2026-11-20 12:00:00"},
		{"midnight", "2026-11-21 00:00:00", "2026-11-20 00:00:00"},
		{"now", "2026-11-20 15:00:00", "2026-11-20 15:00:00"},
		{"+2h", "2026-11-20 17:00:00", "2026-11-20 17:00:00"},
		{"+90m", "2026-11-20 16:30:00", "2026-11-20 16:30:00"},
		{"+1h30", "2026-11-20 16:30:00", "2026-11-20 16:30:00"},
		{"+ 1h 30m", "2026-11-20 16:30:00", "2026-11-20 16:30:00"},
		{"+1d", "2026-11-21 15:00:00", "2026-11-21 15:00:00"},
		{"in 45s", "2026-11-20 15:00:45", "2026-11-20 15:00:45"},
		{"-30m", "2026-11-20 14:30:00", "2026-11-20 14:30:00"},
		{"today 9am", "2026-11-20 09:00:00", "2026-11-20 09:00:00"},
		{"Tomorrow 9am", "2026-11-21 09:00:00", "2026-11-21 09:00:00"},
		{"tomorrow at 9:15", "2026-11-21 09:15:00", "2026-11-21 09:15:00"},
		{"tomorrow", "2026-11-21 00:00:00", "2026-11-21 00:00:00"},
		{"yesterday 18:00", "2026-11-19 18:00:00", "2026-11-19 18:00:00"},
		{"mon 10:00", "2026-11-23 10:00:00", "2026-11-16 10:00:00"},
		{"Monday 10:00", "2026-11-23 10:00:00", "2026-11-16 10:00:00"},
		{"fri 10:00", "2026-11-27 10:00:00", "2026-11-20 10:00:00"},
		{"fri 18:00", "2026-11-20 18:00:00", "2026-11-13 18:00:00"},
		{"thurs 8am", "2026-11-26 08:00:00", "2026-11-19 08:00:00"},
		{"sun", "2026-11-22 00:00:00", "2026-11-15 00:00:00"},
		{"2026-11-20 14:00", "2026-11-20 14:00:00", "2026-11-20 14:00:00"},
		{"2026-12-24t14:00", "2026-12-24 14:00:00", "2026-12-24 14:00:00"},
		{"2026-12-24 2pm", "2026-12-24 14:00:00", "2026-12-24 14:00:00"},
		{"2026-12-24", "2026-12-24 00:00:00", "2026-12-24 00:00:00"},
		{"2026-11-20T14:00:00Z", "2026-11-20 15:00:00", "2026-11-20 15:00:00"},
		{"2026-11-20T14:00:00-05:00", "2026-11-20 20:00:00", "2026-11-20 20:00:00"},
		{"1795183200000", "2026-11-20 15:00:00", "2026-11-20 15:00:00"},
	} {
		t.Run(c.text, func(t *testing.T) {
			got, err := ParseTime(c.text, ruleNow, berlin)
			require.NoError(t, err)
			require.Equal(t, berlinTime(t, c.future), got, FormatTime(got, berlin))
			got, err = ParsePastTime(c.text, ruleNow, berlin)
			require.NoError(t, err)
			require.Equal(t, berlinTime(t, c.past), got, FormatTime(got, berlin))
		})
	}
}

func TestParseTimeErrorsSayWhatToDo(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	for text, hint := range map[string]string{
		"":                     "write 14:30",
		"soon":                 "write 14:30",
		"25:00":                "hours are from 0 to 23",
		"14:60":                "minutes and seconds from 0 to 59",
		"13pm":                 "from 1 to 12",
		"0am":                  "from 1 to 12",
		"14:3":                 "write 14:30",
		"14:30:15:00":          "write 14:30",
		"1795183200":           "1795183200000",
		"1430":                 "14:30",
		"9":                    "9:00",
		"99999999999999999999": "13 digits",
		"+2":                   "2m",
		"+2x":                  "90m",
		"2026-13-01 10:00":     "write 14:30",
		"2026-02-30 10:00":     "write 14:30",
		"1969-07-20 20:17":     "out of range",
		"2027-03-28 02:30":     "clocks go forward",
		"tomorrow soon":        "write 14:30",
		"a\x1b[31mb":           "write 14:30",
	} {
		_, err := ParseTime(text, ruleNow, berlin)
		require.ErrorContains(t, err, hint, "%q", text)
		require.Equal(t, Clean(err.Error()), err.Error())
	}
}

func TestParseTimeTakesTheEarlierOfTwo(t *testing.T) {
	got, err := ParseTime("2026-10-25 02:30", ruleNow, zone(t, "Europe/Berlin"))
	require.NoError(t, err)
	require.Equal(t, "2026-10-25 02:30 CEST", FormatTime(got, zone(t, "Europe/Berlin")))
	got, err = ParseTime("2026-04-05 01:45", ruleNow, zone(t, "Australia/Lord_Howe"))
	require.NoError(t, err)
	require.Equal(t, "2026-04-05 01:45 UTC+11", FormatTime(got, zone(t, "Australia/Lord_Howe")))
}

func TestParseTimeAcrossTheClockChange(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	saturday := berlinTime(t, "2027-03-27 20:00:00")
	got, err := ParseTime("tomorrow 9am", saturday, berlin)
	require.NoError(t, err)
	require.Equal(t, 12*time.Hour, got.Sub(saturday), "the night has an hour less")
}

func TestParseWindow(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	for _, c := range []struct{ text, from, to string }{
		{"16:00-18:00", "2026-11-20 16:00:00", "2026-11-20 18:00:00"},
		{"16:00 - 18:00", "2026-11-20 16:00:00", "2026-11-20 18:00:00"},
		{"16:00–18:00", "2026-11-20 16:00:00", "2026-11-20 18:00:00"},
		{"4pm to 6pm", "2026-11-20 16:00:00", "2026-11-20 18:00:00"},
		{"12:00-16:00", "2026-11-20 12:00:00", "2026-11-20 16:00:00"},
		{"12:00-14:30", "2026-11-20 12:00:00", "2026-11-20 14:30:00"},
		{"9:00-11:00", "2026-11-21 09:00:00", "2026-11-21 11:00:00"},
		{"22:00-02:00", "2026-11-20 22:00:00", "2026-11-21 02:00:00"},
		{"tomorrow 9am-11am", "2026-11-21 09:00:00", "2026-11-21 11:00:00"},
		{"2026-12-24 22:00-02:00", "2026-12-24 22:00:00", "2026-12-25 02:00:00"},
		{"2026-12-24 22:00 - 2026-12-26 10:00", "2026-12-24 22:00:00", "2026-12-26 10:00:00"},
		{"now - +2h", "2026-11-20 15:00:00", "2026-11-20 17:00:00"},
		{"+1h - 18:00", "2026-11-20 16:00:00", "2026-11-20 18:00:00"},
	} {
		t.Run(c.text, func(t *testing.T) {
			from, to, err := ParseWindow(c.text, ruleNow, berlin)
			require.NoError(t, err)
			require.Equal(t, berlinTime(t, c.from), from, FormatTime(from, berlin))
			require.Equal(t, berlinTime(t, c.to), to, FormatTime(to, berlin))
		})
	}
	for _, text := range []string{"", "-", "14:00", "14:00-", "-16:00", "2026-11-20", "tomorrow 9am - today 9am", "x-y"} {
		_, _, err := ParseWindow(text, ruleNow, berlin)
		require.ErrorContains(t, err, "14:00-16:00", "%q", text)
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90m": 90 * time.Minute, "2h": 2 * time.Hour, "1h30m": 90 * time.Minute, "1h30": 90 * time.Minute, "2h05": 125 * time.Minute,
		"45s": 45 * time.Second, "2d": 48 * time.Hour, "1d12h": 36 * time.Hour, "1h 30m": 90 * time.Minute, "0m": 0, "1H": time.Hour,
	} {
		got, err := ParseDuration(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, hint := range map[string]string{
		"": "90m", "90": "90m for minutes", "h": "90m", "1m1h": "90m", "1h1h": "90m", "1.5h": "90m", "-1h": "90m", "1w": "90m",
		"99999d": "ten years", "99999999999h": "90m", "1d5": "90m", "30m15": "90m",
	} {
		_, err := ParseDuration(text)
		require.ErrorContains(t, err, hint, "%q", text)
	}
}

func TestFormatTimes(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 45 * time.Second: "45s", 60 * time.Second: "1m", 34*time.Minute + 59*time.Second: "34m", time.Hour: "1h",
		125 * time.Minute: "2h05", 16 * time.Hour: "16h", 24 * time.Hour: "1d", 76 * time.Hour: "3d4h", -8 * time.Minute: "-8m",
	} {
		require.Equal(t, want, FormatDuration(d))
	}
	later := func(d time.Duration) Millis { return ruleNow.Add(d) }
	require.Equal(t, "in 12m", FormatRelative(later(12*time.Minute), ruleNow))
	require.Equal(t, "8m ago", FormatRelative(later(-8*time.Minute), ruleNow))
	require.Equal(t, "just now", FormatRelative(later(29*time.Second), ruleNow))
	require.Equal(t, "just now", FormatRelative(later(-29*time.Second), ruleNow))
	require.Equal(t, "in 30s", FormatRelative(later(30*time.Second), ruleNow))
	require.Equal(t, "8m late", FormatDelay(Some[Seconds](480)))
	require.Empty(t, FormatDelay(Null[Seconds]()))
	require.Empty(t, FormatDelay(Some[Seconds](0)))

	berlin := zone(t, "Europe/Berlin")
	require.Equal(t, "2026-11-20 15:00 CET", FormatTime(ruleNow, berlin))
	require.Equal(t, "2026-11-20 11:00 UTC-03", FormatTime(ruleNow, zone(t, "America/Sao_Paulo")))
	require.Equal(t, "15:30", FormatClock(later(30*time.Minute), ruleNow, berlin))
	require.Equal(t, "tomorrow 01:00", FormatClock(later(10*time.Hour), ruleNow, berlin))
	require.Equal(t, "yesterday 23:00", FormatClock(later(-16*time.Hour), ruleNow, berlin))
	require.Equal(t, "Sun 15:00", FormatClock(later(48*time.Hour), ruleNow, berlin))
	require.Equal(t, "2026-11-18 15:00", FormatClock(later(-48*time.Hour), ruleNow, berlin))
	require.Equal(t, "2026-11-30 15:00", FormatClock(later(240*time.Hour), ruleNow, berlin))
}

func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{"14:30", "+2h", "tomorrow 9am", "2026-11-20 14:00", "1795183200000", "mon", "14:00-16:00", "in 1h30"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		berlin := zone(t, "Europe/Berlin")
		if at, err := ParseTime(text, ruleNow, berlin); err == nil {
			// What is echoed to the user must mean the same when typed again.
			again, err := ParseTime(at.Time().In(berlin).Format(time.RFC3339Nano), ruleNow, berlin)
			require.NoError(t, err)
			require.Equal(t, at, again)
		}
		if from, to, err := ParseWindow(text, ruleNow, berlin); err == nil {
			require.Less(t, from, to)
		}
	})
}
