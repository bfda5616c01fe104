package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// moveUndo undoes a move: every task goes back to its list and its position there.
type moveUndo struct {
	stops   []movedTask
	current map[model.ID]route // where the move put each task
}

func newMoveUndo(stops []movedTask, at func(model.ID) route) *moveUndo {
	b := &moveUndo{stops: stops, current: make(map[model.ID]route, len(stops))}
	for _, stop := range stops {
		b.current[stop.id] = at(stop.id)
	}
	return b
}

// undo is the undo under a title.
func (b *moveUndo) undo(title string) *Undo {
	step := Step{Object: b.current[b.stops[0].id].ref.Owner(), Label: title, Do: b.do, Lookup: b.lookUp}
	if len(b.stops) == 1 {
		step.Object, step.Label = b.stops[0].id, b.stops[0].label
	}
	for _, stop := range b.stops {
		step.Locks = append(step.Locks, stop.from.lock(), b.current[stop.id].lock())
	}
	step.Locks = uniqueLocks(step.Locks)
	return &Undo{Title: title, Unavailable: b.unavailable, Step: step, Command: b.command()}
}

// command is the operation that does the same, if there is one: unassign, or insert at one position of one route. There
// is none when linked tasks that did not move would come along.
func (b *moveUndo) command() Command {
	ids := movedIDs(b.stops)
	for _, stop := range b.stops {
		if slices.ContainsFunc(stop.partners, func(id model.ID) bool { return !slices.Contains(ids, id) }) {
			return Command{}
		}
	}
	from, runs := b.stops[0].from, b.runs()
	switch {
	case len(groupByOrigin(b.stops)) > 1:
	case from.ref.Type == model.ContainerOrganization:
		if !slices.ContainsFunc(ids, func(id model.ID) bool { at := b.current[id]; return !at.isWorker() }) {
			return Command{Action: "route.unassign", Objects: ids}
		}
	case from.isWorker() && len(runs) == 1 && runs[0].index >= 0:
		return Command{Action: "route.insert", Objects: runs[0].ids, Values: form.Values{
			fieldDriver: string(from.ref.Owner()), fieldPosition: strconv.Itoa(runs[0].index + 1),
		}}
	}
	return Command{}
}

// unavailable says why the move cannot be undone any more. A row that is older than the move is ignored.
func (b *moveUndo) unavailable(snapshot *board.Snapshot) string {
	for _, stop := range b.stops {
		row := snapshot.Tasks.Get(stop.id)
		switch {
		case row == nil:
			return model.Capitalize(stop.label) + " is no longer on the board."
		case row.Modified <= stop.modified:
			continue
		}
		if why := model.AssignForbidden(row.State); why != "" {
			return model.Capitalize(stop.label) + ": " + why
		}
		if at := b.current[stop.id]; !at.isSame(rowContainer(row)) {
			return model.Capitalize(stop.label) + " was moved in the meantime."
		}
	}
	return ""
}

func rowContainer(row *board.TaskRow) model.ContainerRef {
	switch {
	case row.Worker != "":
		return model.WorkerContainer(row.Worker)
	case row.Team != "":
		return model.TeamContainer(row.Team)
	}
	return model.ContainerRef{Type: model.ContainerOrganization}
}

func (b *moveUndo) do(ctx context.Context, c *apiclient.Client) (Result, error) {
	lost, err := findChanged(ctx, c, b.currentStops())
	if err != nil {
		return Result{}, err
	}
	if len(lost) > 0 {
		return Result{}, changedError(lost)
	}
	var containers []model.Container
	dry := error(nil)
	for i, run := range b.runs() {
		container, err := run.to.insertTasks(ctx, c, run.index, run.ids...)
		switch {
		case errors.Is(err, apiclient.ErrDryRun):
			dry = err // go on: a preview shows every request
		case err != nil && i > 0:
			// Some tasks are back already. The result says so, so that the step is not sent again.
			return Result{
				Object: b.stops[0].id, Summary: "some tasks are moved back, but not those of " + run.to.name,
				Change: board.Change{IsWrite: true, Containers: latestContainers(containers)},
			}, err
		case err != nil:
			return Result{}, err
		default:
			containers = append(containers, container)
		}
	}
	if dry != nil {
		return Result{}, dry
	}
	done := Result{Object: b.stops[0].id, Summary: b.summary(), Change: board.Change{IsWrite: true, Containers: latestContainers(containers)}}
	for _, group := range groupByOrigin(b.currentStops()) {
		if left, err := c.Container(ctx, group[0].from.ref); err == nil {
			done.Change.Containers = append(done.Change.Containers, left)
		}
	}
	for _, group := range groupByOrigin(b.stops) {
		for _, container := range done.Change.Containers {
			if group[0].from.isSame(containerRef(container)) {
				done.Change.Tasks = append(done.Change.Tasks, readMoved(ctx, c, container, movedIDs(group))...)
				break
			}
		}
	}
	return done, nil
}

// currentStops are the tasks where the move put them.
func (b *moveUndo) currentStops() []movedTask {
	stops := slices.Clone(b.stops)
	for i := range stops {
		stops[i].from = b.current[stops[i].id]
	}
	return stops
}

func (b *moveUndo) summary() string {
	groups := groupByOrigin(b.stops)
	names := mapList(groups, func(group []movedTask) string { return group[0].from.name })
	words := "moved back to " + joinNames(names, 3)
	if len(groups) == 1 && groups[0][0].from.ref.Type == model.ContainerOrganization {
		words = "unassigned"
	}
	if len(b.stops) > 1 {
		words = model.FormatCount(len(b.stops), "task") + " " + words
	}
	return words
}

func (b *moveUndo) lookUp(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
	away, err := findChanged(ctx, c, b.stops)
	if err != nil {
		return LookupResult{}, err
	}
	switch len(away) {
	case 0:
		return LookupResult{Happened: true, Certain: true, Summary: "it happened: " + b.summary()}, nil
	case len(b.stops):
		return LookupResult{Certain: true, Summary: "it did not happen: no task is back"}, nil
	}
	return LookupResult{Summary: fmt.Sprintf("%d of %d tasks are back; check before you send it again", len(b.stops)-len(away),
		len(b.stops))}, nil
}

// undoRun is a run of neighbouring tasks that go back with one request.
type undoRun struct {
	to    route
	index int
	ids   []model.ID
}

// runs are the requests that undo the move: list by list, from the front, so that each index is right when it is used.
// Tasks without a known index go to the end.
func (b *moveUndo) runs() []undoRun {
	var all []undoRun
	for _, group := range groupByOrigin(b.stops) {
		runs := consecutiveRuns(group)
		if at := b.current[group[0].id]; len(runs) > 1 && at.isSame(group[0].from.ref) {
			// First to the end, so that tasks that move later are not in front of the others.
			all = append(all, undoRun{group[0].from, model.AppendTasks, movedIDs(group)})
		}
		all = append(all, runs...)
	}
	return all
}

// consecutiveRuns splits the tasks of one list into runs of neighbours.
func consecutiveRuns(group []movedTask) []undoRun {
	group = slices.Clone(group)
	slices.SortStableFunc(group, func(a, b movedTask) int { return cmp.Compare(uint(a.index), uint(b.index)) })
	var runs []undoRun
	for _, stop := range group {
		if last := len(runs) - 1; last >= 0 && runs[last].continues(stop.index) {
			runs[last].ids = append(runs[last].ids, stop.id)
			continue
		}
		runs = append(runs, undoRun{stop.from, stop.index, []model.ID{stop.id}})
	}
	return runs
}

func (r *undoRun) continues(index int) bool {
	if r.index < 0 {
		return index < 0
	}
	return index == r.index+len(r.ids)
}

// latestContainers keeps the last state of each container.
func latestContainers(containers []model.Container) []model.Container {
	var kept []model.Container
	for _, container := range containers {
		kept = slices.DeleteFunc(kept, func(k model.Container) bool { return k.ID == container.ID })
		kept = append(kept, container)
	}
	return kept
}
