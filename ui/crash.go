package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// CrashError reports that the console ended because of a mistake in it.
type CrashError struct {
	Reason string
	Report string // path of the crash report; empty if it could not be written
}

// Error implements error.
func (e *CrashError) Error() string {
	if e.Report == "" {
		return "the console crashed: " + e.Reason
	}
	return fmt.Sprintf("the console crashed: %s; please send the crash report %s to the developers", e.Reason, e.Report)
}

// crashGuard ends the console in order after a panic in any of its goroutines: it writes a crash report and quits the
// program, which restores the terminal. Its methods do nothing on a nil guard, so that tests see panics.
type crashGuard struct {
	stateDir string
	version  string
	quit     func()
	crash    atomic.Pointer[CrashError]
}

// recoverPanic must be deferred itself: only then does it see the panic.
func (g *crashGuard) recoverPanic() {
	if g == nil {
		return
	}
	if value := recover(); value != nil {
		g.report(value)
	}
}

// report records the first panic and quits.
func (g *crashGuard) report(value any) {
	crash := &CrashError{Reason: describePanic(value)}
	if !g.crash.CompareAndSwap(nil, crash) {
		return
	}
	if path, err := writeCrashReport(g.stateDir, g.version, crash.Reason, debug.Stack()); err == nil {
		g.crash.Store(&CrashError{crash.Reason, path})
	}
	go g.quit() // it may wait for the goroutine that panicked
}

// hasCrashed reports that the console is about to end and must not be drawn or updated any more.
func (g *crashGuard) hasCrashed() bool { return g != nil && g.crash.Load() != nil }

// err is the crash, or nil.
func (g *crashGuard) err() error {
	if crash := g.crash.Load(); crash != nil {
		return crash
	}
	return nil
}

// describePanic says what happened without personal data: only texts of the Go runtime are certain to hold none.
func describePanic(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("panic with a value of type %T", value)
}

// writeCrashReport writes version, system and stack to a new file. The stack holds addresses, no contents of variables.
func writeCrashReport(dir, version, reason string, stack []byte) (string, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name := filepath.Join(dir, "crash-"+time.Now().UTC().Format("20060102-150405.000")+".txt")
	text := fmt.Sprintf("waybill %s\n%s %s/%s\n\n%s\n\n%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH, reason, stack)
	return name, os.WriteFile(name, []byte(text), 0o600)
}
