package dispatch

import (
	"math"

	"waybill/planner"
)

const (
	// finestScale keeps three decimals of a quantity in the whole numbers of the planner.
	finestScale = 1000
	// maxTotal is the maximum sum of the quantities of a dimension, with room for rounding up.
	maxTotal = 1 << 27
	// rounding is the tolerance for floating-point errors.
	rounding = 1e-6
)

// loads converts quantities and capacities to the whole numbers of the planner, with one scale per dimension.
type loads [planner.Dimensions]struct {
	scale float64
	// most is more than any worker can carry; larger quantities are reduced to it.
	most float64
	// measured says that at least one capacity is limited. Otherwise the dimension is ignored.
	measured bool
}

// newLoads chooses the scales for a team. Quantities that no worker can carry are reduced to slightly more than the largest
// capacity, so that one wrong number does not cost all others their decimals.
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

// quantities rounds up, so that no plan exceeds a capacity.
func (l loads) quantities(q [planner.Dimensions]float64) planner.Quantities {
	var whole planner.Quantities
	for d, units := range q {
		if l[d].measured {
			whole[d] = int64(math.Ceil(min(max(0, units), l[d].most)*l[d].scale - rounding))
		}
	}
	return whole
}

// capacities rounds down. A capacity of 0 is unlimited.
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
