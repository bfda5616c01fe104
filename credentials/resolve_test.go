package credentials_test

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/credentials"
)

var prod = credentials.Profile{Name: "prod"}

// TestPrecedence puts a key everywhere and takes the places away one by one, from the first to the last.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	vault := w.vault()
	_, err := vault.Store(t.Context(), prod, mustKey(t, "from-age"), credentials.SourceAge)
	require.NoError(t, err)
	w.keyring.secrets["prod"] = "from-keyring"
	w.variables[credentials.DefaultVariable] = "from-variable"
	vault.Remember("prod", mustKey(t, "from-memory"))

	ask := request(credentials.Profile{Name: "prod", Source: credentials.SourceFile, File: writeFile(t, "from-profile", 0o600)})
	ask.File = writeFile(t, "from-flag\n", 0o600)
	for _, step := range []struct {
		source  credentials.Source
		key     string
		takeOut func()
	}{
		{credentials.SourceMemory, "from-memory", func() { require.True(t, vault.Forget("prod")) }},
		{credentials.SourceFlagFile, "from-flag", func() { ask.File = "" }},
		{credentials.SourceOverride, "from-variable", func() { delete(w.variables, credentials.DefaultVariable) }},
		{credentials.SourceFile, "from-profile", func() { ask.Profile = prod }},
		{credentials.SourceKeyring, "from-keyring", func() { delete(w.keyring.secrets, "prod") }},
		{credentials.SourceAge, "from-age", nil},
	} {
		got, err := vault.Resolve(t.Context(), ask)
		require.NoError(t, err, step.source)
		require.Equal(t, step.source, got.Source)
		require.Equal(t, step.key, got.Key.Reveal())
		last := got.Attempts[len(got.Attempts)-1]
		require.Equal(t, credentials.OutcomeUsed, last.Outcome)
		require.Equal(t, got.Location, last.Location)
		if step.takeOut != nil {
			step.takeOut()
		}
	}
}

func TestNothingAnywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.vault().Resolve(t.Context(), request(prod))
	require.ErrorIs(t, err, credentials.ErrNoKey)
	require.EqualError(t, err, `no API key found for profile "prod"
  variable WAYBILL_API_KEY: no key there
  keyring entry waybill/prod: no key there
  encrypted file `+filepath.Join(w.env.ConfigDir, "keys", "prod.age")+`: no key there
Run 'waybill keys add prod', set WAYBILL_API_KEY, or pass --api-key-file FILE.`)
	var resolve *credentials.ResolveError
	require.ErrorAs(t, err, &resolve)
	require.Len(t, resolve.Attempts, 3)
	require.Zero(t, w.asked, "no passphrase is asked for a file that is not there")
}

func TestWithoutAProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.vault().Resolve(t.Context(), request(credentials.Profile{}))
	require.EqualError(t, err, "no API key found for this run\n  variable WAYBILL_API_KEY: no key there\n"+
		"Set WAYBILL_API_KEY, or pass --api-key-file FILE.")
	require.Zero(t, w.keyring.calls)
	w.variables[credentials.DefaultVariable] = "abc"
	got, err := w.vault().Resolve(t.Context(), request(credentials.Profile{}))
	require.NoError(t, err)
	require.Equal(t, "abc", got.Key.Reveal())
}

// TestWhatWasAskedForIsFinal: a named source that fails never falls through to another key.
func TestWhatWasAskedForIsFinal(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing")
	for name, test := range map[string]struct {
		ask  func(w *world) credentials.Request
		want error
	}{
		"flag": {func(*world) credentials.Request {
			ask := request(prod)
			ask.File = missing
			return ask
		}, fs.ErrNotExist},
		"two flags": {func(*world) credentials.Request {
			return credentials.Request{Profile: prod, File: missing, Descriptor: 3}
		}, credentials.ErrNoKey},
		"variable that is no key": {func(w *world) credentials.Request {
			w.variables[credentials.DefaultVariable] = "two words"
			return request(prod)
		}, credentials.ErrInvalidKey},
		"file of the profile": {func(*world) credentials.Request {
			return request(credentials.Profile{Name: "prod", Source: credentials.SourceFile, File: missing})
		}, fs.ErrNotExist},
		"variable of the profile": {func(*world) credentials.Request {
			return request(credentials.Profile{Name: "prod", Source: credentials.SourceEnv, Variable: "OTHER"})
		}, credentials.ErrNotFound},
		"command of the profile": {func(*world) credentials.Request {
			return request(credentials.Profile{Name: "prod", Source: credentials.SourceCommand})
		}, credentials.ErrCommand},
		"encrypted file of the profile": {func(*world) credentials.Request {
			return request(credentials.Profile{Name: "prod", Source: credentials.SourceAge})
		}, credentials.ErrNotFound},
		"unknown source": {func(*world) credentials.Request {
			return request(credentials.Profile{Name: "prod", Source: "cloud"})
		}, credentials.ErrNoKey},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.keyring.secrets["prod"] = "another-key"
			_, err := w.vault().Resolve(t.Context(), test.ask(w))
			require.ErrorIs(t, err, credentials.ErrNoKey)
			require.ErrorIs(t, err, test.want)
			require.Zero(t, w.keyring.calls, "the keyring must not be asked")
		})
	}
}

func TestNamedKeyringDoesNotFallThroughToAge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.vault().Store(t.Context(), prod, mustKey(t, "from-age"), credentials.SourceAge)
	require.NoError(t, err)
	named := credentials.Profile{Name: "prod", Source: credentials.SourceKeyring}
	w.keyring.err = &credentials.KeyringError{Cause: credentials.CauseLocked}
	_, err = w.vault().Resolve(t.Context(), request(named))
	require.ErrorIs(t, err, credentials.ErrKeyringUnavailable)
	require.ErrorContains(t, err, "it is locked\nUnlock it and try again, or set WAYBILL_API_KEY")
}

func TestProfileOnlyIgnoresThisRunsOverrides(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.keyring.secrets["prod"] = "from-keyring"
	w.variables[credentials.DefaultVariable] = "from-variable"
	ask := request(prod)
	ask.File, ask.ProfileOnly = writeFile(t, "from-flag", 0o600), true
	got, err := w.vault().Resolve(t.Context(), ask)
	require.NoError(t, err)
	require.Equal(t, "from-keyring", got.Key.Reveal())
}

func TestEnvSourceHasItsOwnVariable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.variables["NIGHT_KEY"] = "from-night\n"
	got, err := w.vault().Resolve(t.Context(), request(
		credentials.Profile{Name: "night", Source: credentials.SourceEnv, Variable: "NIGHT_KEY"}))
	require.NoError(t, err)
	require.Equal(t, credentials.SourceEnv, got.Source)
	require.Equal(t, "variable NIGHT_KEY", got.Location)
	require.Equal(t, "from-night", got.Key.Reveal())
}

// TestKeyringFailures: every error but "not found" means unavailable, says so, and leads on to the encrypted file.
func TestKeyringFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		spoil func(t *testing.T, w *world)
		cause credentials.Cause
		want  string
	}{
		"hangs": {func(t *testing.T, w *world) {
			w.keyring.hang = make(chan struct{})
			t.Cleanup(func() { close(w.keyring.hang) })
			w.env.KeyringTimeout = 20 * time.Millisecond
		}, credentials.CauseTimeout, "an unlock prompt may be open"},
		"panics":  {func(_ *testing.T, w *world) { w.keyring.panics = true }, credentials.CauseOther, "invalid response from the keyring"},
		"strange": {func(_ *testing.T, w *world) { w.keyring.err = errors.New("oh\x1b[31m\nno") }, credentials.CauseOther, "it failed (oh no)"},
		"locked": {func(_ *testing.T, w *world) {
			w.keyring.err = &credentials.KeyringError{Cause: credentials.CauseLocked}
		}, credentials.CauseLocked, "it is locked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			_, err := w.vault().Store(t.Context(), credentials.Profile{Name: "prod", Source: credentials.SourceAge},
				mustKey(t, "from-age"), credentials.SourceAge)
			require.NoError(t, err)
			test.spoil(t, w)

			err = w.vault().CheckKeyring(t.Context())
			require.ErrorIs(t, err, credentials.ErrKeyringUnavailable)
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "WAYBILL_API_KEY", "it says what to do instead")
			var keyring *credentials.KeyringError
			require.ErrorAs(t, err, &keyring)
			require.Equal(t, test.cause, keyring.Cause)

			got, err := w.vault().Resolve(t.Context(), request(prod))
			require.NoError(t, err)
			require.Equal(t, "from-age", got.Key.Reveal())
			require.Equal(t, credentials.OutcomeUnavailable, got.Attempts[1].Outcome, "the fallback is told, not silent")
			require.ErrorAs(t, got.Attempts[1].Err, &keyring)
		})
	}
}

func TestEveryCauseHasItsWords(t *testing.T) {
	t.Parallel()
	seen := map[string]credentials.Cause{}
	for _, cause := range []credentials.Cause{
		credentials.CauseNoSession, credentials.CauseNoService, credentials.CauseLocked, credentials.CauseNoKeyring,
		credentials.CauseTimeout, credentials.CauseUnsupported, credentials.CauseOther,
	} {
		err := &credentials.KeyringError{Cause: cause}
		require.NotContains(t, seen, err.Explanation())
		seen[err.Explanation()] = cause
		require.Contains(t, err.Advice(), "waybill keys add --store age")
	}
}

func TestInterruptedSearch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.keyring.hang = make(chan struct{})
	t.Cleanup(func() { close(w.keyring.hang) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.vault().Resolve(ctx, request(prod))
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, credentials.ErrNoKey)
}

func TestKeyringWithSomethingElseInIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.keyring.secrets["prod"] = "not a key at all"
	_, err := w.vault().Resolve(t.Context(), request(prod))
	require.ErrorIs(t, err, credentials.ErrInvalidKey)
	require.NotContains(t, err.Error(), "not a key at all")
}

func TestBadNamesNeverReachAStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, name := range []string{"../../etc/passwd", "-wa", "a b", "a\x00", ".hidden"} {
		profile := credentials.Profile{Name: name}
		_, err := w.vault().Resolve(t.Context(), request(profile))
		require.ErrorContains(t, err, "invalid profile name")
		_, err = w.vault().Store(t.Context(), profile, mustKey(t, "abc"), credentials.SourceAge)
		require.ErrorContains(t, err, "invalid profile name")
		_, err = w.vault().Delete(t.Context(), profile)
		require.ErrorContains(t, err, "invalid profile name")
	}
	require.Zero(t, w.keyring.calls)
}
