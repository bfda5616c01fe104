package apitest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
)

// newTaskInput returns a task without recipients.
func newTaskInput(notes string) model.TaskInput {
	return model.TaskInput{
		Destination: model.Some(model.Embedded(newDestination())),
		Recipients:  model.Some([]model.IDOr[model.RecipientInput]{}),
		Notes:       model.Some(notes),
	}
}

func (s *suite) newTask(t *testing.T) model.Task {
	t.Helper()
	task := requireAnswer(s.client.CreateTask(t.Context(), newTaskInput(s.uniqueName("Task"))))(t)
	return task
}

func (s *suite) testTasks(t *testing.T) {
	ctx := t.Context()
	local, normal := s.newPhone()
	input := newTaskInput("Order 332")
	input.Recipients = model.Some([]model.IDOr[model.RecipientInput]{model.Embedded(model.RecipientInput{
		Name: model.Some(s.uniqueName("Boris")), Phone: model.Some(local),
	})})
	input.RecipientName = model.Some("Reception")
	input.Quantity = model.Some(2.5)
	input.Appearance = model.Some(model.Appearance{TriangleColor: model.Some(model.Int(1))})
	task := requireAnswer(s.client.CreateTask(ctx, input))(t)
	require.True(t, task.ID.Valid())
	require.True(t, task.ShortID.Valid())
	require.NotEmpty(t, task.TrackingURL)
	require.Equal(t, model.TaskUnassigned, task.State)
	require.True(t, task.Worker.IsNull())
	require.Equal(t, model.ContainerOrganization, task.Container.Value().Type)
	require.Equal(t, "Reception", task.Overrides.RecipientName.Value())
	require.True(t, task.Overrides.RecipientNotes.IsNull())
	require.InDelta(t, 2.5, task.Quantity, 0)
	require.Equal(t, model.FailureNone, task.CompletionDetails.FailureReason)
	require.Len(t, task.Recipients, 1)
	require.Equal(t, normal, task.Recipients[0].Object.Phone)
	require.False(t, task.RoutePlan.Present(), "routePlan is absent, not null, without a route plan")

	read := requireAnswer(s.client.Task(ctx, task.ID))(t)
	require.Equal(t, task.ShortID, read.ShortID)
	require.False(t, read.AssignmentHistory.Present())
	read = requireAnswer(s.client.TaskWithHistory(ctx, task.ID))(t)
	require.True(t, read.AssignmentHistory.Has())
	read = requireAnswer(s.client.TaskByShortID(ctx, task.ShortID))(t)
	require.Equal(t, task.ID, read.ID)

	updated := requireAnswer(s.client.UpdateTask(ctx, task.ID, model.TaskInput{Notes: model.Some("Order 333")}))(t)
	require.Equal(t, "Order 333", updated.Notes)
	if s.OtherOrganization != nil {
		requireRefusal(s.OtherOrganization.Task(ctx, task.ID))(t, apiclient.ErrOtherOrganization)
	}
	require.NoError(t, s.client.DeleteTask(ctx, task.ID))
	requireRefusal(s.client.Task(ctx, task.ID))(t, apiclient.ErrNotFound)
	t.Run("refusals", s.testTaskRefusals)
}

func (s *suite) testTaskRefusals(t *testing.T) {
	for name, spoil := range map[string]func(*model.TaskInput){
		"no destination": func(in *model.TaskInput) { in.Destination = model.Opt[model.IDOr[model.DestinationInput]]{} },
		"long notes":     func(in *model.TaskInput) { in.Notes = model.Some(strings.Repeat("n", 10_001)) },
		"two recipients": func(in *model.TaskInput) {
			in.Recipients = model.Some([]model.IDOr[model.RecipientInput]{
				model.ByID[model.RecipientInput](unknownID()), model.ByID[model.RecipientInput](unknownID()),
			})
		},
		"autoAssign with container": func(in *model.TaskInput) {
			in.AutoAssign = model.Some(model.AutoAssign{Mode: model.AutoAssignDistance})
			in.Container = model.Some(model.TeamContainer(unknownID()))
		},
		"triangle colour": func(in *model.TaskInput) {
			in.Appearance = model.Some(model.Appearance{TriangleColor: model.Some(model.Int(3))})
		},
	} {
		t.Run(name, func(t *testing.T) {
			input := newTaskInput("spoiled")
			spoil(&input)
			requireRefusal(s.client.CreateTask(t.Context(), input))(t, apiclient.ErrInvalid, apiclient.ErrMissing)
		})
	}
	t.Run("longest notes", func(t *testing.T) {
		requireAnswer(s.client.CreateTask(t.Context(), newTaskInput(strings.Repeat("é", 10_000))))(t)
	})
}

// testAssignment moves tasks between containers and looks at both ends.
func (s *suite) testAssignment(t *testing.T) {
	ctx := t.Context()
	team := s.newTeam(t)
	worker := s.newWorker(t, team.ID)
	of := model.WorkerContainer(worker.ID)
	first, second, third := s.newTask(t), s.newTask(t), s.newTask(t)

	assigned := requireAnswer(s.client.UpdateTask(ctx, first.ID, model.TaskInput{Container: model.Some(of)}))(t)
	require.Equal(t, model.TaskAssigned, assigned.State)
	require.Equal(t, worker.ID, assigned.Worker.Value())
	require.Equal(t, model.ContainerWorker, assigned.Container.Value().Type)

	insert := func(index model.Int, ids ...model.ID) []model.ID {
		t.Helper()
		container := requireAnswer(s.client.UpdateContainer(ctx, of, model.ContainerUpdate{
			Tasks: model.ContainerTasks{Index: model.Some(index), IDs: ids},
		}))(t)
		return container.Tasks
	}
	require.Equal(t, []model.ID{first.ID, second.ID}, insert(model.AppendTasks, second.ID))
	require.Equal(t, []model.ID{third.ID, first.ID, second.ID}, insert(model.PrependTasks, third.ID))
	require.Equal(t, []model.ID{third.ID, second.ID, first.ID}, insert(1, second.ID), "an id that is there is moved")

	container := requireAnswer(s.client.UpdateContainer(ctx, of, model.ContainerUpdate{
		Tasks: model.ContainerTasks{IDs: []model.ID{second.ID}},
	}))(t)
	require.Equal(t, []model.ID{second.ID}, container.Tasks)
	dropped := requireAnswer(s.client.Task(ctx, first.ID))(t)
	require.Equal(t, model.TaskUnassigned, dropped.State, "a task left out goes back to the organization")
	require.Equal(t, model.ContainerOrganization, dropped.Container.Value().Type)

	inTeam := requireAnswer(s.client.UpdateTask(ctx, second.ID, model.TaskInput{Container: model.Some(model.TeamContainer(team.ID))}))(t)
	require.Equal(t, model.TaskUnassigned, inTeam.State, "a team's task is not assigned to anyone yet")
	require.Equal(t, model.ContainerTeam, inTeam.Container.Value().Type)
	container = requireAnswer(s.client.Container(ctx, of))(t)
	require.Empty(t, container.Tasks)
	requireRefusal(s.client.Container(ctx, model.WorkerContainer(unknownID())))(t, apiclient.ErrNotFound, apiclient.ErrInvalid)
}

func (s *suite) testClones(t *testing.T) {
	ctx := t.Context()
	input := newTaskInput("original")
	input.Metadata = model.Some([]model.Metadata{{Name: "vip", Type: "boolean", Value: model.Raw("true")}})
	source := requireAnswer(s.client.CreateTask(ctx, input))(t)
	clone := requireAnswer(s.client.CloneTask(ctx, source.ID, model.CloneOptions{}))(t)
	require.NotEqual(t, source.ID, clone.ID)
	require.Equal(t, source.ID, clone.SourceTaskID.Value())
	require.Equal(t, model.TaskUnassigned, clone.State)
	require.Equal(t, "original", clone.Notes)
	require.Empty(t, clone.Metadata)
	clone = requireAnswer(s.client.CloneTask(ctx, source.ID, model.CloneOptions{
		IncludeMetadata: model.Some(true),
		Overrides:       model.Some(model.CloneOverrides{Notes: model.Some("changed")}),
	}))(t)
	require.Len(t, clone.Metadata, 1)
	require.Equal(t, "changed", clone.Notes)
	requireRefusal(s.client.CloneTask(ctx, source.ID, model.CloneOptions{Overrides: model.Some(model.CloneOverrides{
		CompleteBefore: model.Some(model.MillisOf(time.Now().Add(-time.Hour))),
	})}))(t, apiclient.ErrInvalid, apiclient.ErrMissing)
	requireRefusal(s.client.CloneTask(ctx, unknownID(), model.CloneOptions{}))(t, apiclient.ErrNotFound)
}

func (s *suite) testBatches(t *testing.T) {
	ctx := t.Context()
	bad := newTaskInput("bad")
	bad.Notes = model.Some(strings.Repeat("n", 10_001))
	accepted := requireAnswer(s.client.CreateBatch(ctx, []model.TaskInput{newTaskInput("one"), bad, newTaskInput("two")}))(t)
	require.Equal(t, model.BatchPending, accepted.Status)
	require.True(t, accepted.JobID.Valid())
	job := s.waitForBatch(t, accepted.JobID)
	require.Equal(t, model.BatchCompletedWithErrors, job.Status)
	require.EqualValues(t, []model.Int{3, 2, 1}, []model.Int{job.TasksReceived, job.TasksCreated, job.TasksErrored})
	require.Len(t, job.NewTasks, 2)
	require.Equal(t, model.TaskUnassigned, job.NewTasks[0].State)
	require.Len(t, job.Errors, 1)
	require.NotZero(t, job.Errors[0].ErrorCode)

	failure := requireRefusal(s.client.CreateBatch(ctx, make([]model.TaskInput, 501)))(t, apiclient.ErrInvalid, apiclient.ErrMissing)
	require.Empty(t, failure.Code, "batch errors have a shape of their own")
	require.NotEmpty(t, failure.Message)
	requireRefusal(s.client.BatchJob(ctx, unknownID()))(t, apiclient.ErrNotFound)
}

func (s *suite) waitForBatch(t *testing.T, id model.ID) model.BatchJob {
	t.Helper()
	patience := s.BatchTimeout
	if patience == 0 {
		patience = 10 * time.Second
	}
	var job model.BatchJob
	require.Eventually(t, func() bool {
		var err error
		job, err = s.client.BatchJob(t.Context(), id)
		return err == nil && job.Status != model.BatchPending
	}, patience, 50*time.Millisecond, "the batch does not end")
	return job
}

// testLists makes more tasks than fit on a page and walks them.
func (s *suite) testLists(t *testing.T) {
	ctx := t.Context()
	const more = 130
	team := s.newTeam(t)
	inputs := make([]model.TaskInput, more)
	for i := range inputs {
		inputs[i] = newTaskInput(s.uniqueName("Listed"))
		inputs[i].Container = model.Some(model.TeamContainer(team.ID))
	}
	begin := model.MillisOf(time.Now().Add(-time.Minute))
	accepted := requireAnswer(s.client.CreateBatch(ctx, inputs))(t)
	made := s.waitForBatch(t, accepted.JobID)
	require.Equal(t, model.BatchSucceeded, made.Status)

	first := requireAnswer(s.client.TaskPage(ctx, apiclient.TaskQuery{From: begin}))(t)
	require.LessOrEqual(t, len(first.Tasks), 64)
	require.True(t, first.LastID.Has())
	seen := map[model.ID]bool{}
	var last model.Millis
	for task, err := range s.client.Tasks(ctx, apiclient.TaskQuery{From: begin}) {
		require.NoError(t, err)
		require.False(t, seen[task.ID], "a task is listed twice")
		require.GreaterOrEqual(t, task.TimeCreated, last, "tasks come in the order of their creation")
		seen[task.ID], last = true, task.TimeCreated
	}
	for _, task := range made.NewTasks {
		require.True(t, seen[task.ID], "a task is missing from the list")
	}
	for task, err := range s.client.Tasks(ctx, apiclient.TaskQuery{From: begin, States: []model.TaskState{model.TaskAssigned}}) {
		require.NoError(t, err)
		require.Equal(t, model.TaskAssigned, task.State)
	}
	inTeam := 0
	for task, err := range s.client.TeamTasks(ctx, team.ID, apiclient.OwnTasksQuery{}) {
		require.NoError(t, err)
		require.Equal(t, team.ID, task.Container.Value().Team.Value())
		inTeam++
	}
	require.Equal(t, more, inTeam)
}

func (s *suite) testTemplates(t *testing.T) {
	ctx := t.Context()
	input := model.TemplateInput{
		Name: model.Some(s.uniqueName("Template")), Fields: model.Some([]string{}),
		ContextSaveConditions: model.Some([]model.Condition{}),
	}
	template := requireAnswer(s.client.CreateTemplate(ctx, input))(t)
	require.True(t, template.ID.Valid())
	require.True(t, template.DeletedAt.IsNull())
	require.Empty(t, template.ContextSaveConditions)
	listed := requireAnswer(s.client.Templates(ctx))(t)
	require.True(t, slices.ContainsFunc(listed, func(other model.Template) bool { return other.ID == template.ID }))
	requireRefusal(s.client.CreateTemplate(ctx, input))(t, apiclient.ErrDuplicate, apiclient.ErrInvalid)
	input.Name = model.Some(s.uniqueName("Template"))
	input.ContextSaveConditions = model.Some([]model.Condition{{
		FieldName: "notes", Comparison: "equal_to", TargetValue: model.Some(model.Raw("true")),
	}})
	requireRefusal(s.client.CreateTemplate(ctx, input))(t, apiclient.ErrInvalid, apiclient.ErrMissing)
}

func (s *suite) testWebhooks(t *testing.T) {
	ctx := t.Context()
	requireRefusal(s.client.CreateWebhook(ctx, model.WebhookInput{
		URL: model.Some("http://hooks.invalid/plain"), Trigger: model.Some(model.TriggerTaskStarted),
	}))(t, apiclient.ErrInvalid, apiclient.ErrMissing)
	require.Error(t, s.client.DeleteWebhook(ctx, unknownID()))
	if s.WebhookURL == "" {
		t.Skip("no URL that passes validation")
	}
	hook := requireAnswer(s.client.CreateWebhook(ctx, model.WebhookInput{
		URL: model.Some(s.WebhookURL), Trigger: model.Some(model.TriggerTaskArrival), Threshold: model.Some(100.0),
	}))(t)
	hooks := requireAnswer(s.client.Webhooks(ctx))(t)
	require.True(t, slices.ContainsFunc(hooks, func(h model.Webhook) bool { return h.ID == hook.ID }))
	require.NoError(t, s.client.DeleteWebhook(ctx, hook.ID))
	hooks = requireAnswer(s.client.Webhooks(ctx))(t)
	require.False(t, slices.ContainsFunc(hooks, func(h model.Webhook) bool { return h.ID == hook.ID }))
}

func (s *suite) testDispatch(t *testing.T) {
	team := s.newTeam(t)
	for name, request := range map[string]model.DispatchRequest{
		"route too long":   {MaxTasksPerRoute: model.Some(model.Int(201))},
		"no allowed delay": {MaxAllowedDelay: model.Some(model.Int(0))},
		"window too far": {TaskTimeWindow: model.Some([]model.UnixSeconds{
			model.UnixSecondsOf(time.Now()), model.UnixSecondsOf(time.Now().Add(13 * time.Hour)),
		})},
		"unknown end": {RouteEnd: model.Some("moon://BASE")},
	} {
		t.Run(name, func(t *testing.T) {
			requireRefusal(s.client.DispatchTeam(t.Context(), team.ID, request))(t, apiclient.ErrInvalid, apiclient.ErrMissing)
		})
	}
	requireRefusal(s.client.DispatchTeam(t.Context(), unknownID(), model.DispatchRequest{}))(t, apiclient.ErrNotFound)
}

func (s *suite) testCompletion(t *testing.T) {
	if s.StartTask == nil {
		t.Skip("no way to start a task")
	}
	ctx := t.Context()
	worker := s.newWorker(t, s.newTeam(t).ID)
	task := s.newTask(t)
	requireAnswer(s.client.UpdateTask(ctx, task.ID, model.TaskInput{Container: model.Some(model.WorkerContainer(worker.ID))}))(t)
	require.NoError(t, s.StartTask(ctx, worker.ID, task.ID))
	active := requireAnswer(s.client.Task(ctx, task.ID))(t)
	require.Equal(t, model.TaskActive, active.State)
	require.NoError(t, s.client.CompleteTask(ctx, task.ID, model.CompleteDetails{
		Success: model.Some(true), Notes: model.Some("Left at the door"),
	}))
	done := requireAnswer(s.client.Task(ctx, task.ID))(t)
	require.True(t, done.Succeeded())
	require.True(t, done.CompletionDetails.Time.Has())
	_, err := s.client.UpdateTask(ctx, task.ID, model.TaskInput{Container: model.Some(model.WorkerContainer(worker.ID))})
	require.Error(t, err, "a completed task stays where it is")
}
