package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"waybill/ui"
)

var (
	errNoTerminal   = errors.New("the console needs a terminal; scripts can use commands such as waybill tasks ls --json, see waybill --help")
	errDumbTerminal = errors.New("the console cannot draw on this terminal, because TERM is dumb; " +
		"waybill board prints the board once, and waybill --accessible prints it and then its changes. " +
		"If the terminal can do more, set TERM, such as TERM=xterm-256color")
)

// checkTerminal reports why the console cannot run on the terminal.
func (a *app) checkTerminal() error {
	switch {
	case !isTerminal(a.stdin) || !isTerminal(a.stdout):
		return errNoTerminal
	case a.env.Getenv("TERM") == dumbTerminal:
		return errDumbTerminal
	}
	return nil
}

// holdSignals keeps signals from killing the program until release is called. The first signal ends the context of the
// command; without this, a second one would kill the console before it has restored the terminal.
func holdSignals() (release func()) {
	held := make(chan os.Signal, 1)
	signal.Notify(held, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	return func() { signal.Stop(held) }
}

// consoleEnd returns the error of a console that has ended. One that was ended by a signal prints nothing: the terminal
// may be gone or accept no output.
func (a *app) consoleEnd(err error) error {
	if errors.Is(err, ui.ErrTerminalStalled) || errors.Is(err, ui.ErrTerminalGone) {
		a.stderr.discard()
		return exitError{exitInterrupted}
	}
	if errors.Is(err, context.Canceled) {
		return exitError{exitInterrupted}
	}
	return err
}

// discard drops everything that is written from now on.
func (e *errorStream) discard() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.out, e.live = io.Discard, ""
}
