package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/pflag"

	"waybill/service/sandbox"
	"waybill/service/server"
)

// sandboxFlags say how a sandbox runs.
type sandboxFlags struct {
	enabled       bool
	settings server.Sandbox
	snapshot string
	faults   string
}

func (b *sandboxFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&b.enabled, "sandbox", false, "run a city at work, with simulated drivers and customers")
	f.Uint64Var(&b.settings.Seed, "seed", 1, "sandbox: the same seed makes the same day")
	f.Float64Var(&b.settings.Speed, "speed", 1, "sandbox: how many times faster its time goes; 60 is a minute a second")
	f.IntVar(&b.settings.Tasks, "tasks", sandbox.DefaultTasks, fmt.Sprintf("sandbox: about how many tasks it starts with, at most %d", sandbox.MaxTasks))
	f.IntVar(&b.settings.Workers, "workers", sandbox.DefaultWorkers, fmt.Sprintf("sandbox: how many drivers it has, at most %d", sandbox.MaxWorkers))
	f.BoolVar(&b.settings.Reset, "reset", false, "sandbox: forget the old one and begin anew")
	f.StringVar(&b.settings.Restore, "restore", "", "sandbox: go on from this snapshot")
	f.StringVar(&b.snapshot, "snapshot", "", "sandbox: write a snapshot to this file and end; it may be running meanwhile")
	f.StringVar(&b.faults, "faults", "", "let requests go wrong, such as latency=200ms,errors=2%,drop=1%")
}

// check refuses what makes no sense, before anything is opened.
func (b *sandboxFlags) check(given *pflag.FlagSet) error {
	for _, name := range []string{"speed", "tasks", "workers", "reset", "restore", "snapshot"} {
		if !b.enabled && given.Changed(name) {
			return usageError{fmt.Errorf("--%s is for --sandbox; give both, or neither", name)}
		}
	}
	switch s := b.settings; {
	case s.Reset && s.Restore != "":
		return usageError{errors.New("--reset and --restore exclude each other")}
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

// checkSpeed refuses times that stand still, run backwards or are no number, and those that nobody can follow.
func checkSpeed(speed float64) error {
	if speed > 0 && speed <= 3600 {
		return nil
	}
	return errors.New("--speed must be above 0 and at most 3600, an hour a second")
}

func (a *app) startServer(ctx context.Context, c server.Config, data string, box sandboxFlags) (err error) {
	if c.Faults, err = server.ParseFaults(box.faults); err != nil {
		return usageError{err}
	}
	c.Faults.Seed = box.settings.Seed
	if !box.enabled {
		if c.Dir, err = a.dataDir(data); err != nil {
			return err
		}
		return a.runServer(ctx, c)
	}
	if c.Dir, err = a.sandboxDir(data); err != nil {
		return err
	}
	if box.snapshot != "" {
		return server.Snapshot(ctx, c.Dir, a.env.Expand(box.snapshot))
	}
	if box.settings.Restore != "" {
		box.settings.Restore = a.env.Expand(box.settings.Restore)
	}
	c.Sandbox = &box.settings
	return a.runServer(ctx, c)
}

// sandboxDir is the folder of the sandbox, which is never the one of the service.
func (a *app) sandboxDir(flag string) (string, error) {
	if flag != "" {
		return a.env.Expand(flag), nil
	}
	folders, err := a.locateFolders()
	if err != nil {
		return "", err
	}
	return filepath.Join(folders.Data, "sandbox"), nil
}
