package dispatch

import (
	"context"
	"time"

	"waybill/model"
	"waybill/planner"
)

// problem is a planning problem with what is needed to read its plan.
type problem struct {
	*planner.Problem
	previousWorker map[model.ID]model.ID // task → worker who has it now
	// excluded are tasks that cannot take part at all.
	excluded []Unplanned
}

// newProblem converts the team to a planning problem in Unix seconds.
func newProblem(ctx context.Context, team Team, o Options) (*problem, error) {
	b := builder{options: o, indexes: map[model.Location]int{}, loads: newLoads(team)}
	p := &problem{previousWorker: map[model.ID]model.ID{}, Problem: &planner.Problem{
		MaxDelay:         model.WholeSeconds(o.Settings.MaxAllowedDelay),
		MaxTasksPerRoute: o.Settings.MaxTasksPerRoute,
		MaxLeg:           planner.MaxLegMeters,
	}}
	onRoute := map[model.ID]bool{}
	for _, w := range team.Workers {
		for _, id := range w.Route {
			p.previousWorker[id] = w.ID
		}
		if b.takesPart(w) {
			p.Workers = append(p.Workers, b.newWorker(team, w))
			for _, id := range w.Route {
				onRoute[id] = true
			}
		}
	}
	for _, t := range team.Tasks {
		_, taken := p.previousWorker[t.ID]
		switch {
		case taken && !onRoute[t.ID]:
			// Workers who do not take part keep their tasks.
		case onRoute[t.ID], b.inTaskWindow(t):
			p.Tasks = append(p.Tasks, b.newTask(t))
		}
	}
	for _, id := range team.Done {
		p.Done = append(p.Done, string(id))
	}
	p.excludeNewTasks(o.Settings)
	p.Places = b.places
	return p, b.addMatrices(ctx, p)
}

// excludeNewTasks removes the new tasks if MaxTasksPerRoute is 0, which means none here but no limit in the planner.
func (p *problem) excludeNewTasks(s model.DispatchSettings) {
	if s.MaxTasksPerRoute > 0 {
		return
	}
	kept := p.Tasks[:0]
	for _, t := range p.Tasks {
		if _, has := p.previousWorker[model.ID(t.ID)]; has {
			kept = append(kept, t)
			continue
		}
		p.excluded = append(p.excluded, Unplanned{model.ID(t.ID), planner.ReasonRouteLength})
	}
	p.Tasks = kept
}

// builder collects the places of a problem.
type builder struct {
	options   Options
	loads     loads
	indexes   map[model.Location]int
	places    []planner.Place
	locations []model.Location
}

func (b *builder) placeIndex(l model.Location) int {
	if i, ok := b.indexes[l]; ok {
		return i
	}
	b.indexes[l] = len(b.places)
	b.places = append(b.places, planner.Place{Lat: l.Lat, Lng: l.Lon})
	b.locations = append(b.locations, l)
	return len(b.places) - 1
}

func (b *builder) takesPart(w Worker) bool {
	s := b.options.Settings
	return w.At.Has() && len(w.Route) <= s.MaxContainerSize &&
		(s.VehicleType == "" || w.Vehicle == s.VehicleType)
}

// inTaskWindow reports whether the window of a task overlaps that of the request; a missing bound is open.
func (b *builder) inTaskWindow(t Task) bool {
	window := b.options.Settings.TaskWindow
	if after, ok := t.After.Get(); ok && after.Time().After(window.End) {
		return false
	}
	before, ok := t.Before.Get()
	return !ok || !before.Time().Before(window.Start)
}

func (b *builder) newWorker(team Team, w Worker) planner.Worker {
	window := b.options.Settings.ScheduleWindow
	from, until := max(window.Start.Unix(), b.options.Now.Time().Unix()), window.End.Unix()
	if shift, ok := w.Shift.Get(); ok {
		from, until = max(from, shift.Start.Unix()), min(until, shift.End.Unix())
	}
	return planner.Worker{
		ID: string(w.ID), Vehicle: planner.ProfileOf(w.Vehicle), Start: b.placeIndex(w.At.Value()), End: b.routeEnd(team, w),
		From: from, Until: max(from, until), Capacity: b.loads.capacities(w.Capacity),
		Route: idStrings(w.Route), Active: w.Active,
	}
}

func (b *builder) routeEnd(team Team, w Worker) int {
	var end model.Opt[model.Location]
	switch b.options.Settings.RouteEnd.Kind {
	case model.RouteEndsAtTeamHub:
		end = team.Hub
	case model.RouteEndsAtHub:
		end = team.EndHub
	case model.RouteEndsAtWorkerAddress:
		end = w.Home
	case model.RouteEndsAnywhere:
	}
	if at, ok := end.Get(); ok {
		return b.placeIndex(at)
	}
	return planner.Anywhere
}

func (b *builder) newTask(t Task) planner.Task {
	service := b.options.Settings.ServiceTime
	if t.Service > 0 {
		service = min(t.Service, model.MaxServiceTime).Duration()
	}
	task := planner.Task{
		ID: string(t.ID), Place: b.placeIndex(t.At), Service: model.WholeSeconds(service), Before: planner.NoLimit,
		Pickup: t.Pickup, DependsOn: idStrings(t.DependsOn), Quantities: b.loads.quantities(t.Quantities),
	}
	if after, ok := t.After.Get(); ok {
		// A task that starts after every shift cannot be planned, so a smaller value avoids numbers out of range.
		task.After = min(int64(after.UnixSeconds()), b.options.Settings.ScheduleWindow.End.Add(aYear).Unix())
	}
	if before, ok := t.Before.Get(); ok {
		task.Before = int64(before.UnixSeconds())
	}
	return task
}

const aYear = 365 * 24 * time.Hour

// addMatrices adds the travel times of every vehicle in use.
func (b *builder) addMatrices(ctx context.Context, p *problem) error {
	if b.options.Travel == nil {
		return nil
	}
	p.Travel = map[planner.Profile]*planner.Matrix{}
	for _, w := range p.Workers {
		if p.Travel[w.Vehicle] != nil {
			continue
		}
		matrix, err := b.options.Travel(ctx, w.Vehicle, b.locations)
		if err != nil {
			return err
		}
		p.Travel[w.Vehicle] = matrix
	}
	return nil
}

// newPlan converts a plan of the planner.
func (p *problem) newPlan(s *planner.Plan) Plan {
	plan := Plan{Cost: s.Cost, Unplanned: p.excluded}
	for _, r := range s.Routes {
		route := Route{
			Worker: model.ID(r.Worker), Travel: time.Duration(r.Travel) * time.Second, Meters: r.Meters, Kept: r.Kept,
		}
		for _, stop := range r.Stops {
			id := model.ID(stop.Task)
			route.Stops = append(route.Stops, Stop{
				Task: id, Arrival: millisOf(stop.Arrival), Start: millisOf(stop.Start), Depart: millisOf(stop.End),
				Late: time.Duration(stop.Late) * time.Second, New: p.previousWorker[id] != route.Worker,
			})
		}
		plan.Routes = append(plan.Routes, route)
	}
	for _, out := range s.LeftOut {
		plan.Unplanned = append(plan.Unplanned, Unplanned{model.ID(out.Task), out.Reason})
	}
	return plan
}

func idStrings(ids []model.ID) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = string(id)
	}
	return list
}

func millisOf(unix int64) model.Millis { return model.UnixSeconds(unix).Millis() }
