package board

import (
	"slices"
	"time"

	"waybill/model"
)

// Arrival is when a worker would be at a task that is added to the end of their route, and what that means for its
// window. It is an estimate: ways are as the crow flies at the speed of the vehicle, streets allowed for.
type Arrival struct {
	FreeAt  model.Millis // done with what they have; now for who has nothing
	At  model.Millis // zero when nobody knows where they set out from, or where the task is
	DoneAt model.Millis // done there: not before the window begins, and with the time the stop takes
	Late   time.Duration
	Meters    float64 // meters from where they set out; negative when unknown
	FromLastStop bool    // they set out from the last stop of their route, not from where they are
	ViaPickup bool    // the way leads past the pickup that has to be made first
	due    model.Millis
}

// OnTime reports that there is a window and it would be met.
func (a *Arrival) OnTime() bool { return a.At != 0 && a.due != 0 && a.Late == 0 }

// ArrivalText is the estimate in words: "there 14:20, in time". Without a window there is nothing to be in time for.
func (a *Arrival) ArrivalText(zone *time.Location) string {
	if a.At == 0 {
		return "arrival unknown"
	}
	at := a.At.Time().In(zone).Format("15:04")
	switch {
	case a.due == 0:
		return "there ~" + at
	case a.Late == 0:
		return "there " + at + ", in time"
	}
	return "there " + at + ", " + model.FormatShortDelay(a.Late) + " late"
}

// GainOver is how much sooner somebody would be there than by another arrival, negative when later, in the whole minutes
// that are shown. It is false when one of them is not known.
func (a *Arrival) GainOver(other Arrival) (gain time.Duration, known bool) {
	minute := func(at model.Millis) time.Time { return at.Time().Truncate(time.Minute) }
	return minute(other.At).Sub(minute(a.At)), a.At != 0 && other.At != 0
}

// GainText is a gain in words: "20m better", "5m worse".
func GainText(gain time.Duration) string {
	switch {
	case gain > 0:
		return model.FormatShortDelay(gain) + " better"
	case gain < 0:
		return model.FormatShortDelay(-gain) + " worse"
	}
	return "no difference"
}

// DistanceText is the way that was counted, named by where it begins.
func (a *Arrival) DistanceText() string {
	if a.Meters < 0 {
		return "distance unknown"
	}
	text := distanceText(a.Meters)
	switch {
	case a.FromLastStop:
		text += " from the last stop"
	default:
		text += " away"
	}
	if a.ViaPickup {
		text += " by way of its pickup"
	}
	return text
}

const (
	unknownStop = 8 * time.Minute  // a stop that the board does not know, with the way to it
	usualStop   = 3 * time.Minute  // what handing something over takes where nothing is said
	unknownWay  = 20 * time.Minute // to or from a place nobody knows
)

// EstimateArrival appends a task to a route. The route is what the worker has before them, in order; first is what
// has to be done before the task and is not on the route, such as its pickup.
func EstimateArrival(now model.Millis, w *WorkerRow, route []Stop, first []*TaskRow, task *TaskRow) Arrival {
	trip := trip{at: now, place: w.Location, placed: w.HasLocation, vehicle: w.Vehicle}
	for i := range route {
		trip.stop(route[i].Row)
	}
	a := Arrival{FreeAt: trip.at, FromLastStop: len(route) > 0 && trip.moved, due: task.Due}
	trip.way, trip.unknown = 0, false
	for _, before := range first {
		if !slices.ContainsFunc(route, func(s Stop) bool { return s.ID == before.ID }) {
			trip.visit(before, stopTime(before))
			a.ViaPickup = true
		}
	}
	trip.arrive(&a, task)
	return a
}

// arrive ends a trip at a task. It counts as late by when it would be reached, as on the board.
func (t *trip) arrive(a *Arrival, task *TaskRow) {
	a.At = t.visit(task, timeAt(task))
	a.Meters, a.DoneAt = t.way, t.at
	if task.Due != 0 {
		a.Late = max(0, clockMinutes(task.Due, a.At))
	}
	if t.unknown {
		a.Meters, a.At = -1, 0
	}
}

// timeAt is how long a task takes once somebody is there. What the service counts for whoever has it now holds for the
// others too, so that their estimates can be compared with its own.
func timeAt(task *TaskRow) time.Duration {
	if task.Finish != 0 && task.Arrival != 0 {
		return max(0, task.Finish.Sub(task.Arrival))
	}
	return stopTime(task)
}

// trip is a worker going from stop to stop.
type trip struct {
	at      model.Millis
	place   model.Location
	placed  bool
	moved   bool // place is that of a stop
	vehicle model.VehicleType
	way     float64
	unknown bool // a leg had an end that nobody knows
}

// stop goes to one that is on the route already: the service's own estimate counts where it gives one.
func (t *trip) stop(row *TaskRow) {
	switch {
	case row == nil:
		t.at = t.at.Add(unknownStop)
	case row.Finish != 0:
		finish := row.Finish
		if finish == row.Arrival { // it was told when they arrive, not when they are done
			finish = finish.Add(stopTime(row))
		}
		t.at = max(t.at, finish)
		t.moveTo(row)
	default:
		t.visit(row, stopTime(row))
	}
}

// visit goes to a task, waits for its window to begin, does it, and tells when it was reached.
func (t *trip) visit(row *TaskRow, takes time.Duration) (there model.Millis) {
	if t.placed && row.HasLocation {
		meters := t.place.MetersTo(row.Location)
		t.way += meters
		t.at = t.at.Add(travelTime(meters, t.vehicle))
	} else {
		t.unknown = true
		t.at = t.at.Add(unknownWay)
	}
	there = t.at
	t.at = max(t.at, row.Earliest).Add(takes)
	t.moveTo(row)
	return there
}

func (t *trip) moveTo(row *TaskRow) {
	if row.HasLocation {
		t.place, t.placed, t.moved = row.Location, true, true
	}
}

func stopTime(row *TaskRow) time.Duration {
	if row.Service > 0 {
		return row.Service
	}
	return usualStop
}

// ArrivalOf estimates when a worker would be at a task if it came last on their route.
func (s *Snapshot) ArrivalOf(w *WorkerRow, task *TaskRow) Arrival {
	route := slices.DeleteFunc(s.Route(w), func(stop Stop) bool { return stop.ID == task.ID })
	return EstimateArrival(s.Now, w, route, s.openBefore(task), task)
}

// CurrentArrival is when whoever has a task now is expected at it: by the service's word, which is what the board counts
// lateness by, else by the route as the board knows it. It is false for a task that nobody has.
func (s *Snapshot) CurrentArrival(task *TaskRow) (Arrival, bool) {
	w := s.Workers.Get(task.Worker)
	if w == nil || task.Status.Closed() {
		return Arrival{}, false
	}
	a := Arrival{due: task.Due, Meters: -1}
	if task.Arrival != 0 {
		a.At, a.DoneAt = max(s.Now, task.Arrival), max(s.Now, task.Finish)
		a.FreeAt, a.Late = a.At, task.Lateness(s.Now)
		return a, true
	}
	trip := trip{at: s.Now, place: w.Location, placed: w.HasLocation, vehicle: w.Vehicle}
	for _, stop := range s.Route(w) {
		if stop.ID == task.ID {
			break
		}
		trip.stop(stop.Row)
	}
	a.FreeAt, a.FromLastStop = trip.at, trip.moved
	trip.way, trip.unknown = 0, false
	trip.arrive(&a, task)
	return a, true
}

// openBefore lists what a task waits for.
func (s *Snapshot) openBefore(task *TaskRow) []*TaskRow {
	var open []*TaskRow
	for _, id := range task.Dependencies {
		if row := s.Tasks.Get(id); row != nil && !row.Status.Closed() {
			open = append(open, row)
		}
	}
	return open
}
