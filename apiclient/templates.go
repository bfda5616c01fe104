package apiclient

import (
	"context"
	"net/url"

	"waybill/model"
)

// Templates lists the task templates. Services without this endpoint return [ErrUnsupportedRoute].
func (c *Client) Templates(ctx context.Context) ([]model.Template, error) {
	return fetch[[]model.Template](ctx, c, get("cfGroups", "task"))
}

// CreateTemplate creates a task template.
func (c *Client) CreateTemplate(ctx context.Context, t model.TemplateInput) (model.Template, error) {
	return fetch[model.Template](ctx, c, post(t, "cfGroups", "task"))
}

// taskModel is the only resource with custom fields.
const taskModel = "Task"

// CustomFields lists the custom fields of tasks.
func (c *Client) CustomFields(ctx context.Context) ([]model.CustomField, error) {
	answer, err := fetch[model.CustomFieldList](ctx, c, get("customFields", taskModel))
	return answer.Fields, err
}

// CreateCustomFields creates custom fields of tasks.
func (c *Client) CreateCustomFields(ctx context.Context, fields []model.CustomFieldPart) error {
	return c.do(ctx, post(model.CustomFieldChange{Model: taskModel, Fields: fields}, "customFields"), nil)
}

// UpdateCustomFields changes custom fields of tasks.
func (c *Client) UpdateCustomFields(ctx context.Context, fields []model.CustomFieldPart) error {
	return c.do(ctx, put(model.CustomFieldChange{Model: taskModel, Fields: fields}, "customFields"), nil)
}

// DeleteCustomFields deletes custom fields of tasks by key.
func (c *Client) DeleteCustomFields(ctx context.Context, keys []string) error {
	fields := make([]model.CustomFieldPart, len(keys))
	for i, key := range keys {
		fields[i].Key = key
	}
	k := remove("customFields")
	k.body = model.CustomFieldChange{Model: taskModel, Fields: fields}
	return c.do(ctx, k, nil)
}

// manifestRequest wraps a request to the marketplace.
type manifestRequest struct {
	Path   string `json:"path"`
	Method string `json:"method"`
}

// Manifest returns the delivery manifest of a worker's route from a hub. It changes nothing.
func (c *Client) Manifest(ctx context.Context, hub, worker model.ID) (model.Raw, error) {
	query := url.Values{"hubId": {string(hub)}, "workerId": {string(worker)}}
	body := manifestRequest{Path: "providers/manifest/generate?" + query.Encode(), Method: "GET"}
	return fetch[model.Raw](ctx, c, post(body, "integrations", "marketplace").asQuery())
}
