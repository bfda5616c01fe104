package service

import "waybill/model"

func containerRoutes() []Route {
	const section = "Containers"
	var routes []Route
	for _, kind := range []struct {
		path     string
		resource Resource
		ref      func(model.ID) model.ContainerRef
	}{
		{"organizations", ContainerResource, model.OrganizationContainer},
		{"teams", TeamResource, model.TeamContainer},
		{"workers", WorkerResource, model.WorkerContainer},
	} {
		path := "/containers/" + kind.path + "/{id}"
		routes = append(routes,
			Route{Method: "GET", Path: path, Section: section, Beyond: true, Resource: kind.resource, handle: getContainer(kind.ref)},
			Route{Method: "PUT", Path: path, Section: section, Beyond: true, Resource: kind.resource, handle: updateContainer(kind.ref)})
	}
	return routes
}

func getContainer(ref func(model.ID) model.ContainerRef) func(*Service, *call) (any, error) {
	return func(s *Service, c *call) (any, error) {
		id, err := c.id()
		if err != nil {
			return nil, err
		}
		return s.world.Container(c.ctx(), c.org, ref(id))
	}
}

func updateContainer(ref func(model.ID) model.ContainerRef) func(*Service, *call) (any, error) {
	return func(s *Service, c *call) (any, error) {
		id, err := c.id()
		if err != nil {
			return nil, err
		}
		var in model.ContainerUpdate
		if err := c.decode(&in); err != nil {
			return nil, err
		}
		return s.world.UpdateContainer(c.ctx(), c.actor, ref(id), in)
	}
}
