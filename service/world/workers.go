package world

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// CreateWorker makes a driver and invites them by text, with a temporary password.
func (w *World) CreateWorker(ctx context.Context, actor Actor, in model.WorkerInput) (model.Worker, error) {
	var worker model.Worker
	rules, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return worker, err
	}
	if problems := in.Check(rules); len(problems) > 0 {
		return worker, refuseWorker(problems)
	}
	org, err := w.Organization(ctx, actor.Org)
	if err != nil {
		return worker, err
	}
	routing, err := w.locateRouting(ctx, in)
	if err != nil {
		return worker, err
	}
	worker = w.newWorker(actor.Org, in, rules.Country)
	password := temporaryPassword()
	message := invitation(org, worker, password)
	err = w.store.Write(ctx, func(tx *store.Tx) error {
		if err := w.insertWorker(ctx, tx, worker, in, routing); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO worker_passwords (worker, temporary) VALUES ($1, $2)", worker.ID, password); err != nil {
			return fmt.Errorf("insert password: %w", err)
		}
		if err := w.insertMessage(ctx, tx, &message); err != nil {
			return err
		}
		event := Event{Trigger: model.TriggerWorkerCreated, Actor: actor, Time: worker.TimeLastModified, Worker: worker.ID}
		if err := w.events.Record(ctx, tx, actor.Org, event); err != nil {
			return fmt.Errorf("record event: %w", err)
		}
		worker, err = ReadWorker(ctx, tx, worker.ID, worker.TimeLastModified)
		return err
	})
	if err != nil {
		return model.Worker{}, err
	}
	w.sendMessage(ctx, message)
	return worker, nil
}

// refuseWorker answers a bad phone number with the cause that published clients look for; the reason goes into the
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
	w.changeWorker(&worker, in)
	return worker
}

// changeWorker applies what a body names; null clears what can be empty. Teams and the routing address are kept in
// tables of their own.
func (w *World) changeWorker(worker *model.Worker, in model.WorkerInput) {
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
		worker.Vehicle = w.changedVehicle(worker.Vehicle, in.Vehicle)
	}
	if in.Timezone.Present() {
		worker.Timezone = model.NullIfZero(in.Timezone.Value())
	}
	if in.Metadata.Present() {
		worker.Metadata = visibleMetadata(in.Metadata.Value())
	}
}

// changedVehicle is the vehicle that a body describes. It keeps its id as long as the worker has one.
func (w *World) changedVehicle(before, sent model.Opt[model.Vehicle]) model.Opt[model.Vehicle] {
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

// routingChange is what happens to a worker's routing address.
type routingChange struct {
	present bool
	// id names an existing destination; place is one to be made; neither clears the address.
	id    model.ID
	place *located
}

func (w *World) locateRouting(ctx context.Context, in model.WorkerInput) (routingChange, error) {
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
	place, err := w.locate(ctx, *routing.Object)
	if err != nil {
		return change, err
	}
	change.place = &place
	return change, nil
}

func (w *World) saveRouting(ctx context.Context, tx *store.Tx, org, worker model.ID, change routingChange) error {
	if !change.present {
		return nil
	}
	id := change.id
	switch {
	case change.place != nil:
		d, err := w.insertDestination(ctx, tx, org, *change.place)
		if err != nil {
			return err
		}
		id = d.ID
	case id != "":
		if err := mustOwn(ctx, tx, "destinations", org, id); err != nil {
			return err
		}
	}
	routing := sql.NullString{String: string(id), Valid: id != ""}
	if _, err := tx.Exec(ctx, "UPDATE workers SET routing = $1 WHERE id = $2", routing, worker); err != nil {
		return fmt.Errorf("set the routing address: %w", err)
	}
	return nil
}

func (w *World) insertWorker(ctx context.Context, tx *store.Tx, worker model.Worker, in model.WorkerInput, routing routingChange) error {
	doc, err := encodeWorkerDoc(worker)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO workers (id, org, phone, vehicle_type, created, modified, doc)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		worker.ID, worker.Organization, worker.Phone, worker.Vehicle.Value().Type, worker.TimeLastModified, worker.TimeLastModified, doc)
	if store.IsUnique(err) {
		return Duplicate("phone", worker.Phone)
	}
	if err != nil {
		return fmt.Errorf("insert worker: %w", err)
	}
	return w.saveWorkerLinks(ctx, tx, worker, in, routing)
}

// saveWorkerLinks stores what a worker has in other tables.
func (w *World) saveWorkerLinks(ctx context.Context, tx *store.Tx, worker model.Worker, in model.WorkerInput, routing routingChange) error {
	org := worker.Organization
	if teams, ok := in.Teams.Get(); ok {
		if err := mustOwn(ctx, tx, "teams", org, teams...); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM team_workers WHERE worker = $1", worker.ID); err != nil {
			return fmt.Errorf("take the worker from its teams: %w", err)
		}
		for _, team := range teams {
			if err := joinTeam(ctx, tx, team, worker.ID); err != nil {
				return err
			}
		}
	}
	if err := w.saveRouting(ctx, tx, org, worker.ID, routing); err != nil {
		return err
	}
	return reindexMetadata(ctx, tx, org, kindWorkers, worker.ID, worker.Metadata)
}

// UpdateWorker changes what the body names of a driver; lists are replaced.
func (w *World) UpdateWorker(ctx context.Context, actor Actor, id model.ID, in model.WorkerInput) (model.Worker, error) {
	var worker model.Worker
	if err := mustExist(ctx, w.store, "workers", actor.Org, id); err != nil {
		return worker, err
	}
	if problems := in.CheckUpdate(); len(problems) > 0 {
		return worker, problems
	}
	routing, err := w.locateRouting(ctx, in)
	if err != nil {
		return worker, err
	}
	err = w.store.Write(ctx, func(tx *store.Tx) (err error) {
		if worker, err = ownDoc[model.Worker](ctx, tx, "workers", actor.Org, id); err != nil {
			return err
		}
		w.changeWorker(&worker, in)
		worker.TimeLastModified = w.Now()
		if err := saveWorkerDoc(ctx, tx, worker); err != nil {
			return err
		}
		if err := w.saveWorkerLinks(ctx, tx, worker, in, routing); err != nil {
			return err
		}
		worker, err = ReadWorker(ctx, tx, id, worker.TimeLastModified)
		return err
	})
	return worker, err
}

func saveWorkerDoc(ctx context.Context, tx *store.Tx, worker model.Worker) error {
	doc, err := encodeWorkerDoc(worker)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE workers SET vehicle_type = $1, modified = $2, doc = $3 WHERE id = $4",
		worker.Vehicle.Value().Type, worker.TimeLastModified, doc, worker.ID); err != nil {
		return fmt.Errorf("update worker: %w", err)
	}
	return nil
}

// DeleteWorker removes a driver who is not on the way. Tasks that the driver had go back to the organization.
func (w *World) DeleteWorker(ctx context.Context, actor Actor, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		if err := mustExist(ctx, tx, "workers", actor.Org, id); err != nil {
			return err
		}
		worker, err := ReadWorker(ctx, tx, id, w.Now())
		if err != nil {
			return err
		}
		if active, ok := worker.ActiveTask.Get(); ok {
			return Conflict("%.80s has started the task %s. Complete it first.", model.Clean(worker.Name), active)
		}
		if err := w.ReleaseContainer(ctx, tx, actor, model.WorkerContainer(id)); err != nil {
			return err
		}
		// Recorded first: the event shows the worker as it was.
		event := Event{Trigger: model.TriggerWorkerDeleted, Actor: actor, Time: w.Now(), Worker: id}
		if err := w.events.Record(ctx, tx, actor.Org, event); err != nil {
			return fmt.Errorf("record event: %w", err)
		}
		return forget(ctx, tx, id, "DELETE FROM workers WHERE id = $1")
	})
}

// forget deletes a resource that may have metadata.
func forget(ctx context.Context, tx *store.Tx, id model.ID, statement string) error {
	for _, s := range []string{"DELETE FROM metadata WHERE resource = $1", statement} {
		if _, err := tx.Exec(ctx, s, id); err != nil {
			return fmt.Errorf("delete %s: %w", id, err)
		}
	}
	return nil
}
