package operations

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/taskimport"
)

// warningClient collects the service's warnings about imported tasks, such as an inexact address.
type warningClient struct {
	*apiclient.Client

	mu    sync.Mutex
	tasks []model.Task
}

// BatchJob reads a job and keeps the tasks with warnings once it has ended.
func (r *warningClient) BatchJob(ctx context.Context, id model.ID) (model.BatchJob, error) {
	job, err := r.Client.BatchJob(ctx, id)
	if err == nil && taskimport.JobEnded(job) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.tasks = append(r.tasks, job.NewTasksWithWarnings...)
	}
	return job, err
}

// lines are the warnings by task.
func (r *warningClient) lines() []Line {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.tasks) == 0 {
		return nil
	}
	lines := []Line{{Text: fmt.Sprintf("%s created with warnings about the address:",
		model.FormatCount(len(r.tasks), "task")+plural(len(r.tasks), " was", " were")), Warning: true}}
	for i := range r.tasks {
		text := "task " + string(r.tasks[i].ShortID)
		if place := r.tasks[i].Destination.Object; place != nil {
			text += ", " + model.Clean(addressText(place.Address)) + ": " + model.Clean(strings.Join(place.Warnings.Value(), " "))
		}
		lines = append(lines, Line{Text: text, Warning: true})
	}
	return lines
}

// addressText is an address in one line. The country shows when geocoding found a place far away.
func addressText(a model.Address) string {
	return cmp.Or(model.JoinParts(a.StreetLine(), a.City, a.Country), a.Unparsed.Value())
}
