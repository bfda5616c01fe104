package service

import (
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

func (s *Service) driverStart(c *driverCall) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.StartTask(c.ctx(), c.driver.Worker, id)
}

func (s *Service) driverArrive(c *driverCall) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.ArriveTask(c.ctx(), c.driver.Worker, id)
}

func (s *Service) driverDepart(c *driverCall) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.DepartTask(c.ctx(), c.driver.Worker, id)
}

func (s *Service) driverComplete(c *driverCall) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	var in completionRequest
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return empty{}, s.world.CompleteTask(c.ctx(), c.driver.Worker, id, in.completion())
}

func (s *Service) driverFail(c *driverCall) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	var in completionRequest
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.FailureReason == "" && in.Notes == "" {
		return nil, world.Invalid("failureReason: A failed task needs a reason or notes.")
	}
	return empty{}, s.world.FailTask(c.ctx(), c.driver.Worker, id, in.completion())
}

func (s *Service) driverGeofence(c *driverCall) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	var in struct {
		Type model.Int `json:"type"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return empty{}, s.world.GeofenceAttempt(c.ctx(), c.driver.Worker, id, in.Type)
}
