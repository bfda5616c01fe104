package sandbox

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/store"
	"waybill/service/world"
)

// maxStops is how many tasks the dispatcher gives to a driver.
const maxStops = 6

// largeDriverCount is the number of drivers above which the dispatcher works less often and by distance only.
const largeDriverCount = 100

func (s *Sandbox) isLarge() bool { return s.options.Workers > largeDriverCount }

// dispatchInterval is how often the dispatcher works on each team.
func (s *Sandbox) dispatchInterval() time.Duration {
	if s.isLarge() {
		return 15 * time.Minute
	}
	return 5 * time.Minute
}

// runDispatcher dispatches the teams that are due. It leaves some work for the user of the console.
func (s *Sandbox) runDispatcher(ctx context.Context, now model.Millis, tick time.Duration) error {
	for i, t := range s.state.Teams {
		offset := s.dispatchInterval() * time.Duration(i) / time.Duration(len(s.state.Teams))
		if !isDue(now, s.dispatchInterval(), offset, tick) {
			continue
		}
		if i == 0 {
			if err := s.dispatchOrganization(ctx, now); err != nil {
				return err
			}
		}
		for _, step := range []func(context.Context, team, model.Millis) error{s.returnTasks, s.relieveDrivers, s.assignTasks} {
			if err := step(ctx, t, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// dispatchOrganization counts the open tasks, assigns tasks to teams and orders to drivers.
func (s *Sandbox) dispatchOrganization(ctx context.Context, now model.Millis) error {
	if err := s.store.QueryRow(ctx, "SELECT coalesce(sum(size), 0) FROM containers").Scan(&s.state.Open); err != nil {
		return fmt.Errorf("count open tasks: %w", err)
	}
	if err := s.assignTeams(ctx, now); err != nil {
		return err
	}
	return s.assignOrders(ctx, now)
}

// assignTeams moves tasks that have been without a team for a while to the nearest team.
func (s *Sandbox) assignTeams(ctx context.Context, now model.Millis) error {
	const minAge = 80 * time.Minute
	scan := func(rows *sql.Rows, n *stop) error { return rows.Scan(&n.id, &n.at.Lon, &n.at.Lat) }
	waiting, err := store.QueryRows(ctx, s.store, "find tasks without a team", scan, `SELECT t.id, p.lon, p.lat
		FROM tasks t JOIN destinations p ON p.id = t.destination
		WHERE t.container_owner = $1 AND t.state < 2 AND t.order_id IS NULL AND t.created < $2 ORDER BY t.position LIMIT 40`,
		s.state.Org, int64(now.Add(-minAge)))
	if err != nil {
		return err
	}
	for _, task := range waiting {
		nearest := slices.MinFunc(s.state.Teams, func(a, b team) int {
			return cmp.Compare(a.Hub.Distance(task.at), b.Hub.Distance(task.at))
		})
		if err := s.moveToTeam(ctx, nearest.ID, task.id); err != nil {
			return err
		}
	}
	return nil
}

// isDue reports whether something that happens at an interval happens in the tick that ends now.
func isDue(now model.Millis, every, offset, tick time.Duration) bool {
	period := every.Milliseconds()
	at := (int64(now) - offset.Milliseconds()) % period
	return at < tick.Milliseconds()
}

// assignTasks assigns the team's most urgent tasks as far as there are drivers, and leaves a few unassigned.
func (s *Sandbox) assignTasks(ctx context.Context, t team, now model.Millis) error {
	keep := max(2, s.options.Tasks/(12*len(s.state.Teams)))
	waiting, err := s.countUnassigned(ctx, t.ID)
	if err != nil {
		return err
	}
	var drivers int
	if err := s.store.QueryRow(ctx, `SELECT count(*) FROM team_workers m JOIN workers w ON w.id = m.worker
		LEFT JOIN containers c ON c.owner = w.id WHERE m.team = $1 AND w.on_duty = 1 AND coalesce(c.size, 0) < $2`,
		t.ID, maxStops).Scan(&drivers); err != nil {
		return fmt.Errorf("count a team's drivers: %w", err)
	}
	ids, err := s.queryTasks(ctx, `SELECT id FROM tasks WHERE container_owner = $1 AND state < 2 AND state = 0
		ORDER BY coalesce(complete_before, created + 14400000), seq LIMIT $2`, t.ID, min(waiting-keep, 2*drivers))
	if err != nil || len(ids) == 0 || waiting <= keep {
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

func (s *Sandbox) queryTasks(ctx context.Context, query string, args ...any) ([]model.ID, error) {
	ids, err := store.QueryColumn[model.ID](ctx, s.store, query, args...)
	if err != nil {
		return nil, fmt.Errorf("find tasks: %w", err)
	}
	return ids, nil
}

// moveToTeam moves tasks to the container of a team.
func (s *Sandbox) moveToTeam(ctx context.Context, team model.ID, tasks ...model.ID) error {
	for _, id := range tasks {
		_, err := s.world.UpdateTask(ctx, s.dispatcher(), id, model.TaskInput{Container: model.Some(model.TeamContainer(team))})
		if err := ignoreRefusal(err); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sandbox) countUnassigned(ctx context.Context, team model.ID) (count int, err error) {
	err = s.store.QueryRow(ctx, "SELECT count(*) FROM tasks WHERE container_owner = $1 AND state < 2 AND state = 0", team).Scan(&count)
	if err != nil {
		return 0, fmt.Errorf("count a team's tasks: %w", err)
	}
	return count, nil
}

// returnTasks moves the tasks of drivers who have gone home back to their team.
func (s *Sandbox) returnTasks(ctx context.Context, t team, now model.Millis) error {
	for _, d := range s.drivers {
		if d.Phase != phaseOff || s.teamOf(d.number).ID != t.ID || !s.shiftEndsWithin(d, now, 0) {
			continue
		}
		remaining, err := s.queryTasks(ctx, "SELECT id FROM tasks WHERE container_owner = $1 AND state < 2 ORDER BY position", d.worker)
		if err != nil {
			return err
		}
		if err := s.moveToTeam(ctx, t.ID, remaining...); err != nil {
			return err
		}
	}
	return nil
}

// relieveDrivers takes the last task from each driver who is delayed or whose phone is silent.
func (s *Sandbox) relieveDrivers(ctx context.Context, t team, now model.Millis) error {
	for _, d := range s.drivers {
		delayed := d.Phase == phaseDriving && d.DelayedFrom <= now && now < d.DelayedUntil
		if d.Phase == phaseOff || s.teamOf(d.number).ID != t.ID || d.Relieved || (!delayed && now >= d.SilentUntil) {
			continue
		}
		d.Relieved, d.changed = true, true
		last, err := s.queryTasks(ctx, `SELECT id FROM tasks WHERE container_owner = $1 AND state < 2 AND order_id IS NULL
			ORDER BY position DESC LIMIT 1`, d.worker)
		if err != nil {
			return err
		}
		if err := s.moveToTeam(ctx, t.ID, last...); err != nil {
			return err
		}
	}
	return nil
}

// leavingDrivers returns the drivers who get no new tasks because their shift ends soon.
func (s *Sandbox) leavingDrivers(now model.Millis) []model.ID {
	var ids []model.ID
	for _, d := range s.drivers {
		if d.Phase != phaseOff && s.shiftEndsWithin(d, now, 75*time.Minute) {
			ids = append(ids, d.worker)
		}
	}
	return ids
}

// openOrder is an order without a driver.
type openOrder struct {
	id, client, pickup, dropoff model.ID
	at                          geo.Location
	due                         model.Millis
}

// assignOrders gives both tasks of an order to one driver. It rejects a few orders and cancels a few for their clients.
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
	scan := func(rows *sql.Rows, o *openOrder) error {
		return rows.Scan(&o.id, &o.client, &o.pickup, &o.dropoff, &o.due, &o.at.Lon, &o.at.Lat)
	}
	return store.QueryRows(ctx, s.store, "find orders", scan, `SELECT o.id, o.client, o.pickup, o.dropoff, coalesce(q.complete_before, 0), d.lon, d.lat FROM orders o
		JOIN tasks p ON p.id = o.pickup AND p.state = 0 JOIN tasks q ON q.id = o.dropoff AND q.state = 0
		JOIN destinations d ON d.id = p.destination
		WHERE o.courier = $1 AND o.client IS NOT NULL AND o.status = 'open' ORDER BY q.complete_before, o.id LIMIT 500`, s.state.Org)
}

// assignOrder gives an order to a driver on duty who is near and has few tasks. Orders that are due soon go to the front.
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

// findDriver returns the best driver for an order, or "" if everybody is busy.
func (s *Sandbox) findDriver(ctx context.Context, at geo.Location, now model.Millis) (model.ID, error) {
	leaving := s.leavingDrivers(now)
	// In this city a degree of longitude is 0.8 of one of latitude. Each stop on the route counts like 900 m.
	near, err := s.queryTasks(ctx, `SELECT w.id FROM workers w LEFT JOIN containers c ON c.owner = w.id
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
