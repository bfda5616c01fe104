package service_test

import (
	"context"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
)

// drawContainer draws a container for a task; ok is false for the default.
func (r *expected) drawContainer(rt *rapid.T) (ref model.ContainerRef, want outcome, ok bool) {
	switch rapid.IntRange(0, 4).Draw(rt, "container") {
	case 0:
		id, want := r.pick(rt, "team", r.teams)
		return model.TeamContainer(id), want, true
	case 1, 2:
		id, want := r.pick(rt, "worker", r.workers)
		return model.WorkerContainer(id), want, true
	case 3:
		return model.OrganizationContainer(r.org), fine, true
	}
	return model.OrganizationContainer(r.org), fine, false
}

// inBody returns the outcome of an unknown container in a body instead of the path.
func inBody(want outcome) outcome {
	if want == unknown {
		return invalid
	}
	return want
}

func (r *expected) createTask(rt *rapid.T) {
	made := &expectedTask{notes: drawNotes(rt), quantity: float64(rapid.IntRange(0, 3).Draw(rt, "quantity"))}
	in := model.TaskInput{Notes: model.Some(made.notes), Quantity: model.Some(made.quantity)}
	var wants []outcome
	note := func(want outcome) { wants = append(wants, want) }
	newPlace := r.drawDestination(rt, &in, made, note)
	embedded := r.drawRecipient(rt, &in, made, note)
	ref, want, sent := r.drawContainer(rt)
	if sent {
		in.Container = model.Some(ref)
		note(inBody(want))
	}
	if need, ok := drawID(rt, "need", r.tasks); ok && rapid.IntRange(0, 3).Draw(rt, "needs") == 0 {
		in.Dependencies, made.needs = model.Some([]model.ID{need}), []model.ID{need}
	}
	var got model.Task
	if !r.callOneOf(rt, wants, "POST", "/tasks", in, &got) {
		return
	}
	if newPlace {
		made.destination = got.Destination.Object.ID
		r.destinations, r.notesOf[made.destination] = append(r.destinations, made.destination), "embedded"
	}
	if embedded != nil {
		made.recipient = r.embed(got.Recipients[0].Object.ID, *embedded)
	}
	made.container = model.OrganizationContainer(r.org)
	r.tasks, r.task[got.ID] = append(r.tasks, got.ID), made
	r.move(got.ID, ref, -1)
	r.checkTask(rt, got.ID, got)
}

// callOneOf is call for a request that may break several rules in any order.
func (r *expected) callOneOf(rt *rapid.T, wants []outcome, method, path string, body, v any) bool {
	var refusals []outcome
	for _, want := range wants {
		if want != fine {
			refusals = append(refusals, want)
		}
	}
	if len(refusals) == 0 {
		return r.call(rt, fine, method, path, body, v)
	}
	answer := r.DoAs(r.key, method, path, body)
	var refused model.ErrorBody
	require.NoError(rt, model.Unmarshal(answer.Body, &refused), "%s %s should be refused: %s", method, path, answer.Body)
	require.Contains(rt, refusals, outcome{answer.Status, refused.Message.Error}, "%s %s: %s", method, path, answer.Body)
	return false
}

func (r *expected) drawDestination(rt *rapid.T, in *model.TaskInput, made *expectedTask, note func(outcome)) (isNew bool) {
	if len(r.destinations) == 0 || rapid.Bool().Draw(rt, "new place") {
		in.Destination = model.Some(model.Embedded(destinationAt("embedded")))
		return true
	}
	id, want := r.pick(rt, "destination", r.destinations)
	note(want)
	in.Destination, made.destination = model.Some(model.ByID[model.DestinationInput](id)), id
	return false
}

// drawRecipient draws no recipient, an existing one, or a new one.
func (r *expected) drawRecipient(rt *rapid.T, in *model.TaskInput, made *expectedTask, note func(outcome)) *model.RecipientInput {
	switch rapid.IntRange(0, 2).Draw(rt, "recipient") {
	case 0:
		in.Recipients = model.Some([]model.IDOr[model.RecipientInput]{})
		return nil
	case 1:
		id, want := r.pick(rt, "recipient", r.recipients)
		note(want)
		in.Recipients, made.recipient = model.Some([]model.IDOr[model.RecipientInput]{model.ByID[model.RecipientInput](id)}), id
		return nil
	}
	recipient := model.RecipientInput{Name: model.Some(drawName(rt)), Phone: model.Some(drawPhone(rt))}
	if rapid.Bool().Draw(rt, "recipient has notes") {
		recipient.Notes = model.Some(drawNotes(rt))
	}
	in.Recipients = model.Some([]model.IDOr[model.RecipientInput]{model.Embedded(recipient)})
	return &recipient
}

// embed adds an embedded recipient. A known phone uses its recipient, whose name and notes change.
func (r *expected) embed(id model.ID, in model.RecipientInput) model.ID {
	known, ok := r.recipientOf(in.Phone.Value())
	if !ok {
		r.addRecipient(id, in)
		return id
	}
	r.recipient[known].name = in.Name.Value()
	if in.Notes.Has() {
		r.recipient[known].notes = in.Notes.Value()
	}
	return known
}

func (r *expected) readTask(rt *rapid.T) {
	id, want := r.pick(rt, "task", r.tasks)
	var got model.Task
	if r.call(rt, want, "GET", "/tasks/"+string(id), nil, &got) {
		r.checkTask(rt, id, got)
	}
}

func (r *expected) updateTask(rt *rapid.T) {
	id, want := r.pick(rt, "task", r.tasks)
	in := model.TaskInput{Notes: model.Some(drawNotes(rt))}
	quantity := rapid.Bool().Draw(rt, "quantity too")
	if quantity {
		in.Quantity = model.Some(float64(rapid.IntRange(0, 9).Draw(rt, "quantity")))
	}
	if want == fine {
		switch r.task[id].state {
		case model.TaskCompleted:
			want = invalid
		case model.TaskActive:
			if quantity {
				want = invalid
			}
		}
	}
	var got model.Task
	if r.call(rt, want, "PUT", "/tasks/"+string(id), in, &got) {
		r.task[id].notes = in.Notes.Value()
		if quantity {
			r.task[id].quantity = in.Quantity.Value()
		}
		r.checkTask(rt, id, got)
	}
}

// started reports whether a task was started.
func (r *expected) started(id model.ID) bool { return r.task[id].state >= model.TaskActive }

func (r *expected) assignTask(rt *rapid.T) {
	id, want := r.pick(rt, "task", r.tasks)
	ref, container, _ := r.drawContainer(rt)
	wants := []outcome{want, inBody(container)}
	if want == fine && r.started(id) {
		wants = append(wants, invalid)
	}
	var got model.Task
	if r.callOneOf(rt, wants, "PUT", "/tasks/"+string(id), model.TaskInput{Container: model.Some(ref)}, &got) {
		if r.task[id].container.Owner() != ref.Owner() {
			r.move(id, ref, -1)
		}
		r.checkTask(rt, id, got)
	}
}

// drawTasks draws different tasks and their outcomes.
func (r *expected) drawTasks(rt *rapid.T) ([]model.ID, []outcome) {
	if len(r.tasks) == 0 {
		return []model.ID{r.strange["task"]}, []outcome{forbidden}
	}
	ids := rapid.SliceOfNDistinct(rapid.SampledFrom(r.tasks), 1, 3, rapid.ID).Draw(rt, "tasks")
	wants := make([]outcome, len(ids))
	for i, id := range ids {
		if r.started(id) {
			wants[i] = invalid
		}
	}
	return ids, wants
}

func (r *expected) containerPath(ref model.ContainerRef) string {
	switch ref.Type {
	case model.ContainerTeam:
		return "/containers/teams/" + string(ref.Owner())
	case model.ContainerWorker:
		return "/containers/workers/" + string(ref.Owner())
	default:
		return "/containers/organizations/" + string(ref.Owner())
	}
}

func (r *expected) insertTasks(rt *rapid.T) {
	ref, container, _ := r.drawContainer(rt)
	ids, wants := r.drawTasks(rt)
	index := rapid.IntRange(-1, 4).Draw(rt, "index")
	update := model.ContainerUpdate{Tasks: model.ContainerTasks{Index: model.Some(model.Int(index)), IDs: ids}}
	var got model.Container
	if !r.callOneOf(rt, append(wants, container), "PUT", r.containerPath(ref), update, &got) {
		return
	}
	for _, id := range ids { // all leave before the index counts
		r.move(id, ref, -1)
	}
	r.lists[ref.Owner()] = r.lists[ref.Owner()][:len(r.lists[ref.Owner()])-len(ids)]
	for i, id := range ids {
		at := index
		if at >= 0 {
			at = min(index, len(r.lists[ref.Owner()])-i) + i
		}
		r.move(id, ref, at)
	}
	require.Equal(rt, r.lists[ref.Owner()], got.Tasks)
}

func (r *expected) replaceRoute(rt *rapid.T) {
	worker, want := r.pick(rt, "worker", r.workers)
	ids, wants := r.drawTasks(rt)
	var got model.Container
	update := model.ContainerUpdate{Tasks: model.ContainerTasks{IDs: ids}}
	if !r.callOneOf(rt, append(wants, want), "PUT", r.containerPath(model.WorkerContainer(worker)), update, &got) {
		return
	}
	for _, id := range r.lists[worker] {
		kept := false
		for _, other := range ids {
			kept = kept || other == id
		}
		if !kept {
			r.move(id, model.OrganizationContainer(r.org), -1)
		}
	}
	for _, id := range ids {
		r.move(id, model.WorkerContainer(worker), -1)
	}
	require.Equal(rt, r.lists[worker], got.Tasks)
	require.Equal(rt, r.worker[worker].active, got.ActiveTask.Value())
}

func (r *expected) cloneTask(rt *rapid.T) {
	id, want := r.pick(rt, "task", r.tasks)
	options := model.CloneOptions{IncludeDependencies: model.Some(rapid.Bool().Draw(rt, "dependencies"))}
	overrides := rapid.Bool().Draw(rt, "overrides")
	if overrides {
		options.Overrides = model.Some(model.CloneOverrides{Notes: model.Some(drawNotes(rt))})
	}
	var body any = model.CloneRequest{Options: model.Some(options)}
	if rapid.Bool().Draw(rt, "at the top") {
		body = options
	}
	var got model.Task
	if !r.call(rt, want, "POST", "/tasks/"+string(id)+"/clone", body, &got) {
		return
	}
	source := r.task[id]
	made := &expectedTask{
		destination: source.destination, recipient: source.recipient, source: id, notes: source.notes, quantity: source.quantity,
		container: model.OrganizationContainer(r.org),
	}
	if overrides {
		made.notes = options.Overrides.Value().Notes.Value()
	}
	if options.IncludeDependencies.Value() {
		made.needs = append([]model.ID{}, source.needs...)
	}
	r.tasks, r.task[got.ID] = append(r.tasks, got.ID), made
	r.move(got.ID, made.container, -1)
	r.checkTask(rt, got.ID, got)
}

// startTask starts a task as the driver's app does.
func (r *expected) startTask(rt *rapid.T) {
	candidates := r.tasks
	if rapid.IntRange(0, 3).Draw(rt, "any") > 0 { // mostly what can be started
		candidates = slices.DeleteFunc(slices.Clone(r.tasks), func(id model.ID) bool { return r.task[id].state != model.TaskAssigned })
	}
	id, ok := drawID(rt, "task", candidates)
	if !ok || len(r.workers) == 0 {
		return
	}
	task := r.task[id]
	worker := task.container.Worker.Value()
	if task.state != model.TaskAssigned {
		worker = rapid.SampledFrom(r.workers).Draw(rt, "worker")
	}
	allowed := task.state == model.TaskAssigned && r.worker[worker].duty && r.worker[worker].active == ""
	for _, need := range task.needs {
		allowed = allowed && r.task[need].state == model.TaskCompleted
	}
	err := r.World.StartTask(context.Background(), worker, id)
	if !allowed {
		require.Error(rt, err)
		return
	}
	require.NoError(rt, err)
	r.lists[worker] = without(r.lists[worker], id)
	task.state, r.worker[worker].active = model.TaskActive, id
}

func (r *expected) completeTask(rt *rapid.T) {
	candidates := r.tasks
	if rapid.Bool().Draw(rt, "active") {
		candidates = slices.DeleteFunc(slices.Clone(r.tasks), func(id model.ID) bool { return r.task[id].state != model.TaskActive })
	}
	id, want := r.pick(rt, "task", candidates)
	if want == fine && r.task[id].state != model.TaskActive {
		want = invalid
	}
	success := rapid.Bool().Draw(rt, "success")
	in := model.CompleteRequest{CompletionDetails: model.CompleteDetails{Success: model.Some(success), Notes: model.Some("done")}}
	if r.call(rt, want, "POST", "/tasks/"+string(id)+"/complete", in, nil) {
		task := r.task[id]
		task.state, task.success = model.TaskCompleted, success
		r.worker[task.container.Owner()].active = ""
	}
}

func (r *expected) deleteTask(rt *rapid.T) {
	id, want := r.pick(rt, "task", r.tasks)
	if want == fine && r.started(id) {
		want = invalid
	}
	if !r.call(rt, want, "DELETE", "/tasks/"+string(id), nil, nil) {
		return
	}
	owner := r.task[id].container.Owner()
	r.lists[owner] = without(r.lists[owner], id)
	for _, other := range r.tasks {
		r.task[other].needs = without(r.task[other].needs, id)
	}
	r.tasks, r.gone = without(r.tasks, id), append(r.gone, id)
}
