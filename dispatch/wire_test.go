package dispatch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/dispatch"
	"waybill/model"
)

func TestAPreviewKnowsWhatTheServiceWould(t *testing.T) {
	place := func(l model.Location) model.IDOr[model.Destination] {
		return model.Embedded(model.Destination{Location: l})
	}
	wire := dispatch.TeamData{
		Team: model.Team{ID: "team", Hub: model.Some(model.ID("hub"))},
		Hubs: []model.Hub{{ID: "hub", Location: at(1, 1)}},
		Workers: []model.Worker{
			{ID: "w", Location: model.Some(at(0, 0)), ActiveTask: model.Some(model.ID("now")), Tasks: []model.ID{"next", "gone"}, Capacity: 4},
			{ID: "nowhere"},
		},
		Tasks: []model.Task{
			{ID: "now", State: model.TaskActive, Destination: place(at(0, 1))},
			{ID: "next", State: model.TaskAssigned, Destination: place(at(0, 2)), Dependencies: []model.ID{"now", "finished"}},
			{
				ID: "waits", Destination: place(at(0, 3)), Container: model.Some(model.TeamContainer("team")),
				Quantity: 2, PickupTask: true, ServiceTime: 7,
			},
			{ID: "other", Destination: place(at(0, 3)), Container: model.Some(model.TeamContainer("another"))},
			{ID: "lost", Destination: place(model.NoLocation()), Container: model.Some(model.TeamContainer("team"))},
		},
	}
	team := dispatch.NewTeam(wire, model.DispatchRequest{}.WithDefaults(now))
	require.Equal(t, at(1, 1), team.Hub.Value())
	require.Equal(t, []model.ID{"now", "next"}, team.Workers[0].Route)
	require.True(t, team.Workers[0].Active)
	require.Equal(t, at(1, 1), team.Workers[1].At.Value(), "who is nowhere is taken to be at the hub")
	require.Equal(t, []model.ID{"finished"}, team.Done)
	ids := []model.ID{}
	for _, task := range team.Tasks {
		ids = append(ids, task.ID)
	}
	require.Equal(t, []model.ID{"now", "next", "waits"}, ids)
	require.Equal(t, model.Minutes(7), team.Tasks[2].Service)
}
