package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"waybill/service/sandbox"
	"waybill/service/store"
	"waybill/service/world"
)

// Sandbox is how a sandbox runs.
type Sandbox struct {
	sandbox.Options
	// Speed is how many times faster than the real one its time goes; 1 when 0.
	Speed float64
	// Reset forgets the sandbox that the data folder holds and makes a new one.
	Reset bool
	// Restore is a snapshot to put in place of what the data folder holds.
	Restore string
}

// KeyFile is the file of a sandbox's data folder with an API key to it. Only its owner can read it.
const KeyFile = "sandbox.key"

// SandboxKey reads the API key of the sandbox in a data folder.
func SandboxKey(dir string) (string, error) {
	key, err := os.ReadFile(filepath.Join(dir, KeyFile))
	return strings.TrimSpace(string(key)), err
}

// SandboxKey is an API key to the sandbox, or empty when the server runs none.
func (s *Server) SandboxKey() string { return s.key }

// prepareFolder puts the database in place that a reset or a restore asks for.
func (s *Server) prepareFolder(ctx context.Context) error {
	box := s.config.Sandbox
	switch {
	case box == nil || !box.Reset && box.Restore == "":
		return nil
	case box.Reset && box.Restore != "":
		return errors.New("a sandbox can be reset or restored, not both at once")
	}
	if err := s.requireSandbox(ctx); err != nil {
		return err
	}
	if box.Restore != "" {
		return store.Restore(ctx, box.Restore, s.config.Dir)
	}
	return store.Erase(s.config.Dir)
}

// requireSandbox refuses to throw away a database that somebody works with.
func (s *Server) requireSandbox(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(s.config.Dir, store.FileName)); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	opened, err := store.Open(ctx, s.config.Dir)
	if err != nil {
		return err
	}
	_, known, err := sandbox.SavedTime(ctx, opened)
	organizations := 0
	if err == nil && !known {
		err = opened.QueryRow(ctx, "SELECT count(*) FROM organizations").Scan(&organizations)
	}
	if organizations > 0 {
		err = sandbox.ErrNotSandbox
	}
	return errors.Join(err, opened.Close())
}

// setSandboxClock goes on from the time that it was when the sandbox last ran.
func (s *Server) setSandboxClock(ctx context.Context) error {
	if s.clock != nil {
		return nil
	}
	start := time.Now()
	saved, known, err := sandbox.SavedTime(ctx, s.store)
	if err != nil {
		return err
	}
	if known {
		start = saved.Time()
	}
	s.clock = world.NewScaledClock(start, s.config.Sandbox.Speed)
	return nil
}

// openSandbox fills the data folder with a city, or takes up the one that is there.
func (s *Server) openSandbox(ctx context.Context, options world.Options) (err error) {
	if s.config.Sandbox == nil {
		return nil
	}
	s.sandbox, err = sandbox.Open(ctx, sandbox.Config{
		Options: s.config.Sandbox.Options, World: options, Now: s.clock.Now(), Progress: s.newProgressFunc(),
	})
	if err != nil {
		return err
	}
	s.key, err = s.loadSandboxKey(ctx)
	return err
}

// newProgressFunc says now and then how far filling has come, once it takes longer than anybody likes to wait for.
func (s *Server) newProgressFunc() func(done, of int) {
	next := time.Now().Add(2 * time.Second)
	return func(done, of int) {
		if now := time.Now(); now.After(next) {
			next = now.Add(2 * time.Second)
			fmt.Fprintf(s.config.Output, "filling the sandbox  %d%%\n", 100*done/max(1, of))
		}
	}
}

// loadSandboxKey is the key in the data folder. It is made if there is none, and made valid if the database does not know
// it, as after a restore from another folder.
func (s *Server) loadSandboxKey(ctx context.Context) (string, error) {
	key, err := SandboxKey(s.config.Dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read the sandbox's key: %w", err)
	}
	if key == "" {
		random := make([]byte, 16)
		rand.Read(random) //nolint:errcheck // crypto/rand.Read never fails
		key = hex.EncodeToString(random)
		if err := os.WriteFile(filepath.Join(s.config.Dir, KeyFile), []byte(key+"\n"), 0o600); err != nil {
			return "", fmt.Errorf("keep the sandbox's key: %w", err)
		}
	}
	found, err := s.world.FindKey(ctx, key)
	if err != nil || found.Org == s.sandbox.Org() {
		return key, err
	}
	_, err = s.world.AddKey(ctx, s.sandbox.Org(), "sandbox", key)
	return key, err
}

// withDateHeader puts the sandbox's time into the Date of every answer, so that a client can tell how late it is there.
func withDateHeader(clock world.Clock, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", clock.Now().UTC().Format(http.TimeFormat))
		next.ServeHTTP(w, r)
	})
}

// Snapshot writes the database of a data folder into a new file, also while a server runs on it.
func Snapshot(ctx context.Context, dir, file string) error {
	if _, err := os.Stat(filepath.Join(dir, store.FileName)); err != nil {
		return fmt.Errorf("there is nothing to take a snapshot of in %s: %w", dir, err)
	}
	opened, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	return errors.Join(opened.Snapshot(ctx, file), opened.Close())
}
