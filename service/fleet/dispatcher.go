package fleet

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/world"
)

// The dispatcher looks after each team every few minutes, and leaves some work for whoever sits at the console.
const (
	deskRound = 5 * time.Minute
	// fullList is how many tasks a driver has before the dispatcher looks for another.
	fullList = 7
)

// dispatch does the rounds that are due: teams one after the other.
func (s *Sandbox) dispatch(ctx context.Context, now model.Millis, tick time.Duration) error {
	for i := range s.state.Teams {
		offset := deskRound * time.Duration(i) / time.Duration(len(s.state.Teams))
		if !isDue(now, deskRound, offset, tick) {
			continue
		}
		if err := s.takeBack(ctx, s.state.Teams[i], now); err != nil {
			return err
		}
		if err := s.handOut(ctx, s.state.Teams[i]); err != nil {
			return err
		}
		if i == 0 {
			if err := s.handOutOrders(ctx, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// isDue reports whether something that happens every so often happens in the tick that ends now.
func isDue(now model.Millis, every, offset, tick time.Duration) bool {
	period := every.Milliseconds()
	at := (int64(now) - offset.Milliseconds()) % period
	return at < tick.Milliseconds()
}

// handOut assigns what of a team's tasks is due first, as far as there are drivers, but for a rest.
func (s *Sandbox) handOut(ctx context.Context, t team) error {
	rest := max(2, s.options.Tasks/(12*len(s.state.Teams)))
	var waiting, drivers int
	if err := s.store.QueryRow(ctx, "SELECT count(*) FROM tasks WHERE container_owner = $1 AND state = 0", t.ID).Scan(&waiting); err != nil {
		return fmt.Errorf("count a team's tasks: %w", err)
	}
	if err := s.store.QueryRow(ctx, `SELECT count(*) FROM team_workers m JOIN workers w ON w.id = m.worker
		LEFT JOIN containers c ON c.owner = w.id WHERE m.team = $1 AND w.on_duty = 1 AND coalesce(c.size, 0) < $2`,
		t.ID, fullList).Scan(&drivers); err != nil {
		return fmt.Errorf("count a team's drivers: %w", err)
	}
	ids, err := s.ids1(ctx, `SELECT id FROM tasks WHERE container_owner = $1 AND state = 0
		ORDER BY coalesce(complete_before, created + 14400000), seq LIMIT $2`, t.ID, min(waiting-rest, 2*drivers))
	if err != nil || len(ids) == 0 || waiting <= rest {
		return err
	}
	_, err = s.world.AutoAssign(ctx, s.desk(), model.AutoAssignRequest{
		Tasks: ids,
		Options: model.AutoAssignOptions{
			Mode: model.AutoAssignLoad, Teams: []model.ID{t.ID}, MaxAssignedTaskCount: model.Some(model.Int(fullList)),
		},
	})
	return accepted(err)
}

func (s *Sandbox) ids1(ctx context.Context, query string, args ...any) ([]model.ID, error) {
	rows, err := s.store.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("look for tasks: %w", err)
	}
	defer rows.Close()
	var ids []model.ID
	for rows.Next() {
		var id model.ID
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("look for tasks: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// leftBehind is how long a driver may be off duty before the dispatcher takes back what they have not done.
const leftBehind = 45 * time.Minute

// takeBack moves tasks of drivers who have gone home back to their team.
func (s *Sandbox) takeBack(ctx context.Context, t team, now model.Millis) error {
	left, err := s.ids1(ctx, `SELECT t.id FROM team_workers m JOIN workers w ON w.id = m.worker
		JOIN tasks t ON t.worker = w.id AND t.state = 1
		WHERE m.team = $1 AND w.on_duty = 0 AND w.last_seen < $2 ORDER BY t.seq LIMIT 50`, t.ID, int64(now.Add(-leftBehind)))
	if err != nil {
		return err
	}
	for _, id := range left {
		_, err := s.world.UpdateTask(ctx, s.desk(), id, model.TaskInput{Container: model.Some(model.TeamContainer(t.ID))})
		if err := accepted(err); err != nil {
			return err
		}
	}
	return nil
}

// openOrder is an order that nobody has yet.
type openOrder struct {
	id, client, pickup, dropoff model.ID
	at                          geo.Location
	created                     model.Millis
}

// handOutOrders gives both tasks of an order to one driver. A few orders are rejected, a few cancelled by who placed
// them.
func (s *Sandbox) handOutOrders(ctx context.Context, now model.Millis) error {
	orders, err := s.openOrders(ctx)
	if err != nil {
		return err
	}
	keep := max(2, s.options.Tasks/80)
	for i, order := range orders {
		rng := s.draw("order "+string(order.id), int64(now))
		switch {
		case chance(rng, 2):
			_, err = s.world.RejectOrder(ctx, s.desk(), world.OrderRef(order.id))
		case chance(rng, 2):
			_, err = s.world.CancelOrders(ctx, world.Actor{Type: world.ActorAPI, ID: order.client, Org: order.client},
				model.CancelOrders{OrderIDs: []model.ID{order.id}})
		case i < len(orders)-keep:
			err = s.assignOrder(ctx, order)
		}
		if err := accepted(err); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sandbox) openOrders(ctx context.Context) ([]openOrder, error) {
	rows, err := s.store.Query(ctx, `SELECT o.id, o.client, o.pickup, o.dropoff, o.created, d.lon, d.lat FROM orders o
		JOIN tasks p ON p.id = o.pickup AND p.state = 0 JOIN tasks q ON q.id = o.dropoff AND q.state = 0
		JOIN destinations d ON d.id = p.destination
		WHERE o.courier = $1 AND o.client IS NOT NULL AND o.status = 'open' ORDER BY o.created, o.id LIMIT 500`, s.state.Org)
	if err != nil {
		return nil, fmt.Errorf("look for orders: %w", err)
	}
	defer rows.Close()
	var orders []openOrder
	for rows.Next() {
		var o openOrder
		if err := rows.Scan(&o.id, &o.client, &o.pickup, &o.dropoff, &o.created, &o.at.Lon, &o.at.Lat); err != nil {
			return nil, fmt.Errorf("look for orders: %w", err)
		}
		orders = append(orders, o)
	}
	return orders, rows.Err()
}

// assignOrder gives an order to the driver on duty who is near and has little to do.
func (s *Sandbox) assignOrder(ctx context.Context, o openOrder) error {
	var chosen model.ID
	// A degree of longitude is four fifths of one of latitude here; a task in the list counts as much as 600 m.
	err := s.store.QueryRow(ctx, `SELECT w.id FROM workers w LEFT JOIN containers c ON c.owner = w.id
		WHERE w.org = $1 AND w.on_duty = 1 AND w.lat IS NOT NULL AND coalesce(c.size, 0) < $4
		ORDER BY abs(w.lat - $3) * 111000 + abs(w.lon - $2) * 88000 + 600 * coalesce(c.size, 0), w.id LIMIT 1`,
		s.state.Org, o.at.Lon, o.at.Lat, fullList).Scan(&chosen)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // everybody is busy
	}
	if err != nil {
		return fmt.Errorf("look for a driver: %w", err)
	}
	_, err = s.world.UpdateContainer(ctx, s.desk(), model.WorkerContainer(chosen), model.ContainerUpdate{
		Tasks: model.ContainerTasks{Index: model.Some(model.Int(model.AppendTasks)), IDs: []model.ID{o.pickup, o.dropoff}},
	})
	return err
}
