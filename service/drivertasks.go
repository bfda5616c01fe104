package service

import (
	"context"

	"waybill/model"
	"waybill/service/world"
)

// completionRequest is what a driver hands in at the end of a task.
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

// driverStep makes the handler of a step that needs nothing but the task.
func driverStep(
	step func(w *world.World, ctx context.Context, worker, task model.ID) error,
) func(*Service, *driverCall) (any, error) {
	return func(s *Service, c *driverCall) (any, error) {
		id, err := c.id()
		if err != nil {
			return nil, err
		}
		return empty{}, step(s.world, c.ctx(), c.driver.Worker, id)
	}
}

func (s *Service) driverComplete(c *driverCall) (any, error) {
	var in completionRequest
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.CompleteTask(c.ctx(), c.driver.Worker, id, in.completion())
}

func (s *Service) driverFail(c *driverCall) (any, error) {
	var in completionRequest
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	if in.FailureReason == "" && in.Notes == "" {
		return nil, world.Invalid("failureReason: A failed task needs a reason or notes.")
	}
	return empty{}, s.world.FailTask(c.ctx(), c.driver.Worker, id, in.completion())
}

func (s *Service) driverGeofence(c *driverCall) (any, error) {
	var in struct {
		Type model.Int `json:"type"`
	}
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.RecordGeofenceAttempt(c.ctx(), c.driver.Worker, id, in.Type)
}
