package world

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/store"
)

// EstimateQuery asks which driver of a team could do a delivery. At least one of the two locations is required.
type EstimateQuery struct {
	Pickup, Dropoff model.Opt[model.Location]
	// PickupTime is when the goods are ready. It is required with a pickup.
	PickupTime model.Opt[model.UnixSeconds]
	// ExcludedVehicles are the vehicle types that cannot do the delivery.
	ExcludedVehicles []model.VehicleType
	ServiceTime      model.Opt[model.Seconds]
}

const defaultEstimateService = 2 * time.Minute

// estimateCandidate is a driver who could do the delivery, with the stops already on the route.
type estimateCandidate struct {
	worker      model.Worker
	route       []model.Location
	serviceTime time.Duration // at the doors of what is on the route already
}

// TeamEstimate returns which driver of a team on duty could do a delivery first, after the stops already on the route,
// and when. Without a pickup the goods come from the team's hub; without a drop-off they go there.
func (w *World) TeamEstimate(ctx context.Context, org, team model.ID, query EstimateQuery) (model.TeamEstimate, error) {
	if err := checkOwner(ctx, w.store, "teams", org, team); err != nil {
		return model.TeamEstimate{}, err
	}
	if err := model.CheckEstimate(query.Pickup, query.Dropoff, query.PickupTime, query.ServiceTime).Err(); err != nil {
		return model.TeamEstimate{}, err
	}
	var hub model.Location
	contenders, err := readTx(ctx, w.store, func(tx *store.Tx) (_ []estimateCandidate, err error) {
		if hub, err = teamHub(ctx, tx, org, team); err != nil {
			return nil, err
		}
		return w.readEstimateCandidates(ctx, tx, team, query, hub)
	})
	if err != nil {
		return model.TeamEstimate{}, err
	}
	if len(contenders) == 0 {
		return model.TeamEstimate{}, notFoundBecause("No worker of the team is on duty with a suitable vehicle.")
	}
	return w.earliestEstimate(ctx, contenders, query, hub)
}

func teamHub(ctx context.Context, tx *store.Tx, org, id model.ID) (model.Location, error) {
	team, err := readTeam(ctx, tx, org, id)
	if err != nil {
		return model.Location{}, err
	}
	hub, ok := team.Hub.Get()
	if !ok {
		return model.Location{}, notFoundBecause("The team has no hub.")
	}
	found, err := readHub(ctx, tx, org, hub)
	return found.Location, err
}

func (w *World) readEstimateCandidates(
	ctx context.Context, q store.Querier, team model.ID, query EstimateQuery, hub model.Location,
) ([]estimateCandidate, error) {
	workers, err := w.readTeamOnDuty(ctx, q, team)
	if err != nil {
		return nil, err
	}
	var list []estimateCandidate
	for _, worker := range workers {
		if vehicle, ok := worker.Vehicle.Get(); ok && slices.Contains(query.ExcludedVehicles, vehicle.Type) {
			continue
		}
		c := estimateCandidate{worker: worker, route: []model.Location{worker.Location.Or(hub)}}
		if err := c.addRoute(ctx, q); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// addRoute adds the stops the driver already has: the active task, then the container in order.
func (c *estimateCandidate) addRoute(ctx context.Context, q store.Querier) error {
	return eachRow(ctx, q, "read the worker's route",
		`SELECT d.lon, d.lat, t.service_minutes FROM tasks t JOIN destinations d ON d.id = t.destination
		WHERE t.worker = $1 AND t.state IN (1, 2) ORDER BY t.state DESC, t.position`, []any{c.worker.ID}, func(row *sql.Rows) error {
			var stop model.Location
			var service model.Minutes
			err := row.Scan(&stop.Lon, &stop.Lat, &service)
			c.route = append(c.route, stop)
			c.serviceTime += min(service, model.MaxServiceTime).Duration()
			return err
		})
}

func (w *World) earliestEstimate(
	ctx context.Context, contenders []estimateCandidate, query EstimateQuery, hub model.Location,
) (model.TeamEstimate, error) {
	var best model.TeamEstimate
	for _, c := range contenders {
		estimate, err := w.estimateDelivery(ctx, c, query, hub)
		if err != nil {
			return best, err
		}
		if best.WorkerID == "" || lastCompletion(estimate) < lastCompletion(best) {
			best = estimate
		}
	}
	return best, nil
}

func lastCompletion(e model.TeamEstimate) model.UnixSeconds {
	return e.Steps[len(e.Steps)-1].CompletionTime
}

// estimateDelivery computes when a driver does the delivery after the stops already on the route.
func (w *World) estimateDelivery(
	ctx context.Context, c estimateCandidate, query EstimateQuery, hub model.Location,
) (model.TeamEstimate, error) {
	kind := c.worker.Vehicle.Value().Type
	profile, err := geo.ProfileFor(string(kind))
	if err != nil {
		return model.TeamEstimate{}, err
	}
	stops := []model.Location{query.Pickup.Or(hub), query.Dropoff.Or(hub)}
	through := make([]geo.Location, 0, len(c.route)+len(stops))
	for _, stop := range slices.Concat(c.route, stops) {
		through = append(through, geo.Location{Lon: stop.Lon, Lat: stop.Lat})
	}
	route, err := w.travel.Route(ctx, through, profile)
	if err != nil {
		return model.TeamEstimate{}, fmt.Errorf("find the route: %w", err)
	}
	earlier := len(c.route) - 1
	free := w.Now().Time().Add(c.serviceTime)
	for _, leg := range route.Legs[:earlier] {
		free = free.Add(time.Duration(leg.Seconds) * time.Second)
	}
	estimate := model.TeamEstimate{WorkerID: c.worker.ID, Vehicle: model.Null[model.Raw]()}
	if kind != "" {
		estimate.Vehicle = model.Some(model.Raw(`"` + kind + `"`))
	}
	service := query.ServiceTime.Or(model.SecondsOf(defaultEstimateService))
	for i, leg := range route.Legs[earlier:] {
		arrival := free.Add(time.Duration(leg.Seconds) * time.Second)
		begins := arrival
		if ready := query.PickupTime.Value().Time(); i == 0 && ready.After(begins) {
			begins = ready
		}
		free = begins.Add(service.Duration())
		estimate.Steps = append(estimate.Steps, model.EstimateStep{
			Location: stops[i], TravelTime: model.Seconds(leg.Seconds), Distance: float64(leg.Meters), ServiceTime: service,
			ArrivalTime: model.UnixSecondsOf(arrival), CompletionTime: model.UnixSecondsOf(free),
		})
	}
	return estimate, nil
}
