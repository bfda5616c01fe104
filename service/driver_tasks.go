package service

import (
	"context"

	"waybill/model"
	"waybill/service/world"
)

// completionRequest is the body with which a driver completes or fails a task.
type completionRequest struct {
	Notes             string                  `json:"notes,omitzero"`
	SignatureUploadID string                  `json:"signatureUploadId,omitzero"`
	SignatureText     string                  `json:"signatureText,omitzero"`
	PhotoUploadIDs    []string                `json:"photoUploadIds,omitzero"`
	Barcodes          []model.CapturedBarcode `json:"barcodes,omitzero"`
	VerifiedAge       model.Int               `json:"verifiedAge,omitzero"`
	FailureReason     string                  `json:"failureReason,omitzero"`
}

func (r completionRequest) completion() world.Completion {
	return world.Completion{
		Notes: r.Notes, SignatureUploadID: r.SignatureUploadID, SignatureText: r.SignatureText, PhotoUploadIDs: r.PhotoUploadIDs,
		Barcodes: r.Barcodes, VerifiedAge: r.VerifiedAge, FailureReason: r.FailureReason,
	}
}

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
	var in completionRequest
	id, err := c.decodeWithID(&in)
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.CompleteTask(c.ctx(), c.session.Worker, id, in.completion())
}

func (s *Service) failDriverTask(c *driverCall) (any, error) {
	var in completionRequest
	id, err := c.decodeWithID(&in)
	if err != nil {
		return nil, err
	}
	if in.FailureReason == "" && in.Notes == "" {
		return nil, world.Invalid("failureReason: Give a reason or notes for a failed task.")
	}
	return empty{}, s.world.FailTask(c.ctx(), c.session.Worker, id, in.completion())
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
