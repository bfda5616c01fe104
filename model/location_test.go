package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMissingLocationDoesNotSpoilTheRest(t *testing.T) {
	for _, text := range []string{`{"id":"x","location":null}`, `{"id":"x","location":[]}`} {
		var d Destination
		require.NoError(t, Unmarshal([]byte(text), &d), text)
		require.Equal(t, ID("x"), d.ID)
		require.False(t, d.Location.Valid())
		encoded, err := Marshal(d)
		require.NoError(t, err)
		require.Contains(t, string(encoded), `"location":null`)
	}
	var d Destination
	require.Error(t, Unmarshal([]byte(`{"location":[1]}`), &d))
}
