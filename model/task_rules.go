package model

import (
	"encoding/base64"
	"unicode/utf8"
)

// Colours of the triangle that marks a task on a map.
const (
	TriangleTeal    Int = 0
	TriangleOrange  Int = 1
	TriangleMagenta Int = 2
)

// Task types. They say more than pickupTask and win over it.
const (
	TypePickup          Int = 0
	TypeDropoff         Int = 1
	TypeEndAtHub        Int = 2
	TypeEndAtWorkerHome Int = 3
)

// MaxBarcodeData is the longest that the data of a barcode may be, in characters of base64.
const MaxBarcodeData = 500

// Check reports what is wrong with a task to be created.
func (in TaskInput) Check(ctx CheckContext) Problems {
	var ps Problems
	if destination, ok := in.Destination.Get(); ok {
		ps.checkDestinationRef("destination", destination, needsStreet)
	} else {
		ps.add("destination", ErrorMissing, "A destination is required: its id or its address.")
	}
	if recipients, ok := in.Recipients.Get(); ok {
		ps.checkRecipients(recipients, func(r RecipientInput) Problems { return r.Check(ctx) })
	} else {
		ps.add("recipients", ErrorMissing, "Recipients are required: one, or an empty list.")
	}
	ps.checkTaskWindow(in.CompleteAfter, in.CompleteBefore)
	ps.checkTaskType(in)
	if in.AutoAssign.Has() && in.Container.Has() {
		ps.add("autoAssign", ErrorInvalid,
			"Automatic assignment cannot be combined with a container. Use one of them.")
	}
	ps.checkTaskMembers(in)
	return ps
}

// checkTaskMembers checks what a creation and an update have in common.
func (ps *Problems) checkTaskMembers(in TaskInput) {
	ps.checkOptionalID("merchant", in.Merchant)
	ps.checkOptionalID("executor", in.Executor)
	ps.checkIDs("dependencies", in.Dependencies.Value())
	ps.checkNotes("notes", in.Notes)
	if auto, ok := in.AutoAssign.Get(); ok {
		ps.addWithin("autoAssign", auto.Check())
	}
	if container, ok := in.Container.Get(); ok {
		ps.addWithin("container", container.Check())
	}
	ps.checkQuantity("quantity", in.Quantity)
	if more, ok := in.AdditionalQuantities.Get(); ok {
		ps.checkQuantity("additionalQuantities.quantityA", more.A)
		ps.checkQuantity("additionalQuantities.quantityB", more.B)
		ps.checkQuantity("additionalQuantities.quantityC", more.C)
	}
	ps.checkServiceTime(in.ServiceTime)
	ps.checkRequirements("requirements", in.Requirements)
	ps.checkBarcodes(in)
	if color, ok := in.Appearance.Value().TriangleColor.Get(); ok && (color < TriangleTeal || color > TriangleMagenta) {
		ps.add("appearance.triangleColor", ErrorInvalid, "Must be 0 (teal), 1 (orange), 2 (magenta) or null.")
	}
	ps.checkMetadata("metadata", in.Metadata.Value())
	for i, field := range in.CustomFields.Value() {
		ps.checkRequired(elementPath("customFields", i)+".key", field.Key, "The key of the custom field")
	}
	ps.checkOptionalID("template", in.Template)
}

// checkTaskType reports a type that is none, or that contradicts pickupTask.
func (ps *Problems) checkTaskType(in TaskInput) {
	taskType, ok := in.Type.Get()
	if !ok {
		return
	}
	if taskType < TypePickup || taskType > TypeEndAtWorkerHome {
		ps.add("type", ErrorInvalid, "Must be 0 (pickup), 1 (drop-off), 2 (end at hub) or 3 (end at the driver's address).")
		return
	}
	if pickup, ok := in.PickupTask.Get(); ok && pickup != (taskType == TypePickup) {
		ps.add("type", ErrorInvalid, "Type %d conflicts with pickupTask %t. Omit one of them.", taskType, pickup)
	}
}

// IsPickup reports whether the input creates a pickup. Type takes precedence over pickupTask.
func (in TaskInput) IsPickup() bool {
	if taskType, ok := in.Type.Get(); ok {
		return taskType == TypePickup
	}
	return in.PickupTask.Or(false)
}

func (ps *Problems) checkRequirements(field string, requirements Opt[Requirements]) {
	if age, ok := requirements.Value().MinimumAge.Get(); ok && age < 0 {
		ps.add(field+".minimumAge", ErrorInvalid, "Must be a number of years, 0 or more.")
	}
}

// checkBarcodes checks the barcode requirements, which clients send under either of two names.
func (ps *Problems) checkBarcodes(in TaskInput) {
	if in.Barcode.Has() && in.Barcodes.Has() {
		ps.add("barcodes", ErrorAmbiguous, "Both barcode and barcodes are set. Use one of them.")
	}
	ps.checkBarcodeList("barcode", in.Barcode.Value())
	ps.checkBarcodeList("barcodes", in.Barcodes.Value())
}

func (ps *Problems) checkBarcodeList(field string, list []RequiredBarcode) {
	for i, barcode := range list {
		data, ok := barcode.Data.Get()
		path := elementPath(field, i) + ".data"
		switch {
		case !ok:
		case utf8.RuneCountInString(data) > MaxBarcodeData:
			ps.add(path, ErrorInvalid, "Must not have more than %d characters.", MaxBarcodeData)
		case !isBase64(data):
			ps.add(path, ErrorInvalid, "Must be the content of the barcode in base64.")
		}
	}
}

// RequiredBarcodes are the barcode requirements under whichever name they were sent.
func (in TaskInput) RequiredBarcodes() Opt[[]RequiredBarcode] {
	if in.Barcodes.Present() {
		return in.Barcodes
	}
	return in.Barcode
}

func isBase64(s string) bool {
	for _, encoding := range []*base64.Encoding{
		base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding,
	} {
		if _, err := encoding.DecodeString(s); err == nil {
			return true
		}
	}
	return false
}

// Check reports what is wrong with a wish for automatic assignment.
func (a AutoAssign) Check() Problems {
	var ps Problems
	if a.Mode == "" {
		ps.add("mode", ErrorMissing, "The mode is required: distance or load.")
	}
	ps.checkAutoAssignMode("mode", a.Mode)
	ps.checkOptionalID("team", a.Team)
	ps.checkMaxAssigned("maxAssignedTaskCount", a.MaxAssignedTaskCount)
	ps.checkIDs("excludedWorkerIds", a.ExcludedWorkerIDs)
	return ps
}

// Check reports what is wrong with a request to assign tasks that exist. Without a mode it is by distance.
func (r AutoAssignRequest) Check() Problems {
	var ps Problems
	ps.checkRequiredIDs("tasks", r.Tasks, "The ids of the tasks to assign are required.")
	ps.checkAutoAssignMode("options.mode", r.Options.Mode)
	ps.checkIDs("options.teams", r.Options.Teams)
	ps.checkMaxAssigned("options.maxAssignedTaskCount", r.Options.MaxAssignedTaskCount)
	ps.checkIDs("options.excludedWorkerIds", r.Options.ExcludedWorkerIDs)
	return ps
}

func (ps *Problems) checkAutoAssignMode(field, mode string) {
	if mode != "" && mode != AutoAssignDistance && mode != AutoAssignLoad {
		ps.add(field, ErrorInvalid, "Unknown mode %.40q. Use distance or load.", Clean(mode))
	}
}

func (ps *Problems) checkMaxAssigned(field string, count Opt[Int]) {
	if n, ok := count.Get(); ok && n < 1 {
		ps.add(field, ErrorInvalid, "Must be 1 or more.")
	}
}

// Check reports what is wrong with a completion by the dispatcher.
func (r CompleteRequest) Check() Problems {
	var ps Problems
	if !r.CompletionDetails.Success.Has() {
		ps.add("completionDetails.success", ErrorMissing, "Success is required: true or false.")
	}
	return ps
}
