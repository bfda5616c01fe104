package service

import (
	"fmt"

	"waybill/model"
)

func organizationRoutes() []Route {
	return []Route{
		{Method: "GET", Path: "/auth/test", Section: "Authentication", handle: (*Service).authTest},
		{Method: "GET", Path: "/organization", Section: "Organization", Beyond: true, handle: (*Service).getOrganization},
		{
			Method: "GET", Path: "/organizations/{id}", Section: "Organization", Beyond: true, Resource: OrganizationResource,
			handle: (*Service).getConnected,
		},
	}
}

func (s *Service) authTest(c *call) (any, error) {
	org, err := s.world.Organization(c.ctx(), c.org)
	if err != nil {
		return nil, err
	}
	return model.Greeting{Message: fmt.Sprintf("Hello organization '%s' (%s), hello from %s", org.ID, org.Name, remoteHost(c.Request))}, nil
}

func (s *Service) getOrganization(c *call) (any, error) { return s.world.Organization(c.ctx(), c.org) }

func (s *Service) getConnected(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return s.world.ConnectedOrganization(c.ctx(), c.org, id)
}
