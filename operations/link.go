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

// fieldNeededBy asks for the tasks that depend on a new one.
const fieldNeededBy = "needed_by"

// NewLink is task.link: changes the dependencies of one task.
func NewLink(s Input) (Operation, error) {
	e := taskEdit{id: "task.link", noun: "dependencies", members: []string{"dependencies"}}
	if err := e.selectEditable(s); err != nil {
		return Operation{}, err
	}
	if len(e.tasks) > 1 {
		return Operation{}, errors.New("link one task at a time")
	}
	task := e.tasks[0]
	e.seen = task.wireTask()
	e.form = form.Form{
		Title: "Dependencies of " + task.label, Fields: []form.Field{linkField(s, task)},
		Start: form.Values{"depends_on": shortIDs(s.Board, e.seen.Dependencies)},
	}
	e.read = func(values form.Values, problems form.Problems) edit {
		ids, err := s.resolveTasks(values.Get("depends_on"))
		addError(problems, "depends_on", err)
		for _, id := range ids {
			if id != task.id && dependsOn(s.Board, id, task.id) {
				addProblem(problems, "depends_on", fmt.Sprintf("%s already depends on %s; both would wait forever.",
					model.Capitalize(taskLabel(s.Board, id)), task.label))
			}
		}
		if err == nil && sameIDs(ids, e.seen.Dependencies) {
			addProblem(problems, "depends_on", "Nothing would change.")
		}
		change := replaceValues(model.TaskInput{Dependencies: model.Some(ids)}, editedLinkLines(s, task, e.seen.Dependencies, ids)...)
		labels := mapList(ids, func(id model.ID) string { return taskLabel(s.Board, id) })
		change.summary = "depends on " + cmp.Or(joinNames(labels, 4), "nothing")
		return change
	}
	return e.operation(s)
}

// linkField asks for the dependencies of a task that exists.
func linkField(s Input, task selectedTask) form.Field {
	field := dependsOnField(s)
	field.Page = ""
	suggest := field.Suggest
	field.Suggest = func(text string, _ form.Values) []form.Option {
		values := form.Values{}
		if task.row != nil && task.row.Pickup {
			values["kind"] = "pickup"
		}
		own := func(o form.Option) bool {
			return task.row != nil && strings.HasSuffix(o.Value, string(task.row.ShortID))
		}
		return slices.DeleteFunc(suggest(text, values), own)
	}
	return field
}

func editedLinkLines(s Input, task selectedTask, before, ids []model.ID) []Line {
	lines := []Line{warnLine("It no longer depends on other tasks.")}
	if len(ids) > 0 {
		lines = []Line{plainLine("It depends on %s.", s.describeTasks(ids))}
	}
	if len(before) > 0 {
		lines = append(lines, plainLine("Before: %s.", s.describeTasks(before)))
	}
	for _, id := range ids {
		lines = append(lines, warnSeparated(s, s.Board.Tasks.Get(id), task.row)...)
	}
	return lines
}

// warnSeparated warns when a task and its dependency have different drivers, or the wrong order on one route.
func warnSeparated(s Input, first, then *board.TaskRow) []Line {
	switch {
	case first == nil || then == nil || first.Status.Closed() || first.Worker == "" || then.Worker == "":
		return nil
	case first.Worker != then.Worker:
		return []Line{warnLine("%s %s is with %s, %s %s with %s.", model.Capitalize(first.Kind()), first.ShortID, first.WorkerName, then.Kind(),
			then.ShortID, then.WorkerName)}
	case s.Board.RoutePosition(first) > s.Board.RoutePosition(then):
		return []Line{warnLine("%s %s comes behind %s %s on the route of %s.", model.Capitalize(first.Kind()), first.ShortID, then.Kind(),
			then.ShortID, then.WorkerName)}
	}
	return nil
}

// shortIDs are the short ids of tasks, separated by spaces.
func shortIDs(snapshot *board.Snapshot, ids []model.ID) string {
	return strings.Join(mapList(ids, func(id model.ID) string { return strings.TrimPrefix(taskLabel(snapshot, id), "task ") }), " ")
}

// typedIDs are full ids, which also resolve for tasks that the board does not have yet.
func typedIDs(ids []model.ID) string {
	return strings.Join(mapList(ids, func(id model.ID) string { return string(id) }), " ")
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
	waiting.Suggest = s.suggestTasks(func(row *board.TaskRow, _ form.Values) bool {
		return !row.Pickup && model.UpdateForbidden(row.State, "dependencies") == ""
	})
	return waiting
}

// newTaskLinks are the tasks that will depend on a new one.
func newTaskLinks(s Input, in model.TaskInput, values form.Values, problems form.Problems) []taskLink {
	ids, err := s.resolveTasks(values.Get(fieldNeededBy))
	addError(problems, fieldNeededBy, err)
	var links []taskLink
	for _, id := range ids {
		c := s.selectTask(id)
		if slices.ContainsFunc(links, func(l taskLink) bool { return l.waiting.id == id }) {
			continue
		}
		links = append(links, taskLink{s, c})
		if c.row != nil {
			if reason := model.UpdateForbidden(c.row.State, "dependencies"); reason != "" {
				addProblem(problems, fieldNeededBy, fmt.Sprintf("%s: %s", model.Capitalize(c.label), reason))
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
			lines = append(lines, warnLine("%s is with %s, who does not get the new task.", model.Capitalize(l.waiting.label), row.WorkerName))
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
