package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

// routeMove moves tasks to one route with one request, which keeps their order and cannot stop halfway. It first checks
// that the tasks are still where the board showed them, because the interface would take them from any other driver.
type routeMove struct {
	to       route
	position position
	// stops are in their new order.
	stops []movedTask
	// bringDependencies lets the service move dependencies that the board does not have.
	bringDependencies bool
	organization      route
}

// movedTask is a task with where the board showed it.
type movedTask struct {
	id       model.ID
	label    string
	from     route
	index    int // in from; -1 when unknown
	modified model.Millis
	partners []model.ID
}

// position is a place on a route, kept as the stop behind it, because indexes shift when a route changes.
type position struct {
	beforeID    model.ID // empty for the end
	beforeLabel string
}

func (s Input) newRouteMove(to route, rows []*board.TaskRow) routeMove {
	m := routeMove{to: to, organization: s.organizationRoute()}
	for _, row := range rows {
		from, index := s.routeOf(row)
		stop := movedTask{id: row.ID, label: taskLabel(s.Board, row.ID), from: from, index: index, modified: row.Modified}
		for _, l := range s.Board.LinkedTasks(row) {
			stop.partners = append(stop.partners, l.ID)
		}
		m.stops = append(m.stops, stop)
	}
	return m
}

func (m *routeMove) step() Step {
	step := Step{Object: m.to.ref.Owner(), Label: model.FormatCount(len(m.stops), "task") + " to " + m.to.name, Do: m.do, Lookup: m.lookUp}
	if len(m.stops) == 1 {
		step.Object, step.Label = m.stops[0].id, m.stops[0].label
	}
	step.Locks = uniqueLocks(append(mapList(m.stops, func(stop movedTask) string { return stop.from.lock() }), m.to.lock()))
	return step
}

func (m *routeMove) do(ctx context.Context, c *apiclient.Client) (Result, error) {
	lost, err := findChanged(ctx, c, m.stops)
	if err != nil {
		return Result{}, err
	}
	stops := m.withoutChanged(lost)
	if len(stops) == 0 {
		return Result{}, changedError(lost)
	}
	index, err := m.insertIndex(ctx, c, stops)
	if err != nil {
		return Result{}, err
	}
	update := model.ContainerUpdate{Tasks: model.ContainerTasks{Index: model.Some(model.Int(index)), IDs: movedIDs(stops)}}
	if m.bringDependencies {
		update.ConsiderDependencies = model.Some(true)
	}
	container, err := c.UpdateContainer(ctx, m.to.ref, update)
	if err != nil {
		return Result{}, err
	}
	return m.result(ctx, c, container, stops, lost), nil
}

// insertIndex is the index of the position among the tasks that do not move.
func (m *routeMove) insertIndex(ctx context.Context, c *apiclient.Client, stops []movedTask) (int, error) {
	if m.position.beforeID == "" {
		return model.AppendTasks, nil
	}
	container, err := c.Container(ctx, m.to.ref)
	if err != nil {
		return 0, err
	}
	ids := movedIDs(stops)
	others := slices.DeleteFunc(container.Tasks, func(id model.ID) bool { return slices.Contains(ids, id) })
	index := slices.Index(others, m.position.beforeID)
	if index < 0 {
		return 0, fmt.Errorf("%s is no longer on the route of %s; check the route and choose a position again",
			m.position.beforeLabel, m.to.name)
	}
	return index, nil
}

func (m *routeMove) result(ctx context.Context, c *apiclient.Client, container model.Container, stops []movedTask,
	lost []changedTask,
) Result {
	done := Result{Object: m.to.ref.Owner(), Summary: m.summary(stops), Response: container, Undo: m.undo(stops)}
	if len(stops) == 1 {
		done.Object = stops[0].id
	}
	done.Change = readChange(ctx, c, container, stops)
	if !inOrder(container.Tasks, movedIDs(stops)) {
		done.Report = append(done.Report, warnLine("The service moved the tasks but changed their order. Check the route."))
	}
	if len(lost) > 0 {
		done.Summary += fmt.Sprintf(", %s skipped", model.FormatCount(len(lost), "task"))
		for _, l := range lost {
			done.Report = append(done.Report, warnLine("%s was skipped: %s", model.Capitalize(l.label), l.reason))
		}
	}
	return done
}

func (m *routeMove) summary(stops []movedTask) string {
	n := ""
	if len(stops) > 1 {
		n = model.FormatCount(len(stops), "task") + " "
	}
	switch {
	case m.to.ref.Type == model.ContainerOrganization:
		return n + "unassigned"
	case !m.to.isWorker():
		return n + "assigned to " + m.to.name
	case m.position.beforeID != "":
		return n + "inserted on the route of " + m.to.name + " in front of " + m.position.beforeLabel
	}
	return n + "assigned to " + m.to.name
}

func movedIDs(stops []movedTask) []model.ID {
	return mapList(stops, func(stop movedTask) model.ID { return stop.id })
}

// lookUp compares the route with the request.
func (m *routeMove) lookUp(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
	container, err := c.Container(ctx, m.to.ref)
	if err != nil {
		return LookupResult{}, err
	}
	there, was := 0, 0
	for _, stop := range m.stops {
		if slices.Contains(container.Tasks, stop.id) {
			there++
		}
		if m.to.isSame(stop.from.ref) {
			was++
		}
	}
	switch {
	case there == len(m.stops) && inOrder(container.Tasks, movedIDs(m.stops)) && (was < len(m.stops) || m.isInPosition(container.Tasks)):
		return LookupResult{Happened: true, Certain: true, Summary: "it happened: " + m.summary(m.stops)}, nil
	case there <= was:
		return LookupResult{Certain: was == 0, Summary: "it did not happen: no task is with " + m.to.name}, nil
	}
	return LookupResult{Summary: fmt.Sprintf("%d of %d tasks are with %s; check the route before you send it again", there,
		len(m.stops), m.to.name)}, nil
}

// isInPosition reports whether the tasks are at the requested position.
func (m *routeMove) isInPosition(list []model.ID) bool {
	last := slices.Index(list, m.stops[len(m.stops)-1].id)
	if m.position.beforeID == "" {
		return last == len(list)-1
	}
	return last+1 < len(list) && list[last+1] == m.position.beforeID
}

// inOrder reports whether a list contains ids in their order, with any others between.
func inOrder(list, ids []model.ID) bool {
	for _, id := range list {
		if len(ids) > 0 && id == ids[0] {
			ids = ids[1:]
		}
	}
	return len(ids) == 0
}

// changedTask is a task that is not where the board showed it.
type changedTask struct {
	movedTask
	reason string
}

func changedError(lost []changedTask) error {
	if len(lost) == 1 {
		return fmt.Errorf("%s %w: %s", lost[0].label, errRouteChanged, lost[0].reason)
	}
	labels := mapList(lost, func(l changedTask) string {
		return strings.TrimPrefix(l.label, "task ") + " (" + strings.TrimSuffix(l.reason, ".") + ")"
	})
	return fmt.Errorf("%s %w: %s", model.FormatCount(len(lost), "task"), errRouteChanged, joinNames(labels, 5))
}

// errRouteChanged says that somebody else changed the route.
var errRouteChanged = errors.New("changed in the meantime, so nothing was sent; check and try again")

// maxSingleReads is how many tasks are read one by one. For more, their container is read.
const maxSingleReads = 4

// findChanged finds tasks that are not where the board showed them.
func findChanged(ctx context.Context, c *apiclient.Client, stops []movedTask) ([]changedTask, error) {
	var lost []changedTask
	for _, group := range groupByOrigin(stops) {
		suspects := group
		if len(group) > maxSingleReads {
			container, err := c.Container(ctx, group[0].from.ref)
			if noKey(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			here := make(map[model.ID]bool, len(container.Tasks))
			for _, id := range container.Tasks {
				here[id] = true
			}
			suspects = slices.DeleteFunc(slices.Clone(group), func(stop movedTask) bool { return here[stop.id] })
		}
		for _, stop := range suspects {
			why, err := changeReason(ctx, c, stop)
			if err != nil {
				return nil, err
			}
			if why != "" {
				lost = append(lost, changedTask{stop, why})
			}
		}
	}
	return lost, nil
}

// changeReason says what changed about a task; empty when it is where the board showed it.
func changeReason(ctx context.Context, c *apiclient.Client, stop movedTask) (string, error) {
	task, err := c.Task(ctx, stop.id)
	switch {
	case errors.Is(err, apiclient.ErrNotFound):
		return "it was deleted.", nil
	case noKey(err):
		return "", nil // a dry run without a key cannot read
	case err != nil:
		return "", err
	}
	if reason := model.AssignForbidden(task.State); reason != "" {
		return reason, nil
	}
	at := task.Container.Value()
	switch {
	case stop.from.isSame(at) || !task.Container.Has():
		return "", nil
	case at.Type == model.ContainerOrganization:
		return "it is unassigned now.", nil
	case at.Type == model.ContainerTeam:
		return "it is in a team's list now.", nil
	}
	name := "another driver"
	if worker, err := c.Worker(ctx, at.Owner(), apiclient.WorkerQuery{Fields: []string{"id", "name"}}); err == nil {
		name = worker.Name
	}
	return "it is with " + name + " now.", nil
}

// groupByOrigin groups tasks by the route they were on.
func groupByOrigin(stops []movedTask) [][]movedTask {
	var groups [][]movedTask
	for _, stop := range stops {
		at := slices.IndexFunc(groups, func(g []movedTask) bool { return g[0].from.isSame(stop.from.ref) })
		if at < 0 {
			groups = append(groups, nil)
			at = len(groups) - 1
		}
		groups[at] = append(groups[at], stop)
	}
	return groups
}

// withoutChanged leaves out changed tasks and their partners, so that a pickup and its drop-off stay together.
func (m *routeMove) withoutChanged(lost []changedTask) []movedTask {
	if len(lost) == 0 {
		return m.stops
	}
	return slices.DeleteFunc(slices.Clone(m.stops), func(stop movedTask) bool {
		return slices.ContainsFunc(lost, func(l changedTask) bool { return l.id == stop.id || slices.Contains(stop.partners, l.id) })
	})
}

// readChange reads what a move changed, so that the board shows it at once. Its errors are ignored: the move has happened.
func readChange(ctx context.Context, c *apiclient.Client, container model.Container, stops []movedTask) board.Change {
	change := board.Change{IsWrite: true, Containers: []model.Container{container}}
	for _, group := range groupByOrigin(stops) {
		from := group[0].from
		if from.ref.Type == model.ContainerOrganization || from.isSame(containerRef(container)) {
			continue
		}
		if left, err := c.Container(ctx, from.ref); err == nil {
			change.Containers = append(change.Containers, left)
		}
	}
	change.Tasks = readMoved(ctx, c, container, movedIDs(stops))
	return change
}

func containerRef(c model.Container) model.ContainerRef {
	return model.ContainerRef{Type: c.Type, Organization: model.Some(c.Organization), Team: c.Team, Worker: c.Worker}
}

// readMoved reads tasks after a move: a few one by one, many through their container.
func readMoved(ctx context.Context, c *apiclient.Client, container model.Container, ids []model.ID) []model.Task {
	var tasks []model.Task
	if len(ids) <= maxSingleReads {
		for _, id := range ids {
			if task, err := c.Task(ctx, id); err == nil {
				tasks = append(tasks, task)
			}
		}
		return tasks
	}
	for task, err := range c.Tasks(ctx, apiclient.TaskQuery{From: 1, Containers: []model.ID{container.ID}}) {
		if err != nil || len(tasks) == len(ids) {
			break
		}
		if slices.Contains(ids, task.ID) {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// undo moves the tasks back.
func (m *routeMove) undo(stops []movedTask) *Undo {
	title := "move " + model.FormatCount(len(stops), "task") + " back"
	if len(stops) == 1 {
		title = "move " + singleLabel(stops) + " back to " + stops[0].from.name
	}
	if m.to.isWorker() && !slices.ContainsFunc(stops, func(stop movedTask) bool { return stop.from.isWorker() }) {
		title = fmt.Sprintf("unassign %s from %s", cmp.Or(singleLabel(stops), model.FormatCount(len(stops), "task")), m.to.name)
	}
	return newMoveUndo(stops, func(model.ID) route { return m.to }).undo(title)
}

func singleLabel(stops []movedTask) string {
	if len(stops) != 1 {
		return ""
	}
	return strings.TrimPrefix(stops[0].label, "task ")
}
