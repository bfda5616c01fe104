package sandbox

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/world"
)

// What a driver is doing.
const (
	phaseOff     = "off"
	phaseIdle    = "idle"
	phaseDriving = "driving"
	phaseDoor    = "door"
)

// driver is a simulated driver. What is stored of one says where they are at any time, so nothing is lost with the
// process.
type driver struct {
	worker    model.ID
	number    int
	traits traits
	changed   bool

	Phase   string `json:"phase"`
	Vehicle string `json:"vehicle"`
	// Task is what the driver is on the way to, or at the door of.
	Task model.ID `json:"task,omitzero"`
	// From, To, Left and Due are the trip; HeldAt and HeldTill are when on it the driver is held up.
	From     geo.Location `json:"from"`
	To       geo.Location `json:"to"`
	DepartedAt     model.Millis `json:"left,omitzero"`
	ArrivesAt      model.Millis `json:"due,omitzero"`
	DelayedFrom   model.Millis `json:"heldAt,omitzero"`
	DelayedUntil model.Millis `json:"heldTill,omitzero"`
	// DelayReason says why.
	DelayReason string `json:"held,omitzero"`
	// BusyUntil is when a stop or a pause ends, and SilentUntil when the phone is heard of again.
	BusyUntil       model.Millis `json:"until,omitzero"`
	SilentUntil model.Millis `json:"silentUntil,omitzero"`
	// Charge is what the phone's battery had when the duty began, or when it was last plugged in.
	Charge    float64      `json:"charge,omitzero"`
	ChargedAt model.Millis `json:"chargedAt,omitzero"`
	// Relieved says that the dispatcher has taken a task away because of this trip.
	Relieved bool `json:"relieved,omitzero"`
	// NothingToDeliver says that there is nothing to hand over, because it could not be picked up.
	NothingToDeliver bool `json:"pointless,omitzero"`
}

// traits is how a driver is: it follows from the seed and the driver's number.
type traits struct {
	// shiftStart is when the shift begins, relative to the moment people first see the city, and lasts how long it is.
	shiftStart, shiftLength time.Duration
	// pace is how long this driver's ways take compared with the estimate.
	pace float64
	// batteryDrain is how much of the battery an hour takes.
	batteryDrain float64
	// takesBreak says that the driver goes off duty for lunch.
	takesBreak bool
}

func (s *Sandbox) traitsOf(number int) traits {
	rng := s.newRand("character", int64(number))
	c := traits{
		pace: 0.85 + 0.4*rng.Float64(), batteryDrain: 0.05 + 0.07*rng.Float64(), takesBreak: chance(rng, 50),
		shiftLength: randomDuration(rng, 8*time.Hour, 9*time.Hour+30*time.Minute),
	}
	// By numbers, not by chance, so that small fleets have some of each: of twenty drivers twelve of the day, three who
	// began early, three who come later, one of the evening and one of the night.
	switch n := (number*7 + 3) % 20; {
	case n < 12:
		c.shiftStart = -s.history() - randomDuration(rng, -20*time.Minute, 30*time.Minute)
	case n < 15:
		c.shiftStart = -randomDuration(rng, 5*time.Hour, 7*time.Hour)
	case n < 18:
		c.shiftStart = randomDuration(rng, 15*time.Minute, 3*time.Hour)
	case n < 19:
		c.shiftStart = randomDuration(rng, 5*time.Hour, 7*time.Hour)
	default:
		c.shiftStart = randomDuration(rng, 10*time.Hour, 13*time.Hour)
	}
	return c
}

// shift is one working day of a driver.
type shift struct {
	start, end         model.Millis
	breakStart, breakEnd model.Millis
	onDutyFrom                model.Millis // when the driver really comes
	absent               bool
}

// shiftOn is the shift of a day; day 0 is the one that people first see.
func (s *Sandbox) shiftOn(d *driver, day int64) shift {
	rng := s.newRand("shift", int64(d.number)<<20+day)
	begins := s.state.LiveFrom.Add(d.traits.shiftStart + time.Duration(day)*24*time.Hour)
	sh := shift{start: begins, end: begins.Add(d.traits.shiftLength), onDutyFrom: begins}
	if chance(rng, 15) {
		sh.onDutyFrom = begins.Add(randomDuration(rng, 5*time.Minute, 35*time.Minute))
	}
	if d.traits.takesBreak {
		sh.breakStart = begins.Add(randomDuration(rng, 3*time.Hour+30*time.Minute, 5*time.Hour))
		sh.breakEnd = sh.breakStart.Add(randomDuration(rng, 20*time.Minute, 35*time.Minute))
	}
	sh.absent = day > 0 && chance(rng, 5)
	return sh
}

// shiftAt is the shift that a time lies in, if it lies in one.
func (s *Sandbox) shiftAt(d *driver, now model.Millis) (shift, bool) {
	const day = 24 * time.Hour
	since := now.Sub(s.state.LiveFrom.Add(d.traits.shiftStart))
	today := int64(math.Floor(float64(since) / float64(day))) // shifts are shorter than a day
	sh := s.shiftOn(d, today)
	return sh, !sh.absent && sh.start <= now && now < sh.end
}

// isWorking reports whether a driver is on duty, if it goes as it usually does.
func (s *Sandbox) isWorking(d *driver, now model.Millis) bool {
	sh, ok := s.shiftAt(d, now)
	return ok && sh.onDutyFrom <= now && (now < sh.breakStart || now >= sh.breakEnd)
}

// shiftEndsWithin reports whether a driver's shift is over, or nearly.
func (s *Sandbox) shiftEndsWithin(d *driver, now model.Millis, within time.Duration) bool {
	sh, ok := s.shiftAt(d, now)
	return !ok || sh.end < now.Add(within)
}

// location is the place of a driver on the way at a time.
func (d *driver) location(now model.Millis) geo.Location {
	if d.Phase != phaseDriving || d.ArrivesAt <= d.DepartedAt {
		return d.To
	}
	moving := d.ArrivesAt.Sub(d.DepartedAt) - d.DelayedUntil.Sub(d.DelayedFrom)
	moved := now.Sub(d.DepartedAt) - max(0, min(now, d.DelayedUntil).Sub(d.DelayedFrom))
	path := gridPath(d.From, d.To)
	at, _ := path.At(path.Length() * float64(moved) / float64(max(1, moving)))
	return at
}

// gridPath is a way between two points that keeps to the grid: some way along the streets, across along the avenues,
// and along the streets again.
func gridPath(from, to geo.Location) geo.Path {
	const avenues = 351.0 // the bearing of most streets that run north
	straight, bearing := from.Distance(to), from.Bearing(to)
	north, east := components(straight, bearing-avenues)
	first := from.Move(avenues+90, east/2)
	second := first.Move(avenues, north)
	return geo.NewPath(from, first, second, to)
}

// battery is the charge of the driver's phone.
func (d *driver) battery(now model.Millis) float64 {
	level := d.Charge - d.traits.batteryDrain*now.Sub(d.ChargedAt).Hours()
	return max(2, math.Round(100*level)) / 100 // phones tell whole percents
}

// workerRow is a worker as the world knows it.
type workerRow struct {
	onDuty bool
	active model.ID
}

func (s *Sandbox) loadWorkers(ctx context.Context) (map[model.ID]workerRow, error) {
	rows, err := s.store.Query(ctx, "SELECT id, on_duty, active_task FROM workers WHERE org = $1", s.state.Org)
	if err != nil {
		return nil, fmt.Errorf("read the drivers: %w", err)
	}
	defer rows.Close()
	workers := make(map[model.ID]workerRow, len(s.drivers))
	for rows.Next() {
		var id model.ID
		var row workerRow
		var active sql.NullString
		if err := rows.Scan(&id, &row.onDuty, &active); err != nil {
			return nil, fmt.Errorf("read a driver: %w", err)
		}
		row.active = model.ID(active.String)
		workers[id] = row
	}
	return workers, rows.Err()
}

// moveDrivers lets every driver act, and reports where they are.
func (s *Sandbox) moveDrivers(ctx context.Context, now model.Millis, tick time.Duration) error {
	workers, err := s.loadWorkers(ctx)
	if err != nil {
		return err
	}
	var positions []world.Position
	for _, d := range s.drivers {
		row, ok := workers[d.worker]
		if !ok {
			continue // deleted at the console
		}
		if err := s.stepDriver(ctx, d, row, now); err != nil {
			return err
		}
		if d.shouldReport(now, tick) {
			positions = append(positions, d.position(now))
		}
	}
	if len(positions) == 0 {
		return nil
	}
	return s.world.ReportPositions(ctx, positions)
}

// How often a phone reports: often on the way, now and then at a door, and less while the hours before are lived
// through, when nobody looks.
const (
	reportDriving = 15 * time.Second
	reportWaiting = time.Minute
	reportHistory = 5 * time.Minute
)

func (d *driver) shouldReport(now model.Millis, tick time.Duration) bool {
	if d.Phase == phaseOff || now < d.SilentUntil {
		return false
	}
	every := reportWaiting
	if d.Phase == phaseDriving {
		every = reportDriving
	}
	if tick == historyTick {
		every = reportHistory
	}
	return isDue(now, every, time.Duration(d.number)*liveTick, tick)
}

func (d *driver) position(now model.Millis) world.Position {
	return world.Position{Worker: d.worker, Location: toModelLocation(d.location(now)), Time: now, Battery: model.Some(d.battery(now))}
}

// reportPosition tells where the driver is at once, as the app does with every step of a task.
func (s *Sandbox) reportPosition(ctx context.Context, d *driver, now model.Millis) error {
	return ignoreRefusal(s.world.ReportPositions(ctx, []world.Position{d.position(now)}))
}

// stepDriver lets one driver act.
func (s *Sandbox) stepDriver(ctx context.Context, d *driver, row workerRow, now model.Millis) error {
	if !row.onDuty {
		return s.stepOffDuty(ctx, d, now)
	}
	if d.Phase == phaseOff { // on duty by somebody else's doing
		d.Phase, d.changed = phaseIdle, true
	}
	if row.active != d.Task {
		d.interrupt(now)
		if row.active != "" {
			return s.resumeTask(ctx, d, row.active, now)
		}
	}
	switch d.Phase {
	case phaseDriving:
		if now >= d.ArrivesAt {
			return s.arriveAtTask(ctx, d, now)
		}
	case phaseDoor:
		if now >= d.BusyUntil {
			return s.finishTask(ctx, d, now)
		}
	default:
		if now >= d.BusyUntil {
			return s.chooseTask(ctx, d, now)
		}
	}
	return nil
}

// interrupt takes a driver from what they were doing: it was completed or taken away at the console.
func (d *driver) interrupt(now model.Millis) {
	d.To = d.location(now)
	d.Phase, d.Task, d.BusyUntil, d.changed = phaseIdle, "", now, true
}

// stepOffDuty lets a driver who is off duty come to work.
func (s *Sandbox) stepOffDuty(ctx context.Context, d *driver, now model.Millis) error {
	if d.Phase != phaseOff {
		d.To = d.location(now)
		d.Phase, d.Task, d.changed = phaseOff, "", true
	}
	if !s.isWorking(d, now) {
		return nil
	}
	rng := s.newRand("comes", int64(now)+int64(d.number))
	if err := s.world.GoOnDuty(ctx, d.worker); err != nil {
		return ignoreRefusal(err)
	}
	if hub := s.teamOf(d.number).Hub; d.To == (geo.Location{}) || now.Sub(d.ChargedAt) > 6*time.Hour {
		d.To = hub.Move(rng.Float64()*360, 40+rng.Float64()*120)
		d.Charge, d.ChargedAt = 0.75+0.25*rng.Float64(), now
		if chance(rng, 12) {
			d.Charge = 0.2 + 0.25*rng.Float64() // forgot to charge it
		}
	}
	d.Phase, d.Task, d.BusyUntil, d.changed = phaseIdle, "", now.Add(randomDuration(rng, 30*time.Second, 6*time.Minute)), true
	return s.reportPosition(ctx, d, now)
}
