package cli

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWebhookGuide runs every command of docs/webhooks.md with the program, curl and openssl.
func TestWebhookGuide(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "curl", "openssl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	page, err := os.ReadFile("../docs/webhooks.md")
	require.NoError(t, err)
	// Whatever happens, nothing that the guide starts outlives it.
	script := "set -eu -o pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"
	blocks := strings.Split(string(page), "```sh\n")[1:]
	require.Greater(t, len(blocks), 8)
	for _, block := range blocks {
		commands, _, _ := strings.Cut(block, "```")
		script += commands
	}
	home := t.TempDir()
	command := exec.CommandContext(t.Context(), "bash")
	command.Stdin = strings.NewReader(script)
	command.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/config", "XDG_DATA_HOME="+home+"/data",
		"XDG_STATE_HOME="+home+"/state", "WORK="+home, "SERVICE="+freeAddress(t), "RECEIVER="+freeAddress(t), "NO_COLOR=yes",
		clockVariable+"=")
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	runErr := command.Run()
	logs := ""
	for _, name := range []string{"/serve.log", "/listen.log"} {
		text, _ := os.ReadFile(home + name) //nolint:errcheck // shown when there is one
		logs += string(text[:min(len(text), 2000)])
	}
	require.NoError(t, runErr, "%s\n%s", output.String(), logs)
	require.Contains(t, output.String(), "events are genuine")
	require.Contains(t, output.String(), "is being sent again")
	require.Regexp(t, `(?m)^webhook +\S{24}`, output.String())
}

// TestDocumentedPriceCommands runs the commands for clients of the README, then those for prices of docs/cli.md with the
// price list shown there.
func TestDocumentedPriceCommands(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/cli.md")
	require.NoError(t, err)
	commands, rest, ok := strings.Cut(section(t, string(page), "### Prices"), "```\n\n```json\n")
	require.True(t, ok)
	_, commands, _ = strings.Cut(commands, "```\n")
	prices, _, _ := strings.Cut(rest, "```")
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	begin := `waybill serve org add "Florist Co"`
	_, client, ok := strings.Cut(string(readme), begin)
	require.True(t, ok)
	client, _, _ = strings.Cut(client, "\n")

	home := t.TempDir()
	require.NoError(t, os.WriteFile(home+"/florist.json", []byte(prices), 0o600))
	command := exec.CommandContext(t.Context(), "bash", "-eux")
	command.Dir = home
	command.Stdin = strings.NewReader("waybill serve org add 'My couriers' --data ./data\n" + begin + client + "\n" + commands)
	command.Env = append(os.Environ(), "HOME="+home, "NO_COLOR=yes", clockVariable+"=")
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.Equal(t, 4, strings.Count(commands, "waybill "))
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}
