package service

import (
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/world"
)

func organizationRoutes() []Route {
	return slices.Concat(
		inSection("Authentication", []Route{{Method: "GET", Path: "/auth/test", handle: (*Service).testKey}}),
		inSection("Organization", []Route{
			{Method: "GET", Path: "/organization", Extension: true, handle: list((*world.World).Organization)},
			{
				Method: "GET", Path: "/organizations/{id}", Extension: true, Resource: OrganizationResource,
				handle: get((*world.World).ConnectedOrganization),
			},
		}),
	)
}

// testKey answers a client that wants to know whether its key is valid.
func (s *Service) testKey(c *call) (any, error) {
	org, err := s.world.Organization(c.ctx(), c.org)
	if err != nil {
		return nil, err
	}
	return model.Greeting{Message: fmt.Sprintf("Hello organization '%s' (%s), hello from %s", org.ID, org.Name, remoteHost(c.Request))}, nil
}
