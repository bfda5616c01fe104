package service

import "waybill/service/world"

func templateRoutes() []Route {
	return inSection("Task templates", []Route{
		{Method: "POST", Path: "/cfGroups/task", handle: create((*world.World).CreateTemplate)},
		{Method: "GET", Path: "/cfGroups/task", Extension: true, handle: list((*world.World).Templates)},
	})
}
