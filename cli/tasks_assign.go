package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/operations"
)

func newTasksAssignCommand(a *app) *cobra.Command {
	var unassign bool
	cmd := &cobra.Command{
		Use: "assign TASK...", Short: "Assign tasks to a worker or a team, or unassign them", Args: cobra.MinimumNArgs(1),
		Long: "Appends tasks in the given order to the route of a worker or to the list of a team; --position inserts them elsewhere.\n" +
			"--none unassigns them, --auto-assign lets the service choose a worker.",
		Example: "waybill tasks assign c77ff497 9e01ab42 --worker 'D. Okafor'\nwaybill tasks assign c77ff497 --worker 'D. Okafor' --position 0\n" +
			"waybill tasks assign c77ff497 --auto-assign load --auto-team North\nwaybill tasks assign c77ff497 --none",
	}
	set := cmd.Flags()
	position := set.Int("position", model.AppendTasks, "where to insert the tasks: 0 for the front of the route, -1 for the end")
	fields := addOperationFlags(set, "route.assign", "")
	fields = append(fields, addOperationFlags(set, "route.auto-assign", "")...)
	set.BoolVar(&unassign, "none", false, "unassign the tasks")
	cmd.MarkFlagsOneRequired("worker", "team", "none", "auto-assign")
	cmd.MarkFlagsMutuallyExclusive("worker", "team", "none", "auto-assign")
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		call := operationCall{
			operation: "route.assign", noun: "the assignment", selection: operations.Selection{Tasks: args},
			flags: setFlags(set, fields), yes: true, // unassigning is confirmed only in the console
		}
		delete(call.flags, "position")
		if *position >= 0 {
			call.flags["position"] = []string{strconv.Itoa(*position + 1)} // the form counts from 1
		}
		switch {
		case unassign:
			call.operation = "route.unassign"
		case call.flags["auto-assign"] != nil:
			call.operation, call.maySkip = "route.auto-assign", true // the service leaves them out too
		}
		result, err := s.runSingle(ctx, call)
		if err != nil {
			return err
		}
		return a.printResult(result.Response, func() { s.printAssigned(len(args), call.flags, result) })
	})
	return cmd
}

// printAssigned prints the new length of the container, or the report of an automatic assignment.
func (s *session) printAssigned(moved int, flags map[string][]string, result operations.Result) {
	container, ok := result.Response.(model.Container)
	if !ok {
		s.printReport(result)
		return
	}
	what, now := model.FormatCount(moved, "task"), model.FormatCount(len(container.Tasks), "task")
	switch {
	case flags["worker"] != nil:
		fmt.Fprintf(s.stdout, "Assigned %s; %s now has %s.\n", what, model.Clean(flags["worker"][0]), now)
	case flags["team"] != nil:
		fmt.Fprintf(s.stdout, "Assigned %s; team %s now has %s.\n", what, model.Clean(flags["team"][0]), now)
	default:
		fmt.Fprintf(s.stdout, "Unassigned %s; the organization now has %s.\n", what, now)
	}
}
