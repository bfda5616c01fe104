package run

import (
	"slices"

	"waybill/operations"
)

// schedule decides which step may start: in order, and none before an earlier step with a shared lock has ended.
type schedule struct {
	ready    []int   // in order
	blockers []int   // how many steps each has to wait for
	waiting  [][]int // which steps wait for each
}

func newSchedule(steps []operations.Step) schedule {
	s := schedule{blockers: make([]int, len(steps)), waiting: make([][]int, len(steps))}
	last := map[string]int{}
	for i := range steps {
		for _, lock := range steps[i].Locks {
			if before, taken := last[lock]; taken && before != i && !slices.Contains(s.waiting[before], i) {
				s.waiting[before] = append(s.waiting[before], i)
				s.blockers[i]++
			}
			last[lock] = i
		}
		if s.blockers[i] == 0 {
			s.ready = append(s.ready, i)
		}
	}
	return s
}

// next is the next step that may start.
func (s *schedule) next() (int, bool) {
	if len(s.ready) == 0 {
		return 0, false
	}
	i := s.ready[0]
	s.ready = s.ready[1:]
	return i, true
}

// finish readies the steps that waited only for this one.
func (s *schedule) finish(i int) {
	for _, next := range s.waiting[i] {
		if s.blockers[next]--; s.blockers[next] == 0 {
			at, _ := slices.BinarySearch(s.ready, next)
			s.ready = slices.Insert(s.ready, at, next)
		}
	}
}
