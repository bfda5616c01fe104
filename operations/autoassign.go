package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// Names of the fields of automatic assignment.
const (
	fieldMode     = "mode"
	fieldMaxCount = "maxAssignedTaskCount"
	fieldTeams    = "teams"
	fieldRestrict = "restrict"
	fieldExcluded = "excluded"
)

// NewAutoAssign lets the service choose workers for the chosen tasks.
func NewAutoAssign(s Input) (Operation, error) {
	rows, skipped, err := s.pickTasks(func(t *board.TaskRow) string {
		if t.State == model.TaskAssigned {
			return cmp.Or(t.WorkerName, "A worker") + " has it already; unassign it first."
		}
		return model.CanAssign(t.State)
	}, "be assigned")
	if err != nil {
		return Operation{}, err
	}
	v := Operation{ID: "route.auto-assign", Title: "Auto-assign " + tasksText(rows), FieldOf: fieldOfAutoError}
	v.Form = s.newMoveForm(v.Title, rows, refuseAssigned, s.autoAssignFields(rows)...)
	delete(v.Form.Start, fieldDriver) // the argument is a team here
	if text := strings.TrimSpace(s.Argument); text != "" {
		v.Form.Start[fieldTeams], _ = cutTeamPrefix(text)
	}
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		return s.proposeAutoAssign(rows, skipped, movesPartners(&v.Form, values), values)
	}
	return v, nil
}

// refuseAssigned says why a task is not one that waits for a worker.
func refuseAssigned(state model.TaskState) string {
	if state == model.TaskAssigned {
		return "It is assigned already."
	}
	return model.CanAssign(state)
}

func (s Input) autoAssignFields(rows []*board.TaskRow) []form.Field {
	fields := []form.Field{
		{Name: fieldMode, Title: "By", Kind: form.Choice, Options: []form.Option{
			{Value: model.AutoAssignDistance, Label: "distance", Note: "the nearest worker"},
			{Value: model.AutoAssignLoad, Label: "load", Note: "the shortest way through everything that is on the route"},
		}},
		{
			Name: fieldMaxCount, Title: "Tasks at most", About: "Workers who have this many get no more", Empty: "any number", Check: checkNumber,
		},
		{
			Name: fieldTeams, Title: "Teams", About: "Only workers of these, by name, with commas between", Empty: "all",
			Suggest: suggestLast(func(text string) []form.Option { return s.suggestTeams(text, "") }), Check: s.checkTeams,
		},
		{
			Name: fieldExcluded, Title: "Not", About: "Workers who get nothing, by name, with commas between", Empty: "nobody",
			Suggest: suggestLast(s.suggestOnDuty), Check: s.checkWorkers,
		},
	}
	if slices.ContainsFunc(rows, func(t *board.TaskRow) bool { return t.Team != "" }) {
		fields = append(fields, form.Field{
			Name: fieldRestrict, Title: "Keep within the team", Kind: form.Yes, About: "What waits in a team's list goes to that team's workers only",
		})
	}
	return fields
}

// suggestOnDuty lists the workers who could get something.
func (s Input) suggestOnDuty(text string) []form.Option {
	wanted := strings.ToLower(strings.TrimSpace(text))
	var options []form.Option
	for _, w := range s.rankByLoad(nil) {
		if w.worker.OnDuty && containsFold(w.worker.Name, wanted) {
			options = append(options, form.Option{Value: s.workerText(w.worker), Label: w.worker.Name, Note: w.note()})
		}
	}
	return options
}

// suggestLast suggests for the last of several texts with commas between, and keeps those before it.
func suggestLast(suggest func(text string) []form.Option) func(string, form.Values) []form.Option {
	return func(text string, _ form.Values) []form.Option {
		kept := ""
		if at := strings.LastIndexByte(text, ','); at >= 0 {
			kept, text = text[:at+1]+" ", text[at+1:]
		}
		options := suggest(text)
		for i := range options {
			options[i].Value = kept + options[i].Value
		}
		return options
	}
}

func (s Input) checkTeams(text string) error {
	_, err := s.resolveTeams(text)
	return err
}

func (s Input) checkWorkers(text string) error {
	_, err := s.resolveWorkers(text)
	return err
}

func (s Input) resolveTeams(text string) ([]model.ID, error) {
	return resolveList(text, func(name string) (model.ID, error) {
		team, err := FindTeam(s.Board, name)
		if err != nil {
			return "", err
		}
		return team.ID, nil
	})
}

func (s Input) resolveWorkers(text string) ([]model.ID, error) {
	return resolveList(text, func(name string) (model.ID, error) {
		worker, err := FindWorker(s.Board, name)
		if err != nil {
			return "", err
		}
		return worker.ID, nil
	})
}

func resolveList(text string, find func(string) (model.ID, error)) ([]model.ID, error) {
	var ids []model.ID
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		id, err := find(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (s Input) proposeAutoAssign(rows []*board.TaskRow, skipped []Skipped, together bool, values form.Values) (Proposal, form.Problems) {
	problems := form.Problems{}
	note := func(name string, err error) {
		if err != nil {
			problems.Add(name, err.Error())
		}
	}
	b := &taskGroup{input: s, withPartners: together, unassignedOnly: true}
	b.addTasks(rows)
	options := model.AutoAssignOptions{Mode: cmp.Or(values.Get(fieldMode), model.AutoAssignDistance)}
	var err error
	options.MaxAssignedTaskCount, err = parseInt(values.Get(fieldMaxCount))
	note(fieldMaxCount, err)
	options.Teams, err = s.resolveTeams(values.Get(fieldTeams))
	note(fieldTeams, err)
	options.ExcludedWorkerIDs, err = s.resolveWorkers(values.Get(fieldExcluded))
	note(fieldExcluded, err)
	if values.Yes(fieldRestrict) {
		options.RestrictAutoAssignmentToTeam = model.Some(true)
	}
	if together && s.anyLinked(b.rows) {
		options.ConsiderDependencies = model.Some(true)
	}
	run := &autoAssignStep{input: s, move: s.newRouteMove(s.organizationRoute(), b.rows)}
	run.request = model.AutoAssignRequest{Tasks: movedIDs(run.move.stops), Options: options}
	for _, p := range run.request.Check() {
		problems.Add(autoField(p.Field), p.Text)
	}
	if len(problems) > 0 {
		return Proposal{}, problems
	}
	return Proposal{Lines: s.autoAssignLines(b, options), Steps: []Step{run.step()}, Skipped: skipped, Summary: "auto-assign " + tasksText(b.rows)}, nil
}

// anyLinked reports whether any of the tasks belongs to another.
func (s Input) anyLinked(rows []*board.TaskRow) bool {
	return slices.ContainsFunc(rows, func(row *board.TaskRow) bool { return len(s.Board.LinkedTasks(row)) > 0 })
}

func autoField(member string) string {
	member, _, _ = strings.Cut(strings.TrimPrefix(member, "options."), "[")
	switch member {
	case "excludedWorkerIds":
		return fieldExcluded
	case "mode", "teams", "maxAssignedTaskCount":
		return member
	}
	return ""
}

func fieldOfAutoError(err error) (string, bool) {
	failure, ok := errors.AsType[*apiclient.Error](err)
	if !ok {
		return "", false
	}
	cause := failure.Cause.Value().String() + " " + failure.Message
	for _, member := range []string{"mode", "maxAssignedTaskCount", "excludedWorkerIds", "teams", "team"} {
		if strings.Contains(cause, member+":") || strings.Contains(cause, member+"[") || strings.Contains(cause, member+" ") && member == "team" {
			return cmp.Or(autoField(member), fieldTeams), true
		}
	}
	return "", false
}

func (s Input) autoAssignLines(b *taskGroup, options model.AutoAssignOptions) []Line {
	able := 0
	for w := range s.Board.Workers.All() {
		inTeam := len(options.Teams) == 0 || slices.ContainsFunc(w.Teams, func(id model.ID) bool { return slices.Contains(options.Teams, id) })
		most, limited := options.MaxAssignedTaskCount.Get()
		if w.OnDuty && w.Placed && inTeam && !slices.Contains(options.ExcludedWorkerIDs, w.ID) && (!limited || w.Stops() < int(most)) {
			able++
		}
	}
	how := "the nearest worker each"
	if options.Mode == model.AutoAssignLoad {
		how = "the worker each whose way through everything else is shortest"
	}
	lines := []Line{{Text: fmt.Sprintf("The service gives %s to %s.", tasksText(b.rows), how)}}
	lines = append(lines, Line{Text: fmt.Sprintf("%s could get something.", routeCountNoun(able, "worker")), Warning: able == 0})
	for i, row := range b.rows {
		if i == maxListedTasks {
			lines = append(lines, Line{Text: fmt.Sprintf("… and %d more.", len(b.rows)-i)})
			break
		}
		lines = append(lines, Line{Text: s.taskLine(row)})
	}
	if len(b.added) > 0 {
		lines = append(lines, Line{
			Text: fmt.Sprintf("%s with them because %s linked.", routeCountNoun(len(b.added), "task"), plural(len(b.added), "it is", "they are")), Warning: true,
		})
	}
	for _, text := range b.warnings {
		lines = append(lines, Line{Text: text, Warning: true})
	}
	return lines
}

// autoAssignStep is one request for automatic assignment.
type autoAssignStep struct {
	input   Input
	move    routeMove
	request model.AutoAssignRequest
}

func (r *autoAssignStep) step() Step {
	step := r.move.step()
	step.Do, step.Lookup = r.do, r.lookUp
	if len(r.move.stops) > 1 {
		step.Object, step.Label = "", routeCountNoun(len(r.move.stops), "task")
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
	done := Result{Change: board.Change{Write: true}}
	r.readBack(ctx, c, result.AssignedTasks.List, got, &done)
	r.addReport(ctx, c, got, &done)
	return done, nil
}

// maxReadBack is how many tasks are read after an automatic assignment; the board polls the others in its own time.
const maxReadBack = 20

// readBack reads what was assigned, which also tells who got it where the answer did not.
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

// addReport says who got what and what stayed.
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
				why = "nobody could take it."
			}
			done.Report = append(done.Report, Line{Text: stop.label + " stays: " + why, Warning: true})
			continue
		}
		name := "a worker whom the service does not name"
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
		lines = append(lines, Line{Text: name + " gets " + joinNames(byWorker[name], maxListedTasks) + "."})
	}
	done.Report = append(lines, done.Report...)
	switch {
	case len(names) == 0:
		done.Summary = "nobody could take " + cmp.Or(singleLabel(r.move.stops), plural(len(r.move.stops), "it", "them"))
	case len(r.move.stops) == 1:
		done.Object, done.Summary = r.move.stops[0].id, "assigned to "+names[0]
	default:
		done.Summary = fmt.Sprintf("%s assigned to %s", routeCountNoun(len(r.move.stops)-left, "task"), joinNames(names, 3))
		if left > 0 {
			done.Summary += fmt.Sprintf(", %d left", left)
		}
	}
	if len(moved) > 0 {
		back := newMoveUndo(moved, func(id model.ID) route { return r.input.workerRoute(got[id], "") })
		done.Undo = back.undo("unassign " + cmp.Or(singleLabel(moved), routeCountNoun(len(moved), "task")) + " again")
	}
}

// lookUp looks whether tasks have left the lists they waited in.
func (r *autoAssignStep) lookUp(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
	gone, err := findChanged(ctx, c, r.move.stops)
	if err != nil {
		return LookupResult{}, err
	}
	if len(gone) == 0 {
		return LookupResult{Summary: "all tasks still wait; either it did not happen, or nobody could take them"}, nil
	}
	return LookupResult{Happened: true, Certain: len(gone) == len(r.move.stops), Summary: fmt.Sprintf("%d of %d tasks have left the list they waited in", len(gone), len(r.move.stops))}, nil
}
