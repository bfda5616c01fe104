package service

import "waybill/model"

func destinationRoutes() []Route {
	return []Route{
		{Method: "POST", Path: "/destinations", Section: "Destinations", handle: (*Service).createDestination},
		{
			Method: "GET", Path: "/destinations/{id}", Section: "Destinations", Resource: DestinationResource,
			handle: (*Service).getDestination,
		},
		{Method: "POST", Path: "/destinations/metadata", Section: "Destinations", Beyond: true, handle: (*Service).findDestinations},
	}
}

func (s *Service) createDestination(c *call) (any, error) {
	var in model.DestinationInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateDestination(c.ctx(), c.actor, in)
}

func (s *Service) getDestination(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return s.world.Destination(c.ctx(), c.org, id)
}

func (s *Service) findDestinations(c *call) (any, error) {
	query, err := c.metadataQuery()
	if err != nil {
		return nil, err
	}
	return s.world.FindDestinations(c.ctx(), c.org, query)
}
