package apitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
)

func (s *suite) testRoutePlans(t *testing.T) {
	ctx := t.Context()
	first, second := s.newTask(t), s.newTask(t)
	name := s.uniqueName("Round")
	created, err := s.client.CreateRoutePlan(ctx, model.RoutePlanInput{
		Name: model.Some(name), StartTime: model.Some(first.TimeLastModified), Tasks: model.Some([]model.ID{first.ID}),
	})
	require.NoError(t, err)
	require.Equal(t, name, created.Name)
	require.Equal(t, "PENDING", created.State)
	require.Equal(t, []model.ID{first.ID}, created.Tasks)
	read, err := s.client.RoutePlan(ctx, created.ID)
	require.NoError(t, err)
	requireSameJSON(t, created, read)

	longer, err := s.client.AddRoutePlanTasks(ctx, created.ID, []model.ID{second.ID})
	require.NoError(t, err)
	require.Equal(t, []model.ID{first.ID, second.ID}, longer.Tasks)
	require.Equal(t, []model.TaskState{model.TaskUnassigned, model.TaskUnassigned}, longer.TaskStates.Value())
	task, err := s.client.Task(ctx, second.ID)
	require.NoError(t, err)
	require.Equal(t, created.ID, task.RoutePlan.Value())

	renamed := s.uniqueName("Renamed")
	changed, err := s.client.UpdateRoutePlan(ctx, created.ID, model.RoutePlanInput{
		Name: model.Some(renamed), Tasks: model.Some([]model.ID{second.ID}),
	})
	require.NoError(t, err)
	require.Equal(t, renamed, changed.Name)
	require.Equal(t, []model.ID{second.ID}, changed.Tasks)
	all, err := s.client.RoutePlans(ctx, apiclient.RoutePlansQuery{StartTimeFrom: first.TimeLastModified})
	require.NoError(t, err)
	require.True(t, containsID(all, created.ID, func(p model.RoutePlan) model.ID { return p.ID }))

	_, err = s.client.CreateRoutePlan(ctx, model.RoutePlanInput{Name: model.Some(name)})
	requireRefused(t, err, apiclient.ErrMissing)
	if s.OtherOrganization != nil {
		_, err = s.OtherOrganization.RoutePlan(ctx, created.ID)
		requireRefused(t, err, apiclient.ErrOtherOrganization)
	}
	require.NoError(t, s.client.DeleteRoutePlan(ctx, created.ID))
	_, err = s.client.RoutePlan(ctx, created.ID)
	requireRefused(t, err, apiclient.ErrNotFound)
	task, err = s.client.Task(ctx, second.ID)
	require.NoError(t, err)
	require.False(t, task.RoutePlan.Has(), "a task outlives its route plan")
}
