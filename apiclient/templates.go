package apiclient

import (
	"context"
	"net/url"

	"waybill/model"
)

// CreateTemplate makes a task template.
func (c *Client) CreateTemplate(ctx context.Context, t model.TemplateInput) (model.Template, error) {
	return fetch[model.Template](ctx, c, post(t, "cfGroups", "task"))
}

// taskModel is the only resource that custom fields can belong to.
const taskModel = "Task"

// CustomFields lists the fields that the organization adds to its tasks.
func (c *Client) CustomFields(ctx context.Context) ([]model.CustomField, error) {
	answer, err := fetch[model.CustomFieldList](ctx, c, get("customFields", taskModel))
	return answer.Fields, err
}

// CreateCustomFields defines fields on tasks.
func (c *Client) CreateCustomFields(ctx context.Context, fields []model.CustomFieldPart) error {
	return c.do(ctx, post(model.CustomFieldChange{Model: taskModel, Fields: fields}, "customFields"), nil)
}

// UpdateCustomFields changes fields on tasks.
func (c *Client) UpdateCustomFields(ctx context.Context, fields []model.CustomFieldPart) error {
	return c.do(ctx, put(model.CustomFieldChange{Model: taskModel, Fields: fields}, "customFields"), nil)
}

// DeleteCustomFields removes fields from tasks, by key.
func (c *Client) DeleteCustomFields(ctx context.Context, keys []string) error {
	fields := make([]model.CustomFieldPart, len(keys))
	for i, key := range keys {
		fields[i].Key = key
	}
	k := remove("customFields")
	k.body = model.CustomFieldChange{Model: taskModel, Fields: fields}
	return c.do(ctx, k, nil)
}

// manifestRequest asks the marketplace for a document, as a request inside a request.
type manifestRequest struct {
	Path   string `json:"path"`
	Method string `json:"method"`
}

// Manifest is the papers of a worker's round from a hub, as the service gives them. Asking changes nothing.
func (c *Client) Manifest(ctx context.Context, hub, worker model.ID) (model.Raw, error) {
	query := url.Values{"hubId": {string(hub)}, "workerId": {string(worker)}}
	body := manifestRequest{Path: "providers/manifest/generate?" + query.Encode(), Method: "GET"}
	return fetch[model.Raw](ctx, c, post(body, "integrations", "marketplace").asQuery())
}
