package ui

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/internal/sampleday"
	"waybill/ui/feed"
)

func TestPrintBoard(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(80)
		zone, err := time.LoadLocation("America/Los_Angeles")
		require.NoError(t, err)
		snapshot, organization, err := Read(context.Background(), newClient(t, world), ReadOptions{Limits: board.DefaultSettings(), Now: time.Now, Zone: zone})
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, PrintBoard(&out, snapshot, PrintOptions{Zone: zone, Organization: organization.Name, Limit: 5}))
		golden.RequireEqual(t, out.Bytes())
		d := newTestConsole(t, world, nil)
		require.Equal(t, d.m.panes.Snapshot().Counters, snapshot.Counters, "the console counts the same")
	})
}

// Follow prints what changes, and nothing while nothing does.
func TestFollow(t *testing.T) {
	withFakeClock(t, func(t *testing.T) {
		world := worldOf(80)
		ctx, cancel := context.WithCancel(context.Background())
		var out bytes.Buffer
		ended := make(chan error)
		go func() {
			ended <- Follow(ctx, &out, newClient(t, world), ReadOptions{
				Limits: board.DefaultSettings(), Now: time.Now, Zone: time.UTC,
				Intervals: feed.Intervals{5 * time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second},
			}, PrintOptions{Zone: time.UTC, Limit: 3})
		}()
		hear := func(pass time.Duration) string {
			time.Sleep(pass)
			synctest.Wait()
			text := out.String()
			out.Reset()
			return text
		}
		require.Contains(t, hear(5*time.Second), "Delays, worst first")
		require.Empty(t, hear(20*time.Second), "nothing changed")
		for range 20 {
			world.Advance(time.Minute, 2)
			time.Sleep(time.Minute)
		}
		text := hear(time.Minute)
		require.Regexp(t, `\d\d:\d\d: \d+ late, was \d+`, text)
		require.Contains(t, text, "Now late: task ")
		world.SetFault(func(string, string) *sampleday.Fault { return &sampleday.Fault{Drop: true} })
		require.Contains(t, hear(2*time.Minute), "Retrying")
		world.SetFault(nil)
		require.Contains(t, hear(10*time.Minute), "reachable again")
		cancel()
		require.NoError(t, <-ended)
	})
}
