package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/world"
)

// maxStops is how many tasks a driver has before the dispatcher looks for another.
const maxStops = 6

// largeDriverCount is from how many drivers on the dispatcher can only look now and then, and at distances only.
const largeDriverCount = 100

func (s *Sandbox) isLarge() bool { return s.options.Workers > largeDriverCount }

// dispatchInterval is how often the dispatcher looks after each team.
func (s *Sandbox) dispatchInterval() time.Duration {
	if s.isLarge() {
		return 15 * time.Minute
	}
	return 5 * time.Minute
}

// runDispatcher does the rounds that are due: teams one after the other. The dispatcher leaves some work for whoever sits
// at the console.
func (s *Sandbox) runDispatcher(ctx context.Context, now model.Millis, tick time.Duration) error {
	for i, team := range s.state.Teams {
		offset := s.dispatchInterval() * time.Duration(i) / time.Duration(len(s.state.Teams))
		if !isDue(now, s.dispatchInterval(), offset, tick) {
			continue
		}
		if i == 0 {
			if err := s.dispatchOrganization(ctx, now); err != nil {
				return err
			}
		}
		if err := s.returnTasks(ctx, team, now); err != nil {
			return err
		}
		if err := s.relieveDrivers(ctx, team, now); err != nil {
			return err
		}
		if err := s.assignTasks(ctx, team, now); err != nil {
			return err
		}
	}
	return nil
}

// dispatchOrganization does what is not about one team: it counts, sends on what waits for a team, and hands out orders.
func (s *Sandbox) dispatchOrganization(ctx context.Context, now model.Millis) error {
	if err := s.store.QueryRow(ctx, "SELECT coalesce(sum(size), 0) FROM containers").Scan(&s.state.Open); err != nil {
		return fmt.Errorf("count open tasks: %w", err)
	}
	if err := s.assignTeams(ctx, now); err != nil {
		return err
	}
	return s.assignOrders(ctx, now)
}

// assignTeams gives tasks that nobody has chosen a team for to the nearest, after a while.
func (s *Sandbox) assignTeams(ctx context.Context, now model.Millis) error {
	const patience = 80 * time.Minute
	rows, err := s.store.Query(ctx, `SELECT t.id, p.lon, p.lat FROM tasks t JOIN destinations p ON p.id = t.destination
		WHERE t.container_owner = $1 AND t.state < 2 AND t.order_id IS NULL AND t.created < $2 ORDER BY t.position LIMIT 40`,
		s.state.Org, int64(now.Add(-patience)))
	if err != nil {
		return fmt.Errorf("look for tasks without a team: %w", err)
	}
	defer rows.Close()
	var waiting []stop
	for rows.Next() {
		var n stop
		if err := rows.Scan(&n.id, &n.at.Lon, &n.at.Lat); err != nil {
			return fmt.Errorf("look for tasks without a team: %w", err)
		}
		waiting = append(waiting, n)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("look for tasks without a team: %w", err)
	}
	for _, task := range waiting {
		nearest := slices.MinFunc(s.state.Teams, func(a, b team) int {
			return cmp.Compare(a.Hub.Distance(task.at), b.Hub.Distance(task.at))
		})
		_, err := s.world.UpdateTask(ctx, s.dispatcher(), task.id, model.TaskInput{Container: model.Some(model.TeamContainer(nearest.ID))})
		if err := ignoreRefusal(err); err != nil {
			return err
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

// assignTasks assigns what of a team's tasks is due first, as far as there are drivers, but for a rest.
func (s *Sandbox) assignTasks(ctx context.Context, t team, now model.Millis) error {
	rest := max(2, s.options.Tasks/(12*len(s.state.Teams)))
	var waiting, drivers int
	if err := s.store.QueryRow(ctx, "SELECT count(*) FROM tasks WHERE container_owner = $1 AND state < 2 AND state = 0", t.ID).Scan(&waiting); err != nil {
		return fmt.Errorf("count a team's tasks: %w", err)
	}
	if err := s.store.QueryRow(ctx, `SELECT count(*) FROM team_workers m JOIN workers w ON w.id = m.worker
		LEFT JOIN containers c ON c.owner = w.id WHERE m.team = $1 AND w.on_duty = 1 AND coalesce(c.size, 0) < $2`,
		t.ID, maxStops).Scan(&drivers); err != nil {
		return fmt.Errorf("count a team's drivers: %w", err)
	}
	ids, err := s.idList(ctx, `SELECT id FROM tasks WHERE container_owner = $1 AND state < 2 AND state = 0
		ORDER BY coalesce(complete_before, created + 14400000), seq LIMIT $2`, t.ID, min(waiting-rest, 2*drivers))
	if err != nil || len(ids) == 0 || waiting <= rest {
		return err
	}
	mode := model.AutoAssignLoad
	if s.isLarge() {
		mode = model.AutoAssignDistance
	}
	_, err = s.world.AutoAssign(ctx, s.dispatcher(), model.AutoAssignRequest{
		Tasks: ids,
		Options: model.AutoAssignOptions{
			Mode: mode, Teams: []model.ID{t.ID}, MaxAssignedTaskCount: model.Some(model.Int(maxStops)),
			ExcludedWorkerIDs: s.leavingDrivers(now),
		},
	})
	return ignoreRefusal(err)
}

func (s *Sandbox) idList(ctx context.Context, query string, args ...any) ([]model.ID, error) {
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

// returnTasks moves tasks of drivers who have gone home back to their team.
func (s *Sandbox) returnTasks(ctx context.Context, t team, now model.Millis) error {
	for _, d := range s.drivers {
		if d.Phase != phaseOff || s.teamOf(d.number).ID != t.ID || !s.shiftEndsWithin(d, now, 0) {
			continue
		}
		left, err := s.idList(ctx, "SELECT id FROM tasks WHERE container_owner = $1 AND state < 2 ORDER BY position", d.worker)
		if err != nil {
			return err
		}
		for _, id := range left {
			_, err := s.world.UpdateTask(ctx, s.dispatcher(), id, model.TaskInput{Container: model.Some(model.TeamContainer(t.ID))})
			if err := ignoreRefusal(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// relieveDrivers takes the last task from each driver who is held up or not heard of, for somebody else to do.
func (s *Sandbox) relieveDrivers(ctx context.Context, t team, now model.Millis) error {
	for _, d := range s.drivers {
		stuck := d.Phase == phaseDriving && d.DelayedFrom <= now && now < d.DelayedUntil
		if d.Phase == phaseOff || s.teamOf(d.number).ID != t.ID || d.Relieved || (!stuck && now >= d.SilentUntil) {
			continue
		}
		d.Relieved, d.changed = true, true
		last, err := s.idList(ctx, `SELECT id FROM tasks WHERE container_owner = $1 AND state < 2 AND order_id IS NULL
			ORDER BY position DESC LIMIT 1`, d.worker)
		if err != nil {
			return err
		}
		for _, id := range last {
			_, err := s.world.UpdateTask(ctx, s.dispatcher(), id, model.TaskInput{Container: model.Some(model.TeamContainer(t.ID))})
			if err := ignoreRefusal(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// leavingDrivers are the drivers who should get nothing new, because they go home soon.
func (s *Sandbox) leavingDrivers(now model.Millis) []model.ID {
	var ids []model.ID
	for _, d := range s.drivers {
		if d.Phase != phaseOff && s.shiftEndsWithin(d, now, 75*time.Minute) {
			ids = append(ids, d.worker)
		}
	}
	return ids
}

// openOrder is an order that nobody has yet.
type openOrder struct {
	id, client, pickup, dropoff model.ID
	at                          geo.Location
	due                         model.Millis
}

// assignOrders gives both tasks of an order to one driver. A few orders are rejected, a few cancelled by who placed
// them.
func (s *Sandbox) assignOrders(ctx context.Context, now model.Millis) error {
	orders, err := s.loadOpenOrders(ctx)
	if err != nil {
		return err
	}
	keep := max(2, s.options.Tasks/80)
	for i, order := range orders {
		rng := s.newRand("order "+string(order.id), 0)
		switch {
		case chance(rng, 6):
			_, err = s.world.RejectOrder(ctx, s.dispatcher(), world.OrderRef(order.id))
		case chance(rng, 6):
			_, err = s.world.CancelOrders(ctx, world.Actor{Type: world.ActorAPI, ID: order.client, Org: order.client},
				model.CancelOrders{OrderIDs: []model.ID{order.id}})
		case i < len(orders)-keep:
			err = s.assignOrder(ctx, order, now)
		}
		if err := ignoreRefusal(err); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sandbox) loadOpenOrders(ctx context.Context) ([]openOrder, error) {
	rows, err := s.store.Query(ctx, `SELECT o.id, o.client, o.pickup, o.dropoff, coalesce(q.complete_before, 0), d.lon, d.lat FROM orders o
		JOIN tasks p ON p.id = o.pickup AND p.state = 0 JOIN tasks q ON q.id = o.dropoff AND q.state = 0
		JOIN destinations d ON d.id = p.destination
		WHERE o.courier = $1 AND o.client IS NOT NULL AND o.status = 'open' ORDER BY q.complete_before, o.id LIMIT 500`, s.state.Org)
	if err != nil {
		return nil, fmt.Errorf("look for orders: %w", err)
	}
	defer rows.Close()
	var orders []openOrder
	for rows.Next() {
		var o openOrder
		if err := rows.Scan(&o.id, &o.client, &o.pickup, &o.dropoff, &o.due, &o.at.Lon, &o.at.Lat); err != nil {
			return nil, fmt.Errorf("look for orders: %w", err)
		}
		orders = append(orders, o)
	}
	return orders, rows.Err()
}

// assignOrder gives an order to the driver on duty who is near and has little to do. What is due soon goes first.
func (s *Sandbox) assignOrder(ctx context.Context, o openOrder, now model.Millis) error {
	chosen, err := s.findDriver(ctx, o.at, now)
	if err != nil || chosen == "" {
		return err
	}
	index := model.AppendTasks
	if o.due < now.Add(2*time.Hour) {
		index = model.PrependTasks
	}
	_, err = s.world.UpdateContainer(ctx, s.dispatcher(), model.WorkerContainer(chosen), model.ContainerUpdate{
		Tasks: model.ContainerTasks{Index: model.Some(model.Int(index)), IDs: []model.ID{o.pickup, o.dropoff}},
	})
	return err
}

// findDriver is the driver for an order; empty when everybody is busy.
func (s *Sandbox) findDriver(ctx context.Context, at geo.Location, now model.Millis) (model.ID, error) {
	leaving := s.leavingDrivers(now)
	// A degree of longitude is four fifths of one of latitude here; a task in the list counts as much as 900 m.
	near, err := s.idList(ctx, `SELECT w.id FROM workers w LEFT JOIN containers c ON c.owner = w.id
		WHERE w.org = $1 AND w.on_duty = 1 AND w.lat IS NOT NULL AND coalesce(c.size, 0) < $4
		ORDER BY abs(w.lat - $3) * 111000 + abs(w.lon - $2) * 88000 + 900 * coalesce(c.size, 0), w.id`,
		s.state.Org, at.Lon, at.Lat, maxStops)
	if err != nil {
		return "", err
	}
	for _, id := range near {
		if !slices.Contains(leaving, id) {
			return id, nil
		}
	}
	return "", nil
}
