package service

import (
	"waybill/model"
	"waybill/service/world"
)

func teamRoutes() []Route {
	return inSection("Teams", []Route{
		{Method: "GET", Path: "/teams", Extension: true, handle: list((*world.World).Teams)},
		{Method: "POST", Path: "/teams", Extension: true, handle: create((*world.World).CreateTeam)},
		{Method: "GET", Path: "/teams/{id}", Extension: true, Resource: TeamResource, handle: get((*world.World).Team)},
		{Method: "PUT", Path: "/teams/{id}", Extension: true, Resource: TeamResource, handle: update((*world.World).UpdateTeam)},
		{Method: "DELETE", Path: "/teams/{id}", Extension: true, Resource: TeamResource, handle: remove((*world.World).DeleteTeam)},
		{Method: "GET", Path: "/teams/{id}/estimate", Extension: true, Resource: TeamResource, handle: (*Service).estimateDelivery},
		{Method: "POST", Path: "/teams/metadata", Extension: true, handle: findByMetadata((*world.World).FindTeams)},
	})
}

func (s *Service) estimateDelivery(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	q := c.query()
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
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	return s.world.TeamEstimate(c.ctx(), c.org, id, query)
}
