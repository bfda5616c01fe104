package world

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
)

// Folders of earlier versions hold the member in the middle of a destination; it must not come up twice.
func TestUseGPSIsFoundWhereverItStands(t *testing.T) {
	for doc, want := range map[string]bool{
		`{"id":"a","useGPS":true,"notes":""}`:                 true,
		`{"id":"a","useGPS":false,"metadata":[]}`:             true,
		`{"id":"a","notes":"","useGPS":true}`:                 true,
		`{"id":"a","notes":"\"useGPS\":true"}`:                false,
		`{"id":"a","metadata":[{"name":"\"useGPS\":true}"}]}`: false,
		`{"id":"a"}`: false,
	} {
		require.Equal(t, want, hasUseGPS(doc), doc)
		var members map[string]any
		require.NoError(t, model.Unmarshal(appendEmbeddedDestination(nil, doc), &members), doc)
	}
}
