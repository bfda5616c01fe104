package planner

import (
	"math"
	"sync/atomic"
	"time"
)

// phase is a part of an annealing, from one temperature to another, over a number of iterations or a time span.
type phase struct {
	hot, cold  float64
	iterations int64 // 0 means as many as the time allows
	from, to   time.Time
	stop       *atomic.Bool
	strict     bool // use the strict weights
}

// clockEvery is how many plain iterations pass between two checks of the clock. A general iteration can take long, so it checks every time.
const clockEvery = 8

// anneal ruins and recreates until the phase is over and returns the number of iterations.
func (s *state) anneal(sl phase) int64 {
	mask := int64(clockEvery - 1)
	if s.in.general || sl.iterations > 0 {
		mask = 0
	}
	temperature := sl.hot
	ratio := math.Log(sl.cold / sl.hot)
	s.weights = s.in.gentle
	if sl.strict {
		s.weights = s.in.strict
	}
	current := s.score()
	done := int64(0)
	for ; ; done++ {
		if done&mask == 0 {
			fraction, over := sl.progress(done)
			if over {
				return done
			}
			if done&63 == 0 {
				temperature = sl.hot * math.Exp(ratio*fraction)
			}
		}
		s.beginChange()
		s.ruin()
		if !s.invalid {
			s.recreate()
		}
		score := s.score()
		if s.invalid || float64(score-current) >= temperature*s.rng.exponential() {
			s.undo()
			continue
		}
		current = score
		if s.cost().Less(s.best.cost, s.in.problem.Objective) {
			s.saveBest()
		}
	}
}

// progress returns how far the phase is, from 0 to 1, and whether it is over.
func (sl *phase) progress(done int64) (float64, bool) {
	if sl.stop.Load() {
		return 1, true
	}
	if sl.iterations > 0 {
		if done >= sl.iterations {
			return 1, true
		}
		if !sl.to.IsZero() && done&63 == 0 && !time.Now().Before(sl.to) {
			return 1, true
		}
		return float64(done) / float64(sl.iterations), false
	}
	now := time.Now()
	if !now.Before(sl.to) {
		return 1, true
	}
	return float64(now.Sub(sl.from)) / float64(sl.to.Sub(sl.from)), false
}
