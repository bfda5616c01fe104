package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/model"
	"waybill/service/store"
)

// CreateWorker creates a worker and sends an invitation with a temporary password by SMS.
func (w *World) CreateWorker(ctx context.Context, actor Actor, in model.WorkerInput) (model.Worker, error) {
	rules, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return model.Worker{}, err
	}
	if problems := in.Check(rules); len(problems) > 0 {
		return model.Worker{}, refuseWorker(problems)
	}
	org, err := w.Organization(ctx, actor.Org)
	if err != nil {
		return model.Worker{}, err
	}
	routing, err := w.locateRoutingAddress(ctx, actor.Org, in)
	if err != nil {
		return model.Worker{}, err
	}
	worker := w.newWorker(actor.Org, in, rules.Country)
	password := temporaryPassword()
	hash, err := hashTemporary(password)
	if err != nil {
		return model.Worker{}, err
	}
	message := newInvitation(org, worker, password)
	worker, err = writeTx(ctx, w.store, func(tx *store.Tx) (model.Worker, error) {
		w.saveWorker(ctx, tx, worker, in, routing)
		tx.Write(ctx, "insert password",
			"INSERT INTO worker_passwords (worker, temporary) VALUES ($1, $2)", worker.ID, hash)
		w.insertMessage(ctx, tx, &message)
		event := Event{Trigger: model.TriggerWorkerCreated, Actor: actor, Time: worker.TimeLastModified, Worker: worker.ID}
		w.record(ctx, tx, actor.Org, event)
		return ReadWorker(ctx, tx, worker.ID, worker.TimeLastModified)
	})
	if err != nil {
		return worker, err
	}
	w.sendMessage(ctx, message)
	return worker, nil
}

// refuseWorker reports an invalid phone number with the cause that published clients expect. The reason goes into the
// message.
func refuseWorker(problems model.Problems) error {
	const cause = "Invalid phone number format"
	first := problems[0]
	if first.Field != "phone" || first.Subcode != model.ErrorInvalid || !strings.HasPrefix(first.Text, cause) {
		return problems
	}
	refusal := Invalid(cause)
	refusal.Message = problems.Error()
	return refusal
}

func (w *World) newWorker(org model.ID, in model.WorkerInput, country string) model.Worker {
	now := w.Now()
	phone, _ := model.NormalizePhone(in.Phone.Value(), country)
	worker := model.Worker{
		ID: w.ids.ID(), TimeCreated: now.WholeSecond(), TimeLastModified: now, Organization: org, Phone: phone,
		AccountStatus: model.AccountInvited, ImageURL: model.Null[string](), DisplayName: model.Null[string](),
		Vehicle: model.Null[model.Vehicle](), Timezone: model.Null[string](),
		AdditionalCapacities: model.Some(model.Capacities{}),
		UserData: model.Some(model.UserData{
			AppVersion: model.Null[string](), DeviceDescription: model.Null[string](), Platform: model.Null[string](),
		}),
		HasRecentlyUsedSpoofedLocations: model.Some(false),
	}
	w.applyWorkerInput(&worker, in)
	return worker
}

// applyWorkerInput applies the members that the body contains. Null clears what can be empty. Teams and the routing
// address have their own tables.
func (w *World) applyWorkerInput(worker *model.Worker, in model.WorkerInput) {
	worker.Name = in.Name.Or(worker.Name)
	if in.DisplayName.Present() {
		worker.DisplayName = model.NullIfZero(in.DisplayName.Value())
	}
	setValueIfSent(&worker.Capacity, in.Capacity)
	if more, ok := in.AdditionalCapacities.Get(); ok {
		now := worker.AdditionalCapacities.Value()
		worker.AdditionalCapacities = model.Some(model.Capacities{A: more.A.Or(now.A), B: more.B.Or(now.B), C: more.C.Or(now.C)})
	}
	if in.Vehicle.Present() {
		worker.Vehicle = w.mergeVehicle(worker.Vehicle, in.Vehicle)
	}
	if in.Timezone.Present() {
		worker.Timezone = model.NullIfZero(in.Timezone.Value())
	}
	if in.Metadata.Present() {
		worker.Metadata = withVisibility(in.Metadata.Value())
	}
}

// mergeVehicle returns the vehicle that a body describes. It keeps the id of the worker's current vehicle.
func (w *World) mergeVehicle(before, sent model.Opt[model.Vehicle]) model.Opt[model.Vehicle] {
	vehicle, ok := sent.Get()
	if !ok {
		return model.Null[model.Vehicle]()
	}
	id := before.Value().ID.Value()
	if id == "" {
		id = w.ids.ID()
	}
	return model.Some(model.Vehicle{
		ID: model.Some(id), Type: vehicle.Type, TimeLastModified: model.Some(w.Now()),
		Description:  model.NullIfZero(vehicle.Description.Value()),
		LicensePlate: model.NullIfZero(vehicle.LicensePlate.Value()),
		Color:        model.NullIfZero(vehicle.Color.Value()),
	})
}

// routingChange is the change of a worker's routing address.
type routingChange struct {
	present bool
	// id names an existing destination; place is a new one; without either the address is cleared.
	id    model.ID
	place *model.Destination
}

func (w *World) locateRoutingAddress(ctx context.Context, org model.ID, in model.WorkerInput) (routingChange, error) {
	sent := in.Routing()
	change := routingChange{present: sent.Present()}
	routing, ok := sent.Get()
	if !ok {
		return change, nil
	}
	if routing.Object == nil {
		change.id = routing.ID
		return change, nil
	}
	place, err := w.locateDestination(ctx, org, *routing.Object)
	if err != nil {
		return change, err
	}
	change.place = &place
	return change, nil
}

func (w *World) saveRoutingAddress(ctx context.Context, tx *store.Tx, org, worker model.ID, change routingChange) {
	if !change.present {
		return
	}
	id := change.id
	switch {
	case change.place != nil:
		d, err := w.insertDestination(ctx, tx, org, *change.place)
		tx.Fail(err)
		id = d.ID
	case id != "":
		tx.Fail(checkOwners(ctx, tx, "destinations", org, id))
	}
	tx.Write(ctx, "set the routing address", "UPDATE workers SET routing = $1 WHERE id = $2", nullID(id), worker)
}

// saveWorker stores a new or changed worker, and what a body contains for other tables.
func (w *World) saveWorker(ctx context.Context, tx *store.Tx, worker model.Worker, in model.WorkerInput, routing routingChange) {
	saveWorkerDoc(ctx, tx, worker)
	org := worker.Organization
	if teams, ok := in.Teams.Get(); ok {
		tx.Fail(checkOwners(ctx, tx, "teams", org, teams...))
		tx.Write(ctx, "remove the worker from its teams", "DELETE FROM team_workers WHERE worker = $1", worker.ID)
		for _, team := range teams {
			addToTeam(ctx, tx, team, worker.ID)
		}
	}
	w.saveRoutingAddress(ctx, tx, org, worker.ID, routing)
	reindexMetadata(ctx, tx, org, kindWorkers, worker.ID, worker.Metadata)
}

// UpdateWorker changes the members of a worker that the body contains. Lists are replaced.
func (w *World) UpdateWorker(ctx context.Context, actor Actor, id model.ID, in model.WorkerInput) (model.Worker, error) {
	if err := checkOwner(ctx, w.store, "workers", actor.Org, id); err != nil {
		return model.Worker{}, err
	}
	if problems := in.CheckUpdate(); len(problems) > 0 {
		return model.Worker{}, problems
	}
	routing, err := w.locateRoutingAddress(ctx, actor.Org, in)
	if err != nil {
		return model.Worker{}, err
	}
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Worker, error) {
		worker, err := readOwned[model.Worker](ctx, tx, "workers", actor.Org, id)
		if err != nil {
			return worker, err
		}
		w.applyWorkerInput(&worker, in)
		worker.TimeLastModified = w.Now()
		w.saveWorker(ctx, tx, worker, in, routing)
		return ReadWorker(ctx, tx, id, worker.TimeLastModified)
	})
}

func saveWorkerDoc(ctx context.Context, tx *store.Tx, worker model.Worker) {
	tx.WriteUnique(ctx, Duplicate("phone", worker.Phone), "save worker",
		`INSERT INTO workers (id, org, phone, vehicle_type, created, modified, doc) VALUES ($1, $2, $3, $4, $5, $5, $6)
		ON CONFLICT (id) DO UPDATE SET vehicle_type = excluded.vehicle_type, modified = excluded.modified, doc = excluded.doc`,
		worker.ID, worker.Organization, worker.Phone, worker.Vehicle.Value().Type, worker.TimeLastModified, asDoc(workerDoc(worker)))
}

// DeleteWorker deletes a worker without an active task. Assigned tasks go back to the organization.
func (w *World) DeleteWorker(ctx context.Context, actor Actor, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Fail(checkOwner(ctx, tx, "workers", actor.Org, id))
		worker, err := ReadWorker(ctx, tx, id, w.Now())
		if err != nil {
			return err
		}
		if active, ok := worker.ActiveTask.Get(); ok {
			return Conflict("%.80s has started task %s. Complete it first.", model.Clean(worker.Name), active)
		}
		w.ReleaseContainer(ctx, tx, actor, model.WorkerContainer(id))
		// Record the event first, while the worker can still be read.
		event := Event{Trigger: model.TriggerWorkerDeleted, Actor: actor, Time: w.Now(), Worker: id}
		w.record(ctx, tx, actor.Org, event)
		deleteResource(ctx, tx, "workers", id)
		return nil
	})
}

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
const selectWorkers = `SELECT w.doc, w.on_duty, w.active_task, w.lon, w.lat, w.last_seen, w.battery, w.delay, w.modified, d.doc
	FROM workers w LEFT JOIN destinations d ON d.id = w.routing `

func scanWorker(scan func(...any) error, now model.Millis) (model.Worker, error) {
	var worker model.Worker
	var lon, lat, battery sql.NullFloat64
	var routing model.Opt[model.IDOr[model.Destination]]
	if err := scan(fromDoc(&worker), &worker.OnDuty, orNull(&worker.ActiveTask), &lon, &lat, orNull(&worker.TimeLastSeen), &battery,
		orNull(&worker.DelayTime), &worker.TimeLastModified, fromDoc(&routing)); err != nil {
		return worker, err
	}
	worker.Location = model.SomeIf(model.Location{Lon: lon.Float64, Lat: lat.Float64}, lon.Valid && lat.Valid)
	seen, isSeen := worker.TimeLastSeen.Get()
	worker.IsResponding = model.Some(worker.OnDuty && isSeen && now.Sub(seen) <= responseTimeout)
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

// Schedule reads when a worker is scheduled to work, day by day.
func (w *World) Schedule(ctx context.Context, org, worker model.ID) (model.Schedule, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Schedule, error) {
		tx.Fail(checkOwner(ctx, tx, "workers", org, worker))
		return readSchedule(ctx, tx, worker)
	})
}

func readSchedule(ctx context.Context, q store.Querier, worker model.ID) (model.Schedule, error) {
	entries, err := readDocs[model.ScheduleEntry](ctx, q, "SELECT doc FROM schedules WHERE worker = $1 ORDER BY date", worker)
	return model.Schedule{Entries: entries}, err
}

// SetSchedule replaces the days that a schedule contains and returns the whole schedule. A day without shifts is a day
// off.
func (w *World) SetSchedule(ctx context.Context, actor Actor, worker model.ID, in model.Schedule) (model.Schedule, error) {
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Schedule, error) {
		tx.Fail(checkOwner(ctx, tx, "workers", actor.Org, worker))
		tx.Fail(in.Check().Err())
		for _, entry := range in.Entries {
			tx.Write(ctx, "save schedule", `INSERT INTO schedules (worker, date, doc) VALUES ($1, $2, $3)
				ON CONFLICT (worker, date) DO UPDATE SET doc = excluded.doc`, worker, entry.Date, asDoc(entry))
		}
		return readSchedule(ctx, tx, worker)
	})
}
