package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewTask is create.task: creates a task from a form or a JSON body.
func NewTask(s Input) (Operation, error) {
	known := &recipientCache{hasOverrides: true}
	return request[model.TaskInput]{
		id: "create.task", form: newTaskForm(s), fieldOf: newTaskFieldOf, loadNotes: known.loadNotes(s),
		read: func(values form.Values, problems form.Problems) model.TaskInput {
			in := newTaskInput(s, values, problems)
			newTaskFollowUps(s, in, values, problems)
			return in
		},
		check: func(in model.TaskInput) model.Problems {
			if s.Body != nil {
				return in.Check(draftOptions(s).Check())
			}
			return checkNewTask(s, in)
		},
		propose: func(in model.TaskInput, values form.Values) Proposal {
			after := newTaskFollowUps(s, in, values, form.Problems{})
			return Proposal{
				Lines:   newTaskLines(s, values, in, after, known),
				Summary: "create " + kindText(in) + " at " + shortenText(placeText(s, in.Destination.Value())),
				Steps:   []Step{newTaskStep(s, values, in, after)},
			}
		},
	}.operation(s)
}

// newTaskInput makes the body from the values. Its problems are texts that cannot be read; rules are checked later.
func newTaskInput(s Input, values form.Values, problems form.Problems) model.TaskInput {
	taskAddressForm().checkGiven(values, problems)
	in := readTask(s, values, problems)
	if !in.Recipients.Present() {
		in.Recipients = model.Some([]model.IDOr[model.RecipientInput]{}) // the interface requires a list
	}
	fillAssignment(s, &in, values, problems)
	fillCustom(s, &in, values, problems)
	return in
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
		addError(problems, fieldPosition, err)
	case at.beforeID != "":
		f.insertion = &routeInsertion{input: s, to: list.route, position: at, inList: true}
	}
	return f
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
		if values.Get("worker") == "" {
			err = errors.New("choose a driver, or leave the task unassigned")
		}
		addError(problems, "worker", err)
		in.Container = model.Some(model.WorkerContainer(id))
	case assignAuto:
		in.AutoAssign = model.Some(autoAssignment(s, values, problems))
	}
}

func autoAssignment(s Input, values form.Values, problems form.Problems) model.AutoAssign {
	auto := model.AutoAssign{Mode: cmp.Or(values.Get("auto_mode"), model.AutoAssignDistance)}
	if name := values.Get("auto_team"); name != "" {
		team, err := resolveName(boardTeams(s.Board), name, "team")
		addError(problems, "auto_team", err)
		auto.Team = model.Some(team)
	}
	var err error
	auto.MaxAssignedTaskCount, err = parseInt(values.Get("auto_max"))
	addError(problems, "auto_max", err)
	auto.ExcludedWorkerIDs, err = ResolveNames(boardWorkers(s.Board), values.Get("auto_exclude"), "driver")
	addError(problems, "auto_exclude", err)
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
		text := "Another organization executes the task; your teams and drivers cannot get it."
		if in.AutoAssign.Has() {
			text = "Another organization executes the task and chooses the driver."
		}
		if in.AutoAssign.Has() || in.Container.Has() {
			problems = append(problems, model.Problem{Field: "autoAssign", Subcode: model.ErrorInvalid, Text: text})
		}
	}
	return problems
}

// newTaskFieldOf maps members of a new task to fields of its form.
func newTaskFieldOf(member string, values form.Values) string {
	switch {
	case strings.HasPrefix(member, "destination"):
		return taskAddressForm().fieldOf(member, values)
	case strings.HasPrefix(member, "barcodes[") && values.Get("barcodes") == "":
		return "blocking_barcodes"
	case member == "container" && values.Get("assign") == assignTeam:
		return "team"
	case member == "recipients[0]" && values.Get("recipient_id") == "":
		return "recipient_name"
	}
	return fieldOfMember(member, values)
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
		lines = append(lines, warnLine("The due time has passed: the task will be overdue right away."))
	}
	if ids := in.Dependencies.Value(); len(ids) > 0 {
		lines = append(lines, plainLine("It depends on %s.", s.describeTasks(ids)))
		for _, id := range ids {
			if row := s.Board.Tasks.Get(id); row != nil && row.Status == board.StatusFailed {
				lines = append(lines, warnLine("%s has failed.", model.Capitalize(taskLabel(s.Board, id))))
			}
		}
	}
	lines = append(lines, assignmentLines(s, in, after.insertion)...)
	lines = append(lines, linkLines(in, after.links)...)
	if n := len(after.list()); n > 0 {
		lines = append(lines, plainLine("This takes %s. %s stands for the id of the new task.", model.FormatCount(n+1, "request"), newTaskPlaceholder))
	}
	return lines
}

func assignmentLines(s Input, in model.TaskInput, insertion *routeInsertion) []Line {
	if auto, ok := in.AutoAssign.Get(); ok {
		text := "The service chooses a driver by " + auto.Mode
		if team, ok := auto.Team.Get(); ok {
			text += " from " + teamLabel(s.Board, team)
		}
		if most, ok := auto.MaxAssignedTaskCount.Get(); ok {
			text += fmt.Sprintf(", with fewer than %d tasks", most)
		}
		for i, id := range auto.ExcludedWorkerIDs {
			text += plural(i+1, ", except ", ", ") + s.workerRoute(id, "").name
		}
		return []Line{plainLine("%s. If no driver can take it, it stays unassigned.", text)}
	}
	container, ok := in.Container.Get()
	if !ok {
		return []Line{plainLine("It is unassigned.")}
	}
	to := routeInsertion{to: s.teamRoute(container.Owner(), "")}
	if container.Type == model.ContainerWorker {
		to.to = s.workerRoute(container.Owner(), "")
	}
	if insertion != nil {
		to = *insertion
	}
	lines := []Line{plainLine("It goes to %s, %s.", to.to.name, to.whereText())}
	if row := s.Board.Workers.Get(container.Owner()); row != nil && !row.OnDuty {
		lines = append(lines, warnLine("%s is off duty.", row.Name))
	}
	return lines
}

// newTaskStep creates the task. To keep a known recipient unchanged, it looks the phone number up first.
func newTaskStep(s Input, values form.Values, in model.TaskInput, after followUps) Step {
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
			return task, Result{}, err
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
	step.Locks = uniqueLocks(step.Locks)
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
		done.Summary += " for " + s.workerRoute(worker, "").name
	case in.AutoAssign.Has():
		done.Summary += ", unassigned"
		done.Report = append(done.Report, warnLine("No driver could be chosen. The task is unassigned."))
		done.Next = "route.assign"
	}
	if place := task.Destination.Object; place != nil {
		done.Report = append(done.Report, warningLines(place.Warnings.Value())...)
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
				return "The task was assigned to " + row.WorkerName + " in the meantime."
			}
			return ""
		},
		Step:    deleteStep(c),
		Command: Command{Action: "task.delete", Objects: []model.ID{task.ID}},
	}
}
