//go:build linux

package credentials_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"
	"github.com/zalando/go-keyring"

	"waybill/credentials"
)

// insideVariable is set in the process that a test starts again under a session of its own making.
const insideVariable = "WAYBILL_TEST_INSIDE"

// realVault is a vault on the session's real keyring.
func realVault(t *testing.T) *credentials.Vault {
	t.Helper()
	return credentials.New(credentials.Environment{
		Getenv: os.Getenv, ConfigDir: t.TempDir(), Keyring: credentials.SystemKeyring(os.Getenv),
	})
}

// requireSecretService skips the test unless the session has an open keyring. It looks without unlocking, so that running the
// tests on a desktop raises no prompt.
func requireSecretService(t *testing.T) {
	t.Helper()
	const skip = "no secret service: run under dbus-run-session, as .ci/keyring-test does"
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
		t.Skip(skip)
	}
	bus, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		t.Skip(skip)
	}
	defer func() { _ = bus.Close() }()
	if bus.Auth(nil) != nil || bus.Hello() != nil {
		t.Skip(skip)
	}
	var running bool
	if err := bus.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.secrets").Store(&running); err != nil || !running {
		t.Skip(skip)
	}
	locked, err := bus.Object("org.freedesktop.secrets", "/org/freedesktop/secrets/collection/login").
		GetProperty("org.freedesktop.Secret.Collection.Locked")
	if err != nil || locked.Value() != false {
		t.Skip(skip)
	}
}

// freshProfile has a name of its own, so that no key of the person who runs the tests is ever touched.
func freshProfile(t *testing.T, vault *credentials.Vault) credentials.Profile {
	t.Helper()
	profile := credentials.Profile{Name: "test-" + strings.ToLower(rand.Text()), Source: credentials.SourceKeyring}
	t.Cleanup(func() { _, _ = vault.Delete(t.Context(), profile) })
	return profile
}

func TestSecretServiceRoundTrip(t *testing.T) {
	requireSecretService(t)
	vault := realVault(t)
	require.NoError(t, vault.CheckKeyring(t.Context()))
	profile := freshProfile(t, vault)

	_, err := vault.Resolve(t.Context(), request(profile))
	require.ErrorIs(t, err, credentials.ErrNotFound)
	require.NotErrorIs(t, err, credentials.ErrKeyringUnavailable)

	for _, secret := range []string{"first-key", strings.Repeat("k", credentials.MaxKeyLength), `~!@#$%^&*()_+{}|"<>?'`} {
		stored, err := vault.Store(t.Context(), profile, mustKey(t, secret), credentials.SourceKeyring)
		require.NoError(t, err)
		require.Equal(t, "keyring entry waybill/"+profile.Name, stored.Location)
		got, err := vault.Resolve(t.Context(), request(profile))
		require.NoError(t, err)
		require.Equal(t, secret, got.Key.Reveal())
		require.Equal(t, credentials.SourceKeyring, got.Source)
	}

	removed, err := vault.Delete(t.Context(), profile)
	require.NoError(t, err)
	require.Len(t, removed, 1)
	_, err = vault.Delete(t.Context(), profile)
	require.ErrorIs(t, err, credentials.ErrNotFound)
}

func TestSecretServiceKeepsProfilesApart(t *testing.T) {
	requireSecretService(t)
	vault := realVault(t)
	first, second := freshProfile(t, vault), freshProfile(t, vault)
	for _, profile := range []credentials.Profile{first, second} {
		_, err := vault.Store(t.Context(), profile, mustKey(t, "key-of-"+profile.Name), credentials.SourceKeyring)
		require.NoError(t, err)
	}
	_, err := vault.Delete(t.Context(), first)
	require.NoError(t, err)
	listings := vault.List(t.Context(), []credentials.Profile{first, second})
	require.Equal(t, credentials.OutcomeEmpty, listings[0].Outcome)
	require.Equal(t, credentials.OutcomeUsed, listings[1].Outcome)
	got, err := vault.Resolve(t.Context(), request(second))
	require.NoError(t, err)
	require.Equal(t, "key-of-"+second.Name, got.Key.Reveal())
}

func TestSecretServiceEntryIsUnderWaybill(t *testing.T) {
	requireSecretService(t)
	vault := realVault(t)
	profile := freshProfile(t, vault)
	_, err := vault.Store(t.Context(), profile, mustKey(t, "abc"), credentials.SourceKeyring)
	require.NoError(t, err)
	secret, err := keyring.Get("waybill", profile.Name)
	require.NoError(t, err)
	require.Equal(t, "abc", secret)
}

func TestSecretServiceWithSomethingElseInIt(t *testing.T) {
	requireSecretService(t)
	vault := realVault(t)
	profile := freshProfile(t, vault)
	require.NoError(t, keyring.Set("waybill", profile.Name, "two\nlines"))
	_, err := vault.Resolve(t.Context(), request(profile))
	require.ErrorIs(t, err, credentials.ErrInvalidKey)
	require.NotContains(t, err.Error(), "two\nlines")
}

// The scenarios below make their own session, broken in one way each, and start the test binary again inside it: the D-Bus
// library keeps one connection for the life of a process.

const bareBus = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

const startUnlocked = `printf %s pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null; `

const lockIt = `dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets ` +
	`org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null; `

func TestKeyringInBrokenSessions(t *testing.T) {
	bare := filepath.Join(t.TempDir(), "bare.conf")
	require.NoError(t, os.WriteFile(bare, []byte(bareBus), 0o600))
	for name, test := range map[string]struct {
		needs []string
		run   []string
		bus   string
		cause credentials.Cause
	}{
		"no address": {cause: credentials.CauseNoSession},
		"nowhere":    {bus: "unix:path=/nonexistent/bus", cause: credentials.CauseNoSession},
		"garbage":    {bus: "garbage", cause: credentials.CauseNoSession},
		"no service": {
			needs: []string{"dbus-run-session"}, cause: credentials.CauseNoService,
			run: []string{"dbus-run-session", "--config-file=" + bare, "--"},
		},
		"no keyring yet": {
			needs: []string{"dbus-run-session", "gnome-keyring-daemon"}, cause: credentials.CauseNoKeyring,
			run: []string{"dbus-run-session", "--"},
		},
		"locked": {
			needs: []string{"dbus-run-session", "gnome-keyring-daemon", "dbus-send"}, cause: credentials.CauseLocked,
			run: []string{"dbus-run-session", "--", "sh", "-eu", "-c", startUnlocked + lockIt + `exec "$@"`, "sh"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, tool := range test.needs {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("no %s: install dbus and gnome-keyring", tool)
				}
			}
			if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err == nil && name == "no address" {
				t.Skip("this machine has a session bus that is found without an address")
			}
			home := t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Join(home, ".local", "share", "keyrings"), 0o700))
			require.NoError(t, os.Mkdir(filepath.Join(home, "run"), 0o700))
			argv := append(test.run, os.Args[0], "-test.run=^TestInsideBrokenSession$", "-test.v")
			command := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
			command.Env = []string{
				"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_RUNTIME_DIR=" + filepath.Join(home, "run"),
				insideVariable + "=" + string(test.cause),
			}
			if test.bus != "" {
				command.Env = append(command.Env, "DBUS_SESSION_BUS_ADDRESS="+test.bus)
			}
			output, err := command.CombinedOutput()
			require.NoError(t, err, "%s", output)
			require.Contains(t, string(output), "--- PASS: TestInsideBrokenSession", "it must have run")
		})
	}
}

// TestInsideBrokenSession is the part of TestKeyringInBrokenSessions that runs inside.
func TestInsideBrokenSession(t *testing.T) {
	cause := credentials.Cause(os.Getenv(insideVariable))
	if cause == "" {
		t.Skip("run by TestKeyringInBrokenSessions")
	}
	vault := realVault(t)
	requireCause := func(err error) {
		t.Helper()
		require.ErrorIs(t, err, credentials.ErrKeyringUnavailable)
		require.NotErrorIs(t, err, credentials.ErrNotFound)
		var fault *credentials.KeyringError
		require.ErrorAs(t, err, &fault)
		require.Equal(t, cause, fault.Cause, "%v", fault.Err)
	}
	requireCause(vault.CheckKeyring(t.Context()))
	_, err := vault.Store(t.Context(), prod, mustKey(t, "abc"), credentials.SourceKeyring)
	requireCause(err)
	_, err = vault.Delete(t.Context(), prod)
	requireCause(err)
	_, err = vault.Resolve(t.Context(), request(credentials.Profile{Name: "prod", Source: credentials.SourceKeyring}))
	requireCause(err)
}
