package rates

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// unit is how quantities of one kind are written. What format writes, parse reads back to the same number.
type unit struct {
	example string
	format  func(uint64) string
	parse   func(string) (uint64, error)
}

func formatOptional(u unit, n uint64) string {
	if n == 0 {
		return ""
	}
	return u.format(n)
}

var errQuantity = errors.New("not a quantity")

func massUnit() unit {
	return unit{`a weight, such as "20 lbs" or "10 kg"`, func(n uint64) string {
		if n%uint64(Pound) == 0 {
			return strconv.FormatUint(n/uint64(Pound), 10) + " lbs"
		}
		return decimalText(n, uint64(Kilogram)) + " kg"
	}, func(text string) (uint64, error) {
		return parseMeasure(text, map[string]uint64{"lbs": uint64(Pound), "lb": uint64(Pound), "kg": uint64(Kilogram)}, uint64(maxMass))
	}}
}

// maxLength is farther than any delivery goes.
const maxLength = 100_000 * Kilometer

func lengthUnit() unit {
	return unit{`a distance, such as "5 mi" or "8 km"`, func(n uint64) string {
		switch {
		case n%uint64(Mile) == 0:
			return strconv.FormatUint(n/uint64(Mile), 10) + " mi"
		case n%uint64(Kilometer) == 0:
			return strconv.FormatUint(n/uint64(Kilometer), 10) + " km"
		}
		return decimalText(n, uint64(Meter)) + " m"
	}, func(text string) (uint64, error) {
		return parseMeasure(text, map[string]uint64{"mi": uint64(Mile), "km": uint64(Kilometer), "m": uint64(Meter)}, uint64(maxLength))
	}}
}

func pieceUnit() unit {
	return unit{
		`a number of pieces, such as "1"`,
		func(n uint64) string { return strconv.FormatUint(n, 10) },
		func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 31) },
	}
}

func timeUnit() unit {
	return unit{`a time, such as "15m" or "4h"`, func(n uint64) string {
		text := time.Duration(n).String() //nolint:gosec // it came from a duration
		if short, ok := strings.CutSuffix(text, "m0s"); ok {
			text = short + "m"
		}
		if short, ok := strings.CutSuffix(text, "h0m"); ok {
			text = short + "h"
		}
		return text
	}, func(text string) (uint64, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return 0, errQuantity
		}
		return uint64(d), nil
	}}
}

// decimalText writes n small units as a decimal number of big ones; big is a power of ten.
func decimalText(n, big uint64) string {
	text := strconv.FormatUint(n/big, 10)
	rest := strconv.FormatUint(big+n%big, 10)[1:]
	if rest = strings.TrimRight(rest, "0"); rest != "" {
		text += "." + rest
	}
	return text
}

// parseMeasure reads a decimal number with a unit, to the nearest small unit.
func parseMeasure(text string, units map[string]uint64, most uint64) (uint64, error) {
	at := strings.LastIndexAny(text, "0123456789.") + 1
	size, ok := units[strings.TrimSpace(text[at:])]
	value, err := strconv.ParseFloat(text[:at], 64)
	if !ok || err != nil || value < 0 || value*float64(size) > float64(most) {
		return 0, errQuantity
	}
	return uint64(value*float64(size) + 0.5), nil
}
