package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/operations/taskimport"
)

func newBatchCommand(a *app) *cobra.Command {
	batch := &cobra.Command{Use: "batch", Short: "Jobs that create many tasks"}
	var follow bool
	status := &cobra.Command{
		Use: "status JOB", Short: "Show how far a job is", Args: cobra.ExactArgs(1),
		RunE: a.lasting(func(ctx context.Context, s *session, args []string) error {
			id, err := needID(args[0], "job")
			if err != nil {
				return err
			}
			job, err := s.batchJob(ctx, id, follow)
			if err != nil {
				return err
			}
			return s.showJob(job)
		}),
	}
	status.Flags().BoolVarP(&follow, "follow", "f", false, "wait until it has ended")
	batch.AddCommand(status)
	return batch
}

// followInterval is how often a job is looked at.
const followInterval = time.Second

func (s *session) batchJob(ctx context.Context, id model.ID, follow bool) (model.BatchJob, error) {
	show, end := s.progress()
	defer end()
	for {
		job, err := s.client.BatchJob(ctx, id)
		if err != nil || !follow || taskimport.JobEnded(job) {
			return job, err
		}
		show(int(job.TasksCreated+job.TasksErrored), int(job.TasksReceived), job.Status)
		select {
		case <-time.After(followInterval):
		case <-ctx.Done():
			return job, ctx.Err()
		}
	}
}

func (s *session) showJob(job model.BatchJob) error {
	err := s.show(job, func() {
		s.field("status", job.Status)
		s.field("submitted", job.Submitted)
		s.field("received", fmt.Sprint(job.TasksReceived))
		s.field("created", fmt.Sprint(job.TasksCreated))
		s.field("failed", fmt.Sprint(job.TasksErrored))
		for _, failure := range job.Errors {
			text := failure.Message
			if cause, ok := failure.Cause.Get(); ok {
				text += " " + cause.String()
			}
			if task, ok := failure.TaskData.Get(); ok {
				text += " (" + taskInputLine(task) + ")"
			}
			s.field("error", text)
		}
	})
	if err == nil && (job.Status == model.BatchFailed || job.TasksErrored > 0) {
		return exitError{exitFailure}
	}
	return err
}

// taskInputLine names a task that was not created.
func taskInputLine(task model.TaskInput) string {
	if place := task.Destination.Value(); place.Object != nil {
		address := place.Object.Address.Value()
		if address.Unparsed != "" {
			return address.Unparsed
		}
		return formatAddress(model.Address{Number: address.Number, Street: address.Street, City: address.City})
	} else if place.ID != "" {
		return "to " + string(place.ID)
	}
	return task.Notes.Value()
}
