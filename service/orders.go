package service

import (
	"waybill/model"
	"waybill/service/world"
)

func orderRoutes() []Route {
	const section = "Orders"
	return []Route{
		{Method: "GET", Path: "/taskOrders/{id}", Section: section, Resource: OrderResource, handle: (*Service).getOrder},
		{Method: "POST", Path: "/taskOrders", Section: section, Beyond: true, handle: (*Service).createOrder},
		{Method: "PUT", Path: "/taskOrders/{id}", Section: section, Beyond: true, Resource: OrderResource, handle: (*Service).updateOrder},
		{Method: "POST", Path: "/taskOrders/cancel", Section: section, Beyond: true, handle: (*Service).cancelOrders},
		{
			Method: "POST", Path: "/taskOrders/{id}/clone", Section: section, Beyond: true, Resource: OrderResource,
			handle: (*Service).cloneOrder,
		},
		{
			Method: "POST", Path: "/taskOrders/{id}/reject", Section: section, Beyond: true, Resource: OrderResource,
			handle: (*Service).rejectOrder,
		},
	}
}

// order is the path's {id}, which names an order by its id or its short id.
func (c *call) order() (world.OrderRef, error) {
	ref := world.OrderRef(c.PathValue("id"))
	if !ref.Valid() {
		return "", world.NotFound()
	}
	return ref, nil
}

func (s *Service) getOrder(c *call) (any, error) {
	ref, err := c.order()
	if err != nil {
		return nil, err
	}
	return s.world.Order(c.ctx(), c.org, ref)
}

func (s *Service) createOrder(c *call) (any, error) {
	var in model.OrderInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateOrder(c.ctx(), c.actor, in)
}

func (s *Service) updateOrder(c *call) (any, error) {
	ref, err := c.order()
	if err != nil {
		return nil, err
	}
	var in model.OrderInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.UpdateOrder(c.ctx(), c.actor, ref, in)
}

func (s *Service) cancelOrders(c *call) (any, error) {
	var in model.CancelOrders
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CancelOrders(c.ctx(), c.actor, in)
}

func (s *Service) cloneOrder(c *call) (any, error) {
	ref, err := c.order()
	if err != nil {
		return nil, err
	}
	return s.world.CloneOrder(c.ctx(), c.actor, ref)
}

func (s *Service) rejectOrder(c *call) (any, error) {
	ref, err := c.order()
	if err != nil {
		return nil, err
	}
	return s.world.RejectOrder(c.ctx(), c.actor, ref)
}
