package planner

import (
	"cmp"
	"slices"
)

// longList is the length from which slices.SortStableFunc is faster than an insertion sort.
const longList = 50

// maxAbsentTries is how many absent tasks a round tries to insert. More would slow down problems that cannot plan all tasks.
const maxAbsentTries = 12

// recreate reinserts the removed tasks at their cheapest positions, in a randomly chosen order.
func (s *state) recreate() {
	s.addAbsent()
	s.sortRemoved()
	s.reinsertAll()
}

// reinsertAll inserts the removed tasks in order.
func (s *state) reinsertAll() {
	if s.in.general {
		s.reinsertGeneral()
		return
	}
	for _, c := range s.removed {
		if best := s.bestPlainInsertion(c); best.after >= 0 {
			s.insertPlain(c, best.after)
		} else {
			s.absent = append(s.absent, c)
		}
	}
}

// addAbsent moves random absent tasks to the removed ones, so that they are tried again.
func (s *state) addAbsent() {
	for range min(maxAbsentTries, len(s.absent)) {
		i := s.rng.below(len(s.absent))
		s.removed = append(s.removed, s.absent[i])
		last := len(s.absent) - 1
		s.absent[i] = s.absent[last]
		s.absent = s.absent[:last]
	}
	if s.in.general {
		s.addPickups()
	}
}

// addPickups removes half of the planned pickups of the removed tasks, so that both can be inserted together elsewhere.
func (s *state) addPickups() {
	for _, c := range s.removed {
		for _, e := range s.in.tasks[c].incoming {
			if edge := &s.in.edges[e]; edge.sameRoute && s.nodes[edge.from].route >= 0 && s.rng.below(2) == 0 {
				s.removeWithDependents(edge.from)
			}
		}
	}
	s.updateDirty()
}

// The orders in which tasks are reinserted, as cumulative weights out of 17.
const (
	orderRandom = 4
	orderLoad   = orderRandom + 4
	orderFar    = orderLoad + 2
	orderClose  = orderFar + 1
	orderLength = orderClose + 2
	orderStart  = orderLength + 2
	orderEnd    = orderStart + 2
)

func (s *state) sortRemoved() {
	draw := s.rng.below(orderEnd)
	if draw < orderRandom {
		s.rng.shuffle(s.removed)
		return
	}
	s.sortRemovedBy(draw)
}

// sortRemovedBy sorts the removed tasks by the order that draw selects.
func (s *state) sortRemovedBy(draw int) {
	if len(s.removed) > longList {
		slices.SortStableFunc(s.removed, func(a, b int32) int { return cmp.Compare(s.sortKey(a, draw), s.sortKey(b, draw)) })
		return
	}
	// Insertion sort: the list is short, and sort keys are cheap.
	for i := 1; i < len(s.removed); i++ {
		c := s.removed[i]
		key := s.sortKey(c, draw)
		j := i
		for ; j > 0 && s.sortKey(s.removed[j-1], draw) > key; j-- {
			s.removed[j] = s.removed[j-1]
		}
		s.removed[j] = c
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
