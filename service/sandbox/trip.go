package sandbox

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/geo/city"
	"waybill/service/world"
)

// components splits a way into its parts along a bearing and across it.
func components(meters, degrees float64) (along, across float64) {
	radians := degrees * math.Pi / 180
	return meters * math.Cos(radians), meters * math.Sin(radians)
}

// next is a task that a driver could start.
type next struct {
	id      model.ID
	at      geo.Location
	after   model.Millis
	waits   int // for tasks that are not done
	useless int // because one before it failed
}

// choose starts the first task of the driver's list that can be, or ends the duty when it is time.
func (s *Sandbox) choose(ctx context.Context, d *driver, now model.Millis) error {
	if !s.works(d, now) {
		d.Phase, d.Task, d.changed = phaseOff, "", true
		if err := s.report(ctx, d, now); err != nil {
			return err
		}
		return accepted(s.world.GoOffDuty(ctx, d.worker))
	}
	rng := s.draw("choose", int64(now)+int64(d.number))
	list, err := s.startable(ctx, d)
	if err != nil {
		return err
	}
	const early = 12 * time.Minute // nobody sets out for a door that opens much later
	for _, task := range list {
		if task.waits > 0 || task.after > now.Add(early+s.travelTime(ctx, d, task.at)) {
			continue
		}
		return s.start(ctx, d, task, rng, now)
	}
	d.Until, d.changed = now.Add(between(rng, 20*time.Second, time.Minute)), true
	return nil
}

func (s *Sandbox) startable(ctx context.Context, d *driver) ([]next, error) {
	rows, err := s.store.Query(ctx, `SELECT t.id, p.lon, p.lat, coalesce(t.complete_after, 0),
		(SELECT count(*) FROM dependencies n JOIN tasks x ON x.id = n.needs WHERE n.task = t.id AND x.state <> 3),
		(SELECT count(*) FROM dependencies n JOIN tasks x ON x.id = n.needs
			WHERE n.task = t.id AND x.state = 3 AND x.doc LIKE '%"success":false%')
		FROM tasks t JOIN destinations p ON p.id = t.destination
		WHERE t.container_owner = $1 AND t.state < 2 AND t.state = 1 ORDER BY t.position LIMIT 6`, d.worker)
	if err != nil {
		return nil, fmt.Errorf("read a driver's list: %w", err)
	}
	defer rows.Close()
	var list []next
	for rows.Next() {
		var n next
		if err := rows.Scan(&n.id, &n.at.Lon, &n.at.Lat, &n.after, &n.waits, &n.useless); err != nil {
			return nil, fmt.Errorf("read a driver's list: %w", err)
		}
		list = append(list, n)
	}
	return list, rows.Err()
}

// travelTime is what the estimate says.
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

func (s *Sandbox) start(ctx context.Context, d *driver, task next, rng *rand.Rand, now model.Millis) error {
	if err := s.report(ctx, d, now); err != nil {
		return err
	}
	if err := s.world.StartTask(ctx, d.worker, task.id); err != nil {
		d.Until, d.changed = now.Add(time.Minute), true
		return accepted(err)
	}
	d.Pointless = task.useless > 0
	s.setOut(ctx, d, task.id, task.at, rng, now)
	return nil
}

// resume goes on with a task that was started by somebody else's doing.
func (s *Sandbox) resume(ctx context.Context, d *driver, task model.ID, now model.Millis) error {
	found, err := world.ReadTask(ctx, s.store, task)
	if err != nil || found.Destination.Object == nil {
		return accepted(err)
	}
	s.setOut(ctx, d, task, pointOf(found.Destination.Object.Location), s.draw("resume", int64(now)+int64(d.number)), now)
	return nil
}

// setOut plans the trip to a task: how long it really takes, where the driver is held up, whether the phone falls
// silent.
func (s *Sandbox) setOut(ctx context.Context, d *driver, task model.ID, to geo.Location, rng *rand.Rand, now model.Millis) {
	estimate := s.travelTime(ctx, d, to)
	takes := time.Duration(float64(estimate) * d.character.pace * (0.8 + 0.45*rng.Float64()))
	d.Phase, d.Task, d.From, d.To, d.Left, d.changed = phaseDriving, task, d.To, to, now, true
	d.HeldAt, d.HeldTill, d.Held, d.Relieved = 0, 0, "", false
	switch {
	case d.Pointless:
		takes = between(rng, 10*time.Second, 40*time.Second) // nobody drives for nothing
	case chance(rng, 9):
		d.HeldAt = now.Add(between(rng, takes/4, takes))
		d.HeldTill = d.HeldAt.Add(between(rng, 6*time.Minute, 22*time.Minute).Round(time.Second))
		d.Held = s.city.Note(rng, city.NoteHeld)
	}
	d.Due = now.Add((takes + d.HeldTill.Sub(d.HeldAt)).Round(time.Second))
	if chance(rng, 4) {
		d.SilentUntil = now.Add(between(rng, 7*time.Minute, 25*time.Minute))
	}
	if d.battery(now) <= 0.03 { // dead, until there is a socket
		d.SilentUntil = max(d.SilentUntil, now.Add(20*time.Minute))
		d.Charge, d.ChargedAt = 0.45, now.Add(20*time.Minute)
	}
}

// arrive notes the arrival; the driver is at the door until the window has opened and the work there is done.
func (s *Sandbox) arrive(ctx context.Context, d *driver, now model.Millis) error {
	rng := s.draw("arrive", int64(now)+int64(d.number))
	task, err := world.ReadTask(ctx, s.store, d.Task)
	if err != nil {
		d.interrupt(now)
		return accepted(err)
	}
	d.Phase, d.changed = phaseDoor, true
	if err := s.report(ctx, d, now); err != nil {
		return err
	}
	if err := s.world.RecordArrival(ctx, d.worker, d.Task); err != nil {
		return accepted(err)
	}
	usual := task.ServiceTime.Duration()
	if usual == 0 {
		usual = 4 * time.Minute
	}
	takes := time.Duration(float64(usual) * (0.5 + rng.Float64()))
	if d.Pointless {
		takes = 0
	}
	d.Until = max(now, task.CompleteAfter.Value()).Add(takes.Round(time.Second))
	return nil
}

// finish completes or fails the task at whose door the driver is.
func (s *Sandbox) finish(ctx context.Context, d *driver, now model.Millis) error {
	rng := s.draw("finish", int64(now)+int64(d.number))
	task, err := world.ReadTask(ctx, s.store, d.Task)
	if err != nil {
		d.interrupt(now)
		return accepted(err)
	}
	if err := s.report(ctx, d, now); err != nil {
		return err
	}
	if chance(rng, 3) {
		if err := accepted(s.world.RecordGeofenceAttempt(ctx, d.worker, d.Task, world.GeofenceWarned)); err != nil {
			return err
		}
	}
	if err := accepted(s.world.RecordDeparture(ctx, d.worker, d.Task)); err != nil {
		return err
	}
	often := 6.0
	if task.PickupTask {
		often = 3
	}
	if d.Pointless || chance(rng, often) {
		err = s.world.FailTask(ctx, d.worker, d.Task, s.failure(d, rng))
		if err == nil && !d.Pointless {
			err = s.tryAgain(ctx, rng, &task, now)
		}
	} else {
		err = s.world.CompleteTask(ctx, d.worker, d.Task, s.completion(d, &task, rng))
		if err == nil {
			err = s.rate(ctx, rng, &task)
		}
	}
	if err := accepted(err); err != nil {
		return err
	}
	d.Phase, d.Task, d.Pointless = phaseIdle, "", false
	d.Until, d.changed = now.Add(between(rng, 15*time.Second, 100*time.Second)), true
	return nil
}

func (s *Sandbox) failure(d *driver, rng *rand.Rand) world.Completion {
	if d.Pointless {
		return world.Completion{FailureReason: "NOTHING_TO_DELIVER", Notes: "The pickup failed, there is nothing to hand over."}
	}
	reason := pick(rng, []string{"NOBODY_HOME", "WRONG_ADDRESS", "REFUSED", "CLOSED", "NO_ACCESS", "DAMAGED"})
	return world.Completion{FailureReason: reason, Notes: s.city.Note(rng, city.NoteFailed)}
}

// completion hands in what the task asks for.
func (s *Sandbox) completion(d *driver, task *model.Task, rng *rand.Rand) world.Completion {
	c := world.Completion{}
	needs := task.Requirements.Value()
	if needs.Notes.Value() || chance(rng, 45) {
		c.Notes = s.city.Note(rng, city.NoteDone)
	}
	if d.Held != "" {
		c.Notes = "Held up: " + d.Held
	}
	if needs.Signature.Value() {
		c.SignatureText, c.SignatureUploadID = signer(task), upload(rng)
	}
	if needs.Photo.Value() {
		c.PhotoUploadIDs = []string{upload(rng)}
	}
	if age := needs.MinimumAge.Value(); age > 0 {
		c.VerifiedAge = age + model.Int(rng.IntN(40))
	}
	return c
}

func signer(task *model.Task) string {
	for _, recipient := range task.Recipients {
		if recipient.Object != nil {
			return recipient.Object.Name
		}
	}
	return "Reception"
}

// upload is the id of a picture that was never taken.
func upload(rng *rand.Rand) string { return fmt.Sprintf("%016x", rng.Uint64()) }
