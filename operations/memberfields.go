package operations

import (
	"strings"

	"waybill/model"
	"waybill/operations/taskimport"
)

// newDraft starts a draft that understands texts as this input does.
func newDraft(s Input) *taskimport.Draft { return taskimport.NewDraft(draftOptions(s)) }

// draftOptions are what drafts and files need to understand texts.
func draftOptions(s Input) taskimport.Options {
	return taskimport.Options{
		Now: s.Now, Zone: s.zone(), Country: s.Organization.Country,
		Team: func(name string) (model.ID, error) { return resolveName(boardTeams(s.Board), name, "team") },
	}
}

// fieldOfMember maps a member of a task to the field of a form.
func fieldOfMember(member string) string {
	switch member {
	case "destination.address":
		return "address"
	case "container", "container.worker", "worker":
		return "worker"
	case "container.team", "team":
		return "team"
	case "autoAssign":
		return "assign"
	case "autoAssign.mode":
		return "auto_mode"
	case "autoAssign.team":
		return "auto_team"
	case "autoAssign.maxAssignedTaskCount":
		return "auto_max"
	case "autoAssign.considerDependencies":
		return "auto_dependencies"
	case "recipientName":
		return "override_name"
	case "recipientNotes":
		return "override_notes"
	case "recipientSkipSMSNotifications":
		return "override_skip_sms"
	case "additionalQuantities":
		return "quantity_a"
	case "appearance", "appearance.triangleColor":
		return "color"
	case "destination.options", "destination.options.language":
		return "language"
	case "scanOnlyRequiredBarcodes":
		return "scan_only_required"
	case "useMerchantForProxy":
		return "use_merchant_for_proxy"
	case "requirements":
		return "require_signature"
	case "pickupTask", "type":
		return "kind"
	case "phone", "recipient.phone":
		return "recipient_phone"
	case "recipient", "recipients":
		return "recipient_id"
	case "task", "dependencies":
		return "depends_on"
	}
	for _, prefix := range []struct{ of, name string }{
		{"autoAssign.excludedWorkerIds", "auto_exclude"},
		{"metadata[", "metadata"},
		{"customFields", "template"},
		{"additionalQuantities.quantity", "quantity_"},
	} {
		if rest, ok := strings.CutPrefix(member, prefix.of); ok {
			if prefix.name == "quantity_" {
				return prefix.name + strings.ToLower(rest)
			}
			return prefix.name
		}
	}
	return taskimport.ColumnOf(member)
}
