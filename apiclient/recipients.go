package apiclient

import (
	"context"

	"waybill/model"
)

// CreateRecipient creates a recipient. The phone number is unique in the organization.
func (c *Client) CreateRecipient(ctx context.Context, r model.RecipientInput) (model.Recipient, error) {
	return fetch[model.Recipient](ctx, c, post(r, "recipients"))
}

// Recipient returns a recipient.
func (c *Client) Recipient(ctx context.Context, id model.ID) (model.Recipient, error) {
	return fetch[model.Recipient](ctx, c, get("recipients", string(id)))
}

// RecipientByName finds a recipient by the full name, ignoring case.
func (c *Client) RecipientByName(ctx context.Context, name string) (model.Recipient, error) {
	return fetch[model.Recipient](ctx, c, get("recipients", "name", name))
}

// RecipientByPhone finds a recipient by phone number. The service normalises the number. With skipValidation it does
// not, and the number must start with a plus.
func (c *Client) RecipientByPhone(ctx context.Context, phone string, skipValidation bool) (model.Recipient, error) {
	query := encodeQuery(struct {
		Skip bool `query:"skipPhoneNumberValidation"`
	}{skipValidation})
	return fetch[model.Recipient](ctx, c, get("recipients", "phone", phone).withQuery(query))
}

// UpdateRecipient changes a recipient; the phone number cannot change.
func (c *Client) UpdateRecipient(ctx context.Context, id model.ID, changes model.RecipientInput) (model.Recipient, error) {
	return fetch[model.Recipient](ctx, c, put(changes, "recipients", string(id)))
}

// FindRecipients lists the recipients whose metadata matches all entries.
func (c *Client) FindRecipients(ctx context.Context, match []model.Metadata) ([]model.Recipient, error) {
	return fetch[[]model.Recipient](ctx, c, metadataQuery("recipients", match))
}
