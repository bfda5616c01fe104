//go:build unix

package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"waybill/internal/sampleday"
	"waybill/internal/terminal"
	"waybill/settings"
	"waybill/views/theme"
)

const crashVariable = "WAYBILL_TEST_CRASH"

// TestMain runs a console that crashes where a variable says so, and the tests otherwise.
func TestMain(m *testing.M) {
	if place := os.Getenv(crashVariable); place != "" {
		fmt.Fprintln(os.Stderr, runCrashingConsole(place))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// panicWriter panics when a frame is sent.
type panicWriter struct{}

func (panicWriter) Write(p []byte) (int, error) {
	if strings.Contains(string(debug.Stack()), "sendFrame") {
		panicWithIndex(nil)
	}
	return os.Stdout.Write(p)
}

func panicWithIndex(empty []int) int { return empty[len(empty)] }

func runCrashingConsole(place string) error {
	world := sampleday.New(sampleday.Options{Tasks: 20, Workers: 4, Orders: 2, Seed: 1, Now: time.Now()})
	ticks := 0
	o := Options{
		Settings: settings.Default(), Theme: theme.Dark, Zone: time.UTC, StateDir: os.Getenv("STATE"), Version: "1.2.3",
		Connection: &Connection{Client: newClient(&testing.T{}, world), Profile: settings.NewProfile("bay", "")},
	}
	o.Tick = func(_ time.Duration, message func(time.Time) tea.Msg) tea.Cmd {
		if ticks++; ticks > 1 && place == "update" {
			panicWithIndex(nil)
		}
		return tea.Tick(200*time.Millisecond, message)
	}
	o.Now = func() time.Time {
		if place == "view" && ticks > 1 && strings.Contains(string(debug.Stack()), "onScreen).View") {
			panicWithIndex(nil)
		}
		return time.Now()
	}
	switch place {
	case "command":
		o.Connection = nil
		o.Connect = func(context.Context, ConnectRequest) (Connection, error) {
			panicWithIndex(nil)
			return Connection{}, nil
		}
	case "screen":
		o.Output = panicWriter{}
	}
	return runProgram(context.Background(), o, tea.WithWindowSize(80, 24))
}

// A panic in any goroutine restores the terminal, says what happened and leaves a report without personal data.
func TestCrashRestoresTheTerminal(t *testing.T) {
	binary, err := os.Executable()
	require.NoError(t, err)
	for _, place := range []string{"update", "view", "command", "screen"} {
		t.Run(place, func(t *testing.T) {
			state := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			program, err := terminal.Start(ctx, terminal.Options{Width: 120, Height: 30, Environment: []string{
				"PATH=" + os.Getenv("PATH"), crashVariable + "=" + place, "STATE=" + state, "BINARY=" + binary,
			}}, "sh", "-c", `"$BINARY"; stty -a; echo restored; read end`)
			require.NoError(t, err)
			defer program.Stop()
			require.NoError(t, program.WaitForText(ctx, "restored"), program.Screen().Text())
			text := strings.Join(strings.Fields(program.Screen().Text()), " ")
			require.Contains(t, text, "the console crashed: runtime error: index out of range")
			require.Contains(t, text, " icanon ")
			require.Contains(t, text, " echo ")
			reports, err := filepath.Glob(filepath.Join(state, "crash-*.txt"))
			require.NoError(t, err)
			require.Len(t, reports, 1)
			report, err := os.ReadFile(reports[0])
			require.NoError(t, err)
			require.Contains(t, string(report), "waybill 1.2.3")
			require.Contains(t, string(report), "panicWithIndex")
		})
	}
}

// The text of a panic may hold names and addresses, so it is not written down.
func TestCrashReportHidesTexts(t *testing.T) {
	require.NotContains(t, describePanic("Grace Hopper"), "Grace")
}
