package apiclient

import (
	"context"

	"waybill/model"
)

// RoutePlansQuery chooses route plans. The zero value takes the service's first 500.
type RoutePlansQuery struct {
	Worker                         model.ID
	StartTimeFrom, StartTimeTo     model.Millis
	CreatedTimeFrom, CreatedTimeTo model.Millis
	HasTasks                       model.Opt[bool]
	Limit                          int
}

// RoutePlans lists route plans.
func (c *Client) RoutePlans(ctx context.Context, q RoutePlansQuery) ([]model.RoutePlan, error) {
	query := params{}.text("workerId", string(q.Worker)).
		millis("startTimeFrom", q.StartTimeFrom).millis("startTimeTo", q.StartTimeTo).
		millis("createdTimeFrom", q.CreatedTimeFrom).millis("createdTimeTo", q.CreatedTimeTo).
		boolean("hasTasks", q.HasTasks).number("limit", float64(q.Limit))
	return fetch[[]model.RoutePlan](ctx, c, get("routePlans").withQuery(query.values()))
}

// RoutePlan is one route plan.
func (c *Client) RoutePlan(ctx context.Context, id model.ID) (model.RoutePlan, error) {
	return fetch[model.RoutePlan](ctx, c, get("routePlans", string(id)))
}

// CreateRoutePlan makes a route plan.
func (c *Client) CreateRoutePlan(ctx context.Context, p model.RoutePlanInput) (model.RoutePlan, error) {
	return fetch[model.RoutePlan](ctx, c, post(p, "routePlans"))
}

// UpdateRoutePlan changes a route plan.
func (c *Client) UpdateRoutePlan(ctx context.Context, id model.ID, changes model.RoutePlanInput) (model.RoutePlan, error) {
	return fetch[model.RoutePlan](ctx, c, put(changes, "routePlans", string(id)))
}

// AddRoutePlanTasks puts tasks onto a route plan.
func (c *Client) AddRoutePlanTasks(ctx context.Context, id model.ID, tasks []model.ID) (model.RoutePlan, error) {
	return fetch[model.RoutePlan](ctx, c, put(model.RoutePlanInput{Tasks: model.Some(tasks)}, "routePlans", string(id), "tasks"))
}

// DeleteRoutePlan removes a route plan.
func (c *Client) DeleteRoutePlan(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("routePlans", string(id)), nil)
}
