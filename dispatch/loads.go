package dispatch

import (
	"math"

	"waybill/planner"
)

const (
	// finestScale keeps three decimals of a quantity in the planner's whole numbers.
	finestScale = 1000
	// maxTotal is what all quantities of a dimension may add up to in the planner's whole numbers, with room for
	// each to be rounded up.
	maxTotal = 1 << 27
	// rounding is how far from a whole number arithmetic may have brought one.
	rounding = 1e-6
)

// loads turns quantities and capacities into the planner's whole numbers, each dimension in a unit in which they fit.
type loads [planner.Dimensions]struct {
	scale float64
	// most is more than anyone can carry; what is greater is no harder to carry than that.
	most float64
	// measured says that someone's capacity is limited. Else nothing has to be counted.
	measured bool
}

// newLoads chooses the units for a team. A quantity that nobody can carry counts as little more than the greatest
// capacity, so that one wrong number does not take the decimals from all others.
func newLoads(team Team) loads {
	var l loads
	for d := range l {
		for _, w := range team.Workers {
			if capacity := w.Capacity[d]; capacity > 0 {
				l[d].measured = true
				l[d].most = max(l[d].most, capacity+1)
			}
		}
		total := l[d].most
		for _, t := range team.Tasks {
			total += min(max(0, t.Quantities[d]), l[d].most)
		}
		l[d].scale = finestScale
		for total*l[d].scale > maxTotal {
			l[d].scale /= 10
		}
	}
	return l
}

// quantities rounds up: what may not fit must not be planned as if it did.
func (l loads) quantities(q [planner.Dimensions]float64) planner.Quantities {
	var whole planner.Quantities
	for d, units := range q {
		if l[d].measured {
			whole[d] = int64(math.Ceil(min(max(0, units), l[d].most)*l[d].scale - rounding))
		}
	}
	return whole
}

// capacities rounds down. A capacity of 0 is not measured.
func (l loads) capacities(c [planner.Dimensions]float64) planner.Quantities {
	var whole planner.Quantities
	for d, units := range c {
		whole[d] = planner.Unlimited
		if units > 0 {
			whole[d] = int64(math.Floor(units*l[d].scale + rounding))
		}
	}
	return whole
}
