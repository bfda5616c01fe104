package ui

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/stretchr/testify/require"

	"waybill/model"
)

func TestPrintBoard(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		world := worldOf(80)
		zone, err := time.LoadLocation("America/Los_Angeles")
		require.NoError(t, err)
		snapshot, organization, err := Read(context.Background(), newClient(t, world), model.DefaultSettings(), time.Now, zone)
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, PrintBoard(&out, snapshot, PrintOptions{Zone: zone, Organization: organization.Name, Limit: 5}))
		golden.RequireEqual(t, out.Bytes())
		d := newDriver(t, world, nil)
		require.Equal(t, d.m.panes.Snapshot().Counters, snapshot.Counters, "the console counts the same")
	})
}
