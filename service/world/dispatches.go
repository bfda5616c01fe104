package world

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"waybill/dispatch"
	"waybill/model"
	"waybill/service/store"
)

// DispatchArgs is the job that plans the tasks of a team.
type DispatchArgs struct {
	Dispatch model.ID `json:"dispatch"`
}

// Kind implements JobArgs.
func (DispatchArgs) Kind() string { return "dispatch" }

// RequestDispatch accepts the dispatch of a team. A unique index on running dispatches guarantees that only one of
// several concurrent requests is accepted.
func (w *World) RequestDispatch(ctx context.Context, actor Actor, team model.ID, in model.DispatchRequest) (model.DispatchAccepted, error) {
	accepted := model.DispatchAccepted{DispatchID: w.ids.ID()}
	if err := checkOwner(ctx, w.store, "teams", actor.Org, team); err != nil {
		return accepted, err
	}
	now := w.Now()
	if err := in.Check(now).Err(); err != nil {
		return accepted, err
	}
	if err := w.checkDispatchDistance(ctx, actor.Org, team, in.WithDefaults(now)); err != nil {
		return accepted, err
	}
	return accepted, w.store.Write(ctx, func(tx *store.Tx) error {
		tx.WriteUnique(ctx, DispatchActive(), "insert dispatch",
			`INSERT INTO dispatches (id, org, team, status, actor_type, actor, created, request)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			accepted.DispatchID, actor.Org, team, model.DispatchRunning, actor.Type, actor.ID, int64(now), asDoc(in))
		return w.enqueue(ctx, tx, DispatchArgs{Dispatch: accepted.DispatchID})
	})
}

// checkDispatchDistance refuses a dispatch whose workers, hubs and tasks are too far apart.
func (w *World) checkDispatchDistance(ctx context.Context, org, team model.ID, settings model.DispatchSettings) error {
	state, err := w.readDispatchState(ctx, org, team, settings)
	if err != nil {
		return err
	}
	return model.CheckDispatchDistance(state.locations()).Err()
}

// Dispatch reads a running or finished dispatch.
func (w *World) Dispatch(ctx context.Context, org, id model.ID) (model.DispatchJob, error) {
	if err := checkOwner(ctx, w.store, "dispatches", org, id); err != nil {
		return model.DispatchJob{}, err
	}
	list, err := w.readDispatches(ctx, "id = $1", id)
	if err != nil || len(list) == 0 {
		return model.DispatchJob{}, cmp.Or(err, error(NotFound()))
	}
	return list[0], nil
}

// recentDispatches is how many dispatches of a team are listed.
const recentDispatches = 20

// TeamDispatches lists the latest dispatches of a team, newest first.
func (w *World) TeamDispatches(ctx context.Context, org, team model.ID) ([]model.DispatchJob, error) {
	if err := checkOwner(ctx, w.store, "teams", org, team); err != nil {
		return nil, err
	}
	return w.readDispatches(ctx, "team = $1 ORDER BY created DESC, id LIMIT $2", team, recentDispatches)
}

// readDispatches reads the dispatches that a condition selects.
func (w *World) readDispatches(ctx context.Context, condition string, args ...any) ([]model.DispatchJob, error) {
	list := []model.DispatchJob{}
	err := eachRow(ctx, w.store, "read dispatches", `SELECT id, org, team, status, actor_type, actor, created, finished, progress, result, reason
		FROM dispatches WHERE `+condition, args, func(row *sql.Rows) error {
		job := model.DispatchJob{Progress: model.Null[model.DispatchProgress](), Dispatch: model.Null[model.Dispatch]()}
		var actor model.ActionContext
		err := row.Scan(&job.ID, &job.Organization, &job.Team, &job.Status, &actor.Type, &actor.ID, &job.TimeCreated,
			orNull(&job.TimeFinished), fromDoc(&job.Progress), fromDoc(&job.Dispatch), orNull(&job.Reason))
		if job.Status == model.DispatchSucceeded {
			job.Reason = model.Null[string]()
		}
		job.ActionContext = model.Some(actor)
		list = append(list, job)
		return err
	})
	return list, err
}

// dispatchRun is a dispatch that its job is working on.
type dispatchRun struct {
	id      model.ID
	team    model.ID
	actor   Actor
	request model.DispatchRequest
	created model.Millis
	state   dispatchState
	plan    dispatch.Plan
}

// RunDispatch plans a dispatch and commits what is still valid. It plans outside of any transaction, so an interrupted
// run starts over. An error that would happen again ends the dispatch at once.
func (w *World) RunDispatch(ctx context.Context, id model.ID) error {
	err := w.runDispatch(ctx, id)
	switch {
	case err == nil || errors.Is(err, errDispatchFinished):
		return nil
	case ctx.Err() != nil:
		return err // the service is stopping; the job will run again
	}
	reason, final := classifyDispatchFailure(err)
	w.log.ErrorContext(ctx, "dispatch failed", "dispatch", id, "final", final, "error", err)
	lasting := context.WithoutCancel(ctx)
	if noted := w.storeDispatchFailure(lasting, id, reason); noted != nil || !final {
		return errors.Join(err, noted)
	}
	return w.FailDispatch(lasting, id)
}

func (w *World) runDispatch(ctx context.Context, id model.ID) error {
	run, err := w.loadDispatch(ctx, id)
	if err != nil {
		return err
	}
	settings := run.request.WithDefaults(run.created)
	if run.state, err = w.readDispatchState(ctx, run.actor.Org, run.team, settings); asRefusal(err) != nil {
		return fmt.Errorf("%w: %w", dispatch.ErrUnplannable, err)
	} else if err != nil {
		return err
	}
	run.plan, err = dispatch.Solve(ctx, run.state.team, dispatch.Options{
		Settings: settings, Now: w.Now(), Travel: w.travelMatrix, Search: w.dispatchSearch(ctx, id),
	})
	if err != nil {
		return fmt.Errorf("plan dispatch %s: %w", id, err)
	}
	return w.store.Write(ctx, func(tx *store.Tx) error { return w.commitDispatch(ctx, tx, run) })
}

// classifyDispatchFailure returns the reason to show for an error and whether a retry is pointless. Messages of other
// services stay in the log because they may contain addresses and keys.
func classifyDispatchFailure(err error) (reason string, final bool) {
	switch {
	case errors.Is(err, dispatch.ErrUnplannable):
		return err.Error(), true
	case errors.Is(err, errTravelTimes):
		return "The travel time service did not respond.", false
	default:
		return "The service could not plan the dispatch. See its log for details.", false
	}
}

func (w *World) storeDispatchFailure(ctx context.Context, id model.ID, reason string) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Write(ctx, "store why a dispatch failed", "UPDATE dispatches SET reason = $2 WHERE id = $1 AND finished IS NULL", id, reason)
		return nil
	})
}

var errDispatchFinished = errors.New("the dispatch has already finished")

func (w *World) loadDispatch(ctx context.Context, id model.ID) (*dispatchRun, error) {
	run := &dispatchRun{id: id}
	var finished sql.NullInt64
	if err := scanRow(w.store.QueryRow(ctx,
		"SELECT team, org, actor_type, actor, created, request, finished FROM dispatches WHERE id = $1", id),
		&run.team, &run.actor.Org, &run.actor.Type, &run.actor.ID, &run.created, fromDoc(&run.request), &finished); err != nil {
		return nil, err
	}
	if finished.Valid {
		return nil, errDispatchFinished
	}
	return run, nil
}

// FailDispatch marks a dispatch whose job could not run as failed, so that the team can be dispatched again.
func (w *World) FailDispatch(ctx context.Context, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Write(ctx, "give up on dispatch", `UPDATE dispatches SET status = $2, finished = $3, reason = coalesce(reason, $4)
			WHERE id = $1 AND finished IS NULL`,
			id, model.DispatchFailed, int64(w.Now()), "The service stopped every time while it planned the dispatch.")
		return nil
	})
}
