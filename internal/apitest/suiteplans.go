package apitest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
)

func (s *suite) testRoutePlans(t *testing.T) {
	ctx := t.Context()
	first, second := s.newTask(t), s.newTask(t)
	name := s.uniqueName("Round")
	created := requireAnswer(s.client.CreateRoutePlan(ctx, model.RoutePlanInput{
		Name: model.Some(name), StartTime: model.Some(first.TimeLastModified), Tasks: model.Some([]model.ID{first.ID}),
	}))(t)
	require.Equal(t, name, created.Name)
	require.Equal(t, "PENDING", created.State)
	require.Equal(t, []model.ID{first.ID}, created.Tasks)
	read := requireAnswer(s.client.RoutePlan(ctx, created.ID))(t)
	requireSameJSON(t, created, read)

	longer := requireAnswer(s.client.AddRoutePlanTasks(ctx, created.ID, []model.ID{second.ID}))(t)
	require.Equal(t, []model.ID{first.ID, second.ID}, longer.Tasks)
	require.Equal(t, []model.TaskState{model.TaskUnassigned, model.TaskUnassigned}, longer.TaskStates.Value())
	task := requireAnswer(s.client.Task(ctx, second.ID))(t)
	require.Equal(t, created.ID, task.RoutePlan.Value())

	renamed := s.uniqueName("Renamed")
	changed := requireAnswer(s.client.UpdateRoutePlan(ctx, created.ID, model.RoutePlanInput{
		Name: model.Some(renamed), Tasks: model.Some([]model.ID{second.ID}),
	}))(t)
	require.Equal(t, renamed, changed.Name)
	require.Equal(t, []model.ID{second.ID}, changed.Tasks)
	all := requireAnswer(s.client.RoutePlans(ctx, apiclient.RoutePlansQuery{StartTimeFrom: first.TimeLastModified}))(t)
	require.True(t, slices.ContainsFunc(all, func(p model.RoutePlan) bool { return p.ID == created.ID }))

	requireRefusal(s.client.CreateRoutePlan(ctx, model.RoutePlanInput{Name: model.Some(name)}))(t, apiclient.ErrMissing)
	if s.OtherOrganization != nil {
		requireRefusal(s.OtherOrganization.RoutePlan(ctx, created.ID))(t, apiclient.ErrOtherOrganization)
	}
	require.NoError(t, s.client.DeleteRoutePlan(ctx, created.ID))
	requireRefusal(s.client.RoutePlan(ctx, created.ID))(t, apiclient.ErrNotFound)
	task = requireAnswer(s.client.Task(ctx, second.ID))(t)
	require.False(t, task.RoutePlan.Has(), "a task outlives its route plan")
}
