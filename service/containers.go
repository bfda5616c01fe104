package service

import "waybill/model"

func containerRoutes() []Route {
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
			Route{Method: "GET", Path: path, Extension: true, Resource: kind.resource, handle: getContainer(kind.ref)},
			Route{Method: "PUT", Path: path, Extension: true, Resource: kind.resource, handle: updateContainer(kind.ref)})
	}
	return inSection("Containers", routes)
}

func getContainer(ref func(model.ID) model.ContainerRef) handler {
	return func(s *Service, c *call) (any, error) {
		id, err := c.id()
		if err != nil {
			return nil, err
		}
		return s.world.Container(c.ctx(), c.org, ref(id))
	}
}

func updateContainer(ref func(model.ID) model.ContainerRef) handler {
	return func(s *Service, c *call) (any, error) {
		var in model.ContainerUpdate
		id, err := c.decodeWithID(&in)
		if err != nil {
			return nil, err
		}
		return s.world.UpdateContainer(c.ctx(), c.actor, ref(id), in)
	}
}
