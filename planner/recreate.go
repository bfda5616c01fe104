package planner

import (
	"cmp"
	"slices"
)

// longPool is the length from which the library's sort is faster than sorting by insertion.
const longPool = 50

// maxAbsentTries is how many of the tasks left over from earlier rounds a round tries again. More would only slow down a problem that
// cannot hold them all.
const maxAbsentTries = 12

// recreate puts the tasks taken out back, each at its cheapest spot, in an order drawn anew each time.
func (s *state) recreate() {
	s.addAbsentToPool()
	s.sortPool()
	s.reinsertPool()
}

// reinsertPool puts the pool back in its order.
func (s *state) reinsertPool() {
	if s.in.rich {
		s.reinsertRich()
		return
	}
	for _, c := range s.pool {
		if best := s.bestPlainInsertion(c); best.after >= 0 {
			s.insertPlain(c, best.after)
		} else {
			s.absent = append(s.absent, c)
		}
	}
}

// addAbsentToPool moves some absent tasks into the pool.
func (s *state) addAbsentToPool() {
	for range min(maxAbsentTries, len(s.absent)) {
		i := s.rng.below(len(s.absent))
		s.pool = append(s.pool, s.absent[i])
		last := len(s.absent) - 1
		s.absent[i] = s.absent[last]
		s.absent = s.absent[:last]
	}
	if s.in.rich {
		s.addPickupsToPool()
	}
}

// addPickupsToPool takes the pickups of absent drop-offs out half of the time, so that both can go where neither would go alone.
func (s *state) addPickupsToPool() {
	for _, c := range s.pool {
		for _, e := range s.in.tasks[c].incoming {
			if edge := &s.in.edges[e]; edge.sameRoute && s.nodes[edge.from].route >= 0 && s.rng.below(2) == 0 {
				s.removeWithDependents(edge.from)
			}
		}
	}
	s.updateDirty()
}

// The orders tasks are put back in, with their weights out of 17.
const (
	orderRandom = 4
	orderLoad   = orderRandom + 4
	orderFar    = orderLoad + 2
	orderClose  = orderFar + 1
	orderLength = orderClose + 2
	orderStart  = orderLength + 2
	orderEnd    = orderStart + 2
)

func (s *state) sortPool() {
	draw := s.rng.below(orderEnd)
	if draw < orderRandom {
		s.rng.shuffle(s.pool)
		return
	}
	s.sortPoolBy(draw)
}

// sortPoolBy sorts the pool by one of the orders.
func (s *state) sortPoolBy(draw int) {
	if len(s.pool) > longPool {
		slices.SortStableFunc(s.pool, func(a, b int32) int { return cmp.Compare(s.sortKey(a, draw), s.sortKey(b, draw)) })
		return
	}
	// Insertion sort: the pool is short, and sort keys are cheap.
	for i := 1; i < len(s.pool); i++ {
		c := s.pool[i]
		key := s.sortKey(c, draw)
		j := i
		for ; j > 0 && s.sortKey(s.pool[j-1], draw) > key; j-- {
			s.pool[j] = s.pool[j-1]
		}
		s.pool[j] = c
	}
}

func (s *state) sortKey(c int32, draw int) int32 {
	p := &s.in.template[c]
	switch {
	case draw < orderLoad:
		return -s.in.tasks[c].size
	case draw < orderFar:
		return -s.in.tasks[c].depot
	case draw < orderClose:
		return s.in.tasks[c].depot
	case draw < orderLength:
		return p.due - p.ready
	case draw < orderStart:
		return p.ready
	default:
		return -p.due
	}
}
