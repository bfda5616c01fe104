package service

import (
	"waybill/model"
	"waybill/service/world"
)

func teamRoutes() []Route {
	estimate := searchIn((*query).estimateQuery, (*world.World).TeamEstimate)
	return inSection("Teams", []Route{
		{Method: "GET", Path: "/teams", Extension: true, handle: list((*world.World).Teams)},
		{Method: "POST", Path: "/teams", Extension: true, handle: create((*world.World).CreateTeam)},
		{Method: "GET", Path: "/teams/{id}", Extension: true, Resource: TeamResource, handle: get((*world.World).Team)},
		{Method: "PUT", Path: "/teams/{id}", Extension: true, Resource: TeamResource, handle: update((*world.World).UpdateTeam)},
		{Method: "DELETE", Path: "/teams/{id}", Extension: true, Resource: TeamResource, handle: remove((*world.World).DeleteTeam)},
		{Method: "GET", Path: "/teams/{id}/estimate", Extension: true, Resource: TeamResource, handle: estimate},
		{Method: "POST", Path: "/teams/metadata", Extension: true, handle: findByMetadata((*world.World).FindTeams)},
	})
}

func (q *query) estimateQuery() world.EstimateQuery {
	query := world.EstimateQuery{Pickup: q.location("pickupLocation"), Dropoff: q.location("dropoffLocation")}
	if pickup := q.number("pickupTime"); pickup.Has() {
		query.PickupTime = model.Some(model.UnixSeconds(pickup.Value()))
	}
	if service := q.number("serviceTime"); service.Has() {
		query.ServiceTime = model.Some(model.Seconds(service.Value()))
	}
	for _, vehicle := range q.list("restrictedVehiclesTypes") {
		query.ExcludedVehicles = append(query.ExcludedVehicles, model.VehicleType(vehicle))
	}
	return query
}
