package world

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// Completion is what a driver hands in at the end of a task.
type Completion struct {
	Notes             string
	SignatureUploadID string
	SignatureText     string
	PhotoUploadIDs    []string
	Barcodes          []model.CapturedBarcode
	// VerifiedAge is the recipient's age by the document that the driver scanned; 0 when none was.
	VerifiedAge model.Int
	// FailureReason says why a task failed.
	FailureReason string
}

// CompleteTask ends a started task with success; what the task requires must be there.
func (w *World) CompleteTask(ctx context.Context, worker, task model.ID, c Completion) error {
	return w.driverFinish(ctx, worker, task, c, true)
}

// FailTask ends a started task without success; nothing is required for that.
func (w *World) FailTask(ctx context.Context, worker, task model.ID, c Completion) error {
	return w.driverFinish(ctx, worker, task, c, false)
}

func (w *World) driverFinish(ctx context.Context, worker, task model.ID, c Completion, success bool) error {
	return w.driverChange(ctx, worker, task, func(tx *store.Tx, d *driver, row *taskRow) error {
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

// ForceCompleteTask ends a started task from the dispatcher's side, who needs to hand in nothing.
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

// finishTask ends a started task: a success fires taskCompleted and a failure taskFailed, never both.
func (w *World) finishTask(ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, fill func(*model.Task, model.Millis) error) error {
	if row.state != model.TaskActive {
		return Conflict("The task is %s; only a started task can be completed.", row.state)
	}
	content, err := row.task()
	if err != nil {
		return err
	}
	now := w.Now()
	if err := fill(&content, now); err != nil {
		return err
	}
	meters, err := travelled(ctx, tx, row)
	if err != nil {
		return err
	}
	content.CompletionDetails.Time = model.Some(now)
	content.CompletionDetails.Distance = model.Some(meters)
	if err := row.finish(ctx, tx, &content, now); err != nil {
		return err
	}
	success := content.CompletionDetails.Success.Value()
	if success {
		if err := addDoorTime(ctx, tx, row, now); err != nil {
			return err
		}
	}
	return w.recordTask(ctx, tx, actor, row, now, model.CompletionTrigger(success))
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

// captureBarcodes adds what was scanned to the task.
func captureBarcodes(task *model.Task, scanned []model.CapturedBarcode, at model.MaybeLocation, now model.Millis) error {
	barcodes := task.Barcodes.Value()
	for i, barcode := range scanned {
		requested := slices.IndexFunc(barcodes.Required, func(r model.RequiredBarcode) bool {
			return r.Data.Value() == "" || r.Data.Value() == barcode.Data
		})
		if requested < 0 && task.ScanOnlyRequiredBarcodes {
			return Invalid("barcodes[%d]: This task takes only the barcodes that it asks for.", i)
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

// missingRequirements lists what a task asks for and the driver did not hand in.
func missingRequirements(task *model.Task, c Completion) model.Problems {
	var ps model.Problems
	need := func(field, text string) {
		ps = append(ps, model.Problem{Field: field, Subcode: model.ErrorMissing, Text: text})
	}
	requirements := task.Requirements.Value()
	if requirements.Signature.Value() && c.SignatureUploadID == "" && c.SignatureText == "" {
		need("signature", "The task needs a signature.")
	}
	if requirements.Photo.Value() && len(c.PhotoUploadIDs) == 0 {
		need("photo", "The task needs a photo.")
	}
	if requirements.Notes.Value() && strings.TrimSpace(c.Notes) == "" {
		need("notes", "The task needs notes.")
	}
	if age := requirements.MinimumAge.Value(); age > 0 && c.VerifiedAge < age {
		need("minimumAge", fmt.Sprintf("The recipient must be %d or older, by a document that was scanned.", age))
	}
	for i, barcode := range task.Barcodes.Value().Required {
		captured := slices.ContainsFunc(task.Barcodes.Value().Captured, func(scan model.CapturedBarcode) bool {
			return scan.ID == barcode.ID || barcode.Data.Value() != "" && scan.Data == barcode.Data.Value()
		})
		if barcode.BlockCompletion && !captured {
			need(fmt.Sprintf("barcodes[%d]", i), "The task needs this barcode scanned.")
		}
	}
	return ps
}
