package apiclient

import (
	"context"

	"waybill/model"
)

// Templates lists the task templates. It is beyond the document: services without it answer [ErrUnsupportedRoute].
func (c *Client) Templates(ctx context.Context) ([]model.Template, error) {
	return fetch[[]model.Template](ctx, c, get("cfGroups", "task"))
}
