package operations

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewClone is task.clone: clones the selected tasks, with the same changes for all.
func NewClone(s Input) (Operation, error) {
	tasks, skipped, err := selectClonable(s)
	if err != nil {
		return Operation{}, err
	}
	known := new(recipientCache)
	r := newCloneRequest(s, "task.clone", tasks, known)
	r.form = form.Form{Title: "Clone " + labelTasks(tasks), Fields: cloneFields(s), Start: form.Values{}}
	r.propose = func(options model.CloneOptions, values form.Values) Proposal {
		proposal := Proposal{Skipped: skipped, Lines: cloneLines(s, values, tasks, options, known), Summary: "clone " + labelTasks(tasks)}
		for _, task := range tasks {
			proposal.Steps = append(proposal.Steps, cloneStep{input: s, source: task, options: options}.step())
		}
		return proposal
	}
	return r.operation(s)
}

// NewCloneAssign is task.clone-assign: clones one task and assigns the clone to a driver.
func NewCloneAssign(s Input) (Operation, error) {
	tasks, _, err := selectClonable(s)
	switch {
	case err != nil:
		return Operation{}, err
	case len(tasks) > 1:
		return Operation{}, errors.New("clone and assign one task at a time; clone several, mark the clones and assign them")
	case s.Board.Workers.Len() == 0:
		return Operation{}, errors.New("the board has no drivers")
	}
	known := new(recipientCache)
	r := newCloneRequest(s, "task.clone-assign", tasks, known)
	r.form = form.Form{Title: "Clone " + tasks[0].label + " and assign", Start: form.Values{}}
	r.form.Fields = append(cloneWorkerFields(s), cloneFields(s)...)
	readOptions := r.read
	r.read = func(values form.Values, problems form.Problems) model.CloneOptions {
		cloneInsertion(s, values, problems)
		return readOptions(values, problems)
	}
	r.propose = func(options model.CloneOptions, values form.Values) Proposal {
		step := cloneStep{input: s, source: tasks[0], options: options, insertion: cloneInsertion(s, values, form.Problems{})}
		return Proposal{
			Lines: append(cloneLines(s, values, tasks, options, known), step.workerLines()...), Steps: []Step{step.step()},
			Summary: fmt.Sprintf("clone %s for %s", tasks[0].label, step.insertion.to.name),
		}
	}
	return r.operation(s)
}

func selectClonable(s Input) ([]selectedTask, []Skipped, error) {
	return splitSelection(s, "cloned", func(row *board.TaskRow) string { return model.CloneForbidden(row.State) })
}

// newCloneRequest is what both operations that clone have in common.
func newCloneRequest(s Input, id string, sources []selectedTask, known *recipientCache) request[model.CloneOptions] {
	return request[model.CloneOptions]{
		id: id, fieldOf: cloneFieldOf, loadNotes: known.loadNotes(s),
		read: func(values form.Values, problems form.Problems) model.CloneOptions {
			return cloneOptions(s, values, problems)
		},
		check: func(options model.CloneOptions) model.Problems {
			problems := options.Check(draftOptions(s).Check())
			for _, source := range sources {
				if len(problems) > 0 {
					break
				}
				task := source.wireTask()
				problems = options.CheckSource(task.CompleteAfter, task.CompleteBefore)
			}
			return problems
		},
	}
}

func cloneWorkerFields(s Input) []form.Field {
	position := s.positionField(func(v form.Values) (stopList, bool) { return s.workerStops(v.Get("worker"), nil) })
	position.Page, position.Empty = pageDriver, "last"
	return []form.Field{
		nameField(describedWorkers(s.Board), "driver", form.Field{Name: "worker", Title: "Driver", Page: pageDriver, Object: form.Worker}),
		position,
	}
}

// cloneInsertion puts a clone on a driver's route.
func cloneInsertion(s Input, values form.Values, problems form.Problems) *routeInsertion {
	worker, err := resolveName(boardWorkers(s.Board), values.Get("worker"), "driver")
	if values.Get("worker") == "" {
		err = errors.New("choose the driver of the clone")
	}
	addError(problems, "worker", err)
	p := &routeInsertion{input: s, to: s.workerRoute(worker, "")}
	list, known := s.stopsOf(p.to, nil)
	p.position, err = list.parsePosition(values.Get(fieldPosition))
	if err != nil && !known {
		err = errors.New("the board does not have this driver's route; leave the position empty for the end")
	}
	addError(problems, fieldPosition, err)
	return p
}

func cloneLines(s Input, values form.Values, fit []selectedTask, options model.CloneOptions, known *recipientCache) []Line {
	lines := describeSelection(fit)
	overrides := options.Overrides.Value()
	if len(fit) > 1 {
		lines = append(lines, plainLine("%s, all with the same changes.", model.FormatCount(len(fit), "task")))
	}
	if place, ok := overrides.Destination.Get(); ok {
		lines = append(lines, plainLine("The clone is at %s.", placeText(s, place)))
	}
	switch {
	case values.Get("person") == personNone:
		lines = append(lines, plainLine("Without a recipient."))
	case overrides.Recipients.Present():
		lines = append(lines, known.recipientLines(s, values)...)
	}
	if overrides.CompleteAfter.Has() || overrides.CompleteBefore.Has() {
		return append(lines, plainLine("Window: %s.", formatWindow(s, overrides.CompleteAfter, overrides.CompleteBefore)))
	}
	for _, c := range fit {
		if c.row != nil && c.row.Due != 0 && c.row.Due <= s.Now {
			return append(lines, warnLine("The due time of %s has passed, and its clone keeps it: the clone will be overdue right away.", c.label))
		}
	}
	return lines
}

// cloneStep clones one task, and assigns the clone when it has an insertion.
type cloneStep struct {
	input     Input
	source    selectedTask
	options   model.CloneOptions
	insertion *routeInsertion // nil for a clone that stays unassigned
}

func (c cloneStep) workerLines() []Line {
	lines := []Line{
		plainLine("Then the clone goes to %s, %s.", c.insertion.to.name, c.insertion.whereText()),
		plainLine("%s stands for the id of the clone.", clonePlaceholder),
	}
	if row := c.input.Board.Workers.Get(c.insertion.to.ref.Owner()); row != nil && !row.OnDuty {
		lines = append(lines, warnLine("%s is off duty.", row.Name))
	}
	return lines
}

// clonePlaceholder is the id of the clone in previews.
const clonePlaceholder model.ID = "<clone>"

func (c cloneStep) step() Step {
	began := new(sendTime)
	var after []followUp
	locks := []string{lockContainer(model.ContainerRef{Type: model.ContainerOrganization})}
	if c.insertion != nil {
		after = []followUp{*c.insertion}
		locks = append(locks, c.insertion.locks()...)
	}
	create := func(ctx context.Context, client *apiclient.Client) (model.Task, Result, error) {
		began.setNow()
		clone, err := client.CloneTask(ctx, c.source.id, c.options)
		if err != nil {
			return clone, Result{}, err
		}
		done := Result{Object: clone.ID, Summary: "cloned as " + string(clone.ShortID), Response: clone, Change: taskChange(clone)}
		worker := model.ID("")
		if c.insertion != nil {
			worker = c.insertion.to.ref.Owner()
		}
		done.Undo = undoCreation(clone, worker)
		return clone, done, nil
	}
	return Step{
		Object: c.source.id, Label: c.source.label, Locks: locks,
		Do: func(ctx context.Context, client *apiclient.Client) (Result, error) {
			return createAndFollowUp(ctx, client, after, clonePlaceholder, create)
		},
		Lookup: lookupCreation(after, began.findNewTask(c.input,
			func(task *model.Task) bool { return task.SourceTaskID.Value() == c.source.id })),
	}
}
