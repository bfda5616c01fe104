package operations

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"waybill/apiclient"
	"waybill/dispatch"
	"waybill/model"
	"waybill/planner"
)

// DispatchPreview is what a dispatch would do, planned on this machine.
type DispatchPreview struct {
	Team    model.ID
	Name    string
	Request model.DispatchRequest
	// At is the time of the plan.
	At        model.Millis
	Routes    []PreviewRoute
	Unplanned []PreviewUnplanned
	// Excluded are drivers on duty who are left out by the filters or because their location is unknown.
	Excluded []string
	// Before sums up the present routes, After the planned ones.
	Before, After PreviewTotals
}

// PreviewRoute is the planned route of one driver. Points start at the driver's location.
type PreviewRoute struct {
	Worker model.ID
	Name   string
	Stops  []PreviewStop
	Travel time.Duration
	Meters int64
	// Kept says that the present route breaks a rule, so it stays unchanged; KeptReason says which rule.
	Kept       bool
	KeptReason string
	Points     []model.Location
	// PointsNow are the present route.
	PointsNow []model.Location
}

// CountNewStops counts the stops that the driver does not have yet.
func (r *PreviewRoute) CountNewStops() int {
	n := 0
	for i := range r.Stops {
		if r.Stops[i].New {
			n++
		}
	}
	return n
}

// PreviewTask is a task of a preview.
type PreviewTask struct {
	Task    model.ID
	ShortID model.ShortID
	Address string
	At      model.Location
}

// PreviewStop is one stop of a route.
type PreviewStop struct {
	PreviewTask
	Arrival model.Millis
	Depart  model.Millis
	// Arrives is the arrival with its zone, Late the lateness, zero when on time.
	Arrives string
	Late    time.Duration
	New     bool
}

// PreviewUnplanned is a task that the plan leaves unassigned.
type PreviewUnplanned struct {
	PreviewTask
	Reason string
}

// PreviewTotals sum up routes.
type PreviewTotals struct {
	Travel    time.Duration
	Late      time.Duration
	LateStops int
	Stops     int
	Unplanned int // unassigned tasks
}

// maxPlanningTime limits the planning; the best plan by then is shown.
const maxPlanningTime = 3 * time.Second

// PreviewDispatch reads the team and plans its dispatch on this machine, with the planner of the embedded service. It
// changes nothing. It calls progress with a text; nil for none.
func PreviewDispatch(
	ctx context.Context, c *apiclient.Client, s Input, team model.ID, request model.DispatchRequest, progress func(words string),
) (DispatchPreview, error) {
	if progress == nil {
		progress = func(string) {}
	}
	reader := dispatchReader{client: c, input: s, progress: progress}
	if err := reader.read(ctx, team); err != nil {
		return DispatchPreview{}, err
	}
	settings := request.WithDefaults(s.Now)
	state := reader.state(settings)
	if err := model.CheckDispatchDistance(locationsOf(state)).Err(); err != nil {
		return DispatchPreview{}, err
	}
	plan, err := solvePlan(ctx, state, settings, s.Now, progress)
	if err != nil {
		return DispatchPreview{}, err
	}
	p := DispatchPreview{Team: team, Name: reader.wire.Team.Name, Request: request, At: s.Now}
	newPreviewer(s, &reader.wire, state, settings).fill(&p, plan, timeCurrentRoutes(state, settings, s.Now))
	return p, nil
}

func solvePlan(
	ctx context.Context, state dispatch.Team, settings model.DispatchSettings, now model.Millis, progress func(string),
) (dispatch.Plan, error) {
	limited, cancel := context.WithTimeout(ctx, maxPlanningTime)
	defer cancel()
	plan, err := dispatch.Solve(limited, state, dispatch.Options{Settings: settings, Now: now, Search: planner.Options{
		OnImprovement: func(p planner.Progress) {
			placed := 0
			for _, route := range p.Plan.Routes {
				placed += len(route.Stops)
			}
			progress(fmt.Sprintf("planning: %s placed, %d unplanned, %s late", model.FormatCount(placed, "stop"), p.Plan.Cost.LeftOut,
				model.FormatDuration(time.Duration(p.Plan.Cost.Lateness)*time.Second)))
		},
	}})
	if err == nil {
		err = ctx.Err() // a cancelled search ends early without an error
	}
	return plan, err
}

// locationsOf are all locations of a dispatch.
func locationsOf(team dispatch.Team) []model.Location {
	var places []model.Location
	for _, hub := range []model.Opt[model.Location]{team.Hub, team.EndHub} {
		if at, ok := hub.Get(); ok {
			places = append(places, at)
		}
	}
	for _, worker := range team.Workers {
		if at, ok := worker.At.Get(); ok {
			places = append(places, at)
		}
	}
	for _, task := range team.Tasks {
		places = append(places, task.At)
	}
	return places
}

// previewer adds names and addresses to a plan.
type previewer struct {
	input   Input
	tasks   map[model.ID]*model.Task
	workers map[model.ID]*dispatch.Worker
	names   map[model.ID]string
	load    map[model.ID][planner.Dimensions]float64 // of tasks
	workEnd time.Time                                // the end of the working hours
}

func newPreviewer(s Input, wire *dispatch.TeamData, state dispatch.Team, settings model.DispatchSettings) *previewer {
	p := &previewer{
		input: s, tasks: map[model.ID]*model.Task{}, workers: map[model.ID]*dispatch.Worker{}, names: map[model.ID]string{},
		load: map[model.ID][planner.Dimensions]float64{}, workEnd: settings.ScheduleWindow.End,
	}
	for i := range state.Tasks {
		p.load[state.Tasks[i].ID] = state.Tasks[i].Quantities
	}
	for i := range wire.Tasks {
		p.tasks[wire.Tasks[i].ID] = &wire.Tasks[i]
	}
	for i := range wire.Workers {
		p.names[wire.Workers[i].ID] = wire.Workers[i].Name
	}
	for i := range state.Workers {
		p.workers[state.Workers[i].ID] = &state.Workers[i]
	}
	return p
}

// fill compares the plan with the present routes.
func (p *previewer) fill(preview *DispatchPreview, plan dispatch.Plan, now map[model.ID]*dispatch.Route) {
	takesPart := map[model.ID]bool{}
	added := 0
	for i := range plan.Routes {
		route := &plan.Routes[i]
		takesPart[route.Worker] = true
		preview.After.add(route)
		preview.Before.add(now[route.Worker])
		one := PreviewRoute{
			Worker: route.Worker, Name: p.names[route.Worker], Travel: route.Travel, Meters: route.Meters, Kept: route.Kept,
			Points: p.points(route), PointsNow: p.points(now[route.Worker]),
		}
		if one.Kept {
			one.KeptReason = p.keptReason(now[route.Worker])
		}
		for _, stop := range route.Stops {
			one.Stops = append(one.Stops, PreviewStop{
				PreviewTask: p.describe(stop.Task), Late: stop.Late, New: stop.New,
				Arrival: stop.Arrival, Arrives: p.input.formatClock(stop.Arrival), Depart: stop.Depart,
			})
		}
		added += one.CountNewStops()
		preview.Routes = append(preview.Routes, one)
	}
	for _, out := range plan.Unplanned {
		preview.Unplanned = append(preview.Unplanned, PreviewUnplanned{p.describe(out.Task), dispatch.Explain(out.Reason)})
	}
	preview.Before.Unplanned, preview.After.Unplanned = added+len(plan.Unplanned), len(plan.Unplanned)
	for id := range p.workers {
		if !takesPart[id] {
			preview.Excluded = append(preview.Excluded, p.names[id])
		}
	}
	slices.Sort(preview.Excluded)
}

// keptReason says which rule a present route breaks in every order.
func (p *previewer) keptReason(now *dispatch.Route) string {
	w := p.workers[now.Worker]
	if w == nil || len(now.Stops) == 0 {
		return "it breaks a rule"
	}
	var load [planner.Dimensions]float64
	for _, stop := range now.Stops {
		for d, quantity := range p.load[stop.Task] {
			load[d] += quantity
		}
	}
	for d, fits := range w.Capacity {
		if fits > 0 && load[d] > fits {
			return fmt.Sprintf("it carries %g with a capacity of %g%s", load[d], fits, [planner.Dimensions]string{"", " A", " B", " C"}[d])
		}
	}
	until := p.workEnd
	if shift, ok := w.Shift.Get(); ok && shift.End.Before(until) {
		until = shift.End
	}
	if last := now.Stops[len(now.Stops)-1].Depart; !until.IsZero() && last.Time().After(until) {
		return fmt.Sprintf("it ends %s, after the working hours (%s)", p.input.formatClock(last), p.input.formatClock(model.MillisOf(until)))
	}
	return "it breaks a rule in every order: load, working hours or an unreachable stop"
}

func (t *PreviewTotals) add(route *dispatch.Route) {
	t.Travel += route.Travel
	t.Stops += len(route.Stops)
	for _, stop := range route.Stops {
		t.Late += stop.Late
		if stop.Late > 0 {
			t.LateStops++
		}
	}
}

func (p *previewer) describe(id model.ID) PreviewTask {
	described := PreviewTask{Task: id}
	task := p.tasks[id]
	if task == nil {
		return described
	}
	described.ShortID = task.ShortID
	if row := p.input.Board.Tasks.Get(id); row != nil {
		described.Address = row.Address
	}
	if place := task.Destination.Object; place != nil {
		described.At = place.Location
		described.Address = cmp.Or(described.Address, strings.TrimSpace(place.Address.Number+" "+place.Address.Street))
	}
	return described
}

func (p *previewer) points(route *dispatch.Route) []model.Location {
	if len(route.Stops) == 0 {
		return nil
	}
	var points []model.Location
	if w := p.workers[route.Worker]; w != nil && w.At.Has() {
		points = append(points, w.At.Value())
	}
	for _, stop := range route.Stops {
		points = append(points, p.describe(stop.Task).At)
	}
	return points
}

// Summary describes the change in a few lines.
func (p *DispatchPreview) Summary() []Line {
	placed := p.Before.Unplanned - p.After.Unplanned
	lines := []Line{{Text: fmt.Sprintf("%s would be assigned, %s would stay unassigned.", model.FormatCount(placed, "task"),
		model.FormatCount(p.After.Unplanned, "task"))}}
	addLine := func(warning bool, format string, args ...any) {
		lines = append(lines, Line{Text: fmt.Sprintf(format, args...), Warning: warning})
	}
	addLine(false, "Travel time: %s, now %s.", model.FormatDuration(p.After.Travel), model.FormatDuration(p.Before.Travel))
	lines = append(lines, p.lateness())
	if len(p.Excluded) > 0 {
		addLine(true, "Excluded by the filters, or without a known location: %s.", joinNames(p.Excluded, 4))
	}
	for i := range p.Routes {
		if p.Routes[i].Kept {
			addLine(true, "The route of %s stays unchanged: %s.", p.Routes[i].Name, p.Routes[i].KeptReason)
		}
	}
	return lines
}

// lateness compares what is shown: totals that look the same are neither better nor worse.
func (p *DispatchPreview) lateness() Line {
	describe := func(t PreviewTotals) string {
		return model.FormatCount(t.LateStops, "stop") + ", " + model.FormatDuration(t.Late) + " in total"
	}
	after, before := describe(p.After), describe(p.Before)
	line := Line{Text: fmt.Sprintf("Late: %s; now %s.", after, before)}
	change := cmp.Compare(p.After.LateStops, p.Before.LateStops)
	if model.FormatDuration(p.After.Late) != model.FormatDuration(p.Before.Late) {
		change = cmp.Compare(p.After.Late, p.Before.Late)
	}
	line.Good, line.Warning = change < 0, change > 0
	return line
}

// Lines are the whole preview: the summary, the unassigned tasks, and every route stop by stop.
func (p *DispatchPreview) Lines() []Line {
	lines := p.Summary()
	var left unplannedTasks
	for _, out := range p.Unplanned {
		left.add(string(out.ShortID), out.Reason)
	}
	lines = append(lines, left.lines()...)
	for i := range p.Routes {
		r := &p.Routes[i]
		lines = append(lines, Line{Text: fmt.Sprintf("%s: %s, %d new, %s travel", r.Name, model.FormatCount(len(r.Stops), "stop"),
			r.CountNewStops(), model.FormatDuration(r.Travel))})
		for _, stop := range r.Stops {
			mark, late := " ", ""
			if stop.New {
				mark = "+"
			}
			if stop.Late > 0 {
				late = ", " + model.FormatDuration(stop.Late) + " late"
			}
			lines = append(lines, Line{
				Text:    fmt.Sprintf("  %s %s %s %s%s", mark, stop.Arrives, stop.ShortID, stop.Address, late),
				Warning: stop.Late > 0,
			})
		}
	}
	return lines
}
