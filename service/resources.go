package service

import (
	"waybill/model"
	"waybill/service/openapi"
	"waybill/service/world"
)

func destinationRoutes() []Route {
	return inSection("Destinations", []Route{
		{Method: "POST", Path: "/destinations", handle: create((*world.World).CreateDestination)},
		{Method: "GET", Path: "/destinations/{id}", Resource: DestinationResource, handle: get((*world.World).Destination)},
		{Method: "POST", Path: "/destinations/metadata", Extension: true, handle: findByMetadata((*world.World).FindDestinations)},
	})
}

func hubRoutes() []Route {
	return inSection("Hubs", []Route{
		{Method: "GET", Path: "/hubs", Extension: true, handle: list((*world.World).Hubs)},
		{Method: "POST", Path: "/hubs", Extension: true, handle: create((*world.World).CreateHub)},
		{Method: "PUT", Path: "/hubs/{id}", Extension: true, Resource: HubResource, handle: update((*world.World).UpdateHub)},
	})
}

func adminRoutes() []Route {
	return inSection("Administrators", []Route{
		{Method: "GET", Path: "/admins", Extension: true, handle: list((*world.World).Admins)},
		{Method: "POST", Path: "/admins", Extension: true, handle: create((*world.World).CreateAdmin)},
		{Method: "PUT", Path: "/admins/{id}", Extension: true, Resource: AdminResource, handle: update((*world.World).UpdateAdmin)},
		{Method: "DELETE", Path: "/admins/{id}", Extension: true, Resource: AdminResource, handle: remove((*world.World).DeleteAdmin)},
		{Method: "POST", Path: "/admins/metadata", Extension: true, handle: findByMetadata((*world.World).FindAdmins)},
	})
}

func templateRoutes() []Route {
	return inSection("Task templates", []Route{
		{Method: "POST", Path: "/cfGroups/task", handle: create((*world.World).CreateTemplate)},
		{Method: "GET", Path: "/cfGroups/task", Extension: true, handle: list((*world.World).Templates)},
	})
}

func dispatchRoutes() []Route {
	return inSection("Team auto-dispatch", []Route{
		{Method: "POST", Path: "/teams/{id}/dispatch", Resource: TeamResource, handle: update((*world.World).RequestDispatch)},
		{Method: "GET", Path: "/teams/{id}/dispatches", Extension: true, Resource: TeamResource, handle: get((*world.World).TeamDispatches)},
		{Method: "GET", Path: "/dispatches/{id}", Extension: true, Resource: DispatchResource, handle: get((*world.World).Dispatch)},
	})
}

func batchRoutes() []Route {
	return inSection("Tasks", []Route{
		{Method: "POST", Path: "/tasks/batch-async", Batch: true, handle: create((*world.World).SubmitBatch)},
		{Method: "POST", Path: "/tasks/batch", Extension: true, Batch: true, handle: create((*world.World).CreateBatch)},
		{Method: "GET", Path: "/tasks/batch/{id}", Extension: true, Resource: BatchResource, handle: get((*world.World).Batch)},
	})
}

func quoteRoutes() []Route {
	return inSection("Quotes", []Route{{Method: "POST", Path: "/deliveryServices/quote", handle: (*Service).createQuote}})
}

func (s *Service) createQuote(c *call) (any, error) {
	q := c.query()
	client := q.id("clientId")
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	var in model.QuoteRequest
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateQuotes(c.ctx(), c.actor, client, in)
}

func documentationRoutes() []Route {
	return inSection("Documentation", []Route{
		{Method: "GET", Path: "/openapi.json", Extension: true, handle: (*Service).getOpenAPI},
	})
}

func (s *Service) getOpenAPI(*call) (any, error) { return model.Raw(openapi.Document()), nil }
