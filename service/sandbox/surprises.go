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

// search bounds the dispatcher's planning by iterations on one thread: the same day has the same routes, on every machine.
func search(seed uint64) planner.Options {
	return planner.Options{Iterations: 20_000, Threads: 1, Seed: seed}
}

// surprise lets happen what nobody planned.
func (s *Sandbox) surprise(ctx context.Context, now model.Millis, tick time.Duration) error {
	if now <= s.state.Began {
		return nil
	}
	rng := s.draw("surprise", int64(now))
	for _, one := range []struct {
		what func(context.Context, *rand.Rand, model.Millis) error
		due  bool
	}{
		{s.callBatch, s.comesUp(now, 20*time.Minute, 90*time.Minute, tick)},
		{s.swapDriver, s.comesUp(now, 35*time.Minute, 4*time.Hour, tick)},
		{s.planTeam, s.comesUp(now, 50*time.Minute, 3*time.Hour, tick) && !s.large()},
		{s.text, chance(rng, 100*tick.Hours()*float64(min(s.options.Workers, largeFleet))/5)},
		{s.changeMind, chance(rng, 100*tick.Hours()*float64(min(s.options.Workers, largeFleet))/10)},
	} {
		if !one.due {
			continue
		}
		if err := accepted(one.what(ctx, rng, now)); err != nil {
			return err
		}
	}
	return nil
}

// comesUp reports whether something happens in the tick that ends now which first happens so long after people first
// look, and then every so often.
func (s *Sandbox) comesUp(now model.Millis, first, every, tick time.Duration) bool {
	since := now.Sub(s.state.Began.Add(first))
	return since >= 0 && since%every < tick
}

// callBatch lets a sender hand over many tasks at once.
func (s *Sandbox) callBatch(ctx context.Context, rng *rand.Rand, now model.Millis) error {
	tasks := make([]model.TaskInput, 4+rng.IntN(6))
	for i := range tasks {
		tasks[i] = s.newTask(rng, now, between(rng, 20*time.Minute, 3*time.Hour))
	}
	batch, err := s.world.SubmitBatch(ctx, s.desk(), model.BatchRequest{Tasks: tasks})
	if err != nil {
		return err
	}
	return s.world.RunBatch(ctx, batch.JobID) // at once, not when the queue comes to it: a day must not depend on that
}

// swapDriver lets a new driver begin and one whose shift is over leave for good.
func (s *Sandbox) swapDriver(ctx context.Context, _ *rand.Rand, now model.Millis) error {
	if err := s.hire(ctx, s.state.Hired); err != nil {
		return err
	}
	s.state.Hired++
	for i, d := range s.drivers {
		if d.Phase != phaseOff || !s.leavesSoon(d, now, 0) || d.number == s.state.Hired-1 {
			continue
		}
		err := s.world.DeleteWorker(ctx, s.desk(), d.worker)
		if err == nil || errors.Is(err, world.NotFound()) {
			s.drivers = slices.Delete(s.drivers, i, i+1)
		}
		return err
	}
	return nil
}

// planTeam lets the dispatcher plan the routes of the team that has most waiting.
func (s *Sandbox) planTeam(ctx context.Context, _ *rand.Rand, _ model.Millis) error {
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
	dispatch, err := s.world.RequestDispatch(ctx, s.desk(), busiest, model.DispatchRequest{MaxTasksPerRoute: model.Some(model.Int(fullList))})
	if err != nil {
		return err
	}
	return s.world.RunDispatch(ctx, dispatch.DispatchID)
}

// text lets somebody whose delivery is on its way answer the courier's texts.
func (s *Sandbox) text(ctx context.Context, rng *rand.Rand, _ model.Millis) error {
	var phone string
	err := s.store.QueryRow(ctx, `SELECT r.phone FROM workers w JOIN tasks t ON t.id = w.active_task JOIN recipients r ON r.id = t.recipient
		WHERE w.org = $1 AND r.org = $1 ORDER BY w.id LIMIT 1 OFFSET $2`, s.state.Org, rng.IntN(5)).Scan(&phone)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for who waits: %w", err)
	}
	body := s.city.Note(rng, city.NoteText)
	if chance(rng, 25) {
		body = pick(rng, []string{"STOP", "Stop", "unsubscribe"})
	}
	return s.world.ReceiveSMS(ctx, s.state.Org, world.IncomingSMS{From: phone, To: city.Phone(city.Phones/2 - 20), Body: body})
}

// changeMind lets a sender withdraw a task that waits, or add to its notes.
func (s *Sandbox) changeMind(ctx context.Context, rng *rand.Rand, _ model.Millis) error {
	waiting, err := s.idList(ctx, `SELECT id FROM tasks WHERE container_owner = $1 AND state < 2 AND state = 0 AND order_id IS NULL
		ORDER BY position LIMIT 1 OFFSET $2`, pick(rng, s.state.Teams).ID, rng.IntN(5))
	if err != nil || len(waiting) == 0 {
		return err
	}
	if chance(rng, 40) {
		return s.world.DeleteTask(ctx, s.desk(), waiting[0])
	}
	_, err = s.world.UpdateTask(ctx, s.desk(), waiting[0], model.TaskInput{Notes: model.Some("Changed: " + s.city.Note(rng, city.NoteTask))})
	return err
}

// tryAgain clones a task that failed for the first time, for later. What was ordered is for the client to order again.
func (s *Sandbox) tryAgain(ctx context.Context, rng *rand.Rand, failed *model.Task, now model.Millis) error {
	if !chance(rng, 80) || failed.Organization != s.state.Org || failed.SourceTaskID.Has() {
		return nil
	}
	from := now.Add(between(rng, time.Hour, 3*time.Hour)).WholeSecond()
	raw, err := s.world.CloneTask(ctx, s.desk(), failed.ID, model.CloneOptions{
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
	team := pick(rng, s.state.Teams)
	_, err = s.world.UpdateTask(ctx, s.desk(), clone.ID, model.TaskInput{Container: model.Some(model.TeamContainer(team.ID))})
	return err
}

// rate lets some recipients say what they think of a delivery.
func (s *Sandbox) rate(ctx context.Context, rng *rand.Rand, done *model.Task) error {
	if !chance(rng, 12) || done.PickupTask {
		return nil
	}
	rating, comments := 4+rng.IntN(2), s.city.Note(rng, city.NotePraise)
	if chance(rng, 20) {
		rating, comments = 1+rng.IntN(3), s.city.Note(rng, city.NoteBlame)
	}
	return s.world.AddFeedback(ctx, done.ShortID, rating, comments)
}
