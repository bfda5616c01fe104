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

// moveUndo takes a move back: every task to the list that it came from, and to its place there.
type moveUndo struct {
	stops   []movedTask
	current map[model.ID]route // where the move put each
}

func newMoveUndo(stops []movedTask, at func(model.ID) route) *moveUndo {
	b := &moveUndo{stops: stops, current: make(map[model.ID]route, len(stops))}
	for _, stop := range stops {
		b.current[stop.id] = at(stop.id)
	}
	return b
}

// undo offers to take it back under a title.
func (b *moveUndo) undo(title string) *Undo {
	step := Step{Object: b.current[b.stops[0].id].ref.Owner(), Label: title, Do: b.do, Lookup: b.lookUp}
	if len(b.stops) == 1 {
		step.Object, step.Label = b.stops[0].id, b.stops[0].label
	}
	for _, stop := range b.stops {
		for _, lock := range []string{stop.from.lock(), b.current[stop.id].lock()} {
			if !slices.Contains(step.Locks, lock) {
				step.Locks = append(step.Locks, lock)
			}
		}
	}
	slices.Sort(step.Locks)
	return &Undo{Title: title, Unavailable: b.unavailable, Step: step, Command: b.command()}
}

// command is the verb that puts the tasks back, where one of them does exactly that: off their workers, or to one place
// of one route. What belongs to them and was left behind would come along with it.
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

// unavailable says why the tasks cannot be put back any more. A row that has not changed since before the move knows nothing
// of it and so says nothing against it.
func (b *moveUndo) unavailable(snapshot *board.Snapshot) string {
	for _, stop := range b.stops {
		row := snapshot.Tasks.Get(stop.id)
		switch {
		case row == nil:
			return stop.label + " is not on the board any more."
		case row.Modified <= stop.modified:
			continue
		}
		if why := model.CanAssign(row.State); why != "" {
			return stop.label + ": " + why
		}
		if at := b.current[stop.id]; !at.isSame(rowContainer(row)) {
			return stop.label + " has been moved since."
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
		container, err := c.UpdateContainer(ctx, run.to.ref, model.ContainerUpdate{
			Tasks: model.ContainerTasks{Index: model.Some(model.Int(run.index)), IDs: run.ids},
		})
		switch {
		case errors.Is(err, apiclient.ErrDryRun):
			dry = err // a preview shows every request
		case err != nil && i > 0:
			// What is back already is told beside the error, so that nobody sends the whole once more.
			return Result{
				Object: b.stops[0].id, Summary: "some tasks are back, but not those that go to " + run.to.name,
				Change: board.Change{Write: true, Containers: latestContainers(containers)},
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
	done := Result{Object: b.stops[0].id, Summary: b.summary(), Change: board.Change{Write: true, Containers: latestContainers(containers)}}
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

// currentStops are the tasks as the move left them.
func (b *moveUndo) currentStops() []movedTask {
	stops := slices.Clone(b.stops)
	for i := range stops {
		stops[i].from = b.current[stops[i].id]
	}
	return stops
}

func (b *moveUndo) summary() string {
	groups := groupByOrigin(b.stops)
	names := make([]string, len(groups))
	for i, group := range groups {
		names[i] = group[0].from.name
	}
	words := "put back to " + joinNames(names, 3)
	if len(b.stops) > 1 {
		words = routeCountNoun(len(b.stops), "task") + " " + words
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
		return LookupResult{Certain: true, Summary: "it did not happen: nothing has come back"}, nil
	}
	return LookupResult{Summary: fmt.Sprintf("%d of %d tasks are back; look before sending again", len(b.stops)-len(away), len(b.stops))}, nil
}

// undoRun is tasks that stood next to each other and go back with one request.
type undoRun struct {
	to    route
	index int
	ids   []model.ID
}

// runs says how tasks go back to where they were: list by list, from the front, so that each index is right by the
// time it is used. Tasks whose place is not known go to the end.
func (b *moveUndo) runs() []undoRun {
	var all []undoRun
	for _, group := range groupByOrigin(b.stops) {
		runs := consecutiveRuns(group)
		if at := b.current[group[0].id]; len(runs) > 1 && at.isSame(group[0].from.ref) {
			// Those that are still to be moved within the list must not stand in front of the others meanwhile.
			all = append(all, undoRun{group[0].from, model.AppendTasks, movedIDs(group)})
		}
		all = append(all, runs...)
	}
	return all
}

// consecutiveRuns cuts the tasks of one list where others stood between them.
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

// latestContainers keeps the last answer about each list.
func latestContainers(containers []model.Container) []model.Container {
	var kept []model.Container
	for _, container := range containers {
		kept = slices.DeleteFunc(kept, func(k model.Container) bool { return k.ID == container.ID })
		kept = append(kept, container)
	}
	return kept
}
