package cli

import "github.com/spf13/cobra"

func newTasksCommand(a *app) *cobra.Command {
	return newGroup(&cobra.Command{
		Use: "tasks", Aliases: []string{"task"}, Short: "Pickups and drop-offs",
		Long: "Identify a task by its id or by its short id of eight hex digits.",
	},
		newTasksListCommand(a), newTasksGetCommand(a), newTasksCreateCommand(a), newTasksCloneCommand(a), newTasksUpdateCommand(a),
		newTasksAssignCommand(a), newTasksCompleteCommand(a), newTasksRemoveCommand(a), newTasksImportCommand(a),
	)
}
