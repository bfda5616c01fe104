package service

import (
	"context"

	"waybill/model"
	"waybill/service/world"
)

// changeDriverTask makes the handler of a change that needs only the task.
func changeDriverTask(
	change func(w *world.World, ctx context.Context, worker, task model.ID) error,
) func(*Service, *driverCall) (any, error) {
	return func(s *Service, c *driverCall) (any, error) {
		id, err := c.id()
		if err != nil {
			return nil, err
		}
		return empty{}, change(s.world, c.ctx(), c.session.Worker, id)
	}
}

func (s *Service) completeDriverTask(c *driverCall) (any, error) {
	var in world.Completion
	id, err := c.decodeWithID(&in)
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.CompleteTask(c.ctx(), c.session.Worker, id, in)
}

func (s *Service) failDriverTask(c *driverCall) (any, error) {
	var in world.Completion
	id, err := c.decodeWithID(&in)
	if err != nil {
		return nil, err
	}
	if in.FailureReason == "" && in.Notes == "" {
		return nil, world.Invalid("failureReason: Give a reason or notes for a failed task.")
	}
	return empty{}, s.world.FailTask(c.ctx(), c.session.Worker, id, in)
}

func (s *Service) recordGeofenceAttempt(c *driverCall) (any, error) {
	var in struct {
		Type model.Int `json:"type"`
	}
	id, err := c.decodeWithID(&in)
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.RecordGeofenceAttempt(c.ctx(), c.session.Worker, id, in.Type)
}
