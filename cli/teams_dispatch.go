package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"waybill/model"
	"waybill/operations/taskimport"
)

// dispatchFlags are the parameters of a team's dispatch.
type dispatchFlags struct {
	maxTasks, maxContainer     int
	taskWindow, scheduleWindow string
	serviceTime, maxDelay      string
	routeEnd, vehicle          string
}

func newTeamsDispatchCommand(a *app) *cobra.Command {
	var f dispatchFlags
	var preview, follow bool
	cmd := &cobra.Command{
		Use: "dispatch TEAM", Short: "Plan a team's tasks onto its workers on duty", Args: cobra.ExactArgs(1),
		Long: "Starts the planning of a team's tasks. Tasks that a worker has stay with that worker; new ones are put between.\n" +
			"One dispatch of a team runs at a time. Its result comes to webhooks of autoDispatchJobCompleted.",
		Example: "waybill teams dispatch North\nwaybill teams dispatch North --task-window 14:00-18:00 --max-tasks 20 --route-end anywhere",
	}
	set := cmd.Flags()
	set.IntVar(&f.maxTasks, "max-tasks", model.DefaultTasksPerRoute, "tasks on a route at most, up to 200")
	set.StringVar(&f.taskWindow, "task-window", "", "plan tasks of this span, such as 14:00-18:00; from 4 hours ago to 4 hours ahead without it")
	set.StringVar(&f.scheduleWindow, "schedule-window", "", "the span that workers are available, such as 14:00-20:00; the next 6 hours without it")
	set.StringVar(&f.serviceTime, "service-time", "", "minutes for tasks that have no service time; 2 without it")
	set.StringVar(&f.maxDelay, "max-delay", "", "minutes that a task may be late; 10 without it")
	set.StringVar(&f.routeEnd, "route-end", "", "where routes end: team-hub, worker-address, anywhere, or a hub by id or name; team-hub without it")
	set.IntVar(&f.maxContainer, "max-container", 0, "leave out workers who have more tasks than this")
	set.StringVar(&f.vehicle, "vehicle", "", "only workers with car, motorcycle, bicycle or truck")
	set.BoolVar(&preview, "preview", false, "plan on this machine, show the routes and send nothing")
	set.BoolVar(&follow, "follow", false, "wait for the result, where the service lets it be read")
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		request, err := s.dispatchRequest(ctx, set, f)
		if err != nil {
			return err
		}
		team, err := s.teamID(ctx, args[0])
		if err != nil {
			return err
		}
		if preview {
			return s.previewDispatch(ctx, team, request)
		}
		accepted, err := s.client.DispatchTeam(ctx, team, request)
		if err != nil {
			return err
		}
		if follow {
			return s.followDispatch(ctx, accepted.DispatchID)
		}
		return a.printResult(accepted, func() { fmt.Fprintf(a.stdout, "Dispatch %s has begun.\n", model.Clean(string(accepted.DispatchID))) })
	})
	return cmd
}

func (s *session) dispatchRequest(ctx context.Context, set *pflag.FlagSet, f dispatchFlags) (model.DispatchRequest, error) {
	var r model.DispatchRequest
	var err error
	if set.Changed("max-tasks") {
		r.MaxTasksPerRoute = model.Some(model.Int(f.maxTasks))
	}
	if r.TaskTimeWindow, err = s.secondsWindow(ctx, "task-window", f.taskWindow); err != nil {
		return r, err
	}
	if r.ScheduleTimeWindow, err = s.secondsWindow(ctx, "schedule-window", f.scheduleWindow); err != nil {
		return r, err
	}
	if r.ServiceTime, err = wholeMinutes("service-time", f.serviceTime); err != nil {
		return r, err
	}
	if r.MaxAllowedDelay, err = wholeMinutes("max-delay", f.maxDelay); err != nil {
		return r, err
	}
	if r.RouteEnd, err = s.routeEnd(ctx, f.routeEnd); err != nil {
		return r, err
	}
	var filters model.WorkerFilters
	if set.Changed("max-container") {
		filters.MaxContainerSize = model.Some(model.Int(f.maxContainer))
	}
	if f.vehicle != "" {
		filters.VehicleType = model.Some(model.VehicleType(strings.ToUpper(f.vehicle)))
	}
	if filters.MaxContainerSize.Has() || filters.VehicleType.Has() {
		r.Filters = model.Some(model.DispatchFilters{Workers: model.Some(filters)})
	}
	problems := r.Check(s.nowMillis())
	for i, p := range problems {
		if flag := dispatchFlag(p.Field); flag != "" {
			problems[i].Field = flag
		}
	}
	return r, checkProblems("the dispatch", problems)
}

// dispatchFlag is the flag that sets a member.
func dispatchFlag(member string) string {
	member, _, _ = strings.Cut(member, "[")
	switch member {
	case "maxTasksPerRoute":
		return "--max-tasks"
	case "taskTimeWindow":
		return "--task-window"
	case "scheduleTimeWindow":
		return "--schedule-window"
	case "serviceTime":
		return "--service-time"
	case "routeEnd":
		return "--route-end"
	case "maxAllowedDelay":
		return "--max-delay"
	case "filters.workers.maxContainerSize":
		return "--max-container"
	case "filters.workers.vehicleType":
		return "--vehicle"
	}
	return ""
}

// secondsWindow reads a span of clock times; the dispatch alone counts in seconds.
func (s *session) secondsWindow(ctx context.Context, flag, text string) (model.Opt[[]model.UnixSeconds], error) {
	if text == "" {
		return model.Opt[[]model.UnixSeconds]{}, nil
	}
	from, to, err := model.ParseWindow(text, s.nowMillis(), s.loadTimeZone(ctx))
	if err != nil {
		return model.Opt[[]model.UnixSeconds]{}, flagError(flag, err)
	}
	s.printParsedTime(ctx, flag+" from", from)
	s.printParsedTime(ctx, flag+" to", to)
	return model.Some([]model.UnixSeconds{from.UnixSeconds(), to.UnixSeconds()}), nil
}

// wholeMinutes reads 5, 5m or 1h30.
func wholeMinutes(flag, text string) (model.Opt[model.Int], error) {
	if text == "" {
		return model.Opt[model.Int]{}, nil
	}
	minutes, err := taskimport.ParseMinutes(text)
	if err == nil && minutes != model.Minutes(int64(minutes)) {
		err = fmt.Errorf("%s is not a whole number of minutes", text)
	}
	if err != nil {
		return model.Opt[model.Int]{}, flagError(flag, err)
	}
	return model.Some(model.Int(minutes)), nil
}

// routeEnd puts the words of the flag into the interface's forms.
func (s *session) routeEnd(ctx context.Context, text string) (model.Opt[string], error) {
	switch strings.ToLower(text) {
	case "":
		return model.Opt[string]{}, nil
	case "team-hub":
		return model.Some(model.RouteEndTeamHub), nil
	case "worker-address":
		return model.Some(model.RouteEndWorkerAddress), nil
	case "anywhere":
		return model.Null[string](), nil
	}
	if strings.Contains(text, "://") {
		return model.Some(text), nil
	}
	hub, err := s.hubID(ctx, text)
	if err != nil {
		return model.Opt[string]{}, flagError("route-end", err)
	}
	return model.Some(model.RouteEndHubPrefix + string(hub)), nil
}
