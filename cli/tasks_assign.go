package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/model"
)

func newTasksAssignCommand(a *app) *cobra.Command {
	var worker, team string
	var unassign, keepTogether bool
	var position int
	var auto autoAssignFlags
	cmd := &cobra.Command{
		Use: "assign TASK...", Short: "Give tasks to a worker or a team, or take them back", Args: cobra.MinimumNArgs(1),
		Long: "Puts tasks, in the order you name them, at the end of a worker's route or a team's list; --position puts them elsewhere.\n" +
			"--none takes them back to the organization, --auto-assign lets the service choose.",
		Example: "waybill tasks assign c77ff497 9e01ab42 --worker 'D. Okafor'\nwaybill tasks assign c77ff497 --worker 'D. Okafor' --position 0\n" +
			"waybill tasks assign c77ff497 --auto-assign load --auto-team North\nwaybill tasks assign c77ff497 --none",
		RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
			if auto.isSet() {
				return s.autoAssign(ctx, args, &auto)
			}
			to, who, err := s.container(ctx, worker, team, unassign)
			if err != nil {
				return err
			}
			return s.assign(ctx, args, to, who, position, keepTogether)
		}),
	}
	cmd.Flags().StringVar(&worker, "worker", "", "the worker who gets them, by id or name")
	cmd.Flags().StringVar(&team, "team", "", "the team that gets them, by id or name")
	cmd.Flags().BoolVar(&unassign, "none", false, "take them from whoever has them")
	cmd.Flags().IntVar(&position, "position", model.AppendTasks, "where on the route: 0 for the front, -1 for the end")
	cmd.Flags().BoolVar(&keepTogether, "with-dependencies", false, "move what the tasks depend on along with them")
	auto.add(cmd.Flags())
	cmd.MarkFlagsOneRequired("worker", "team", "none", "auto-assign")
	cmd.MarkFlagsMutuallyExclusive("worker", "team", "none", "auto-assign")
	return cmd
}

// container finds the list that tasks go to, and what to call it.
func (s *session) container(ctx context.Context, worker, team string, unassign bool) (model.ContainerRef, string, error) {
	switch {
	case unassign:
		org, err := s.organization(ctx)
		return model.OrganizationContainer(org.ID), "", err
	case team != "":
		id, err := s.teamID(ctx, team)
		return model.TeamContainer(id), "team " + team, err
	}
	id, err := s.workerID(ctx, worker)
	return model.WorkerContainer(id), worker, err
}

func (s *session) assign(ctx context.Context, args []string, to model.ContainerRef, who string, position int, together bool) error {
	ids, err := s.taskIDs(ctx, args)
	if err != nil {
		return err
	}
	update := model.ContainerUpdate{Tasks: model.ContainerTasks{Index: model.Some(model.Int(position)), IDs: ids}}
	if together {
		update.ConsiderDependencies = model.Some(true)
	}
	if err := checkProblems("the assignment", update.Check(to.Type)); err != nil {
		return err
	}
	container, err := s.client.UpdateContainer(ctx, to, update)
	if err != nil {
		return err
	}
	return s.printResult(container, func() {
		if who == "" {
			fmt.Fprintf(s.stdout, "%s taken back; %s unassigned now.\n", formatCount(len(ids), "task"), formatCount(len(container.Tasks), "task"))
			return
		}
		fmt.Fprintf(s.stdout, "%s given; %s now has %s.\n", formatCount(len(ids), "task"), model.Clean(who), formatCount(len(container.Tasks), "task"))
	})
}

func (s *session) autoAssign(ctx context.Context, args []string, auto *autoAssignFlags) error {
	choice, err := auto.request(ctx, s)
	if err != nil {
		return err
	}
	ids, err := s.taskIDs(ctx, args)
	if err != nil {
		return err
	}
	request := model.AutoAssignRequest{Tasks: ids, Options: model.AutoAssignOptions{
		Mode: choice.Mode, MaxAssignedTaskCount: choice.MaxAssignedTaskCount,
		ConsiderDependencies: choice.ConsiderDependencies, ExcludedWorkerIDs: choice.ExcludedWorkerIDs,
	}}
	if team, ok := choice.Team.Get(); ok {
		request.Options.Teams = []model.ID{team}
	}
	if err := checkProblems("the assignment", request.Check()); err != nil {
		return err
	}
	result, err := s.client.AutoAssignTasks(ctx, request)
	if err != nil {
		return err
	}
	return s.printResult(result, func() { s.showAutoAssigned(ctx, args, ids, result) })
}

// showAutoAssigned says who got what and what no one got.
func (s *session) showAutoAssigned(ctx context.Context, args []string, ids []model.ID, result model.AutoAssignResult) {
	for i, id := range ids {
		worker, byTask := result.AssignedTasks.ByTask[id]
		switch {
		case byTask:
			s.printField(args[i], s.workerName(ctx, model.Some(worker)))
		case slices.Contains(result.AssignedTasks.List, id):
			s.printField(args[i], "assigned")
		default:
			s.printField(args[i], "nobody could take it")
		}
	}
}

func newTasksCompleteCommand(a *app) *cobra.Command {
	var succeeded, failed, yes bool
	var notes string
	cmd := &cobra.Command{
		Use: "complete TASK...", Short: "Complete started tasks as succeeded or failed", Args: cobra.MinimumNArgs(1),
		Long:    "Completes tasks that a driver has started. This cannot be undone; a task completed by mistake is cloned.",
		Example: "waybill tasks complete c77ff497 --succeeded --notes 'Left at the desk'",
		RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
			if err := checkTaskArgs(args); err != nil {
				return err
			}
			word := "succeeded"
			if failed {
				word = "failed"
			}
			question := fmt.Sprintf("Complete %s of %s as %s? This cannot be undone.", formatCount(len(args), "task"), s.accountName(), word)
			if err := a.confirmIrreversible(yes, question); err != nil {
				return err
			}
			details := model.CompleteDetails{Success: model.Some(succeeded)}
			if notes != "" {
				details.Notes = model.Some(notes)
			}
			return s.forEachTask(ctx, args, word, func(id model.ID) error { return s.client.CompleteTask(ctx, id, details) })
		}),
	}
	cmd.Flags().BoolVar(&succeeded, "succeeded", false, "it was delivered or picked up")
	cmd.Flags().BoolVar(&failed, "failed", false, "it was not")
	cmd.Flags().StringVar(&notes, "notes", "", "what to remember about it")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	cmd.MarkFlagsOneRequired("succeeded", "failed")
	cmd.MarkFlagsMutuallyExclusive("succeeded", "failed")
	return cmd
}

func newTasksRemoveCommand(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "rm TASK...", Aliases: []string{"delete"}, Short: "Delete tasks", Args: cobra.MinimumNArgs(1),
		Long:    "Deletes tasks that no driver has started. This cannot be undone.",
		Example: "waybill tasks rm c77ff497 9e01ab42",
		RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
			if err := checkTaskArgs(args); err != nil {
				return err
			}
			if !yes && !a.flags.dryRun && a.stderr.terminal {
				s.previewTasks(ctx, args)
			}
			question := fmt.Sprintf("Delete %s of %s? This cannot be undone.", formatCount(len(args), "task"), s.accountName())
			if err := a.confirmIrreversible(yes, question); err != nil {
				return err
			}
			return s.forEachTask(ctx, args, "deleted", func(id model.ID) error { return s.client.DeleteTask(ctx, id) })
		}),
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	return cmd
}

// previewTasks names what is about to go.
func (s *session) previewTasks(ctx context.Context, args []string) {
	for _, arg := range args {
		task, err := s.findTask(ctx, arg)
		if err != nil {
			s.printNote("%s: %s", arg, errorSummary(err))
			continue
		}
		s.printNote("%s  %s  %s  %s", task.ShortID, taskStateName(&task), formatDestination(task.Destination), formatRecipient(task.Recipients))
	}
}

// taskResult is what became of one task of several, as scripts read it.
type taskResult struct {
	Task   string   `json:"task"`
	ID     model.ID `json:"id,omitzero"`
	Result string   `json:"result"`
	Error  string   `json:"error,omitzero"`
}

// forEachTask acts on each task by itself and goes on after a failure that is the task's own.
func (s *session) forEachTask(ctx context.Context, args []string, word string, act func(model.ID) error) error {
	var failed failures
	for i, arg := range args {
		id, err := s.taskID(ctx, arg)
		if err == nil {
			err = act(id)
		}
		result := taskResult{Task: arg, ID: id, Result: word}
		switch {
		case errors.Is(err, apiclient.ErrDryRun):
			continue
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", model.Clean(arg), err))
			result.Result, result.Error = "error", errorSummary(err)
		}
		if err := s.tellResult(result); err != nil {
			return err
		}
		if err != nil && stopsAll(err) {
			if left := len(args) - i - 1; left > 0 {
				s.printNote("Stopped; %s not touched: %s", formatCount(left, "task"), strings.Join(args[i+1:], " "))
			}
			break
		}
	}
	return failed.err()
}

func (s *session) tellResult(r taskResult) error {
	switch {
	case s.flags.json:
		return s.printJSONLine(r)
	case r.Error == "":
		s.printField(r.Task, r.Result)
	}
	return nil
}

// stopsAll reports failures that the next task would meet too.
func stopsAll(err error) bool {
	for _, kind := range []error{
		context.Canceled, context.DeadlineExceeded, apiclient.ErrOffline, apiclient.ErrInvalidKey, apiclient.ErrNoKey, apiclient.ErrReadOnly,
		apiclient.ErrRateLimited, apiclient.ErrUntrusted, apiclient.ErrUnsupportedRoute,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// accountName is what to call the account in questions.
func (s *session) accountName() string {
	if name := s.account.profile.Label(); name != "" {
		return name
	}
	return s.client.BaseURL()
}

// formatCount is a number with its noun.
func formatCount(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
