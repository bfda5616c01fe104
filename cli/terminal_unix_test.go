//go:build unix

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/settings"
)

// screen collects what was printed on a terminal.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// waitFor blocks until a text has appeared. It fails when nothing has been printed for maxSilence.
func (s *screen) waitFor(t *testing.T, text string) {
	t.Helper()
	for !strings.Contains(s.String(), text) {
		select {
		case <-s.more:
		case <-time.After(maxSilence):
			s.failSilent(t, text)
		}
	}
}

// waitForExit blocks until a command has ended and returns its exit code. It fails when nothing has been printed for
// maxSilence.
func (s *screen) waitForExit(t *testing.T, code <-chan int) int {
	t.Helper()
	for {
		select {
		case ended := <-code:
			return ended
		case <-s.more:
		case <-time.After(maxSilence):
			s.failSilent(t, "the end of the command")
		}
	}
}

func (s *screen) failSilent(t *testing.T, awaited string) {
	t.Helper()
	require.FailNow(t, fmt.Sprintf("nothing was printed for %s while waiting for: %s", maxSilence, awaited), "screen:\n"+s.String())
}

// runAtTerminal runs a command with a terminal for input and errors, and returns the output and the exit code.
func runAtTerminal(t *testing.T, key string, args []string, talk func(seen *screen, keyboard io.Writer)) (string, int) {
	t.Helper()
	master, slave, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() { master.Close() })
	require.NoError(t, pty.Setsize(slave, &pty.Winsize{Rows: 24, Cols: 60}))
	seen := &screen{more: make(chan struct{}, 1)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(seen, master)
	}()
	home := t.TempDir()
	env := settings.Environment{Home: home, OS: "linux", Getenv: func(name string) string {
		return map[string]string{"WAYBILL_API_KEY": key, "TERM": "xterm", "HOME": home}[name]
	}}
	code := make(chan int, 1)
	a := newApp(slave, slave, slave, env)
	a.now = servicetest.Epoch
	a.jobPollDelay = time.Millisecond
	go func() { code <- execute(context.Background(), a, args) }()
	if talk != nil {
		talk(seen, master)
	}
	ended := seen.waitForExit(t, code)
	require.NoError(t, slave.Close())
	<-read
	return seen.String(), ended
}

func TestConfirmationOfIrreversibleChanges(t *testing.T) {
	service := servicetest.Start(t)
	var task model.Task
	service.Do("POST", "/tasks", `{"destination":{"address":{"unparsed":"543 Howard St, San Francisco, CA 94105, USA"}},"recipients":[]}`).OK(&task)
	args := []string{"tasks", "rm", string(task.ID), "--base-url", service.URL}
	seen, code := runAtTerminal(t, service.Key, args, func(seen *screen, keyboard io.Writer) {
		seen.waitFor(t, "Delete task "+string(task.ShortID))
		_, err := io.WriteString(keyboard, "\r")
		require.NoError(t, err)
	})
	require.Equal(t, exitFailure, code)
	require.Contains(t, seen, "Cancelled.")
	require.Contains(t, seen, "543 Howard St")
	service.Do("GET", "/tasks/"+string(task.ID), nil).OK(nil)

	_, code = runAtTerminal(t, service.Key, args, func(seen *screen, keyboard io.Writer) {
		seen.waitFor(t, "Type yes to continue")
		_, err := io.WriteString(keyboard, "yes\r")
		require.NoError(t, err)
	})
	require.Equal(t, exitOK, code)
	service.Do("GET", "/tasks/"+string(task.ID), nil).Refused(404, 1402)
}

func TestImportShowsProgressOnATerminal(t *testing.T) {
	service := servicetest.Start(t)
	service.RunJobs()
	path := t.TempDir() + "/tasks.csv"
	require.NoError(t, os.WriteFile(path, []byte("address\n\"543 Howard St, San Francisco, CA 94105, USA\"\n"), 0o600))
	seen, code := runAtTerminal(t, service.Key, []string{"tasks", "import", path, "--base-url", service.URL}, nil)
	require.Equal(t, exitOK, code)
	require.Contains(t, seen, "[########################] 1 task created")
	require.Contains(t, seen, "\r\x1b[2K", "the line is taken away at the end")
	require.True(t, strings.HasSuffix(strings.TrimSpace(seen), "1 task created."), seen)

	seen, _ = runAtTerminal(t, service.Key, []string{"tasks", "import", path, "--again", "--no-progress", "--base-url", service.URL}, nil)
	require.NotContains(t, seen, "[#")
}

func TestRowsAreTruncatedAtTheTerminalWidth(t *testing.T) {
	service := servicetest.Start(t)
	service.Do("POST", "/tasks", `{"destination":{"address":{"unparsed":"543 Howard St, San Francisco, CA 94105, USA"}},"recipients":[]}`).OK(nil)
	seen, code := runAtTerminal(t, service.Key, []string{"tasks", "ls", "--base-url", service.URL, "--no-progress"}, nil)
	require.Equal(t, exitOK, code)
	for line := range strings.SplitSeq(strings.TrimSpace(seen), "\n") {
		require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\r"))), 60)
	}
	require.Contains(t, seen, "…")
}
