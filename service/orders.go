package service

import (
	"context"

	"waybill/model"
	"waybill/service/world"
)

func orderRoutes() []Route {
	const resource = OrderResource
	return inSection("Orders", []Route{
		{Method: "GET", Path: "/taskOrders/{id}", Resource: resource, handle: (*Service).getOrder},
		{Method: "POST", Path: "/taskOrders", Extension: true, handle: create((*world.World).CreateOrder)},
		{Method: "PUT", Path: "/taskOrders/{id}", Extension: true, Resource: resource, handle: (*Service).updateOrder},
		{Method: "POST", Path: "/taskOrders/cancel", Extension: true, handle: create((*world.World).CancelOrders)},
		{Method: "POST", Path: "/taskOrders/{id}/clone", Extension: true, Resource: resource, handle: changeOrder((*world.World).CloneOrder)},
		{Method: "POST", Path: "/taskOrders/{id}/reject", Extension: true, Resource: resource, handle: changeOrder((*world.World).RejectOrder)},
	})
}

// orderRef returns the path's {id}, which is an order's id or short id.
func (c *call) orderRef() (world.OrderRef, error) {
	ref := world.OrderRef(c.PathValue("id"))
	if !ref.Valid() {
		return "", world.NotFound()
	}
	return ref, nil
}

func (s *Service) getOrder(c *call) (any, error) {
	ref, err := c.orderRef()
	if err != nil {
		return nil, err
	}
	return s.world.Order(c.ctx(), c.org, ref)
}

func (s *Service) updateOrder(c *call) (any, error) {
	ref, err := c.orderRef()
	if err != nil {
		return nil, err
	}
	var in model.OrderInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.UpdateOrder(c.ctx(), c.actor, ref, in)
}

// changeOrder makes the handler of a change that needs only the order.
func changeOrder(change func(*world.World, context.Context, world.Actor, world.OrderRef) (model.Order, error)) handler {
	return func(s *Service, c *call) (any, error) {
		ref, err := c.orderRef()
		if err != nil {
			return nil, err
		}
		return change(s.world, c.ctx(), c.actor, ref)
	}
}
