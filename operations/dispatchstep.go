package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// teamOnDuty are the drivers of a team on duty, and how many of them are idle.
func (s Input) teamOnDuty(team *board.TeamRow) (onDuty []*board.WorkerRow, idle int) {
	for _, id := range team.Workers {
		w := s.Board.Workers.Get(id)
		if w == nil || !w.OnDuty {
			continue
		}
		onDuty = append(onDuty, w)
		if w.Stops() == 0 {
			idle++
		}
	}
	return onDuty, idle
}

func (s Input) proposeDispatch(team *board.TeamRow, request model.DispatchRequest) Proposal {
	run := &dispatchStep{input: s, team: team, request: request}
	settings := request.WithDefaults(s.Now)
	onDuty, idle := s.teamOnDuty(team)
	proposal := Proposal{Summary: "dispatch team " + team.Name, Steps: []Step{{
		Object: team.ID, Label: "team " + team.Name, Locks: []string{"dispatch " + string(team.ID)}, Do: run.do, Lookup: run.lookUp,
	}}}
	addLine := func(warning bool, format string, args ...any) {
		proposal.Lines = append(proposal.Lines, Line{Text: fmt.Sprintf(format, args...), Warning: warning})
	}
	waiting := model.FormatCount(len(team.Tasks), "task") + plural(len(team.Tasks), " is waiting", " are waiting")
	if len(team.Tasks) == 0 {
		waiting = "No tasks are waiting"
	}
	addLine(len(team.Tasks) == 0, "%s in the list of team %s.", waiting, team.Name)
	switch {
	case len(onDuty) == 0:
		addLine(true, "No driver of the team is on duty, so nothing can be planned.")
	default:
		addLine(false, "%s on duty, %d of them idle. They keep their tasks; the order may change.", model.FormatCount(len(onDuty), "driver"), idle)
	}
	addLine(false, "Tasks due %s; working hours %s.", s.formatSpan(settings.TaskWindow), s.formatSpan(settings.ScheduleWindow))
	addLine(false, "At most %s per route, at most %s late; %s service time for tasks without one.",
		model.FormatCount(settings.MaxTasksPerRoute, "task"), model.FormatDuration(settings.MaxAllowedDelay), model.FormatDuration(settings.ServiceTime))
	addLine(false, "Routes end %s.", s.routeEndText(settings.RouteEnd))
	if settings.MaxContainerSize < settings.MaxTasksPerRoute {
		addLine(false, "Drivers with more than %s are excluded.", model.FormatCount(settings.MaxContainerSize, "task"))
	}
	if settings.VehicleType != "" {
		addLine(false, "Only drivers with a %s.", strings.ToLower(string(settings.VehicleType)))
	}
	if team.Hub == "" && settings.RouteEnd.Kind == model.RouteEndsAtTeamHub {
		addLine(true, "Team %s has no hub, so its routes end anywhere.", team.Name)
	}
	if kinds := vehicleKinds(onDuty); settings.VehicleType == "" && len(kinds) > 1 {
		addLine(true, "The drivers on duty have different vehicles (%s); some services need you to choose one.", joinNames(kinds, 5))
	}
	return proposal
}

func vehicleKinds(workers []*board.WorkerRow) []string {
	var kinds []string
	for _, w := range workers {
		if kind := board.VehicleText(w.Vehicle); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func (s Input) routeEndText(end model.RouteEnd) string {
	switch end.Kind {
	case model.RouteEndsAnywhere:
		return "anywhere"
	case model.RouteEndsAtWorkerAddress:
		return "at the driver's own address"
	case model.RouteEndsAtHub:
		i := slices.IndexFunc(s.routeEnds(), func(o form.Option) bool { return o.Value == string(end.Hub) })
		if i < 0 {
			return "at hub " + shortID(end.Hub)
		}
		return s.routeEnds()[i].Label
	default:
		return "at the team's hub"
	}
}

// dispatchStep sends a dispatch.
type dispatchStep struct {
	input   Input
	team    *board.TeamRow
	request model.DispatchRequest

	mu sync.Mutex
	// knownJobs are the team's dispatches before this one, if jobsRead says that they could be read. A new dispatch is
	// recognized by its id, because the clocks of two machines cannot be compared.
	knownJobs map[model.ID]bool
	jobsRead  bool
}

func (r *dispatchStep) do(ctx context.Context, c *apiclient.Client) (Result, error) {
	jobs, err := c.TeamDispatches(ctx, r.team.ID)
	switch {
	case err == nil:
		r.remember(jobs)
	case !isUnreadable(err) && !noKey(err):
		return Result{}, err
	}
	accepted, err := c.DispatchTeam(ctx, r.team.ID, r.request)
	if errors.Is(err, apiclient.ErrDispatchActive) {
		return Result{}, r.alreadyRunning(ctx, c)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{
		Object: r.team.ID, Summary: "dispatch of " + r.team.Name + " started", Response: accepted,
		Follow: followDispatch(r.input, r.team, accepted.DispatchID),
	}, nil
}

// isUnreadable reports that a service does not offer what was to be read.
func isUnreadable(err error) bool {
	return errors.Is(err, apiclient.ErrUnsupportedRoute) || errors.Is(err, apiclient.ErrNotFound)
}

func (r *dispatchStep) remember(jobs []model.DispatchJob) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.jobsRead, r.knownJobs = true, make(map[model.ID]bool, len(jobs))
	for _, job := range jobs {
		r.knownJobs[job.ID] = true
	}
}

// dispatchActiveError says since when a dispatch runs, and who started it.
type dispatchActiveError struct{ text string }

func (e dispatchActiveError) Error() string { return e.text }

func (e dispatchActiveError) Unwrap() error { return apiclient.ErrDispatchActive }

func (r *dispatchStep) alreadyRunning(ctx context.Context, c *apiclient.Client) error {
	text := "A dispatch of team " + r.team.Name + " is running already"
	jobs, err := c.TeamDispatches(ctx, r.team.ID)
	if err == nil {
		for _, job := range jobs {
			if job.Status == model.DispatchRunning {
				text += ", since " + r.input.formatClock(job.TimeCreated)
				if who := startedBy(ctx, c, job.ActionContext.Value()); who != "" {
					text += ", started by " + who
				}
				break
			}
		}
	}
	return dispatchActiveError{text + ". Nothing was sent; wait until it has ended."}
}

// startedBy names who started a dispatch, as far as the key may know.
func startedBy(ctx context.Context, c *apiclient.Client, by model.ActionContext) string {
	switch by.Type {
	case "ADMIN":
		admins, err := c.Admins(ctx)
		if err == nil {
			for _, admin := range admins {
				if admin.ID == by.ID {
					return cmp.Or(admin.Name, admin.Email)
				}
			}
		}
		return "an administrator"
	case "API":
		return "a program with an API key"
	case "WORKER":
		return "a driver"
	}
	return ""
}

// lookUp looks for a new dispatch.
func (r *dispatchStep) lookUp(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
	r.mu.Lock()
	asked, before := r.jobsRead, r.knownJobs
	r.mu.Unlock()
	jobs, err := c.TeamDispatches(ctx, r.team.ID)
	if err != nil && isUnreadable(err) || err == nil && !asked {
		return LookupResult{Summary: "the service does not report dispatches; watch whether tasks leave the list of team " + r.team.Name}, nil
	}
	if err != nil {
		return LookupResult{}, err
	}
	for _, job := range jobs {
		if !before[job.ID] {
			return LookupResult{Happened: true, Certain: true, Summary: fmt.Sprintf("a dispatch of team %s started at %s; its state is %s",
				r.team.Name, r.input.formatClock(job.TimeCreated), model.Clean(job.Status))}, nil
		}
	}
	return LookupResult{Certain: true, Summary: "no dispatch of team " + r.team.Name + " has started"}, nil
}
