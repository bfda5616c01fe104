package service

import (
	"reflect"

	"waybill/model"
	"waybill/service/world"
)

func workerRoutes() []Route {
	const resource = WorkerResource
	return inSection("Workers", []Route{
		{Method: "POST", Path: "/workers", handle: create((*world.World).CreateWorker)},
		{Method: "GET", Path: "/workers", Extension: true, handle: (*Service).listWorkers},
		{Method: "GET", Path: "/workers/{id}", Extension: true, Resource: resource, handle: (*Service).getWorker},
		{Method: "PUT", Path: "/workers/{id}", Extension: true, Resource: resource, handle: update((*world.World).UpdateWorker)},
		{Method: "DELETE", Path: "/workers/{id}", Extension: true, Resource: resource, handle: remove((*world.World).DeleteWorker)},
		{Method: "GET", Path: "/workers/location", Extension: true, handle: (*Service).findWorkersNear},
		{Method: "POST", Path: "/workers/metadata", Extension: true, handle: findByMetadata((*world.World).FindWorkers)},
		{Method: "GET", Path: "/workers/{id}/schedule", Extension: true, Resource: resource, handle: get((*world.World).Schedule)},
		{Method: "POST", Path: "/workers/{id}/schedule", Extension: true, Resource: resource, handle: update((*world.World).SetSchedule)},
	})
}

func (s *Service) listWorkers(c *call) (any, error) {
	q := c.query()
	query := world.WorkersQuery{
		Teams: q.ids("teams"), States: states(q, "states", model.WorkerActive, "0 (off duty), 1 (idle) and 2 (active)"),
		Phones: q.list("phones"), Passwords: q.flag("includePasswordDetails"),
	}
	members := q.members("filter", reflect.TypeFor[model.Worker]())
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	workers, err := s.world.Workers(c.ctx(), c.org, query)
	if err != nil {
		return nil, err
	}
	if len(members) == 0 {
		return workers, nil
	}
	if query.Passwords {
		members = append(members, "password")
	}
	selected := make([]model.Raw, len(workers))
	for i, worker := range workers {
		if selected[i], err = marshalMembers(worker, members); err != nil {
			return nil, err
		}
	}
	return selected, nil
}

// marshalMembers encodes v with the named members only. Names that v does not have are ignored.
func marshalMembers(v any, names []string) (model.Raw, error) {
	encoded, err := model.Marshal(v)
	if err != nil {
		return nil, err
	}
	var members map[string]model.Raw
	if err := model.Unmarshal(encoded, &members); err != nil {
		return nil, err
	}
	selected := make(map[string]model.Raw, len(names))
	for _, name := range names {
		if value, ok := members[name]; ok {
			selected[name] = value
		}
	}
	return model.Marshal(selected)
}

func (s *Service) getWorker(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	q := c.query()
	members, analytics := q.members("filter", reflect.TypeFor[model.Worker]()), q.flag("analytics")
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
	if err != nil || len(members) == 0 {
		return worker, err
	}
	return marshalMembers(worker, append(members, "analytics"))
}

func (s *Service) findWorkersNear(c *call) (any, error) {
	q := c.query()
	center := model.Location{Lon: q.requiredNumber("longitude"), Lat: q.requiredNumber("latitude")}
	radius := q.number("radius").Or(model.DefaultRadiusMeters)
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	return s.world.WorkersNear(c.ctx(), c.org, center, radius)
}
