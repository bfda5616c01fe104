package world

import (
	"context"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// CreateRecipient creates a recipient. The phone number is unique within the organization.
func (w *World) CreateRecipient(ctx context.Context, actor Actor, in model.RecipientInput) (model.Recipient, error) {
	rules, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return model.Recipient{}, err
	}
	if problems := in.Check(rules); len(problems) > 0 {
		return model.Recipient{}, problems
	}
	phone, _ := in.NormalizedPhone(rules.Country)
	r := w.newRecipient(actor.Org, in, phone, rules.Now)
	err = w.store.Write(ctx, func(tx *store.Tx) error { insertRecipient(ctx, tx, r); return nil })
	return r, err
}

// newRecipient returns the recipient that a body describes.
func (w *World) newRecipient(org model.ID, in model.RecipientInput, phone string, now model.Millis) model.Recipient {
	return model.Recipient{
		ID: w.ids.ID(), Organization: org, TimeCreated: now.WholeSecond(), TimeLastModified: now,
		Name: strings.TrimSpace(in.Name.Value()), Phone: phone, Notes: in.Notes.Value(),
		SkipSMSNotifications: in.SkipSMSNotifications.Value(), UseLongCodeForText: in.UseLongCodeForText,
		Metadata: withVisibility(in.Metadata.Value()),
	}
}

func insertRecipient(ctx context.Context, tx *store.Tx, r model.Recipient) {
	tx.WriteUnique(ctx, Duplicate("phone", r.Phone), "insert recipient",
		`INSERT INTO recipients (id, org, phone, name_fold, created, modified, doc)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		r.ID, r.Organization, r.Phone, foldName(r.Name), r.TimeLastModified, r.TimeLastModified, asDoc(r))
	indexMetadata(ctx, tx, r.Organization, kindRecipients, r.ID, r.Metadata)
}

// Recipient reads a recipient.
func (w *World) Recipient(ctx context.Context, org, id model.ID) (model.Recipient, error) {
	return readOwned[model.Recipient](ctx, w.store, "recipients", org, id)
}

// RecipientByName finds a recipient by the whole name, ignoring case. Of several the one stored first is returned.
func (w *World) RecipientByName(ctx context.Context, org model.ID, name string) (model.Recipient, error) {
	var r model.Recipient
	err := scanRow(w.store.QueryRow(ctx, `SELECT doc FROM recipients WHERE org = $1 AND name_fold = $2
		ORDER BY created, id LIMIT 1`, org, foldName(name)), fromDoc(&r))
	return r, err
}

// RecipientByPhone finds a recipient by phone number, written as is usual in the organization's country. A number stored
// without validation is only found with skipValidation.
func (w *World) RecipientByPhone(ctx context.Context, org model.ID, phone string, skipValidation bool) (model.Recipient, error) {
	var r model.Recipient
	rules, err := w.checkContext(ctx, org)
	if err != nil {
		return r, err
	}
	sent := model.RecipientInput{Phone: model.Some(phone), SkipPhoneNumberValidation: model.Some(skipValidation)}
	normalized, problems := sent.NormalizedPhone(rules.Country)
	if len(problems) > 0 {
		return r, problems
	}
	err = scanRow(w.store.QueryRow(ctx, "SELECT doc FROM recipients WHERE org = $1 AND phone = $2", org, normalized), fromDoc(&r))
	return r, err
}

// UpdateRecipient changes the members of a recipient that the body contains.
func (w *World) UpdateRecipient(ctx context.Context, actor Actor, id model.ID, in model.RecipientInput) (model.Recipient, error) {
	var r model.Recipient
	err := w.store.Write(ctx, func(tx *store.Tx) (err error) {
		if r, err = readOwned[model.Recipient](ctx, tx, "recipients", actor.Org, id); err != nil {
			return err
		}
		if problems := in.CheckUpdate(); len(problems) > 0 {
			return problems
		}
		applyRecipientInput(&r, in)
		r.TimeLastModified = w.Now()
		saveRecipient(ctx, tx, r)
		return nil
	})
	return r, err
}

// applyRecipientInput applies the members that the body contains. Null clears what can be empty.
func applyRecipientInput(r *model.Recipient, in model.RecipientInput) {
	r.Name = strings.TrimSpace(in.Name.Or(r.Name))
	if in.Notes.Present() {
		r.Notes = in.Notes.Value()
	}
	r.SkipSMSNotifications = in.SkipSMSNotifications.Or(r.SkipSMSNotifications)
	if in.UseLongCodeForText.Present() {
		r.UseLongCodeForText = in.UseLongCodeForText
	}
	if in.Metadata.Present() {
		r.Metadata = withVisibility(in.Metadata.Value())
	}
}

func saveRecipient(ctx context.Context, tx *store.Tx, r model.Recipient) {
	tx.Write(ctx, "update recipient", "UPDATE recipients SET name_fold = $1, modified = $2, doc = $3 WHERE id = $4",
		foldName(r.Name), r.TimeLastModified, asDoc(r), r.ID)
	reindexMetadata(ctx, tx, r.Organization, kindRecipients, r.ID, r.Metadata)
}

// FindRecipients lists the recipients that have every metadata entry of the query.
func (w *World) FindRecipients(ctx context.Context, org model.ID, query []model.Metadata) ([]model.Recipient, error) {
	return findOwnedByMetadata[model.Recipient](ctx, w.store, "recipients", org, query)
}
