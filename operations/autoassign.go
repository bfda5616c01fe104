package operations

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// Names of the fields of automatic assignment. They are members of the request, so that a refusal finds its field.
const (
	fieldMode     = "mode"
	fieldMaxCount = "maxAssignedTaskCount"
	fieldTeams    = "teams"
	fieldRestrict = "restrict"
	fieldExcluded = "excluded"
)

// NewAutoAssign is route.auto-assign: lets the service choose drivers for the selected tasks.
func NewAutoAssign(s Input) (Operation, error) {
	rows, skipped, err := s.pickTasks(func(t *board.TaskRow) string {
		if t.State == model.TaskAssigned {
			return cmp.Or(t.WorkerName, "A driver") + " has it already; unassign it first."
		}
		return model.AssignForbidden(t.State)
	}, "assigned")
	if err != nil {
		return Operation{}, err
	}
	r := request[model.AutoAssignRequest]{
		id: "route.auto-assign", fieldOf: autoAssignFieldOf, check: model.AutoAssignRequest.Check,
		form: s.newMoveForm("Auto-assign "+tasksText(rows), rows, refuseAssigned, s.autoAssignFields(rows)...),
	}
	delete(r.form.Start, fieldDriver) // the argument names a team
	if text := strings.TrimSpace(s.Argument); text != "" {
		r.form.Start[fieldTeams], _ = cutTeamPrefix(text)
	}
	group := func(values form.Values) *taskGroup {
		b := &taskGroup{input: s, withPartners: s.movesPartners(&r.form, values), unassignedOnly: true}
		b.addTasks(rows)
		return b
	}
	r.read = func(values form.Values, problems form.Problems) model.AutoAssignRequest {
		in := s.autoAssignRequest(group(values), values, problems)
		addRules(problems, &r.form, values, in.Check(), r.fieldOf) // beside texts that cannot be read
		return in
	}
	r.propose = func(in model.AutoAssignRequest, values form.Values) Proposal {
		b := group(values)
		step := &autoAssignStep{input: s, move: s.newRouteMove(s.organizationRoute(), b.rows), request: in}
		return Proposal{
			Lines: s.autoAssignLines(b, in.Options), Steps: []Step{step.step()}, Skipped: skipped,
			Summary: "auto-assign " + tasksText(b.rows),
		}
	}
	return r.operation(s)
}

// refuseAssigned says why a task is not waiting for a driver.
func refuseAssigned(state model.TaskState) string {
	if state == model.TaskAssigned {
		return "It is assigned already."
	}
	return model.AssignForbidden(state)
}

func autoAssignFormFields(s Input) []form.Field {
	return append(s.autoAssignFields(nil), togetherField("auto-dependencies"))
}

func (s Input) autoAssignFields(rows []*board.TaskRow) []form.Field {
	except := autoExceptField(fieldExcluded, boardWorkers(s.Board))
	except.Suggest = suggestLast(",", s.suggestOnDuty)
	fields := []form.Field{
		autoModeField(fieldMode),
		autoMaxField(fieldMaxCount),
		namesField(boardTeams(s.Board), "team", form.Field{
			Name: fieldTeams, Title: "Teams", About: "only drivers of these teams, separated by commas", Empty: "all", Object: form.Team,
			Flag: form.Flag{Name: "auto-team", Usage: autoTeamUsage},
		}),
		except,
	}
	if slices.ContainsFunc(rows, func(t *board.TaskRow) bool { return t.Team != "" }) {
		fields = append(fields, form.Field{
			Name: fieldRestrict, Title: "Keep within the team", Kind: form.Yes, About: "tasks in a team's list go to that team's drivers only",
			Flag: form.Flag{None: true},
		})
	}
	return fields
}

// The fields of automatic assignment that a new task and existing tasks share, each under the name of its form.

func autoModeField(name string) form.Field {
	return form.Field{
		Name: name, Title: "Choose by", Kind: form.Choice, Options: []form.Option{
			{Value: model.AutoAssignDistance, Label: "distance", Note: "the nearest driver"},
			{Value: model.AutoAssignLoad, Label: "load", Note: "the driver with the shortest route"},
		},
		Flag: form.Flag{Name: "auto-assign", Usage: "let the service choose a worker: distance for the nearest, load for the shortest route"},
	}
}

func autoMaxField(name string) form.Field {
	return form.Field{
		Name: name, Title: "Maximum tasks", About: "drivers who have this many tasks get no more", Empty: "any number",
		Check: checkText(parseInt), Flag: form.Flag{Name: "auto-max", Usage: "choose no worker who has this many tasks already"},
	}
}

func autoExceptField(name string, workers []Named) form.Field {
	return namesField(workers, "driver", form.Field{
		Name: name, Title: "Except", About: "drivers who get no task, separated by commas", Empty: "nobody", Object: form.Worker,
		Flag: form.Flag{Name: "auto-exclude", Usage: "never choose these workers, by id or name"},
	})
}

const autoTeamUsage = "choose among this team, by id or name"

// suggestOnDuty lists the drivers on duty whose names contain a text.
func (s Input) suggestOnDuty(text string, _ form.Values) []form.Option {
	wanted, all := strings.ToLower(strings.TrimSpace(text)), boardWorkers(s.Board)
	var options []form.Option
	for _, w := range s.rankByLoad(nil) {
		if w.worker.OnDuty && containsFold(w.worker.Name, wanted) {
			options = append(options, form.Option{
				Value: uniqueText(all, Named{ID: w.worker.ID, Name: w.worker.Name}), Label: w.worker.Name, Note: w.note(),
			})
		}
	}
	return options
}

func (s Input) autoAssignRequest(b *taskGroup, values form.Values, problems form.Problems) model.AutoAssignRequest {
	in := model.AutoAssignRequest{Options: model.AutoAssignOptions{Mode: cmp.Or(values.Get(fieldMode), model.AutoAssignDistance)}}
	for _, row := range b.rows {
		in.Tasks = append(in.Tasks, row.ID)
	}
	var err error
	in.Options.MaxAssignedTaskCount, err = parseInt(values.Get(fieldMaxCount))
	addError(problems, fieldMaxCount, err)
	in.Options.Teams, err = ResolveNames(boardTeams(s.Board), values.Get(fieldTeams), "team")
	addError(problems, fieldTeams, err)
	in.Options.ExcludedWorkerIDs, err = ResolveNames(boardWorkers(s.Board), values.Get(fieldExcluded), "driver")
	addError(problems, fieldExcluded, err)
	if values.Yes(fieldRestrict) {
		in.Options.RestrictAutoAssignmentToTeam = model.Some(true)
	}
	if b.withPartners && (s.NamedOnly || s.anyLinked(b.rows)) {
		in.Options.ConsiderDependencies = model.Some(true)
	}
	return in
}

// anyLinked reports whether any of the tasks is linked with another.
func (s Input) anyLinked(rows []*board.TaskRow) bool {
	return slices.ContainsFunc(rows, func(row *board.TaskRow) bool { return len(s.Board.LinkedTasks(row)) > 0 })
}

func autoAssignFieldOf(member string, _ form.Values) string {
	member, _, _ = strings.Cut(strings.TrimPrefix(member, "options."), "[")
	switch member {
	case "excludedWorkerIds":
		return fieldExcluded
	case "team":
		return fieldTeams
	}
	return member
}

func (s Input) autoAssignLines(b *taskGroup, options model.AutoAssignOptions) []Line {
	able := 0
	for w := range s.Board.Workers.All() {
		inTeam := len(options.Teams) == 0 || slices.ContainsFunc(w.Teams, func(id model.ID) bool { return slices.Contains(options.Teams, id) })
		most, limited := options.MaxAssignedTaskCount.Get()
		if w.OnDuty && w.HasLocation && inTeam && !slices.Contains(options.ExcludedWorkerIDs, w.ID) && (!limited || w.Stops() < int(most)) {
			able++
		}
	}
	how := "the nearest driver"
	if options.Mode == model.AutoAssignLoad {
		how = "the driver with the shortest route"
	}
	lines := []Line{plainLine("The service assigns %s to %s.", tasksText(b.rows), how)}
	if !s.NamedOnly {
		lines = append(lines, Line{Text: model.FormatCount(able, "driver") + " can take tasks.", Warning: able == 0})
	}
	return append(lines, b.taskLines(func(int) string { return "" })...)
}

// autoAssignStep sends one request for automatic assignment.
type autoAssignStep struct {
	input   Input
	move    routeMove
	request model.AutoAssignRequest
}

func (r *autoAssignStep) step() Step {
	step := r.move.step()
	step.Do, step.Lookup = r.do, r.lookUp
	if len(r.move.stops) > 1 {
		step.Object, step.Label = "", model.FormatCount(len(r.move.stops), "task")
	}
	return step
}

func (r *autoAssignStep) do(ctx context.Context, c *apiclient.Client) (Result, error) {
	result, err := c.AutoAssignTasks(ctx, r.request)
	if err != nil {
		return Result{}, err
	}
	got := map[model.ID]model.ID{}
	for task, worker := range result.AssignedTasks.ByTask {
		got[task] = worker
	}
	done := Result{Response: result, Change: board.Change{IsWrite: true}}
	r.readBack(ctx, c, result.AssignedTasks.List, got, &done)
	r.addReport(ctx, c, got, &done)
	return done, nil
}

// maxReadBack is how many tasks are read after an automatic assignment; the board refreshes the others later.
const maxReadBack = 20

// readBack reads the assigned tasks, and so who got them where the answer does not say.
func (r *autoAssignStep) readBack(ctx context.Context, c *apiclient.Client, listed []model.ID, got map[model.ID]model.ID, done *Result) {
	for _, id := range r.request.Tasks {
		_, byTask := got[id]
		if !byTask && !slices.Contains(listed, id) || len(done.Change.Tasks) == maxReadBack {
			continue
		}
		task, err := c.Task(ctx, id)
		if err != nil {
			continue
		}
		done.Change.Tasks = append(done.Change.Tasks, task)
		if !byTask {
			got[id] = task.Worker.Value()
		}
	}
	for _, id := range listed {
		if _, known := got[id]; !known {
			got[id] = ""
		}
	}
	seen := map[model.ID]bool{"": true}
	for _, id := range r.request.Tasks {
		if worker, ok := got[id]; ok && !seen[worker] && len(seen) <= maxReadBack {
			seen[worker] = true
			if container, err := c.Container(ctx, model.WorkerContainer(worker)); err == nil {
				done.Change.Containers = append(done.Change.Containers, container)
			}
		}
	}
}

// addReport adds who got which task, and which stayed unassigned.
func (r *autoAssignStep) addReport(ctx context.Context, c *apiclient.Client, got map[model.ID]model.ID, done *Result) {
	byWorker := map[string][]string{}
	var names []string
	var moved []movedTask
	left := 0
	for _, stop := range r.move.stops {
		worker, assigned := got[stop.id]
		if !assigned {
			left++
			why, err := changeReason(ctx, c, stop)
			if err != nil || why == "" {
				why = "no driver can take it."
			}
			done.Report = append(done.Report, warnLine("%s stays unassigned: %s", model.Capitalize(stop.label), why))
			continue
		}
		name := "an unnamed driver"
		if worker != "" {
			name = r.input.workerRoute(worker, "").name
			moved = append(moved, stop)
		}
		if byWorker[name] == nil {
			names = append(names, name)
		}
		byWorker[name] = append(byWorker[name], strings.TrimPrefix(stop.label, "task "))
	}
	var lines []Line
	for _, name := range names {
		lines = append(lines, plainLine("%s gets %s.", name, joinNames(byWorker[name], maxListedTasks)))
	}
	done.Report = append(lines, done.Report...)
	switch {
	case len(names) == 0:
		done.Summary = "no driver can take " + cmp.Or(singleLabel(r.move.stops), "them")
	case len(r.move.stops) == 1:
		done.Object, done.Summary = r.move.stops[0].id, "assigned to "+names[0]
	default:
		done.Summary = fmt.Sprintf("%s assigned to %s", model.FormatCount(len(r.move.stops)-left, "task"), joinNames(names, 3))
		if left > 0 {
			done.Summary += fmt.Sprintf(", %d unassigned", left)
		}
	}
	if len(moved) > 0 {
		back := newMoveUndo(moved, func(id model.ID) route { return r.input.workerRoute(got[id], "") })
		done.Undo = back.undo("unassign " + cmp.Or(singleLabel(moved), model.FormatCount(len(moved), "task")) + " again")
	}
}

// lookUp checks whether the tasks are still unassigned.
func (r *autoAssignStep) lookUp(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
	gone, err := findChanged(ctx, c, r.move.stops)
	if err != nil {
		return LookupResult{}, err
	}
	if len(gone) == 0 {
		return LookupResult{Summary: "all tasks are still unassigned: either it did not happen, or no driver could take them"}, nil
	}
	return LookupResult{
		Happened: true, Certain: len(gone) == len(r.move.stops),
		Summary: fmt.Sprintf("%d of %d tasks are assigned", len(gone), len(r.move.stops)),
	}, nil
}
