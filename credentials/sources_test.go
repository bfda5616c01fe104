package credentials_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/credentials"
	"waybill/settings"
)

// TestSourcesAgreeWithSettings holds the two rooms together: cli passes a profile's key source and name from one to the other.
func TestSourcesAgreeWithSettings(t *testing.T) {
	t.Parallel()
	var named []string
	for _, source := range settings.KeySources() {
		named = append(named, string(source))
	}
	var known []string
	for _, source := range []credentials.Source{
		credentials.SourceKeyring, credentials.SourceEnv, credentials.SourceFile, credentials.SourceCommand, credentials.SourceAge,
	} {
		known = append(known, string(source))
	}
	require.Equal(t, named, known)
}

func TestNamesAgreeWithSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9._-]{1,70}`)).Draw(t, "name")
		_, err := w.vault().Delete(t.Context(), credentials.Profile{Name: name})
		require.Error(t, err, "there is nothing to remove")
		if settings.CheckProfileName(name) == nil {
			require.ErrorIs(t, err, credentials.ErrNotFound)
		} else {
			require.NotErrorIs(t, err, credentials.ErrNotFound)
		}
	})
}
