package planner

import (
	"math"
	"math/bits"
)

// rng is a small fast random generator (wyrand). Each thread has its own, seeded from Options.Seed, so that runs are repeatable.
type rng struct{ state uint64 }

func newRNG(seed uint64) *rng {
	r := &rng{seed*0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d}
	r.next()
	return r
}

func (r *rng) next() uint64 {
	r.state += 0xa0761d6478bd642f
	hi, lo := bits.Mul64(r.state, r.state^0xe7037ed1a0b428db)
	return hi ^ lo
}

// below returns a uniform number in [0, n).
func (r *rng) below(n int) int {
	return int((r.next() >> 32) * uint64(n) >> 32)
}

// float returns a uniform number in [0, 1).
func (r *rng) float() float64 {
	return float64(r.next()>>11) / (1 << 53)
}

// exponential returns an exponentially distributed number with mean 1.
func (r *rng) exponential() float64 {
	return -math.Log(1 - r.float())
}

func (r *rng) shuffle(s []int32) {
	for i := len(s) - 1; i > 0; i-- {
		j := r.below(i + 1)
		s[i], s[j] = s[j], s[i]
	}
}
