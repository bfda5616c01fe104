package board

import (
	"math"
	"slices"
	"time"

	"waybill/model"
)

// Arrival is an estimate of when a worker would reach a task at the end of their route, and how late that would be. It
// assumes straight lines at the speed of the vehicle, with a factor for streets.
type Arrival struct {
	FreeAt       model.Millis // when they are done with their route; now without one
	At           model.Millis // zero when a location is unknown
	DoneAt       model.Millis // after waiting for the window and the service time
	Late         time.Duration
	Meters       float64 // distance driven; negative when unknown
	FromLastStop bool    // they start at the last stop of their route, not at their position
	ViaPickup    bool    // they make the pickup first
	due          model.Millis
}

// OnTime reports that there is a due time and it would be met.
func (a *Arrival) OnTime() bool { return a.At != 0 && a.due != 0 && a.Late == 0 }

// ArrivalText returns the estimate in words: "there 14:20, on time". Without a due time it is only the time.
func (a *Arrival) ArrivalText(zone *time.Location) string {
	if a.At == 0 {
		return "arrival unknown"
	}
	at := a.At.Time().In(zone).Format("15:04")
	switch {
	case a.due == 0:
		return "there ~" + at
	case a.Late == 0:
		return "there " + at + ", on time"
	}
	return "there " + at + ", " + model.FormatShortDelay(a.Late) + " late"
}

// GainOver returns how much earlier this arrival is than another, in whole minutes as shown; negative when it is later. It
// is false when one of the two is unknown.
func (a *Arrival) GainOver(other Arrival) (gain time.Duration, known bool) {
	minute := func(at model.Millis) time.Time { return at.Time().Truncate(time.Minute) }
	return minute(other.At).Sub(minute(a.At)), a.At != 0 && other.At != 0
}

// GainText returns a gain in words: "20m better", "5m worse".
func GainText(gain time.Duration) string {
	switch {
	case gain > 0:
		return model.FormatShortDelay(gain) + " better"
	case gain < 0:
		return model.FormatShortDelay(-gain) + " worse"
	}
	return "no difference"
}

// DistanceText returns the distance with where it starts.
func (a *Arrival) DistanceText() string {
	if a.Meters < 0 {
		return "distance unknown"
	}
	text := model.FormatDistance(math.Round(a.Meters/10) * 10)
	switch {
	case a.FromLastStop:
		text += " from the last stop"
	default:
		text += " away"
	}
	if a.ViaPickup {
		text += " via its pickup"
	}
	return text
}

const (
	unknownStopTime   = 8 * time.Minute  // for a stop that the board does not know, with the travel to it
	defaultStopTime   = 3 * time.Minute  // for a stop without a service time
	unknownTravelTime = 20 * time.Minute // to or from an unknown location
)

// EstimateArrival estimates the arrival at a task that is appended to a route. Tasks in first that are not on the route,
// such as its pickup, are done before it.
func EstimateArrival(now model.Millis, w *WorkerRow, route []Stop, first []*TaskRow, task *TaskRow) Arrival {
	trip := trip{clock: now, location: w.Location, hasLocation: w.HasLocation, vehicle: w.Vehicle}
	for i := range route {
		trip.driveStop(route[i].Row)
	}
	a := Arrival{FreeAt: trip.clock, FromLastStop: len(route) > 0 && trip.atStop, due: task.Due}
	trip.meters, trip.hasUnknownLeg = 0, false
	for _, before := range first {
		if !slices.ContainsFunc(route, func(s Stop) bool { return s.ID == before.ID }) {
			trip.visit(before, stopTime(before))
			a.ViaPickup = true
		}
	}
	trip.endAt(&a, task)
	return a
}

// endAt ends a trip at a task. Lateness counts to the arrival, as on the board.
func (t *trip) endAt(a *Arrival, task *TaskRow) {
	a.At = t.visit(task, timeAtStop(task))
	a.Meters, a.DoneAt = t.meters, t.clock
	if task.Due != 0 {
		a.Late = max(0, minutesBetween(task.Due, a.At))
	}
	if t.hasUnknownLeg {
		a.Meters, a.At = -1, 0
	}
}

// timeAtStop returns how long a task takes after arrival. The service's estimate for the present worker is used for the
// others too, so that the estimates can be compared.
func timeAtStop(task *TaskRow) time.Duration {
	if task.Finish != 0 && task.Arrival != 0 {
		return max(0, task.Finish.Sub(task.Arrival))
	}
	return stopTime(task)
}

// trip is a worker driving from stop to stop.
type trip struct {
	clock         model.Millis
	location      model.Location
	hasLocation   bool
	atStop        bool // location is that of a stop
	vehicle       model.VehicleType
	meters        float64
	hasUnknownLeg bool // an end of a leg is unknown
}

// driveStop drives to a stop of the route. The service's estimate is used where there is one.
func (t *trip) driveStop(row *TaskRow) {
	switch {
	case row == nil:
		t.clock = t.clock.Add(unknownStopTime)
	case row.Finish != 0:
		finish := row.Finish
		if finish == row.Arrival { // only the arrival is known
			finish = finish.Add(stopTime(row))
		}
		t.clock = max(t.clock, finish)
		t.moveTo(row)
	default:
		t.visit(row, stopTime(row))
	}
}

// visit drives to a task, waits for its window, does it, and returns the arrival.
func (t *trip) visit(row *TaskRow, takes time.Duration) (there model.Millis) {
	if t.hasLocation && row.HasLocation {
		meters := t.location.MetersTo(row.Location)
		t.meters += meters
		t.clock = t.clock.Add(t.vehicle.Pace().Duration(meters))
	} else {
		t.hasUnknownLeg = true
		t.clock = t.clock.Add(unknownTravelTime)
	}
	there = t.clock
	t.clock = max(t.clock, row.Earliest).Add(takes)
	t.moveTo(row)
	return there
}

func (t *trip) moveTo(row *TaskRow) {
	if row.HasLocation {
		t.location, t.hasLocation, t.atStop = row.Location, true, true
	}
}

func stopTime(row *TaskRow) time.Duration {
	if row.Service > 0 {
		return row.Service
	}
	return defaultStopTime
}

// ArrivalOf estimates when a worker would reach a task at the end of their route.
func (s *Snapshot) ArrivalOf(w *WorkerRow, task *TaskRow) Arrival {
	route := slices.DeleteFunc(s.Route(w), func(stop Stop) bool { return stop.ID == task.ID })
	return EstimateArrival(s.Now, w, route, s.openDependencies(task), task)
}

// CurrentArrival returns when the present worker of a task is expected: by the service's estimate, which lateness counts
// to, or else by the route on the board. It is false for an unassigned or closed task.
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
	trip := trip{clock: s.Now, location: w.Location, hasLocation: w.HasLocation, vehicle: w.Vehicle}
	for _, stop := range s.Route(w) {
		if stop.ID == task.ID {
			break
		}
		trip.driveStop(stop.Row)
	}
	a.FreeAt, a.FromLastStop = trip.clock, trip.atStop
	trip.meters, trip.hasUnknownLeg = 0, false
	trip.endAt(&a, task)
	return a, true
}

// openDependencies lists the open tasks that a task depends on.
func (s *Snapshot) openDependencies(task *TaskRow) []*TaskRow {
	var open []*TaskRow
	for _, id := range task.Dependencies {
		if row := s.Tasks.Get(id); row != nil && !row.Status.Closed() {
			open = append(open, row)
		}
	}
	return open
}
