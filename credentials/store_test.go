package credentials_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/credentials"
)

func TestStoreAndDeleteInEachPlace(t *testing.T) {
	t.Parallel()
	for _, source := range []credentials.Source{credentials.SourceKeyring, credentials.SourceAge, credentials.SourceMemory} {
		w := newWorld(t)
		vault := w.vault()
		stored, err := vault.Store(t.Context(), prod, mustKey(t, "s3cret"), source)
		require.NoError(t, err, source)
		require.Equal(t, source, stored.Source)
		require.Empty(t, stored.ShadowedBy)
		got, err := vault.Resolve(t.Context(), request(prod))
		require.NoError(t, err, source)
		require.Equal(t, source, got.Source)
		require.Equal(t, "s3cret", got.Key.Reveal())

		removed, err := vault.Delete(t.Context(), prod)
		require.NoError(t, err, source)
		require.Len(t, removed, 1)
		require.Equal(t, source, removed[0].Source)
		_, err = vault.Resolve(t.Context(), request(prod))
		require.ErrorIs(t, err, credentials.ErrNoKey)
		_, err = vault.Delete(t.Context(), prod)
		require.ErrorIs(t, err, credentials.ErrNotFound)
	}
}

func TestStoreRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.vault().Store(t.Context(), prod, credentials.Key{}, credentials.SourceKeyring)
	require.ErrorIs(t, err, credentials.ErrInvalidKey)
	for _, source := range []credentials.Source{credentials.SourceEnv, credentials.SourceFile, credentials.SourceCommand, "cloud"} {
		_, err := w.vault().Store(t.Context(), prod, mustKey(t, "abc"), source)
		require.ErrorIs(t, err, credentials.ErrNotStorable)
	}
	w.keyring.loses = true
	_, err = w.vault().Store(t.Context(), prod, mustKey(t, "abc"), credentials.SourceKeyring)
	require.ErrorContains(t, err, "accepted the key but did not store it")

	w.keyring.err = &credentials.KeyringError{Cause: credentials.CauseNoService}
	_, err = w.vault().Store(t.Context(), prod, mustKey(t, "abc"), credentials.SourceKeyring)
	require.ErrorIs(t, err, credentials.ErrKeyringUnavailable)
	require.NoDirExists(t, filepath.Join(w.env.ConfigDir, "keys"), "it is stored nowhere else")
}

func TestStoreTellsWhatShadowsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.keyring.secrets["prod"] = "older"
	stored, err := w.vault().Store(t.Context(), prod, mustKey(t, "newer"), credentials.SourceAge)
	require.NoError(t, err)
	require.Equal(t, credentials.SourceKeyring, stored.ShadowedBy)
	named := credentials.Profile{Name: "prod", Source: credentials.SourceAge}
	stored, err = w.vault().Store(t.Context(), named, mustKey(t, "newer"), credentials.SourceAge)
	require.NoError(t, err)
	require.Empty(t, stored.ShadowedBy)
}

func TestDeleteTellsOfAPlaceItCouldNotReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.vault().Store(t.Context(), prod, mustKey(t, "abc"), credentials.SourceAge)
	require.NoError(t, err)
	w.keyring.err = &credentials.KeyringError{Cause: credentials.CauseLocked}
	removed, err := w.vault().Delete(t.Context(), prod)
	require.ErrorIs(t, err, credentials.ErrKeyringUnavailable)
	require.ErrorContains(t, err, "the key may still be in keyring entry waybill/prod")
	require.Len(t, removed, 1)
	require.Equal(t, credentials.SourceAge, removed[0].Source)
}

func TestDeleteNeedsTheKeyringOnlyForAKeyInIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.keyring.err = &credentials.KeyringError{Cause: credentials.CauseNoSession}
	for _, source := range []credentials.Source{
		credentials.SourceKeyring, credentials.SourceEnv, credentials.SourceFile, credentials.SourceCommand, credentials.SourceAge,
	} {
		_, err := w.vault().Delete(t.Context(), credentials.Profile{Name: "prod", Source: source})
		if source == credentials.SourceKeyring {
			require.ErrorIs(t, err, credentials.ErrKeyringUnavailable)
		} else {
			require.ErrorIs(t, err, credentials.ErrNotFound, source)
		}
	}
}

func TestListTellsOfAKeyCommandThatIsNotThere(t *testing.T) {
	t.Parallel()
	listings := newWorld(t).vault().List(t.Context(), []credentials.Profile{
		{Name: "typo", Source: credentials.SourceCommand, Command: []string{"no-such-password-store", "show"}},
	})
	require.Equal(t, credentials.OutcomeFailed, listings[0].Outcome)
	require.ErrorIs(t, listings[0].Err, credentials.ErrCommand)
	require.ErrorContains(t, listings[0].Err, "was not found; check the spelling and PATH")
}

func TestAgeFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	vault := w.vault()
	_, err := vault.Store(t.Context(), prod, mustKey(t, "s3cret-key"), credentials.SourceAge)
	require.NoError(t, err)
	path := vault.AgePath("prod")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "-----BEGIN AGE ENCRYPTED FILE-----"))
	require.NotContains(t, string(text), "s3cret-key")
	if runtime.GOOS != "windows" {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	named := request(credentials.Profile{Name: "prod", Source: credentials.SourceAge})

	w.env.Passphrase = func(context.Context, string, bool) (string, error) { return "wrong", nil }
	_, err = w.vault().Resolve(t.Context(), named)
	require.ErrorIs(t, err, credentials.ErrWrongPassphrase)

	w.env.Passphrase = func(context.Context, string, bool) (string, error) { return "", nil }
	_, err = w.vault().Resolve(t.Context(), named)
	require.ErrorIs(t, err, credentials.ErrPassphraseNeeded)

	cancelled := errors.New("prompt was closed")
	w.env.Passphrase = func(context.Context, string, bool) (string, error) { return "", cancelled }
	_, err = w.vault().Resolve(t.Context(), named)
	require.ErrorIs(t, err, credentials.ErrPassphraseNeeded)
	require.ErrorIs(t, err, cancelled)

	w.env.Passphrase = nil
	_, err = w.vault().Resolve(t.Context(), named)
	require.ErrorIs(t, err, credentials.ErrPassphraseNeeded)
	require.ErrorContains(t, err, "to open "+path+", but there is no terminal to prompt on")
	_, err = w.vault().Store(t.Context(), prod, mustKey(t, "s3cret-key"), credentials.SourceAge)
	require.ErrorContains(t, err, "to create "+path+", but there is no terminal to prompt on")

	w.env.Passphrase = func(context.Context, string, bool) (string, error) { return "correct horse", nil }
	require.NoError(t, os.WriteFile(path, []byte("garbage"), 0o600))
	_, err = w.vault().Resolve(t.Context(), named)
	require.ErrorContains(t, err, "is damaged or not encrypted by waybill")
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Chmod(path, 0o644))
		_, err = w.vault().Resolve(t.Context(), named)
		require.ErrorIs(t, err, credentials.ErrUnsafeFile)
	}
}

func TestAgeAsksForANewPassphraseOnlyWhenStoring(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var asked []bool
	w.env.Passphrase = func(_ context.Context, profile string, choose bool) (string, error) {
		require.Equal(t, "prod", profile)
		asked = append(asked, choose)
		return "pw", nil
	}
	_, err := w.vault().Store(t.Context(), prod, mustKey(t, "abc"), credentials.SourceAge)
	require.NoError(t, err)
	_, err = w.vault().Resolve(t.Context(), request(prod))
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, asked)
}

func TestList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.keyring.secrets["ring"] = "abc"
	w.variables["NIGHT_KEY"] = "abc"
	w.variables[credentials.DefaultVariable] = "for this run, not for a list"
	_, err := w.vault().Store(t.Context(), credentials.Profile{Name: "sealed"}, mustKey(t, "abc"), credentials.SourceAge)
	require.NoError(t, err)
	w.asked = 0
	marker := filepath.Join(t.TempDir(), "ran")
	listings := w.vault().List(t.Context(), []credentials.Profile{
		{Name: "ring"},
		{Name: "sealed"},
		{Name: "night", Source: credentials.SourceEnv, Variable: "NIGHT_KEY"},
		{Name: "pass", Source: credentials.SourceCommand, Command: []string{"touch", marker}},
		{Name: "box", Source: credentials.SourceFile, File: "/nonexistent/key"},
		{Name: "none"},
	})
	var got [][3]string
	for _, l := range listings {
		got = append(got, [3]string{l.Profile, string(l.Source), string(l.Outcome)})
	}
	require.Equal(t, [][3]string{
		{"ring", "keyring", "in use"},
		{"sealed", "age", "in use"},
		{"night", "env", "in use"},
		{"pass", "command", "in use"},
		{"box", "file", "failed"},
		{"none", "keyring", "no key there"},
	}, got)
	require.Zero(t, w.asked, "a list asks for no passphrase")
	require.NoFileExists(t, marker, "a list runs no command")
}

func TestListAsksADeadKeyringOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.keyring.err = &credentials.KeyringError{Cause: credentials.CauseTimeout}
	listings := w.vault().List(t.Context(), []credentials.Profile{{Name: "a"}, {Name: "b"}, {Name: "c"}})
	require.Equal(t, 1, w.keyring.calls)
	for _, l := range listings {
		require.Equal(t, credentials.SourceKeyring, l.Source)
		require.Equal(t, credentials.OutcomeUnavailable, l.Outcome)
		require.ErrorIs(t, l.Err, credentials.ErrKeyringUnavailable)
	}
}
