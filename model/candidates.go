package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Candidate is a worker who could take a task, with what speaks for and against it.
type Candidate struct {
	Worker   *WorkerRow
	Distance float64 // meters, as the crow flies; negative when a position is unknown
	Travel   time.Duration
	Load     Load
	Fits     bool     // the task's quantity fits into what is free, as far as capacities are told
	Reasons  []string // what a dispatcher would say of them, weightiest first
	cost     time.Duration
	inWords  bool
}

// Why is the reasons in one line.
func (c *Candidate) Why() string { return strings.Join(c.Reasons, ", ") }

// Load is what a worker has before them.
type Load struct {
	Stops    int
	Quantity float64 // of the tasks the board knows
	Capacity float64 // zero when the worker has no limit
}

// LoadOf sums up what a worker carries.
func (s *Snapshot) LoadOf(w *WorkerRow) Load {
	load := Load{Stops: w.Stops(), Capacity: w.Capacity}
	if w.ActiveTask != "" {
		load.add(s.Tasks.Get(w.ActiveTask))
	}
	for _, id := range w.Tasks {
		load.add(s.Tasks.Get(id))
	}
	return load
}

func (l *Load) add(task *TaskRow) {
	if task != nil && !task.Status.Closed() {
		l.Quantity += task.Quantity
	}
}

// What each shortcoming costs, in the time it is as bad as.
const (
	stopCost      = 8 * time.Minute
	silentCost    = 30 * time.Minute
	otherTeamCost = 45 * time.Minute
	overloadCost  = 2 * time.Hour
	unplacedCost  = 20 * time.Minute // not knowing where someone is, is like being far off
	batteryCost   = 5 * time.Minute
)

// Candidates ranks the workers on duty for a task, best first: how soon they could be there, given the way, the stops
// before it and how late they run, and whether it fits. The worker who has the task already is left out.
func (s *Snapshot) Candidates(task *TaskRow, limit int) []Candidate {
	found := make([]Candidate, 0, s.Counters.OnDuty())
	for w := range s.Workers.All() {
		if w.OnDuty && w.ID != task.Worker {
			found = append(found, s.candidate(task, w, false))
		}
	}
	slices.SortFunc(found, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.Worker.ID, b.Worker.ID))
	})
	found = found[:min(limit, len(found))]
	for i := range found {
		found[i] = s.candidate(task, found[i].Worker, true)
	}
	return found
}

// candidate weighs one worker. Words are for those who will be shown: they take longer than all the rest.
func (s *Snapshot) candidate(task *TaskRow, w *WorkerRow, inWords bool) Candidate {
	c := Candidate{Worker: w, Distance: -1, Load: s.LoadOf(w), Fits: true, inWords: inWords}
	s.weighWay(task, &c)
	s.weighWork(&c)
	s.weighFit(task, &c)
	return c
}

func (c *Candidate) weigh(cost time.Duration, words func() string) {
	c.cost += cost
	if c.inWords {
		c.Reasons = append(c.Reasons, words())
	}
}

func (s *Snapshot) weighWay(task *TaskRow, c *Candidate) {
	w := c.Worker
	if !w.Placed || !task.Placed {
		c.weigh(unplacedCost, func() string { return "distance unknown" })
		return
	}
	// A busy worker sets out from their last stop, not from where they are.
	from := w.Location
	for i := len(w.Tasks) - 1; i >= 0; i-- {
		if last := s.Tasks.Get(w.Tasks[i]); last != nil && last.Placed {
			from = last.Location
			break
		}
	}
	c.Distance = w.Location.MetersTo(task.Location)
	c.Travel = travelTime(from.MetersTo(task.Location), w.Vehicle)
	c.weigh(c.Travel, func() string { return distanceText(c.Distance) + " away" })
	if w.Vehicle == "" {
		c.weigh(0, func() string { return "on foot" })
	} else if w.Vehicle != VehicleCar {
		c.weigh(0, func() string { return "by " + strings.ToLower(string(w.Vehicle)) })
	}
}

func (s *Snapshot) weighWork(c *Candidate) {
	w, stops := c.Worker, c.Worker.Stops()
	switch {
	case w.State == WorkerIsSilent:
		c.weigh(silentCost, func() string { return "silent " + FormatDuration(s.Now.Sub(w.LastSeen)) })
	case stops == 0:
		c.weigh(0, func() string { return "idle" })
	}
	if stops > 0 {
		c.weigh(time.Duration(stops)*stopCost, func() string { return counted(stops, "stop") + " before it" })
	}
	if w.Delay > 0 {
		c.weigh(w.Delay, func() string { return "runs " + FormatDuration(w.Delay) + " late" })
	}
	if w.Battery >= 0 && w.Battery < s.Settings.LowBattery {
		c.weigh(batteryCost, func() string { return fmt.Sprintf("battery %.0f%%", w.Battery*100) })
	}
}

func (s *Snapshot) weighFit(task *TaskRow, c *Candidate) {
	if task.Team != "" && !slices.Contains(c.Worker.Teams, task.Team) {
		c.weigh(otherTeamCost, func() string { return "not in " + cmp.Or(task.TeamName, "the task's team") })
	}
	if c.Load.Capacity <= 0 || task.Quantity <= 0 {
		return
	}
	if free := c.Load.Capacity - c.Load.Quantity; free < task.Quantity {
		c.Fits = false
		c.weigh(overloadCost, func() string {
			return fmt.Sprintf("too full: has room for %g of %g", max(0, free), task.Quantity)
		})
		return
	}
	c.weigh(0, func() string { return fmt.Sprintf("carries %g of %g", c.Load.Quantity, c.Load.Capacity) })
}

// Neighbour is a worker and how far off they are.
type Neighbour struct {
	Worker   *WorkerRow
	Distance float64 // meters
	Compass  string  // N, NE, E …: where they are, seen from the place
}

// Nearest lists the workers on duty around a place, nearest first. Those without a position are left out.
func (s *Snapshot) Nearest(place Location, limit int) []Neighbour {
	var near []Neighbour
	for w := range s.Workers.All() {
		if w.OnDuty && w.Placed {
			near = append(near, Neighbour{
				Worker: w, Distance: place.MetersTo(w.Location), Compass: CompassPoint(place.Bearing(w.Location)),
			})
		}
	}
	slices.SortFunc(near, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Worker.ID, b.Worker.ID))
	})
	return near[:min(limit, len(near))]
}
