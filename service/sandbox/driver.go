package sandbox

import (
	"context"
	"database/sql"
	"math"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/store"
	"waybill/service/world"
)

// The phases of a driver.
const (
	phaseOff     = "off"
	phaseIdle    = "idle"
	phaseDriving = "driving"
	phaseDoor    = "door"
)

// driver is a simulated driver. Its stored fields determine where it is at any time, so that a killed process can continue.
type driver struct {
	worker  model.ID
	number  int
	traits  traits
	changed bool

	Phase   string `json:"phase"`
	Vehicle string `json:"vehicle"`
	// Task is the task that the driver is driving to or working on.
	Task model.ID `json:"task,omitzero"`
	// From, To, DepartedAt and ArrivesAt describe the trip, DelayedFrom and DelayedUntil a delay on it.
	From         geo.Location `json:"from"`
	To           geo.Location `json:"to"`
	DepartedAt   model.Millis `json:"left,omitzero"`
	ArrivesAt    model.Millis `json:"due,omitzero"`
	DelayedFrom  model.Millis `json:"heldAt,omitzero"`
	DelayedUntil model.Millis `json:"heldTill,omitzero"`
	DelayReason  string       `json:"held,omitzero"`
	// BusyUntil is the end of a stop or a pause, SilentUntil the time when the phone reports again.
	BusyUntil   model.Millis `json:"until,omitzero"`
	SilentUntil model.Millis `json:"silentUntil,omitzero"`
	// Charge is the phone's battery level at ChargedAt, the start of duty or the last charging.
	Charge    float64      `json:"charge,omitzero"`
	ChargedAt model.Millis `json:"chargedAt,omitzero"`
	// Relieved is set when the dispatcher has taken a task away because of a delay on this trip.
	Relieved bool `json:"relieved,omitzero"`
	// NothingToDeliver is set when the pickup of the delivery failed.
	NothingToDeliver bool `json:"pointless,omitzero"`
}

// traits are the properties of a driver that follow from the seed and the driver's number.
type traits struct {
	// shiftStart is the start of the shift relative to the start of the live day.
	shiftStart, shiftLength time.Duration
	// pace is how long this driver's trips take compared with the estimate.
	pace float64
	// batteryDrain is the part of the battery that the phone uses per hour.
	batteryDrain float64
	// takesBreak is set when the driver goes off duty for lunch.
	takesBreak bool
}

func (s *Sandbox) traitsOf(number int) traits {
	rng := s.newRand("character", int64(number))
	c := traits{
		pace: 0.85 + 0.4*rng.Float64(), batteryDrain: 0.05 + 0.07*rng.Float64(), takesBreak: chance(rng, 50),
		shiftLength: randomDuration(rng, 8*time.Hour, 9*time.Hour+30*time.Minute),
	}
	// Shifts follow from the number, not from chance, so that a few drivers have all kinds of shifts: of twenty drivers
	// twelve work by day, three started early, three come later, one works in the evening and one at night.
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
	start, end           model.Millis
	breakStart, breakEnd model.Millis
	onDutyFrom           model.Millis // later than start when the driver is late
	absent               bool
}

// shiftOn returns the shift of a day; day 0 is the first live day.
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

// shiftAt returns the last shift that has started, and whether the driver is in it.
func (s *Sandbox) shiftAt(d *driver, now model.Millis) (shift, bool) {
	const day = 24 * time.Hour
	since := now.Sub(s.state.LiveFrom.Add(d.traits.shiftStart))
	today := int64(math.Floor(float64(since) / float64(day))) // shifts are shorter than a day
	sh := s.shiftOn(d, today)
	return sh, !sh.absent && sh.start <= now && now < sh.end
}

// isWorking reports whether a driver should be on duty.
func (s *Sandbox) isWorking(d *driver, now model.Millis) bool {
	sh, ok := s.shiftAt(d, now)
	return ok && sh.onDutyFrom <= now && (now < sh.breakStart || now >= sh.breakEnd)
}

// shiftEndsWithin reports whether a driver's shift is over or ends within a time.
func (s *Sandbox) shiftEndsWithin(d *driver, now model.Millis, within time.Duration) bool {
	sh, ok := s.shiftAt(d, now)
	return !ok || sh.end < now.Add(within)
}

// location returns where the driver is.
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

// gridPath returns a path between two points along the city's street grid: half of the way east or west, all of the way
// north or south, and the other half.
func gridPath(from, to geo.Location) geo.Path {
	const avenues = 351.0 // the bearing of most north-south streets
	straight, bearing := from.Distance(to), from.Bearing(to)
	north, east := components(straight, bearing-avenues)
	first := from.Move(avenues+90, east/2)
	second := first.Move(avenues, north)
	return geo.NewPath(from, first, second, to)
}

// battery returns the battery level of the driver's phone.
func (d *driver) battery(now model.Millis) float64 {
	level := d.Charge - d.traits.batteryDrain*now.Sub(d.ChargedAt).Hours()
	return max(2, math.Round(100*level)) / 100 // phones report whole percents
}

// workerRow is a driver's row in the table of workers.
type workerRow struct {
	id, active model.ID
	onDuty     bool
}

func (s *Sandbox) loadWorkers(ctx context.Context) (map[model.ID]workerRow, error) {
	scan := func(rows *sql.Rows, row *workerRow) error { return rows.Scan(&row.id, &row.onDuty, &row.active) }
	rows, err := store.QueryRows(ctx, s.store, "read drivers", scan,
		"SELECT id, on_duty, coalesce(active_task, '') FROM workers WHERE org = $1", s.state.Org)
	workers := make(map[model.ID]workerRow, len(rows))
	for _, row := range rows {
		workers[row.id] = row
	}
	return workers, err
}

// moveDrivers advances every driver and reports their positions.
func (s *Sandbox) moveDrivers(ctx context.Context, now model.Millis, tick time.Duration) error {
	workers, err := s.loadWorkers(ctx)
	if err != nil {
		return err
	}
	var positions []world.Position
	for _, d := range s.drivers {
		row, ok := workers[d.worker]
		if !ok {
			continue // deleted by the user
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

// How often a phone reports its position. It reports less often while the history is simulated.
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
	return world.Position{Worker: d.worker, Location: model.Location(d.location(now)), Time: now, Battery: model.Some(d.battery(now))}
}

// reportPosition reports the driver's position now, as the app does with every step of a task.
func (s *Sandbox) reportPosition(ctx context.Context, d *driver, now model.Millis) error {
	return ignoreRefusal(s.world.ReportPositions(ctx, []world.Position{d.position(now)}))
}

// stepDriver advances one driver.
func (s *Sandbox) stepDriver(ctx context.Context, d *driver, row workerRow, now model.Millis) error {
	if !row.onDuty {
		return s.stepOffDuty(ctx, d, now)
	}
	if d.Phase == phaseOff { // put on duty by somebody else
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

// interrupt stops a driver's trip or stop because the user completed the task or took it away.
func (d *driver) interrupt(now model.Millis) {
	d.To = d.location(now)
	d.Phase, d.Task, d.BusyUntil, d.changed = phaseIdle, "", now, true
}

// stepOffDuty starts the duty of a driver whose shift has started.
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
			d.Charge = 0.2 + 0.25*rng.Float64() // not charged overnight
		}
	}
	d.Phase, d.Task, d.BusyUntil, d.changed = phaseIdle, "", now.Add(randomDuration(rng, 30*time.Second, 6*time.Minute)), true
	return s.reportPosition(ctx, d, now)
}
