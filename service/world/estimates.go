package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"sync"
	"time"

	"waybill/model"
	"waybill/service/geo"
	"waybill/service/store"
)

// activeUpdateInterval is how often the first stop of a driver with an active task is estimated. The rest of the route follows
// every minute.
const activeUpdateInterval = 10 * time.Second

// EstimateUpdater keeps the estimates and delays of tasks and workers up to date: every minute for workers on duty,
// every ten minutes for others, and at once when a worker's list has changed. It writes only what has changed.
type EstimateUpdater struct {
	world *World

	mu               sync.Mutex
	routeUpdates     map[model.ID]model.Millis // last full update of each worker
	activeUpdates    map[model.ID]model.Millis // last update of each worker
	listVersions     map[model.ID]listVersion  // of each worker at the last full update
	unassignedUpdate model.Millis              // last check of unassigned tasks
}

// NewEstimateUpdater returns an EstimateUpdater that starts by updating everything.
func NewEstimateUpdater(w *World) *EstimateUpdater {
	return &EstimateUpdater{
		world: w, routeUpdates: map[model.ID]model.Millis{}, activeUpdates: map[model.ID]model.Millis{},
		listVersions: map[model.ID]listVersion{},
	}
}

// UpdateStats is what one update did.
type UpdateStats struct {
	Workers, Tasks int // that were due
	Written        int // changed rows
}

// Update computes the estimates that are due now.
func (r *EstimateUpdater) Update(ctx context.Context) (UpdateStats, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.world.Now()
	run := &estimateRun{world: r.world, now: now}
	if err := r.read(ctx, run); err != nil {
		return UpdateStats{}, err
	}
	if err := run.estimate(ctx); err != nil {
		return UpdateStats{}, err
	}
	done := UpdateStats{Workers: len(run.routes)}
	for i := range run.routes {
		done.Tasks += len(run.routes[i].stops)
	}
	written, err := run.write(ctx)
	done.Written = written
	if err != nil {
		return done, err
	}
	for i := range run.routes {
		route := &run.routes[i]
		r.activeUpdates[route.worker] = now
		if route.isFull {
			r.routeUpdates[route.worker], r.listVersions[route.worker] = now, route.listVersion
		}
	}
	if run.readUnassignedTasks {
		r.unassignedUpdate = now
	}
	return done, nil
}

// Run updates estimates until ctx is done. It checks every second, so that changed lists are noticed soon; a check costs
// one query when nothing is due.
func (r *EstimateUpdater) Run(ctx context.Context) error {
	const pause = time.Second // in system time, so that a fast clock does not cause load
	for {
		if _, err := r.Update(ctx); err != nil && ctx.Err() == nil {
			r.world.log.ErrorContext(ctx, "cannot update estimates", "error", err)
		}
		if err := (SystemClock{}).Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// estimateRun is one update: read, estimate, write.
type estimateRun struct {
	world               *World
	now                 model.Millis
	routes              []workerRoute
	unassigned          []unassignedTask
	readUnassignedTasks bool
	serviceAverages     map[model.ID]model.Opt[model.Minutes]
}

// workerRoute is a worker with the stops ahead.
type workerRoute struct {
	worker, org model.ID
	vehicle     string
	onDuty      bool
	isFull      bool // otherwise only the first stop
	from        model.MaybeLocation
	departure   model.Millis
	listVersion listVersion
	delay       sql.NullInt64
	newDelay    sql.NullInt64
	stops       []stop
}

// listVersion tells apart two states of a worker's list without reading it.
type listVersion struct {
	modified model.Millis
	size     int
}

// stop is a task on a route, with its stored and its new estimates.
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

// estimates are the columns of a task that an update computes.
type estimates struct{ eta, arrival, completion, delay sql.NullInt64 }

// unassignedTask is a task without a worker that is late, or was when it was last checked.
type unassignedTask struct {
	id     model.ID
	before model.Opt[model.Millis]
	delay  sql.NullInt64
}

func (r *EstimateUpdater) read(ctx context.Context, run *estimateRun) error {
	return r.world.store.Read(ctx, func(tx *store.Tx) error {
		if err := r.readDueWorkers(ctx, tx, run); err != nil {
			return err
		}
		if len(run.routes) > 0 {
			var err error
			if run.serviceAverages, err = readServiceAverages(ctx, tx); err != nil {
				return err
			}
		}
		for i := range run.routes {
			if err := run.routes[i].readStops(ctx, tx, run.now); err != nil {
				return err
			}
		}
		if run.now.Sub(r.unassignedUpdate) < model.DelayRefreshOnDuty {
			return nil
		}
		run.readUnassignedTasks = true
		return run.readUnassigned(ctx, tx)
	})
}

// readDueWorkers reads the workers whose estimates are due.
func (r *EstimateUpdater) readDueWorkers(ctx context.Context, q store.Querier, run *estimateRun) error {
	known := 0
	err := eachRow(ctx, q, "read workers", `SELECT w.id, w.org, w.on_duty, w.active_task IS NOT NULL, w.vehicle_type, w.lon, w.lat,
		d.lon, d.lat, w.delay, coalesce(c.modified, 0), coalesce(c.size, 0)
		FROM workers w LEFT JOIN destinations d ON d.id = w.routing LEFT JOIN containers c ON c.owner = w.id`, nil, func(row *sql.Rows) error {
		var v workerRoute
		var active bool
		var lon, lat, homeLon, homeLat sql.NullFloat64
		if err := row.Scan(&v.worker, &v.org, &v.onDuty, &active, &v.vehicle, &lon, &lat, &homeLon, &homeLat, &v.delay,
			&v.listVersion.modified, &v.listVersion.size); err != nil {
			return err
		}
		last, isKnown := r.routeUpdates[v.worker]
		if isKnown {
			known++
		}
		v.isFull = !isKnown || v.listVersion != r.listVersions[v.worker] || run.now.Sub(last) >= model.DelayRefreshInterval(v.onDuty)
		if !v.isFull && (!active || run.now.Sub(r.activeUpdates[v.worker]) < activeUpdateInterval) {
			return nil
		}
		if !lon.Valid || !lat.Valid {
			lon, lat = homeLon, homeLat
		}
		v.from = model.MaybeLocation{Location: model.Location{Lon: lon.Float64, Lat: lat.Float64}, Known: lon.Valid && lat.Valid}
		v.departure = run.now
		run.routes = append(run.routes, v)
		return nil
	})
	if err != nil || known == len(r.routeUpdates) {
		return err
	}
	return r.removeDeletedWorkers(ctx, q)
}

// removeDeletedWorkers removes what is kept about workers that no longer exist.
func (r *EstimateUpdater) removeDeletedWorkers(ctx context.Context, q store.Querier) error {
	ids, err := queryIDs(ctx, q, "SELECT id FROM workers")
	if err != nil {
		return err
	}
	exists := idSet(ids)
	maps.DeleteFunc(r.routeUpdates, func(id model.ID, _ model.Millis) bool { return !exists[id] })
	maps.DeleteFunc(r.activeUpdates, func(id model.ID, _ model.Millis) bool { return !exists[id] })
	maps.DeleteFunc(r.listVersions, func(id model.ID, _ listVersion) bool { return !exists[id] })
	return nil
}

// readServiceAverages returns the average service time of each organization so far.
func readServiceAverages(ctx context.Context, q store.Querier) (map[model.ID]model.Opt[model.Minutes], error) {
	averages := map[model.ID]model.Opt[model.Minutes]{}
	err := eachRow(ctx, q, "read service times", "SELECT org, tasks, seconds FROM door_times WHERE tasks > 0", nil, func(row *sql.Rows) error {
		var org model.ID
		var tasks, seconds float64
		err := row.Scan(&org, &tasks, &seconds)
		averages[org] = model.Some(model.Minutes(seconds / tasks / 60))
		return err
	})
	return averages, err
}

// addServiceTime adds a completed task to the average service time of its organization.
func addServiceTime(ctx context.Context, tx *store.Tx, row *taskRow, now model.Millis) {
	tx.Write(ctx, "store the service time", `INSERT INTO door_times (org, tasks, seconds)
		SELECT executor, 1, ($2 - arrived) / 1000 FROM tasks WHERE id = $1 AND arrived IS NOT NULL AND arrived <= $2
		ON CONFLICT (org) DO UPDATE SET tasks = door_times.tasks + 1, seconds = door_times.seconds + excluded.seconds`,
		row.id, int64(now))
}

func (v *workerRoute) readStops(ctx context.Context, q store.Querier, now model.Millis) error {
	limit := 1 // the active task comes first
	if v.isFull {
		limit = -1
	}
	err := eachRow(ctx, q, "read route", `SELECT t.id, t.org, t.executor, t.state, d.lon, d.lat, t.service_minutes, t.planned_minutes,
		t.complete_after, t.complete_before, t.arrived, t.eta, t.arrival, t.completion, t.delay
		FROM tasks t JOIN destinations d ON d.id = t.destination
		WHERE t.worker = $1 AND t.state IN (1, 2) ORDER BY t.state DESC, t.position LIMIT $2`, []any{v.worker, limit}, func(row *sql.Rows) error {
		var s stop
		err := row.Scan(&s.task, &s.org, &s.executor, &s.state, &s.at.Lon, &s.at.Lat, &s.service, orNull(&s.planned), orNull(&s.after),
			orNull(&s.before), orNull(&s.arrived), &s.stored.eta, &s.stored.arrival, &s.stored.completion, &s.stored.delay)
		v.stops = append(v.stops, s)
		return err
	})
	if err != nil || v.onDuty || len(v.stops) == 0 {
		return err
	}
	v.departure, err = nextShift(ctx, q, v.worker, now)
	return err
}

// nextShift returns when a worker who is off duty can start: when the next shift begins, or now when none is planned.
func nextShift(ctx context.Context, q store.Querier, worker model.ID, now model.Millis) (model.Millis, error) {
	// A day in the time zone of the worker may begin a day earlier than in UTC, and shifts may last past midnight.
	yesterday := now.Time().UTC().AddDate(0, 0, -2).Format(time.DateOnly)
	entries, err := readDocs[model.ScheduleEntry](ctx, q, "SELECT doc FROM schedules WHERE worker = $1 AND date >= $2 ORDER BY date LIMIT 10", worker, yesterday)
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

// readUnassigned reads the tasks without a worker that have a delay or should have one.
func (r *estimateRun) readUnassigned(ctx context.Context, q store.Querier) error {
	for _, query := range []string{
		"SELECT id, complete_before, delay FROM tasks WHERE state = 0 AND complete_before IS NOT NULL AND complete_before < $1",
		`SELECT id, complete_before, delay FROM tasks
			WHERE state = 0 AND delay IS NOT NULL AND (complete_before IS NULL OR complete_before >= $1)`,
	} {
		tasks, err := readRows(ctx, q, "read late tasks", query, []any{int64(r.now)}, func(task *unassignedTask) []any {
			return []any{&task.id, orNull(&task.before), &task.delay}
		})
		if err != nil {
			return err
		}
		r.unassigned = append(r.unassigned, tasks...)
	}
	return nil
}

// estimate computes the estimates of all routes. Each may need a request to a travel service, so several run at once.
func (r *estimateRun) estimate(ctx context.Context) error {
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
	return errors.Join(errs...)
}

func (v *workerRoute) estimate(ctx context.Context, r *estimateRun) error {
	if len(v.stops) == 0 {
		return nil
	}
	legs, err := v.travelLegs(ctx, r.world.travel)
	if err != nil {
		return err
	}
	free := v.departure
	delays := make([]model.Opt[model.Seconds], len(v.stops))
	for i := range v.stops {
		transit := model.Null[model.Seconds]()
		if legs != nil {
			transit = model.Some(model.Seconds(legs[i].Seconds))
		}
		free, delays[i] = v.stops[i].estimate(r.now, free, transit, r.serviceAverages[v.stops[i].executor])
	}
	if worst, late := model.WorkerDelay(delays).Get(); late {
		v.newDelay = sql.NullInt64{Int64: int64(worst), Valid: true}
	}
	v.stops[0].meters = v.from.MetersTo(v.stops[0].at)
	return nil
}

// travelLegs returns the way from the worker through the stops; nil when the worker's position is unknown.
func (v *workerRoute) travelLegs(ctx context.Context, travel geo.Travel) ([]geo.Leg, error) {
	if !v.from.Known {
		return nil, nil
	}
	profile, err := geo.ProfileFor(v.vehicle)
	if err != nil {
		profile = geo.Car // a type that a later version knows
	}
	through := make([]geo.Location, 0, len(v.stops)+1)
	through = append(through, geo.Location{Lon: v.from.Lon, Lat: v.from.Lat})
	for i := range v.stops {
		through = append(through, geo.Location{Lon: v.stops[i].at.Lon, Lat: v.stops[i].at.Lat})
	}
	way, err := travel.Route(ctx, through, profile)
	if err != nil {
		return nil, fmt.Errorf("find the route of worker %s: %w", v.worker, err)
	}
	return way.Legs, nil
}

// estimate computes when the worker arrives and when they are free again. A worker who would arrive before the window
// opens departs later, so that the sums of the interface hold: arrival is departure plus transit, completion is arrival
// plus service time.
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
