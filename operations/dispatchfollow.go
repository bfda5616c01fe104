package operations

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

func followDispatch(s Input, team *board.TeamRow, id model.ID) *Follow {
	w := &dispatchFollower{input: s, team: team, id: id}
	return &Follow{ID: id, Title: "dispatch of " + team.Name, Kind: "dispatch", Poll: w.poll}
}

// dispatchFollower follows one dispatch. Where the service does not report dispatches, it watches the team's list, which
// tasks leave when they are assigned.
type dispatchFollower struct {
	input Input
	team  *board.TeamRow
	id    model.ID

	mu       sync.Mutex
	listOnly bool
	seen     int       // tasks that had left the list at the last poll
	changed  time.Time // when that last changed
}

func (w *dispatchFollower) poll(ctx context.Context, c *apiclient.Client) (JobState, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.listOnly {
		return w.pollList(ctx, c)
	}
	job, err := c.Dispatch(ctx, w.id)
	switch {
	case err != nil && isUnreadable(err):
		w.listOnly, w.changed = true, time.Now()
		return w.pollList(ctx, c)
	case err != nil:
		return JobState{}, err
	case job.Status == model.DispatchRunning:
		return runningState(job), nil
	case job.Status == model.DispatchFailed:
		return JobState{
			Ended: true, Failed: true, Summary: "the dispatch failed; no task was moved", Next: "route.dispatch",
		}, nil
	}
	return w.result(job), nil
}

func runningState(job model.DispatchJob) JobState {
	p, ok := job.Progress.Get()
	if !ok {
		return JobState{Summary: "planning"}
	}
	words := fmt.Sprintf("planning, %s placed", model.FormatCount(int(p.Planned), "stop"))
	if p.Unplanned > 0 {
		words += fmt.Sprintf(", %d unplanned so far", p.Unplanned)
	}
	if p.Lateness > 0 {
		words += ", " + model.FormatDuration(p.Lateness.Duration()) + " late in total"
	}
	return JobState{Summary: words, Done: int(p.Fraction * 100), Total: 100}
}

// result reports who got which task, and which tasks are unplanned and why.
func (w *dispatchFollower) result(job model.DispatchJob) JobState {
	dispatch := job.Dispatch.Value()
	shorts := map[model.ID]model.ShortID{}
	for _, task := range dispatch.Tasks {
		shorts[task.ID] = task.ShortID
	}
	state := JobState{Ended: true}
	added, routes := 0, 0
	for _, route := range dispatch.Plan.Routes {
		line, fresh := w.routeLine(route, shorts)
		if fresh > 0 {
			routes++
		}
		added += fresh
		state.Report = append(state.Report, line)
		state.Touched = append(state.Touched, route.RouteID)
		for _, stop := range route.Stops {
			state.Touched = append(state.Touched, stop.ID)
		}
	}
	state.Summary = fmt.Sprintf("%s assigned to %s", model.FormatCount(added, "task"), model.FormatCount(routes, "driver"))
	if added == 0 {
		state.Summary = "no task was assigned"
	}
	var left unplannedTasks
	for _, out := range dispatch.Plan.Unplanned {
		state.Remaining = append(state.Remaining, out.ID)
		left.add(w.shortIDText(out.ID, shorts), cmp.Or(out.Reason.Value(), "The service gives no reason."))
	}
	if n := len(state.Remaining); n > 0 {
		state.Summary += fmt.Sprintf(", %d unassigned", n)
		state.Next = nextAction(n)
	}
	if before, now := w.lateness(dispatch.Plan); before+now > 0 {
		state.Summary += fmt.Sprintf(", late: %d before, %d now", before, now)
	}
	state.Report = slices.Concat([]Line{{Text: sentence(state.Summary)}, {}}, left.lines(), state.Report)
	state.Touched = append(append(state.Touched, state.Remaining...), w.team.ID)
	return state
}

// lateness counts the tasks of a plan that were late before and that will be late.
func (w *dispatchFollower) lateness(plan model.DispatchPlan) (before, now int) {
	tasks := w.input.Board.Tasks
	for _, route := range plan.Routes {
		for _, stop := range route.Stops {
			row := tasks.Get(stop.ID)
			if row == nil || row.Due == 0 {
				continue
			}
			if row.Risk == board.RiskLate {
				before++
			}
			if stop.ArrivalTime > row.Due {
				now++
			}
		}
	}
	for _, out := range plan.Unplanned {
		if row := tasks.Get(out.ID); row != nil && row.Risk == board.RiskLate {
			before++
			now++
		}
	}
	return before, now
}

// nextAction is the action for tasks that a dispatch left unassigned.
func nextAction(left int) string {
	if left == 1 {
		return "route.assign"
	}
	return "route.auto-assign"
}

// routeLine is a driver's route in one line, new stops with a plus, and how many are new.
func (w *dispatchFollower) routeLine(route model.DispatchRoute, shorts map[model.ID]model.ShortID) (Line, int) {
	had := map[model.ID]bool{}
	name := "driver " + shortID(route.RouteID)
	if row := w.input.Board.Workers.Get(route.RouteID); row != nil {
		name = row.Name
		for _, stop := range w.input.Board.Route(row) {
			had[stop.ID] = true
		}
	}
	fresh := 0
	stops := make([]string, len(route.Stops))
	for i, stop := range route.Stops {
		mark := ""
		if !had[stop.ID] {
			mark = "+"
			fresh++
		}
		stops[i] = mark + w.shortIDText(stop.ID, shorts) + " " + model.FormatClock(stop.ArrivalTime, w.input.Now, w.input.zone())
	}
	return Line{Text: fmt.Sprintf("%s: %s, %d new: %s", name, model.FormatCount(len(stops), "stop"), fresh, strings.Join(stops, ", "))}, fresh
}

func (w *dispatchFollower) shortIDText(id model.ID, shorts map[model.ID]model.ShortID) string {
	if short := shorts[id]; short != "" {
		return string(short)
	}
	return strings.TrimPrefix(taskLabel(w.input.Board, id), "task ")
}

// How long a list must stay unchanged before a dispatch that cannot be read counts as ended: after a change, and when it
// never changed.
const (
	quietAfterChange = 30 * time.Second
	quietFromStart   = 5 * time.Minute
)

// pollList counts the tasks that have left the team's list.
func (w *dispatchFollower) pollList(ctx context.Context, c *apiclient.Client) (JobState, error) {
	list, err := c.Container(ctx, model.TeamContainer(w.team.ID))
	if err != nil {
		return JobState{}, err
	}
	left := slices.DeleteFunc(slices.Clone(w.team.Tasks), func(id model.ID) bool { return !slices.Contains(list.Tasks, id) })
	gone := len(w.team.Tasks) - len(left)
	if gone != w.seen {
		w.seen, w.changed = gone, time.Now()
	}
	state := JobState{
		Summary: fmt.Sprintf("%d of %d tasks have left the list of team %s; this service does not report more about dispatches", gone,
			len(w.team.Tasks), w.team.Name),
		Done: gone, Total: len(w.team.Tasks),
	}
	quiet := time.Since(w.changed)
	if len(left) > 0 && (gone > 0 && quiet < quietAfterChange || gone == 0 && quiet < quietFromStart) {
		return state, nil
	}
	state.Ended, state.Remaining = true, left
	state.Report = []Line{{Text: state.Summary + "."}}
	if len(left) > 0 {
		state.Summary = fmt.Sprintf("%d of %d tasks have left the list, so they were probably assigned", gone, len(w.team.Tasks))
		state.Report = append(state.Report, warnLine("The list has not changed for a while, so the dispatch has probably ended. The reasons for unassigned tasks are unknown."))
		state.Next = nextAction(len(left))
	}
	state.Touched = append(slices.Clone(w.team.Tasks), w.team.ID)
	return state, nil
}

// unplannedTasks groups unplanned tasks by reason.
type unplannedTasks struct {
	reasons []string
	tasks   map[string][]string
}

func (l *unplannedTasks) add(task, reason string) {
	if l.tasks == nil {
		l.tasks = map[string][]string{}
	}
	if len(l.tasks[reason]) == 0 {
		l.reasons = append(l.reasons, reason)
	}
	l.tasks[reason] = append(l.tasks[reason], task)
}

func (l *unplannedTasks) lines() []Line {
	const named = 12
	var lines []Line
	for _, reason := range l.reasons {
		tasks := l.tasks[reason]
		lines = append(lines, warnLine("%s unassigned: %s", model.FormatCount(len(tasks), "task")+plural(len(tasks), " stays", " stay"), reason),
			warnLine("  %s", joinNames(tasks, named)))
	}
	return lines
}
