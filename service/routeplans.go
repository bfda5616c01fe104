package service

import (
	"waybill/model"
	"waybill/service/world"
)

func routePlanRoutes() []Route {
	const section = "Route plans"
	return []Route{
		{Method: "GET", Path: "/routePlans", Section: section, Beyond: true, handle: (*Service).listRoutePlans},
		{Method: "POST", Path: "/routePlans", Section: section, Beyond: true, handle: (*Service).createRoutePlan},
		{
			Method: "GET", Path: "/routePlans/{id}", Section: section, Beyond: true, Resource: RoutePlanResource,
			handle: (*Service).getRoutePlan,
		},
		{
			Method: "PUT", Path: "/routePlans/{id}", Section: section, Beyond: true, Resource: RoutePlanResource,
			handle: (*Service).updateRoutePlan,
		},
		{
			Method: "DELETE", Path: "/routePlans/{id}", Section: section, Beyond: true, Resource: RoutePlanResource,
			handle: (*Service).deleteRoutePlan,
		},
		{
			Method: "PUT", Path: "/routePlans/{id}/tasks", Section: section, Beyond: true, Resource: RoutePlanResource,
			handle: (*Service).addRoutePlanTasks,
		},
	}
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

func (s *Service) createRoutePlan(c *call) (any, error) {
	var in model.RoutePlanInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateRoutePlan(c.ctx(), c.actor, in)
}

func (s *Service) getRoutePlan(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return s.world.RoutePlan(c.ctx(), c.org, id)
}

func (s *Service) updateRoutePlan(c *call) (any, error) {
	var in model.RoutePlanInput
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.UpdateRoutePlan(c.ctx(), c.actor, id, in)
}

func (s *Service) addRoutePlanTasks(c *call) (any, error) {
	var in model.RoutePlanInput
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.AddRoutePlanTasks(c.ctx(), c.actor, id, in)
}

func (s *Service) deleteRoutePlan(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.DeleteRoutePlan(c.ctx(), c.actor, id)
}
