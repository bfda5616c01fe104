package service

import (
	"waybill/model"
	"waybill/service/world"
)

func customFieldRoutes() []Route {
	return inSection("Custom fields", []Route{
		{Method: "GET", Path: "/customFields/Task", Extension: true, handle: list((*world.World).CustomFields)},
		{Method: "POST", Path: "/customFields", Extension: true, handle: create((*world.World).CreateCustomFields)},
		{Method: "PUT", Path: "/customFields", Extension: true, handle: create((*world.World).UpdateCustomFields)},
		{Method: "DELETE", Path: "/customFields", Extension: true, handle: (*Service).deleteCustomFields},
	})
}

func (s *Service) deleteCustomFields(c *call) (any, error) {
	var in model.CustomFieldChange
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return empty{}, s.world.DeleteCustomFields(c.ctx(), c.actor, in)
}
