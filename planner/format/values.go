package format

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"waybill/planner"
)

// Location is where something is: the id of a place, or [latitude, longitude].
type Location struct {
	Name     string
	Lat, Lng float64
	set      bool
}

// UnmarshalJSON reads a string or two numbers.
func (l *Location) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &l.Name) == nil && l.Name != "" {
		return nil
	}
	var point []float64
	if err := json.Unmarshal(text, &point); err != nil || len(point) != 2 {
		return fmt.Errorf("%s is no location; give the id of a place or [latitude, longitude]", text)
	}
	l.Lat, l.Lng, l.set = point[0], point[1], true
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (l Location) MarshalJSON() ([]byte, error) {
	if l.Name != "" {
		return json.Marshal(l.Name)
	}
	return json.Marshal([]float64{l.Lat, l.Lng})
}

// Moment is a time in Unix seconds, written as a number or as in RFC 3339.
type Moment int64

// latestMoment is in the year 9999; anything later is a mistake, such as milliseconds.
const latestMoment = 253_402_300_799

// UnmarshalJSON reads either form.
func (m *Moment) UnmarshalJSON(text []byte) error {
	var number int64
	if json.Unmarshal(text, &number) == nil {
		if number < -latestMoment || number > latestMoment {
			return fmt.Errorf("%d is no time in seconds; times in milliseconds must be divided by 1000", number)
		}
		*m = Moment(number)
		return nil
	}
	var word string
	if err := json.Unmarshal(text, &word); err != nil {
		return fmt.Errorf("%s is no time; give Unix seconds or a text such as \"2026-03-02T08:00:00Z\"", text)
	}
	at, err := time.Parse(time.RFC3339, word)
	if err != nil {
		return fmt.Errorf("%q is no time; give Unix seconds or a text such as \"2026-03-02T08:00:00Z\"", word)
	}
	*m = Moment(at.Unix())
	return nil
}

// minutesToSeconds turns minutes of a file into whole seconds.
func minutesToSeconds(minutes float64) (int64, error) {
	if math.IsNaN(minutes) || minutes < 0 || minutes > 1_000_000 {
		return 0, fmt.Errorf("%w: %v is no number of minutes from 0 to 1000000", ErrSyntax, minutes)
	}
	return int64(math.Round(minutes * 60)), nil
}

// readQuantities reads the main amount and A, B and C, which are missing when a map does not have them.
func readQuantities(first *float64, rest map[string]float64, name string, missing int64) (planner.Quantities, error) {
	q := planner.Quantities{missing, missing, missing, missing}
	known := map[string]int{name + "A": 1, name + "B": 2, name + "C": 3}
	set := func(d int, amount float64) error {
		if math.IsNaN(amount) || amount < 0 || amount > 1e6 {
			return fmt.Errorf("%w: a %s of %v; give a number from 0 to 1000000", ErrSyntax, name, amount)
		}
		q[d] = int64(math.Round(amount * quantityScale))
		return nil
	}
	if first != nil {
		if err := set(0, *first); err != nil {
			return q, err
		}
	}
	for key, amount := range rest {
		d, ok := known[key]
		if !ok {
			return q, fmt.Errorf("%w: there is no %q; use %sA, %sB or %sC", ErrSyntax, key, name, name, name)
		}
		if err := set(d, amount); err != nil {
			return q, err
		}
	}
	return q, nil
}

func valueOr(value *float64, fallback float64) float64 {
	if value == nil {
		return fallback
	}
	return *value
}
