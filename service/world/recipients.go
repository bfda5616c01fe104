package world

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
