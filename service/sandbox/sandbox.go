// Package sandbox simulates a courier in a city. Clients create tasks and orders, a dispatcher assigns some of them, and
// drivers drive, stop, get delayed, lose reception, fail and go home. All of them use the same functions of world as real
// requests, so that the sandbox shows everything a real day can show.
//
// A day depends only on its seed: time advances in ticks, every random number comes from the seed and the tick, and the
// state is in the store, so that a killed process continues where it stopped.
package sandbox

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"waybill/model"
	"waybill/service/geo/city"
	"waybill/service/store"
	"waybill/service/world"
)

// Options describes a sandbox. Zero values mean the defaults.
type Options struct {
	// Seed determines the day; 1 by default.
	Seed uint64
	// Tasks is about how many tasks there are at the start, and Workers the number of drivers.
	Tasks, Workers int
}

// The default size of a sandbox, about what one dispatcher can handle.
const (
	DefaultTasks   = 320
	DefaultWorkers = 24
)

// The largest size of a sandbox.
const (
	MaxTasks   = 50_000
	MaxWorkers = 1_000
)

func (o Options) withDefaults() Options {
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Tasks <= 0 {
		o.Tasks = DefaultTasks
	}
	if o.Workers <= 0 {
		o.Workers = DefaultWorkers
	}
	o.Tasks, o.Workers = min(o.Tasks, MaxTasks), min(o.Workers, MaxWorkers)
	return o
}

// Config configures a Sandbox.
type Config struct {
	Options
	// World configures the world of the sandbox, which replaces its clock and ids.
	World world.Options
	// Now is the start of the live day. The hours before it are simulated while the sandbox is filled.
	Now time.Time
	// Progress is called while the sandbox is filled.
	Progress func(done, of int)
}

// Sandbox is a simulated courier in a city.
type Sandbox struct {
	options  Options
	store    *store.Store
	world    *world.World
	clock    *tickClock
	ids      *tickIDs
	city     *city.City
	log      *slog.Logger
	progress func(done, of int)

	mu      sync.Mutex
	state   state
	drivers []*driver
}

// ErrNotSandbox means that a data folder contains other organizations.
var ErrNotSandbox = errors.New("this data folder contains organizations that are not part of a sandbox: " +
	"choose another folder with --data")

// Open creates a sandbox in the store, or continues the one that is there with its own size and seed. If it is large,
// Open creates only the drivers and the first tasks; Run or Fill does the rest.
func Open(ctx context.Context, c Config) (*Sandbox, error) {
	streets, err := city.New()
	if err != nil {
		return nil, err
	}
	s := &Sandbox{
		options: c.withDefaults(), store: c.World.Store, clock: &tickClock{}, ids: &tickIDs{}, city: streets,
		log: c.World.Log, progress: c.Progress,
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.progress == nil {
		s.progress = func(int, int) {}
	}
	options := c.World
	options.Clock, options.IDs = s.clock, s.ids
	options.Log = slog.New(slog.DiscardHandler) // the invitation of each driver is not worth logging
	options.Search = plannerOptions(s.options.Seed)
	s.world = world.New(options)
	known, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	if !known {
		if err := s.create(ctx, model.MillisOf(c.Now)); err != nil {
			return nil, err
		}
	}
	if s.options.Tasks <= largeTaskCount {
		return s, s.Fill(ctx)
	}
	for done := false; !done && s.state.MorningCreated == 0; {
		if done, err = s.fillStep(ctx); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Org returns the courier's organization.
func (s *Sandbox) Org() model.ID { return s.state.Org }

// The lengths of ticks in the live day and in the history before it.
const (
	liveTick    = 5 * time.Second
	historyTick = time.Minute
)

// history is how much of the day is simulated before it goes live. A large sandbox needs less, and simulates it more
// slowly.
func (s *Sandbox) history() time.Duration {
	if s.isLarge() {
		return 30 * time.Minute
	}
	return 150 * time.Minute
}

// AdvanceTo simulates everything up to a time.
func (s *Sandbox) AdvanceTo(ctx context.Context, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.advance(ctx, model.MillisOf(now), liveTick, sharedLimit)
}

// How long a transaction may take in real time, with and without other writers that wait for it.
const (
	sharedLimit    = 50 * time.Millisecond
	exclusiveLimit = 2 * time.Second
)

// advance runs ticks, as many per transaction as fit into limit. Their number does not change what happens.
func (s *Sandbox) advance(ctx context.Context, until model.Millis, tick, limit time.Duration) error {
	for s.state.Now.Add(tick) <= until {
		err := s.store.RunInTransaction(ctx, func(ctx context.Context) error {
			start := time.Now()
			for s.state.Now.Add(tick) <= until && time.Since(start) < limit {
				if err := s.runTick(ctx, tick); err != nil {
					return err
				}
			}
			return s.save(ctx)
		})
		if err != nil {
			_, reload := s.load(context.WithoutCancel(ctx)) // the state in memory was rolled back
			return errors.Join(err, reload)
		}
	}
	return nil
}

// runTick simulates one tick.
func (s *Sandbox) runTick(ctx context.Context, tick time.Duration) error {
	now := s.state.Now.Add(tick)
	s.clock.now = now
	s.ids.startTick(s.options.Seed, now)
	for _, step := range []func(context.Context, model.Millis, time.Duration) error{
		s.moveDrivers, s.createRequests, s.runDispatcher, s.runIncidents,
	} {
		if err := step(ctx, now, tick); err != nil {
			return err
		}
	}
	s.state.Now = now
	return nil
}

// Run fills the sandbox and then follows a clock until ctx is done.
func (s *Sandbox) Run(ctx context.Context, clock world.Clock) error {
	const pause = time.Second
	if err := s.Fill(ctx); err != nil {
		return err
	}
	for {
		if err := s.AdvanceTo(ctx, clock.Now()); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "cannot advance the sandbox", "error", err)
		}
		if err := (world.SystemClock{}).Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// isRefusal reports whether the world refused a change, for example because the user changed the task before.
func isRefusal(err error) bool {
	var refusal *world.Error
	var problems model.Problems
	return errors.As(err, &refusal) || errors.As(err, &problems)
}

// ignoreRefusal returns err unless it is a refusal.
func ignoreRefusal(err error) error {
	if isRefusal(err) {
		return nil
	}
	return err
}
