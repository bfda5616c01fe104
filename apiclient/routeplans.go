package apiclient

import (
	"context"

	"waybill/model"
)

// RoutePlansQuery selects route plans. The zero value selects the first 500.
type RoutePlansQuery struct {
	Worker          model.ID        `query:"workerId"`
	StartTimeFrom   model.Millis    `query:"startTimeFrom"`
	StartTimeTo     model.Millis    `query:"startTimeTo"`
	CreatedTimeFrom model.Millis    `query:"createdTimeFrom"`
	CreatedTimeTo   model.Millis    `query:"createdTimeTo"`
	HasTasks        model.Opt[bool] `query:"hasTasks"`
	Limit           int             `query:"limit"`
}

// RoutePlans lists route plans.
func (c *Client) RoutePlans(ctx context.Context, q RoutePlansQuery) ([]model.RoutePlan, error) {
	return fetch[[]model.RoutePlan](ctx, c, get("routePlans").withQuery(encodeQuery(q)))
}

// RoutePlan returns a route plan.
func (c *Client) RoutePlan(ctx context.Context, id model.ID) (model.RoutePlan, error) {
	return fetch[model.RoutePlan](ctx, c, get("routePlans", string(id)))
}

// CreateRoutePlan creates a route plan.
func (c *Client) CreateRoutePlan(ctx context.Context, p model.RoutePlanInput) (model.RoutePlan, error) {
	return fetch[model.RoutePlan](ctx, c, post(p, "routePlans"))
}

// UpdateRoutePlan changes a route plan.
func (c *Client) UpdateRoutePlan(ctx context.Context, id model.ID, changes model.RoutePlanInput) (model.RoutePlan, error) {
	return fetch[model.RoutePlan](ctx, c, put(changes, "routePlans", string(id)))
}

// AddRoutePlanTasks adds tasks to a route plan.
func (c *Client) AddRoutePlanTasks(ctx context.Context, id model.ID, tasks []model.ID) (model.RoutePlan, error) {
	return fetch[model.RoutePlan](ctx, c, put(model.RoutePlanInput{Tasks: model.Some(tasks)}, "routePlans", string(id), "tasks"))
}

// DeleteRoutePlan deletes a route plan.
func (c *Client) DeleteRoutePlan(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("routePlans", string(id)), nil)
}
