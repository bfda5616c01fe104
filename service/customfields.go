package service

import "waybill/model"

func customFieldRoutes() []Route {
	const section = "Custom fields"
	return []Route{
		{Method: "GET", Path: "/customFields/Task", Section: section, Beyond: true, handle: (*Service).listCustomFields},
		{Method: "POST", Path: "/customFields", Section: section, Beyond: true, handle: (*Service).createCustomFields},
		{Method: "PUT", Path: "/customFields", Section: section, Beyond: true, handle: (*Service).updateCustomFields},
		{Method: "DELETE", Path: "/customFields", Section: section, Beyond: true, handle: (*Service).deleteCustomFields},
	}
}

func (s *Service) listCustomFields(c *call) (any, error) { return s.world.CustomFields(c.ctx(), c.org) }

func (s *Service) createCustomFields(c *call) (any, error) {
	var in model.CustomFieldChange
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateCustomFields(c.ctx(), c.actor, in)
}

func (s *Service) updateCustomFields(c *call) (any, error) {
	var in model.CustomFieldChange
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.UpdateCustomFields(c.ctx(), c.actor, in)
}

func (s *Service) deleteCustomFields(c *call) (any, error) {
	var in model.CustomFieldChange
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return empty{}, s.world.DeleteCustomFields(c.ctx(), c.actor, in)
}
