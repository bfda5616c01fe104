package model

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Millis is an instant in Unix milliseconds: every time of the interface but the dispatch windows.
type Millis int64

// UnixSeconds is an instant in Unix seconds: the dispatch windows and delivery estimates.
type UnixSeconds int64

// Seconds is a length of time in seconds: delays, ETAs, thresholds.
type Seconds float64

// Minutes is a length of time in minutes: service times and allowed delays.
type Minutes float64

// MillisOf converts a time.
func MillisOf(t time.Time) Millis { return Millis(t.UnixMilli()) }

// UnixSecondsOf converts a time.
func UnixSecondsOf(t time.Time) UnixSeconds { return UnixSeconds(t.Unix()) }

// WholeSeconds returns a duration in seconds, rounded towards zero.
func WholeSeconds(d time.Duration) int64 { return int64(d / time.Second) }

// SecondsOf converts a duration.
func SecondsOf(d time.Duration) Seconds { return Seconds(d.Seconds()) }

// MinutesOf converts a duration.
func MinutesOf(d time.Duration) Minutes { return Minutes(d.Minutes()) }

// Time is the instant as a time.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)) }

// Add moves the instant.
func (m Millis) Add(d time.Duration) Millis { return m + Millis(d.Milliseconds()) }

// Sub returns the time from u to m, limited to the range of a duration, because times from outside can be anything.
func (m Millis) Sub(u Millis) time.Duration { return m.Time().Sub(u.Time()) }

// UnixSeconds drops the milliseconds.
func (m Millis) UnixSeconds() UnixSeconds { return UnixSeconds(m.Time().Unix()) }

// WholeSecond truncates to whole seconds, as timeCreated does.
func (m Millis) WholeSecond() Millis { return m - m%1000 }

// Time is the instant as a time.
func (s UnixSeconds) Time() time.Time { return time.Unix(int64(s), 0) }

// Millis converts to milliseconds.
func (s UnixSeconds) Millis() Millis { return Millis(s) * 1000 }

// Duration is the length as a duration, at most a century.
func (s Seconds) Duration() time.Duration { return durationOf(float64(s), time.Second) }

// Duration is the length as a duration, at most a century.
func (m Minutes) Duration() time.Duration { return durationOf(float64(m), time.Minute) }

// durationOf is n units. Numbers from outside may be anything; one that a duration cannot hold must not come out with
// the other sign, and two lengths can be added.
func durationOf(n float64, unit time.Duration) time.Duration {
	const century = 100 * 365 * 24 * time.Hour
	switch length := n * float64(unit); {
	case length >= float64(century):
		return century
	case length <= -float64(century):
		return -century
	case length != length:
		return 0
	default:
		return time.Duration(length)
	}
}

// UnmarshalJSONFrom implements the codec's interface.
func (m *Millis) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return readInteger(dec, m) }

// UnmarshalJSONFrom implements the codec's interface.
func (s *UnixSeconds) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return readInteger(dec, s) }

// Int is a count or code. It decodes 5, 5.0 and 5e0 and always encodes without a fraction.
type Int int64

// UnmarshalJSONFrom implements the codec's interface.
func (i *Int) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return readInteger(dec, i) }

// readInteger decodes any JSON number that is a whole number in the range that floats represent exactly.
func readInteger[T ~int | ~int64](dec *jsontext.Decoder, into *T) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if value.Kind() != jsontext.KindNumber {
		return wrongKindError("a whole number", value.Kind())
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		const exact = 1 << 53
		f, err := strconv.ParseFloat(string(value), 64)
		if err != nil || f != math.Trunc(f) || f > exact || f < -exact {
			return fmt.Errorf("must be a whole number, not %.40s", value)
		}
		n = int64(f)
	}
	*into = T(n)
	return nil
}
