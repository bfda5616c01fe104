package world

import (
	"context"
	"net/http"
	"strings"

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
	routing, err := w.locateRoutingAddress(ctx, in)
	if err != nil {
		return model.Worker{}, err
	}
	worker := w.newWorker(actor.Org, in, rules.Country)
	password := temporaryPassword()
	message := newInvitation(org, worker, password)
	worker, err = writeTx(ctx, w.store, func(tx *store.Tx) (model.Worker, error) {
		w.saveWorker(ctx, tx, worker, in, routing)
		tx.Write(ctx, "insert password",
			"INSERT INTO worker_passwords (worker, temporary) VALUES ($1, $2)", worker.ID, password)
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
	return &Error{
		Status: http.StatusBadRequest, Code: model.CodeInvalidContent, Subcode: model.ErrorInvalid,
		Message: problems.Error(), Cause: model.Some(model.CauseText(cause)),
	}
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
	if in.Capacity.Present() {
		worker.Capacity = in.Capacity.Value()
	}
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

func (w *World) locateRoutingAddress(ctx context.Context, in model.WorkerInput) (routingChange, error) {
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
	place, err := w.locateDestination(ctx, *routing.Object)
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
	routing, err := w.locateRoutingAddress(ctx, in)
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
