package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"waybill/service/sandbox"
	"waybill/service/server"
)

// sandboxFlags are the flags of the sandbox.
type sandboxFlags struct {
	enabled  bool
	settings server.Sandbox
	snapshot string
	faults   string
}

func (b *sandboxFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&b.enabled, "sandbox", false, "run a simulated city with drivers and customers")
	f.Uint64Var(&b.settings.Seed, "seed", 1, "sandbox: seed of the simulation; the same seed gives the same day")
	f.Float64Var(&b.settings.Speed, "speed", 1, "sandbox: speed of the clock; 60 is one minute per second")
	f.IntVar(&b.settings.Tasks, "tasks", sandbox.DefaultTasks,
		fmt.Sprintf("sandbox: approximate number of tasks at the start, at most %d", sandbox.MaxTasks))
	f.IntVar(&b.settings.Workers, "workers", sandbox.DefaultWorkers, fmt.Sprintf("sandbox: number of drivers, at most %d", sandbox.MaxWorkers))
	f.BoolVar(&b.settings.Reset, "reset", false, "sandbox: delete the old data and start again")
	f.StringVar(&b.settings.Restore, "restore", "", "sandbox: continue from this snapshot")
	f.StringVar(&b.snapshot, "snapshot", "", "sandbox: write a snapshot to this file and exit; works while the sandbox is running")
	f.StringVar(&b.faults, "faults", "", "inject faults into requests, such as latency=200ms,errors=2%,drop=1%")
}

// check validates the flags before anything is opened.
func (b *sandboxFlags) check(given *pflag.FlagSet) error {
	for _, name := range []string{"speed", "tasks", "workers", "reset", "restore", "snapshot"} {
		if !b.enabled && given.Changed(name) {
			return usageError{fmt.Errorf("--%s requires --sandbox", name)}
		}
	}
	switch s := b.settings; {
	case s.Reset && s.Restore != "":
		return usageError{errors.New("--reset and --restore cannot be used together")}
	case s.Tasks < 1 || s.Tasks > sandbox.MaxTasks:
		return usageError{fmt.Errorf("--tasks must be from 1 to %d", sandbox.MaxTasks)}
	case s.Workers < 1 || s.Workers > sandbox.MaxWorkers:
		return usageError{fmt.Errorf("--workers must be from 1 to %d", sandbox.MaxWorkers)}
	}
	if err := checkSpeed(b.settings.Speed); err != nil {
		return usageError{err}
	}
	return nil
}

// checkSpeed validates the speed of the sandbox clock, which may also be NaN.
func checkSpeed(speed float64) error {
	if speed > 0 && speed <= 3600 {
		return nil
	}
	return errors.New("--speed must be greater than 0 and at most 3600, which is one hour per second")
}

func (a *app) startServer(ctx context.Context, c server.Config, data string, box sandboxFlags) (err error) {
	if c.Faults, err = server.ParseFaults(box.faults); err != nil {
		return usageError{err}
	}
	c.Faults.Seed = box.settings.Seed
	name := "service"
	if box.enabled {
		name, c.Sandbox = "sandbox", &box.settings // a folder of its own
	}
	if c.Dir, err = a.dataDir(data, name); err != nil {
		return err
	}
	if box.snapshot != "" {
		return server.Snapshot(ctx, c.Dir, a.env.Expand(box.snapshot))
	}
	box.settings.Restore = a.env.Expand(box.settings.Restore)
	return a.runServer(ctx, c)
}
