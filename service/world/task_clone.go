package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// CloneTask creates an unassigned task with the details of another one.
func (w *World) CloneTask(ctx context.Context, actor Actor, id model.ID, options model.CloneOptions) (model.Raw, error) {
	check, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return nil, err
	}
	source, err := loadTask(ctx, w.store, actor.Org, id)
	if err != nil {
		return nil, err
	}
	if err := options.Check(check).Within("options").Err(); err != nil {
		return nil, err
	}
	draft, err := w.draftClone(ctx, actor, source, options, check)
	if err != nil {
		return nil, err
	}
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Raw, error) {
		row, _, err := w.insertDraft(ctx, tx, actor, draft)
		if err != nil {
			return nil, err
		}
		w.recordTaskEvents(ctx, tx, actor, row, row.modified, model.TriggerTaskCloned)
		return draft.wire(row, ""), nil
	})
}

func (w *World) draftClone(
	ctx context.Context, actor Actor, source *taskRow, options model.CloneOptions, check model.CheckContext,
) (*taskDraft, error) {
	original, err := source.decode()
	if err != nil {
		return nil, err
	}
	if err := options.CheckSource(original.CompleteAfter, original.CompleteBefore).Within("options").Err(); err != nil {
		return nil, err
	}
	overrides := options.Overrides.Value()
	d := &taskDraft{task: w.cloneContent(actor, original, options, check.Now)}
	applyCloneOverrides(&d.task, overrides)
	if destination, ok := overrides.Destination.Get(); ok {
		err = w.draftDestination(ctx, actor.Org, d, destination)
	} else {
		d.task.Destination = original.Destination
		err = scanRow(w.store.QueryRow(ctx, "SELECT doc FROM destinations WHERE id = $1", source.destination), &d.destinationDoc)
	}
	if err != nil {
		return nil, err
	}
	if overrides.Recipients.Present() {
		err = w.draftRecipient(ctx, actor.Org, d, overrides.Recipients.Value(), check)
	} else if source.recipient != "" {
		d.task.Recipients = original.Recipients
		err = scanRow(w.store.QueryRow(ctx, "SELECT doc FROM recipients WHERE id = $1", source.recipient), &d.recipientDoc)
	}
	if err != nil {
		return nil, err
	}
	d.doc, err = encodeTaskDoc(&d.task)
	return d, err
}

// cloneContent copies what a clone takes from its source. Nothing that happened to the source is copied.
func (w *World) cloneContent(actor Actor, source model.Task, options model.CloneOptions, now model.Millis) model.Task {
	task := blankTask()
	task.ID, task.SourceTaskID = w.ids.ID(), model.Some(source.ID)
	task.TimeCreated, task.TimeLastModified = now.WholeSecond(), now
	task.Organization, task.Creator = actor.Org, actor.Org
	task.Merchant, task.Executor = source.Merchant, source.Executor
	w.setShortID(&task)
	task.CompleteAfter, task.CompleteBefore = source.CompleteAfter, source.CompleteBefore
	task.PickupTask, task.Type = source.PickupTask, source.Type
	task.Notes, task.Overrides = source.Notes, source.Overrides
	task.Quantity, task.AdditionalQuantities = source.Quantity, source.AdditionalQuantities
	task.ServiceTime, task.Requirements = source.ServiceTime, source.Requirements
	task.Appearance, task.CustomFields = source.Appearance, source.CustomFields
	task.ScanOnlyRequiredBarcodes = source.ScanOnlyRequiredBarcodes
	if options.IncludeMetadata.Or(false) {
		task.Metadata = source.Metadata
	}
	if options.IncludeBarcodes.Or(false) {
		task.Barcodes = model.Some(model.Barcodes{Required: w.requiredBarcodes(source.Barcodes.Value().Required)})
	}
	if options.IncludeDependencies.Or(false) {
		task.Dependencies = source.Dependencies
	}
	return task
}

func applyCloneOverrides(task *model.Task, o model.CloneOverrides) {
	setValueIfSent(&task.Notes, o.Notes)
	setValueIfSent(&task.ServiceTime, o.ServiceTime)
	if o.PickupTask.Present() {
		task.PickupTask, task.Type = o.PickupTask.Value(), model.Opt[model.Int]{}
	}
	if o.Metadata.Present() {
		task.Metadata = withVisibility(o.Metadata.Value())
	}
	setIfSent(&task.CompleteAfter, o.CompleteAfter)
	setIfSent(&task.CompleteBefore, o.CompleteBefore)
}
