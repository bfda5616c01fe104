package world

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/store"
)

// activeRefresh is how often what a driver is on the way to is estimated anew; the rest of the route follows once a
// minute.
const activeRefresh = 10 * time.Second

// EstimateUpdater keeps the estimates and delays of tasks and workers up to date: those of workers on duty every minute,
// those of others every ten, those of a worker whose list has changed at once. It remembers when it last did so, and
// writes only what is different.
type EstimateUpdater struct {
	world *World

	mu     sync.Mutex
	routes map[model.ID]model.Millis // when a worker's whole route was estimated
	active map[model.ID]model.Millis // when what the worker is on the way to was
	lists  map[model.ID]listMark     // what the worker's list looked like then
	open   model.Millis              // when the tasks that nobody has were looked at
}

// NewEstimateUpdater makes a Refresher to which everything is due.
func NewEstimateUpdater(w *World) *EstimateUpdater {
	return &EstimateUpdater{
		world: w, routes: map[model.ID]model.Millis{}, active: map[model.ID]model.Millis{}, lists: map[model.ID]listMark{},
	}
}

// UpdateStats is what one refresh did.
type UpdateStats struct {
	Workers, Tasks int // looked at
	Written        int // rows that were different
}

// Update estimates what is due now.
func (r *EstimateUpdater) Update(ctx context.Context) (UpdateStats, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.world.Now()
	round := &refreshRound{world: r.world, now: now}
	if err := r.read(ctx, round); err != nil {
		return UpdateStats{}, err
	}
	if err := round.estimate(ctx); err != nil {
		return UpdateStats{}, err
	}
	done := UpdateStats{Workers: len(round.routes)}
	for i := range round.routes {
		done.Tasks += len(round.routes[i].stops)
	}
	written, err := round.write(ctx)
	done.Written = written
	if err != nil {
		return done, err
	}
	for i := range round.routes {
		route := &round.routes[i]
		r.active[route.worker] = now
		if route.whole {
			r.routes[route.worker], r.lists[route.worker] = now, route.list
		}
	}
	if round.lookedAtOpen {
		r.open = now
	}
	return done, nil
}

// Run refreshes until ctx is done. It looks often, so that a change of a worker's list is seen soon; looking costs
// one query when nothing is due.
func (r *EstimateUpdater) Run(ctx context.Context) error {
	const pause = time.Second // of the system's time: a fast clock must not make it busy
	for {
		if _, err := r.Update(ctx); err != nil && ctx.Err() == nil {
			r.world.log.ErrorContext(ctx, "estimates could not be refreshed", "error", err)
		}
		if err := (SystemClock{}).Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// refreshRound is one refresh on its way: read, estimate, write.
type refreshRound struct {
	world        *World
	now          model.Millis
	routes       []route
	open         []openTask
	lookedAtOpen bool
	averages     map[model.ID]model.Opt[model.Minutes]
}

// route is a worker with the stops that lie before them.
type route struct {
	worker, org model.ID
	vehicle     string
	onDuty      bool
	whole       bool // else only what the worker is on the way to
	from        model.MaybeLocation
	setsOut     model.Millis
	list        listMark
	delay       sql.NullInt64
	newDelay    sql.NullInt64
	stops       []stop
}

// listMark tells one state of a worker's list from another without reading it.
type listMark struct {
	modified model.Millis
	size     int
}

// stop is a task of a route, with its estimates as they are stored and as they are now.
type stop struct {
	task, org, executor model.ID
	state               model.TaskState
	at                  model.Location
	service             model.Minutes
	planned             model.Opt[model.Minutes]
	after, before       model.Opt[model.Millis]
	arrived             model.Opt[model.Millis]
	stored, estimated   estimates
	meters              float64
}

// estimates are the columns of a task that change on their own.
type estimates struct{ eta, arrival, completion, delay sql.NullInt64 }

// openTask is a task that nobody has and that is late, or was when it was last looked at.
type openTask struct {
	id     model.ID
	before model.Opt[model.Millis]
	delay  sql.NullInt64
}

func (r *EstimateUpdater) read(ctx context.Context, round *refreshRound) error {
	return r.world.store.Read(ctx, func(tx *store.Tx) error {
		if err := r.readDue(ctx, tx, round); err != nil {
			return err
		}
		if len(round.routes) > 0 {
			var err error
			if round.averages, err = doorAverages(ctx, tx); err != nil {
				return err
			}
		}
		for i := range round.routes {
			if err := round.routes[i].read(ctx, tx, round.now); err != nil {
				return err
			}
		}
		if round.now.Sub(r.open) < model.DelayRefreshOnDuty {
			return nil
		}
		round.lookedAtOpen = true
		return round.readOpen(ctx, tx)
	})
}

// readDue finds the workers whose estimates are due.
func (r *EstimateUpdater) readDue(ctx context.Context, q store.Querier, round *refreshRound) error {
	rows, err := q.Query(ctx, `SELECT w.id, w.org, w.on_duty, w.active_task IS NOT NULL, w.vehicle_type, w.lon, w.lat, d.lon, d.lat, w.delay,
		coalesce(c.modified, 0), coalesce(c.size, 0) FROM workers w LEFT JOIN destinations d ON d.id = w.routing LEFT JOIN containers c ON c.owner = w.id`)
	if err != nil {
		return fmt.Errorf("read workers: %w", err)
	}
	defer rows.Close()
	remembered := 0
	for rows.Next() {
		var v route
		var active bool
		var lon, lat, homeLon, homeLat sql.NullFloat64
		if err := rows.Scan(&v.worker, &v.org, &v.onDuty, &active, &v.vehicle, &lon, &lat, &homeLon, &homeLat, &v.delay,
			&v.list.modified, &v.list.size); err != nil {
			return fmt.Errorf("read worker: %w", err)
		}
		last, known := r.routes[v.worker]
		if known {
			remembered++
		}
		v.whole = !known || v.list != r.lists[v.worker] || round.now.Sub(last) >= model.DelayRefreshInterval(v.onDuty)
		if !v.whole && (!active || round.now.Sub(r.active[v.worker]) < activeRefresh) {
			continue
		}
		if !lon.Valid || !lat.Valid {
			lon, lat = homeLon, homeLat
		}
		v.from = model.MaybeLocation{Location: model.Location{Lon: lon.Float64, Lat: lat.Float64}, Known: lon.Valid && lat.Valid}
		v.setsOut = round.now
		round.routes = append(round.routes, v)
	}
	if err := rows.Err(); err != nil || remembered == len(r.routes) {
		return err
	}
	return r.forgetDeleted(ctx, q)
}

// forgetDeleted forgets the workers that are no more.
func (r *EstimateUpdater) forgetDeleted(ctx context.Context, q store.Querier) error {
	rows, err := q.Query(ctx, "SELECT id FROM workers")
	if err != nil {
		return fmt.Errorf("list workers: %w", err)
	}
	defer rows.Close()
	there := map[model.ID]bool{}
	for rows.Next() {
		var id model.ID
		if err := rows.Scan(&id); err != nil {
			return fmt.Errorf("list workers: %w", err)
		}
		there[id] = true
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("list workers: %w", err)
	}
	maps.DeleteFunc(r.routes, func(id model.ID, _ model.Millis) bool { return !there[id] })
	maps.DeleteFunc(r.active, func(id model.ID, _ model.Millis) bool { return !there[id] })
	maps.DeleteFunc(r.lists, func(id model.ID, _ listMark) bool { return !there[id] })
	return nil
}

// doorAverages is how long each organization's drivers have taken at a door so far.
func doorAverages(ctx context.Context, q store.Querier) (map[model.ID]model.Opt[model.Minutes], error) {
	rows, err := q.Query(ctx, "SELECT org, tasks, seconds FROM door_times WHERE tasks > 0")
	if err != nil {
		return nil, fmt.Errorf("read door times: %w", err)
	}
	defer rows.Close()
	averages := map[model.ID]model.Opt[model.Minutes]{}
	for rows.Next() {
		var org model.ID
		var tasks, seconds float64
		if err := rows.Scan(&org, &tasks, &seconds); err != nil {
			return nil, fmt.Errorf("read door times: %w", err)
		}
		averages[org] = model.Some(model.Minutes(seconds / tasks / 60))
	}
	return averages, rows.Err()
}

// addDoorTime counts a completed task into its organization's past performance.
func addDoorTime(ctx context.Context, tx *store.Tx, row *taskRow, now model.Millis) error {
	if _, err := tx.Exec(ctx, `INSERT INTO door_times (org, tasks, seconds)
		SELECT executor, 1, ($2 - arrived) / 1000 FROM tasks WHERE id = $1 AND arrived IS NOT NULL AND arrived <= $2
		ON CONFLICT (org) DO UPDATE SET tasks = door_times.tasks + 1, seconds = door_times.seconds + excluded.seconds`,
		row.id, int64(now)); err != nil {
		return fmt.Errorf("note the time at the door: %w", err)
	}
	return nil
}

func (v *route) read(ctx context.Context, q store.Querier, now model.Millis) error {
	limit := 1 // what the worker is on the way to comes first
	if v.whole {
		limit = -1
	}
	rows, err := q.Query(ctx, `SELECT t.id, t.org, t.executor, t.state, d.lon, d.lat, t.service_minutes, t.planned_minutes, t.complete_after,
		t.complete_before, t.arrived, t.eta, t.arrival, t.completion, t.delay FROM tasks t JOIN destinations d ON d.id = t.destination
		WHERE t.worker = $1 AND t.state IN (1, 2) ORDER BY t.state DESC, t.position LIMIT $2`, v.worker, limit)
	if err != nil {
		return fmt.Errorf("read route: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s stop
		var planned sql.NullFloat64
		var after, before, arrived sql.NullInt64
		if err := rows.Scan(&s.task, &s.org, &s.executor, &s.state, &s.at.Lon, &s.at.Lat, &s.service, &planned, &after, &before, &arrived,
			&s.stored.eta, &s.stored.arrival, &s.stored.completion, &s.stored.delay); err != nil {
			return fmt.Errorf("read route: %w", err)
		}
		s.planned = model.SomeIf(model.Minutes(planned.Float64), planned.Valid)
		s.after = model.SomeIf(model.Millis(after.Int64), after.Valid)
		s.before = model.SomeIf(model.Millis(before.Int64), before.Valid)
		s.arrived = model.SomeIf(model.Millis(arrived.Int64), arrived.Valid)
		v.stops = append(v.stops, s)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read route: %w", err)
	}
	if v.onDuty || len(v.stops) == 0 {
		return nil
	}
	v.setsOut, err = nextShift(ctx, q, v.worker, now)
	return err
}

// nextShift is when a worker who is off duty can set out: when the next shift begins, or now when none is planned.
func nextShift(ctx context.Context, q store.Querier, worker model.ID, now model.Millis) (model.Millis, error) {
	// A day in the worker's zone may begin a day before it does in UTC, and shifts go on past midnight.
	yesterday := now.Time().UTC().AddDate(0, 0, -2).Format(time.DateOnly)
	entries, err := readDocs[model.ScheduleEntry](q.Query(ctx,
		"SELECT doc FROM schedules WHERE worker = $1 AND date >= $2 ORDER BY date LIMIT 10", worker, yesterday))
	if err != nil {
		return now, err
	}
	next := model.Millis(0)
	for _, entry := range entries {
		for _, shift := range entry.Shifts {
			if shift[1] > now && (next == 0 || shift[0] < next) {
				next = shift[0]
			}
		}
	}
	return max(now, next), nil
}

// readOpen finds the tasks without a worker whose delay is there or should be.
func (r *refreshRound) readOpen(ctx context.Context, q store.Querier) error {
	for _, query := range []string{
		"SELECT id, complete_before, delay FROM tasks WHERE state = 0 AND complete_before IS NOT NULL AND complete_before < $1",
		"SELECT id, complete_before, delay FROM tasks WHERE state = 0 AND delay IS NOT NULL AND (complete_before IS NULL OR complete_before >= $1)",
	} {
		if err := r.addOpen(q.Query(ctx, query, int64(r.now))); err != nil {
			return fmt.Errorf("read late tasks: %w", err)
		}
	}
	return nil
}

func (r *refreshRound) addOpen(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var task openTask
		var before sql.NullInt64
		if err := rows.Scan(&task.id, &before, &task.delay); err != nil {
			return err
		}
		task.before = model.SomeIf(model.Millis(before.Int64), before.Valid)
		r.open = append(r.open, task)
	}
	return rows.Err()
}

// estimate follows every worker along the route. A travel service may have to be asked for each, so several are on
// the way at once.
func (r *refreshRound) estimate(ctx context.Context) error {
	const atOnce = 8
	workers := min(atOnce, max(1, len(r.routes)/16), 4*runtime.GOMAXPROCS(0))
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for n := range workers {
		wg.Go(func() {
			for i := n; i < len(r.routes) && errs[n] == nil; i += workers {
				errs[n] = r.routes[i].estimate(ctx, r)
			}
		})
	}
	wg.Wait()
	return firstError(errs)
}

func firstError(errs []error) error {
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return errs[i]
	}
	return nil
}

func (v *route) estimate(ctx context.Context, r *refreshRound) error {
	if len(v.stops) == 0 {
		return nil
	}
	legs, err := v.legs(ctx, r.world.travel)
	if err != nil {
		return err
	}
	free := v.setsOut
	delays := make([]model.Opt[model.Seconds], len(v.stops))
	for i := range v.stops {
		transit := model.Null[model.Seconds]()
		if legs != nil {
			transit = model.Some(model.Seconds(legs[i].Seconds))
		}
		free, delays[i] = v.stops[i].estimate(r.now, free, transit, r.averages[v.stops[i].executor])
	}
	if worst, late := model.WorkerDelay(delays).Get(); late {
		v.newDelay = sql.NullInt64{Int64: int64(worst), Valid: true}
	}
	v.stops[0].meters = v.from.MetersTo(v.stops[0].at)
	return nil
}

// legs are the ways from where the worker is through the stops; nil when that is not known.
func (v *route) legs(ctx context.Context, travel geo.Travel) ([]geo.Leg, error) {
	if !v.from.Known {
		return nil, nil
	}
	profile, err := geo.ProfileFor(v.vehicle)
	if err != nil {
		profile = geo.Car // a type of a later version: most vehicles are about as fast as cars
	}
	through := make([]geo.Location, 0, len(v.stops)+1)
	through = append(through, geo.Location{Lon: v.from.Lon, Lat: v.from.Lat})
	for i := range v.stops {
		through = append(through, geo.Location{Lon: v.stops[i].at.Lon, Lat: v.stops[i].at.Lat})
	}
	way, err := travel.Route(ctx, through, profile)
	if err != nil {
		return nil, fmt.Errorf("find the way of worker %s: %w", v.worker, err)
	}
	return way.Legs, nil
}

// estimate works out when the worker is there and when they are free again. A worker who would come before the window
// opens sets out later, so that the document's sums hold: arrival is setting out plus transit, completion that plus
// service.
func (s *stop) estimate(
	now, free model.Millis, transit model.Opt[model.Seconds], average model.Opt[model.Minutes],
) (model.Millis, model.Opt[model.Seconds]) {
	service := model.EffectiveServiceTime(s.service, s.planned, average)
	way := transit.Value().Duration()
	setsOut := free
	if s.state == model.TaskAssigned {
		setsOut = max(free, s.after.Value().Add(-way))
	}
	arrival := model.EstimatedArrival(s.state, setsOut, transit)
	completion := model.EstimatedCompletion(s.state, setsOut, transit, service)
	eta := model.Null[model.Seconds]()
	if s.state == model.TaskActive {
		eta = transit
		if at, there := s.arrived.Get(); there {
			arrival, eta = model.Some(at), model.Some(model.Seconds(0))
		}
	}
	delay := model.TaskDelay(s.state, s.before, now, arrival)
	s.estimated = estimates{
		eta: nullInt(eta), arrival: nullInt(arrival), completion: nullInt(completion), delay: nullInt(delay),
	}
	begins := max(arrival.Or(setsOut), s.after.Value())
	return max(now, begins.Add(service.Duration())), delay
}

func nullInt[T model.Seconds | model.Millis](v model.Opt[T]) sql.NullInt64 {
	n, ok := v.Get()
	return sql.NullInt64{Int64: int64(n), Valid: ok}
}
