package service

import (
	"reflect"

	"waybill/model"
	"waybill/service/world"
)

func workerRoutes() []Route {
	const section = "Workers"
	return []Route{
		{Method: "POST", Path: "/workers", Section: section, handle: (*Service).createWorker},
		{Method: "GET", Path: "/workers", Section: section, Beyond: true, handle: (*Service).listWorkers},
		{Method: "GET", Path: "/workers/{id}", Section: section, Beyond: true, Resource: WorkerResource, handle: (*Service).getWorker},
		{Method: "PUT", Path: "/workers/{id}", Section: section, Beyond: true, Resource: WorkerResource, handle: (*Service).updateWorker},
		{Method: "DELETE", Path: "/workers/{id}", Section: section, Beyond: true, Resource: WorkerResource, handle: (*Service).deleteWorker},
		{Method: "GET", Path: "/workers/location", Section: section, Beyond: true, handle: (*Service).workersNear},
		{Method: "POST", Path: "/workers/metadata", Section: section, Beyond: true, handle: (*Service).findWorkers},
		{
			Method: "GET", Path: "/workers/{id}/schedule", Section: section, Beyond: true, Resource: WorkerResource,
			handle: (*Service).getSchedule,
		},
		{
			Method: "POST", Path: "/workers/{id}/schedule", Section: section, Beyond: true, Resource: WorkerResource,
			handle: (*Service).setSchedule,
		},
	}
}

func (s *Service) createWorker(c *call) (any, error) {
	var in model.WorkerInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateWorker(c.ctx(), c.actor, in)
}

func (s *Service) listWorkers(c *call) (any, error) {
	q := c.query()
	query := world.WorkersQuery{
		Teams: q.ids("teams"), States: q.dutyStates("states"), Phones: q.list("phones"), Passwords: q.flag("includePasswordDetails"),
	}
	fields := q.members("filter", reflect.TypeFor[model.Worker]())
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	workers, err := s.world.Workers(c.ctx(), c.org, query)
	if err != nil {
		return nil, err
	}
	if len(fields) == 0 {
		return workers, nil
	}
	if query.Passwords {
		fields = append(fields, "password")
	}
	limited := make([]model.Raw, len(workers))
	for i, worker := range workers {
		if limited[i], err = onlyMembers(worker, fields); err != nil {
			return nil, err
		}
	}
	return limited, nil
}

// onlyMembers encodes v with these members and no others; a name that v does not have is left out.
func onlyMembers(v any, names []string) (model.Raw, error) {
	encoded, err := model.Marshal(v)
	if err != nil {
		return nil, err
	}
	var all map[string]model.Raw
	if err := model.Unmarshal(encoded, &all); err != nil {
		return nil, err
	}
	chosen := make(map[string]model.Raw, len(names))
	for _, name := range names {
		if value, ok := all[name]; ok {
			chosen[name] = value
		}
	}
	return model.Marshal(chosen)
}

func (s *Service) getWorker(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	q := c.query()
	fields, analytics := q.members("filter", reflect.TypeFor[model.Worker]()), q.flag("analytics")
	from, to := q.millis("from"), q.millis("to")
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	var worker model.Worker
	if analytics {
		worker, err = s.world.WorkerWithAnalytics(c.ctx(), c.org, id, from, to)
	} else {
		worker, err = s.world.Worker(c.ctx(), c.org, id)
	}
	if err != nil || len(fields) == 0 {
		return worker, err
	}
	return onlyMembers(worker, append(fields, "analytics"))
}

func (s *Service) updateWorker(c *call) (any, error) {
	var in model.WorkerInput
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.UpdateWorker(c.ctx(), c.actor, id, in)
}

func (s *Service) deleteWorker(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.DeleteWorker(c.ctx(), c.actor, id)
}

func (s *Service) workersNear(c *call) (any, error) {
	q := c.query()
	center := model.Location{Lon: q.neededNumber("longitude"), Lat: q.neededNumber("latitude")}
	radius := q.number("radius").Or(model.DefaultRadiusMeters)
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	return s.world.WorkersNear(c.ctx(), c.org, center, radius)
}

func (s *Service) findWorkers(c *call) (any, error) {
	query, err := c.metadataQuery()
	if err != nil {
		return nil, err
	}
	return s.world.FindWorkers(c.ctx(), c.org, query)
}

func (s *Service) getSchedule(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return s.world.Schedule(c.ctx(), c.org, id)
}

func (s *Service) setSchedule(c *call) (any, error) {
	var in model.Schedule
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.SetSchedule(c.ctx(), c.actor, id, in)
}
