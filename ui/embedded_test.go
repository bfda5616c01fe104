package ui

import (
	"context"
	"log/slog"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
	"waybill/service/sandbox"
	"waybill/service/server"
	"waybill/settings"
	"waybill/ui/screen"
	"waybill/views/theme"
)

// stillClock is a sandbox's clock that stands: nobody drives, nothing is late that was not.
type stillClock struct{ at time.Time }

func (c stillClock) Now() time.Time { return c.at }

func (c stillClock) Sleep(ctx context.Context, _ time.Duration) error {
	<-ctx.Done()
	return ctx.Err()
}

// embedded is a console on the service that the sandbox runs on, at a moment that does not pass.
func embedded(t *testing.T, at time.Time) *benchConsole {
	t.Helper()
	running, err := server.Start(context.Background(), server.Config{
		Dir: t.TempDir(), Listen: "127.0.0.1:0", PublicURL: "https://track.example", Log: slog.New(slog.DiscardHandler), Clock: stillClock{at},
		Sandbox: &server.Sandbox{Options: sandbox.Options{Seed: 7, Tasks: 120, Workers: 14}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, running.Stop(context.Background())) })
	client, err := apiclient.New(apiclient.Options{
		BaseURL: running.BaseURL(), Key: apiclient.StaticKey(running.SandboxKey()),
		Limiter: apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 10_000}),
	})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	estimated := func() bool { // the service works out arrivals after it has started
		for task, err := range client.Tasks(context.Background(), apiclient.TaskQuery{
			From: 1, States: []model.TaskState{model.TaskAssigned, model.TaskActive},
		}) {
			require.NoError(t, err)
			if !task.EstimatedArrivalTime.Has() {
				return false
			}
		}
		return true
	}
	require.Eventually(t, estimated, time.Minute, 20*time.Millisecond)
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	m := New(context.Background(), Options{
		Settings: settings.Default(), Theme: theme.Dark, Zone: zone, Now: stillClock{at}.Now,
		Tick:       func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
		Connection: &Connection{Client: client, Profile: settings.NewProfile("sandbox", running.BaseURL()), Sandbox: true, Now: stillClock{at}.Now},
	})
	t.Cleanup(m.account.cancel)
	return &benchConsole{m: m}
}

// Screens of the console on the embedded service.
func TestScreensOfTheEmbeddedService(t *testing.T) {
	at := time.Date(2026, time.March, 2, 20, 30, 0, 0, time.UTC) // past noon in San Francisco
	console := embedded(t, at)
	console.work(console.m.Init())
	for _, scene := range []struct {
		name          string
		width, height int
		press         []string
	}{
		{"board", 160, 44, nil},
		{"narrow", 80, 24, []string{"pane.workers"}},
		{"task", 120, 40, []string{"pane.delays", "look.detail"}},
		{"unassigned", 120, 40, []string{"back", "view.6"}},
		{"order", 120, 40, []string{"back", "pane.orders", "look.detail"}},
		{"map", 120, 40, []string{"back", "pane.delays", "look.map"}},
	} {
		t.Run(scene.name, func(t *testing.T) {
			console.m.Update(tea.WindowSizeMsg{Width: scene.width, Height: scene.height})
			for _, id := range scene.press {
				console.work(console.m.Press(id))
			}
			terminal := vt.NewEmulator(scene.width, scene.height)
			painter := screen.NewPainter(scene.width, scene.height, colorprofile.ANSI256)
			_, err := terminal.Write(painter.Paint(console.m.View().Content))
			require.NoError(t, err)
			golden.RequireEqual(t, []byte(terminal.String()))
		})
	}
}
