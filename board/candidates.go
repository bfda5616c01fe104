package board

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"waybill/model"
)

// Candidate is a worker who could take a task, with what that would cost.
type Candidate struct {
	Worker  *WorkerRow
	Arrival Arrival // with the task at the end of their route
	Load    Load
	Fits    bool     // they have capacity for the task, as far as capacities are known
	Reasons []string // for and against them, the most important first
	HasTask bool     // they have the task now; the arrival is that of their present route
	// Gain is how much earlier they would arrive than the present worker, negative when later; see GainKnown.
	GainKnown   bool
	Gain        time.Duration
	penalty     time.Duration
	withReasons bool

	obstacles int // of the reasons
}

// ReasonText returns the reasons in one line.
func (c *Candidate) ReasonText() string { return strings.Join(c.Reasons, ", ") }

// OnTime reports that the worker would not be late and that nothing else speaks against them.
func (c *Candidate) OnTime() bool {
	return c.Arrival.At != 0 && c.Arrival.Late == 0 && c.penalty < smallCost
}

// GainText compares the worker with the present one: "20m better", "5m worse". It is empty when there is none.
func (c *Candidate) GainText() string {
	switch {
	case c.HasTask:
		return "has it now"
	case !c.GainKnown:
		return ""
	}
	return GainText(c.Gain)
}

// Load is the stops and the quantity of a worker.
type Load struct {
	Stops    int
	Quantity float64 // the most that is on board at once, of the tasks the board has
	Capacity float64 // zero when the worker has no limit
}

// LoadOf computes the load of a worker. What they drop off is on board from the start, unless they pick it up on the way.
func (s *Snapshot) LoadOf(w *WorkerRow) Load {
	var aboard, most float64
	for task := range s.openStops(w) {
		if !task.Pickup && !s.picksUpFirst(w, task) {
			aboard += task.Quantity
		}
	}
	most = aboard
	for task := range s.openStops(w) {
		if task.Pickup {
			aboard += task.Quantity
		} else {
			aboard -= task.Quantity
		}
		most = max(most, aboard)
	}
	return Load{Stops: w.Stops(), Capacity: w.Capacity, Quantity: most}
}

// openStops returns the open tasks of a worker that the board has, in the order of the route.
func (s *Snapshot) openStops(w *WorkerRow) iter.Seq[*TaskRow] {
	return func(yield func(*TaskRow) bool) {
		if task := s.Tasks.Get(w.ActiveTask); task != nil && !task.Status.Closed() && !yield(task) {
			return
		}
		for _, id := range w.Tasks {
			if task := s.Tasks.Get(id); id != w.ActiveTask && task != nil && !task.Status.Closed() && !yield(task) {
				return
			}
		}
	}
}

// picksUpFirst reports that the worker still has to pick up what a task drops off.
func (s *Snapshot) picksUpFirst(w *WorkerRow, task *TaskRow) bool {
	return slices.ContainsFunc(task.Dependencies, func(id model.ID) bool {
		needed := s.Tasks.Get(id)
		return needed != nil && needed.Pickup && needed.Worker == w.ID && !needed.Status.Closed()
	})
}

// Penalties of candidates, as lateness that would be as bad.
const (
	silentCost    = 30 * time.Minute
	otherTeamCost = 45 * time.Minute
	overloadCost  = 2 * time.Hour
	batteryCost   = 5 * time.Minute
	smallCost     = 10 * time.Minute // smaller penalties are not obstacles
)

// Candidates ranks the workers on duty for a task, best first: those who would be on time and have no obstacle, by arrival;
// then the others by lateness plus penalties. The present worker is always among them, for comparison.
func (s *Snapshot) Candidates(task *TaskRow, limit int) []Candidate {
	found := make([]Candidate, 0, s.Counters.OnDuty()+1)
	search := s.newCandidateSearch(task)
	for w := range s.Workers.All() {
		if w.OnDuty || w.ID == task.Worker {
			found = append(found, search.evaluate(w, false))
		}
	}
	slices.SortFunc(found, func(a, b Candidate) int { return a.compare(&b) })
	has := slices.IndexFunc(found, func(c Candidate) bool { return c.HasTask })
	if has >= limit && limit > 0 {
		found[limit-1] = found[has]
	}
	found = found[:min(limit, len(found))]
	for i := range found {
		found[i] = search.evaluate(found[i].Worker, true)
	}
	return found
}

// candidateSearch is what the candidates for a task have in common.
type candidateSearch struct {
	*Snapshot
	task           *TaskRow
	prerequisites  []*TaskRow
	currentArrival Arrival
	isAssigned     bool
}

func (s *Snapshot) newCandidateSearch(task *TaskRow) *candidateSearch {
	search := &candidateSearch{Snapshot: s, task: task, prerequisites: s.openDependencies(task)}
	search.currentArrival, search.isAssigned = s.CurrentArrival(task)
	return search
}

// NobodyOnTime reports that every other worker on duty would be late. It is false when the arrival of one of them is
// unknown and the task is not overdue yet.
func (s *Snapshot) NobodyOnTime(task *TaskRow) bool {
	for a := range s.newCandidateSearch(task).otherArrivals() {
		if a.Late == 0 || a.At == 0 && task.Due >= s.Now {
			return false
		}
	}
	return true
}

// NobodyBetter reports that no other worker is known to arrive earlier than the present one. It is false when the present
// worker is off duty, silent, or without a known arrival.
func (s *Snapshot) NobodyBetter(task *TaskRow) bool {
	search := s.newCandidateSearch(task)
	if w := s.Workers.Get(task.Worker); !search.isAssigned || search.currentArrival.At == 0 || !w.OnDuty || w.State == WorkerIsSilent {
		return false
	}
	for a := range search.otherArrivals() {
		if gain, known := a.GainOver(search.currentArrival); known && gain > 0 {
			return false
		}
	}
	return true
}

// otherArrivals returns the arrivals of the other workers on duty.
func (l *candidateSearch) otherArrivals() iter.Seq[Arrival] {
	return func(yield func(Arrival) bool) {
		for w := range l.Workers.All() {
			if w.OnDuty && w.ID != l.task.Worker && !yield(EstimateArrival(l.Now, w, l.Route(w), l.prerequisites, l.task)) {
				return
			}
		}
	}
}

func (c *Candidate) compare(o *Candidate) int {
	return cmp.Or(
		cmp.Compare(c.rank(), o.rank()),
		cmp.Compare(c.penalizedLateness(), o.penalizedLateness()),
		cmp.Compare(c.Arrival.At.Add(c.penalty), o.Arrival.At.Add(o.penalty)),
		cmp.Compare(c.Arrival.Meters, o.Arrival.Meters),
		cmp.Compare(c.Worker.ID, o.Worker.ID),
	)
}

func (c *Candidate) rank() int {
	if c.OnTime() {
		return 0
	}
	return 1
}

// penalizedLateness returns the lateness with penalties; zero for workers who are on time and for tasks without a due time,
// so that their arrival decides.
func (c *Candidate) penalizedLateness() time.Duration {
	if c.Arrival.due == 0 || c.OnTime() {
		return 0
	}
	return c.Arrival.Late + c.penalty
}

// evaluate computes the candidate of a worker. Reasons are expensive, so they are only made for those who will be shown.
func (l *candidateSearch) evaluate(w *WorkerRow, inWords bool) Candidate {
	c := Candidate{Worker: w, Load: l.LoadOf(w), Fits: true, withReasons: inWords}
	if l.isAssigned && w.ID == l.task.Worker {
		c.HasTask, c.Arrival = true, l.currentArrival
		l.addCurrentReasons(l.task, &c)
		return c
	}
	c.Arrival = EstimateArrival(l.Now, w, l.Route(w), l.prerequisites, l.task)
	if l.isAssigned {
		c.Gain, c.GainKnown = c.Arrival.GainOver(l.currentArrival)
	}
	l.addTravelReasons(&c)
	l.addWorkloadReasons(&c)
	l.addFitReasons(l.task, &c)
	return c
}

// addCurrentReasons adds the reasons of the present worker, whose load and stops include the task.
func (s *Snapshot) addCurrentReasons(task *TaskRow, c *Candidate) {
	w := c.Worker
	switch {
	case !w.OnDuty:
		c.addReason(overloadCost, func() string { return "off duty" })
	case w.State == WorkerIsSilent:
		c.addReason(silentCost, func() string { return "silent " + model.FormatDuration(s.Now.Sub(w.LastSeen)) })
	}
	if at := s.RoutePosition(task); at >= 0 {
		c.addReason(0, func() string { return fmt.Sprintf("stop %d of %d", at+1, w.Stops()) })
	}
}

// addReason adds a reason with its penalty. Obstacles come first, because a line may be cut at its end.
func (c *Candidate) addReason(cost time.Duration, words func() string) {
	c.penalty += cost
	if !c.withReasons {
		return
	}
	at := len(c.Reasons)
	if cost >= smallCost {
		at = c.obstacles
		c.obstacles++
	}
	c.Reasons = slices.Insert(c.Reasons, at, words())
}

func (s *Snapshot) addTravelReasons(c *Candidate) {
	w := c.Worker
	c.addReason(0, c.Arrival.DistanceText)
	if w.Vehicle == "" {
		c.addReason(0, func() string { return "on foot" })
	} else if w.Vehicle != model.VehicleCar {
		c.addReason(0, func() string { return "by " + strings.ToLower(string(w.Vehicle)) })
	}
}

// addWorkloadReasons adds the stops before the task. Their lateness has no penalty, because the arrival includes it.
func (s *Snapshot) addWorkloadReasons(c *Candidate) {
	w, stops := c.Worker, c.Worker.Stops()
	switch {
	case w.State == WorkerIsSilent:
		c.addReason(silentCost, func() string { return "silent " + model.FormatDuration(s.Now.Sub(w.LastSeen)) })
	case stops == 0:
		c.addReason(0, func() string { return "idle" })
	}
	if stops > 0 {
		c.addReason(0, func() string { return model.FormatCount(stops, "stop") + " before it" })
	}
	if w.Delay > 0 {
		c.addReason(0, func() string { return "runs " + model.FormatDuration(w.Delay) + " late" })
	}
	if w.Battery >= 0 && w.Battery < s.Settings.LowBattery {
		c.addReason(batteryCost, func() string { return fmt.Sprintf("battery %.0f%%", w.Battery*100) })
	}
}

func (s *Snapshot) addFitReasons(task *TaskRow, c *Candidate) {
	if task.Team != "" && !slices.Contains(c.Worker.Teams, task.Team) {
		c.addReason(otherTeamCost, func() string { return "not in " + cmp.Or(task.TeamName, "the task's team") })
	}
	if c.Load.Capacity <= 0 || task.Quantity <= 0 {
		return
	}
	if free := c.Load.Capacity - c.Load.Quantity; free < task.Quantity {
		c.Fits = false
		c.addReason(overloadCost, func() string {
			return fmt.Sprintf("not enough capacity: %g free, %g needed", max(0, free), task.Quantity)
		})
		return
	}
	c.addReason(0, func() string { return fmt.Sprintf("carries %g of %g", c.Load.Quantity, c.Load.Capacity) })
}

// NearbyWorker is a worker with their distance from a location.
type NearbyWorker struct {
	Worker   *WorkerRow
	Distance float64 // meters
	Compass  string  // N, NE, E …: their direction from the location
}

// NearestWorkers lists the workers on duty by distance. Workers without a location are left out.
func (s *Snapshot) NearestWorkers(place model.Location, limit int) []NearbyWorker {
	var near []NearbyWorker
	for w := range s.Workers.All() {
		if w.OnDuty && w.HasLocation {
			near = append(near, NearbyWorker{
				Worker: w, Distance: place.MetersTo(w.Location), Compass: CompassPoint(place.Bearing(w.Location)),
			})
		}
	}
	slices.SortFunc(near, func(a, b NearbyWorker) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Worker.ID, b.Worker.ID))
	})
	return near[:min(limit, len(near))]
}
