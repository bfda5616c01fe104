package apiclient

import (
	"context"
	"iter"

	"waybill/model"
)

// Teams lists the teams.
func (c *Client) Teams(ctx context.Context) ([]model.Team, error) {
	return fetch[[]model.Team](ctx, c, get("teams"))
}

// Team is one team.
func (c *Client) Team(ctx context.Context, id model.ID) (model.Team, error) {
	return fetch[model.Team](ctx, c, get("teams", string(id)))
}

// CreateTeam makes a team; its name is unique.
func (c *Client) CreateTeam(ctx context.Context, t model.TeamInput) (model.Team, error) {
	return fetch[model.Team](ctx, c, post(t, "teams"))
}

// UpdateTeam changes a team.
func (c *Client) UpdateTeam(ctx context.Context, id model.ID, changes model.TeamInput) (model.Team, error) {
	return fetch[model.Team](ctx, c, put(changes, "teams", string(id)))
}

// DeleteTeam removes a team.
func (c *Client) DeleteTeam(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("teams", string(id)), nil)
}

// TeamTaskPage is one page of the tasks that a team has and no worker of it.
func (c *Client) TeamTaskPage(ctx context.Context, team model.ID, q OwnTasksQuery) (model.TaskPage, error) {
	return fetch[model.TaskPage](ctx, c, get("teams", string(team), "tasks").withQuery(q.values()))
}

// TeamTasks walks the tasks that a team has and no worker of it. An error is the last thing it yields.
func (c *Client) TeamTasks(ctx context.Context, team model.ID, q OwnTasksQuery) iter.Seq2[model.Task, error] {
	return iterateTasks(ctx, q.LastID, func(ctx context.Context, last model.ID) (model.TaskPage, error) {
		q := q
		q.LastID = last
		return c.TeamTaskPage(ctx, team, q)
	})
}

// EstimateQuery asks who of a team could serve a place. One of the two places is needed.
type EstimateQuery struct {
	Dropoff, Pickup model.Opt[model.Location]
	// PickupTime is needed with a pickup that is less than three hours ahead.
	PickupTime model.UnixSeconds
	// ExcludedVehicles are types that cannot take it.
	ExcludedVehicles []model.VehicleType
	// ServiceTime is the time at the door; 0 means the service's own, two minutes.
	ServiceTime model.Seconds
}

// EstimateDelivery tells who of a team could serve a place, and when. Unlike everywhere else, its times are in seconds.
func (c *Client) EstimateDelivery(ctx context.Context, team model.ID, q EstimateQuery) (model.TeamEstimate, error) {
	p := params{}.location("dropoffLocation", q.Dropoff).location("pickupLocation", q.Pickup).
		number("pickupTime", float64(q.PickupTime)).number("serviceTime", float64(q.ServiceTime))
	p = addList(p, "restrictedVehiclesTypes", q.ExcludedVehicles)
	return fetch[model.TeamEstimate](ctx, c, get("teams", string(team), "estimate").withQuery(p.values()))
}

// DispatchTeam starts the planning of a team's tasks onto its workers; one can run at a time.
func (c *Client) DispatchTeam(ctx context.Context, team model.ID, r model.DispatchRequest) (model.DispatchAccepted, error) {
	return fetch[model.DispatchAccepted](ctx, c, post(r, "teams", string(team), "dispatch"))
}

// Dispatch reads a dispatch as it runs and when it has run. Services without the route answer ErrUnsupportedRoute;
// there the outcome comes by webhook only.
func (c *Client) Dispatch(ctx context.Context, id model.ID) (model.DispatchJob, error) {
	return fetch[model.DispatchJob](ctx, c, get("dispatches", string(id)))
}

// TeamDispatches lists the latest dispatches of a team, the newest first, where the service has the route.
func (c *Client) TeamDispatches(ctx context.Context, team model.ID) ([]model.DispatchJob, error) {
	return fetch[[]model.DispatchJob](ctx, c, get("teams", string(team), "dispatches"))
}

// FindTeams lists the teams whose metadata matches all entries.
func (c *Client) FindTeams(ctx context.Context, match []model.Metadata) ([]model.Team, error) {
	return fetch[[]model.Team](ctx, c, metadataQuery("teams", match))
}

// Hubs lists the depots.
func (c *Client) Hubs(ctx context.Context) ([]model.Hub, error) {
	return fetch[[]model.Hub](ctx, c, get("hubs"))
}

// CreateHub makes a depot.
func (c *Client) CreateHub(ctx context.Context, h model.HubInput) (model.Hub, error) {
	return fetch[model.Hub](ctx, c, post(h, "hubs"))
}

// UpdateHub changes a depot.
func (c *Client) UpdateHub(ctx context.Context, id model.ID, changes model.HubInput) (model.Hub, error) {
	return fetch[model.Hub](ctx, c, put(changes, "hubs", string(id)))
}
