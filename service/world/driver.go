package world

import (
	"context"
	"database/sql"
	"errors"
	"math"

	"waybill/model"
	"waybill/service/store"
)

// The functions in this file are what drivers do. The driver app and the simulated drivers of the sandbox both use them.

// Position is where a worker was at a time.
type Position struct {
	Worker   model.ID
	Location model.Location
	// Time is when the worker was there; 0 means now.
	Time model.Millis
	// Battery is the charge of the device from 0 to 1, if known.
	Battery model.Opt[float64]
}

// driver is the part of a worker's row that driving needs.
type driver struct {
	id     model.ID
	org    model.ID
	onDuty bool
	active model.ID // empty when none
	at     model.MaybeLocation
	seen   model.Millis
	meters float64
}

func (d *driver) actor() Actor { return Actor{Type: ActorWorker, ID: d.id, Org: d.org} }

func loadDriver(ctx context.Context, q store.Querier, id model.ID) (*driver, error) {
	d := &driver{id: id}
	var lon, lat sql.NullFloat64
	if err := scanRow(q.QueryRow(ctx, "SELECT org, on_duty, active_task, lon, lat, last_seen, meters FROM workers WHERE id = $1", id),
		&d.org, &d.onDuty, orZero(&d.active), &lon, &lat, orZero(&d.seen), &d.meters); err != nil {
		return nil, withResource(err, "worker", id)
	}
	d.at = model.MaybeLocation{Location: model.Location{Lon: lon.Float64, Lat: lat.Float64}, Known: lon.Valid && lat.Valid}
	return d, nil
}

// ReportPositions stores positions of workers, oldest first, in one transaction.
func (w *World) ReportPositions(ctx context.Context, positions []Position) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		for _, position := range positions {
			tx.Fail(w.reportPosition(ctx, tx, position))
		}
		return nil
	})
}

func (w *World) reportPosition(ctx context.Context, tx *store.Tx, p Position) error {
	if !p.Location.Valid() {
		return Invalid("location: Must be a valid [longitude, latitude].")
	}
	d, err := loadDriver(ctx, tx, p.Worker)
	if err != nil {
		return err
	}
	if p.Time == 0 {
		p.Time = w.Now()
	}
	if p.Time < d.seen {
		return nil // an older report that arrived late
	}
	if d.at.Known {
		d.meters += d.at.MetersTo(p.Location)
	}
	tx.Write(ctx, "store position", `UPDATE workers SET lon = $2, lat = $3, last_seen = $4, meters = $5, battery = coalesce($6, battery)
		WHERE id = $1`, p.Worker, p.Location.Lon, p.Location.Lat, int64(p.Time), d.meters, nullable(p.Battery))
	return nil
}

// GoOnDuty puts a worker on duty. It does nothing when the worker is on duty already.
func (w *World) GoOnDuty(ctx context.Context, worker model.ID) error {
	return w.setDuty(ctx, worker, true)
}

// GoOffDuty takes a worker off duty. A started task must be completed first.
func (w *World) GoOffDuty(ctx context.Context, worker model.ID) error {
	return w.setDuty(ctx, worker, false)
}

func (w *World) setDuty(ctx context.Context, worker model.ID, onDuty bool) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		d, err := loadDriver(ctx, tx, worker)
		if err != nil || d.onDuty == onDuty {
			return err
		}
		if d.active != "" {
			return Conflict("Task %s is started. Complete it before going off duty.", d.active)
		}
		now := w.Now()
		tx.Write(ctx, "set duty", "UPDATE workers SET on_duty = $2, last_seen = $3, modified = $3 WHERE id = $1",
			worker, boolInt(onDuty), int64(now))
		tx.Write(ctx, "log duty", "INSERT INTO duty_log (worker, time, on_duty) VALUES ($1, $2, $3)",
			worker, int64(now), boolInt(onDuty))
		status := model.Raw("0")
		if onDuty {
			status = model.Raw("1")
		}
		w.record(ctx, tx, d.org, Event{
			Trigger: model.TriggerWorkerDuty, Actor: d.actor(), Time: now, Worker: worker,
			Fill: func(e *model.Event) { e.Status = model.Some(status) },
		})
		return nil
	})
}

// StartTask starts a task: it leaves the worker's container and becomes the active task.
func (w *World) StartTask(ctx context.Context, worker, task model.ID) error {
	return w.changeTaskByDriver(ctx, worker, task, func(tx *store.Tx, d *driver, row *taskRow) error {
		open, err := openDependencies(ctx, tx, row.id)
		if err != nil {
			return err
		}
		if reason := model.StartForbidden(row.state, open); reason != "" {
			return Conflict("%s", reason)
		}
		if !d.onDuty {
			return Conflict("The driver is off duty. Go on duty before starting a task.")
		}
		if d.active != "" {
			return Conflict("Task %s is already started. Complete it first.", d.active)
		}
		content, err := row.decode()
		if err != nil {
			return err
		}
		now := w.Now()
		details := &content.CompletionDetails
		details.Events = append(details.Events, model.CompletionEvent{Name: model.EventStart, Time: now})
		details.FirstLocation, details.LastLocation = d.at, d.at
		row.start(ctx, tx, &content, d.meters, now)
		w.recordTaskEvents(ctx, tx, d.actor(), row, now, model.TriggerTaskStarted)
		return nil
	})
}

// RecordArrival records that the driver of a started task has reached the destination.
func (w *World) RecordArrival(ctx context.Context, worker, task model.ID) error {
	return w.addCompletionEvent(ctx, worker, task, model.EventArrival)
}

// RecordDeparture records that the driver has left the destination.
func (w *World) RecordDeparture(ctx context.Context, worker, task model.ID) error {
	return w.addCompletionEvent(ctx, worker, task, model.EventDeparture)
}

func (w *World) addCompletionEvent(ctx context.Context, worker, task model.ID, name string) error {
	return w.changeTaskByDriver(ctx, worker, task, func(tx *store.Tx, d *driver, row *taskRow) error {
		return w.changeActiveTask(ctx, tx, row, func(content *model.Task, now model.Millis) error {
			details := &content.CompletionDetails
			details.Events = append(details.Events, model.CompletionEvent{Name: name, Time: now, Location: model.Some(d.at)})
			details.LastLocation = d.at
			if name != model.EventArrival {
				return nil
			}
			tx.Write(ctx, "store the arrival", "UPDATE tasks SET arrived = $2 WHERE id = $1", row.id, int64(now))
			return nil
		})
	})
}

// Kinds of geofence attempts.
const (
	GeofenceWarned  model.Int = 1
	GeofenceBlocked model.Int = 2
)

// RecordGeofenceAttempt records that a driver tried to complete a task away from its destination.
func (w *World) RecordGeofenceAttempt(ctx context.Context, worker, task model.ID, kind model.Int) error {
	if kind != GeofenceWarned && kind != GeofenceBlocked {
		return Invalid("type: Must be 1 (warned) or 2 (blocked).")
	}
	return w.changeTaskByDriver(ctx, worker, task, func(tx *store.Tx, d *driver, row *taskRow) error {
		return w.changeActiveTask(ctx, tx, row, func(content *model.Task, now model.Millis) error {
			attempts := append(content.GeofenceAttempts.Value(), model.GeofenceAttempt{Type: kind, Location: d.at, Timestamp: now})
			content.GeofenceAttempts = model.Some(attempts)
			if kind == GeofenceWarned {
				content.CompletedWithGeofenceWarning = model.Some(true)
			} else if !content.CompletedWithGeofenceWarning.Present() {
				content.CompletedWithGeofenceWarning = model.Some(false)
			}
			return nil
		})
	})
}

// changeTaskByDriver changes a task on behalf of the worker who has it.
func (w *World) changeTaskByDriver(ctx context.Context, worker, task model.ID, change func(*store.Tx, *driver, *taskRow) error) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		d, err := loadDriver(ctx, tx, worker)
		if err != nil {
			return err
		}
		row, err := loadTask(ctx, tx, d.org, task)
		if err != nil {
			return err
		}
		if row.worker != worker && row.state != model.TaskUnassigned {
			return OtherOrganization() // another driver's task is off limits, like another organization's
		}
		return change(tx, d, row)
	})
}

// changeActiveTask changes the content of a started task.
func (w *World) changeActiveTask(ctx context.Context, tx *store.Tx, row *taskRow, change func(*model.Task, model.Millis) error) error {
	if row.state != model.TaskActive {
		return Conflict("The task is %s. This is only possible for a started task.", row.state)
	}
	content, err := row.decode()
	if err != nil {
		return err
	}
	now := w.Now()
	if err := change(&content, now); err != nil {
		return err
	}
	tx.Fail(row.encode(&content, now))
	row.update(ctx, tx, &content)
	return nil
}

// metersSinceStart returns how far the driver of a started task has travelled since the start, in whole meters.
func metersSinceStart(ctx context.Context, q store.Querier, row *taskRow) (float64, error) {
	var meters float64
	err := scanRow(q.QueryRow(ctx, `SELECT coalesce(w.meters, 0) - coalesce(t.start_meters, 0) FROM tasks t
		JOIN workers w ON w.id = t.worker WHERE t.id = $1`, row.id), &meters)
	if errors.Is(err, NotFound()) {
		return 0, nil // the worker was deleted
	}
	return math.Round(meters), err
}
