package service

import "waybill/service/world"

func batchRoutes() []Route {
	return inSection("Tasks", []Route{
		{Method: "POST", Path: "/tasks/batch-async", Batch: true, handle: create((*world.World).SubmitBatch)},
		{Method: "POST", Path: "/tasks/batch", Extension: true, Batch: true, handle: create((*world.World).CreateBatch)},
		{Method: "GET", Path: "/tasks/batch/{id}", Extension: true, Resource: BatchResource, handle: get((*world.World).Batch)},
	})
}
