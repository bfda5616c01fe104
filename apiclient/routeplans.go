package apiclient

import (
	"context"

	"waybill/model"
)

// RoutePlan is a round that is planned ahead, outside the core of the interface.
type RoutePlan struct {
	ID                   model.ID                     `json:"id"`
	ShortID              model.ShortID                `json:"shortId"`
	Name                 string                       `json:"name"`
	State                string                       `json:"state"`
	Color                model.Opt[string]            `json:"color,omitzero"`
	Tasks                []model.ID                   `json:"tasks"`
	TaskStates           model.Opt[[]model.TaskState] `json:"taskStates,omitzero"`
	Organization         model.ID                     `json:"organization"`
	Team                 model.Opt[model.ID]          `json:"team,omitzero"`
	Worker               model.Opt[model.ID]          `json:"worker,omitzero"`
	VehicleType          model.Opt[model.VehicleType] `json:"vehicleType,omitzero"`
	StartTime            model.Opt[model.Millis]      `json:"startTime,omitzero"`
	EndTime              model.Opt[model.Millis]      `json:"endTime,omitzero"`
	ActualStartTime      model.Opt[model.Millis]      `json:"actualStartTime,omitzero"`
	ActualEndTime        model.Opt[model.Millis]      `json:"actualEndTime,omitzero"`
	StartAt              model.Opt[string]            `json:"startAt,omitzero"`
	EndAt                model.Opt[string]            `json:"endAt,omitzero"`
	StartingHubID        model.Opt[model.ID]          `json:"startingHubId,omitzero"`
	EndingHubID          model.Opt[model.ID]          `json:"endingHubId,omitzero"`
	TimeCreated          model.Millis                 `json:"timeCreated"`
	TimeLastModified     model.Millis                 `json:"timeLastModified"`
	Timezone             model.Opt[string]            `json:"timezone,omitzero"`
	PlannedDistance      model.Opt[float64]           `json:"plannedDistance,omitzero"`
	PlannedDuration      model.Opt[model.Seconds]     `json:"plannedDuration,omitzero"`
	IsOverdue            model.Opt[bool]              `json:"isOverdue,omitzero"`
	Status               model.Opt[string]            `json:"status,omitzero"`
	StatusTimeDifference model.Opt[model.Raw]         `json:"statusTimeDifference,omitzero"`
	Extra                model.Extra                  `json:",embed"`
}

// RoutePlanInput is the body that creates or updates a route plan.
type RoutePlanInput struct {
	Name          model.Opt[string]            `json:"name,omitzero"`
	StartTime     model.Opt[model.Millis]      `json:"startTime,omitzero"`
	EndTime       model.Opt[model.Millis]      `json:"endTime,omitzero"`
	Tasks         model.Opt[[]model.ID]        `json:"tasks,omitzero"`
	Color         model.Opt[string]            `json:"color,omitzero"`
	VehicleType   model.Opt[model.VehicleType] `json:"vehicleType,omitzero"`
	Worker        model.Opt[model.ID]          `json:"worker,omitzero"`
	Team          model.Opt[model.ID]          `json:"team,omitzero"`
	StartAt       model.Opt[string]            `json:"startAt,omitzero"`
	EndAt         model.Opt[string]            `json:"endAt,omitzero"`
	StartingHubID model.Opt[model.ID]          `json:"startingHubId,omitzero"`
	EndingHubID   model.Opt[model.ID]          `json:"endingHubId,omitzero"`
	Timezone      model.Opt[string]            `json:"timezone,omitzero"`
	Extra         model.Extra                  `json:",embed"`
}

// RoutePlansQuery chooses route plans. The zero value takes the service's first 500.
type RoutePlansQuery struct {
	Worker                         model.ID
	StartTimeFrom, StartTimeTo     model.Millis
	CreatedTimeFrom, CreatedTimeTo model.Millis
	HasTasks                       model.Opt[bool]
	Limit                          int
}

// RoutePlans lists route plans.
func (c *Client) RoutePlans(ctx context.Context, q RoutePlansQuery) ([]RoutePlan, error) {
	query := params{}.text("workerId", string(q.Worker)).
		millis("startTimeFrom", q.StartTimeFrom).millis("startTimeTo", q.StartTimeTo).
		millis("createdTimeFrom", q.CreatedTimeFrom).millis("createdTimeTo", q.CreatedTimeTo).
		flag("hasTasks", q.HasTasks).number("limit", float64(q.Limit))
	return fetch[[]RoutePlan](ctx, c, get("routePlans").with(query.values()))
}

// RoutePlan is one route plan.
func (c *Client) RoutePlan(ctx context.Context, id model.ID) (RoutePlan, error) {
	return fetch[RoutePlan](ctx, c, get("routePlans", string(id)))
}

// CreateRoutePlan makes a route plan.
func (c *Client) CreateRoutePlan(ctx context.Context, p RoutePlanInput) (RoutePlan, error) {
	return fetch[RoutePlan](ctx, c, post(p, "routePlans"))
}

// UpdateRoutePlan changes a route plan.
func (c *Client) UpdateRoutePlan(ctx context.Context, id model.ID, changes RoutePlanInput) (RoutePlan, error) {
	return fetch[RoutePlan](ctx, c, put(changes, "routePlans", string(id)))
}

// AddRoutePlanTasks puts tasks onto a route plan.
func (c *Client) AddRoutePlanTasks(ctx context.Context, id model.ID, tasks []model.ID) (RoutePlan, error) {
	return fetch[RoutePlan](ctx, c, put(RoutePlanInput{Tasks: model.Some(tasks)}, "routePlans", string(id), "tasks"))
}

// DeleteRoutePlan removes a route plan.
func (c *Client) DeleteRoutePlan(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("routePlans", string(id)), nil)
}
