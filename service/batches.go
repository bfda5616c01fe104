package service

import "waybill/model"

func batchRoutes() []Route {
	const section = "Tasks"
	return []Route{
		{Method: "POST", Path: "/tasks/batch-async", Section: section, Batch: true, handle: (*Service).submitBatch},
		{Method: "POST", Path: "/tasks/batch", Section: section, Beyond: true, Batch: true, handle: (*Service).createBatch},
		{Method: "GET", Path: "/tasks/batch/{id}", Section: section, Beyond: true, Resource: BatchResource, handle: (*Service).getBatch},
	}
}

func (s *Service) submitBatch(c *call) (any, error) {
	var in model.BatchRequest
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.SubmitBatch(c.ctx(), c.actor, in)
}

func (s *Service) createBatch(c *call) (any, error) {
	var in model.BatchRequest
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateBatch(c.ctx(), c.actor, in)
}

func (s *Service) getBatch(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return s.world.Batch(c.ctx(), c.org, id)
}
