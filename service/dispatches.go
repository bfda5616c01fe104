package service

import "waybill/model"

func dispatchRoutes() []Route {
	const section = "Team auto-dispatch"
	return []Route{
		{Method: "POST", Path: "/teams/{id}/dispatch", Section: section, Resource: TeamResource, handle: (*Service).dispatchTeam},
		{
			Method: "GET", Path: "/teams/{id}/dispatches", Section: section, Beyond: true, Resource: TeamResource,
			handle: (*Service).listDispatches,
		},
		{
			Method: "GET", Path: "/dispatches/{id}", Section: section, Beyond: true, Resource: DispatchResource,
			handle: (*Service).getDispatch,
		},
	}
}

func (s *Service) dispatchTeam(c *call) (any, error) {
	var in model.DispatchRequest
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.RequestDispatch(c.ctx(), c.actor, id, in)
}

func (s *Service) listDispatches(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return s.world.TeamDispatches(c.ctx(), c.org, id)
}

func (s *Service) getDispatch(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return s.world.Dispatch(c.ctx(), c.org, id)
}
