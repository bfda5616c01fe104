package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/run"
)

func newTasksCompleteCommand(a *app) *cobra.Command {
	var succeeded, failed bool
	cmd := &cobra.Command{
		Use: "complete TASK...", Short: "Complete started tasks as succeeded or failed", Args: cobra.MinimumNArgs(1),
		Long:    "Completes tasks that a driver has started. This cannot be undone; clone a task that was completed by mistake.",
		Example: "waybill tasks complete c77ff497 --succeeded --notes 'Left at the desk'",
	}
	cmd.Flags().BoolVar(&succeeded, "succeeded", false, "the delivery or pickup succeeded")
	cmd.Flags().BoolVar(&failed, "failed", false, "the delivery or pickup failed")
	fields := addOperationFlags(cmd.Flags(), "task.complete", "")
	yes := addYesFlag(cmd)
	cmd.MarkFlagsOneRequired("succeeded", "failed")
	cmd.MarkFlagsMutuallyExclusive("succeeded", "failed")
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		call := operationCall{operation: "task.complete", noun: "the completion", flags: setFlags(cmd.Flags(), fields), yes: *yes}
		result := "succeeded"
		if failed {
			call.operation, result = "task.fail", "failed"
		}
		return s.runOnTasks(ctx, args, result, call)
	})
	return cmd
}

func newTasksRemoveCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "rm TASK...", Aliases: []string{"delete"}, Short: "Delete tasks", Args: cobra.MinimumNArgs(1),
		Long:    "Deletes tasks that no driver has started. This cannot be undone.",
		Example: "waybill tasks rm c77ff497 9e01ab42",
	}
	yes := addYesFlag(cmd)
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		return s.runOnTasks(ctx, args, "deleted", operationCall{operation: "task.delete", noun: "the deletion", yes: *yes})
	})
	return cmd
}

// taskResult is the result for one task of several as printed with --json.
type taskResult struct {
	Task   string   `json:"task"`
	ID     model.ID `json:"id,omitzero"`
	Result string   `json:"result"`
	Error  string   `json:"error,omitzero"`
}

// runOnTasks runs an operation that has one step per task and prints one result per task. A task that cannot be found does
// not stop the others.
func (s *session) runOnTasks(ctx context.Context, args []string, result string, call operationCall) error {
	for _, arg := range args {
		if !model.ShortID(arg).Valid() && !model.ID(arg).Valid() {
			return asUsage(&operations.IDError{Noun: "task", Text: arg})
		}
	}
	if err := s.requireConfirmation(call.yes); err != nil {
		return err
	}
	names, failed := map[model.ID]string{}, failures{}
	for i, arg := range args {
		id, err := s.taskID(ctx, arg)
		if err == nil {
			names[id] = arg
			call.selection.Tasks = append(call.selection.Tasks, string(id))
			continue
		}
		if err := s.printTaskResult(&failed, taskResult{Task: arg}, err); err != nil {
			return err
		}
		if run.StopsRun(err) || ctx.Err() != nil {
			s.noteUntouched(args[i+1:])
			return failed.err()
		}
	}
	if len(call.selection.Tasks) == 0 {
		return failed.err()
	}
	prepared, err := s.prepare(ctx, call)
	if err != nil {
		return errors.Join(failed.err(), err)
	}
	progress, err := s.runPrepared(ctx, &prepared, call.yes)
	if err != nil {
		return errors.Join(failed.err(), err)
	}
	for _, skipped := range prepared.proposal.Skipped {
		failed = append(failed, fmt.Errorf("%s: %s", skipped.Label, skipped.Reason))
	}
	return s.printTaskResults(ctx, &progress, names, result, failed)
}

func (s *session) printTaskResults(ctx context.Context, p *run.Progress, names map[model.ID]string, result string, failed failures) error {
	var untouched []string
	for _, step := range p.Steps {
		name := names[step.Object]
		if step.Status == run.Stopped && p.Halted != nil {
			untouched = append(untouched, name)
			continue
		}
		line := taskResult{Task: name, ID: step.Object, Result: result}
		if err := s.printTaskResult(&failed, line, stepError(ctx, step)); err != nil {
			return err
		}
	}
	s.noteUntouched(untouched)
	return failed.err()
}

func (s *session) noteUntouched(names []string) {
	if len(names) > 0 {
		s.printNote("Stopped; %s not touched: %s", model.FormatCount(len(names), "task"), strings.Join(names, " "))
	}
}

// printTaskResult prints the result for one task and adds its error to failed.
func (s *session) printTaskResult(failed *failures, r taskResult, err error) error {
	if err != nil {
		*failed = append(*failed, fmt.Errorf("%s: %w", model.Clean(r.Task), err))
		r.Result, r.Error = "error", apiclient.ErrorText(err)
	}
	switch {
	case s.flags.json:
		return s.printJSONLine(r)
	case r.Error == "":
		s.printField(r.Task, r.Result)
	}
	return nil
}
