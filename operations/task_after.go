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

// afterwards is a request that follows the one that makes a task, because it needs the id of what was made. The two
// are one step: a task is made once, whatever becomes of the rest.
type afterwards interface {
	// locks name what it changes.
	locks() []string
	// ready says why it could not be carried out as things are. It is asked before anything is made.
	ready(ctx context.Context, c *apiclient.Client) error
	send(ctx context.Context, c *apiclient.Client, made model.ID) (board.Change, error)
	// holds reports whether it was carried out, where its answer was lost.
	holds(ctx context.Context, c *apiclient.Client, made model.ID) bool
	// did is the result in a few words behind those of the task, missed what is told when it fails.
	did() string
	missed(made *model.Task) missed
}

// missed is the other half of a result: what was not done, and how to go on.
type missed struct {
	words string // "but at the end of the route"
	what  string // what was to be done: "put in front of 5d20c1aa"
	todo  string // "Insert it at its place; do not create it again."
	next  Command
}

// placeholderTask stands in the preview for a task that has no id yet.
const placeholderTask model.ID = "<new task>"

// carryOutAll carries out a creation and what follows it.
func carryOutAll(
	ctx context.Context, c *apiclient.Client, after []afterwards, placeholder model.ID,
	create func(ctx context.Context, c *apiclient.Client) (model.Task, Result, error),
) (Result, error) {
	for _, a := range after {
		if err := a.ready(ctx, c); err != nil {
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
		if errors.Is(err, apiclient.ErrUnknownOutcome) && a.holds(ctx, c, task.ID) {
			err = nil
		}
		done.follow(a, &task, change, err)
	}
	if now, err := c.Task(ctx, task.ID); err == nil && len(after) > 0 {
		done.Change.Tasks = append(done.Change.Tasks, now)
	}
	return done, nil
}

// follow adds what became of a request that followed. When it failed the task is there all the same: sending the step
// again would make another one, so it is no failure of the step but a half of its result.
func (d *Result) follow(a afterwards, made *model.Task, change board.Change, err error) {
	if err == nil {
		d.Summary += ", " + a.did()
		d.Change.Tasks = append(d.Change.Tasks, change.Tasks...)
		d.Change.Containers = append(d.Change.Containers, change.Containers...)
		return
	}
	m := a.missed(made)
	line := mind("%s was made, but it could not be %s: %v", capital(callMade(made)), m.what, err)
	if errors.Is(err, apiclient.ErrUnknownOutcome) {
		line = mind("%s was made, but it is not known whether it was %s: %v", capital(callMade(made)), m.what, err)
	}
	d.miss(m, line)
}

// miss tells what is left to do, on a key where there is one.
func (d *Result) miss(m missed, line Line) {
	d.Summary += ", " + m.words
	d.Report = append(d.Report, line, only("%s", m.todo))
	d.Partial = true
	if d.Next == "" {
		d.Next, d.NextOn, d.NextWith = m.next.Action, m.next.On, m.next.With
	}
}

// lookUpAll makes the look after an unknown creation: a task that was made after all can be taken back like any other,
// and lacks what should have followed.
func lookUpAll(after []afterwards, find finding) func(context.Context, *apiclient.Client) (LookupResult, error) {
	return func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
		found, made, err := find(ctx, c)
		if err != nil || made == nil {
			return found, err
		}
		done := Result{Object: made.ID, Summary: found.Summary, Change: tookTask(*made), Undo: undoMade(*made, made.Worker.Value())}
		for _, a := range after {
			if a.holds(ctx, c, made.ID) {
				done.Summary += ", " + a.did()
				continue
			}
			m := a.missed(made)
			done.miss(m, mind("%s was made, but it was not %s.", capital(callMade(made)), m.what))
		}
		found.Summary, found.Result = done.Summary, done
		return found, nil
	}
}

// placing puts a task that was made into a list, at a place in it.
type placing struct {
	scene Input
	to    routePlace
	dock  dock
	// there says that the task is made in the list, at its end.
	there bool
}

func (p placing) locks() []string { return []string{p.to.lock()} }

// index is where the task goes now. It is found again each time, because numbers shift when a list changes.
func (p placing) index(ctx context.Context, c *apiclient.Client, made model.ID) (int, error) {
	move := routeMove{to: p.to, dock: p.dock}
	return move.position(ctx, c, []movedTask{{id: made}})
}

func (p placing) ready(ctx context.Context, c *apiclient.Client) error {
	if _, err := p.index(ctx, c, placeholderTask); err != nil {
		return onField{err, fieldPosition}
	}
	return nil
}

func (p placing) send(ctx context.Context, c *apiclient.Client, made model.ID) (board.Change, error) {
	index, err := p.index(ctx, c, made)
	if err != nil {
		return board.Change{}, err
	}
	container, err := c.UpdateContainer(ctx, p.to.ref, model.ContainerUpdate{
		Tasks: model.ContainerTasks{Index: model.Some(model.Int(index)), IDs: []model.ID{made}},
	})
	if err != nil {
		return board.Change{}, err
	}
	return board.Change{Containers: []model.Container{container}}, nil
}

func (p placing) holds(ctx context.Context, c *apiclient.Client, made model.ID) bool {
	container, err := c.Container(ctx, p.to.ref)
	at := slices.Index(container.Tasks, made)
	if err != nil || at < 0 {
		return false
	}
	return p.dock.before == "" || at+1 < len(container.Tasks) && container.Tasks[at+1] == p.dock.before
}

// where is the place in words.
func (p placing) where() string {
	if p.dock.before == "" {
		return "at the end of " + p.of()
	}
	return "in front of " + p.dock.beforeLabel
}

func (p placing) of() string {
	if p.to.isWorker() {
		return "the route"
	}
	return "the list"
}

func (p placing) did() string {
	if p.there {
		return p.where()
	}
	if p.dock.before == "" {
		return "for " + p.to.name
	}
	return "for " + p.to.name + ", " + p.where()
}

func (p placing) missed(made *model.Task) missed {
	next := Command{Action: "route.assign", On: []model.ID{made.ID}, With: form.Values{fieldWho: p.typed()}}
	if p.dock.before != "" && p.to.isWorker() {
		next.Action, next.With[fieldPosition] = "route.insert", p.dock.beforeLabel
	}
	if !p.there {
		return missed{
			words: "but not given to " + p.to.name, what: "given to " + p.to.name, todo: "It is unassigned. Assign it; do not make another one.", next: next,
		}
	}
	m := missed{
		words: "but at the end of " + p.of(), what: "put " + p.where(), next: next,
		todo: "It is at the end of the route of " + p.to.name + ". Insert it at its place; do not create it again.",
	}
	if !p.to.isWorker() { // nothing puts a task at a place of a team's list afterwards
		m.todo, m.next = "It is at the end of the list of "+p.to.name+", which has it all the same; do not create it again.", Command{}
	}
	return m
}

// typed is what finds the owner of the list again.
func (p placing) typed() string {
	if w := p.scene.Board.Workers.Get(p.to.ref.Owner()); w != nil {
		return p.scene.typedWorker(w)
	}
	if t := p.scene.Board.Teams.Get(p.to.ref.Owner()); t != nil {
		return routeTeamPrefix + p.scene.typedTeam(t)
	}
	return string(p.to.ref.Owner())
}

// linking makes another task wait for the one that was made: the task that waits is the one that knows of it.
type linking struct {
	scene   Input
	waiting chosen
}

func (l linking) locks() []string { return []string{lockTask(l.waiting.id)} }

func (l linking) ready(ctx context.Context, c *apiclient.Client) error {
	_, err := l.now(ctx, c)
	if err != nil {
		return onField{err, fieldNeededBy}
	}
	return nil
}

// now is the task that waits, as long as it may still be changed.
func (l linking) now(ctx context.Context, c *apiclient.Client) (model.Task, error) {
	task, err := c.Task(ctx, l.waiting.id)
	switch {
	case errors.Is(err, apiclient.ErrNotFound):
		return task, fmt.Errorf("%s does not exist any more", l.waiting.label)
	case err != nil:
		return task, err
	}
	if reason := model.UpdateForbidden(task.State, "dependencies"); reason != "" {
		return task, fmt.Errorf("%s cannot wait for anything any more: %s", l.waiting.label, lower(reason))
	}
	return task, nil
}

func (l linking) send(ctx context.Context, c *apiclient.Client, made model.ID) (board.Change, error) {
	task, err := l.now(ctx, c)
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

func (l linking) holds(ctx context.Context, c *apiclient.Client, made model.ID) bool {
	task, err := c.Task(ctx, l.waiting.id)
	return err == nil && slices.Contains(task.Dependencies, made)
}

func (l linking) did() string { return l.waiting.label + " waits for it" }

func (l linking) missed(made *model.Task) missed {
	needs := []model.ID{}
	if l.waiting.row != nil {
		needs = append(needs, l.waiting.row.Dependencies...)
	}
	return missed{
		words: "but " + l.waiting.label + " does not wait for it", what: "linked with " + l.waiting.label,
		todo: capital(l.waiting.label) + " does not wait for it yet. Link the two; do not create it again.",
		next: Command{
			Action: "task.link", On: []model.ID{l.waiting.id}, With: form.Values{"depends_on": typedIDs(append(needs, made.ID))},
		},
	}
}
