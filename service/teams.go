package service

import (
	"waybill/model"
	"waybill/service/world"
)

func teamRoutes() []Route {
	const section = "Teams"
	return []Route{
		{Method: "GET", Path: "/teams", Section: section, Beyond: true, handle: (*Service).listTeams},
		{Method: "POST", Path: "/teams", Section: section, Beyond: true, handle: (*Service).createTeam},
		{Method: "GET", Path: "/teams/{id}", Section: section, Beyond: true, Resource: TeamResource, handle: (*Service).getTeam},
		{Method: "PUT", Path: "/teams/{id}", Section: section, Beyond: true, Resource: TeamResource, handle: (*Service).updateTeam},
		{Method: "DELETE", Path: "/teams/{id}", Section: section, Beyond: true, Resource: TeamResource, handle: (*Service).deleteTeam},
		{
			Method: "GET", Path: "/teams/{id}/estimate", Section: section, Beyond: true, Resource: TeamResource,
			handle: (*Service).teamEstimate,
		},
		{Method: "POST", Path: "/teams/metadata", Section: section, Beyond: true, handle: (*Service).findTeams},
	}
}

func (s *Service) listTeams(c *call) (any, error) { return s.world.Teams(c.ctx(), c.org) }

func (s *Service) createTeam(c *call) (any, error) {
	var in model.TeamInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateTeam(c.ctx(), c.actor, in)
}

func (s *Service) getTeam(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return s.world.Team(c.ctx(), c.org, id)
}

func (s *Service) updateTeam(c *call) (any, error) {
	var in model.TeamInput
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.UpdateTeam(c.ctx(), c.actor, id, in)
}

func (s *Service) deleteTeam(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.DeleteTeam(c.ctx(), c.actor, id)
}

func (s *Service) findTeams(c *call) (any, error) {
	query, err := c.metadataQuery()
	if err != nil {
		return nil, err
	}
	return s.world.FindTeams(c.ctx(), c.org, query)
}

func (s *Service) teamEstimate(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	q := c.query()
	query := world.EstimateQuery{Pickup: q.location("pickupLocation"), Dropoff: q.location("dropoffLocation")}
	if ready := q.number("pickupTime"); ready.Has() {
		query.PickupTime = model.Some(model.UnixSeconds(ready.Value()))
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
