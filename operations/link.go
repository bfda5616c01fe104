package operations

import (
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

// fieldNeededBy asks for the tasks that depend on a new one.
const fieldNeededBy = "needed_by"

// NewLink is task.link: changes the dependencies of one task.
func NewLink(s Input) (Operation, error) {
	fit, skipped := splitSelection(s, refuseUpdate("dependencies"))
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	if len(fit) > 1 {
		return Operation{}, errors.New("link one task at a time")
	}
	task, seen := fit[0], []model.ID(nil)
	pickup := false
	if task.row != nil {
		seen, pickup = task.row.Dependencies, task.row.Pickup
	}
	waits := dependsOnField(s)
	waits.Page = ""
	offered := waits.Suggest
	waits.Suggest = func(text string, _ form.Values) []form.Option {
		values := form.Values{}
		if pickup {
			values["kind"] = "pickup"
		}
		own := func(o form.Option) bool { return task.row != nil && lastField(o.Value) == string(task.row.ShortID) }
		return slices.DeleteFunc(offered(text, values), own)
	}
	f := form.Form{
		Title: "Dependencies of " + task.label, Fields: []form.Field{waits}, Start: form.Values{"depends_on": shortIDs(s.Board, seen)},
	}
	return Operation{
		ID: "task.link", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, fieldOfMember),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			ids, err := resolveTasks(s.Board, values.Get("depends_on"))
			if err != nil {
				return Proposal{}, form.Problems{"depends_on": sentence(err.Error())}
			}
			change := model.TaskInput{Dependencies: model.Some(ids)}
			problems := form.Problems{}
			addRules(problems, &f, values, change.CheckUpdate(task.wireTask()), fieldOfMember)
			for _, id := range ids {
				if id != task.id && dependsOn(s.Board, id, task.id) {
					addProblem(problems, "depends_on", fmt.Sprintf("%s already depends on %s; both would wait forever.",
						capitalize(taskLabel(s.Board, id)), task.label))
				}
			}
			if sameIDs(ids, seen) {
				addProblem(problems, "depends_on", "Nothing would change.")
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return linkProposal(s, task, seen, ids), nil
		},
	}, nil
}

// errLinksChanged says that somebody else changed the dependencies.
var errLinksChanged = errors.New("somebody else changed the dependencies, so nothing was sent; check the task and try again")

func linkProposal(s Input, task selectedTask, seen, ids []model.ID) Proposal {
	e := edit{
		task: task, noun: "dependencies", members: []string{"dependencies"}, summary: "depends on " + taskLabels(s.Board, ids),
		change: func(now *model.Task) (model.TaskInput, error) {
			if !sameIDs(now.Dependencies, seen) && !sameIDs(now.Dependencies, ids) {
				return model.TaskInput{}, errLinksChanged
			}
			return model.TaskInput{Dependencies: model.Some(ids)}, nil
		},
		restore: func(before *model.Task) model.TaskInput {
			return model.TaskInput{Dependencies: model.Some(append([]model.ID{}, before.Dependencies...))}
		},
		isApplied: func(now, _ *model.Task) bool { return sameIDs(now.Dependencies, ids) },
		undoCommand: func(before *model.Task) Command {
			return Command{Action: "task.link", Objects: []model.ID{task.id}, Values: form.Values{"depends_on": typedIDs(before.Dependencies)}}
		},
	}
	lines := describeSelection([]selectedTask{task})
	if len(ids) == 0 {
		lines = append(lines, warnLine("It no longer depends on other tasks."))
	} else {
		lines = append(lines, plainLine("It depends on %s.", describeTasks(s.Board, ids)))
	}
	if len(seen) > 0 {
		lines = append(lines, plainLine("Before: %s.", describeTasks(s.Board, seen)))
	}
	for _, id := range ids {
		if task.row != nil {
			lines = append(lines, warnSeparated(s, s.Board.Tasks.Get(id), task.row)...)
		}
	}
	return Proposal{Lines: lines, Steps: []Step{e.step()}, Summary: "change the dependencies of " + task.label}
}

// warnSeparated warns when a task and its dependency have different drivers, or the wrong order on one route.
func warnSeparated(s Input, first, then *board.TaskRow) []Line {
	switch {
	case first == nil || then == nil || first.Status.Closed() || first.Worker == "" || then.Worker == "":
		return nil
	case first.Worker != then.Worker:
		return []Line{warnLine("%s %s is with %s, %s %s with %s.", capitalize(first.Kind()), first.ShortID, first.WorkerName, then.Kind(),
			then.ShortID, then.WorkerName)}
	case s.Board.RoutePosition(first) > s.Board.RoutePosition(then):
		return []Line{warnLine("%s %s comes behind %s %s on the route of %s.", capitalize(first.Kind()), first.ShortID, then.Kind(),
			then.ShortID, then.WorkerName)}
	}
	return nil
}

// taskLabels are the labels of tasks in one line; "nothing" without any.
func taskLabels(snapshot *board.Snapshot, ids []model.ID) string {
	if len(ids) == 0 {
		return "nothing"
	}
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = taskLabel(snapshot, id)
	}
	return joinNames(names, 4)
}

// shortIDs are the short ids of tasks, separated by spaces.
func shortIDs(snapshot *board.Snapshot, ids []model.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
		if row := snapshot.Tasks.Get(id); row != nil && row.ShortID != "" {
			texts[i] = string(row.ShortID)
		}
	}
	return strings.Join(texts, " ")
}

// typedIDs are full ids, which also resolve for tasks that the board does not have yet.
func typedIDs(ids []model.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return strings.Join(texts, " ")
}

func lastField(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// dependsOn reports whether a task depends on another, directly or through others.
func dependsOn(snapshot *board.Snapshot, task, other model.ID) bool {
	seen := map[model.ID]bool{}
	next := []model.ID{task}
	for len(next) > 0 {
		id := next[len(next)-1]
		next = next[:len(next)-1]
		row := snapshot.Tasks.Get(id)
		if row == nil || seen[id] {
			continue
		}
		seen[id] = true
		if slices.Contains(row.Dependencies, other) {
			return true
		}
		next = append(next, row.Dependencies...)
	}
	return false
}

// neededByField asks which tasks depend on a new pickup.
func neededByField(s Input) form.Field {
	waiting := dependsOnField(s)
	waiting.Name, waiting.Title = fieldNeededBy, "Drop-off"
	waiting.About = "the drop-offs that depend on it, by short id"
	waiting.Show = func(v form.Values) bool { return v.Get("kind") == "pickup" }
	waiting.Suggest = func(text string, _ form.Values) []form.Option {
		return suggestTasks(s, text, func(row *board.TaskRow) bool {
			return !row.Pickup && model.UpdateForbidden(row.State, "dependencies") == ""
		})
	}
	return waiting
}

// newTaskLinks are the tasks that will depend on a new one.
func newTaskLinks(s Input, in model.TaskInput, values form.Values, problems form.Problems) []taskLink {
	ids, err := resolveTasks(s.Board, values.Get(fieldNeededBy))
	if err != nil {
		addProblem(problems, fieldNeededBy, sentence(err.Error()))
	}
	var links []taskLink
	for _, id := range ids {
		c := selectedTask{id, s.Board.Tasks.Get(id), taskLabel(s.Board, id)}
		if slices.ContainsFunc(links, func(l taskLink) bool { return l.waiting.id == id }) {
			continue
		}
		links = append(links, taskLink{s, c})
		if c.row != nil {
			if reason := model.UpdateForbidden(c.row.State, "dependencies"); reason != "" {
				addProblem(problems, fieldNeededBy, fmt.Sprintf("%s: %s", capitalize(c.label), reason))
			}
		}
		for _, need := range in.Dependencies.Value() {
			if need == id || dependsOn(s.Board, need, id) {
				addProblem(problems, fieldNeededBy, fmt.Sprintf("The new task would depend on %s, and that on the new task.", c.label))
			}
		}
	}
	return links
}

// linkLines describe what will depend on a new task, and warn when it has another driver.
func linkLines(in model.TaskInput, links []taskLink) []Line {
	var lines []Line
	for _, l := range links {
		if l.waiting.row == nil {
			lines = append(lines, plainLine("Then %s depends on it.", l.waiting.label))
			continue
		}
		lines = append(lines, plainLine("Then %s depends on it: %s.", l.waiting.label, describeTask(l.waiting.row)))
		if row := l.waiting.row; row.Worker != "" && in.Container.Value().Owner() != row.Worker && !in.AutoAssign.Has() {
			lines = append(lines, warnLine("%s is with %s, who does not get the new task.", capitalize(l.waiting.label), row.WorkerName))
		}
	}
	return lines
}

// undoLinked deletes a new task that others depend on. It unlinks them first, because not every service does.
func undoLinked(undo *Undo, made model.ID, links []taskLink) *Undo {
	remove := undo.Step.Do
	linked := *undo
	for _, l := range links {
		linked.Step.Locks = append(slices.Clone(linked.Step.Locks), l.locks()...)
	}
	linked.Step.Do = func(ctx context.Context, c *apiclient.Client) (Result, error) {
		var released []model.Task
		for _, l := range links {
			task, err := l.unlink(ctx, c, made)
			switch {
			case errors.Is(err, apiclient.ErrDryRun):
			case err != nil:
				return partialUndo(made, released), err
			case task.ID != "":
				released = append(released, task)
			}
		}
		done, err := remove(ctx, c)
		if err != nil {
			return partialUndo(made, released), err
		}
		done.Change.Tasks = append(done.Change.Tasks, released...)
		return done, nil
	}
	return &linked
}

// partialUndo is the result of an undo that unlinked tasks and then failed.
func partialUndo(made model.ID, released []model.Task) Result {
	if len(released) == 0 {
		return Result{}
	}
	return Result{Object: made, Summary: "unlinked from other tasks", Change: board.Change{IsWrite: true, Tasks: released}}
}

// unlink removes the dependency on the new task. It returns no task when there is none or it may not be changed.
func (l taskLink) unlink(ctx context.Context, c *apiclient.Client, made model.ID) (model.Task, error) {
	task, err := c.Task(ctx, l.waiting.id)
	switch {
	case errors.Is(err, apiclient.ErrNotFound):
		return model.Task{}, nil
	case err != nil:
		return model.Task{}, err
	case !slices.Contains(task.Dependencies, made) || model.UpdateForbidden(task.State, "dependencies") != "":
		return model.Task{}, nil
	}
	needs := slices.DeleteFunc(append([]model.ID{}, task.Dependencies...), func(id model.ID) bool { return id == made })
	return c.UpdateTask(ctx, l.waiting.id, model.TaskInput{Dependencies: model.Some(needs)})
}
