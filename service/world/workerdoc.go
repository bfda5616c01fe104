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

// A worker's doc is its JSON without what moves with the worker, which are columns, and without teams, tasks and
// routing address, which other tables hold.

// respondsWithin is how long after its last sign a driver on duty still counts as responding.
const respondsWithin = 5 * time.Minute

// encodeWorkerDoc leaves out what is not kept in the doc.
func encodeWorkerDoc(worker model.Worker) (string, error) {
	worker.ActiveTask, worker.TimeLastSeen = model.Opt[model.ID]{}, model.Opt[model.Millis]{}
	worker.DelayTime, worker.Location = model.Opt[model.Seconds]{}, model.Opt[model.Location]{}
	worker.Addresses, worker.IsResponding = model.Opt[model.WorkerAddresses]{}, model.Opt[bool]{}
	worker.Password, worker.Analytics = model.Opt[model.PasswordDetails]{}, model.Opt[model.WorkerAnalytics]{}
	worker.OnDuty, worker.Tasks, worker.Teams = false, nil, nil
	doc, err := model.Marshal(worker)
	if err != nil {
		return "", fmt.Errorf("encode worker: %w", err)
	}
	return string(doc), nil
}

// workerSelect reads what makes a worker, but teams and tasks.
const workerSelect = `SELECT w.on_duty, w.active_task, w.lon, w.lat, w.last_seen, w.battery, w.delay, w.modified, w.doc, d.doc
	FROM workers w LEFT JOIN destinations d ON d.id = w.routing `

func scanWorker(scan func(...any) error, now model.Millis) (model.Worker, error) {
	var worker model.Worker
	var active sql.NullString
	var lon, lat, battery sql.NullFloat64
	var seen, delay sql.NullInt64
	var modified model.Millis
	var onDuty int
	var doc, routing []byte
	if err := scan(&onDuty, &active, &lon, &lat, &seen, &battery, &delay, &modified, &doc, &routing); err != nil {
		return worker, err
	}
	if err := model.Unmarshal(doc, &worker); err != nil {
		return worker, fmt.Errorf("decode stored worker: %w", err)
	}
	worker.OnDuty, worker.TimeLastModified = onDuty != 0, modified
	worker.ActiveTask = model.NullIfZero(model.ID(active.String))
	worker.Location = model.SomeIf(model.Location{Lon: lon.Float64, Lat: lat.Float64}, lon.Valid && lat.Valid)
	worker.TimeLastSeen = model.SomeIf(model.Millis(seen.Int64), seen.Valid)
	worker.DelayTime = model.SomeIf(model.Seconds(delay.Int64), delay.Valid)
	worker.IsResponding = model.Some(worker.OnDuty && seen.Valid && now.Sub(model.Millis(seen.Int64)) <= respondsWithin)
	device := worker.UserData.Value()
	device.BatteryLevel = model.SomeIf(battery.Float64, battery.Valid)
	worker.UserData = model.Some(device)
	return worker, setRouting(&worker, routing)
}

func setRouting(worker *model.Worker, doc []byte) error {
	addresses := model.WorkerAddresses{Routing: model.Null[model.IDOr[model.Destination]]()}
	if len(doc) > 0 {
		var destination model.Destination
		if err := model.Unmarshal(doc, &destination); err != nil {
			return fmt.Errorf("decode routing address: %w", err)
		}
		addresses.Routing = model.Some(model.Embedded(destination))
	}
	worker.Addresses = model.Some(addresses)
	return nil
}

// readWorkers reads the rows of a workerSelect.
func readWorkers(now model.Millis, rows *sql.Rows, err error) ([]model.Worker, error) {
	if err != nil {
		return nil, fmt.Errorf("query workers: %w", err)
	}
	defer rows.Close()
	workers := []model.Worker{}
	for rows.Next() {
		worker, err := scanWorker(rows.Scan, now)
		if err != nil {
			return nil, fmt.Errorf("read worker: %w", err)
		}
		workers = append(workers, worker)
	}
	return workers, rows.Err()
}

// ReadWorker is the worker as it is at a time inside a running change, whoever may see it.
func ReadWorker(ctx context.Context, q store.Querier, id model.ID, now model.Millis) (model.Worker, error) {
	worker, err := scanWorker(q.QueryRow(ctx, workerSelect+"WHERE w.id = $1", id).Scan, now)
	if errors.Is(err, sql.ErrNoRows) {
		return worker, NotFound()
	}
	if err != nil {
		return worker, fmt.Errorf("read worker: %w", err)
	}
	worker.Teams, err = readIDs(q.Query(ctx, `SELECT m.team FROM team_workers m JOIN teams t ON t.id = m.team
		WHERE m.worker = $1 ORDER BY t.created, t.id`, id))
	if err != nil {
		return worker, err
	}
	worker.Tasks, err = containerTasks(ctx, q, id)
	return worker, err
}
