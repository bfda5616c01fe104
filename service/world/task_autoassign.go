package world

import (
	"context"
	"database/sql"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// assignCandidate is a worker on duty whose position is known.
type assignCandidate struct {
	id    model.ID
	at    model.Location
	teams map[model.ID]bool
	// tail is where the worker's route ends, and meters how long it is, in straight lines.
	tail   model.Location
	meters float64
	tasks  int
}

// assigner chooses workers for tasks one after the other. Each choice makes a route longer for the next one.
type assigner struct {
	candidates        []*assignCandidate
	mode              string
	maxTasks          int // 0 for any number
	teams             []model.ID
	excluded          []model.ID
	keepsDependencies bool
}

// newAssigner reads the workers of org who are on duty, with their routes where the mode needs them.
func newAssigner(ctx context.Context, q store.Querier, org model.ID, options model.AutoAssignOptions) (*assigner, error) {
	a := &assigner{
		mode: options.Mode, maxTasks: int(options.MaxAssignedTaskCount.Value()), teams: options.Teams,
		excluded: options.ExcludedWorkerIDs, keepsDependencies: options.ConsiderDependencies.Value(),
	}
	for _, team := range a.teams {
		if _, err := findContainerOwner(ctx, q, org, model.TeamContainer(team)); err != nil {
			return nil, withResource(err, "team", team)
		}
	}
	if err := a.readWorkers(ctx, q, org); err != nil {
		return nil, err
	}
	if a.mode == model.AutoAssignLoad {
		return a, a.readRoutes(ctx, q, org)
	}
	return a, nil
}

func (a *assigner) readWorkers(ctx context.Context, q store.Querier, org model.ID) error {
	return eachRow(ctx, q, "read workers on duty", `SELECT w.id, w.lon, w.lat, w.active_task, coalesce(c.size, 0), m.team FROM workers w
		LEFT JOIN containers c ON c.owner = w.id LEFT JOIN team_workers m ON m.worker = w.id
		WHERE w.org = $1 AND w.on_duty = 1 AND w.lon IS NOT NULL AND w.lat IS NOT NULL ORDER BY w.id`, []any{org}, func(row *sql.Rows) error {
		c := &assignCandidate{teams: map[model.ID]bool{}}
		var active, team sql.NullString
		if err := row.Scan(&c.id, &c.at.Lon, &c.at.Lat, &active, &c.tasks, &team); err != nil {
			return err
		}
		if n := len(a.candidates); n > 0 && a.candidates[n-1].id == c.id {
			c = a.candidates[n-1] // one row per team
		} else {
			if active.Valid {
				c.tasks++
			}
			c.tail = c.at
			a.candidates = append(a.candidates, c)
		}
		c.teams[model.ID(team.String)] = true
		return nil
	})
}

// readRoutes adds the active task and the ordered stops of each worker.
func (a *assigner) readRoutes(ctx context.Context, q store.Querier, org model.ID) error {
	byID := make(map[model.ID]*assignCandidate, len(a.candidates))
	for _, c := range a.candidates {
		byID[c.id] = c
	}
	return eachRow(ctx, q, "read routes", `SELECT t.worker, d.lon, d.lat FROM workers w
		JOIN tasks t ON t.worker = w.id AND t.state IN (1, 2) JOIN destinations d ON d.id = t.destination
		WHERE w.org = $1 AND w.on_duty = 1 ORDER BY t.worker, t.state DESC, t.position`, []any{org}, func(row *sql.Rows) error {
		var worker model.ID
		var stop model.Location
		err := row.Scan(&worker, &stop.Lon, &stop.Lat)
		if c := byID[worker]; c != nil {
			c.meters += c.tail.MetersTo(stop)
			c.tail = stop
		}
		return err
	})
}

// chooseWorker returns the worker for a task at a location: the nearest one, or by load the one who reaches it with the
// shortest route. If required is not empty, only that worker is considered. The result is empty when no worker is
// eligible.
func (a *assigner) chooseWorker(at model.Location, required model.ID) model.ID {
	var best *assignCandidate
	shortest := 0.0
	for _, c := range a.candidates {
		if !a.isEligible(c) || required != "" && c.id != required {
			continue
		}
		meters := c.at.MetersTo(at)
		if a.mode == model.AutoAssignLoad {
			meters = c.meters + c.tail.MetersTo(at)
		}
		if best == nil || meters < shortest {
			best, shortest = c, meters
		}
	}
	if best == nil {
		return ""
	}
	best.meters += best.tail.MetersTo(at)
	best.tail = at
	best.tasks++
	return best.id
}

func (a *assigner) isEligible(c *assignCandidate) bool {
	if a.maxTasks > 0 && c.tasks >= a.maxTasks || slices.Contains(a.excluded, c.id) {
		return false
	}
	return len(a.teams) == 0 || slices.ContainsFunc(a.teams, func(team model.ID) bool { return c.teams[team] })
}

// requiredWorker returns the worker who has the open dependencies of a task, because a task goes to the same worker as
// the tasks it depends on. It reports false when they are not all assigned to one worker, so that no worker can take the
// task.
func (a *assigner) requiredWorker(ctx context.Context, q store.Querier, needs []model.ID) (model.ID, bool, error) {
	if !a.keepsDependencies {
		return "", true, nil
	}
	var worker model.ID
	for _, need := range needs {
		row, err := loadTask(ctx, q, "", need)
		if err != nil {
			return "", false, err
		}
		switch {
		case row.state == model.TaskCompleted:
		case row.worker == "" || worker != "" && worker != row.worker:
			return "", false, nil
		default:
			worker = row.worker
		}
	}
	return worker, true, nil
}

// chooseWorkerForDraft returns a worker for a new task, or nothing when no worker is eligible.
func (w *World) chooseWorkerForDraft(
	ctx context.Context, tx *store.Tx, actor Actor, d *taskDraft, wish model.AutoAssign,
) (model.ID, error) {
	at, err := d.destinationAt()
	if err != nil {
		return "", err
	}
	if d.task.Executor != actor.Org {
		return "", Invalid("autoAssign: Another organization fulfils the task and assigns it.")
	}
	return chooseWorkerAt(ctx, tx, actor.Org, at, d.task.Dependencies, wish)
}

func chooseWorkerAt(
	ctx context.Context, q store.Querier, org model.ID, at model.Location, needs []model.ID, wish model.AutoAssign,
) (model.ID, error) {
	options := model.AutoAssignOptions{
		Mode: wish.Mode, MaxAssignedTaskCount: wish.MaxAssignedTaskCount, ConsiderDependencies: wish.ConsiderDependencies,
		ExcludedWorkerIDs: wish.ExcludedWorkerIDs,
	}
	if team, ok := wish.Team.Get(); ok {
		options.Teams = []model.ID{team}
	}
	a, err := newAssigner(ctx, q, org, options)
	if err != nil {
		return "", err
	}
	required, possible, err := a.requiredWorker(ctx, q, needs)
	if err != nil || !possible {
		return "", err
	}
	return a.chooseWorker(at, required), nil
}

// AutoAssign chooses workers for existing unassigned tasks. Tasks without an eligible worker stay where they are.
func (w *World) AutoAssign(ctx context.Context, actor Actor, in model.AutoAssignRequest) (model.AutoAssignResult, error) {
	result := model.AutoAssignResult{}
	if err := in.Check().Err(); err != nil {
		return result, err
	}
	if in.Options.Mode == "" {
		in.Options.Mode = model.AutoAssignDistance
	}
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		result.AssignedTasks.ByTask = map[model.ID]model.ID{}
		a, err := newAssigner(ctx, tx, actor.Org, in.Options)
		if err != nil {
			return err
		}
		for _, id := range a.orderTasks(ctx, tx, in.Tasks) {
			row, err := loadNamedTask(ctx, tx, actor.Org, id)
			if err != nil {
				return err
			}
			worker, err := w.autoAssignTask(ctx, tx, actor, a, row, in.Options)
			if err != nil {
				return err
			}
			if worker != "" {
				result.AssignedTasks.ByTask[row.id] = worker
			}
		}
		result.AssignedTasksCount = model.Int(len(result.AssignedTasks.ByTask))
		return nil
	})
	return result, err
}

// orderTasks orders the tasks to assign. When dependencies count, a task comes after those it depends on.
func (a *assigner) orderTasks(ctx context.Context, tx *store.Tx, ids []model.ID) []model.ID {
	return orderByDependencies(ids, func(id model.ID) []model.ID {
		if !a.keepsDependencies {
			return nil
		}
		return slices.DeleteFunc(readNeeds(ctx, tx, id), func(need model.ID) bool { return !slices.Contains(ids, need) })
	})
}

func (w *World) autoAssignTask(
	ctx context.Context, tx *store.Tx, actor Actor, a *assigner, row *taskRow, options model.AutoAssignOptions,
) (model.ID, error) {
	if row.state != model.TaskUnassigned || row.executor != actor.Org {
		return "", nil
	}
	// On request, a task in a team container stays within the team.
	if options.RestrictAutoAssignmentToTeam.Value() && row.kind == model.ContainerTeam {
		teams := a.teams
		a.teams = []model.ID{row.owner}
		defer func() { a.teams = teams }()
	}
	required, possible, err := a.requiredWorker(ctx, tx, readNeeds(ctx, tx, row.id))
	if err != nil || !possible {
		return "", err
	}
	at, err := destinationLocation(ctx, tx, row.destination)
	if err != nil {
		return "", err
	}
	worker := a.chooseWorker(at, required)
	if worker == "" {
		return "", nil
	}
	w.moveTask(ctx, tx, actor, row, model.WorkerContainer(worker), w.Now())
	return worker, nil
}

func destinationLocation(ctx context.Context, q store.Querier, id model.ID) (at model.Location, err error) {
	err = scanRow(q.QueryRow(ctx, "SELECT lon, lat FROM destinations WHERE id = $1", id), &at.Lon, &at.Lat)
	return at, err
}

// moveTask moves a task to the end of a container and records the events.
func (w *World) moveTask(ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, to model.ContainerRef, now model.Millis) {
	before := *row
	triggers, err := row.moveToEnd(ctx, tx, actor, to, now)
	tx.Fail(err)
	w.recordMoveEvents(ctx, tx, actor, &before, row, now, triggers)
}

// recordMoveEvents records the events of a move. The unassigned event names the worker who had the task.
func (w *World) recordMoveEvents(
	ctx context.Context, tx *store.Tx, actor Actor, before, after *taskRow, now model.Millis, triggers []model.Trigger,
) {
	if len(triggers) > 0 && triggers[0] == model.TriggerTaskUnassigned {
		unassigned := *after
		unassigned.worker = before.worker
		w.recordTaskEvents(ctx, tx, actor, &unassigned, now, triggers[0])
		triggers = triggers[1:]
	}
	w.recordTaskEvents(ctx, tx, actor, after, now, triggers...)
}
