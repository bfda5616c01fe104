package world

import (
	"cmp"
	"context"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// WorkersQuery selects workers. The zero value selects all.
type WorkersQuery struct {
	Teams  []model.ID
	States []model.DutyState
	// Phones are written as is usual in the organization's country.
	Phones []string
	// Passwords adds whether each worker still has the temporary password, and which, while its text waits.
	Passwords bool
}

// Workers lists the workers of an organization in order of creation.
func (w *World) Workers(ctx context.Context, org model.ID, query WorkersQuery) ([]model.Worker, error) {
	phones, err := w.normalizeSearchPhones(ctx, org, query.Phones)
	if err != nil {
		return nil, err
	}
	return readTx(ctx, w.store, func(tx *store.Tx) ([]model.Worker, error) {
		workers, err := w.readWorkers(ctx, tx, "WHERE w.org = $1 ORDER BY w.created, w.id", org)
		fillWorkers(ctx, tx, org, workers)
		workers = slices.DeleteFunc(workers, func(worker model.Worker) bool {
			return !query.matches(worker) || (len(query.Phones) > 0 && !slices.Contains(phones, worker.Phone))
		})
		if query.Passwords {
			fillPasswords(ctx, tx, org, workers)
		}
		return workers, err
	})
}

// normalizeSearchPhones leaves out invalid numbers: no worker has them.
func (w *World) normalizeSearchPhones(ctx context.Context, org model.ID, sent []string) ([]string, error) {
	if len(sent) == 0 {
		return nil, nil
	}
	rules, err := w.checkContext(ctx, org)
	if err != nil {
		return nil, err
	}
	var phones []string
	for _, text := range sent {
		if phone, problems := model.NormalizePhone(text, rules.Country); len(problems) == 0 {
			phones = append(phones, phone)
		}
	}
	return phones, nil
}

func (q WorkersQuery) matches(worker model.Worker) bool {
	if len(q.Teams) > 0 && !slices.ContainsFunc(worker.Teams, func(team model.ID) bool { return slices.Contains(q.Teams, team) }) {
		return false
	}
	return len(q.States) == 0 || slices.Contains(q.States, worker.DutyState())
}

// fillWorkers adds teams and tasks to workers of one organization.
func fillWorkers(ctx context.Context, tx *store.Tx, org model.ID, workers []model.Worker) {
	teams := readIDGroups(ctx, tx, `SELECT m.worker, m.team FROM team_workers m JOIN teams t ON t.id = m.team
		WHERE t.org = $1 ORDER BY t.created, t.id`, org)
	tasks := readIDGroups(ctx, tx, `SELECT w.id, t.id FROM workers w
		JOIN tasks t ON t.container_owner = w.id AND t.state < 2 WHERE w.org = $1 ORDER BY w.id, t.position`, org)
	for i := range workers {
		workers[i].Teams, workers[i].Tasks = teams[workers[i].ID], tasks[workers[i].ID]
	}
}

// fillPasswords adds whether workers have an own password. The temporary one is only known while its text waits.
func fillPasswords(ctx context.Context, tx *store.Tx, org model.ID, workers []model.Worker) {
	waiting := readIDGroups(ctx, tx, `SELECT p.worker, coalesce(o.body, '') FROM worker_passwords p
		JOIN workers w ON w.id = p.worker LEFT JOIN outbox o ON o.worker = w.id AND o.kind = 'invitation'
		WHERE w.org = $1 AND p.temporary IS NOT NULL`, org)
	for i := range workers {
		details := model.PasswordDetails{IsPermanent: true}
		if texts := waiting[workers[i].ID]; len(texts) > 0 {
			details = model.PasswordDetails{Value: waitingPassword(string(texts[0]))}
		}
		workers[i].Password = model.Some(details)
	}
}

// Worker reads a worker.
func (w *World) Worker(ctx context.Context, org, id model.ID) (model.Worker, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Worker, error) {
		tx.Fail(checkOwner(ctx, tx, "workers", org, id))
		return ReadWorker(ctx, tx, id, w.Now())
	})
}

// WorkersNear lists the workers on duty within a radius in meters, nearest first.
func (w *World) WorkersNear(ctx context.Context, org model.ID, center model.Location, radius float64) (model.WorkersNear, error) {
	if problems := model.CheckWorkersNear(center, radius); len(problems) > 0 {
		return model.WorkersNear{}, problems
	}
	const metersPerDegree = 111_000 // a little less than a degree of latitude, so that the box is never too small
	margin := radius / metersPerDegree
	return readTx(ctx, w.store, func(tx *store.Tx) (model.WorkersNear, error) {
		workers, err := w.readWorkers(ctx, tx, "WHERE w.org = $1 AND w.on_duty = 1 AND w.lat BETWEEN $2 AND $3",
			org, center.Lat-margin, center.Lat+margin)
		workers = slices.DeleteFunc(workers, func(worker model.Worker) bool {
			return !(worker.Location.Value().MetersTo(center) <= radius)
		})
		slices.SortStableFunc(workers, func(a, b model.Worker) int {
			return cmp.Compare(a.Location.Value().MetersTo(center), b.Location.Value().MetersTo(center))
		})
		fillWorkers(ctx, tx, org, workers)
		return model.WorkersNear{Workers: workers}, err
	})
}

// FindWorkers lists the workers that have every metadata entry of the query.
func (w *World) FindWorkers(ctx context.Context, org model.ID, query []model.Metadata) ([]model.Worker, error) {
	return findAllByMetadata(ctx, w.store, kindWorkers, org, query, func(tx *store.Tx, id model.ID) (model.Worker, error) {
		return ReadWorker(ctx, tx, id, w.Now())
	})
}
