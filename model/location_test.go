package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMissingLocationDoesNotSpoilTheRest(t *testing.T) {
	for _, text := range []string{`{"id":"x","location":null}`, `{"id":"x","location":[]}`, `{"id":"x","location":[null,null]}`} {
		var d Destination
		require.NoError(t, Unmarshal([]byte(text), &d), text)
		require.Equal(t, ID("x"), d.ID)
		require.False(t, d.Location.Valid())
		encoded, err := Marshal(d)
		require.NoError(t, err)
		require.Contains(t, string(encoded), `"location":null`)
	}
}

func TestALocationIsTwoNumbers(t *testing.T) {
	for _, text := range []string{`[1]`, `[1,2,3]`, `[null]`, `[1,null]`, `[null,2]`, `["1","2"]`, `"1,2"`, `{}`, `[1e999,2]`, `[[1,2]]`} {
		var at Location
		require.Error(t, Unmarshal([]byte(text), &at), text)
		var maybe MaybeLocation
		require.Error(t, Unmarshal([]byte(text), &maybe), text)
	}
	var at Location
	require.NoError(t, Unmarshal([]byte(`[-122.4, 37.7]`), &at))
	require.Equal(t, Location{-122.4, 37.7}, at)
	var maybe MaybeLocation
	require.NoError(t, Unmarshal([]byte(`[null,null]`), &maybe))
	require.False(t, maybe.Known)
}
