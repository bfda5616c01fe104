package world

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// Completion is what a driver submits at the end of a task, in its wire form.
type Completion struct {
	Notes             string                  `json:"notes,omitzero"`
	SignatureUploadID string                  `json:"signatureUploadId,omitzero"`
	SignatureText     string                  `json:"signatureText,omitzero"`
	PhotoUploadIDs    []string                `json:"photoUploadIds,omitzero"`
	Barcodes          []model.CapturedBarcode `json:"barcodes,omitzero"`
	// VerifiedAge is the recipient's age on the scanned document; 0 when none was scanned.
	VerifiedAge model.Int `json:"verifiedAge,omitzero"`
	// FailureReason is why the task failed.
	FailureReason string `json:"failureReason,omitzero"`
}

// CompleteTask completes a started task with success. Everything the task requires must be there.
func (w *World) CompleteTask(ctx context.Context, worker, task model.ID, c Completion) error {
	return w.finishByDriver(ctx, worker, task, c, true)
}

// FailTask completes a started task without success. Nothing is required for that.
func (w *World) FailTask(ctx context.Context, worker, task model.ID, c Completion) error {
	return w.finishByDriver(ctx, worker, task, c, false)
}

func (w *World) finishByDriver(ctx context.Context, worker, task model.ID, c Completion, success bool) error {
	return w.changeTaskByDriver(ctx, worker, task, func(tx *store.Tx, d *driver, row *taskRow) error {
		return w.finishTask(ctx, tx, d.actor(), row, func(content *model.Task, now model.Millis) error {
			if err := captureBarcodes(content, c.Barcodes, d.at, now); err != nil {
				return err
			}
			if success {
				if problems := missingRequirements(content, c); len(problems) > 0 {
					return problems
				}
			}
			fillCompletion(&content.CompletionDetails, c, success)
			content.CompletionDetails.LastLocation = d.at
			return nil
		})
	})
}

// ForceCompleteTask completes a started task on behalf of a dispatcher, without any requirements.
func (w *World) ForceCompleteTask(ctx context.Context, actor Actor, id model.ID, in model.CompleteRequest) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		row, err := loadTask(ctx, tx, actor.Org, id)
		if err != nil {
			return err
		}
		if err := in.Check().Err(); err != nil {
			return err
		}
		if reason := model.CompleteForbidden(row.state); reason != "" {
			return Invalid("%s", reason)
		}
		return w.finishTask(ctx, tx, actor, row, func(content *model.Task, _ model.Millis) error {
			details := in.CompletionDetails
			fillCompletion(&content.CompletionDetails, Completion{Notes: details.Notes.Value()}, details.Success.Value())
			return nil
		})
	})
}

// finishTask completes a started task and records taskCompleted or taskFailed.
func (w *World) finishTask(ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, fill func(*model.Task, model.Millis) error) error {
	if reason := model.CompleteForbidden(row.state); reason != "" {
		return Conflict("%s", reason)
	}
	content, err := row.decode()
	if err != nil {
		return err
	}
	now := w.Now()
	if err := fill(&content, now); err != nil {
		return err
	}
	meters, err := metersSinceStart(ctx, tx, row)
	if err != nil {
		return err
	}
	content.CompletionDetails.Time = model.Some(now)
	content.CompletionDetails.Distance = model.Some(meters)
	row.finish(ctx, tx, &content, now)
	success := content.CompletionDetails.Success.Value()
	if success {
		addServiceTime(ctx, tx, row, now)
	}
	w.recordTaskEvents(ctx, tx, actor, row, now, model.CompletionTrigger(success))
	return nil
}

func fillCompletion(details *model.CompletionDetails, c Completion, success bool) {
	details.Success = model.Some(success)
	details.Notes = c.Notes
	if success {
		details.SuccessNotes, details.FailureReason = c.Notes, model.FailureNone
	} else {
		details.FailureNotes = c.Notes
		if c.FailureReason != "" {
			details.FailureReason = c.FailureReason
		}
	}
	if c.SignatureUploadID != "" {
		details.SignatureUploadID = model.Some(c.SignatureUploadID)
	}
	if c.SignatureText != "" {
		details.SignatureText = model.Some(c.SignatureText)
	}
	if len(c.PhotoUploadIDs) > 0 {
		details.PhotoUploadID, details.PhotoUploadIDs = model.Some(c.PhotoUploadIDs[0]), model.Some(c.PhotoUploadIDs)
	}
}

// captureBarcodes adds scanned barcodes to the task.
func captureBarcodes(task *model.Task, scanned []model.CapturedBarcode, at model.MaybeLocation, now model.Millis) error {
	barcodes := task.Barcodes.Value()
	for i, barcode := range scanned {
		requested := slices.IndexFunc(barcodes.Required, func(r model.RequiredBarcode) bool {
			return r.Data.Value() == "" || r.Data.Value() == barcode.Data
		})
		if requested < 0 && task.ScanOnlyRequiredBarcodes {
			return Invalid("barcodes[%d]: The task only accepts the barcodes it requires.", i)
		}
		barcode.WasRequested = model.Some(requested >= 0)
		if requested >= 0 && !barcode.ID.Has() {
			barcode.ID = barcodes.Required[requested].ID
		}
		if !barcode.Time.Has() {
			barcode.Time = model.Some(now)
		}
		if !barcode.Location.Has() {
			barcode.Location = model.Some(at)
		}
		barcodes.Captured = append(barcodes.Captured, barcode)
	}
	task.Barcodes = model.Some(barcodes)
	return nil
}

// missingRequirements lists what the task requires and the driver did not submit.
func missingRequirements(task *model.Task, c Completion) model.Problems {
	var ps model.Problems
	require := func(field, text string) {
		ps = append(ps, model.Problem{Field: field, Subcode: model.ErrorMissing, Text: text})
	}
	requirements := task.Requirements.Value()
	if requirements.Signature.Value() && c.SignatureUploadID == "" && c.SignatureText == "" {
		require("signature", "A signature is required.")
	}
	if requirements.Photo.Value() && len(c.PhotoUploadIDs) == 0 {
		require("photo", "A photo is required.")
	}
	if requirements.Notes.Value() && strings.TrimSpace(c.Notes) == "" {
		require("notes", "Notes are required.")
	}
	if age := requirements.MinimumAge.Value(); age > 0 && c.VerifiedAge < age {
		require("minimumAge", fmt.Sprintf("Scan a document that shows that the recipient is %d or older.", age))
	}
	for i, barcode := range task.Barcodes.Value().Required {
		captured := slices.ContainsFunc(task.Barcodes.Value().Captured, func(scan model.CapturedBarcode) bool {
			return scan.ID == barcode.ID || barcode.Data.Value() != "" && scan.Data == barcode.Data.Value()
		})
		if barcode.BlockCompletion && !captured {
			require(fmt.Sprintf("barcodes[%d]", i), "Scan this barcode.")
		}
	}
	return ps
}
