package operations

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// followUp is a request that follows the creation of a task because it needs the new id. Both are one step, so that the
// task is created only once, whatever happens to the rest.
type followUp interface {
	// locks name what the request changes.
	locks() []string
	// check says why the request would fail. It runs before the task is created.
	check(ctx context.Context, c *apiclient.Client) error
	send(ctx context.Context, c *apiclient.Client, made model.ID) (board.Change, error)
	// isDone reports whether the request was carried out when its answer was lost.
	isDone(ctx context.Context, c *apiclient.Client, made model.ID) bool
	// summary is added to the summary of the task; missing describes the failure.
	summary() string
	missing(made *model.Task) missingPart
}

// missingPart is a follow-up that failed, and how to complete it.
type missingPart struct {
	summary string // "but at the end of the route"
	what    string // what failed: "inserted in front of 5d20c1aa"
	todo    string // "Insert it at its position; do not create it again."
	command Command
}

// newTaskPlaceholder is the id of the new task in previews.
const newTaskPlaceholder model.ID = "<new task>"

// createAndFollowUp creates a task and sends its follow-ups.
func createAndFollowUp(
	ctx context.Context, c *apiclient.Client, after []followUp, placeholder model.ID,
	create func(ctx context.Context, c *apiclient.Client) (model.Task, Result, error),
) (Result, error) {
	for _, a := range after {
		if err := a.check(ctx, c); err != nil {
			return Result{}, err
		}
	}
	task, done, err := create(ctx, c)
	if errors.Is(err, apiclient.ErrDryRun) {
		for _, a := range after {
			if _, further := a.send(ctx, c, placeholder); !errors.Is(further, apiclient.ErrDryRun) {
				return Result{}, further
			}
		}
	}
	if err != nil {
		return Result{}, err
	}
	for _, a := range after {
		change, err := a.send(ctx, c, task.ID)
		if errors.Is(err, apiclient.ErrUnknownOutcome) && a.isDone(ctx, c, task.ID) {
			err = nil
		}
		done.addFollowUp(a, &task, change, err)
	}
	if now, err := c.Task(ctx, task.ID); err == nil && len(after) > 0 {
		done.Change.Tasks = append(done.Change.Tasks, now)
	}
	return done, nil
}

// addFollowUp adds the outcome of a follow-up. A failure makes the result partial and does not fail the step, because
// sending it again would create a second task.
func (d *Result) addFollowUp(a followUp, made *model.Task, change board.Change, err error) {
	if err == nil {
		d.Summary += ", " + a.summary()
		d.Change.Tasks = append(d.Change.Tasks, change.Tasks...)
		d.Change.Containers = append(d.Change.Containers, change.Containers...)
		return
	}
	m := a.missing(made)
	line := warnLine("%s was created, but could not be %s: %v", model.Capitalize(newTaskLabel(made)), m.what, err)
	if errors.Is(err, apiclient.ErrUnknownOutcome) {
		line = warnLine("%s was created, but it is unknown whether it was %s: %v", model.Capitalize(newTaskLabel(made)), m.what, err)
	}
	d.addMissing(m, line)
}

// addMissing adds what is left to do, with the next action.
func (d *Result) addMissing(m missingPart, line Line) {
	d.Summary += ", " + m.summary
	d.Report = append(d.Report, line, plainLine("%s", m.todo))
	d.Partial = true
	if d.Next == "" {
		d.Next, d.NextIDs, d.NextValues = m.command.Action, m.command.Objects, m.command.Values
	}
}

// lookupCreation makes the lookup of a creation. A task that was created can be undone, and lacks its follow-ups.
func lookupCreation(after []followUp, find taskFinder) func(context.Context, *apiclient.Client) (LookupResult, error) {
	return func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
		found, made, err := find(ctx, c)
		if err != nil || made == nil {
			return found, err
		}
		done := Result{Object: made.ID, Summary: found.Summary, Change: taskChange(*made), Undo: undoCreation(*made, made.Worker.Value())}
		for _, a := range after {
			if a.isDone(ctx, c, made.ID) {
				done.Summary += ", " + a.summary()
				continue
			}
			m := a.missing(made)
			done.addMissing(m, warnLine("%s was created, but was not %s.", model.Capitalize(newTaskLabel(made)), m.what))
		}
		found.Summary, found.Result = done.Summary, done
		return found, nil
	}
}

// routeInsertion puts a new task at a position of a route.
type routeInsertion struct {
	input    Input
	to       route
	position position
	// inList says that the task is created on the route, at its end.
	inList bool
}

func (p routeInsertion) locks() []string { return []string{p.to.lock()} }

// index is the present index of the position. It is read each time, because indexes shift when a route changes.
func (p routeInsertion) index(ctx context.Context, c *apiclient.Client, made model.ID) (int, error) {
	move := routeMove{to: p.to, position: p.position}
	return move.insertIndex(ctx, c, []movedTask{{id: made}})
}

func (p routeInsertion) check(ctx context.Context, c *apiclient.Client) error {
	if _, err := p.index(ctx, c, newTaskPlaceholder); err != nil {
		return fieldError{err, fieldPosition}
	}
	return nil
}

func (p routeInsertion) send(ctx context.Context, c *apiclient.Client, made model.ID) (board.Change, error) {
	index, err := p.index(ctx, c, made)
	if err != nil {
		return board.Change{}, err
	}
	container, err := p.to.insertTasks(ctx, c, index, made)
	if err != nil {
		return board.Change{}, err
	}
	return board.Change{Containers: []model.Container{container}}, nil
}

func (p routeInsertion) isDone(ctx context.Context, c *apiclient.Client, made model.ID) bool {
	container, err := c.Container(ctx, p.to.ref)
	at := slices.Index(container.Tasks, made)
	if err != nil || at < 0 {
		return false
	}
	return p.position.beforeID == "" || at+1 < len(container.Tasks) && container.Tasks[at+1] == p.position.beforeID
}

// whereText is the position in words.
func (p routeInsertion) whereText() string {
	if p.position.beforeID == "" {
		return "at the end of " + p.listName()
	}
	return "in front of " + p.position.beforeLabel
}

func (p routeInsertion) listName() string {
	if p.to.isWorker() {
		return "the route"
	}
	return "the list"
}

func (p routeInsertion) summary() string {
	if p.inList {
		return p.whereText()
	}
	if p.position.beforeID == "" {
		return "for " + p.to.name
	}
	return "for " + p.to.name + ", " + p.whereText()
}

func (p routeInsertion) missing(made *model.Task) missingPart {
	next := Command{Action: "route.assign", Objects: []model.ID{made.ID}, Values: form.Values{fieldDriver: p.ownerText()}}
	if p.position.beforeID != "" && p.to.isWorker() {
		next.Action, next.Values[fieldPosition] = "route.insert", p.position.beforeLabel
	}
	if !p.inList {
		return missingPart{
			summary: "but not assigned to " + p.to.name, what: "assigned to " + p.to.name,
			todo: "It is unassigned. Assign it; do not create it again.", command: next,
		}
	}
	m := missingPart{
		summary: "but at the end of " + p.listName(), what: "inserted " + p.whereText(), command: next,
		todo: "It is at the end of the route of " + p.to.name + ". Insert it at its position; do not create it again.",
	}
	if !p.to.isWorker() { // no operation inserts into a team's list
		m.todo, m.command = "It is at the end of the list of "+p.to.name+". Do not create it again.", Command{}
	}
	return m
}

// ownerText is the text that resolves to the route's owner.
func (p routeInsertion) ownerText() string {
	if w := p.input.Board.Workers.Get(p.to.ref.Owner()); w != nil {
		return p.input.WorkerText(w)
	}
	if t := p.input.Board.Teams.Get(p.to.ref.Owner()); t != nil {
		return teamPrefix + p.input.teamText(t)
	}
	return string(p.to.ref.Owner())
}

// taskLink makes another task depend on the new one.
type taskLink struct {
	input   Input
	waiting selectedTask
}

func (l taskLink) locks() []string { return []string{lockTask(l.waiting.id)} }

func (l taskLink) check(ctx context.Context, c *apiclient.Client) error {
	_, err := l.readWaiting(ctx, c)
	if err != nil {
		return fieldError{err, fieldNeededBy}
	}
	return nil
}

// readWaiting reads the task that waits, if it may still be changed.
func (l taskLink) readWaiting(ctx context.Context, c *apiclient.Client) (model.Task, error) {
	task, err := c.Task(ctx, l.waiting.id)
	switch {
	case errors.Is(err, apiclient.ErrNotFound):
		return task, fmt.Errorf("%s no longer exists", l.waiting.label)
	case err != nil:
		return task, err
	}
	if reason := model.UpdateForbidden(task.State, "dependencies"); reason != "" {
		return task, fmt.Errorf("%s can no longer be linked: %s", l.waiting.label, reason)
	}
	return task, nil
}

func (l taskLink) send(ctx context.Context, c *apiclient.Client, made model.ID) (board.Change, error) {
	task, err := l.readWaiting(ctx, c)
	if err != nil {
		return board.Change{}, err
	}
	needs := append(slices.Clone(task.Dependencies), made)
	updated, err := c.UpdateTask(ctx, l.waiting.id, model.TaskInput{Dependencies: model.Some(needs)})
	if err != nil {
		return board.Change{}, err
	}
	return board.Change{Tasks: []model.Task{updated}}, nil
}

func (l taskLink) isDone(ctx context.Context, c *apiclient.Client, made model.ID) bool {
	task, err := c.Task(ctx, l.waiting.id)
	return err == nil && slices.Contains(task.Dependencies, made)
}

func (l taskLink) summary() string { return l.waiting.label + " depends on it" }

func (l taskLink) missing(made *model.Task) missingPart {
	needs := []model.ID{}
	if l.waiting.row != nil {
		needs = append(needs, l.waiting.row.Dependencies...)
	}
	return missingPart{
		summary: "but " + l.waiting.label + " does not depend on it", what: "linked with " + l.waiting.label,
		todo: "Link " + l.waiting.label + " with it; do not create it again.",
		command: Command{
			Action: "task.link", Objects: []model.ID{l.waiting.id}, Values: form.Values{"depends_on": typedIDs(append(needs, made.ID))},
		},
	}
}
