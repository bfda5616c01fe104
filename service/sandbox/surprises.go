package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"waybill/model"
	"waybill/planner"
	"waybill/service/geo/city"
	"waybill/service/world"
)

// What happens beside driving and delivering. Every trigger of a webhook that the world can produce has something here
// that makes it fire within the first hours of a day.

// plannerOptions bounds the dispatcher's planning by iterations on one thread: the same day has the same routes, on every machine.
func plannerOptions(seed uint64) planner.Options {
	return planner.Options{Iterations: 20_000, Threads: 1, Seed: seed}
}

// runIncidents lets happen what nobody planned.
func (s *Sandbox) runIncidents(ctx context.Context, now model.Millis, tick time.Duration) error {
	if now <= s.state.LiveFrom {
		return nil
	}
	rng := s.newRand("surprise", int64(now))
	for _, one := range []struct {
		what func(context.Context, *rand.Rand, model.Millis) error
		due  bool
	}{
		{s.createBatch, s.isScheduled(now, 20*time.Minute, 90*time.Minute, tick)},
		{s.replaceDriver, s.isScheduled(now, 35*time.Minute, 4*time.Hour, tick)},
		{s.dispatchTeam, s.isScheduled(now, 50*time.Minute, 3*time.Hour, tick) && !s.isLarge()},
		{s.sendText, chance(rng, 100*tick.Hours()*float64(min(s.options.Workers, largeDriverCount))/5)},
		{s.changeTask, chance(rng, 100*tick.Hours()*float64(min(s.options.Workers, largeDriverCount))/10)},
	} {
		if !one.due {
			continue
		}
		if err := ignoreRefusal(one.what(ctx, rng, now)); err != nil {
			return err
		}
	}
	return nil
}

// isScheduled reports whether something happens in the tick that ends now which first happens so long after people first
// look, and then every so often.
func (s *Sandbox) isScheduled(now model.Millis, first, every, tick time.Duration) bool {
	since := now.Sub(s.state.LiveFrom.Add(first))
	return since >= 0 && since%every < tick
}

// createBatch lets a sender hand over many tasks at once.
func (s *Sandbox) createBatch(ctx context.Context, rng *rand.Rand, now model.Millis) error {
	tasks := make([]model.TaskInput, 4+rng.IntN(6))
	for i := range tasks {
		tasks[i] = s.newTask(rng, now, randomDuration(rng, 20*time.Minute, 3*time.Hour))
	}
	batch, err := s.world.SubmitBatch(ctx, s.dispatcher(), model.BatchRequest{Tasks: tasks})
	if err != nil {
		return err
	}
	return s.world.RunBatch(ctx, batch.JobID) // at once, not when the queue comes to it: a day must not depend on that
}

// replaceDriver lets a new driver begin and one whose shift is over leave for good.
func (s *Sandbox) replaceDriver(ctx context.Context, _ *rand.Rand, now model.Millis) error {
	if err := s.createDriver(ctx, s.state.DriversCreated); err != nil {
		return err
	}
	s.state.DriversCreated++
	for i, d := range s.drivers {
		if d.Phase != phaseOff || !s.shiftEndsWithin(d, now, 0) || d.number == s.state.DriversCreated-1 {
			continue
		}
		err := s.world.DeleteWorker(ctx, s.dispatcher(), d.worker)
		if err == nil || errors.Is(err, world.NotFound()) {
			s.drivers = slices.Delete(s.drivers, i, i+1)
		}
		return err
	}
	return nil
}

// dispatchTeam lets the dispatcher plan the routes of the team that has most waiting.
func (s *Sandbox) dispatchTeam(ctx context.Context, _ *rand.Rand, _ model.Millis) error {
	busiest, most := s.state.Teams[0].ID, -1
	for _, team := range s.state.Teams {
		var waiting int
		if err := s.store.QueryRow(ctx, "SELECT count(*) FROM tasks WHERE container_owner = $1 AND state < 2 AND state = 0", team.ID).
			Scan(&waiting); err != nil {
			return fmt.Errorf("count a team's tasks: %w", err)
		}
		if waiting > most {
			busiest, most = team.ID, waiting
		}
	}
	dispatch, err := s.world.RequestDispatch(ctx, s.dispatcher(), busiest, model.DispatchRequest{MaxTasksPerRoute: model.Some(model.Int(maxStops))})
	if err != nil {
		return err
	}
	return s.world.RunDispatch(ctx, dispatch.DispatchID)
}

// sendText lets somebody whose delivery is on its way answer the courier's texts.
func (s *Sandbox) sendText(ctx context.Context, rng *rand.Rand, _ model.Millis) error {
	var phone string
	err := s.store.QueryRow(ctx, `SELECT r.phone FROM workers w JOIN tasks t ON t.id = w.active_task JOIN recipients r ON r.id = t.recipient
		WHERE w.org = $1 AND r.org = $1 ORDER BY w.id LIMIT 1 OFFSET $2`, s.state.Org, rng.IntN(5)).Scan(&phone)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for who waits: %w", err)
	}
	body := s.city.RandomNote(rng, city.NoteText)
	if chance(rng, 25) {
		body = randomItem(rng, []string{"STOP", "Stop", "unsubscribe"})
	}
	return s.world.ReceiveSMS(ctx, s.state.Org, world.IncomingSMS{From: phone, To: city.Phone(city.Phones/2 - 20), Body: body})
}

// changeTask lets a sender withdraw a task that waits, or add to its notes.
func (s *Sandbox) changeTask(ctx context.Context, rng *rand.Rand, _ model.Millis) error {
	waiting, err := s.idList(ctx, `SELECT id FROM tasks WHERE container_owner = $1 AND state < 2 AND state = 0 AND order_id IS NULL
		ORDER BY position LIMIT 1 OFFSET $2`, randomItem(rng, s.state.Teams).ID, rng.IntN(5))
	if err != nil || len(waiting) == 0 {
		return err
	}
	if chance(rng, 40) {
		return s.world.DeleteTask(ctx, s.dispatcher(), waiting[0])
	}
	_, err = s.world.UpdateTask(ctx, s.dispatcher(), waiting[0], model.TaskInput{Notes: model.Some("Changed: " + s.city.RandomNote(rng, city.NoteTask))})
	return err
}

// retryTask clones a task that failed for the first time, for later. What was ordered is for the client to order again.
func (s *Sandbox) retryTask(ctx context.Context, rng *rand.Rand, failed *model.Task, now model.Millis) error {
	if !chance(rng, 80) || failed.Organization != s.state.Org || failed.SourceTaskID.Has() {
		return nil
	}
	from := now.Add(randomDuration(rng, time.Hour, 3*time.Hour)).WholeSecond()
	raw, err := s.world.CloneTask(ctx, s.dispatcher(), failed.ID, model.CloneOptions{
		IncludeMetadata: model.Some(true),
		Overrides: model.Some(model.CloneOverrides{
			Notes: model.Some("Second attempt. " + failed.Notes), CompleteAfter: model.Some(from), CompleteBefore: model.Some(from.Add(3 * time.Hour)),
		}),
	})
	if err != nil {
		return err
	}
	var clone model.Task
	if err := model.Unmarshal(raw, &clone); err != nil {
		return fmt.Errorf("read a clone: %w", err)
	}
	team := randomItem(rng, s.state.Teams)
	_, err = s.world.UpdateTask(ctx, s.dispatcher(), clone.ID, model.TaskInput{Container: model.Some(model.TeamContainer(team.ID))})
	return err
}

// giveFeedback lets some recipients say what they think of a delivery.
func (s *Sandbox) giveFeedback(ctx context.Context, rng *rand.Rand, done *model.Task) error {
	if !chance(rng, 12) || done.PickupTask {
		return nil
	}
	rating, comments := 4+rng.IntN(2), s.city.RandomNote(rng, city.NotePraise)
	if chance(rng, 20) {
		rating, comments = 1+rng.IntN(3), s.city.RandomNote(rng, city.NoteComplaint)
	}
	return s.world.AddFeedback(ctx, done.ShortID, rating, comments)
}
