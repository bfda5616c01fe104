//go:build unix

package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
)

// program runs the console on a terminal until it receives events.
func (c *receiverTest) program(address string) (program *exec.Cmd, terminal *os.File, seen *screen) {
	c.t.Helper()
	home := c.home()
	program = exec.CommandContext(c.t.Context(), "waybill", "--base-url", c.URL, "--receive", address, "--rate", "1000", "--theme", "dark")
	program.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/.config", "XDG_DATA_HOME="+home+"/.local/share",
		"XDG_STATE_HOME="+home+"/.local/state", "WAYBILL_API_KEY="+c.Key, "TERM=xterm-256color", clockVariable+"=")
	terminal, err := pty.StartWithSize(program, &pty.Winsize{Rows: 40, Cols: 120})
	require.NoError(c.t, err)
	seen = &screen{more: make(chan struct{}, 1)}
	go func() { _, _ = io.Copy(seen, terminal) }()
	servicetest.WaitFor(c.t, func() bool { return len(c.hooks()) == 17 })
	return program, terminal, seen
}

func TestQuittingTheConsoleRemovesItsWebhooks(t *testing.T) {
	t.Parallel()
	c, address := newReceiverTest(t), freeAddress(t)
	program, terminal, seen := c.program(address)
	defer terminal.Close()
	_, err := io.WriteString(terminal, "q")
	require.NoError(t, err)
	require.NoError(t, program.Wait(), seen.String())
	require.Empty(t, c.hooks())
	require.True(t, isFree(address))
	require.NotContains(t, seen.String(), c.Key)
}

func TestClosingTheTerminalRemovesTheWebhooks(t *testing.T) {
	t.Parallel()
	c, address := newReceiverTest(t), freeAddress(t)
	program, terminal, _ := c.program(address)
	require.NoError(t, terminal.Close())
	_ = program.Wait() // whether it could still say goodbye does not matter
	require.Empty(t, c.hooks())
	require.True(t, isFree(address))
}

// The secret of a service that does not reveal it comes from a file and is never shown.
func TestWebhookSecretFromAFile(t *testing.T) {
	t.Parallel()
	c, address := newReceiverTest(t), freeAddress(t)
	home := c.home()
	config := strings.Replace(twoProfiles, "listen = %q", "listen = %q\nsecret_file = \"~/secret\"", 1)
	require.NoError(t, os.WriteFile(home+"/.config/waybill/config.toml", fmt.Appendf(nil, config, c.URL, address, c.URL), 0o600))
	require.NoError(t, os.WriteFile(home+"/secret", []byte("nobodysbusiness\n"), 0o600))
	d := c.openConsole(home, consoleFlags{}, func(a *app) { a.flags.baseURL = "" })
	d.press("look.events")
	d.waitForTexts("the content of secret_file is not a hex string")
	require.NotContains(t, d.screen(), "nobodysbusiness")
	require.Empty(t, c.hooks(), "what cannot be verified is not asked for")
	d.host.shutDown(t.Context())

	require.NoError(t, os.WriteFile(home+"/secret", []byte("00ff\n"), 0o600))
	d = c.openConsole(home, consoleFlags{}, func(a *app) { a.flags.baseURL = "" })
	d.press("look.events")
	d.waitForTexts("receiving on")
	c.Do("PUT", "/tasks/"+string(c.task.ID), `{"notes":"Ring twice"}`).OK(nil)
	d.waitForTexts("· 1 wrong signature")
}
