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
		Use: "status JOB", Short: "Show the progress of a job", Args: cobra.ExactArgs(1),
		RunE: a.withSessionUntilDone(func(ctx context.Context, s *session, args []string) error {
			id, err := parseID(args[0], "job")
			if err != nil {
				return err
			}
			job, err := s.loadBatchJob(ctx, id, follow)
			if err != nil {
				return err
			}
			return s.printBatchJob(job)
		}),
	}
	status.Flags().BoolVarP(&follow, "follow", "f", false, "wait until the job ends")
	batch.AddCommand(status)
	return batch
}

// jobPollInterval is the time between two polls of a job.
const jobPollInterval = time.Second

func (s *session) loadBatchJob(ctx context.Context, id model.ID, follow bool) (model.BatchJob, error) {
	if !follow {
		return s.client.BatchJob(ctx, id)
	}
	show, end := s.startProgress()
	defer end()
	return taskimport.FollowJob(ctx, jobPollInterval, jobPollInterval, func() (model.BatchJob, error) {
		job, err := s.client.BatchJob(ctx, id)
		show(int(job.TasksCreated+job.TasksErrored), int(job.TasksReceived), job.Status)
		return job, err
	})
}

func (s *session) printBatchJob(job model.BatchJob) error {
	err := s.printResult(job, func() {
		s.printField("status", job.Status)
		s.printField("submitted", job.Submitted)
		s.printField("received", fmt.Sprint(job.TasksReceived))
		s.printField("created", fmt.Sprint(job.TasksCreated))
		s.printField("failed", fmt.Sprint(job.TasksErrored))
		for _, failure := range job.Errors {
			text := failure.Message
			if cause, ok := failure.Cause.Get(); ok {
				text += " " + cause.String()
			}
			if task, ok := failure.TaskData.Get(); ok {
				text += " (" + describeTaskInput(task) + ")"
			}
			s.printField("error", text)
		}
	})
	if err == nil && (job.Status == model.BatchFailed || job.TasksErrored > 0) {
		return exitError{exitFailure}
	}
	return err
}

// describeTaskInput describes a task that was not created.
func describeTaskInput(task model.TaskInput) string {
	if place := task.Destination.Value(); place.Object != nil {
		address := place.Object.Address.Value()
		if address.Unparsed != "" {
			return address.Unparsed
		}
		return model.Address{Number: address.Number, Street: address.Street, City: address.City}.Line()
	} else if place.ID != "" {
		return "to " + string(place.ID)
	}
	return task.Notes.Value()
}
