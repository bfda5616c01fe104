package service

import "waybill/model"

func hubRoutes() []Route {
	const section = "Hubs"
	return []Route{
		{Method: "GET", Path: "/hubs", Section: section, Beyond: true, handle: (*Service).listHubs},
		{Method: "POST", Path: "/hubs", Section: section, Beyond: true, handle: (*Service).createHub},
		{Method: "PUT", Path: "/hubs/{id}", Section: section, Beyond: true, Resource: HubResource, handle: (*Service).updateHub},
	}
}

func (s *Service) listHubs(c *call) (any, error) { return s.world.Hubs(c.ctx(), c.org) }

func (s *Service) createHub(c *call) (any, error) {
	var in model.HubInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateHub(c.ctx(), c.actor, in)
}

func (s *Service) updateHub(c *call) (any, error) {
	var in model.HubInput
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.UpdateHub(c.ctx(), c.actor, id, in)
}
