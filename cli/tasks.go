package cli

import "github.com/spf13/cobra"

func newTasksCommand(a *app) *cobra.Command {
	tasks := &cobra.Command{
		Use: "tasks", Aliases: []string{"task"}, Short: "Pickups and drop-offs",
		Long: "Tasks are named by their id or by the eight digits of their short id.",
	}
	tasks.AddCommand(
		newTasksListCommand(a), newTasksGetCommand(a), newTasksCreateCommand(a), newTasksCloneCommand(a), newTasksUpdateCommand(a),
		newTasksAssignCommand(a), newTasksCompleteCommand(a), newTasksRemoveCommand(a), newTasksImportCommand(a),
	)
	return tasks
}
