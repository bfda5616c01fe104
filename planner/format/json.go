package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"waybill/planner"
)

// Day is the JSON problem: a working day with people, tasks and rules. docs/planner.md describes every field.
type Day struct {
	Name   string  `json:"name,omitempty"`
	Places []Place `json:"places,omitempty"`
	// Travel has the travel times of a vehicle, one row and one column for each of Places. Without it they are estimated.
	Travel  map[string]Table `json:"travel,omitempty"`
	Workers []Worker         `json:"workers"`
	Tasks   []Task           `json:"tasks"`
	// Completed names tasks that are done, for dependencies on them.
	Completed []string `json:"completed,omitempty"`
	Rules     Rules    `json:"rules"`
}

// Place is a point with a name.
type Place struct {
	ID  string  `json:"id"`
	Lat float64 `json:"lat"`
	Lng float64 `json:"lng"`
}

// Table is a matrix of travel times in seconds, and of distances in metres when they are known. -1 is no way.
type Table struct {
	Seconds [][]float64 `json:"seconds"`
	Meters  [][]float64 `json:"meters,omitempty"`
}

// Worker is one line of the staff.
type Worker struct {
	ID      string   `json:"id"`
	Vehicle string   `json:"vehicle,omitempty"`
	Start   Location `json:"start"`
	// End is where the route ends: a location, null for anywhere, or nothing for the rules' routeEnd.
	End                  json.RawMessage    `json:"end,omitempty"`
	From                 Moment             `json:"from"`
	Until                *Moment            `json:"until,omitempty"`
	Capacity             *float64           `json:"capacity,omitempty"`
	AdditionalCapacities map[string]float64 `json:"additionalCapacities,omitempty"`
	Route                []string           `json:"route,omitempty"`
	Active               bool               `json:"active,omitempty"`
	MaxTasks             int                `json:"maxTasks,omitempty"`
	// FixedCost is in minutes of travel.
	FixedCost float64 `json:"fixedCost,omitempty"`
}

// Task is one thing to do.
type Task struct {
	ID string   `json:"id"`
	At Location `json:"at"`
	// ServiceTime is in minutes; nothing means the rules' serviceTime.
	ServiceTime          *float64           `json:"serviceTime,omitempty"`
	CompleteAfter        *Moment            `json:"completeAfter,omitempty"`
	CompleteBefore       *Moment            `json:"completeBefore,omitempty"`
	Quantity             float64            `json:"quantity,omitempty"`
	AdditionalQuantities map[string]float64 `json:"additionalQuantities,omitempty"`
	PickupTask           bool               `json:"pickupTask,omitempty"`
	Dependencies         []string           `json:"dependencies,omitempty"`
}

// Rules hold for the whole day. Times are in minutes.
type Rules struct {
	ServiceTime      *float64        `json:"serviceTime,omitempty"`
	MaxAllowedDelay  *float64        `json:"maxAllowedDelay,omitempty"`
	MaxTasksPerRoute int             `json:"maxTasksPerRoute,omitempty"`
	MaxContainerSize int             `json:"maxContainerSize,omitempty"`
	VehicleType      string          `json:"vehicleType,omitempty"`
	MaxMiles         *float64        `json:"maxMiles,omitempty"`
	RouteEnd         json.RawMessage `json:"routeEnd,omitempty"`
	Objective        string          `json:"objective,omitempty"`
	DetourFactor     float64         `json:"detourFactor,omitempty"`
}

// Defaults of the rules, those of a dispatch.
const (
	defaultService = 2.0
	defaultDelay   = 10.0
	defaultMiles   = 200.0
	metersPerMile  = 1609.344
	// quantityScale keeps three decimals of quantities.
	quantityScale = 1000
)

// ReadJSON reads a Day. A field it does not know is an error, because a misspelt rule would otherwise be no rule.
func ReadJSON(r io.Reader) (*Document, error) {
	var day Day
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&day); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	if err := d.Decode(&struct{}{}); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: there is more after the end of the document", ErrSyntax)
	}
	p, err := day.Problem()
	if err != nil {
		return nil, err
	}
	return &Document{Name: day.Name, Format: JSON, Problem: p, Scale: 1}, nil
}

// Problem turns the day into a planning problem in seconds.
func (d *Day) Problem() (*planner.Problem, error) {
	if len(d.Places) > maxFileTasks || len(d.Tasks) > maxFileTasks || len(d.Workers) > maxFileTasks {
		return nil, fmt.Errorf("%w: more than %d places, tasks or workers", ErrSyntax, maxFileTasks)
	}
	b := &dayBuilder{day: d, p: &planner.Problem{}, known: map[string]int{}}
	for i, place := range d.Places {
		if _, ok := b.known[place.ID]; ok {
			return nil, fmt.Errorf("%w: place %q is there twice", ErrSyntax, place.ID)
		}
		b.known[place.ID] = i
		if err := b.addPlace(place.Lat, place.Lng); err != nil {
			return nil, fmt.Errorf("place %q: %w", place.ID, err)
		}
	}
	steps := []func() error{b.addRules, b.addTasks, b.addWorkers, b.addTravel, func() error { return b.p.Validate() }}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.p, nil
}

// dayBuilder collects a problem from a day.
type dayBuilder struct {
	day   *Day
	p     *planner.Problem
	known map[string]int // place by id
}

func (b *dayBuilder) addPlace(lat, lng float64) error {
	if math.IsNaN(lat) || math.IsNaN(lng) || math.Abs(lat) > 90 || math.Abs(lng) > 180 {
		return fmt.Errorf("%w: %v, %v is no point on the globe; give latitude and longitude in degrees", ErrSyntax, lat, lng)
	}
	b.p.Places = append(b.p.Places, planner.Place{Lat: lat, Lng: lng})
	return nil
}

// placeOf returns the place of a location, a new one for coordinates.
func (b *dayBuilder) placeOf(l Location) (int, error) {
	if l.Name != "" {
		if i, ok := b.known[l.Name]; ok {
			return i, nil
		}
		return 0, fmt.Errorf("%w: there is no place %q; add it to places or give [latitude, longitude]", ErrSyntax, l.Name)
	}
	if !l.set {
		return 0, fmt.Errorf("%w: a location is missing; give the id of a place or [latitude, longitude]", ErrSyntax)
	}
	return len(b.p.Places), b.addPlace(l.Lat, l.Lng)
}

// endPlaceOf reads an end: null is anywhere.
func (b *dayBuilder) endPlaceOf(raw json.RawMessage) (int, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return planner.Anywhere, nil
	}
	var l Location
	if err := json.Unmarshal(raw, &l); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	return b.placeOf(l)
}

func (b *dayBuilder) addRules() error {
	r := &b.day.Rules
	b.p.MaxTasksPerRoute, b.p.MaxContainerSize = r.MaxTasksPerRoute, r.MaxContainerSize
	b.p.Vehicle = planner.Profile(strings.ToLower(r.VehicleType))
	b.p.Done = b.day.Completed
	var err error
	if b.p.MaxDelay, err = minutesToSeconds(valueOr(r.MaxAllowedDelay, defaultDelay)); err != nil {
		return fmt.Errorf("maxAllowedDelay: %w", err)
	}
	miles := valueOr(r.MaxMiles, defaultMiles)
	if math.IsNaN(miles) || miles < 0 || miles > 25_000 {
		return fmt.Errorf("%w: maxMiles is %v; give a number of miles, or 0 for no bound", ErrSyntax, miles)
	}
	b.p.MaxLeg = int64(miles * metersPerMile)
	switch r.Objective {
	case "", "travel":
	case "workers":
		b.p.Objective = planner.FewestWorkers
	default:
		return fmt.Errorf("%w: objective %q is neither \"travel\" nor \"workers\"", ErrSyntax, r.Objective)
	}
	return nil
}

func (b *dayBuilder) addTasks() error {
	for i := range b.day.Tasks {
		t := &b.day.Tasks[i]
		task, err := b.newTask(t)
		if err != nil {
			return fmt.Errorf("task %q: %w", t.ID, err)
		}
		b.p.Tasks = append(b.p.Tasks, task)
	}
	return nil
}

func (b *dayBuilder) newTask(t *Task) (planner.Task, error) {
	place, err := b.placeOf(t.At)
	if err != nil {
		return planner.Task{}, err
	}
	service, err := minutesToSeconds(valueOr(t.ServiceTime, valueOr(b.day.Rules.ServiceTime, defaultService)))
	if err != nil {
		return planner.Task{}, fmt.Errorf("serviceTime: %w", err)
	}
	task := planner.Task{ID: t.ID, Place: place, Service: service, Before: planner.NoLimit, Pickup: t.PickupTask, DependsOn: t.Dependencies}
	if t.CompleteAfter != nil {
		task.After = int64(*t.CompleteAfter)
	}
	if t.CompleteBefore != nil {
		task.Before = int64(*t.CompleteBefore)
	}
	task.Quantities, err = readQuantities(&t.Quantity, t.AdditionalQuantities, "quantity", 0)
	return task, err
}

func (b *dayBuilder) addWorkers() error {
	for i := range b.day.Workers {
		w := &b.day.Workers[i]
		worker, err := b.newWorker(w)
		if err != nil {
			return fmt.Errorf("worker %q: %w", w.ID, err)
		}
		b.p.Workers = append(b.p.Workers, worker)
	}
	return nil
}

func (b *dayBuilder) newWorker(w *Worker) (planner.Worker, error) {
	worker := planner.Worker{
		ID: w.ID, Vehicle: planner.Profile(strings.ToLower(w.Vehicle)), From: int64(w.From), Until: planner.NoLimit,
		Route: w.Route, Active: w.Active, MaxTasks: w.MaxTasks,
	}
	if worker.Vehicle == "" {
		worker.Vehicle = planner.Foot
	}
	if w.Until != nil {
		worker.Until = int64(*w.Until)
	}
	end := w.End
	if end == nil {
		end = b.day.Rules.RouteEnd
	}
	var errs [4]error
	worker.Start, errs[0] = b.placeOf(w.Start)
	worker.End, errs[1] = b.endPlaceOf(end)
	worker.FixedCost, errs[2] = minutesToSeconds(w.FixedCost)
	worker.Capacity, errs[3] = readQuantities(w.Capacity, w.AdditionalCapacities, "capacity", planner.Unlimited)
	return worker, errors.Join(errs[:]...)
}

// addTravel fills in the matrices: those of the file, else estimates with its detour factor.
func (b *dayBuilder) addTravel() error {
	b.p.Travel = map[planner.Profile]*planner.Matrix{}
	for vehicle, table := range b.day.Travel {
		if len(b.p.Places) != len(b.day.Places) {
			return fmt.Errorf("%w: with travel times every location must be the id of a place", ErrSyntax)
		}
		m, err := table.matrix(len(b.p.Places))
		if err != nil {
			return fmt.Errorf("travel times of %q: %w", vehicle, err)
		}
		b.p.Travel[planner.Profile(strings.ToLower(vehicle))] = m
	}
	detour := b.day.Rules.DetourFactor
	if math.IsNaN(detour) || detour < 0 || detour > 10 {
		return fmt.Errorf("%w: detourFactor %v should be between 1 and 10", ErrSyntax, detour)
	}
	for i := range b.p.Workers {
		v := b.p.Workers[i].Vehicle
		if b.p.Travel[v] == nil {
			b.p.Travel[v] = planner.StraightLine(b.p.Places, v, detour)
		}
	}
	return nil
}

func (t *Table) matrix(places int) (*planner.Matrix, error) {
	m := &planner.Matrix{Size: places}
	var err error
	if m.Times, err = flatten(t.Seconds, places); err != nil {
		return nil, err
	}
	if t.Meters != nil {
		m.Meters, err = flatten(t.Meters, places)
	}
	return m, err
}

func flatten(rows [][]float64, places int) ([]int32, error) {
	if len(rows) != places {
		return nil, fmt.Errorf("%w: %d rows for %d places", ErrSyntax, len(rows), places)
	}
	flat := make([]int32, 0, places*places)
	for i, row := range rows {
		if len(row) != places {
			return nil, fmt.Errorf("%w: row %d has %d columns for %d places", ErrSyntax, i, len(row), places)
		}
		for _, x := range row {
			switch {
			case x < 0 || math.IsNaN(x) || x >= math.MaxInt32:
				flat = append(flat, planner.Unreachable)
			default:
				flat = append(flat, int32(math.Round(x)))
			}
		}
	}
	return flat, nil
}
