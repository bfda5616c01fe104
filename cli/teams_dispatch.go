package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/operations"
	"waybill/operations/run"
)

func newTeamsDispatchCommand(a *app) *cobra.Command {
	var preview, follow bool
	cmd := &cobra.Command{
		Use: "dispatch TEAM", Short: "Plan a team's tasks onto its workers on duty", Args: cobra.ExactArgs(1),
		Long: "Starts a dispatch. Tasks that a worker has stay with that worker; new ones are inserted.\n" +
			"A team can have one dispatch at a time. Webhooks with the trigger autoDispatchJobCompleted receive the result.",
		Example: "waybill teams dispatch North\nwaybill teams dispatch North --task-window 14:00-18:00 --max-tasks 20 --route-end anywhere",
	}
	fields := addOperationFlags(cmd.Flags(), "route.dispatch", "team")
	cmd.Flags().BoolVar(&preview, "preview", false, "plan on this machine, print the routes and send nothing")
	cmd.Flags().BoolVar(&follow, "follow", false, "wait for the result, if the service supports it")
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		call := operationCall{operation: "route.dispatch", noun: "the dispatch", flags: setFlags(cmd.Flags(), fields), readsOnly: preview}
		call.flags["team"] = args
		if preview {
			return s.previewDispatch(ctx, call)
		}
		result, err := s.runSingle(ctx, call)
		if err != nil {
			return err
		}
		if follow && result.Follow != nil {
			return s.followDispatch(ctx, *result.Follow)
		}
		return a.printResult(result.Response, func() {
			fmt.Fprintf(a.stdout, "Started dispatch %s.\n", model.Clean(string(result.Response.(model.DispatchAccepted).DispatchID)))
		})
	})
	return cmd
}

// previewDispatch plans a dispatch on this machine and prints the routes.
func (s *session) previewDispatch(ctx context.Context, call operationCall) error {
	prepared, err := s.prepare(ctx, call)
	if err != nil {
		return err
	}
	team, request, problems := operations.ParseDispatch(prepared.input, prepared.values)
	if len(problems) > 0 {
		return prepared.flagProblems(call.noun, problems)
	}
	planned, err := operations.PreviewDispatch(ctx, s.client, prepared.input, team, request, nil)
	if err != nil {
		return err
	}
	return s.printResult(dispatchPlan(&planned), func() {
		s.printReportLines(planned.Lines())
		fmt.Fprintln(s.stdout, "Nothing was sent.")
	})
}

// dispatchPlan returns a preview in the form of the service's event.
func dispatchPlan(p *operations.DispatchPreview) model.DispatchPlan {
	plan := model.DispatchPlan{Routes: []model.DispatchRoute{}, Unplanned: []model.Unplanned{}}
	for _, route := range p.Routes {
		stops := []model.DispatchStop{}
		for _, stop := range route.Stops {
			stops = append(stops, model.DispatchStop{ID: stop.Task, Type: "TASK", ArrivalTime: stop.Arrival, DepartTime: stop.Depart})
		}
		plan.Routes = append(plan.Routes, model.DispatchRoute{RouteID: route.Worker, Type: string(model.ContainerWorker), Stops: stops})
	}
	for _, out := range p.Unplanned {
		plan.Unplanned = append(plan.Unplanned, model.Unplanned{ID: out.Task, Reason: model.Some(out.Reason)})
	}
	return plan
}

// followDispatch waits until a dispatch ends and prints its result.
func (s *session) followDispatch(ctx context.Context, follow operations.Follow) error {
	job := s.watchJob(ctx, follow, func(run.JobProgress) {})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !job.State.Ended {
		return fmt.Errorf("cannot follow the dispatch: %s", job.Text)
	}
	if s.flags.json {
		ended, err := s.client.Dispatch(ctx, follow.ID)
		if err != nil {
			return err
		}
		return s.printJSON(ended)
	}
	fmt.Fprintf(s.stdout, "%s: %s.\n", model.Capitalize(follow.Title), strings.TrimRight(job.Text, "."))
	s.printReportLines(job.State.Report)
	return nil
}
