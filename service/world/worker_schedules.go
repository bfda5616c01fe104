package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// Schedule reads when a worker is scheduled to work, day by day.
func (w *World) Schedule(ctx context.Context, org, worker model.ID) (model.Schedule, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Schedule, error) {
		tx.Fail(checkOwner(ctx, tx, "workers", org, worker))
		return readSchedule(ctx, tx, worker)
	})
}

func readSchedule(ctx context.Context, q store.Querier, worker model.ID) (model.Schedule, error) {
	entries, err := readDocs[model.ScheduleEntry](ctx, q, "SELECT doc FROM schedules WHERE worker = $1 ORDER BY date", worker)
	return model.Schedule{Entries: entries}, err
}

// SetSchedule replaces the days that a schedule contains and returns the whole schedule. A day without shifts is a day
// off.
func (w *World) SetSchedule(ctx context.Context, actor Actor, worker model.ID, in model.Schedule) (model.Schedule, error) {
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Schedule, error) {
		tx.Fail(checkOwner(ctx, tx, "workers", actor.Org, worker))
		tx.Fail(in.Check().Err())
		for _, entry := range in.Entries {
			tx.Write(ctx, "save schedule", `INSERT INTO schedules (worker, date, doc) VALUES ($1, $2, $3)
				ON CONFLICT (worker, date) DO UPDATE SET doc = excluded.doc`, worker, entry.Date, asDoc(entry))
		}
		return readSchedule(ctx, tx, worker)
	})
}
