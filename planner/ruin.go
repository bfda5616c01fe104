package planner

import "slices"

// Limits of instance.skipEvery, for small and for large problems.
const (
	minSkipEvery = 6.0
	maxSkipEvery = 100.0
)

// ruin removes strings of stops around a random task, from its route and from nearby routes.
func (s *state) ruin() {
	s.removed = s.removed[:0]
	if s.placed == 0 {
		return
	}
	seed := s.tasks[s.rng.below(len(s.tasks))]
	average := float64(s.placed) / float64(max(s.used, 1))
	longest := min(s.in.tuning.longest, average)
	most := 4*s.in.tuning.removed/(1+longest) - 1
	strings := int(s.rng.float()*most) + 1
	s.lastRuined = s.lastRuined[:0]
	if s.ruinAt(seed, longest) {
		strings--
	}
	from := int(seed) * s.in.nearDegree
	for _, c := range s.in.near[from : from+s.in.nearDegree] {
		if strings <= 0 {
			return
		}
		if s.ruinAt(c, longest) {
			strings--
		}
	}
}

// ruinAt removes a string around c from its route, at most one per route.
func (s *state) ruinAt(c int32, longest float64) bool {
	r := s.nodes[c].route
	if r < 0 || slices.Contains(s.lastRuined, r) {
		return false
	}
	s.lastRuined = append(s.lastRuined, r)
	size := int(s.routes[r].size)
	length := int(s.rng.float()*min(float64(size), longest)) + 1
	skip := 0
	if length > 1 && length < size && s.rng.float() < s.in.tuning.splitChance {
		skip = 1
		for length+skip < size && s.rng.float() < s.in.tuning.splitGrowth {
			skip++
		}
	}
	s.removeString(c, length, skip)
	return true
}

// removeString removes length tasks from a string of length+skip around c and keeps skip tasks in the middle.
func (s *state) removeString(c int32, length, skip int) {
	first := s.stringStart(c, length+skip)
	head := length
	if skip > 0 {
		head = 1 + s.rng.below(length-1)
	}
	if s.in.general {
		s.removeGeneral(first, head, skip, length-head)
		return
	}
	next := s.removeRun(first, head)
	if skip > 0 {
		for range skip {
			next = s.nodes[next].next
		}
		s.removeRun(next, length-head)
	}
}

// stringStart picks the first task of a random string of the given length that contains c and fits the route.
func (s *state) stringStart(c int32, length int) int32 {
	tasks := int32(s.in.n)
	first := c
	back := s.rng.below(length)
	forward := length - 1 - back
	for v := s.nodes[c].next; forward > 0; v = s.nodes[v].next {
		if v >= tasks {
			back += forward
			break
		}
		forward--
	}
	for ; back > 0 && s.nodes[first].prev < tasks; back-- {
		first = s.nodes[first].prev
	}
	return first
}

// removeRun removes up to count tasks from v on and returns the node after them.
func (s *state) removeRun(v int32, count int) int32 {
	prev := s.nodes[v].prev
	for ; count > 0 && v < int32(s.in.n); count-- {
		next := s.nodes[v].next
		s.unlink(v)
		s.removed = append(s.removed, v)
		v = next
	}
	s.updateAround(prev, v)
	return v
}
