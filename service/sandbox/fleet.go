// Package fleet is the living sandbox: it fills an organization with a city, and then its people act. Simulated
// clients send tasks and orders, a dispatcher hands some of them out, and drivers drive, stop, get held up, fall
// silent, fail and go home. All of them act through the same functions as real traffic, so everything that can be
// seen of a real day can be seen of this one.
//
// A day follows from its seed: time goes in ticks, every random number is drawn from the seed and the tick, and what
// everybody is doing is in the store, so a process that is killed goes on where it was.
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

// Options are what a sandbox looks like. The zero value of a field means its default.
type Options struct {
	// Seed makes the day; 1 by default.
	Seed uint64
	// Tasks is about how many tasks the first screen shows, and Workers how many drivers there are.
	Tasks, Workers int
}

// The size of a sandbox that says nothing of its own: about what one dispatcher looks after.
const (
	DefaultTasks   = 320
	DefaultWorkers = 24
)

// The largest sandbox.
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

// Config is what a Sandbox is made of.
type Config struct {
	Options
	// World is the world that the sandbox acts in. Its clock and ids are replaced by the sandbox's own.
	World world.Options
	// Now is when the day that people see begins; what came before it is lived through while it is filled.
	Now time.Time
	// Progress is told how far filling has come, when that takes a while.
	Progress func(done, of int)
}

// Sandbox is a city at work.
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

// ErrNotSandbox says that a data folder is somebody's own.
var ErrNotSandbox = errors.New("this data folder holds organizations of its own, and a sandbox would mix with them: " +
	"choose another folder with --data")

// Open fills the store with a city, or takes up the one that is there, whose size and seed then stand. Of a large city
// it makes the drivers and the first tasks; Run, or Fill, does the rest.
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
	options.Log = slog.New(slog.DiscardHandler) // an invitation a driver is no news here
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

// Org is the courier that the sandbox is about.
func (s *Sandbox) Org() model.ID { return s.state.Org }

// Ticks: while people watch, everybody moves every few seconds; the hours before are lived through in minutes.
const (
	liveTick    = 5 * time.Second
	historyTick = time.Minute
)

// history is how much of the day has passed when people first see it. A large fleet does not need as long for a
// screen full of everything, and lives through its hours more slowly.
func (s *Sandbox) history() time.Duration {
	if s.isLarge() {
		return 30 * time.Minute
	}
	return 150 * time.Minute
}

// AdvanceTo lets everything happen up to a time.
func (s *Sandbox) AdvanceTo(ctx context.Context, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.advance(ctx, model.MillisOf(now), liveTick, sharedLimit)
}

// How long a transaction may take, in the system's time: little when other changes wait for it, more when nobody does.
const (
	sharedLimit = 50 * time.Millisecond
	exclusiveLimit = 2 * time.Second
)

// advance goes on in ticks, as many to a transaction as fit: how many that are changes nothing in what happens.
func (s *Sandbox) advance(ctx context.Context, until model.Millis, tick, limit time.Duration) error {
	for s.state.Now.Add(tick) <= until {
		err := s.store.RunInTransaction(ctx, func(ctx context.Context) error {
			began := time.Now()
			for s.state.Now.Add(tick) <= until && time.Since(began) < limit {
				if err := s.runTick(ctx, tick); err != nil {
					return err
				}
			}
			return s.save(ctx)
		})
		if err != nil {
			_, reload := s.load(context.WithoutCancel(ctx)) // what was in memory did not happen
			return errors.Join(err, reload)
		}
	}
	return nil
}

// runTick lets everybody act once.
func (s *Sandbox) runTick(ctx context.Context, tick time.Duration) error {
	now := s.state.Now.Add(tick)
	s.clock.now = now
	s.ids.startTick(s.options.Seed, now)
	if err := s.moveDrivers(ctx, now, tick); err != nil {
		return err
	}
	if err := s.createRequests(ctx, now, tick); err != nil {
		return err
	}
	if err := s.runDispatcher(ctx, now, tick); err != nil {
		return err
	}
	if err := s.runIncidents(ctx, now, tick); err != nil {
		return err
	}
	s.state.Now = now
	return nil
}

// Run lets the city live by a clock until ctx is done.
func (s *Sandbox) Run(ctx context.Context, clock world.Clock) error {
	const pause = time.Second
	if err := s.Fill(ctx); err != nil {
		return err
	}
	for {
		if err := s.AdvanceTo(ctx, clock.Now()); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "the sandbox stood still for a moment", "error", err)
		}
		if err := (world.SystemClock{}).Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// isRefusal reports whether an error is the world's no: somebody else was quicker, or the console's user has other plans.
// Who acts here takes that as an answer.
func isRefusal(err error) bool {
	var refusal *world.Error
	var problems model.Problems
	return errors.As(err, &refusal) || errors.As(err, &problems)
}

// ignoreRefusal passes on errors that are no refusals.
func ignoreRefusal(err error) error {
	if isRefusal(err) {
		return nil
	}
	return err
}
