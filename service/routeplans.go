package service

import (
	"waybill/model"
	"waybill/service/world"
)

func routePlanRoutes() []Route {
	const resource = RoutePlanResource
	return inSection("Route plans", []Route{
		{Method: "GET", Path: "/routePlans", Extension: true, handle: search((*query).routePlanFilter, (*world.World).RoutePlans)},
		{Method: "POST", Path: "/routePlans", Extension: true, handle: create((*world.World).CreateRoutePlan)},
		{Method: "GET", Path: "/routePlans/{id}", Extension: true, Resource: resource, handle: get((*world.World).RoutePlan)},
		{Method: "PUT", Path: "/routePlans/{id}", Extension: true, Resource: resource, handle: update((*world.World).UpdateRoutePlan)},
		{Method: "DELETE", Path: "/routePlans/{id}", Extension: true, Resource: resource, handle: remove((*world.World).DeleteRoutePlan)},
		{Method: "PUT", Path: "/routePlans/{id}/tasks", Extension: true, Resource: resource, handle: update((*world.World).AddRoutePlanTasks)},
	})
}

func (q *query) routePlanFilter() world.RoutePlanFilter {
	filter := world.RoutePlanFilter{
		Worker: q.id("workerId"), StartsFrom: q.millis("startTimeFrom"), StartsTo: q.millis("startTimeTo"),
		CreatedFrom: q.millis("createdTimeFrom"), CreatedTo: q.millis("createdTimeTo"), HasTasks: q.bool("hasTasks"),
		Limit: q.count("limit"),
	}
	if filter.Limit > model.MaxRoutePlans {
		q.refuse("limit", model.ErrorInvalid, "A list holds at most %d route plans.", model.MaxRoutePlans)
	}
	return filter
}
