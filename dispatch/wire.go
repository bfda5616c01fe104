package dispatch

import (
	"waybill/model"
	"waybill/planner"
)

// TeamData is a team's state as a client of the interface knows it.
type TeamData struct {
	Team    model.Team
	Workers []model.Worker
	// Tasks are all open tasks that the client knows, of this team and of others: what a task waits for and is not
	// among them counts as done.
	Tasks []model.Task
	Hubs  []model.Hub
}

// NewTeam makes the state that a dispatch starts from, for a preview that asks the service for nothing more.
func NewTeam(w TeamData, settings model.DispatchSettings) Team {
	team := Team{Hub: hubLocation(w.Hubs, w.Team.Hub.Value())}
	if settings.RouteEnd.Kind == model.RouteEndsAtHub {
		team.EndHub = hubLocation(w.Hubs, settings.RouteEnd.Hub)
	}
	open := make(map[model.ID]*model.Task, len(w.Tasks))
	for i := range w.Tasks {
		open[w.Tasks[i].ID] = &w.Tasks[i]
	}
	mine := map[model.ID]bool{}
	for i := range w.Workers {
		worker := newWorker(&w.Workers[i], team.Hub, open)
		team.Workers = append(team.Workers, worker)
		for _, id := range worker.Route {
			mine[id] = true
		}
	}
	done := map[model.ID]bool{}
	for i := range w.Tasks {
		t := &w.Tasks[i]
		waits := t.State == model.TaskUnassigned && t.Container.Value().Team.Value() == w.Team.ID
		place := t.Destination.Object
		if (!waits && !mine[t.ID]) || place == nil || !place.Location.Valid() {
			continue
		}
		team.Tasks = append(team.Tasks, newTask(t))
		for _, need := range t.Dependencies {
			if open[need] == nil && !done[need] {
				done[need] = true
				team.Done = append(team.Done, need)
			}
		}
	}
	return team
}

func hubLocation(hubs []model.Hub, id model.ID) model.Opt[model.Location] {
	for _, hub := range hubs {
		if hub.ID == id && hub.Location.Valid() {
			return model.Some(hub.Location)
		}
	}
	return model.Null[model.Location]()
}

// newWorker is a worker with the tasks of their route that are known, the active one first.
func newWorker(w *model.Worker, hub model.Opt[model.Location], open map[model.ID]*model.Task) Worker {
	more := w.AdditionalCapacities.Value()
	worker := Worker{
		ID: w.ID, At: w.Location, Vehicle: w.Vehicle.Value().Type,
		Capacity: [planner.Dimensions]float64{w.Capacity, more.A, more.B, more.C},
	}
	if !worker.At.Has() || !worker.At.Value().Valid() {
		worker.At = hub
	}
	if home, ok := w.Addresses.Value().Routing.Get(); ok && home.Object != nil {
		worker.Home = model.Some(home.Object.Location)
	}
	if active := w.ActiveTask.Value(); open[active] != nil {
		worker.Route, worker.Active = append(worker.Route, active), true
	}
	for _, id := range w.Tasks {
		if open[id] != nil && id != w.ActiveTask.Value() {
			worker.Route = append(worker.Route, id)
		}
	}
	return worker
}

func newTask(t *model.Task) Task {
	q := t.AdditionalQuantities
	return Task{
		ID: t.ID, At: t.Destination.Object.Location, Pickup: t.PickupTask, Service: t.ServiceTime,
		After: t.CompleteAfter, Before: t.CompleteBefore, DependsOn: t.Dependencies,
		Quantities: [planner.Dimensions]float64{t.Quantity, q.A, q.B, q.C},
	}
}
