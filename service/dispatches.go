package service

import "waybill/service/world"

func dispatchRoutes() []Route {
	return inSection("Team auto-dispatch", []Route{
		{Method: "POST", Path: "/teams/{id}/dispatch", Resource: TeamResource, handle: update((*world.World).RequestDispatch)},
		{Method: "GET", Path: "/teams/{id}/dispatches", Extension: true, Resource: TeamResource, handle: get((*world.World).TeamDispatches)},
		{Method: "GET", Path: "/dispatches/{id}", Extension: true, Resource: DispatchResource, handle: get((*world.World).Dispatch)},
	})
}
