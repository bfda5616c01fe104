package operations

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/taskimport"
)

// remarkable listens to the jobs of an import for what the service remarks on the tasks that it made, such as a place
// that it could not find exactly.
type remarkable struct {
	*apiclient.Client

	mu     sync.Mutex
	warned []model.Task
}

// BatchJob reads a job and keeps the warnings of one that has ended.
func (r *remarkable) BatchJob(ctx context.Context, id model.ID) (model.BatchJob, error) {
	job, err := r.Client.BatchJob(ctx, id)
	if err == nil && taskimport.JobEnded(job) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.warned = append(r.warned, job.NewTasksWithWarnings...)
	}
	return job, err
}

// lines are the warnings, task by task.
func (r *remarkable) lines() []Line {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.warned) == 0 {
		return nil
	}
	lines := []Line{{Text: fmt.Sprintf("%s made with warnings about the place:", routeCount(len(r.warned), "task")+routePlural(len(r.warned), " was", " were")), Warning: true}}
	for i := range r.warned {
		text := "task " + string(r.warned[i].ShortID)
		if place := r.warned[i].Destination.Object; place != nil {
			text += ", " + model.Clean(placeText(place.Address)) + ": " + model.Clean(strings.Join(place.Warnings.Value(), " "))
		}
		lines = append(lines, Line{Text: text, Warning: true})
	}
	return lines
}

// placeText is an address in a line, with its country: a place far off is seen by that.
func placeText(a model.Address) string {
	var parts []string
	for _, part := range []string{strings.TrimSpace(a.Number + " " + a.Street), a.City, a.Country} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return a.Unparsed.Value()
	}
	return strings.Join(parts, ", ")
}
