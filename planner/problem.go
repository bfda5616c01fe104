package planner

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"waybill/model"
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

// ProfileOf returns the profile of a vehicle type; no vehicle means on foot.
func ProfileOf(v model.VehicleType) Profile {
	if v == "" {
		return Foot
	}
	return Profile(strings.ToLower(string(v)))
}

// Vehicle returns the vehicle type of the profile.
func (p Profile) Vehicle() model.VehicleType {
	if p == Foot {
		return ""
	}
	return model.VehicleType(strings.ToUpper(string(p)))
}

// Dimensions is the number of quantities a task has: the main one and A, B and C.
const Dimensions = 4

// Quantities are amounts in each dimension: of a task, what is handed over; of a worker, what fits.
type Quantities [Dimensions]int64

// Anywhere as the end of a route means that it ends at its last task.
const Anywhere = -1

// NoLimit as a time means that there is no limit.
const NoLimit int64 = math.MaxInt64

// Unlimited as a capacity means that the worker can carry any quantity.
const Unlimited int64 = math.MaxInt64

// MaxLegMeters is the longest distance that a dispatch accepts: 200 miles.
const MaxLegMeters = 321_869

// Objective says what to minimise after the number of tasks left out and the lateness.
type Objective int

const (
	// LeastTravel minimises the travel time.
	LeastTravel Objective = iota
	// FewestWorkers minimises the number of workers, then the travel time.
	FewestWorkers
)

// Problem is the input of the planner. Solve does not change it.
type Problem struct {
	// Places are the coordinates that Worker.Start, Worker.End and Task.Place refer to by index. They may be empty if Travel has
	// a matrix for every profile in use. With places, StraightLine supplies missing matrices.
	Places []Place
	// Travel holds the travel times between places by profile.
	Travel map[Profile]*Matrix

	Workers []Worker
	Tasks   []Task
	// Done lists completed tasks outside the problem that other tasks may depend on.
	Done []string

	// MaxDelay is how late after Task.Before a task may end. The search avoids lateness where it can.
	MaxDelay int64
	// MaxTasksPerRoute limits the number of tasks on every route; 0 means no limit.
	MaxTasksPerRoute int
	// MaxContainerSize excludes workers who already have more tasks than this; 0 means no limit.
	MaxContainerSize int
	// Vehicle, if not empty, excludes workers with another vehicle.
	Vehicle Profile
	// MaxLeg is the longest distance in metres between two consecutive stops; 0 means no limit.
	MaxLeg int64

	Objective Objective
}

// Worker is a driver.
type Worker struct {
	ID      string
	Vehicle Profile
	// Start and End are the places where the route starts and ends. End may be Anywhere.
	Start, End int
	// From is when the worker can leave, Until when the route must end. Until may be NoLimit.
	From, Until int64
	// Capacity is what the worker can carry, Unlimited for a dimension without a limit.
	Capacity Quantities
	// Route lists the ids of the tasks that the worker already has, in their current order. They stay with the worker.
	Route []string
	// Active says that the worker has started the first task of Route, so it stays first.
	Active bool
	// MaxTasks limits the number of tasks on this route in addition to MaxTasksPerRoute; 0 means no limit.
	MaxTasks int
	// FixedCost is added to the travel time if the worker has at least one task.
	FixedCost int64
}

// Task is a pickup or a drop-off at a place.
type Task struct {
	ID    string
	Place int
	// Service is the time spent at the place.
	Service int64
	// After is the earliest start of the service, Before the latest on-time end. Before may be NoLimit.
	After, Before int64
	// Quantities are loaded by a pickup and unloaded by a drop-off.
	Quantities Quantities
	Pickup     bool
	// DependsOn lists tasks that must end before this one starts. A drop-off is on the same route as the pickups it depends on.
	DependsOn []string
}

// Errors of Validate.
var (
	ErrDuplicateID  = errors.New("two tasks or two workers have the same id")
	ErrUnknownPlace = errors.New("unknown place")
	ErrNoTravel     = errors.New("no travel times for this vehicle")
	ErrBadTime      = errors.New("time is out of range")
	ErrBadQuantity  = errors.New("quantity is out of range")
	ErrBadRoute     = errors.New("invalid route")
)

// Validate returns the first error in the problem. A valid problem may still be impossible to plan; its tasks are then left out
// with a reason.
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
		return fmt.Errorf("maximum delay %d: %w; use 0 to %d", p.MaxDelay, ErrBadTime, maxTime)
	}
	return p.validateSpan()
}

func (t *Task) validate(ids map[string]bool, places int) error {
	switch {
	case t.ID == "":
		return fmt.Errorf("a task has no id: %w; give every task its own id", ErrDuplicateID)
	case ids[t.ID]:
		return fmt.Errorf("task %q: %w; give every task its own id", t.ID, ErrDuplicateID)
	case t.Place < 0 || t.Place >= places:
		return fmt.Errorf("task %q is at place %d of %d: %w; add the place or correct the task", t.ID, t.Place, places, ErrUnknownPlace)
	case t.Service < 0 || t.Service > maxTime:
		return fmt.Errorf("service time %d of task %q: %w; use 0 to %d", t.Service, t.ID, ErrBadTime, maxTime)
	}
	for d, q := range t.Quantities {
		if q < 0 || q > maxQuantity {
			return fmt.Errorf("task %q, quantity %d is %d: %w; use 0 to %d", t.ID, d, q, ErrBadQuantity, maxQuantity)
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
			return fmt.Errorf("worker %q: %w; give every worker its own id", w.ID, ErrDuplicateID)
		}
		seen[w.ID] = true
		if err := p.validateWorker(w, places); err != nil {
			return err
		}
		for _, id := range w.Route {
			if !tasks[id] {
				return fmt.Errorf("worker %q has task %q: %w; the task is not in the problem, add it", w.ID, id, ErrBadRoute)
			}
			if other, ok := kept[id]; ok {
				return fmt.Errorf("task %q is on the routes of %q and %q: %w; a task can have only one worker", id, other, w.ID, ErrBadRoute)
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
		return fmt.Errorf("fixed cost of worker %q is %d: %w; use 0 to %d", w.ID, w.FixedCost, ErrBadTime, maxTime)
	}
	for d, q := range w.Capacity {
		if q < 0 {
			return fmt.Errorf("worker %q, capacity %d is %d: %w; use 0 or more", w.ID, d, q, ErrBadQuantity)
		}
	}
	m := p.Travel[w.Vehicle]
	if m == nil && len(p.Places) == 0 {
		return fmt.Errorf("worker %q has the vehicle %q: %w; add a matrix or coordinates for the places", w.ID, w.Vehicle, ErrNoTravel)
	}
	if m != nil && (m.Size < places || len(m.Times) != m.Size*m.Size || (m.Meters != nil && len(m.Meters) != len(m.Times))) {
		return fmt.Errorf("the matrix for %q has %d rows and %d times for %d places: %w; use one row and one column per place",
			w.Vehicle, m.Size, len(m.Times), places, ErrNoTravel)
	}
	return nil
}

// validateSpan checks that every time fits the 32-bit numbers of the search, counted from the earliest start.
func (p *Problem) validateSpan() error {
	base := p.origin()
	check := func(name, id string, at int64) error {
		if at == NoLimit || (at >= base-maxTime && at-base <= maxTime) {
			return nil
		}
		return fmt.Errorf("%s of %q is %d, more than %d from the first start %d: %w; use one unit and one origin for all times",
			name, id, at, maxTime, base, ErrBadTime)
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

// origin returns the time the search counts from: the earliest start of a worker. Without workers it is the latest start of a
// task, so that all times of the tasks are in range.
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

// placeCount returns the number of places, from the coordinates or else from the matrices.
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

// takesPart reports whether the filters include the worker. Excluded workers keep their routes and are not in the plan.
func (p *Problem) takesPart(w *Worker) bool {
	if p.Vehicle != "" && w.Vehicle != p.Vehicle {
		return false
	}
	return p.MaxContainerSize <= 0 || len(w.Route) <= p.MaxContainerSize
}

// routeLimit returns how many tasks the route of a worker may have, 0 for no limit.
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
