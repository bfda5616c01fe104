package events_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// BenchmarkRecord shows what events cost a change: a change that does nothing, one with an event that nobody hears,
// and one with an event that goes to a webhook.
func BenchmarkRecord(b *testing.B) {
	for _, c := range []struct {
		name           string
		record, listen bool
	}{{"nothing", false, false}, {"unheard", true, false}, {"heard", true, true}} {
		b.Run(c.name, func(b *testing.B) {
			s := servicetest.Start(b)
			var task model.Task
			s.Do("POST", "/tasks", `{"destination":{"address":{"number":"1","street":"A St","city":"San Francisco","country":"USA"},
				"location":[-122.4,37.78]},"recipients":[{"name":"A","phone":"+14155550100"}]}`).OK(&task)
			if c.listen {
				require.NoError(b, s.Store.Write(b.Context(), func(tx *store.Tx) error {
					_, err := tx.Exec(b.Context(), "INSERT INTO webhooks (id, org, trigger, name, url, created) VALUES ($1, $2, 7, '', '', 0)",
						model.NewID(), s.Org)
					return err
				}))
			}
			event := world.Event{Trigger: model.TriggerTaskUpdated, Time: s.World.Now(), TaskID: task.ID}
			b.SetParallelism(32)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := s.Store.Write(b.Context(), func(tx *store.Tx) error {
						if !c.record {
							return nil
						}
						return s.Broker.Record(b.Context(), tx, s.Org, event)
					}); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// BenchmarkDeliver is how fast events reach a receiver on this machine.
func BenchmarkDeliver(b *testing.B) {
	s := servicetest.Start(b)
	url := s.Listen(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	require.NoError(b, s.Store.Write(b.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(b.Context(), "INSERT INTO webhooks (id, org, trigger, name, url, created) VALUES ($1, $2, 7, '', $3, 0)",
			model.NewID(), s.Org, url)
		return err
	}))
	for range b.N {
		require.NoError(b, s.Store.Write(b.Context(), func(tx *store.Tx) error {
			return s.Broker.Record(b.Context(), tx, s.Org,
				world.Event{Trigger: model.TriggerTaskUpdated, Time: s.World.Now(), TaskID: model.NewID()})
		}))
	}
	b.ResetTimer()
	require.NoError(b, s.Broker.DeliverAll(b.Context()))
}
