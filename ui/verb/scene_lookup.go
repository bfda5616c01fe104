package verb

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"waybill/apiclient"
	"waybill/model"
)

// longestRequest is how long a service may go on with a request after the connection was given up.
const longestRequest = 75 * time.Second

// sent remembers when a step was last carried out, for the look after an unknown outcome.
type sent struct{ at atomic.Int64 }

func (s *sent) now() { s.at.Store(time.Now().UnixNano()) }

// notFound is the finding that something is not there. For a while it may still come.
func (s *sent) notFound(words string) Found {
	if time.Since(time.Unix(0, s.at.Load())) < longestRequest {
		return Found{Words: words + " yet; the service may still be at it, look again in a minute"}
	}
	return Found{Certain: true, Words: words}
}

// lookAtTask makes the look after an unknown change of a task from what the change would have left.
func (s *sent) lookAtTask(id model.ID, holds func(now *model.Task) bool, there, missing string) func(context.Context, *apiclient.Client) (Found, error) {
	return func(ctx context.Context, c *apiclient.Client) (Found, error) {
		task, err := c.Task(ctx, id)
		switch {
		case errors.Is(err, apiclient.ErrNotFound):
			return Found{Certain: true, Words: "the task does not exist any more"}, nil
		case err != nil:
			return Found{}, err
		case holds(&task):
			return Found{Happened: true, Certain: true, Words: there}, nil
		}
		return s.notFound(missing), nil
	}
}

// tookTask is what the board learns from the answer to a change of a task.
func tookTask(task model.Task) model.Change { return model.Change{Write: true, Tasks: []model.Task{task}} }
