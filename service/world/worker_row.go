package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"waybill/model"
	"waybill/service/store"
)

// A worker's doc is its JSON without what changes while driving, which has its own columns, and without teams, tasks and
// routing address, which other tables hold.

// responseTimeout is how long after the last sign of life a driver on duty counts as responding.
const responseTimeout = 5 * time.Minute

// workerDoc leaves out what is not part of the doc.
func workerDoc(worker model.Worker) model.Worker {
	worker.ActiveTask, worker.TimeLastSeen = model.Opt[model.ID]{}, model.Opt[model.Millis]{}
	worker.DelayTime, worker.Location = model.Opt[model.Seconds]{}, model.Opt[model.Location]{}
	worker.Addresses, worker.IsResponding = model.Opt[model.WorkerAddresses]{}, model.Opt[bool]{}
	worker.Password, worker.Analytics = model.Opt[model.PasswordDetails]{}, model.Opt[model.WorkerAnalytics]{}
	worker.OnDuty, worker.Tasks, worker.Teams = false, nil, nil
	return worker
}

// selectWorkers selects workers without teams and tasks.
const selectWorkers = `SELECT w.on_duty, w.active_task, w.lon, w.lat, w.last_seen, w.battery, w.delay, w.modified, w.doc, d.doc
	FROM workers w LEFT JOIN destinations d ON d.id = w.routing `

func scanWorker(scan func(...any) error, now model.Millis) (model.Worker, error) {
	var worker model.Worker
	var active sql.NullString
	var lon, lat, battery sql.NullFloat64
	var seen, delay sql.NullInt64
	var modified model.Millis
	var onDuty bool
	var routing model.Opt[model.IDOr[model.Destination]]
	if err := scan(&onDuty, &active, &lon, &lat, &seen, &battery, &delay, &modified, fromDoc(&worker), fromDoc(&routing)); err != nil {
		return worker, err
	}
	worker.OnDuty, worker.TimeLastModified = onDuty, modified
	worker.ActiveTask = model.NullIfZero(model.ID(active.String))
	worker.Location = model.SomeIf(model.Location{Lon: lon.Float64, Lat: lat.Float64}, lon.Valid && lat.Valid)
	worker.TimeLastSeen = optMillis(seen)
	worker.DelayTime = model.SomeIf(model.Seconds(delay.Int64), delay.Valid)
	worker.IsResponding = model.Some(worker.OnDuty && seen.Valid && now.Sub(model.Millis(seen.Int64)) <= responseTimeout)
	device := worker.UserData.Value()
	device.BatteryLevel = model.SomeIf(battery.Float64, battery.Valid)
	worker.UserData = model.Some(device)
	worker.Addresses = model.Some(model.WorkerAddresses{Routing: model.SomeIf(routing.Get())})
	return worker, nil
}

// readWorkers reads the workers that a condition selects, without teams and tasks.
func (w *World) readWorkers(ctx context.Context, q store.Querier, condition string, args ...any) ([]model.Worker, error) {
	workers, now := []model.Worker{}, w.Now()
	err := eachRow(ctx, q, "read workers", selectWorkers+condition, args, func(row *sql.Rows) error {
		worker, err := scanWorker(row.Scan, now)
		workers = append(workers, worker)
		return err
	})
	return workers, err
}

// readTeamOnDuty reads the workers of a team who are on duty.
func (w *World) readTeamOnDuty(ctx context.Context, q store.Querier, team model.ID) ([]model.Worker, error) {
	return w.readWorkers(ctx, q, `JOIN team_workers m ON m.worker = w.id
		WHERE m.team = $1 AND w.on_duty = 1 ORDER BY w.created, w.id`, team)
}

// ReadWorker reads a worker inside of a transaction, without checking who may see it.
func ReadWorker(ctx context.Context, q store.Querier, id model.ID, now model.Millis) (model.Worker, error) {
	worker, err := scanWorker(q.QueryRow(ctx, selectWorkers+"WHERE w.id = $1", id).Scan, now)
	if errors.Is(err, sql.ErrNoRows) {
		return worker, NotFound()
	}
	if err != nil {
		return worker, fmt.Errorf("read worker: %w", err)
	}
	worker.Teams, err = queryIDs(ctx, q, `SELECT m.team FROM team_workers m JOIN teams t ON t.id = m.team
		WHERE m.worker = $1 ORDER BY t.created, t.id`, id)
	if err != nil {
		return worker, err
	}
	worker.Tasks, err = queryIDs(ctx, q, selectContainerTasks, id)
	return worker, err
}
