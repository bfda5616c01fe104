package sandbox

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/geo/city"
	"waybill/service/store"
	"waybill/service/world"
)

// components splits a distance into its parts along a bearing and across it.
func components(meters, degrees float64) (along, across float64) {
	radians := degrees * math.Pi / 180
	return meters * math.Cos(radians), meters * math.Sin(radians)
}

// stop is a task that a driver could start.
type stop struct {
	id                 model.ID
	at                 geo.Location
	after              model.Millis
	openDependencies   int
	failedDependencies int
}

// chooseTask starts the first task of the driver's route that can be started, or ends the duty after the shift.
func (s *Sandbox) chooseTask(ctx context.Context, d *driver, now model.Millis) error {
	if !s.isWorking(d, now) {
		d.Phase, d.Task, d.changed = phaseOff, "", true
		if err := s.reportPosition(ctx, d, now); err != nil {
			return err
		}
		return ignoreRefusal(s.world.GoOffDuty(ctx, d.worker))
	}
	rng := s.newRand("choose", int64(now)+int64(d.number))
	list, err := s.loadStops(ctx, d)
	if err != nil {
		return err
	}
	const maxWait = 12 * time.Minute // before a window opens
	for _, task := range list {
		if task.openDependencies > 0 || task.after > now.Add(maxWait+s.travelTime(ctx, d, task.at)) {
			continue
		}
		return s.startTask(ctx, d, task, rng, now)
	}
	d.BusyUntil, d.changed = now.Add(randomDuration(rng, 20*time.Second, time.Minute)), true
	return nil
}

func (s *Sandbox) loadStops(ctx context.Context, d *driver) ([]stop, error) {
	scan := func(rows *sql.Rows, n *stop) error {
		return rows.Scan(&n.id, &n.at.Lon, &n.at.Lat, &n.after, &n.openDependencies, &n.failedDependencies)
	}
	return store.QueryRows(ctx, s.store, "read a driver's route", scan, `SELECT t.id, p.lon, p.lat, coalesce(t.complete_after, 0),
		(SELECT count(*) FROM dependencies n JOIN tasks x ON x.id = n.needs WHERE n.task = t.id AND x.state <> 3),
		(SELECT count(*) FROM dependencies n JOIN tasks x ON x.id = n.needs
			WHERE n.task = t.id AND x.state = 3 AND x.doc LIKE '%"success":false%')
		FROM tasks t JOIN destinations p ON p.id = t.destination
		WHERE t.container_owner = $1 AND t.state < 2 AND t.state = 1 ORDER BY t.position LIMIT 6`, d.worker)
}

// travelTime returns the estimated travel time.
func (s *Sandbox) travelTime(ctx context.Context, d *driver, to geo.Location) time.Duration {
	profile, err := geo.ProfileFor(d.Vehicle)
	if err != nil {
		profile = geo.Car
	}
	route, err := geo.StraightLine{}.Route(ctx, []geo.Location{d.To, to}, profile)
	if err != nil {
		return time.Minute
	}
	return time.Duration(route.Legs[0].Seconds) * time.Second
}

func (s *Sandbox) startTask(ctx context.Context, d *driver, task stop, rng *rand.Rand, now model.Millis) error {
	if err := s.reportPosition(ctx, d, now); err != nil {
		return err
	}
	if err := s.world.StartTask(ctx, d.worker, task.id); err != nil {
		d.BusyUntil, d.changed = now.Add(time.Minute), true
		return ignoreRefusal(err)
	}
	d.NothingToDeliver = task.failedDependencies > 0
	s.startTrip(ctx, d, task.id, task.at, rng, now)
	return nil
}

// resumeTask drives to a task that somebody else started for the driver.
func (s *Sandbox) resumeTask(ctx context.Context, d *driver, task model.ID, now model.Millis) error {
	found, err := world.ReadTask(ctx, s.store, task)
	if err != nil || found.Destination.Object == nil {
		return ignoreRefusal(err)
	}
	s.startTrip(ctx, d, task, geo.Location(found.Destination.Object.Location), s.newRand("resume", int64(now)+int64(d.number)), now)
	return nil
}

// startTrip plans the trip to a task: its real duration, a delay, and whether the phone stops reporting.
func (s *Sandbox) startTrip(ctx context.Context, d *driver, task model.ID, to geo.Location, rng *rand.Rand, now model.Millis) {
	estimate := s.travelTime(ctx, d, to)
	takes := time.Duration(float64(estimate) * d.traits.pace * (0.8 + 0.45*rng.Float64()))
	d.Phase, d.Task, d.From, d.To, d.DepartedAt, d.changed = phaseDriving, task, d.To, to, now, true
	d.DelayedFrom, d.DelayedUntil, d.DelayReason, d.Relieved = 0, 0, "", false
	switch {
	case d.NothingToDeliver:
		takes = randomDuration(rng, 10*time.Second, 40*time.Second) // the driver need not go there
	case chance(rng, 9):
		d.DelayedFrom = now.Add(randomDuration(rng, takes/4, takes))
		d.DelayedUntil = d.DelayedFrom.Add(randomDuration(rng, 6*time.Minute, 22*time.Minute).Round(time.Second))
		d.DelayReason = s.city.RandomNote(rng, city.NoteDelay)
	}
	d.ArrivesAt = now.Add((takes + d.DelayedUntil.Sub(d.DelayedFrom)).Round(time.Second))
	if chance(rng, 4) {
		d.SilentUntil = now.Add(randomDuration(rng, 7*time.Minute, 25*time.Minute))
	}
	if d.battery(now) <= 0.03 { // empty until it is charged
		d.SilentUntil = max(d.SilentUntil, now.Add(20*time.Minute))
		d.Charge, d.ChargedAt = 0.45, now.Add(20*time.Minute)
	}
}

// arriveAtTask reports the arrival. The driver stays until the window has opened and the service time is over.
func (s *Sandbox) arriveAtTask(ctx context.Context, d *driver, now model.Millis) error {
	rng := s.newRand("arrive", int64(now)+int64(d.number))
	task, err := world.ReadTask(ctx, s.store, d.Task)
	if err != nil {
		d.interrupt(now)
		return ignoreRefusal(err)
	}
	d.Phase, d.changed = phaseDoor, true
	if err := s.reportPosition(ctx, d, now); err != nil {
		return err
	}
	if err := s.world.RecordArrival(ctx, d.worker, d.Task); err != nil {
		return ignoreRefusal(err)
	}
	usual := task.ServiceTime.Duration()
	if usual == 0 {
		usual = 4 * time.Minute
	}
	takes := time.Duration(float64(usual) * (0.5 + rng.Float64()))
	if d.NothingToDeliver {
		takes = 0
	}
	d.BusyUntil = max(now, task.CompleteAfter.Value()).Add(takes.Round(time.Second))
	return nil
}

// finishTask completes or fails the driver's current task.
func (s *Sandbox) finishTask(ctx context.Context, d *driver, now model.Millis) error {
	rng := s.newRand("finish", int64(now)+int64(d.number))
	task, err := world.ReadTask(ctx, s.store, d.Task)
	if err != nil {
		d.interrupt(now)
		return ignoreRefusal(err)
	}
	if err := s.reportPosition(ctx, d, now); err != nil {
		return err
	}
	if chance(rng, 3) {
		if err := ignoreRefusal(s.world.RecordGeofenceAttempt(ctx, d.worker, d.Task, world.GeofenceWarned)); err != nil {
			return err
		}
	}
	if err := ignoreRefusal(s.world.RecordDeparture(ctx, d.worker, d.Task)); err != nil {
		return err
	}
	failPercent := 6.0
	if task.PickupTask {
		failPercent = 3
	}
	if d.NothingToDeliver || chance(rng, failPercent) {
		err = s.world.FailTask(ctx, d.worker, d.Task, s.newFailure(d, rng))
		if err == nil && !d.NothingToDeliver {
			err = s.retryTask(ctx, rng, &task, now)
		}
	} else {
		err = s.world.CompleteTask(ctx, d.worker, d.Task, s.newCompletion(d, &task, rng))
		if err == nil {
			err = s.giveFeedback(ctx, rng, &task)
		}
	}
	if err := ignoreRefusal(err); err != nil {
		return err
	}
	d.Phase, d.Task, d.NothingToDeliver = phaseIdle, "", false
	d.BusyUntil, d.changed = now.Add(randomDuration(rng, 15*time.Second, 100*time.Second)), true
	return nil
}

func (s *Sandbox) newFailure(d *driver, rng *rand.Rand) world.Completion {
	if d.NothingToDeliver {
		return world.Completion{FailureReason: "NOTHING_TO_DELIVER", Notes: "The pickup failed, so there is nothing to deliver."}
	}
	reason := randomItem(rng, []string{"NOBODY_HOME", "WRONG_ADDRESS", "REFUSED", "CLOSED", "NO_ACCESS", "DAMAGED"})
	return world.Completion{FailureReason: reason, Notes: s.city.RandomNote(rng, city.NoteFailed)}
}

// newCompletion returns a completion with everything that the task requires.
func (s *Sandbox) newCompletion(d *driver, task *model.Task, rng *rand.Rand) world.Completion {
	c := world.Completion{}
	needs := task.Requirements.Value()
	if needs.Notes.Value() || chance(rng, 45) {
		c.Notes = s.city.RandomNote(rng, city.NoteDone)
	}
	if d.DelayReason != "" {
		c.Notes = "Delayed: " + d.DelayReason
	}
	if needs.Signature.Value() {
		c.SignatureText, c.SignatureUploadID = signatureText(task), newUploadID(rng)
	}
	if needs.Photo.Value() {
		c.PhotoUploadIDs = []string{newUploadID(rng)}
	}
	if age := needs.MinimumAge.Value(); age > 0 {
		c.VerifiedAge = age + model.Int(rng.IntN(40))
	}
	return c
}

func signatureText(task *model.Task) string {
	for _, recipient := range task.Recipients {
		if recipient.Object != nil {
			return recipient.Object.Name
		}
	}
	return "Reception"
}

// newUploadID returns the id of a picture that does not exist.
func newUploadID(rng *rand.Rand) string { return fmt.Sprintf("%016x", rng.Uint64()) }
