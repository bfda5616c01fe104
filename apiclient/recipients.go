package apiclient

import (
	"context"
	"net/url"

	"waybill/model"
)

// CreateRecipient stores a person. The phone is unique in the organization.
func (c *Client) CreateRecipient(ctx context.Context, r model.RecipientInput) (model.Recipient, error) {
	return fetch[model.Recipient](ctx, c, post(r, "recipients"))
}

// Recipient is one person.
func (c *Client) Recipient(ctx context.Context, id model.ID) (model.Recipient, error) {
	return fetch[model.Recipient](ctx, c, get("recipients", string(id)))
}

// RecipientByName finds a person by the whole name; upper and lower case are the same.
func (c *Client) RecipientByName(ctx context.Context, name string) (model.Recipient, error) {
	return fetch[model.Recipient](ctx, c, get("recipients", "name", name))
}

// RecipientByPhone finds a person by phone. The service normalises the number unless validation is skipped, which
// needs a number with a leading plus.
func (c *Client) RecipientByPhone(ctx context.Context, phone string, skipValidation bool) (model.Recipient, error) {
	query := url.Values{}
	if skipValidation {
		query.Set("skipPhoneNumberValidation", "true")
	}
	return fetch[model.Recipient](ctx, c, get("recipients", "phone", phone).withQuery(query))
}

// UpdateRecipient changes a person; the phone stays.
func (c *Client) UpdateRecipient(ctx context.Context, id model.ID, changes model.RecipientInput) (model.Recipient, error) {
	return fetch[model.Recipient](ctx, c, put(changes, "recipients", string(id)))
}

// FindRecipients lists the people whose metadata matches all entries.
func (c *Client) FindRecipients(ctx context.Context, match []model.Metadata) ([]model.Recipient, error) {
	return fetch[[]model.Recipient](ctx, c, metadataQuery("recipients", match))
}
