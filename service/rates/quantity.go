package rates

import (
	"fmt"
	"math"
	"strings"
)

// Mass is a weight in 1/100,000,000 kg, so that a pound is a whole number too.
type Mass uint64

// Units of mass.
const (
	Kilogram Mass = 100_000_000
	Pound    Mass = 45_359_237
)

// maxMass is more than any vehicle can carry.
const maxMass = 1_000_000 * Kilogram

// ParseMass converts a weight of the interface, in "kg" or "lbs".
func ParseMass(value float64, units string) (Mass, error) {
	unit := Mass(0)
	switch strings.ToLower(strings.TrimSpace(units)) {
	case "kg":
		unit = Kilogram
	case "lbs":
		unit = Pound
	default:
		return 0, fmt.Errorf("weight units must be kg or lbs, not %q", units)
	}
	if math.IsNaN(value) || value < 0 {
		return 0, fmt.Errorf("a weight of %g %s is not possible", value, units)
	}
	mass := math.Round(value * float64(unit))
	if mass > float64(maxMass) {
		return 0, fmt.Errorf("a weight of %g %s is too much for any vehicle", value, units)
	}
	return Mass(mass), nil
}

// Kilograms returns the mass in kilograms.
func (m Mass) Kilograms() float64 { return float64(m) / float64(Kilogram) }

// Pounds returns the mass in pounds.
func (m Mass) Pounds() float64 { return float64(m) / float64(Pound) }

// Length is a distance in millimeters.
type Length uint64

// Units of length.
const (
	Meter     Length = 1000
	Kilometer        = 1000 * Meter
	Mile      Length = 1_609_344
)

// Meters converts meters to a Length; negative values become 0.
func Meters(meters int32) Length { return Length(max(0, meters)) * Meter }

// Rate is a price per quantity above an included one. Quantities are in the units of Mass, Length, time.Duration or single
// pieces.
type Rate struct {
	Price Amount
	// Per is the quantity that Price is for, such as Mile or Kilogram.
	Per uint64
	// Included is the quantity that the base rate includes.
	Included uint64
}

func (r Rate) cost(quantity uint64) (Amount, error) {
	if r.Price == 0 || quantity <= r.Included {
		return 0, nil
	}
	return multiply(r.Price, quantity-r.Included, r.Per)
}

func (r Rate) validate(name string) error {
	switch {
	case r.Price < 0 || r.Price > MaxAmount:
		return fmt.Errorf("the %s price must be between 0 and %d minor units", name, MaxAmount)
	case r.Price > 0 && r.Per == 0:
		return fmt.Errorf("the %s price has no unit", name)
	}
	return nil
}

// Per returns a rate: a price per unit above the included quantity.
func Per[Q ~uint64 | ~int64 | ~int](price Amount, unit, included Q) Rate {
	return Rate{price, uint64(max(0, unit)), uint64(max(0, included))}
}
