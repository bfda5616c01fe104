package world

import (
	"context"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// CreateRecipient creates a recipient. The phone number is unique within the organization.
func (w *World) CreateRecipient(ctx context.Context, actor Actor, in model.RecipientInput) (model.Recipient, error) {
	rules, err := w.checkInput(ctx, actor.Org, in.Check)
	if err != nil {
		return model.Recipient{}, err
	}
	phone, _ := in.NormalizedPhone(rules.Country)
	r := w.newRecipient(actor.Org, in, phone, rules.Now)
	return r, w.store.Write(ctx, func(tx *store.Tx) error { saveRecipient(ctx, tx, r); return nil })
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

// insertRecipients begins the statement that inserts recipients; recipientValues are the values of one.
const insertRecipients = "INSERT INTO recipients (id, org, phone, name_fold, created, modified, doc)"

func recipientValues(r *model.Recipient, doc any) []any {
	return []any{r.ID, r.Organization, r.Phone, foldName(r.Name), int64(r.TimeLastModified), int64(r.TimeLastModified), doc}
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
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Recipient, error) {
		r, err := readOwned[model.Recipient](ctx, tx, "recipients", actor.Org, id)
		if err != nil {
			return r, err
		}
		if problems := in.CheckUpdate(); len(problems) > 0 {
			return r, problems
		}
		applyRecipientInput(&r, in)
		r.TimeLastModified = w.Now()
		saveRecipient(ctx, tx, r)
		return r, nil
	})
}

// applyRecipientInput applies the members that the body contains. Null clears what can be empty.
func applyRecipientInput(r *model.Recipient, in model.RecipientInput) {
	r.Name = strings.TrimSpace(in.Name.Or(r.Name))
	setValueIfSent(&r.Notes, in.Notes)
	r.SkipSMSNotifications = in.SkipSMSNotifications.Or(r.SkipSMSNotifications)
	setIfSent(&r.UseLongCodeForText, in.UseLongCodeForText)
	if in.Metadata.Present() {
		r.Metadata = withVisibility(in.Metadata.Value())
	}
}

// saveRecipient stores a new or changed recipient.
func saveRecipient(ctx context.Context, tx *store.Tx, r model.Recipient) {
	tx.WriteUnique(ctx, Duplicate("phone", r.Phone), "save recipient", insertRecipients+` VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET name_fold = excluded.name_fold, modified = excluded.modified, doc = excluded.doc`,
		recipientValues(&r, asDoc(r))...)
	reindexMetadata(ctx, tx, r.Organization, kindRecipients, r.ID, r.Metadata)
}

// FindRecipients lists the recipients that have every metadata entry of the query.
func (w *World) FindRecipients(ctx context.Context, org model.ID, query []model.Metadata) ([]model.Recipient, error) {
	return findOwnedByMetadata[model.Recipient](ctx, w.store, "recipients", org, query)
}
