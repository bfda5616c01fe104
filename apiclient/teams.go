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

// Team returns a team.
func (c *Client) Team(ctx context.Context, id model.ID) (model.Team, error) {
	return fetch[model.Team](ctx, c, get("teams", string(id)))
}

// CreateTeam creates a team. The name is unique in the organization.
func (c *Client) CreateTeam(ctx context.Context, t model.TeamInput) (model.Team, error) {
	return fetch[model.Team](ctx, c, post(t, "teams"))
}

// UpdateTeam changes a team.
func (c *Client) UpdateTeam(ctx context.Context, id model.ID, changes model.TeamInput) (model.Team, error) {
	return fetch[model.Team](ctx, c, put(changes, "teams", string(id)))
}

// DeleteTeam deletes a team.
func (c *Client) DeleteTeam(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("teams", string(id)), nil)
}

// TeamTaskPage returns a page of the tasks that are assigned to a team but to no worker.
func (c *Client) TeamTaskPage(ctx context.Context, team model.ID, q OwnTasksQuery) (model.TaskPage, error) {
	return fetch[model.TaskPage](ctx, c, get("teams", string(team), "tasks").withQuery(encodeQuery(q)))
}

// TeamTasks yields all tasks that are assigned to a team but to no worker. After an error it stops.
func (c *Client) TeamTasks(ctx context.Context, team model.ID, q OwnTasksQuery) iter.Seq2[model.Task, error] {
	return iterateTasks(ctx, q.LastID, func(ctx context.Context, last model.ID) (model.TaskPage, error) {
		q := q
		q.LastID = last
		return c.TeamTaskPage(ctx, team, q)
	})
}

// EstimateQuery selects where to deliver or pick up. At least one of the two locations is required.
type EstimateQuery struct {
	Dropoff model.Opt[model.Location] `query:"dropoffLocation"`
	Pickup  model.Opt[model.Location] `query:"pickupLocation"`
	// PickupTime is required with Pickup if the pickup is less than three hours ahead.
	PickupTime model.UnixSeconds `query:"pickupTime"`
	// ExcludedVehicles are vehicle types that cannot take the delivery.
	ExcludedVehicles []model.VehicleType `query:"restrictedVehiclesTypes"`
	// ServiceTime is the time at the stop; 0 means the default of the service, two minutes.
	ServiceTime model.Seconds `query:"serviceTime"`
}

// EstimateDelivery returns which worker of a team could serve a location, and when. Its times are in seconds, unlike all others.
func (c *Client) EstimateDelivery(ctx context.Context, team model.ID, q EstimateQuery) (model.TeamEstimate, error) {
	return fetch[model.TeamEstimate](ctx, c, get("teams", string(team), "estimate").withQuery(encodeQuery(q)))
}

// DispatchTeam starts a dispatch of a team. Only one per team can run at a time.
func (c *Client) DispatchTeam(ctx context.Context, team model.ID, r model.DispatchRequest) (model.DispatchAccepted, error) {
	return fetch[model.DispatchAccepted](ctx, c, post(r, "teams", string(team), "dispatch"))
}

// Dispatch returns a running or finished dispatch. Services without this endpoint return ErrUnsupportedRoute; they
// report the result only by webhook.
func (c *Client) Dispatch(ctx context.Context, id model.ID) (model.DispatchJob, error) {
	return fetch[model.DispatchJob](ctx, c, get("dispatches", string(id)))
}

// TeamDispatches lists the latest dispatches of a team, newest first, if the service has this endpoint.
func (c *Client) TeamDispatches(ctx context.Context, team model.ID) ([]model.DispatchJob, error) {
	return fetch[[]model.DispatchJob](ctx, c, get("teams", string(team), "dispatches"))
}

// FindTeams lists the teams whose metadata matches all entries.
func (c *Client) FindTeams(ctx context.Context, match []model.Metadata) ([]model.Team, error) {
	return fetch[[]model.Team](ctx, c, metadataQuery("teams", match))
}

// Hubs lists the hubs.
func (c *Client) Hubs(ctx context.Context) ([]model.Hub, error) {
	return fetch[[]model.Hub](ctx, c, get("hubs"))
}

// CreateHub creates a hub.
func (c *Client) CreateHub(ctx context.Context, h model.HubInput) (model.Hub, error) {
	return fetch[model.Hub](ctx, c, post(h, "hubs"))
}

// UpdateHub changes a hub.
func (c *Client) UpdateHub(ctx context.Context, id model.ID, changes model.HubInput) (model.Hub, error) {
	return fetch[model.Hub](ctx, c, put(changes, "hubs", string(id)))
}
