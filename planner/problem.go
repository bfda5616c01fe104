package planner

import (
	"errors"
	"fmt"
	"math"
)

// Profile is a kind of vehicle. Each profile used by a worker has its own travel times.
type Profile string

// The vehicles of the dispatch interface. Any other name works as well when Problem.Travel has a matrix for it.
const (
	Foot       Profile = "foot"
	Bicycle    Profile = "bicycle"
	Motorcycle Profile = "motorcycle"
	Car        Profile = "car"
	Truck      Profile = "truck"
)

// Dimensions is the number of quantities a task has: the main one and A, B and C.
const Dimensions = 4

// Quantities are amounts in each dimension: of a task, what is handed over; of a worker, what fits.
type Quantities [Dimensions]int64

// Anywhere as a place means that a route may end wherever its last task is.
const Anywhere = -1

// NoLimit as a time means that there is none.
const NoLimit int64 = math.MaxInt64

// Unlimited as a capacity means that the worker carries whatever comes.
const Unlimited int64 = math.MaxInt64

// MaxLegMeters is the distance, 200 miles, above which a dispatch is refused.
const MaxLegMeters = 321_869

// Objective says what comes first once as many tasks as possible are planned as little late as possible.
type Objective int

const (
	// LeastTravel wants the least time on the road.
	LeastTravel Objective = iota
	// FewestWorkers wants as few workers as possible, then the least time on the road.
	FewestWorkers
)

// Problem is everything a plan depends on. Solve does not change it.
type Problem struct {
	// Places are the coordinates that Worker.Start, Worker.End and Task.Place point into. They may be left empty when Travel has
	// a matrix for every profile in use; with coordinates, a profile without a matrix gets StraightLine's.
	Places []Place
	// Travel holds the travel times between places by profile.
	Travel map[Profile]*Matrix

	Workers []Worker
	Tasks   []Task
	// Done names tasks outside the problem that are completed, so that tasks which depend on them may be planned.
	Done []string

	// MaxDelay is how far past Task.Before a task may end. Lateness within it is allowed where nothing better is possible.
	MaxDelay int64
	// MaxTasksPerRoute bounds the length of every route; 0 means no bound.
	MaxTasksPerRoute int
	// MaxContainerSize leaves out workers who have more tasks on their route than this; 0 means everyone takes part.
	MaxContainerSize int
	// Vehicle, when set, leaves out workers with any other vehicle.
	Vehicle Profile
	// MaxLeg forbids travel between two places farther apart than this many metres; 0 means no bound.
	MaxLeg int64

	Objective Objective
}

// Worker is someone who can take tasks.
type Worker struct {
	ID      string
	Vehicle Profile
	// Start is where the worker is, End where the route must end: places, or Anywhere for End.
	Start, End int
	// From is when the worker can leave, Until when the route must be over (NoLimit for never).
	From, Until int64
	// Capacity is what fits. A dimension that is not measured is Unlimited.
	Capacity Quantities
	// Route holds the ids of the tasks the worker already has, in their present order. They stay with the worker.
	Route []string
	// Active says that the first task of Route is under way and stays first.
	Active bool
	// MaxTasks bounds the length of this worker's route; 0 means no bound of its own.
	MaxTasks int
	// FixedCost is added to the time on the road when the worker is used at all.
	FixedCost int64
}

// Task is something to do at a place.
type Task struct {
	ID    string
	Place int
	// Service is how long the work takes there.
	Service int64
	// After is when the service may start, Before when it should have ended (NoLimit for never).
	After, Before int64
	// Quantities are loaded when Pickup is set, and unloaded otherwise.
	Quantities Quantities
	Pickup     bool
	// DependsOn names tasks that must have ended before this one starts. A drop-off that depends on a pickup is done by the same
	// worker.
	DependsOn []string
}

// Problems with a problem. They are found before any search begins.
var (
	ErrDuplicateID  = errors.New("two tasks or two workers have the same id")
	ErrUnknownPlace = errors.New("place does not exist")
	ErrNoTravel     = errors.New("no travel times for a vehicle")
	ErrBadTime      = errors.New("time is out of range")
	ErrBadQuantity  = errors.New("quantity is out of range")
	ErrBadRoute     = errors.New("route cannot be kept")
)

// Validate reports the first thing that makes the problem impossible to read. A problem that is valid may still leave every task
// out, each with its reason.
func (p *Problem) Validate() error {
	places := p.placeCount()
	ids := make(map[string]bool, len(p.Tasks))
	for i := range p.Tasks {
		if err := p.Tasks[i].validate(ids, places); err != nil {
			return err
		}
	}
	if err := p.validateWorkers(ids, places); err != nil {
		return err
	}
	if p.MaxDelay < 0 || p.MaxDelay > maxTime {
		return fmt.Errorf("maximum delay %d: %w; give a number from 0 to %d", p.MaxDelay, ErrBadTime, maxTime)
	}
	return p.validateSpan()
}

func (t *Task) validate(ids map[string]bool, places int) error {
	switch {
	case t.ID == "":
		return fmt.Errorf("a task has no id: %w; give every task its own", ErrDuplicateID)
	case ids[t.ID]:
		return fmt.Errorf("task %q: %w; give every task its own", t.ID, ErrDuplicateID)
	case t.Place < 0 || t.Place >= places:
		return fmt.Errorf("task %q is at place %d of %d: %w; add the place or correct the task", t.ID, t.Place, places, ErrUnknownPlace)
	case t.Service < 0 || t.Service > maxTime:
		return fmt.Errorf("task %q takes %d: %w; give a service time from 0 to %d", t.ID, t.Service, ErrBadTime, maxTime)
	}
	for d, q := range t.Quantities {
		if q < 0 || q > maxQuantity {
			return fmt.Errorf("task %q, dimension %d is %d: %w; give a number from 0 to %d", t.ID, d, q, ErrBadQuantity, maxQuantity)
		}
	}
	ids[t.ID] = true
	return nil
}

func (p *Problem) validateWorkers(tasks map[string]bool, places int) error {
	seen := make(map[string]bool, len(p.Workers))
	kept := make(map[string]string, len(p.Tasks))
	for i := range p.Workers {
		w := &p.Workers[i]
		if w.ID == "" || seen[w.ID] {
			return fmt.Errorf("worker %q: %w; give every worker its own", w.ID, ErrDuplicateID)
		}
		seen[w.ID] = true
		if err := p.validateWorker(w, places); err != nil {
			return err
		}
		for _, id := range w.Route {
			if !tasks[id] {
				return fmt.Errorf("worker %q has task %q: %w, because the task is not in the problem; add it", w.ID, id, ErrBadRoute)
			}
			if other, ok := kept[id]; ok {
				return fmt.Errorf("task %q is on the routes of %q and %q: %w; it can have one worker", id, other, w.ID, ErrBadRoute)
			}
			kept[id] = w.ID
		}
	}
	return nil
}

func (p *Problem) validateWorker(w *Worker, places int) error {
	if w.Start < 0 || w.Start >= places {
		return fmt.Errorf("worker %q starts at place %d of %d: %w", w.ID, w.Start, places, ErrUnknownPlace)
	}
	if w.End != Anywhere && (w.End < 0 || w.End >= places) {
		return fmt.Errorf("worker %q ends at place %d of %d: %w", w.ID, w.End, places, ErrUnknownPlace)
	}
	if w.FixedCost < 0 || w.FixedCost > maxTime {
		return fmt.Errorf("worker %q costs %d: %w; give a number from 0 to %d", w.ID, w.FixedCost, ErrBadTime, maxTime)
	}
	for d, q := range w.Capacity {
		if q < 0 {
			return fmt.Errorf("worker %q, dimension %d carries %d: %w; give 0 or more", w.ID, d, q, ErrBadQuantity)
		}
	}
	m := p.Travel[w.Vehicle]
	if m == nil && len(p.Places) == 0 {
		return fmt.Errorf("worker %q goes by %q: %w; add a matrix for it or coordinates for the places", w.ID, w.Vehicle, ErrNoTravel)
	}
	if m != nil && (m.Size < places || len(m.Times) != m.Size*m.Size || (m.Meters != nil && len(m.Meters) != len(m.Times))) {
		return fmt.Errorf("the matrix for %q has %d rows and %d times for %d places: %w; give one row and one column a place",
			w.Vehicle, m.Size, len(m.Times), places, ErrNoTravel)
	}
	return nil
}

// validateSpan makes sure that every time fits the search's numbers once the earliest start is taken as zero.
func (p *Problem) validateSpan() error {
	base := p.origin()
	check := func(what, id string, at int64) error {
		if at == NoLimit || (at >= base-maxTime && at-base <= maxTime) {
			return nil
		}
		return fmt.Errorf("%s of %q is %d, more than %d from the first start %d: %w; use one unit and one origin for all times",
			what, id, at, maxTime, base, ErrBadTime)
	}
	for i := range p.Workers {
		w := &p.Workers[i]
		if w.From == NoLimit {
			return fmt.Errorf("worker %q never starts: %w", w.ID, ErrBadTime)
		}
		if err := errors.Join(check("the start", w.ID, w.From), check("the end", w.ID, w.Until)); err != nil {
			return err
		}
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if t.After == NoLimit {
			return fmt.Errorf("task %q may never start: %w", t.ID, ErrBadTime)
		}
		if t.After > base && t.After-base > maxTime {
			return check("the earliest start", t.ID, t.After)
		}
	}
	return nil
}

// origin is the time the search counts from: the first moment any worker can move. Where nobody works every time is as
// good, if only the tasks' own lie within reach of it.
func (p *Problem) origin() int64 {
	base := NoLimit
	for i := range p.Workers {
		base = min(base, p.Workers[i].From)
	}
	if base != NoLimit {
		return base
	}
	base = 0
	for i := range p.Tasks {
		base = max(base, p.Tasks[i].After)
	}
	return base
}

// placeCount is how many places the problem knows, from its coordinates or else from its matrices.
func (p *Problem) placeCount() int {
	if len(p.Places) > 0 {
		return len(p.Places)
	}
	count := math.MaxInt
	for _, m := range p.Travel {
		if m != nil {
			count = min(count, m.Size)
		}
	}
	if count == math.MaxInt {
		return 0
	}
	return count
}

// takesPart reports whether the filters let the worker be planned. The others keep their routes as they are, outside the plan.
func (p *Problem) takesPart(w *Worker) bool {
	if p.Vehicle != "" && w.Vehicle != p.Vehicle {
		return false
	}
	return p.MaxContainerSize <= 0 || len(w.Route) <= p.MaxContainerSize
}

// routeLimit is how many tasks the worker's route may hold, 0 for no bound.
func (p *Problem) routeLimit(w *Worker) int {
	switch {
	case w.MaxTasks <= 0:
		return p.MaxTasksPerRoute
	case p.MaxTasksPerRoute <= 0:
		return w.MaxTasks
	default:
		return min(w.MaxTasks, p.MaxTasksPerRoute)
	}
}
