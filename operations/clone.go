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

// NewClone is task.clone: makes new tasks from the chosen ones, with the same changes for all.
func NewClone(s Input) (Operation, error) {
	fit, skipped := splitSelection(s, func(row *board.TaskRow) string { return model.CanClone(row.State) })
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	f := form.Form{Title: "Clone " + labelTasks(fit), Fields: cloneFields(s), Start: form.Values{}}
	known := new(recipientCache)
	return Operation{
		ID: "task.clone", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, cloneFieldOf(nil)), LoadNotes: notesOfShown(&f, known.loadNotes(s)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
			options, problems := checkClone(s, &f, values, fit)
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			plan := Proposal{Skipped: skipped, Lines: cloneLines(s, values, fit, options, known), Summary: "clone " + labelTasks(fit)}
			for _, c := range fit {
				plan.Steps = append(plan.Steps, cloneStep{input: s, form: &f, values: values, source: c, options: options}.step())
			}
			return plan, nil
		},
	}, nil
}

// NewCloneAssign is task.clone-assign: clones the one chosen task and gives the clone to a worker.
func NewCloneAssign(s Input) (Operation, error) {
	fit, skipped := splitSelection(s, func(row *board.TaskRow) string { return model.CanClone(row.State) })
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	if len(fit) > 1 {
		return Operation{}, errors.New("one task at a time is cloned and reassigned; clone many, mark the clones and assign them")
	}
	workers := boardWorkers(s.Board)
	if len(workers) == 0 {
		return Operation{}, errors.New("the board has no workers to give a clone to")
	}
	worker := workerField(workers, "worker", "Worker")
	worker.Page = pageDriver
	position := s.positionField(func(v form.Values) (stopList, bool) {
		id, err := resolveName(workers, v.Get("worker"), "worker")
		if err != nil {
			return stopList{}, false
		}
		return s.stopsOf(s.workerRoute(id, ""), nil)
	})
	position.Page, position.Empty = pageDriver, "last"
	f := form.Form{
		Title: "Clone " + fit[0].label + " and reassign", Fields: append([]form.Field{worker, position}, cloneFields(s)...), Start: form.Values{},
	}
	known := new(recipientCache)
	return Operation{
		ID: "task.clone-assign", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, cloneFieldOf(nil)), LoadNotes: notesOfShown(&f, known.loadNotes(s)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
			options, problems := checkClone(s, &f, values, fit)
			id, err := resolveName(workers, values.Get("worker"), "worker")
			switch {
			case values.Get("worker") == "":
				addProblem(problems, "worker", "Choose who gets the clone.")
			case err != nil:
				addProblem(problems, "worker", sentence(err.Error()))
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			c := cloneStep{input: s, form: &f, values: values, source: fit[0], options: options}
			if c.insertion, problems = cloneInsertion(s, id, values); len(problems) > 0 {
				return Proposal{}, problems
			}
			return Proposal{
				Lines: append(cloneLines(s, values, fit, options, known), c.workerLines()...), Steps: []Step{c.step()},
				Summary: fmt.Sprintf("clone %s for %s", fit[0].label, workerLabel(s.Board, id)),
			}, nil
		},
	}, nil
}

// cloneInsertion puts a clone on a worker's route.
func cloneInsertion(s Input, worker model.ID, values form.Values) (*routeInsertion, form.Problems) {
	p := &routeInsertion{input: s, to: s.workerRoute(worker, "")}
	list, known := s.stopsOf(p.to, nil)
	var err error
	if p.position, err = list.parsePosition(values.Get(fieldPosition)); err != nil {
		if !known {
			err = errors.New("the board does not have this worker, so the route is not known; leave it empty for the end")
		}
		return nil, form.Problems{fieldPosition: sentence(err.Error())}
	}
	return p, nil
}

func checkClone(s Input, f *form.Form, values form.Values, sources []selectedTask) (model.CloneOptions, form.Problems) {
	options, problems := cloneOptions(s, values)
	if len(problems) == 0 {
		addRules(problems, f, values, options.Check(draftOptions(s).Check()), cloneFieldOf(values))
	}
	for _, source := range sources {
		if len(problems) > 0 {
			break
		}
		row := source.row
		addRules(problems, f, values, options.CheckSource(model.NullIfZero(row.After), model.NullIfZero(row.Before)), cloneFieldOf(values))
	}
	return options, problems
}

func cloneLines(s Input, values form.Values, fit []selectedTask, options model.CloneOptions, known *recipientCache) []Line {
	lines := describeSelection(fit)
	overrides := options.Overrides.Value()
	if len(fit) > 1 {
		lines = append(lines, plainLine("%s are cloned, all with the same changes.", countNoun(len(fit), "task")))
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
		return append(lines, plainLine("To be done %s.", formatWindow(s, overrides.CompleteAfter, overrides.CompleteBefore)))
	}
	for _, c := range fit {
		if c.row != nil && c.row.Before != 0 && c.row.Before <= s.Now {
			return append(lines, warnLine("The latest time of %s is past, and its clone keeps it: it will be late at once.", c.label))
		}
	}
	return lines
}

// cloneStep is one clone to be made, and perhaps a worker to give it to.
type cloneStep struct {
	input     Input
	form      *form.Form
	values    form.Values
	source    selectedTask
	options   model.CloneOptions
	insertion *routeInsertion // where the clone goes; nil for one that stays unassigned
}

func (c cloneStep) workerLines() []Line {
	lines := []Line{
		plainLine("Then the clone goes to %s, %s.", c.insertion.to.name, c.insertion.whereText()),
		plainLine("The id of the clone is not known before it is made; the second request shows %s in its place.", clonePlaceholder),
	}
	if row := c.input.Board.Workers.Get(c.insertion.to.ref.Owner()); row != nil && !row.OnDuty {
		lines = append(lines, warnLine("%s is off duty.", row.Name))
	}
	return lines
}

// clonePlaceholder stands for the clone in the preview of what follows it.
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
			return clone, Result{}, errorOnShownField(err, c.form, c.values, cloneFieldOf(c.values))
		}
		done := Result{Object: clone.ID, Summary: "cloned as " + string(clone.ShortID), Change: taskChange(clone)}
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
		Lookup: lookupCreation(after, began.findNewTask(c.input, func(task *model.Task) bool { return task.SourceTaskID.Value() == c.source.id })),
	}
}
