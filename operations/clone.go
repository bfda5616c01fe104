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
	fit, skipped := splitSelection(s, func(row *board.TaskRow) string { return model.CloneForbidden(row.State) })
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	f := form.Form{Title: "Clone " + labelTasks(fit), Fields: cloneFields(s), Start: form.Values{}}
	known := new(recipientCache)
	return Operation{
		ID: "task.clone", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, cloneFieldOf(nil)), LoadNotes: notesOfShown(&f, known.loadNotes(s)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = f.ShownValues(values)
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

// NewCloneAssign is task.clone-assign: clones one task and assigns the clone to a driver.
func NewCloneAssign(s Input) (Operation, error) {
	fit, skipped := splitSelection(s, func(row *board.TaskRow) string { return model.CloneForbidden(row.State) })
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	if len(fit) > 1 {
		return Operation{}, errors.New("clone and reassign one task at a time; clone several, mark the clones and assign them")
	}
	workers := describedWorkers(s.Board)
	if len(workers) == 0 {
		return Operation{}, errors.New("the board has no drivers")
	}
	worker := nameField(workers, "driver", form.Field{Name: "worker", Title: "Driver", Page: pageDriver, Object: form.Worker})
	position := s.positionField(func(v form.Values) (stopList, bool) {
		to, err := s.resolveWorkerRoute(v.Get("worker"))
		if err != nil {
			return stopList{}, false
		}
		return s.stopsOf(to, nil)
	})
	position.Page, position.Empty = pageDriver, "last"
	f := form.Form{
		Title: "Clone " + fit[0].label + " and reassign", Fields: append([]form.Field{worker, position}, cloneFields(s)...), Start: form.Values{},
	}
	known := new(recipientCache)
	return Operation{
		ID: "task.clone-assign", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, cloneFieldOf(nil)), LoadNotes: notesOfShown(&f,
			known.loadNotes(s)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = f.ShownValues(values)
			options, problems := checkClone(s, &f, values, fit)
			id, err := resolveName(workers, values.Get("worker"), "driver")
			switch {
			case values.Get("worker") == "":
				addProblem(problems, "worker", "Choose the driver of the clone.")
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

// cloneInsertion puts a clone on a driver's route.
func cloneInsertion(s Input, worker model.ID, values form.Values) (*routeInsertion, form.Problems) {
	p := &routeInsertion{input: s, to: s.workerRoute(worker, "")}
	list, known := s.stopsOf(p.to, nil)
	var err error
	if p.position, err = list.parsePosition(values.Get(fieldPosition)); err != nil {
		if !known {
			err = errors.New("the board does not have this driver's route; leave the position empty for the end")
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
		task := source.wireTask()
		addRules(problems, f, values, options.CheckSource(task.CompleteAfter, task.CompleteBefore), cloneFieldOf(values))
	}
	return options, problems
}

func cloneLines(s Input, values form.Values, fit []selectedTask, options model.CloneOptions, known *recipientCache) []Line {
	lines := describeSelection(fit)
	overrides := options.Overrides.Value()
	if len(fit) > 1 {
		lines = append(lines, plainLine("%s, all with the same changes.", countNoun(len(fit), "task")))
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
			return append(lines, warnLine("The due time of %s has passed, and its clone keeps it: the clone is overdue at once.", c.label))
		}
	}
	return lines
}

// cloneStep clones one task, and assigns the clone when it has an insertion.
type cloneStep struct {
	input     Input
	form      *form.Form
	values    form.Values
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
			return clone, Result{}, errorOnShownField(err, c.form, c.values, cloneFieldOf(c.values))
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
