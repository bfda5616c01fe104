package service

import "waybill/service/world"

func destinationRoutes() []Route {
	return inSection("Destinations", []Route{
		{Method: "POST", Path: "/destinations", handle: create((*world.World).CreateDestination)},
		{Method: "GET", Path: "/destinations/{id}", Resource: DestinationResource, handle: get((*world.World).Destination)},
		{Method: "POST", Path: "/destinations/metadata", Extension: true, handle: findByMetadata((*world.World).FindDestinations)},
	})
}
