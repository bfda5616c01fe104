package service

import (
	"waybill/model"
	"waybill/service/world"
)

func routePlanRoutes() []Route {
	const resource = RoutePlanResource
	return inSection("Route plans", []Route{
		{Method: "GET", Path: "/routePlans", Extension: true, handle: (*Service).listRoutePlans},
		{Method: "POST", Path: "/routePlans", Extension: true, handle: create((*world.World).CreateRoutePlan)},
		{Method: "GET", Path: "/routePlans/{id}", Extension: true, Resource: resource, handle: get((*world.World).RoutePlan)},
		{Method: "PUT", Path: "/routePlans/{id}", Extension: true, Resource: resource, handle: update((*world.World).UpdateRoutePlan)},
		{Method: "DELETE", Path: "/routePlans/{id}", Extension: true, Resource: resource, handle: remove((*world.World).DeleteRoutePlan)},
		{Method: "PUT", Path: "/routePlans/{id}/tasks", Extension: true, Resource: resource, handle: update((*world.World).AddRoutePlanTasks)},
	})
}

func (s *Service) listRoutePlans(c *call) (any, error) {
	q := c.query()
	filter := world.RoutePlanFilter{
		Worker: q.id("workerId"), StartsFrom: q.millis("startTimeFrom"), StartsTo: q.millis("startTimeTo"),
		CreatedFrom: q.millis("createdTimeFrom"), CreatedTo: q.millis("createdTimeTo"), HasTasks: q.bool("hasTasks"),
		Limit: q.count("limit"),
	}
	if filter.Limit > model.MaxRoutePlans {
		q.refuse("limit", model.ErrorInvalid, "A list holds at most %d route plans.", model.MaxRoutePlans)
	}
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	return s.world.RoutePlans(c.ctx(), c.org, filter)
}
