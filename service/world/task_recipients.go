package world

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// recipientDraft is a recipient of a task whose phone number may already be known.
type recipientDraft struct {
	recipient model.Recipient
	in        model.RecipientInput
	doc       string
}

// normalizePhones normalizes the phone numbers of an input's recipients once, because that costs as much as all other
// checks together and both checking and storing need it. A number that cannot be parsed is left for the check to report.
func normalizePhones(in model.TaskInput, country string) model.TaskInput {
	refs := slices.Clone(in.Recipients.Value())
	for i, ref := range refs {
		if ref.Object == nil {
			continue
		}
		if phone, problems := ref.Object.NormalizedPhone(country); len(problems) == 0 {
			recipient := *ref.Object
			recipient.Phone, recipient.SkipPhoneNumberValidation = model.Some(phone), model.Some(true)
			refs[i] = model.Embedded(recipient)
		}
	}
	if len(refs) > 0 {
		in.Recipients = model.Some(refs)
	}
	return in
}

func (w *World) newRecipientDraft(org model.ID, in model.RecipientInput, check model.CheckContext) (*recipientDraft, error) {
	phone, problems := in.NormalizedPhone(check.Country)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	d := &recipientDraft{in: in, recipient: w.newRecipient(org, in, phone, check.Now)}
	doc, err := model.Marshal(&d.recipient)
	if err != nil {
		return nil, fmt.Errorf("encode recipient: %w", err)
	}
	d.doc = string(doc)
	return d, nil
}

// upsert stores the recipient, or updates the known one with the same phone number: a new name and new notes replace the
// stored ones. An order may have no name; then the stored name stays.
func (d *recipientDraft) upsert(ctx context.Context, tx *store.Tx) (model.ID, string, error) {
	r := &d.recipient
	if tx.Write(ctx, "insert recipient", insertRecipients+" VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (org, phone) DO NOTHING",
		recipientValues(r, d.doc)...) == 1 {
		indexMetadata(ctx, tx, r.Organization, kindRecipients, r.ID, r.Metadata)
		return r.ID, d.doc, nil
	}
	return d.updateKnown(ctx, tx)
}

func (d *recipientDraft) updateKnown(ctx context.Context, tx *store.Tx) (model.ID, string, error) {
	var known model.Recipient
	if err := scanRow(tx.QueryRow(ctx, "SELECT doc FROM recipients WHERE org = $1 AND phone = $2",
		d.recipient.Organization, d.recipient.Phone), fromDoc(&known)); err != nil {
		return "", "", err
	}
	name, notes := cmp.Or(d.recipient.Name, known.Name), d.in.Notes.Or(known.Notes)
	changed := name != known.Name || notes != known.Notes
	known.Name, known.Notes = name, notes
	if changed {
		known.TimeLastModified = d.recipient.TimeLastModified
	}
	encoded, err := model.Marshal(&known)
	if err != nil {
		return "", "", fmt.Errorf("encode recipient: %w", err)
	}
	doc := string(encoded)
	d.recipient, d.doc = known, doc
	if changed {
		tx.Write(ctx, "update recipient", "UPDATE recipients SET name_fold = $2, modified = $3, doc = $4 WHERE id = $1",
			known.ID, foldName(known.Name), int64(known.TimeLastModified), doc)
	}
	return known.ID, doc, nil
}
