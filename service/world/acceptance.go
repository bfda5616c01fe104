package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// AcceptInvitation notes that a driver has taken up the invitation, and with which device.
func (w *World) AcceptInvitation(ctx context.Context, worker model.ID, device model.UserData) error {
	return w.store.Write(ctx, func(tx *store.Tx) error { return w.acceptWorker(ctx, tx, worker, device) })
}

func (w *World) acceptWorker(ctx context.Context, tx *store.Tx, worker model.ID, device model.UserData) error {
	stored, err := ReadWorker(ctx, tx, worker, w.Now())
	if err != nil {
		return err
	}
	now := stored.UserData.Value()
	set(&now.AppVersion, device.AppVersion)
	set(&now.DeviceDescription, device.DeviceDescription)
	set(&now.Platform, device.Platform)
	stored.UserData, stored.AccountStatus, stored.TimeLastModified = model.Some(now), model.AccountAccepted, w.Now()
	return saveWorkerDoc(ctx, tx, stored)
}
