package ui

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"waybill/internal/sampleday"
	"waybill/settings"
	"waybill/views/theme"
)

// probe asks the running program, between two messages, whether anything is under way.
type probe struct{ answer chan<- int }

// answerProbes answers probes and lets everything else pass.
func answerProbes(model tea.Model, msg tea.Msg) tea.Msg {
	ask, ok := msg.(probe)
	if !ok {
		return msg
	}
	console, _ := model.(*onScreen)
	ask.answer <- console.Busy()
	return nil
}

// display is a terminal that may be looked at while it is written to. It is not in raw mode, as Bubble Tea takes any
// output to be that is no terminal.
type display struct {
	mu       sync.Mutex
	terminal *vt.Emulator
}

func (s *display) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.terminal.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	return len(p), err
}

func (s *display) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.terminal.String()
}

// The whole program through Bubble Tea, the screen and an emulated terminal: what the terminal shows in the end is
// what the model drew.
func TestProgramOnATerminal(t *testing.T) {
	const width, height = 120, 40
	now := time.Now()
	world := sampleday.New(sampleday.Options{Tasks: 120, Workers: 20, Orders: 12, Seed: 4, Now: now})
	terminal := &display{terminal: vt.NewEmulator(width, height)}
	keys, typed := io.Pipe()
	program, console := newProgram(context.Background(), Options{
		Settings: settings.Default(), Theme: theme.Dark, Zone: time.UTC, Now: func() time.Time { return now },
		Tick:       func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
		Connection: &Connection{Client: newClient(t, world), Profile: settings.NewProfile("bay", "")},
		Input:      keys, Output: terminal, Environment: []string{"TERM=xterm-256color"}, FPS: 120,
	}, tea.WithWindowSize(width, height), tea.WithoutSignals(), tea.WithFilter(answerProbes))
	defer console.restoreTerminal()
	go func() { _, _ = io.Copy(io.Discard, terminal.terminal) }() // what the terminal would answer; it ends with the process
	finished := make(chan error, 1)
	go func() {
		_, err := program.Run()
		finished <- err
	}()
	idle := func() {
		answer := make(chan int)
		for {
			program.Send(probe{answer})
			if <-answer == 0 {
				return
			}
		}
	}
	shows := func(text string) {
		t.Helper()
		require.Eventually(t, func() bool { return strings.Contains(terminal.text(), text) }, 2*time.Minute, 5*time.Millisecond,
			"%q never came:\n%s", text, terminal.text())
	}
	idle()
	shows("just now")
	_, err := typed.Write([]byte("3jj\r"))
	require.NoError(t, err)
	shows("timeline")
	idle()
	_, err = typed.Write([]byte("."))
	require.NoError(t, err)
	shows("as JSON")
	program.Send(tea.WindowSizeMsg{Width: width, Height: height - 8})
	_, err = typed.Write([]byte(":quit\r"))
	require.NoError(t, err)
	require.NoError(t, <-finished)
	// The emulator stays open: its Close would race with the Read that waits for its answers.
	_ = typed.Close()
}
