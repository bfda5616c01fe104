package operations

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

// maxRequestTime is how long a service may work on a request after the connection was lost.
const maxRequestTime = 75 * time.Second

// sendTime is when a step was last sent, for its lookup.
type sendTime struct{ at atomic.Int64 }

func (s *sendTime) setNow() { s.at.Store(time.Now().UnixNano()) }

// notFoundResult says that the step did not happen. For a while after sending that is not certain.
func (s *sendTime) notFoundResult(words string) LookupResult {
	if time.Since(time.Unix(0, s.at.Load())) < maxRequestTime {
		return LookupResult{Summary: words + "; the service may still be working on it, so check again in a minute"}
	}
	return LookupResult{Certain: true, Summary: words}
}

// lookupTask makes the lookup of a change of a task.
func (s *sendTime) lookupTask(id model.ID, holds func(now *model.Task) bool, there, missing string) lookupFunc {
	return func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
		task, err := c.Task(ctx, id)
		switch {
		case errors.Is(err, apiclient.ErrNotFound):
			return LookupResult{Certain: true, Summary: "the task no longer exists"}, nil
		case err != nil:
			return LookupResult{}, err
		case holds(&task):
			return LookupResult{Happened: true, Certain: true, Summary: there}, nil
		}
		return s.notFoundResult(missing), nil
	}
}

// taskChange is a changed task for the board.
func taskChange(task model.Task) board.Change {
	return board.Change{IsWrite: true, Tasks: []model.Task{task}}
}

// clockSkew is how much the clocks of this machine and the service may differ.
const clockSkew = 5 * time.Minute

// lookupNewTask makes the lookup of a creation: it looks for a matching task that was created since the form was opened and
// that the board did not have then.
func (s *sendTime) lookupNewTask(input Input, matches func(task *model.Task) bool) lookupFunc {
	find := s.findNewTask(input, matches)
	return func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
		found, _, err := find(ctx, c)
		return found, err
	}
}

// taskFinder looks for a task that may have been created, and returns it when it is the only match.
type taskFinder func(context.Context, *apiclient.Client) (LookupResult, *model.Task, error)

func (s *sendTime) findNewTask(input Input, matches func(task *model.Task) bool) taskFinder {
	return func(ctx context.Context, c *apiclient.Client) (LookupResult, *model.Task, error) {
		var found []model.Task
		for task, err := range c.Tasks(ctx, apiclient.TaskQuery{
			From: input.Now.Add(-clockSkew).WholeSecond(),
			To:   input.Now.Add(24 * time.Hour),
		}) {
			if err != nil {
				return LookupResult{}, nil, err
			}
			if !input.Board.Tasks.Has(task.ID) && matches(&task) {
				found = append(found, task)
			}
		}
		switch len(found) {
		case 0:
			return s.notFoundResult("there is no such task"), nil, nil
		case 1:
			return LookupResult{Happened: true, Certain: true, Summary: newTaskLabel(&found[0]) + " was created"}, &found[0], nil
		}
		return LookupResult{Happened: true, Summary: model.FormatCount(len(found),
			"task") + " like it were created; check them before you send it again"}, nil, nil
	}
}

// matchesInput reports whether a task may come from an input. Addresses are not compared, because geocoding changes them.
func matchesInput(in model.TaskInput, task *model.Task, country string) bool {
	place := in.Destination.Value()
	switch {
	case task.Notes != model.CleanMultiline(in.Notes.Value()), task.PickupTask != in.IsPickup(), task.Quantity != in.Quantity.Value():
		return false
	case task.CompleteAfter.Value() != in.CompleteAfter.Value(), task.CompleteBefore.Value() != in.CompleteBefore.Value():
		return false
	case !sameIDs(task.Dependencies, in.Dependencies.Value()):
		return false
	case place.Object == nil:
		return destinationID(task) == place.ID && sameRecipients(in.Recipients.Value(), task.Recipients, country)
	}
	if at, ok := place.Object.Location.Get(); ok && task.Destination.Object != nil && task.Destination.Object.Location != at {
		return false
	}
	return sameRecipients(in.Recipients.Value(), task.Recipients, country)
}

func destinationID(task *model.Task) model.ID {
	if task.Destination.Object != nil {
		return task.Destination.Object.ID
	}
	return task.Destination.ID
}

func sameIDs(a, b []model.ID) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(id model.ID) bool { return !slices.Contains(b, id) })
}

// sameRecipients compares recipients by id or phone number.
func sameRecipients(sent []model.IDOr[model.RecipientInput], got []model.IDOr[model.Recipient], country string) bool {
	if len(sent) != len(got) {
		return false
	}
	for i, person := range sent {
		is := got[i].Object
		switch {
		case is == nil:
			return person.Object == nil && person.ID == got[i].ID
		case person.Object == nil:
			return person.ID == is.ID
		}
		if phone, _ := person.Object.NormalizedPhone(country); phone != is.Phone {
			return false
		}
	}
	return true
}
