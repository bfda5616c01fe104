package world

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"waybill/model"
	"waybill/service/store"
)

// Tracking is what a recipient may see: the task and its driver, nothing about other people.
type Tracking struct {
	Task     model.Task
	Merchant string
	// Timezone and Country are those of the organization that delivers.
	Timezone string
	Country  string
	// StopsBefore is how many stops the driver makes first.
	StopsBefore int
	// Destination is where the task takes place.
	Destination model.Destination
	// Driver is nil while the task is unassigned.
	Driver *TrackedDriver
	Now    model.Millis
}

// TrackedDriver is what a recipient may see of a driver.
type TrackedDriver struct {
	ID      model.ID
	Name    string
	Vehicle model.Opt[model.Vehicle]
	// Location is known only while the driver is on the way to this task. Before that it would show where other
	// recipients live.
	Location model.MaybeLocation
	Seen     model.Millis
}

// ReadTracking reads what the tracking page of a task shows.
func (w *World) ReadTracking(ctx context.Context, short model.ShortID) (Tracking, error) {
	page := Tracking{Now: w.Now()}
	err := w.store.Read(ctx, func(tx *store.Tx) error {
		raw, err := scanTaskWire(tx.QueryRow(ctx, selectTaskWire+"WHERE t.short_id = $1", short), "", "")
		if err != nil {
			return err
		}
		if err := model.Unmarshal(raw, &page.Task); err != nil {
			return fmt.Errorf("decode task %s: %w", short, err)
		}
		if page.Task.Destination.Object != nil {
			page.Destination = *page.Task.Destination.Object
		}
		tx.Fail(page.readOrganizations(ctx, tx))
		return page.readDriver(ctx, tx)
	})
	return page, err
}

func (p *Tracking) readOrganizations(ctx context.Context, q store.Querier) error {
	err := q.QueryRow(ctx, `SELECT coalesce((SELECT name FROM organizations WHERE id = $2), name), timezone, country
		FROM organizations WHERE id = $1`, p.Task.Organization, p.Task.Merchant).Scan(&p.Merchant, &p.Timezone, &p.Country)
	if err != nil {
		return fmt.Errorf("read the task's organization: %w", err)
	}
	return nil
}

func (p *Tracking) readDriver(ctx context.Context, q store.Querier) error {
	id, ok := p.Task.Worker.Get()
	if !ok || id == "" {
		return nil
	}
	worker, err := scanWorker(q.QueryRow(ctx, selectWorkers+"WHERE w.id = $1", id).Scan, p.Now)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the driver: %w", err)
	}
	p.Driver = &TrackedDriver{ID: id, Name: cmp.Or(worker.DisplayName.Value(), worker.Name), Vehicle: worker.Vehicle, Seen: worker.TimeLastSeen.Value()}
	if at, known := worker.Location.Get(); known && p.Task.State == model.TaskActive {
		p.Driver.Location = model.MaybeLocation{Location: at, Known: true}
	}
	if p.Task.State != model.TaskAssigned {
		return nil
	}
	p.StopsBefore, err = countRows(ctx, q, `FROM tasks b, tasks t WHERE t.id = $1 AND b.worker = $2 AND b.id <> t.id
		AND (b.state = 2 OR (b.state = 1 AND b.container_owner = t.container_owner AND b.position < t.position))`, p.Task.ID, id)
	return err
}

// MarkTrackingViewed records that the recipient has opened the tracking page.
func (w *World) MarkTrackingViewed(ctx context.Context, short model.ShortID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		row, task, err := loadTaskByShortID(ctx, tx, short)
		if err != nil || task.TrackingViewed {
			return err
		}
		task.TrackingViewed = true
		saveTaskDoc(ctx, tx, row, &task, row.modified)
		return nil
	})
}

// Limits of feedback.
const (
	MinRating         = 1
	MaxRating         = 5
	MaxFeedbackLength = 2000
)

// AddFeedback stores the feedback of a recipient on a completed task, once.
func (w *World) AddFeedback(ctx context.Context, short model.ShortID, rating int, comments string) error {
	comments = model.CleanMultiline(comments)
	switch {
	case rating < MinRating || rating > MaxRating:
		return Invalid("rating: Must be from %d to %d.", MinRating, MaxRating)
	case len([]rune(comments)) > MaxFeedbackLength:
		return Invalid("comments: The text is too long. At most %d characters are allowed.", MaxFeedbackLength)
	}
	return w.store.Write(ctx, func(tx *store.Tx) error {
		row, task, err := loadTaskByShortID(ctx, tx, short)
		if err != nil {
			return err
		}
		if row.state != model.TaskCompleted {
			return Conflict("Feedback is possible once the task is completed.")
		}
		if len(task.Feedback) > 0 {
			return Conflict("You have already sent feedback. Thank you.")
		}
		now := w.Now()
		task.Feedback = []model.Feedback{{
			Rating: model.Some(model.Int(rating)), Comments: model.Some(comments), Time: model.Some(now),
		}}
		saveTaskDoc(ctx, tx, row, &task, now)
		w.recordTaskEvents(ctx, tx, Actor{}, row, now, model.TriggerTaskUpdated)
		return nil
	})
}

func loadTaskByShortID(ctx context.Context, tx *store.Tx, short model.ShortID) (*taskRow, model.Task, error) {
	row, err := scanTask(tx.QueryRow(ctx, "SELECT "+taskColumns+" FROM tasks t WHERE t.short_id = $1", short))
	if err != nil {
		return nil, model.Task{}, err
	}
	task, err := row.decode()
	return row, task, err
}

func saveTaskDoc(ctx context.Context, tx *store.Tx, row *taskRow, task *model.Task, now model.Millis) {
	tx.Fail(row.encode(task, now))
	tx.Write(ctx, "store task", "UPDATE tasks SET doc = $2, modified = $3 WHERE id = $1", row.id, row.doc, int64(now))
}
