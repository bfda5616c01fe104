package service

import (
	"context"

	"waybill/model"
	"waybill/service/world"
)

// handler answers a request with a value to encode, or [empty].
type handler = func(*Service, *call) (any, error)

// The functions below turn a method of [world.World] into a handler. They differ in what the method needs from the
// request.

// list answers with what the organization has.
func list[Result any](read func(*world.World, context.Context, model.ID) (Result, error)) handler {
	return func(s *Service, c *call) (any, error) { return read(s.world, c.ctx(), c.org) }
}

// get answers with the resource that the path's {id} names.
func get[Result any](read func(w *world.World, ctx context.Context, org, id model.ID) (Result, error)) handler {
	return func(s *Service, c *call) (any, error) {
		id, err := c.id()
		if err != nil {
			return nil, err
		}
		return read(s.world, c.ctx(), c.org, id)
	}
}

// search answers with what the parameters of the request select.
func search[Filter, Result any](
	parse func(*query) Filter, read func(*world.World, context.Context, model.ID, Filter) (Result, error),
) handler {
	return func(s *Service, c *call) (any, error) {
		q := c.query()
		filter := parse(q)
		if err := q.problems.Err(); err != nil {
			return nil, err
		}
		return read(s.world, c.ctx(), c.org, filter)
	}
}

// searchIn is search within the resource that the path's {id} names.
func searchIn[Filter, Result any](
	parse func(*query) Filter, read func(w *world.World, ctx context.Context, org, id model.ID, filter Filter) (Result, error),
) handler {
	return func(s *Service, c *call) (any, error) {
		id, err := c.id()
		if err != nil {
			return nil, err
		}
		return search(parse, func(w *world.World, ctx context.Context, org model.ID, filter Filter) (Result, error) {
			return read(w, ctx, org, id, filter)
		})(s, c)
	}
}

// findByMetadata answers with the resources that match the metadata in the body.
func findByMetadata[Result any](find func(*world.World, context.Context, model.ID, []model.Metadata) (Result, error)) handler {
	return func(s *Service, c *call) (any, error) {
		var query []model.Metadata
		if err := c.decode(&query); err != nil {
			return nil, err
		}
		return find(s.world, c.ctx(), c.org, query)
	}
}

// create passes on the body.
func create[Input, Result any](change func(*world.World, context.Context, world.Actor, Input) (Result, error)) handler {
	return func(s *Service, c *call) (any, error) {
		var in Input
		if err := c.decode(&in); err != nil {
			return nil, err
		}
		return change(s.world, c.ctx(), c.actor, in)
	}
}

// update passes on the path's {id} and the body.
func update[Input, Result any](change func(*world.World, context.Context, world.Actor, model.ID, Input) (Result, error)) handler {
	return func(s *Service, c *call) (any, error) {
		var in Input
		id, err := c.decodeWithID(&in)
		if err != nil {
			return nil, err
		}
		return change(s.world, c.ctx(), c.actor, id, in)
	}
}

// remove deletes the resource that the path's {id} names.
func remove(change func(*world.World, context.Context, world.Actor, model.ID) error) handler {
	return func(s *Service, c *call) (any, error) {
		id, err := c.id()
		if err != nil {
			return nil, err
		}
		return empty{}, change(s.world, c.ctx(), c.actor, id)
	}
}
