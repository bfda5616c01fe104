package service

import "waybill/service/world"

func adminRoutes() []Route {
	return inSection("Administrators", []Route{
		{Method: "GET", Path: "/admins", Extension: true, handle: list((*world.World).Admins)},
		{Method: "POST", Path: "/admins", Extension: true, handle: create((*world.World).CreateAdmin)},
		{Method: "PUT", Path: "/admins/{id}", Extension: true, Resource: AdminResource, handle: update((*world.World).UpdateAdmin)},
		{Method: "DELETE", Path: "/admins/{id}", Extension: true, Resource: AdminResource, handle: remove((*world.World).DeleteAdmin)},
		{Method: "POST", Path: "/admins/metadata", Extension: true, handle: findByMetadata((*world.World).FindAdmins)},
	})
}
