//go:build unix

package cli

import (
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
)

func (c *ptyConsole) press(keys string) {
	c.t.Helper()
	_, err := io.WriteString(c.master, keys)
	require.NoError(c.t, err)
}

// waitAfter waits for a text after the last place of an earlier one.
func (c *ptyConsole) waitAfter(earlier, text string) {
	c.t.Helper()
	for {
		c.seen.waitFor(c.t, text)
		all := c.seen.String()
		if at := strings.LastIndex(all, earlier); at >= 0 && strings.Contains(all[at:], text) {
			return
		}
		<-c.seen.more
	}
}

const (
	altScreen      = "\x1b[?1049h"
	leaveAltScreen = "\x1b[?1049l"
)

// ctrl+z gives the terminal back to the shell, and fg draws the console again.
func TestSuspend(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no shell with job control")
	}
	service := servicetest.Start(t)
	c := newPtyConsole(t, service)
	script := `set -m; waybill "$@"; stty -a; echo "it is suspended"; read -r _; fg; echo "it ended with $?"`
	c.program.Path, c.program.Args = shell, append([]string{"bash", "-c", script, "bash"}, c.program.Args[1:]...)
	c.start()
	c.startReading()
	c.seen.waitFor(t, "Delays")
	c.press("\x1a")
	c.waitAfter(leaveAltScreen, "it is suspended")
	require.Equal(t, c.before, c.settings(), "the shell has its terminal")
	c.press("\n")
	c.waitAfter("it is suspended", altScreen)
	c.waitAfter("it is suspended", "Delays")
	c.press("q")
	c.waitAfter(leaveAltScreen, "it ended with 0")
	c.wait()
	require.Equal(t, c.before, c.settings())
}

// Without a shell that could continue it, the console goes on.
func TestSuspendWithoutShell(t *testing.T) {
	service := servicetest.Start(t)
	c := newPtyConsole(t, service)
	c.start()
	c.startReading()
	c.seen.waitFor(t, "Delays")
	c.press("\x1a")
	c.waitAfter(leaveAltScreen, "Delays")
	c.press("q")
	state, _ := c.wait()
	require.Equal(t, exitOK, state.ExitCode())
	require.Equal(t, c.before, c.settings())
}

// A terminal that understands no escape sequences gets none, but a hint.
func TestDumbTerminal(t *testing.T) {
	c := newPtyConsole(t, servicetest.Start(t), "TERM=dumb")
	c.start()
	c.startReading()
	state, _ := c.wait()
	require.Equal(t, exitUsage, state.ExitCode())
	c.seen.waitFor(t, "--help")
	require.Contains(t, c.seen.String(), "waybill --accessible")
	require.NotContains(t, c.seen.String(), "\x1b")
}

// Without UTF-8 the console draws with ASCII signs.
func TestLocaleWithoutUTF8(t *testing.T) {
	c := newPtyConsole(t, servicetest.Start(t), "LC_ALL=C")
	c.start()
	c.startReading()
	c.seen.waitFor(t, "Delays")
	c.press("q")
	c.wait()
	require.NotContains(t, c.seen.String(), "─")
	require.NotContains(t, c.seen.String(), "○")
	require.Contains(t, c.seen.String(), "----")
}

// A console whose terminal is gone ends, whether it is told so by a signal or not.
func TestVanishedTerminal(t *testing.T) {
	service := servicetest.Start(t)
	for name, prepare := range map[string]func(*exec.Cmd){
		"with the signal": func(*exec.Cmd) {},
		"not the controlling terminal": func(program *exec.Cmd) {
			program.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		},
		"under nohup": func(program *exec.Cmd) {
			program.Path = "/bin/sh"
			program.Args = append([]string{"sh", "-c", `trap "" HUP; exec waybill "$@"`, "sh"}, program.Args[1:]...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newPtyConsole(t, service)
			prepare(c.program)
			c.start()
			stopReading := c.startReading()
			c.seen.waitFor(t, "Delays")
			stopReading()
			require.NoError(t, c.slave.Close())
			require.NoError(t, c.master.Close())
			state, took := c.wait()
			require.Equal(t, exitInterrupted, state.ExitCode())
			t.Logf("it ended after %s", took)
		})
	}
}

// After many sizes in a row, also impossible ones, the console shows itself in the last one.
func TestResizeStorm(t *testing.T) {
	c := newPtyConsole(t, servicetest.Start(t))
	c.start()
	c.startReading()
	c.seen.waitFor(t, "Delays")
	for i := range 500 {
		size := pty.Winsize{Rows: uint16(i * 7 % 90), Cols: uint16(i * 13 % 300)} //nolint:gosec // small numbers
		require.NoError(t, pty.Setsize(c.slave, &size))
	}
	require.NoError(t, pty.Setsize(c.slave, &pty.Winsize{Rows: 33, Cols: 101}))
	c.press("?")
	c.seen.waitFor(t, "\x1b[33;") // the last line
	c.press("\x03")
	state, _ := c.wait()
	require.Equal(t, exitOK, state.ExitCode())
	require.Equal(t, c.before, c.settings())
}
