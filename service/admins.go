package service

import "waybill/model"

func adminRoutes() []Route {
	const section = "Administrators"
	return []Route{
		{Method: "GET", Path: "/admins", Section: section, Beyond: true, handle: (*Service).listAdmins},
		{Method: "POST", Path: "/admins", Section: section, Beyond: true, handle: (*Service).createAdmin},
		{Method: "PUT", Path: "/admins/{id}", Section: section, Beyond: true, Resource: AdminResource, handle: (*Service).updateAdmin},
		{Method: "DELETE", Path: "/admins/{id}", Section: section, Beyond: true, Resource: AdminResource, handle: (*Service).deleteAdmin},
		{Method: "POST", Path: "/admins/metadata", Section: section, Beyond: true, handle: (*Service).findAdmins},
	}
}

func (s *Service) listAdmins(c *call) (any, error) { return s.world.Admins(c.ctx(), c.org) }

func (s *Service) createAdmin(c *call) (any, error) {
	var in model.AdminInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateAdmin(c.ctx(), c.actor, in)
}

func (s *Service) updateAdmin(c *call) (any, error) {
	var in model.AdminInput
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.UpdateAdmin(c.ctx(), c.actor, id, in)
}

func (s *Service) deleteAdmin(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.DeleteAdmin(c.ctx(), c.actor, id)
}

func (s *Service) findAdmins(c *call) (any, error) {
	query, err := c.metadataQuery()
	if err != nil {
		return nil, err
	}
	return s.world.FindAdmins(c.ctx(), c.org, query)
}
