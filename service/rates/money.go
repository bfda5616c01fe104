// Package rates prices deliveries: rate cards, the delivery services that use them, and quotes. It is pure; whoever
// keeps cards and services passes them in.
//
// Money is counted in whole minor units, quantities in whole small units, and each component is rounded once, so that
// a quote's total is exactly the sum of its breakdown.
package rates

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// Amount is money in minor units: cents of a dollar, yen of a yen.
type Amount int64

// MaxAmount is the most a single price may be: enough for anything a courier carries, and far from overflow.
const MaxAmount Amount = 1_000_000_000_00

// Decimals is how many digits a currency has after the point (ISO 4217).
func Decimals(currency string) int {
	switch currency {
	case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF":
		return 0
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3
	default:
		return 2
	}
}

// Number is the amount in major units, as a JSON answer carries it: the nearest number to the exact decimal, which
// prints with no more digits than the currency has.
func (a Amount) Number(currency string) float64 {
	number, _ := strconv.ParseFloat(a.Text(currency), 64)
	return number
}

// Text is the amount in major units with all its decimals: "12.50".
func (a Amount) Text(currency string) string {
	decimals := Decimals(currency)
	if decimals == 0 {
		return strconv.FormatInt(int64(a), 10)
	}
	sign := ""
	if a < 0 {
		sign, a = "-", -a
	}
	unit := Amount(math.Pow10(decimals))
	return fmt.Sprintf("%s%d.%0*d", sign, a/unit, decimals, a%unit)
}

var errTooExpensive = errors.New("the price is beyond any delivery; check the distance, the weight and the rate card")

// multiply is rate × quantity ÷ unit, rounded half up, without overflow on the way.
func multiply(rate Amount, quantity, unit uint64) (Amount, error) {
	if rate <= 0 || quantity == 0 {
		return 0, nil
	}
	hi, lo := bits.Mul64(uint64(rate), quantity)
	lo, carry := bits.Add64(lo, unit/2, 0)
	hi += carry
	if hi >= unit {
		return 0, errTooExpensive
	}
	result, _ := bits.Div64(hi, lo, unit)
	if result > uint64(MaxAmount) {
		return 0, errTooExpensive
	}
	return Amount(result), nil
}
