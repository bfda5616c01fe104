package operations

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// NewTask is create.task. It needs the templates and custom fields.
func NewTask(s Input) (Operation, error) {
	f := newTaskForm(s)
	known := &acquaintances{overrides: true}
	return Operation{
		ID: "create.task", Title: f.Title, Form: f, FieldOf: placeBy(&f, taskField), LoadNotes: known.look(s),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
			in, problems := newTaskInput(s, values)
			after := newTaskFollowers(s, in, values, problems)
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			addRules(problems, &f, values, checkNewTask(s, in), newTaskField(values))
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return Proposal{
				Lines: newTaskWords(s, values, in, after, known), Summary: "create " + sayKind(in) + " at " + some(sayPlace(s, in.Destination.Value())),
				Steps: []Step{newTaskStep(s, &f, values, in, after)},
			}, nil
		},
	}, nil
}

// newTaskNames are the fields that drafts know by the same name and understand as typed.
func newTaskNames() []string {
	return append(personNames(),
		"override_name", "override_notes", "override_skip_sms", "window", "after", "before", "service_time", "kind", "notes",
		"quantity", "quantity_a", "quantity_b", "quantity_c", "color", "minimum_age", "barcodes", "blocking_barcodes", "scan_only_required",
		"merchant", "executor", "use_merchant_for_proxy", "template", "team",
	)
}

// newTaskInput makes the body from what was typed. Problems are texts that cannot be understood; rules are not looked
// at here.
func newTaskInput(s Input, values form.Values) (model.TaskInput, form.Problems) {
	problems := form.Problems{}
	draft := taskimport.NewDraft(draftOptions(s))
	taskPlace().fill(draft, values, problems)
	fill(draft, values, newTaskNames(), problems)
	oneWindow(values, problems)
	if err := draft.Set("require", required(values)); err != nil {
		addProblem(problems, "require_signature", sentence(err.Error()))
	}
	if ids, err := findTasks(s.Board, values.Get("depends_on")); err != nil {
		addProblem(problems, "depends_on", sentence(err.Error()))
	} else {
		addDependencies(draft, ids, problems)
	}
	in, err := draft.Task()
	if err != nil {
		addProblem(problems, "recipient_id", sentence(err.Error()))
	}
	fillAssignment(s, &in, values, problems)
	fillCustom(s, &in, values, problems)
	fillMetadata(&in, values, problems)
	return in, problems
}

// followers are what follows the creation of a task.
type followers struct {
	place *placing // nil at the end of the list, where a task is made
	links []linking
}

func (f followers) all() []afterwards {
	var all []afterwards
	if f.place != nil {
		all = append(all, *f.place)
	}
	for _, l := range f.links {
		all = append(all, l)
	}
	return all
}

// newTaskFollowers is what the interface cannot do while it creates: a position, and tasks that wait for the new one.
func newTaskFollowers(s Input, in model.TaskInput, values form.Values, problems form.Problems) followers {
	f := followers{links: linksOf(s, in, values, problems)}
	text := values.Get(fieldPosition)
	if text == "" {
		return f
	}
	list, known := assignedQueue(s, values)
	at, err := list.dockAt(text)
	switch {
	case !known && at.before == "" && err == nil:
	case !known:
		addProblem(problems, fieldPosition, "The board does not have this list, so its positions are not known; leave it empty for the end.")
	case err != nil:
		addProblem(problems, fieldPosition, sentence(err.Error()))
	case at.before != "":
		f.place = &placing{scene: s, to: list.place, dock: at, there: true}
	}
	return f
}

func addDependencies(draft *taskimport.Draft, ids []model.ID, problems form.Problems) {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	if err := draft.Set("depends_on", strings.Join(texts, " ")); err != nil {
		addProblem(problems, "depends_on", sentence(err.Error()))
	}
}

// fillAssignment says who gets the task; the team alone is known to drafts.
func fillAssignment(s Input, in *model.TaskInput, values form.Values, problems form.Problems) {
	switch values.Get("assign") {
	case assignTeam:
		if values.Get("team") == "" {
			addProblem(problems, "team", "Choose the team, or leave the task with nobody.")
		}
	case assignWorker:
		id, err := findCalled(workersOf(s.Board), values.Get("worker"), "worker")
		switch {
		case values.Get("worker") == "":
			addProblem(problems, "worker", "Choose the worker, or leave the task with nobody.")
		case err != nil:
			addProblem(problems, "worker", sentence(err.Error()))
		}
		in.Container = model.Some(model.WorkerContainer(id))
	case assignAuto:
		in.AutoAssign = model.Some(autoAssignment(s, values, problems))
	}
}

func autoAssignment(s Input, values form.Values, problems form.Problems) model.AutoAssign {
	auto := model.AutoAssign{Mode: values.Get("auto_mode")}
	if auto.Mode == "" {
		auto.Mode = model.AutoAssignDistance
	}
	if name := values.Get("auto_team"); name != "" {
		team, err := findCalled(teamsOf(s.Board), name, "team")
		if err != nil {
			addProblem(problems, "auto_team", sentence(err.Error()))
		}
		auto.Team = model.Some(team)
	}
	if most := values.Get("auto_max"); most != "" {
		n, err := strconv.ParseInt(most, 10, 32)
		if err != nil {
			addProblem(problems, "auto_max", sentence(checkCount(most).Error()))
		}
		auto.MaxAssignedTaskCount = model.Some(model.Int(n))
	}
	var err error
	if auto.ExcludedWorkerIDs, err = findSeveral(workersOf(s.Board), values.Get("auto_exclude"), "worker"); err != nil {
		addProblem(problems, "auto_exclude", sentence(err.Error()))
	}
	if values.Yes("auto_dependencies") {
		auto.ConsiderDependencies = model.Some(true)
	}
	return auto
}

// checkCount wants a whole number.
func checkCount(value string) error {
	if _, err := strconv.ParseInt(strings.TrimSpace(value), 10, 32); err != nil {
		return fmt.Errorf("%.40q is not a whole number", model.Clean(value))
	}
	return nil
}

// checkNewTask is every rule that can be known here: those of the interface, and those that need the board.
func checkNewTask(s Input, in model.TaskInput) model.Problems {
	problems := in.Check(draftOptions(s).Check())
	problems = append(problems, checkCustom(s, in)...)
	if executor, ok := in.Executor.Get(); ok && executor != s.Organization.ID {
		switch {
		case in.AutoAssign.Has():
			problems = append(problems, model.Problem{
				Field: "autoAssign", Subcode: model.ErrorInvalid, Text: "Another organization does the task, so it also chooses who.",
			})
		case in.Container.Has():
			problems = append(problems, model.Problem{
				Field: "autoAssign", Subcode: model.ErrorInvalid, Text: "Another organization does the task; it cannot go to a team or worker of yours.",
			})
		}
	}
	return problems
}

// newTaskField is the field of a member in the form for a new task.
func newTaskField(values form.Values) func(member string) string {
	window := windowField(values)
	return func(member string) string {
		if strings.HasPrefix(member, "destination") {
			return taskPlace().fieldOf(member, values)
		}
		if strings.HasPrefix(member, "barcodes[") && values.Get("barcodes") == "" {
			return "blocking_barcodes"
		}
		if member == "container" && values.Get("assign") == assignTeam {
			return "team"
		}
		if member == "recipients[0]" && values.Get("recipient_id") == "" {
			return "recipient_name"
		}
		return window(member)
	}
}

func sayKind(in model.TaskInput) string {
	if in.IsPickup() {
		return "pickup"
	}
	return "drop-off"
}

func newTaskWords(s Input, values form.Values, in model.TaskInput, after followers, known *acquaintances) []Line {
	lines := []Line{only("A %s at %s.", sayKind(in), sayPlace(s, in.Destination.Value()))}
	lines = append(lines, known.personLines(s, values)...)
	lines = append(lines, only("To be done %s.", sayWindow(s, in.CompleteAfter, in.CompleteBefore)))
	if before, ok := in.CompleteBefore.Get(); ok && before <= s.Now {
		lines = append(lines, mind("The latest time is past: it will be late at once."))
	}
	if ids := in.Dependencies.Value(); len(ids) > 0 {
		lines = append(lines, only("It waits for %s.", describeAll(s.Board, ids)))
		for _, id := range ids {
			if row := s.Board.Tasks.Get(id); row != nil && row.Status == board.StatusFailed {
				lines = append(lines, mind("%s has failed already.", capital(callTask(s.Board, id))))
			}
		}
	}
	lines = append(lines, assignmentWords(s, in, after.place)...)
	lines = append(lines, linkWords(in, after.links)...)
	if n := len(after.all()); n > 0 {
		lines = append(lines, only("That takes %s; the id of the new task is not known before it is made, so what follows shows %s in its place.",
			howMany(n+1, "request"), placeholderTask))
	}
	return lines
}

func assignmentWords(s Input, in model.TaskInput, place *placing) []Line {
	if auto, ok := in.AutoAssign.Get(); ok {
		text := "The service chooses a worker by " + auto.Mode
		if team, ok := auto.Team.Get(); ok {
			text += " from " + callTeam(s.Board, team)
		}
		if most, ok := auto.MaxAssignedTaskCount.Get(); ok {
			text += fmt.Sprintf(", nobody who has %d tasks or more", most)
		}
		for i, id := range auto.ExcludedWorkerIDs {
			if i == 0 {
				text += ", but not "
			} else {
				text += ", "
			}
			text += callWorker(s.Board, id)
		}
		return []Line{only("%s. If nobody can take it, it stays unassigned.", text)}
	}
	container, ok := in.Container.Get()
	switch {
	case ok && container.Type == model.ContainerTeam:
		if place != nil {
			return []Line{only("It goes to the team %s, %s.", callTeam(s.Board, container.Owner()), place.where())}
		}
		return []Line{only("It goes to the team %s.", callTeam(s.Board, container.Owner()))}
	case ok && container.Type == model.ContainerWorker:
		where := "at the end of the route"
		if place != nil {
			where = place.where()
		}
		lines := []Line{only("It goes to %s, %s.", callWorker(s.Board, container.Owner()), where)}
		if row := s.Board.Workers.Get(container.Owner()); row != nil && !row.OnDuty {
			lines = append(lines, mind("%s is off duty.", row.Name))
		}
		return lines
	}
	return []Line{only("It is unassigned.")}
}

// newTaskStep creates the task. Where a known recipient is to stay as it is, the number is asked for first.
func newTaskStep(s Input, f *form.Form, values form.Values, in model.TaskInput, after followers) Step {
	var began sent
	keep, country := values.Yes("keep_recipient"), s.Organization.Country
	create := func(ctx context.Context, c *apiclient.Client) (model.Task, Result, error) {
		in := in
		if keep {
			var err error
			if in, err = keepKnown(ctx, c, in, country); err != nil {
				return model.Task{}, Result{}, err
			}
		}
		began.now()
		task, err := c.CreateTask(ctx, in)
		if err != nil {
			return task, Result{}, onShown(err, f, values, newTaskField(values))
		}
		done := newTaskDone(s, in, task)
		if len(after.links) > 0 {
			done.Undo = undoLinked(done.Undo, task.ID, after.links)
		}
		return task, done, nil
	}
	step := Step{
		Label: "new " + sayKind(in), Locks: []string{lockOf(in)},
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			return carryOutAll(ctx, c, after.all(), placeholderTask, create)
		},
		Lookup: lookUpAll(after.all(), began.findTask(s, func(task *model.Task) bool { return isMade(in, task, country) })),
	}
	for _, a := range after.all() {
		step.Locks = append(step.Locks, a.locks()...)
	}
	step.Locks = slices.Compact(slices.Sorted(slices.Values(step.Locks)))
	return step
}

// lockOf is the container that a new task changes.
func lockOf(in model.TaskInput) string {
	if container, ok := in.Container.Get(); ok {
		return lockContainer(container)
	}
	return lockContainer(model.ContainerRef{Type: model.ContainerOrganization})
}

func newTaskDone(s Input, in model.TaskInput, task model.Task) Result {
	done := Result{Object: task.ID, Summary: "created " + string(task.ShortID), Change: tookTask(task), Undo: undoMade(task, task.Worker.Value())}
	worker, assigned := task.Worker.Get()
	switch {
	case assigned && worker != "":
		done.Summary += " for " + callWorker(s.Board, worker)
	case in.AutoAssign.Has():
		done.Summary += ", unassigned"
		done.Report = append(done.Report, mind("No worker could be chosen; the task is unassigned."))
		done.Next = "route.assign"
	}
	if place := task.Destination.Object; place != nil {
		for _, warning := range place.Warnings.Value() {
			done.Report = append(done.Report, mind("%s", sentence(model.Clean(warning))))
		}
	}
	return done
}

// undoMade deletes what was just made, as long as it is where it was put and nobody has started it.
func undoMade(task model.Task, worker model.ID) *Undo {
	c := chosen{id: task.ID, label: callMade(&task)}
	return &Undo{
		Title: "delete the new " + c.label,
		Unavailable: func(snapshot *board.Snapshot) string {
			row := snapshot.Tasks.Get(task.ID)
			switch {
			case row == nil:
				return "The task is not on the board any more."
			case cannotDelete(row) != "":
				return cannotDelete(row)
			case row.Worker != worker && row.WorkerName != "":
				return "The task has been given to " + row.WorkerName + " since."
			}
			return ""
		},
		Step:    deleteStep(c),
		Command: Command{Action: "task.delete", On: []model.ID{task.ID}},
	}
}
