package apitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
)

func (s *suite) routePlans(t *testing.T) {
	ctx := t.Context()
	first, second := s.newTask(t), s.newTask(t)
	name := s.unique("Round")
	created, err := s.c.CreateRoutePlan(ctx, model.RoutePlanInput{
		Name: model.Some(name), StartTime: model.Some(first.TimeLastModified), Tasks: model.Some([]model.ID{first.ID}),
	})
	require.NoError(t, err)
	require.Equal(t, name, created.Name)
	require.Equal(t, "PENDING", created.State)
	require.Equal(t, []model.ID{first.ID}, created.Tasks)
	read, err := s.c.RoutePlan(ctx, created.ID)
	require.NoError(t, err)
	same(t, created, read)

	longer, err := s.c.AddRoutePlanTasks(ctx, created.ID, []model.ID{second.ID})
	require.NoError(t, err)
	require.Equal(t, []model.ID{first.ID, second.ID}, longer.Tasks)
	require.Equal(t, []model.TaskState{model.TaskUnassigned, model.TaskUnassigned}, longer.TaskStates.Value())
	task, err := s.c.Task(ctx, second.ID)
	require.NoError(t, err)
	require.Equal(t, created.ID, task.RoutePlan.Value())

	renamed := s.unique("Renamed")
	changed, err := s.c.UpdateRoutePlan(ctx, created.ID, model.RoutePlanInput{
		Name: model.Some(renamed), Tasks: model.Some([]model.ID{second.ID}),
	})
	require.NoError(t, err)
	require.Equal(t, renamed, changed.Name)
	require.Equal(t, []model.ID{second.ID}, changed.Tasks)
	all, err := s.c.RoutePlans(ctx, apiclient.RoutePlansQuery{StartTimeFrom: first.TimeLastModified})
	require.NoError(t, err)
	require.True(t, containsID(all, created.ID, func(p model.RoutePlan) model.ID { return p.ID }))

	_, err = s.c.CreateRoutePlan(ctx, model.RoutePlanInput{Name: model.Some(name)})
	refused(t, err, apiclient.ErrMissing)
	if s.Stranger != nil {
		_, err = s.Stranger.RoutePlan(ctx, created.ID)
		refused(t, err, apiclient.ErrOtherOrganization)
	}
	require.NoError(t, s.c.DeleteRoutePlan(ctx, created.ID))
	_, err = s.c.RoutePlan(ctx, created.ID)
	refused(t, err, apiclient.ErrNotFound)
	task, err = s.c.Task(ctx, second.ID)
	require.NoError(t, err)
	require.False(t, task.RoutePlan.Has(), "a task outlives its route plan")
}
