package apitest_test

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"waybill/model"
)

func (m *memory) routeWorkers() {
	m.route("POST /workers", func(r *http.Request, org model.ID) (any, error) {
		in, err := body[model.WorkerInput](r)
		if err != nil {
			return nil, err
		}
		if !in.Teams.Has() {
			return nil, missing()
		}
		phone, err := normal(in.Phone.Value())
		if err != nil {
			return nil, err
		}
		for _, other := range m.workers {
			if other.Phone == phone {
				return nil, refusal{
					status: 400, code: model.CodeInvalidContent, subcode: model.ErrorDuplicate,
					cause: model.Some(model.DuplicateCause("phone", phone)),
				}
			}
		}
		worker := model.Worker{
			ID: m.own(org), Organization: org, Name: in.Name.Value(), Phone: phone, Teams: in.Teams.Value(),
			Vehicle: in.Vehicle, Tasks: []model.ID{}, Metadata: []model.Metadata{},
		}
		m.workers[worker.ID] = worker
		return worker, nil
	})
	m.route("GET /workers", func(r *http.Request, _ model.ID) (any, error) {
		found := []model.Worker{}
		for _, worker := range m.workers {
			if slices.Contains(worker.Teams, model.ID(r.URL.Query().Get("teams"))) {
				found = append(found, worker)
			}
		}
		return found, nil
	})
	m.route("GET /workers/{id}", func(r *http.Request, org model.ID) (any, error) { return lookup(m, m.workers, r, org) })
	m.route("PUT /workers/{id}", func(r *http.Request, org model.ID) (any, error) {
		worker, err := lookup(m, m.workers, r, org)
		if err != nil {
			return nil, err
		}
		in, err := body[model.WorkerInput](r)
		worker.DisplayName = in.DisplayName
		m.workers[worker.ID] = worker
		return worker, err
	})
	m.route("DELETE /workers/{id}", func(r *http.Request, org model.ID) (any, error) {
		worker, err := lookup(m, m.workers, r, org)
		delete(m.workers, worker.ID)
		return nil, err
	})
}

func (m *memory) newTask(in model.TaskInput, org model.ID) (model.Task, error) {
	switch {
	case !in.Destination.Has():
		return model.Task{}, missing()
	case utf8.RuneCountInString(in.Notes.Value()) > 10_000, len(in.Recipients.Value()) > 1,
		in.AutoAssign.Has() && in.Container.Has(), in.Appearance.Value().TriangleColor.Value() > 2:
		return model.Task{}, invalid(model.ErrorInvalid)
	}
	destination, err := m.newPlace(*in.Destination.Value().Object, org)
	if err != nil {
		return model.Task{}, err
	}
	task := model.Task{
		ID: m.own(org), TimeCreated: now(), Organization: org, ShortID: model.NewShortID(), TrackingURL: "https://t/x",
		Worker: model.Null[model.ID](), Notes: in.Notes.Value(), Metadata: in.Metadata.Or([]model.Metadata{}),
		Container: model.Some(in.Container.Or(model.OrganizationContainer(org))), Quantity: in.Quantity.Value(),
		CompletionDetails: model.CompletionDetails{FailureReason: model.FailureNone},
		Overrides: model.TaskOverrides{
			RecipientName: model.SomeIf(in.RecipientName.Get()), RecipientNotes: model.SomeIf(in.RecipientNotes.Get()),
		},
		Destination: model.Embedded(destination),
	}
	for _, who := range in.Recipients.Value() {
		recipient, err := m.newRecipient(*who.Object, org)
		if err != nil {
			return model.Task{}, err
		}
		task.Recipients = append(task.Recipients, model.Embedded(recipient))
	}
	m.tasks[task.ID] = task
	m.order = append(m.order, task.ID)
	return task, nil
}

// move puts a task into a container at an index.
func (m *memory) move(id model.ID, to model.ContainerRef, index int) {
	task := m.tasks[id]
	for worker, route := range m.routes {
		m.routes[worker] = slices.DeleteFunc(route, func(other model.ID) bool { return other == id })
	}
	task.Container, task.State, task.Worker = model.Some(to), model.TaskUnassigned, model.Null[model.ID]()
	if to.Type == model.ContainerWorker {
		task.State, task.Worker = model.TaskAssigned, model.Some(to.Owner())
		route := m.routes[to.Owner()]
		if index < 0 {
			index = len(route)
		}
		m.routes[to.Owner()] = slices.Insert(route, index, id)
	}
	m.tasks[id] = task
}

func (m *memory) start(_ context.Context, _, id model.ID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	task := m.tasks[id]
	task.State = model.TaskActive
	m.tasks[id] = task
	return nil
}

func (m *memory) routeTasks() {
	m.route("POST /tasks", func(r *http.Request, org model.ID) (any, error) {
		in, err := body[model.TaskInput](r)
		if err != nil {
			return nil, err
		}
		return m.newTask(in, org)
	})
	m.route("GET /tasks/{id}", func(r *http.Request, org model.ID) (any, error) {
		task, err := lookup(m, m.tasks, r, org)
		if r.URL.Query().Has("assignmentHistory") {
			task.AssignmentHistory = model.Some([]model.AssignmentEntry{})
		}
		return task, err
	})
	m.route("GET /tasks/shortId/{short}", func(r *http.Request, _ model.ID) (any, error) {
		for _, task := range m.tasks {
			if string(task.ShortID) == r.PathValue("short") {
				return task, nil
			}
		}
		return nil, notFound()
	})
	m.route("PUT /tasks/{id}", func(r *http.Request, org model.ID) (any, error) {
		task, err := lookup(m, m.tasks, r, org)
		if err != nil {
			return nil, err
		}
		in, err := body[model.TaskInput](r)
		if err != nil || task.State == model.TaskCompleted {
			return nil, invalid(model.ErrorInvalid)
		}
		task.Notes = in.Notes.Or(task.Notes)
		m.tasks[task.ID] = task
		if to, ok := in.Container.Get(); ok {
			m.move(task.ID, to, model.AppendTasks)
		}
		return m.tasks[task.ID], nil
	})
	m.route("DELETE /tasks/{id}", func(r *http.Request, org model.ID) (any, error) {
		task, err := lookup(m, m.tasks, r, org)
		delete(m.tasks, task.ID)
		return nil, err
	})
	m.route("POST /tasks/{id}/complete", func(r *http.Request, org model.ID) (any, error) {
		task, err := lookup(m, m.tasks, r, org)
		if err != nil {
			return nil, err
		}
		in, err := body[model.CompleteRequest](r)
		task.State = model.TaskCompleted
		task.CompletionDetails.Success = in.CompletionDetails.Success
		task.CompletionDetails.Time = model.Some(now())
		m.tasks[task.ID] = task
		return nil, err
	})
	m.route("POST /tasks/{id}/clone", m.clone)
}

func (m *memory) clone(r *http.Request, org model.ID) (any, error) {
	task, err := lookup(m, m.tasks, r, org)
	if err != nil {
		return nil, err
	}
	in, err := body[model.CloneRequest](r)
	options := in.Effective()
	change := options.Overrides.Value()
	if change.CompleteBefore.Has() && change.CompleteBefore.Value() < now() {
		return nil, invalid(model.ErrorTimeConstraint)
	}
	task.SourceTaskID = model.Some(task.ID)
	task.ID = m.own(org)
	task.Notes = change.Notes.Or(task.Notes)
	if !options.IncludeMetadata.Value() {
		task.Metadata = []model.Metadata{}
	}
	m.tasks[task.ID] = task
	m.order = append(m.order, task.ID)
	return task, err
}

func (m *memory) routeLists() {
	m.route("POST /tasks/batch-async", func(r *http.Request, org model.ID) (any, error) {
		in, err := body[model.BatchRequest](r)
		if err != nil || len(in.Tasks) > 500 {
			return nil, refusal{status: 400, subcode: model.ErrorInvalid, batch: true}
		}
		job := model.BatchJob{Status: model.BatchSucceeded, TasksReceived: model.Int(len(in.Tasks))}
		for _, input := range in.Tasks {
			task, err := m.newTask(input, org)
			if err != nil {
				job.Status = model.BatchCompletedWithErrors
				job.TasksErrored++
				job.Errors = append(job.Errors, model.BatchError{StatusCode: 400, ErrorCode: model.ErrorInvalid})
				continue
			}
			job.TasksCreated++
			job.NewTasks = append(job.NewTasks, task)
		}
		id := m.own(org)
		m.jobs[id] = job
		return model.BatchAccepted{Status: model.BatchPending, JobID: id}, nil
	})
	m.route("GET /tasks/batch/{id}", func(r *http.Request, org model.ID) (any, error) { return lookup(m, m.jobs, r, org) })
	m.route("GET /tasks/all", func(r *http.Request, org model.ID) (any, error) {
		states := r.URL.Query().Get("state")
		return m.page(r, func(task model.Task) bool {
			return task.Organization == org && (states == "" || strings.Contains(states, strconv.Itoa(int(task.State))))
		}), nil
	})
	m.route("GET /teams/{id}/tasks", func(r *http.Request, _ model.ID) (any, error) {
		return m.page(r, func(task model.Task) bool {
			return string(task.Container.Value().Team.Value()) == r.PathValue("id")
		}), nil
	})
}

func (m *memory) page(r *http.Request, is func(model.Task) bool) model.TaskPage {
	page := model.TaskPage{Tasks: []model.Task{}}
	behind := slices.Index(m.order, model.ID(r.URL.Query().Get("lastId"))) + 1
	for _, id := range m.order[behind:] {
		task, exists := m.tasks[id]
		if !exists || !is(task) {
			continue
		}
		if len(page.Tasks) == 64 {
			page.LastID = model.Some(page.Tasks[63].ID)
			break
		}
		page.Tasks = append(page.Tasks, task)
	}
	return page
}

func (m *memory) container(r *http.Request, org model.ID) (model.Container, error) {
	worker, err := lookup(m, m.workers, r, org)
	return model.Container{Type: model.ContainerWorker, Worker: model.Some(worker.ID), Tasks: m.routes[worker.ID]}, err
}

func (m *memory) routeRest() {
	m.route("GET /containers/workers/{id}", func(r *http.Request, org model.ID) (any, error) { return m.container(r, org) })
	m.route("PUT /containers/workers/{id}", func(r *http.Request, org model.ID) (any, error) {
		container, err := m.container(r, org)
		if err != nil {
			return nil, err
		}
		in, err := body[model.ContainerUpdate](r)
		index := int(in.Tasks.Index.Value())
		if !in.Tasks.Index.Has() {
			for _, id := range slices.Clone(container.Tasks) {
				m.move(id, model.OrganizationContainer(org), 0)
			}
		}
		for i, id := range in.Tasks.IDs {
			at := index
			if index >= 0 {
				at += i
			}
			m.move(id, model.WorkerContainer(container.Worker.Value()), at)
		}
		container.Tasks = m.routes[container.Worker.Value()]
		return container, err
	})
	m.route("POST /cfGroups/task", func(r *http.Request, _ model.ID) (any, error) {
		in, err := body[model.TemplateInput](r)
		conditions := in.ContextSaveConditions.Value()
		if _, taken := m.templates[in.Name.Value()]; taken || len(conditions) > 0 && conditions[0].FieldName != "pickupTask" {
			return nil, invalid(model.ErrorInvalid)
		}
		made := model.Template{
			ID: model.NewID(), Name: in.Name.Value(), DeletedAt: model.Null[model.Raw](), Fields: []string{},
			ContextSaveConditions: []model.Condition{},
		}
		m.templates[made.Name] = made
		return made, err
	})
	m.route("GET /cfGroups/task", func(*http.Request, model.ID) (any, error) {
		return slices.Collect(maps.Values(m.templates)), nil
	})
	m.route("POST /webhooks", func(r *http.Request, _ model.ID) (any, error) {
		in, err := body[model.WebhookInput](r)
		if !strings.HasPrefix(in.URL.Value(), "https://") {
			return nil, invalid(model.ErrorWebhookCheck)
		}
		hook := model.Webhook{ID: model.NewID(), URL: in.URL.Value(), Trigger: in.Trigger.Value()}
		m.hooks = append(m.hooks, hook)
		return hook, err
	})
	m.route("GET /webhooks", func(*http.Request, model.ID) (any, error) { return append([]model.Webhook{}, m.hooks...), nil })
	m.route("DELETE /webhooks/{id}", func(r *http.Request, _ model.ID) (any, error) {
		before := len(m.hooks)
		m.hooks = slices.DeleteFunc(m.hooks, func(h model.Webhook) bool { return string(h.ID) == r.PathValue("id") })
		if len(m.hooks) == before {
			return nil, notFound()
		}
		return nil, nil
	})
}
