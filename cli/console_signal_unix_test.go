//go:build unix

package cli

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"waybill/internal/servicetest"
)

// signalRunsVariable is how often each case of TestSignalsGiveTheTerminalBack runs; without it a few times.
const signalRunsVariable = "WAYBILL_SIGNAL_RUNS"

// ptyConsole is the console on a pseudo-terminal that can stop reading.
type ptyConsole struct {
	t       *testing.T
	program *exec.Cmd
	master  *os.File
	slave   *os.File // kept open, so that the settings of the terminal can be read after the end
	before  *term.State
	seen    *screen
	ended   chan error
}

// newPtyConsole prepares the console for a service, with an empty home, on a terminal. Nothing reads its output before
// startReading.
func newPtyConsole(t *testing.T, service *servicetest.Server, environment ...string) *ptyConsole {
	t.Helper()
	home := t.TempDir()
	c := &ptyConsole{t: t, seen: &screen{more: make(chan struct{}, 1)}, ended: make(chan error, 1)}
	var err error
	c.master, c.slave, err = pty.Open()
	require.NoError(t, err)
	c.master = withDeadlines(t, c.master)
	t.Cleanup(func() { _ = c.master.Close(); _ = c.slave.Close() })
	require.NoError(t, pty.Setsize(c.slave, &pty.Winsize{Rows: 40, Cols: 120}))
	c.before = c.settings()
	c.program = exec.CommandContext(t.Context(), "waybill", "--base-url", service.URL, "--rate", "1000")
	c.program.Env = append(append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8", clockVariable+"=", "HOME="+home,
		"XDG_CONFIG_HOME="+home+"/.config", "XDG_DATA_HOME="+home+"/.local/share", "XDG_STATE_HOME="+home+"/.local/state",
		"WAYBILL_API_KEY="+service.Key), environment...)
	c.program.Stdin, c.program.Stdout, c.program.Stderr = c.slave, c.slave, c.slave
	c.program.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	return c
}

// withDeadlines returns the same file, for reads that can be stopped. It closes the given one.
func withDeadlines(t *testing.T, file *os.File) *os.File {
	t.Helper()
	descriptor, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.NoError(t, unix.SetNonblock(descriptor, true))
	return os.NewFile(uintptr(descriptor), file.Name())
}

func (c *ptyConsole) start() {
	c.t.Helper()
	require.NoError(c.t, c.program.Start())
	go func() { c.ended <- c.program.Wait() }()
}

// startReading reads what the console sends, until the returned function is called.
func (c *ptyConsole) startReading() (stop func()) {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		_, _ = io.Copy(c.seen, c.master)
	}()
	return func() {
		require.NoError(c.t, c.master.SetReadDeadline(time.Now()))
		<-stopped
	}
}

// fill writes to the terminal until it accepts nothing more.
func (c *ptyConsole) fill() {
	c.t.Helper()
	own, err := unix.Open(c.slave.Name(), unix.O_WRONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	require.NoError(c.t, err)
	defer func() { _ = unix.Close(own) }()
	for err == nil {
		_, err = unix.Write(own, []byte("................................................................"))
	}
	require.ErrorIs(c.t, err, unix.EAGAIN)
}

func (c *ptyConsole) settings() *term.State {
	c.t.Helper()
	state, err := term.GetState(int(c.slave.Fd()))
	require.NoError(c.t, err)
	return state
}

// hangs is long enough that a console that has not ended by then never will.
const hangs = time.Minute

// wait waits for the end of the console and returns its state and how long that took.
func (c *ptyConsole) wait() (state *os.ProcessState, took time.Duration) {
	c.t.Helper()
	from := time.Now()
	select {
	case err := <-c.ended:
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			require.NoError(c.t, err)
		}
		return c.program.ProcessState, time.Since(from)
	case <-time.After(hangs):
		_ = c.program.Process.Kill()
		<-c.ended
		require.FailNow(c.t, "the console did not end", c.seen.String())
		return nil, 0
	}
}

// A signal at any moment ends the console and gives the terminal back, even if the terminal accepts no output.
func TestSignalsGiveTheTerminalBack(t *testing.T) {
	runs := 1 // for each of 18 cases
	if wanted, err := strconv.Atoi(os.Getenv(signalRunsVariable)); err == nil {
		runs = wanted
	}
	service := servicetest.Start(t)
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		for _, stalled := range []string{"never", "from the start", "later"} {
			for _, account := range []string{"service", "sandbox"} {
				t.Run(fmt.Sprintf("%s, stalled %s, %s", signal, stalled, account), func(t *testing.T) {
					slowest := time.Duration(0)
					for range runs {
						slowest = max(slowest, signalConsole(t, service, signal, stalled, account))
					}
					t.Logf("the slowest of %d runs took %s", runs, slowest)
				})
			}
		}
	}
}

// signalConsole starts a console, sends a signal at a random moment and returns how long it took to end.
func signalConsole(t *testing.T, service *servicetest.Server, signal syscall.Signal, stalled, account string) time.Duration {
	t.Helper()
	c := newPtyConsole(t, service)
	if account == "sandbox" {
		c.program.Args = []string{"waybill", "--sandbox", "--sandbox-tasks", "40", "--sandbox-workers", "5"}
	}
	if stalled == "from the start" {
		c.fill()
	}
	c.start()
	stopReading := func() {}
	if stalled != "from the start" {
		stopReading = c.startReading()
	}
	time.Sleep(rand.N(1500 * time.Millisecond)) // any moment, also before the first frame
	if stalled == "later" {
		stopReading()
		c.fill()
	}
	require.NoError(t, c.program.Process.Signal(signal))
	state, took := c.wait()
	if status, ok := state.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != signal { // it had not begun to handle signals
		require.Equal(t, exitInterrupted, state.ExitCode(), c.seen.String())
	}
	require.Equal(t, c.before, c.settings(), "the settings of the terminal")
	return took
}
