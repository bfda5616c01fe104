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
	fit, skipped := fitting(s, func(row *board.TaskRow) string { return model.CloneForbidden(row.State) })
	if err := mayBegin(fit, skipped); err != nil {
		return Operation{}, err
	}
	f := form.Form{Title: "Clone " + callChosen(fit), Fields: cloneFields(s), Start: form.Values{}}
	known := new(acquaintances)
	return Operation{
		ID: "task.clone", Title: f.Title, Form: f, FieldOf: placeBy(&f, cloneField(nil)), LoadNotes: ofShown(&f, known.look(s)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
			options, problems := checkedClone(s, &f, values, fit)
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			plan := Proposal{Skipped: skipped, Lines: cloneWords(s, values, fit, options, known), Summary: "clone " + callChosen(fit)}
			for _, c := range fit {
				plan.Steps = append(plan.Steps, cloning{scene: s, form: &f, values: values, source: c, options: options}.step())
			}
			return plan, nil
		},
	}, nil
}

// NewCloneAssign is task.clone-assign: clones the one chosen task and gives the clone to a worker.
func NewCloneAssign(s Input) (Operation, error) {
	fit, skipped := fitting(s, func(row *board.TaskRow) string { return model.CloneForbidden(row.State) })
	if err := mayBegin(fit, skipped); err != nil {
		return Operation{}, err
	}
	if len(fit) > 1 {
		return Operation{}, errors.New("one task at a time is cloned and reassigned; clone many, mark the clones and assign them")
	}
	workers := workersOf(s.Board)
	if len(workers) == 0 {
		return Operation{}, errors.New("the board has no workers to give a clone to")
	}
	worker := workerField(workers, "worker", "Worker")
	worker.Page = pageAssign
	position := s.positionField(func(v form.Values) (queue, bool) {
		id, err := findCalled(workers, v.Get("worker"), "worker")
		if err != nil {
			return queue{}, false
		}
		return s.queueOf(s.workerPlace(id, ""), nil)
	})
	position.Page, position.Empty = pageAssign, "last"
	f := form.Form{
		Title: "Clone " + fit[0].label + " and reassign", Fields: append([]form.Field{worker, position}, cloneFields(s)...), Start: form.Values{},
	}
	known := new(acquaintances)
	return Operation{
		ID: "task.clone-assign", Title: f.Title, Form: f, FieldOf: placeBy(&f, cloneField(nil)), LoadNotes: ofShown(&f, known.look(s)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
			options, problems := checkedClone(s, &f, values, fit)
			id, err := findCalled(workers, values.Get("worker"), "worker")
			switch {
			case values.Get("worker") == "":
				addProblem(problems, "worker", "Choose who gets the clone.")
			case err != nil:
				addProblem(problems, "worker", sentence(err.Error()))
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			c := cloning{scene: s, form: &f, values: values, source: fit[0], options: options}
			if c.place, problems = clonePlacing(s, id, values); len(problems) > 0 {
				return Proposal{}, problems
			}
			return Proposal{
				Lines: append(cloneWords(s, values, fit, options, known), c.workerWords()...), Steps: []Step{c.step()},
				Summary: fmt.Sprintf("clone %s for %s", fit[0].label, callWorker(s.Board, id)),
			}, nil
		},
	}, nil
}

// clonePlacing puts a clone on a worker's route.
func clonePlacing(s Input, worker model.ID, values form.Values) (*placing, form.Problems) {
	p := &placing{scene: s, to: s.workerPlace(worker, "")}
	list, known := s.queueOf(p.to, nil)
	var err error
	if p.dock, err = list.dockAt(values.Get(fieldPosition)); err != nil {
		if !known {
			err = errors.New("the board does not have this worker, so the route is not known; leave it empty for the end")
		}
		return nil, form.Problems{fieldPosition: sentence(err.Error())}
	}
	return p, nil
}

func checkedClone(s Input, f *form.Form, values form.Values, sources []chosen) (model.CloneOptions, form.Problems) {
	options, problems := cloneOptions(s, values)
	if len(problems) == 0 {
		addRules(problems, f, values, options.Check(draftOptions(s).Check()), cloneField(values))
	}
	for _, source := range sources {
		if len(problems) > 0 {
			break
		}
		row := source.row
		addRules(problems, f, values, options.CheckSource(model.NullIfZero(row.Earliest), model.NullIfZero(row.Due)), cloneField(values))
	}
	return options, problems
}

func cloneWords(s Input, values form.Values, fit []chosen, options model.CloneOptions, known *acquaintances) []Line {
	lines := describeChosen(fit)
	overrides := options.Overrides.Value()
	if len(fit) > 1 {
		lines = append(lines, only("%s are cloned, all with the same changes.", howMany(len(fit), "task")))
	}
	if place, ok := overrides.Destination.Get(); ok {
		lines = append(lines, only("The clone is at %s.", sayPlace(s, place)))
	}
	switch {
	case values.Get("person") == personNone:
		lines = append(lines, only("Without a recipient."))
	case overrides.Recipients.Present():
		lines = append(lines, known.personLines(s, values)...)
	}
	if overrides.CompleteAfter.Has() || overrides.CompleteBefore.Has() {
		return append(lines, only("To be done %s.", sayWindow(s, overrides.CompleteAfter, overrides.CompleteBefore)))
	}
	for _, c := range fit {
		if c.row != nil && c.row.Due != 0 && c.row.Due <= s.Now {
			return append(lines, mind("The latest time of %s is past, and its clone keeps it: it will be late at once.", c.label))
		}
	}
	return lines
}

// cloning is one clone to be made, and perhaps a worker to give it to.
type cloning struct {
	scene   Input
	form    *form.Form
	values  form.Values
	source  chosen
	options model.CloneOptions
	place   *placing // where the clone goes; nil for one that stays unassigned
}

func (c cloning) workerWords() []Line {
	lines := []Line{
		only("Then the clone goes to %s, %s.", c.place.to.name, c.place.where()),
		only("The id of the clone is not known before it is made; the second request shows %s in its place.", placeholderClone),
	}
	if row := c.scene.Board.Workers.Get(c.place.to.ref.Owner()); row != nil && !row.OnDuty {
		lines = append(lines, mind("%s is off duty.", row.Name))
	}
	return lines
}

// placeholderClone stands for the clone in the preview of what follows it.
const placeholderClone model.ID = "<clone>"

func (c cloning) step() Step {
	began := new(sent)
	var after []afterwards
	locks := []string{lockContainer(model.ContainerRef{Type: model.ContainerOrganization})}
	if c.place != nil {
		after = []afterwards{*c.place}
		locks = append(locks, c.place.locks()...)
	}
	create := func(ctx context.Context, client *apiclient.Client) (model.Task, Result, error) {
		began.now()
		clone, err := client.CloneTask(ctx, c.source.id, c.options)
		if err != nil {
			return clone, Result{}, onShown(err, c.form, c.values, cloneField(c.values))
		}
		done := Result{Object: clone.ID, Summary: "cloned as " + string(clone.ShortID), Change: tookTask(clone)}
		worker := model.ID("")
		if c.place != nil {
			worker = c.place.to.ref.Owner()
		}
		done.Undo = undoMade(clone, worker)
		return clone, done, nil
	}
	return Step{
		Object: c.source.id, Label: c.source.label, Locks: locks,
		Do: func(ctx context.Context, client *apiclient.Client) (Result, error) {
			return carryOutAll(ctx, client, after, placeholderClone, create)
		},
		Lookup: lookUpAll(after, began.findTask(c.scene, func(task *model.Task) bool { return task.SourceTaskID.Value() == c.source.id })),
	}
}
