package operations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// NewTask is create.task: creates a task from a form or a JSON body.
func NewTask(s Input) (Operation, error) {
	if s.Body != nil {
		return newBodyOperation(s, "create.task", "New task", func(in model.TaskInput) model.Problems {
			return in.Check(draftOptions(s).Check())
		}, func(in model.TaskInput) Proposal {
			f := form.Form{}
			known := &recipientCache{hasOverrides: true}
			return newTaskProposal(s, &f, nil, in, followUps{}, known)
		})
	}
	f := newTaskForm(s)
	known := &recipientCache{hasOverrides: true}
	return Operation{
		ID: "create.task", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, fieldOfMember), LoadNotes: known.loadNotes(s),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = f.ShownValues(values)
			in, problems := newTaskInput(s, values)
			after := newTaskFollowUps(s, in, values, problems)
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			addRules(problems, &f, values, checkNewTask(s, in), newTaskFieldOf(values))
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return newTaskProposal(s, &f, values, in, after, known), nil
		},
	}, nil
}

func newTaskProposal(
	s Input, f *form.Form, values form.Values, in model.TaskInput, after followUps, known *recipientCache,
) Proposal {
	return Proposal{
		Lines:   newTaskLines(s, values, in, after, known),
		Summary: "create " + kindText(in) + " at " + shortenText(placeText(s, in.Destination.Value())),
		Steps:   []Step{newTaskStep(s, f, values, in, after)},
	}
}

// newTaskFieldNames are the fields that have the same names in drafts.
func newTaskFieldNames() []string {
	return append(recipientFieldNames(),
		"skip_phone_check", "override_name", "override_notes", "override_skip_sms", "window", "after", "before", "service_time", "kind", "notes",
		"quantity", "quantity_a", "quantity_b", "quantity_c", "color", "minimum_age", "barcodes", "blocking_barcodes", "scan_only_required",
		"merchant", "executor", "use_merchant_for_proxy", "template", "team",
	)
}

// newTaskInput makes the body from the values. Its problems are texts that cannot be read; rules are checked later.
func newTaskInput(s Input, values form.Values) (model.TaskInput, form.Problems) {
	problems := form.Problems{}
	draft := newDraft(s)
	taskAddressForm().fill(draft, values, problems)
	fillDraft(draft, values, newTaskFieldNames(), problems)
	checkOneWindow(values, problems)
	if err := draft.Set("require", joinRequirements(values)); err != nil {
		addProblem(problems, "require_signature", sentence(err.Error()))
	}
	if ids, err := resolveTasks(s.Board, values.Get("depends_on")); err != nil {
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

// followUps are the requests that follow the creation of a task.
type followUps struct {
	insertion *routeInsertion // nil for the end of the list, where new tasks are
	links     []taskLink
}

func (f followUps) list() []followUp {
	var all []followUp
	if f.insertion != nil {
		all = append(all, *f.insertion)
	}
	for _, l := range f.links {
		all = append(all, l)
	}
	return all
}

// newTaskFollowUps are what the interface cannot do with the creation: a position, and tasks that depend on the new one.
func newTaskFollowUps(s Input, in model.TaskInput, values form.Values, problems form.Problems) followUps {
	f := followUps{links: newTaskLinks(s, in, values, problems)}
	text := values.Get(fieldPosition)
	if text == "" {
		return f
	}
	list, known := assignedRoute(s, values)
	at, err := list.parsePosition(text)
	switch {
	case !known && at.beforeID == "" && err == nil:
	case !known:
		addProblem(problems, fieldPosition, "The board does not have this list, so its positions are unknown. Leave the position empty for the end.")
	case err != nil:
		addProblem(problems, fieldPosition, sentence(err.Error()))
	case at.beforeID != "":
		f.insertion = &routeInsertion{input: s, to: list.route, position: at, inList: true}
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

// fillAssignment sets who gets the task. A team is set by the draft.
func fillAssignment(s Input, in *model.TaskInput, values form.Values, problems form.Problems) {
	switch values.Get("assign") {
	case assignTeam:
		if values.Get("team") == "" {
			addProblem(problems, "team", "Choose a team, or leave the task unassigned.")
		}
	case assignWorker:
		id, err := resolveName(boardWorkers(s.Board), values.Get("worker"), "driver")
		switch {
		case values.Get("worker") == "":
			addProblem(problems, "worker", "Choose a driver, or leave the task unassigned.")
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
		team, err := resolveName(boardTeams(s.Board), name, "team")
		if err != nil {
			addProblem(problems, "auto_team", sentence(err.Error()))
		}
		auto.Team = model.Some(team)
	}
	var err error
	if auto.MaxAssignedTaskCount, err = parseInt(values.Get("auto_max")); err != nil {
		addProblem(problems, "auto_max", sentence(err.Error()))
	}
	if auto.ExcludedWorkerIDs, err = ResolveNames(boardWorkers(s.Board), values.Get("auto_exclude"), "driver"); err != nil {
		addProblem(problems, "auto_exclude", sentence(err.Error()))
	}
	if values.Yes("auto_dependencies") {
		auto.ConsiderDependencies = model.Some(true)
	}
	return auto
}

// checkNewTask checks the rules of the interface and those that need the board.
func checkNewTask(s Input, in model.TaskInput) model.Problems {
	problems := in.Check(draftOptions(s).Check())
	problems = append(problems, checkCustom(s, in)...)
	if executor, ok := in.Executor.Get(); ok && executor != s.Organization.ID {
		switch {
		case in.AutoAssign.Has():
			problems = append(problems, model.Problem{
				Field: "autoAssign", Subcode: model.ErrorInvalid, Text: "Another organization executes the task and chooses the driver.",
			})
		case in.Container.Has():
			problems = append(problems, model.Problem{
				Field: "autoAssign", Subcode: model.ErrorInvalid, Text: "Another organization executes the task; your teams and drivers cannot get it.",
			})
		}
	}
	return problems
}

// newTaskFieldOf maps members of a new task to fields of its form.
func newTaskFieldOf(values form.Values) func(member string) string {
	window := windowFieldOf(values)
	return func(member string) string {
		if strings.HasPrefix(member, "destination") {
			return taskAddressForm().fieldOf(member, values)
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

func kindText(in model.TaskInput) string {
	if in.IsPickup() {
		return "pickup"
	}
	return "drop-off"
}

func newTaskLines(s Input, values form.Values, in model.TaskInput, after followUps, known *recipientCache) []Line {
	lines := []Line{plainLine("A %s at %s.", kindText(in), placeText(s, in.Destination.Value()))}
	if values != nil {
		lines = append(lines, known.recipientLines(s, values)...)
	}
	lines = append(lines, plainLine("Window: %s.", formatWindow(s, in.CompleteAfter, in.CompleteBefore)))
	if before, ok := in.CompleteBefore.Get(); ok && before <= s.Now {
		lines = append(lines, warnLine("The due time has passed: the task is overdue at once."))
	}
	if ids := in.Dependencies.Value(); len(ids) > 0 {
		lines = append(lines, plainLine("It depends on %s.", describeTasks(s.Board, ids)))
		for _, id := range ids {
			if row := s.Board.Tasks.Get(id); row != nil && row.Status == board.StatusFailed {
				lines = append(lines, warnLine("%s has failed.", capitalize(taskLabel(s.Board, id))))
			}
		}
	}
	lines = append(lines, assignmentLines(s, in, after.insertion)...)
	lines = append(lines, linkLines(in, after.links)...)
	if n := len(after.list()); n > 0 {
		lines = append(lines, plainLine("This takes %s. %s stands for the id of the new task.", countNoun(n+1, "request"), newTaskPlaceholder))
	}
	return lines
}

func assignmentLines(s Input, in model.TaskInput, place *routeInsertion) []Line {
	if auto, ok := in.AutoAssign.Get(); ok {
		text := "The service chooses a driver by " + auto.Mode
		if team, ok := auto.Team.Get(); ok {
			text += " from " + teamLabel(s.Board, team)
		}
		if most, ok := auto.MaxAssignedTaskCount.Get(); ok {
			text += fmt.Sprintf(", with fewer than %d tasks", most)
		}
		for i, id := range auto.ExcludedWorkerIDs {
			text += plural(i+1, ", except ", ", ") + workerLabel(s.Board, id)
		}
		return []Line{plainLine("%s. If no driver can take it, it stays unassigned.", text)}
	}
	container, ok := in.Container.Get()
	switch {
	case ok && container.Type == model.ContainerTeam:
		if place != nil {
			return []Line{plainLine("It goes to the team %s, %s.", teamLabel(s.Board, container.Owner()), place.whereText())}
		}
		return []Line{plainLine("It goes to the team %s.", teamLabel(s.Board, container.Owner()))}
	case ok && container.Type == model.ContainerWorker:
		where := "at the end of the route"
		if place != nil {
			where = place.whereText()
		}
		lines := []Line{plainLine("It goes to %s, %s.", workerLabel(s.Board, container.Owner()), where)}
		if row := s.Board.Workers.Get(container.Owner()); row != nil && !row.OnDuty {
			lines = append(lines, warnLine("%s is off duty.", row.Name))
		}
		return lines
	}
	return []Line{plainLine("It is unassigned.")}
}

// newTaskStep creates the task. To keep a known recipient unchanged, it looks the phone number up first.
func newTaskStep(s Input, f *form.Form, values form.Values, in model.TaskInput, after followUps) Step {
	var began sendTime
	keep, country := values.Yes("keep_recipient"), s.Organization.Country
	create := func(ctx context.Context, c *apiclient.Client) (model.Task, Result, error) {
		in := in
		if keep {
			var err error
			if in, err = keepKnownRecipient(ctx, c, in, country); err != nil {
				return model.Task{}, Result{}, err
			}
		}
		began.setNow()
		task, err := c.CreateTask(ctx, in)
		if err != nil {
			return task, Result{}, errorOnShownField(err, f, values, newTaskFieldOf(values))
		}
		done := newTaskResult(s, in, task)
		if len(after.links) > 0 {
			done.Undo = undoLinked(done.Undo, task.ID, after.links)
		}
		return task, done, nil
	}
	step := Step{
		Label: "new " + kindText(in), Locks: []string{inputLock(in)},
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			return createAndFollowUp(ctx, c, after.list(), newTaskPlaceholder, create)
		},
		Lookup: lookupCreation(after.list(), began.findNewTask(s, func(task *model.Task) bool { return matchesInput(in, task, country) })),
	}
	for _, a := range after.list() {
		step.Locks = append(step.Locks, a.locks()...)
	}
	step.Locks = slices.Compact(slices.Sorted(slices.Values(step.Locks)))
	return step
}

// inputLock names the container that a new task changes.
func inputLock(in model.TaskInput) string {
	if container, ok := in.Container.Get(); ok {
		return lockContainer(container)
	}
	return lockContainer(model.ContainerRef{Type: model.ContainerOrganization})
}

func newTaskResult(s Input, in model.TaskInput, task model.Task) Result {
	done := Result{
		Object: task.ID, Summary: "created " + string(task.ShortID), Response: task, Change: taskChange(task),
		Undo: undoCreation(task, task.Worker.Value()),
	}
	worker, assigned := task.Worker.Get()
	switch {
	case assigned && worker != "":
		done.Summary += " for " + workerLabel(s.Board, worker)
	case in.AutoAssign.Has():
		done.Summary += ", unassigned"
		done.Report = append(done.Report, warnLine("No driver could be chosen. The task is unassigned."))
		done.Next = "route.assign"
	}
	if place := task.Destination.Object; place != nil {
		for _, warning := range place.Warnings.Value() {
			done.Report = append(done.Report, warnLine("%s", sentence(model.Clean(warning))))
		}
	}
	return done
}

// undoCreation deletes a new task as long as it is with the same driver and not started.
func undoCreation(task model.Task, worker model.ID) *Undo {
	c := selectedTask{id: task.ID, label: newTaskLabel(&task)}
	return &Undo{
		Title: "delete the new " + c.label,
		Unavailable: func(snapshot *board.Snapshot) string {
			row := snapshot.Tasks.Get(task.ID)
			switch {
			case row == nil:
				return "The task is no longer on the board."
			case deleteRefusal(row) != "":
				return deleteRefusal(row)
			case row.Worker != worker && row.WorkerName != "":
				return "The task was assigned to " + row.WorkerName + " meanwhile."
			}
			return ""
		},
		Step:    deleteStep(c),
		Command: Command{Action: "task.delete", Objects: []model.ID{task.ID}},
	}
}
