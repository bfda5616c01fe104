package service

import "waybill/service/world"

func hubRoutes() []Route {
	return inSection("Hubs", []Route{
		{Method: "GET", Path: "/hubs", Extension: true, handle: list((*world.World).Hubs)},
		{Method: "POST", Path: "/hubs", Extension: true, handle: create((*world.World).CreateHub)},
		{Method: "PUT", Path: "/hubs/{id}", Extension: true, Resource: HubResource, handle: update((*world.World).UpdateHub)},
	})
}
