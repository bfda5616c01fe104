package cli

import (
	"context"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newTasksCreateCommand(a *app) *cobra.Command {
	cmd := a.newOperationCommand(&cobra.Command{
		Use: "create", Aliases: []string{"new"}, Short: "Create a task", Args: cobra.NoArgs,
		Long: "Creates a task from flags, or from a JSON file with --from-json.\n" +
			"Times can be written as 14:30, +2h, tomorrow 9am, mon 10:00, RFC 3339 or Unix milliseconds.",
		Example: "waybill tasks create --address '543 Howard St, San Francisco, CA 94105, USA' \\\n" +
			"  --name 'Ada Okafor' --phone '(415) 555-0123' --window 14:00-16:00 --notes 'Ring twice'\n" +
			"waybill tasks create --destination 2Ej*fTFUBsEMQPP1kZuTFUbE --before +2h --auto-assign distance\n" +
			"waybill tasks create --from-json task.json --dry-run",
	}, operationCommand{
		operation: "create.task", noun: "the task", fromJSON: true,
		print: printResponse(func(s *session, ctx context.Context, task model.Task) {
			if done, asked := task.DidAutoAssign.Get(); asked && !done {
				s.printNote("No worker could be chosen; the task is unassigned.")
			}
			s.printTaskDetails(ctx, task)
		}),
	})
	cmd.MarkFlagsMutuallyExclusive("worker", "team", "auto-assign")
	cmd.MarkFlagsMutuallyExclusive("window", "after")
	cmd.MarkFlagsMutuallyExclusive("window", "before")
	return cmd
}

func newTasksCloneCommand(a *app) *cobra.Command {
	return a.newOperationCommand(&cobra.Command{
		Use: "clone TASK", Short: "Create a task from an existing one, with changes", Args: cobra.ExactArgs(1),
		Long: "Copies a task. A completed task cannot be changed; clone it to deliver again.\n" +
			"The times of the clone must be in the future.",
		Example: "waybill tasks clone c77ff497 --window 'tomorrow 9am-11am'",
	}, operationCommand{operation: "task.clone", noun: "the clone", print: printResponse((*session).printTaskDetails)})
}

func newTasksUpdateCommand(a *app) *cobra.Command {
	return a.newOperationCommand(&cobra.Command{
		Use: "update TASK", Aliases: []string{"edit"}, Short: "Change a task", Args: cobra.ExactArgs(1),
		Long: "Changes a task. Only notes and metadata of a started task, and only metadata and custom fields of a completed\n" +
			"task can be changed. A new destination or recipient must exist; identify it by its id.",
		Example: "waybill tasks update c77ff497 --before 17:30 --notes 'Ask for Sam'\nwaybill tasks update c77ff497 --clear after,before",
	}, operationCommand{operation: "task.update", noun: "the change", fromJSON: true, print: printResponse((*session).printTaskDetails)})
}
