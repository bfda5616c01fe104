package world_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// BenchmarkWorkers lists an organization's thousand drivers, which a console asks for again and again.
func BenchmarkWorkers(b *testing.B) {
	const count = 1000
	opened, err := store.Open(b.Context(), b.TempDir())
	require.NoError(b, err)
	b.Cleanup(func() { opened.Close() })
	w := world.New(world.Options{Store: opened})
	org, _, err := w.CreateOrganization(b.Context(), world.NewOrganization{Name: "Bay", Country: "US", Timezone: "UTC"})
	require.NoError(b, err)
	actor := world.Actor{Type: world.ActorAPI, Org: org.ID}
	team, err := w.CreateTeam(b.Context(), actor, model.TeamInput{
		Name: model.Some("North"), Workers: model.Some([]model.ID{}), Managers: model.Some([]model.ID{}),
	})
	require.NoError(b, err)
	for i := range count {
		_, err := w.CreateWorker(b.Context(), actor, model.WorkerInput{
			Name: model.Some("Ana Ruiz"), Phone: model.Some(fmt.Sprintf("+1415555%04d", i)), Teams: model.Some([]model.ID{team.ID}),
			Vehicle: model.Some(model.Vehicle{Type: model.VehicleCar}),
		})
		require.NoError(b, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		list, err := w.Workers(b.Context(), org.ID, world.WorkersQuery{})
		require.NoError(b, err)
		require.Len(b, list, count)
		_, err = model.Marshal(list)
		require.NoError(b, err)
	}
}
