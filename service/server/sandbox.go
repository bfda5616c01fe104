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

// Sandbox configures a sandbox.
type Sandbox struct {
	sandbox.Options
	// Speed is how many times faster than real time the sandbox runs; 1 when 0.
	Speed float64
	// Reset replaces the sandbox in the data folder with a new one.
	Reset bool
	// Restore is a snapshot that replaces the sandbox in the data folder.
	Restore string
}

// KeyFile is the file with the API key of a sandbox in its data folder. Only the owner can read it.
const KeyFile = "sandbox.key"

// SandboxKey reads the API key of the sandbox in a data folder.
func SandboxKey(dir string) (string, error) {
	key, err := os.ReadFile(filepath.Join(dir, KeyFile))
	return strings.TrimSpace(string(key)), err
}

// SandboxKey returns the API key of the sandbox, or "" without a sandbox.
func (s *Server) SandboxKey() string { return s.key }

// prepareFolder resets or restores the database if the configuration asks for it.
func (s *Server) prepareFolder(ctx context.Context) error {
	config := s.config.Sandbox
	switch {
	case config == nil || !config.Reset && config.Restore == "":
		return nil
	case config.Reset && config.Restore != "":
		return errors.New("reset and restore exclude each other")
	}
	if err := s.requireSandbox(ctx); err != nil {
		return err
	}
	if config.Restore != "" {
		return store.Restore(ctx, config.Restore, s.config.Dir)
	}
	return store.Erase(s.config.Dir)
}

// requireSandbox refuses to remove a database that is not a sandbox.
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

// setSandboxClock continues from the time at which the sandbox last ran.
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

// openSandbox creates the sandbox or continues the one in the data folder.
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

// newProgressFunc returns a function that prints the progress of filling every two seconds.
func (s *Server) newProgressFunc() func(done, of int) {
	next := time.Now().Add(2 * time.Second)
	return func(done, of int) {
		if now := time.Now(); now.After(next) {
			next = now.Add(2 * time.Second)
			fmt.Fprintf(s.config.Output, "filling the sandbox  %d%%\n", 100*done/max(1, of))
		}
	}
}

// loadSandboxKey returns the key in the data folder. It creates the key if there is none, and adds it to the database if
// that does not have it, for example after a restore from another folder.
func (s *Server) loadSandboxKey(ctx context.Context) (string, error) {
	key, err := SandboxKey(s.config.Dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read the key of the sandbox: %w", err)
	}
	if key == "" {
		random := make([]byte, 16)
		rand.Read(random) //nolint:errcheck // crypto/rand.Read never fails
		key = hex.EncodeToString(random)
		if err := os.WriteFile(filepath.Join(s.config.Dir, KeyFile), []byte(key+"\n"), 0o600); err != nil {
			return "", fmt.Errorf("save the key of the sandbox: %w", err)
		}
	}
	found, err := s.world.FindKey(ctx, key)
	if err != nil || found.Org == s.sandbox.Org() {
		return key, err
	}
	_, err = s.world.AddKey(ctx, s.sandbox.Org(), "sandbox", key)
	return key, err
}

// withDateHeader sets the Date header of every answer to the sandbox's time, so that clients know it.
func withDateHeader(clock world.Clock, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", clock.Now().UTC().Format(http.TimeFormat))
		next.ServeHTTP(w, r)
	})
}

// Snapshot writes the database of a data folder to a new file, even while a server uses it.
func Snapshot(ctx context.Context, dir, file string) error {
	if _, err := os.Stat(filepath.Join(dir, store.FileName)); err != nil {
		return fmt.Errorf("no database in %s: %w", dir, err)
	}
	opened, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	return errors.Join(opened.Snapshot(ctx, file), opened.Close())
}
