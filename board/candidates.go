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

// Candidate is a worker who could take a task, with what speaks for and against it.
type Candidate struct {
	Worker  *WorkerRow
	Arrival Arrival // with the task as the last of their stops
	Load    Load
	Fits    bool     // the task's quantity fits into what is free, as far as capacities are told
	Reasons []string // what a dispatcher would say of them, weightiest first
	HasTask     bool     // they have it now; the arrival is that of their route as it is
	// GainKnown says that it is known when whoever has the task now would be done; Gain is how much sooner this one
	// would be, negative when later.
	GainKnown bool
	Gain     time.Duration
	against  time.Duration
	inWords  bool

	obstacles int // of the reasons
}

// ReasonText is the reasons in one line.
func (c *Candidate) ReasonText() string { return strings.Join(c.Reasons, ", ") }

// OnTime reports that the window would be met, and nothing else speaks against the worker. Where there is no window
// it is the latter alone.
func (c *Candidate) OnTime() bool {
	return c.Arrival.At != 0 && c.Arrival.Late == 0 && c.against < smallCost
}

// GainText compares the worker with whoever has the task now: "20m better", "5m worse". Nothing when there is nobody to
// compare with.
func (c *Candidate) GainText() string {
	switch {
	case c.HasTask:
		return "has it now"
	case !c.GainKnown:
		return ""
	}
	return GainText(c.Gain)
}

// Load is what a worker has before them.
type Load struct {
	Stops    int
	Quantity float64 // the most that is aboard at once, of the tasks the board knows
	Capacity float64 // zero when the worker has no limit
}

// LoadOf is what a worker has to carry. What is dropped off was aboard before, unless it is picked up on the way.
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

// openStops are the tasks of a worker that the board knows and that are not done, in the order of the route.
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

// What each shortcoming costs, in the lateness it is as bad as.
const (
	silentCost    = 30 * time.Minute
	otherTeamCost = 45 * time.Minute
	overloadCost  = 2 * time.Hour
	batteryCost   = 5 * time.Minute
	smallCost     = 10 * time.Minute // below this it is a word, not an obstacle
)

// Candidates ranks the workers on duty for a task, best first: those who would be there within its window, with room
// for it, heard of lately and of its team, by when they arrive; then the others by how late they would be, where each
// shortcoming counts as so much lateness. Whoever has the task already is among them, whatever the limit: that is what
// the others are measured by.
func (s *Snapshot) Candidates(task *TaskRow, limit int) []Candidate {
	found := make([]Candidate, 0, s.Counters.OnDuty()+1)
	look := s.lookAround(task)
	for w := range s.Workers.All() {
		if w.OnDuty || w.ID == task.Worker {
			found = append(found, look.candidate(w, false))
		}
	}
	slices.SortFunc(found, func(a, b Candidate) int { return a.compare(&b) })
	has := slices.IndexFunc(found, func(c Candidate) bool { return c.HasTask })
	if has >= limit && limit > 0 {
		found[limit-1] = found[has]
	}
	found = found[:min(limit, len(found))]
	for i := range found {
		found[i] = look.candidate(found[i].Worker, true)
	}
	return found
}

// around is what the candidates for a task have in common.
type around struct {
	*Snapshot
	task    *TaskRow
	first   []*TaskRow
	present Arrival
	held    bool
}

func (s *Snapshot) lookAround(task *TaskRow) *around {
	look := &around{Snapshot: s, task: task, first: s.openBefore(task)}
	look.present, look.held = s.CurrentArrival(task)
	return look
}

// NobodyOnTime reports that whoever else is on duty would miss the task's window. It is not said while there is one of
// whom nobody can tell.
func (s *Snapshot) NobodyOnTime(task *TaskRow) bool {
	for a := range s.lookAround(task).others() {
		if a.Late == 0 || a.At == 0 && task.Due >= s.Now {
			return false
		}
	}
	return true
}

// NobodyBetter reports that whoever has the task now, and is heard of, would be done with it before anybody else, as far
// as arrivals can be told.
func (s *Snapshot) NobodyBetter(task *TaskRow) bool {
	look := s.lookAround(task)
	if w := s.Workers.Get(task.Worker); !look.held || look.present.At == 0 || !w.OnDuty || w.State == WorkerIsSilent {
		return false
	}
	for a := range look.others() {
		if gain, known := a.GainOver(look.present); known && gain > 0 {
			return false
		}
	}
	return true
}

// others are the arrivals of the workers on duty who do not have the task.
func (l *around) others() iter.Seq[Arrival] {
	return func(yield func(Arrival) bool) {
		for w := range l.Workers.All() {
			if w.OnDuty && w.ID != l.task.Worker && !yield(EstimateArrival(l.Now, w, l.Route(w), l.first, l.task)) {
				return
			}
		}
	}
}

func (c *Candidate) compare(o *Candidate) int {
	return cmp.Or(
		cmp.Compare(c.class(), o.class()),
		cmp.Compare(c.lateness(), o.lateness()),
		cmp.Compare(c.Arrival.At.Add(c.against), o.Arrival.At.Add(o.against)),
		cmp.Compare(c.Arrival.Meters, o.Arrival.Meters),
		cmp.Compare(c.Worker.ID, o.Worker.ID),
	)
}

func (c *Candidate) class() int {
	if c.OnTime() {
		return 0
	}
	return 1
}

// lateness is how bad the choice is. Who makes it is told apart by when they would be done, and so are all where
// there is nothing to be late for.
func (c *Candidate) lateness() time.Duration {
	if c.Arrival.due == 0 || c.OnTime() {
		return 0
	}
	return c.Arrival.Late + c.against
}

// candidate weighs one worker. Words are for those who will be shown: they take longer than all the rest.
func (l *around) candidate(w *WorkerRow, inWords bool) Candidate {
	c := Candidate{Worker: w, Load: l.LoadOf(w), Fits: true, inWords: inWords}
	if l.held && w.ID == l.task.Worker {
		c.HasTask, c.Arrival = true, l.present
		l.weighPresent(l.task, &c)
		return c
	}
	c.Arrival = EstimateArrival(l.Now, w, l.Route(w), l.first, l.task)
	if l.held {
		c.Gain, c.GainKnown = c.Arrival.GainOver(l.present)
	}
	l.weighWay(&c)
	l.weighWork(&c)
	l.weighFit(l.task, &c)
	return c
}

// weighPresent tells of whoever has the task already: it is part of their load and of their stops.
func (s *Snapshot) weighPresent(task *TaskRow, c *Candidate) {
	w := c.Worker
	switch {
	case !w.OnDuty:
		c.weigh(overloadCost, func() string { return "off duty" })
	case w.State == WorkerIsSilent:
		c.weigh(silentCost, func() string { return "silent " + model.FormatDuration(s.Now.Sub(w.LastSeen)) })
	}
	if at := s.RoutePosition(task); at >= 0 {
		c.weigh(0, func() string { return fmt.Sprintf("stop %d of %d", at+1, w.Stops()) })
	}
}

// weigh adds something to say of a worker. What speaks against them goes first: a line may be cut at its end.
func (c *Candidate) weigh(cost time.Duration, words func() string) {
	c.against += cost
	if !c.inWords {
		return
	}
	at := len(c.Reasons)
	if cost >= smallCost {
		at = c.obstacles
		c.obstacles++
	}
	c.Reasons = slices.Insert(c.Reasons, at, words())
}

func (s *Snapshot) weighWay(c *Candidate) {
	w := c.Worker
	c.weigh(0, c.Arrival.DistanceText)
	if w.Vehicle == "" {
		c.weigh(0, func() string { return "on foot" })
	} else if w.Vehicle != model.VehicleCar {
		c.weigh(0, func() string { return "by " + strings.ToLower(string(w.Vehicle)) })
	}
}

// weighWork tells what they have before it. How late they run is in the arrival already.
func (s *Snapshot) weighWork(c *Candidate) {
	w, stops := c.Worker, c.Worker.Stops()
	switch {
	case w.State == WorkerIsSilent:
		c.weigh(silentCost, func() string { return "silent " + model.FormatDuration(s.Now.Sub(w.LastSeen)) })
	case stops == 0:
		c.weigh(0, func() string { return "idle" })
	}
	if stops > 0 {
		c.weigh(0, func() string { return counted(stops, "stop") + " before it" })
	}
	if w.Delay > 0 {
		c.weigh(0, func() string { return "runs " + model.FormatDuration(w.Delay) + " late" })
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

// NearbyWorker is a worker and how far off they are.
type NearbyWorker struct {
	Worker   *WorkerRow
	Distance float64 // meters
	Compass  string  // N, NE, E …: where they are, seen from the place
}

// NearestWorkers lists the workers on duty around a place, nearest first. Those without a position are left out.
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
