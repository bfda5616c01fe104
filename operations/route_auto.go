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
	rows, skipped, err := s.pick(func(t *board.TaskRow) string {
		if t.State == model.TaskAssigned {
			return cmp.Or(t.WorkerName, "A worker") + " has it already; unassign it first."
		}
		return model.AssignForbidden(t.State)
	}, "be assigned")
	if err != nil {
		return Operation{}, err
	}
	v := Operation{ID: "route.auto-assign", Title: "Auto-assign " + nameTasks(rows), FieldOf: placeAuto}
	v.Form = s.moveForm(v.Title, rows, waitingOnly, s.autoFields(rows)...)
	delete(v.Form.Start, fieldWho) // the argument is a team here
	if text := strings.TrimSpace(s.Argument); text != "" {
		v.Form.Start[fieldTeams], _ = cutTeam(text)
	}
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		return s.planAuto(rows, skipped, keepsTogether(&v.Form, values), values)
	}
	return v, nil
}

// waitingOnly says why a task is not one that waits for a worker.
func waitingOnly(state model.TaskState) string {
	if state == model.TaskAssigned {
		return "It is assigned already."
	}
	return model.AssignForbidden(state)
}

func (s Input) autoFields(rows []*board.TaskRow) []form.Field {
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
			Suggest: lastOf(func(text string) []form.Option { return s.teamOptions(text, "") }), Check: s.checkTeams,
		},
		{
			Name: fieldExcluded, Title: "Not", About: "Workers who get nothing, by name, with commas between", Empty: "nobody",
			Suggest: lastOf(s.onDutyOptions), Check: s.checkWorkers,
		},
	}
	if slices.ContainsFunc(rows, func(t *board.TaskRow) bool { return t.Team != "" }) {
		fields = append(fields, form.Field{
			Name: fieldRestrict, Title: "Keep within the team", Kind: form.Yes, About: "What waits in a team's list goes to that team's workers only",
		})
	}
	return fields
}

// onDutyOptions lists the workers who could get something.
func (s Input) onDutyOptions(text string) []form.Option {
	wanted := strings.ToLower(strings.TrimSpace(text))
	var options []form.Option
	for _, w := range s.byLoad(nil) {
		if w.worker.OnDuty && nameFits(w.worker.Name, wanted) {
			options = append(options, form.Option{Value: s.typedWorker(w.worker), Label: w.worker.Name, Note: w.note()})
		}
	}
	return options
}

// lastOf suggests for the last of several texts with commas between, and keeps those before it.
func lastOf(suggest func(text string) []form.Option) func(string, form.Values) []form.Option {
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
	_, err := s.teamsNamed(text)
	return err
}

func (s Input) checkWorkers(text string) error {
	_, err := s.workersNamed(text)
	return err
}

func (s Input) teamsNamed(text string) ([]model.ID, error) {
	return eachNamed(text, func(name string) (model.ID, error) {
		team, err := FindTeam(s.Board, name)
		if err != nil {
			return "", err
		}
		return team.ID, nil
	})
}

func (s Input) workersNamed(text string) ([]model.ID, error) {
	return eachNamed(text, func(name string) (model.ID, error) {
		worker, err := FindWorker(s.Board, name)
		if err != nil {
			return "", err
		}
		return worker.ID, nil
	})
}

func eachNamed(text string, find func(string) (model.ID, error)) ([]model.ID, error) {
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

func (s Input) planAuto(rows []*board.TaskRow, skipped []Skipped, together bool, values form.Values) (Proposal, form.Problems) {
	problems := form.Problems{}
	note := func(name string, err error) {
		if err != nil {
			problems.Add(name, err.Error())
		}
	}
	b := &bundle{scene: s, partners: together, waitingOnly: true}
	b.all(rows)
	options := model.AutoAssignOptions{Mode: cmp.Or(values.Get(fieldMode), model.AutoAssignDistance)}
	var err error
	options.MaxAssignedTaskCount, err = wholeNumber(values.Get(fieldMaxCount))
	note(fieldMaxCount, err)
	options.Teams, err = s.teamsNamed(values.Get(fieldTeams))
	note(fieldTeams, err)
	options.ExcludedWorkerIDs, err = s.workersNamed(values.Get(fieldExcluded))
	note(fieldExcluded, err)
	if values.Yes(fieldRestrict) {
		options.RestrictAutoAssignmentToTeam = model.Some(true)
	}
	if together && s.linked(b.rows) {
		options.ConsiderDependencies = model.Some(true)
	}
	run := &autoRun{scene: s, move: s.newMove(s.organizationPlace(), b.rows)}
	run.request = model.AutoAssignRequest{Tasks: movedIDs(run.move.stops), Options: options}
	for _, p := range run.request.Check() {
		problems.Add(autoField(p.Field), p.Text)
	}
	if len(problems) > 0 {
		return Proposal{}, problems
	}
	return Proposal{Lines: s.autoWords(b, options), Steps: []Step{run.step()}, Skipped: skipped, Summary: "auto-assign " + nameTasks(b.rows)}, nil
}

// linked reports whether any of the tasks belongs to another.
func (s Input) linked(rows []*board.TaskRow) bool {
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

func placeAuto(err error) (string, bool) {
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

func (s Input) autoWords(b *bundle, options model.AutoAssignOptions) []Line {
	able := 0
	for w := range s.Board.Workers.All() {
		inTeam := len(options.Teams) == 0 || slices.ContainsFunc(w.Teams, func(id model.ID) bool { return slices.Contains(options.Teams, id) })
		most, limited := options.MaxAssignedTaskCount.Get()
		if w.OnDuty && w.HasLocation && inTeam && !slices.Contains(options.ExcludedWorkerIDs, w.ID) && (!limited || w.Stops() < int(most)) {
			able++
		}
	}
	how := "the nearest worker each"
	if options.Mode == model.AutoAssignLoad {
		how = "the worker each whose way through everything else is shortest"
	}
	lines := []Line{{Text: fmt.Sprintf("The service gives %s to %s.", nameTasks(b.rows), how)}}
	lines = append(lines, Line{Text: fmt.Sprintf("%s could get something.", routeCount(able, "worker")), Warning: able == 0})
	for i, row := range b.rows {
		if i == mostLines {
			lines = append(lines, Line{Text: fmt.Sprintf("… and %d more.", len(b.rows)-i)})
			break
		}
		lines = append(lines, Line{Text: s.routeLine(row)})
	}
	if len(b.added) > 0 {
		lines = append(lines, Line{
			Text: fmt.Sprintf("%s with them because %s linked.", routeCount(len(b.added), "task"), routePlural(len(b.added), "it is", "they are")), Warning: true,
		})
	}
	for _, text := range b.warnings {
		lines = append(lines, Line{Text: text, Warning: true})
	}
	return lines
}

// autoRun is one request for automatic assignment.
type autoRun struct {
	scene   Input
	move    routeMove
	request model.AutoAssignRequest
}

func (r *autoRun) step() Step {
	step := r.move.step()
	step.Do, step.Lookup = r.do, r.lookUp
	if len(r.move.stops) > 1 {
		step.Object, step.Label = "", routeCount(len(r.move.stops), "task")
	}
	return step
}

func (r *autoRun) do(ctx context.Context, c *apiclient.Client) (Result, error) {
	result, err := c.AutoAssignTasks(ctx, r.request)
	if err != nil {
		return Result{}, err
	}
	got := map[model.ID]model.ID{}
	for task, worker := range result.AssignedTasks.ByTask {
		got[task] = worker
	}
	done := Result{Change: board.Change{IsWrite: true}}
	r.readBack(ctx, c, result.AssignedTasks.List, got, &done)
	r.report(ctx, c, got, &done)
	return done, nil
}

// mostReadBack is how many tasks are read after an automatic assignment; the board polls the others in its own time.
const mostReadBack = 20

// readBack reads what was assigned, which also tells who got it where the answer did not.
func (r *autoRun) readBack(ctx context.Context, c *apiclient.Client, listed []model.ID, got map[model.ID]model.ID, done *Result) {
	for _, id := range r.request.Tasks {
		_, byTask := got[id]
		if !byTask && !slices.Contains(listed, id) || len(done.Change.Tasks) == mostReadBack {
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
		if worker, ok := got[id]; ok && !seen[worker] && len(seen) <= mostReadBack {
			seen[worker] = true
			if container, err := c.Container(ctx, model.WorkerContainer(worker)); err == nil {
				done.Change.Containers = append(done.Change.Containers, container)
			}
		}
	}
}

// report says who got what and what stayed.
func (r *autoRun) report(ctx context.Context, c *apiclient.Client, got map[model.ID]model.ID, done *Result) {
	byWorker := map[string][]string{}
	var names []string
	var moved []movedTask
	left := 0
	for _, stop := range r.move.stops {
		worker, assigned := got[stop.id]
		if !assigned {
			left++
			why, err := whyLost(ctx, c, stop)
			if err != nil || why == "" {
				why = "nobody could take it."
			}
			done.Report = append(done.Report, Line{Text: stop.label + " stays: " + why, Warning: true})
			continue
		}
		name := "a worker whom the service does not name"
		if worker != "" {
			name = r.scene.workerPlace(worker, "").name
			moved = append(moved, stop)
		}
		if byWorker[name] == nil {
			names = append(names, name)
		}
		byWorker[name] = append(byWorker[name], strings.TrimPrefix(stop.label, "task "))
	}
	var lines []Line
	for _, name := range names {
		lines = append(lines, Line{Text: name + " gets " + routeList(byWorker[name], mostLines) + "."})
	}
	done.Report = append(lines, done.Report...)
	switch {
	case len(names) == 0:
		done.Summary = "nobody could take " + cmp.Or(soleLabel(r.move.stops), routePlural(len(r.move.stops), "it", "them"))
	case len(r.move.stops) == 1:
		done.Object, done.Summary = r.move.stops[0].id, "assigned to "+names[0]
	default:
		done.Summary = fmt.Sprintf("%s assigned to %s", routeCount(len(r.move.stops)-left, "task"), routeList(names, 3))
		if left > 0 {
			done.Summary += fmt.Sprintf(", %d left", left)
		}
	}
	if len(moved) > 0 {
		back := newBack(moved, func(id model.ID) routePlace { return r.scene.workerPlace(got[id], "") })
		done.Undo = back.undo("unassign " + cmp.Or(soleLabel(moved), routeCount(len(moved), "task")) + " again")
	}
}

// lookUp looks whether tasks have left the lists they waited in.
func (r *autoRun) lookUp(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
	gone, err := findLost(ctx, c, r.move.stops)
	if err != nil {
		return LookupResult{}, err
	}
	if len(gone) == 0 {
		return LookupResult{Summary: "all tasks still wait; either it did not happen, or nobody could take them"}, nil
	}
	return LookupResult{Happened: true, Certain: len(gone) == len(r.move.stops), Summary: fmt.Sprintf("%d of %d tasks have left the list they waited in", len(gone), len(r.move.stops))}, nil
}
