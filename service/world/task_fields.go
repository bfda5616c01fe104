package world

import (
	"context"
	"slices"

	"waybill/model"
)

// newTask returns the task that an input describes, without destination, recipients and container.
func (w *World) newTask(ctx context.Context, c taskCreation, in model.TaskInput) (model.Task, error) {
	actor, now := c.actor, c.check.Now
	task := blankTask()
	task.ID = w.ids.ID()
	task.TimeCreated, task.TimeLastModified = now.WholeSecond(), now
	task.Organization, task.Creator = actor.Org, actor.Org
	task.Merchant, task.Executor = in.Merchant.Or(actor.Org), in.Executor.Or(actor.Org)
	w.setShortID(&task)
	if err := w.checkConnected(ctx, actor.Org, "merchant", task.Merchant); err != nil {
		return task, err
	}
	if err := w.checkConnected(ctx, actor.Org, "executor", task.Executor); err != nil {
		return task, err
	}
	w.applyInput(&task, in)
	fields, err := w.newCustomFieldValues(ctx, c, in, task.PickupTask)
	task.CustomFields = model.Some(fields)
	return task, err
}

// setShortID gives the task a new short id and the tracking URL that contains it.
func (w *World) setShortID(task *model.Task) {
	task.ShortID = w.ids.ShortID()
	task.TrackingURL = w.tracking + "/t/" + string(task.ShortID)
}

// blankTask has the values that the interface shows for members that nobody has set.
func blankTask() model.Task {
	return model.Task{
		OrderShortID:  model.Null[model.ShortID](),
		CompleteAfter: model.Null[model.Millis](), CompleteBefore: model.Null[model.Millis](),
		CompletionDetails: model.CompletionDetails{
			FailureReason: model.FailureNone, Time: model.Null[model.Millis](), Success: model.Some(false),
			SignatureUploadID: model.Null[string](), PhotoUploadID: model.Null[string](), PhotoUploadIDs: model.Null[[]string](),
			Distance: model.Some(0.0),
		},
		Overrides: model.TaskOverrides{
			RecipientSkipSMSNotifications: model.Null[bool](), RecipientNotes: model.Null[string](),
			RecipientName: model.Null[string](), UseMerchantForProxy: model.Null[model.Raw](),
		},
		Barcodes:     model.Some(model.Barcodes{}),
		Identity:     model.Identity{Checksum: model.Null[model.Raw]()},
		Appearance:   model.Appearance{TriangleColor: model.Null[model.Int]()},
		CustomFields: model.Some([]model.CustomFieldValue{}),
		Requirements: model.Some(model.Requirements{
			Signature: model.Some(false), Notes: model.Some(false), Photo: model.Some(false), MinimumAge: model.Some(model.Int(0)),
		}),
	}
}

// applyInput applies the members that the input contains. Null restores the initial value.
func (w *World) applyInput(task *model.Task, in model.TaskInput) {
	blank := blankTask()
	setIfSent(&task.CompleteAfter, in.CompleteAfter)
	setIfSent(&task.CompleteBefore, in.CompleteBefore)
	if in.PickupTask.Present() || in.Type.Present() {
		task.PickupTask = in.IsPickup()
	}
	if in.Type.Present() {
		task.Type = in.Type
	}
	setValueIfSent(&task.Dependencies, in.Dependencies)
	setValueIfSent(&task.Notes, in.Notes)
	setValueIfSent(&task.Quantity, in.Quantity)
	if more, ok := in.AdditionalQuantities.Get(); ok {
		setValueIfSent(&task.AdditionalQuantities.A, more.A)
		setValueIfSent(&task.AdditionalQuantities.B, more.B)
		setValueIfSent(&task.AdditionalQuantities.C, more.C)
	} else if in.AdditionalQuantities.IsNull() {
		task.AdditionalQuantities = model.Quantities{}
	}
	setValueIfSent(&task.ServiceTime, in.ServiceTime)
	setValueIfSent(&task.ScanOnlyRequiredBarcodes, in.ScanOnlyRequiredBarcodes)
	applyOverrides(task, in)
	if in.Requirements.Present() {
		task.Requirements = model.Some(mergeRequirements(blank.Requirements.Value(), in.Requirements.Value()))
	}
	if list := in.RequiredBarcodes(); list.Present() {
		barcodes := task.Barcodes.Value()
		barcodes.Required = w.requiredBarcodes(list.Value())
		task.Barcodes = model.Some(barcodes)
	}
	if in.Appearance.Present() {
		task.Appearance = blank.Appearance
		setIfSent(&task.Appearance.TriangleColor, in.Appearance.Value().TriangleColor)
	}
	if in.Metadata.Present() {
		task.Metadata = withVisibility(in.Metadata.Value())
	}
}

// applyOverrides sets what the task overrides about its recipient. When the merchant stands in for the organization, the
// override contains its id.
func applyOverrides(task *model.Task, in model.TaskInput) {
	setIfSent(&task.Overrides.RecipientName, in.RecipientName)
	setIfSent(&task.Overrides.RecipientNotes, in.RecipientNotes)
	setIfSent(&task.Overrides.RecipientSkipSMSNotifications, in.RecipientSkipSMSNotifications)
	if in.UseMerchantForProxy.Present() {
		task.Overrides.UseMerchantForProxy = model.Null[model.Raw]()
		if in.UseMerchantForProxy.Or(false) {
			task.Overrides.UseMerchantForProxy = model.Some(model.Raw(appendID(nil, task.Merchant)))
		}
	}
}

// setIfSent sets a member that was sent, as a value or as null.
func setIfSent[T any](field *model.Opt[T], sent model.Opt[T]) {
	if sent.Present() {
		*field = sent
	}
}

// setValueIfSent sets a member that was sent; null makes it zero.
func setValueIfSent[T any](field *T, sent model.Opt[T]) {
	if sent.Present() {
		*field = sent.Value()
	}
}

func mergeRequirements(into, sent model.Requirements) model.Requirements {
	setIfValue(&into.Signature, sent.Signature)
	setIfValue(&into.Notes, sent.Notes)
	setIfValue(&into.Photo, sent.Photo)
	setIfValue(&into.MinimumAge, sent.MinimumAge)
	return into
}

// setIfValue sets a member that was sent as a value.
func setIfValue[T any](field *model.Opt[T], sent model.Opt[T]) {
	if sent.Has() {
		*field = sent
	}
}

func (w *World) requiredBarcodes(sent []model.RequiredBarcode) []model.RequiredBarcode {
	required := make([]model.RequiredBarcode, len(sent))
	for i, barcode := range sent {
		required[i] = model.RequiredBarcode{
			Data: model.Some(barcode.Data.Value()), BlockCompletion: barcode.BlockCompletion, ID: model.Some(w.ids.ID()),
		}
	}
	return required
}

// withVisibility sets the visibility of entries without one to the API only.
func withVisibility(entries []model.Metadata) []model.Metadata {
	for i := range entries {
		if !entries[i].Visibility.Has() {
			entries[i].Visibility = model.Some([]string{model.VisibleToAPI})
		}
	}
	return entries
}

// checkConnected refuses an organization that is not connected with org, in either direction.
func (w *World) checkConnected(ctx context.Context, org model.ID, field string, other model.ID) error {
	if other == org {
		return nil
	}
	n, err := countRows(ctx, w.store, "FROM connections WHERE (courier = $1 AND client = $2) OR (courier = $2 AND client = $1)", org, other)
	if err == nil && n == 0 {
		return Invalid("%s: Your organization is not connected with %s.", field, other)
	}
	return err
}

// newCustomFieldValues returns the values of an input's custom fields. With a template only its fields count. Unknown
// keys are dropped silently, as the interface requires.
func (w *World) newCustomFieldValues(
	ctx context.Context, c taskCreation, in model.TaskInput, pickup bool,
) ([]model.CustomFieldValue, error) {
	fields := c.fields
	kind := model.ForDropoffs
	if pickup {
		kind = model.ForPickups
	}
	if template, ok := in.Template.Get(); ok {
		var err error
		if fields, err = w.templateFields(ctx, c.actor.Org, template, fields, kind); err != nil {
			return nil, err
		}
	}
	sent := in.CustomFields.Value()
	if err := model.CheckCustomFields(sent, fields, kind).Err(); err != nil {
		return nil, err
	}
	return mergeFieldValues(nil, sent, fields), nil
}

// mergeFieldValues merges sent values into those of a task. Null removes a value.
func mergeFieldValues(
	current []model.CustomFieldValue, sent []model.CustomFieldInput, fields []model.CustomField,
) []model.CustomFieldValue {
	values := slices.Clone(current)
	if values == nil {
		values = []model.CustomFieldValue{}
	}
	for _, input := range sent {
		at := slices.IndexFunc(fields, func(f model.CustomField) bool { return f.Key == input.Key })
		if at < 0 {
			continue
		}
		values = slices.DeleteFunc(values, func(v model.CustomFieldValue) bool { return v.Key == input.Key })
		if input.Value.Has() {
			values = append(values, model.CustomFieldValue{CustomField: fields[at], Value: input.Value})
		}
	}
	return values
}

func (w *World) templateFields(
	ctx context.Context, org, id model.ID, fields []model.CustomField, kind model.TaskKinds,
) ([]model.CustomField, error) {
	template, err := readOwned[model.Template](ctx, w.store, "templates", org, id)
	if err != nil {
		return nil, withResource(err, "template", id)
	}
	if kinds, _ := model.KindsOf(template.ContextSaveConditions); kinds&kind == 0 {
		return nil, Invalid("template: %q is for %s, but the task is for %s.", template.Name, kinds, kind)
	}
	return slices.DeleteFunc(slices.Clone(fields), func(f model.CustomField) bool { return !slices.Contains(template.Fields, f.Key) }), nil
}
