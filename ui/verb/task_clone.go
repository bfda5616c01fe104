package verb

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
	"waybill/model"
	"waybill/ui/field"
)

// NewClone is task.clone: makes new tasks from the chosen ones, with the same changes for all.
func NewClone(s Scene) (Verb, error) {
	fit, skipped := fitting(s, func(row *model.TaskRow) string { return model.CanClone(row.State) })
	if err := mayBegin(fit, skipped); err != nil {
		return Verb{}, err
	}
	form := field.Form{Title: "Clone " + callChosen(fit), Fields: cloneFields(s), Start: field.Values{}}
	known := new(acquaintances)
	return Verb{
		ID: "task.clone", Title: form.Title, Form: form, Place: placeBy(&form, cloneField(nil)), Look: ofShown(&form, known.look(s)),
		Prepare: func(values field.Values) (Plan, field.Problems) {
			values = shownValues(&form, values)
			options, problems := checkedClone(s, &form, values)
			if len(problems) > 0 {
				return Plan{}, problems
			}
			plan := Plan{Skipped: skipped, Words: cloneWords(s, values, fit, options, known), Summary: "clone " + callChosen(fit)}
			for _, c := range fit {
				plan.Steps = append(plan.Steps, cloning{scene: s, form: &form, values: values, source: c, options: options}.step())
			}
			return plan, nil
		},
	}, nil
}

// NewCloneAssign is task.clone-assign: clones the one chosen task and gives the clone to a worker.
func NewCloneAssign(s Scene) (Verb, error) {
	fit, skipped := fitting(s, func(row *model.TaskRow) string { return model.CanClone(row.State) })
	if err := mayBegin(fit, skipped); err != nil {
		return Verb{}, err
	}
	if len(fit) > 1 {
		return Verb{}, errors.New("one task at a time is cloned and reassigned; clone many, mark the clones and assign them")
	}
	workers := workersOf(s.Board)
	if len(workers) == 0 {
		return Verb{}, errors.New("the board has no workers to give a clone to")
	}
	worker := workerField(workers, "worker", "Worker")
	worker.Page = pageAssign
	position := field.Field{
		Name: "position", Title: "Place on the route", Page: pageAssign, Kind: field.Choice,
		Options: []field.Option{{Value: "end", Label: "at the end"}, {Value: "start", Label: "first"}},
	}
	form := field.Form{
		Title: "Clone " + fit[0].label + " and reassign", Fields: append([]field.Field{worker, position}, cloneFields(s)...), Start: field.Values{},
	}
	known := new(acquaintances)
	return Verb{
		ID: "task.clone-assign", Title: form.Title, Form: form, Place: placeBy(&form, cloneField(nil)), Look: ofShown(&form, known.look(s)),
		Prepare: func(values field.Values) (Plan, field.Problems) {
			values = shownValues(&form, values)
			options, problems := checkedClone(s, &form, values)
			id, err := findCalled(workers, values.Get("worker"), "worker")
			switch {
			case values.Get("worker") == "":
				addProblem(problems, "worker", "Choose who gets the clone.")
			case err != nil:
				addProblem(problems, "worker", sentence(err.Error()))
			}
			if len(problems) > 0 {
				return Plan{}, problems
			}
			c := cloning{scene: s, form: &form, values: values, source: fit[0], options: options, worker: id, first: values.Get("position") == "start"}
			return Plan{
				Words: append(cloneWords(s, values, fit, options, known), c.workerWords()...), Steps: []Step{c.step()},
				Summary: fmt.Sprintf("clone %s for %s", fit[0].label, callWorker(s.Board, id)),
			}, nil
		},
	}, nil
}

func checkedClone(s Scene, form *field.Form, values field.Values) (model.CloneOptions, field.Problems) {
	options, problems := cloneOptions(s, values)
	if len(problems) == 0 {
		addRules(problems, form, values, options.Check(draftOptions(s).Check()), cloneField(values))
	}
	return options, problems
}

func cloneWords(s Scene, values field.Values, fit []chosen, options model.CloneOptions, known *acquaintances) []Line {
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
		if c.row != nil && c.row.Before != 0 && c.row.Before <= s.Now {
			return append(lines, mind("The latest time of %s is past, and its clone keeps it: it will be late at once.", c.label))
		}
	}
	return lines
}

// cloning is one clone to be made, and perhaps a worker to give it to.
type cloning struct {
	scene   Scene
	form    *field.Form
	values  field.Values
	source  chosen
	options model.CloneOptions
	worker  model.ID // empty for a clone that stays unassigned
	first   bool     // at the start of the worker's route
}

func (c cloning) workerWords() []Line {
	where := "at the end of the route"
	if c.first {
		where = "first on the route"
	}
	lines := []Line{
		only("Then the clone goes to %s, %s.", callWorker(c.scene.Board, c.worker), where),
		only("The id of the clone is not known before it is made; the second request shows %s in its place.", placeholderClone),
	}
	if row := c.scene.Board.Workers.Get(c.worker); row != nil && !row.OnDuty {
		lines = append(lines, mind("%s is off duty.", row.Name))
	}
	return lines
}

// placeholderClone stands for the clone in the preview of what follows it.
const placeholderClone model.ID = "<clone>"

func (c cloning) step() Step {
	began := new(sent)
	step := Step{
		Object: c.source.id, Label: c.source.label, Locks: []string{lockContainer(model.ContainerRef{Type: model.ContainerOrganization})},
		Do:     func(ctx context.Context, client *apiclient.Client) (Done, error) { return c.do(ctx, client, began) },
		LookUp: began.lookForTask(c.scene, func(task *model.Task) bool { return task.SourceTaskID.Value() == c.source.id }),
	}
	if c.worker != "" {
		step.Locks = append(step.Locks, lockContainer(model.WorkerContainer(c.worker)))
	}
	return step
}

func (c cloning) do(ctx context.Context, client *apiclient.Client, began *sent) (Done, error) {
	began.now()
	clone, err := client.CloneTask(ctx, c.source.id, c.options)
	switch {
	case errors.Is(err, apiclient.ErrDryRun) && c.worker != "":
		_, err = c.assign(ctx, client, placeholderClone)
		return Done{}, err
	case err != nil:
		return Done{}, onShown(err, c.form, c.values, cloneField(c.values))
	}
	done := Done{Object: clone.ID, Words: "cloned as " + string(clone.ShortID), Change: tookTask(clone), Undo: undoMade(clone, "")}
	if c.worker == "" {
		return done, nil
	}
	return c.assigned(ctx, client, clone, done), nil
}

// assigned gives the clone to the worker. When that fails the clone is there all the same: sending the step again
// would make another one, so it is no failure of the step but a half of its result.
func (c cloning) assigned(ctx context.Context, client *apiclient.Client, clone model.Task, done Done) Done {
	name := callWorker(c.scene.Board, c.worker)
	container, err := c.assign(ctx, client, clone.ID)
	if errors.Is(err, apiclient.ErrUnknownOutcome) {
		if now, readErr := client.Task(ctx, clone.ID); readErr == nil && now.Worker.Value() == c.worker {
			clone, err = now, nil
		}
	}
	if err != nil {
		done.Words += ", but not given to " + name
		done.Report = []Line{
			mind("The clone %s was made, but it could not be given to %s: %v", clone.ShortID, name, err),
			only("The clone is unassigned. Assign it; do not clone again."),
		}
		done.Next, done.Partly = "route.assign", true
		return done
	}
	done.Words += " for " + name
	done.Undo = undoMade(clone, c.worker)
	if now, err := client.Task(ctx, clone.ID); err == nil {
		done.Change = tookTask(now)
	}
	if container.ID != "" {
		done.Change.Containers = []model.Container{container}
	}
	return done
}

func (c cloning) assign(ctx context.Context, client *apiclient.Client, clone model.ID) (model.Container, error) {
	at := model.Int(model.AppendTasks)
	if c.first {
		at = model.PrependTasks
	}
	return client.UpdateContainer(ctx, model.WorkerContainer(c.worker), model.ContainerUpdate{
		Tasks: model.ContainerTasks{Index: model.Some(at), IDs: []model.ID{clone}},
	})
}
