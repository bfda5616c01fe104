package rates

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Mass is a weight in hundred-millionths of a kilogram, in which a pound is a whole number too.
type Mass uint64

// The units of mass.
const (
	Kilogram Mass = 100_000_000
	Pound    Mass = 45_359_237
)

// maxMass is what no vehicle carries.
const maxMass = 1_000_000 * Kilogram

// ParseMass reads a weight of the interface: a value in "kg" or "lbs".
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
		return 0, fmt.Errorf("a weight of %g %s is more than any vehicle carries", value, units)
	}
	return Mass(mass), nil
}

// Kilograms is the mass in kilograms.
func (m Mass) Kilograms() float64 { return float64(m) / float64(Kilogram) }

// Pounds is the mass in pounds.
func (m Mass) Pounds() float64 { return float64(m) / float64(Pound) }

// Length is a distance in millimetres.
type Length uint64

// The units of length.
const (
	Meter     Length = 1000
	Kilometer        = 1000 * Meter
	Mile      Length = 1_609_344
)

// Meters makes a length of whole metres; less than none is none.
func Meters(meters int32) Length { return Length(max(0, meters)) * Meter }

// Rate is a price for each unit beyond an allowance. The quantity is counted in the small units of its kind: Mass,
// Length, time.Duration or single pieces.
type Rate struct {
	Price Amount
	// Per is the quantity that Price is for, such as Mile or Kilogram.
	Per uint64
	// Included is the quantity that the base rate covers.
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
		return fmt.Errorf("the %s price names no unit", name)
	}
	return nil
}

// PerLength makes a rate by distance: a price for each unit beyond what is included.
func PerLength(price Amount, unit, included Length) Rate {
	return Rate{price, uint64(unit), uint64(included)}
}

// PerMass makes a rate by weight.
func PerMass(price Amount, unit, included Mass) Rate {
	return Rate{price, uint64(unit), uint64(included)}
}

// PerPiece makes a rate by number of pieces.
func PerPiece(price Amount, included int) Rate {
	return Rate{price, 1, uint64(max(0, included))}
}

// PerTime makes a rate by travel time.
func PerTime(price Amount, unit, included time.Duration) Rate {
	return Rate{price, uint64(max(0, unit)), uint64(max(0, included))}
}
