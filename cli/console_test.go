package cli

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"waybill/credentials"
	"waybill/internal/servicetest"
	"waybill/service/sandbox"
	"waybill/service/server"
	"waybill/settings"
	"waybill/ui"
)

// noKeyring is the keyring of a machine that has none.
type noKeyring struct{}

func (noKeyring) Get(string) (string, error) {
	return "", &credentials.KeyringError{Cause: credentials.CauseNoSession}
}

func (noKeyring) Set(string, string) error {
	return &credentials.KeyringError{Cause: credentials.CauseNoSession}
}

func (noKeyring) Delete(string) error {
	return &credentials.KeyringError{Cause: credentials.CauseNoSession}
}

// An account can be added with and without a keyring and used at once.
func TestAddAccount(t *testing.T) {
	service := servicetest.Start(t)
	for name, keyring := range map[string]credentials.Keyring{
		"keyring entry": folderKeyring(t.TempDir()), "memory until you quit": noKeyring{},
	} {
		a, _ := newTestProgram(t, "", "")
		a.keyring, a.flags.keyFD = keyring, credentials.NoDescriptor
		file, err := a.loadConfig()
		require.NoError(t, err)
		host := newConsoleHost(a, &consoleFlags{}, file)
		joined, err := host.addAccount(context.Background(), ui.JoinRequest{Name: "depot", BaseURL: service.URL, Key: service.Key})
		require.NoError(t, err)
		require.Contains(t, joined.Stored, name)
		require.NotContains(t, joined.Stored, service.Key)
		made, err := host.connect(context.Background(), ui.ConnectRequest{Profile: "depot"})
		require.NoError(t, err)
		_, err = made.Client.TestAuth(context.Background())
		require.NoError(t, err)
		made.Client.Close()
	}
}

// The console may read the accounts while another one is added.
func TestAddAccountWhileConnecting(t *testing.T) {
	service := servicetest.Start(t)
	a, _ := newTestProgram(t, "", "")
	a.keyring, a.flags.keyFD = noKeyring{}, credentials.NoDescriptor
	file, err := a.loadConfig()
	require.NoError(t, err)
	host := newConsoleHost(a, &consoleFlags{}, file)
	joined := make(chan error)
	go func() {
		_, err := host.addAccount(context.Background(), ui.JoinRequest{Name: "depot", BaseURL: service.URL, Key: service.Key})
		joined <- err
	}()
	host.startsOnSandbox()
	require.NoError(t, <-joined)
	require.False(t, host.startsOnSandbox())
}

func TestConsoleFlagsAreChecked(t *testing.T) {
	for _, flags := range []consoleFlags{
		{theme: "pink"},
		{start: ui.Start{Pane: "drivers"}},
		{start: ui.Start{Filter: "late>soon"}},
		{start: ui.Start{Sort: "colour"}},
		{start: ui.Start{Pane: "orders", Sort: "worker"}},
		{box: server.Sandbox{Options: sandbox.Options{Tasks: -1}}},
		{box: server.Sandbox{Options: sandbox.Options{Tasks: sandbox.MaxTasks + 1}}},
		{box: server.Sandbox{Options: sandbox.Options{Workers: -1}}},
		{box: server.Sandbox{Options: sandbox.Options{Workers: sandbox.MaxWorkers + 1}}},
	} {
		flags.box.Speed = 1
		require.Error(t, flags.check(), "%+v", flags)
	}
	for _, speed := range []float64{0, -1, 3601, math.NaN(), math.Inf(1)} {
		require.ErrorContains(t, (&consoleFlags{box: server.Sandbox{Speed: speed}}).check(), "--speed")
		serve := sandboxFlags{settings: server.Sandbox{Options: sandbox.Options{Tasks: 1, Workers: 1}, Speed: speed}}
		require.ErrorContains(t, serve.check(pflag.NewFlagSet("", pflag.ContinueOnError)), "--speed")
	}
	for _, flags := range []consoleFlags{
		{},
		{theme: "high-contrast"},
		{start: ui.Start{Pane: "orders", Filter: "unassigned", Sort: "-price"}},
		{start: ui.Start{Filter: "late>10m"}},
		{start: ui.Start{Sort: "triage"}},
		{box: server.Sandbox{Options: sandbox.Options{Tasks: sandbox.MaxTasks, Workers: sandbox.MaxWorkers}}},
	} {
		flags.box.Speed = 3600
		require.NoError(t, flags.check(), "%+v", flags)
	}
}

func TestViewsOfTheConfigFileAreChecked(t *testing.T) {
	for view, want := range map[string]string{
		`filter = "tean:north"`:               `:2:3: filter of view "mine": cannot filter tasks by "tean"; did you mean team:?`,
		`sort = "colour"`:                     `:2:3: sort of view "mine": `,
		"filter = \"late\"\nsort = \"slack\"": "",
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		text := "ascii = true\n[[views]]\nname = \"mine\"\npane = \"tasks\"\n" + view + "\n"
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		file, err := settings.Load(path)
		require.NoError(t, err)
		a, _ := newTestProgram(t, "", "")
		_, err = newConsoleHost(a, &consoleFlags{}, file).consoleOptions()
		if want == "" {
			require.NoError(t, err, view)
			continue
		}
		require.ErrorIs(t, err, settings.ErrInvalid)
		require.ErrorContains(t, err, path+want)
	}
}
