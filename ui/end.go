package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// ErrTerminalStalled reports that the console was told to end while the terminal accepted no output. The settings of the
// terminal are restored, but it may still show the console, and writing to it would wait.
var ErrTerminalStalled = errors.New("the terminal accepts no output")

// ErrTerminalGone reports that the console ended because its terminal was closed.
var ErrTerminalGone = errors.New("the terminal was closed")

// terminalInput is the input of a terminal. It reports its end, which Bubble Tea ignores: a terminal that was closed
// sends a signal only to the programs it controls.
type terminalInput struct {
	*os.File
	onEnd func()
}

// Read implements [io.Reader].
func (i *terminalInput) Read(p []byte) (int, error) {
	n, err := i.File.Read(p)
	if err != nil {
		i.onEnd()
	}
	return n, err
}

// endMsg ends the console from outside, as its key does.
type endMsg struct{}

func (endMsg) handle(m *Model) tea.Cmd { return m.leaveConsole() }

// endTimeout is how long each way to end the console may take before the next one is tried. A console that responds
// needs a few milliseconds. One that waits for its terminal does not respond at all.
const endTimeout = 250 * time.Millisecond

// waitForEnd waits for the end of the program. When the context ends, it tries the ways to end the program one after the
// other.
func waitForEnd(ctx context.Context, ended <-chan error, ways ...func()) error {
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	for _, end := range ways {
		end()
		select {
		case err := <-ended:
			return err
		case <-time.After(endTimeout):
		}
	}
	return ErrTerminalStalled
}

// saveTerminalSettings returns a function that restores the present settings of the terminal. It writes nothing, so it
// never waits.
func saveTerminalSettings(input io.Reader) (restore func()) {
	if input == nil {
		input = os.Stdin
	}
	file, ok := input.(*os.File)
	if !ok {
		return func() {}
	}
	descriptor := int(file.Fd())
	saved, err := term.GetState(descriptor)
	if err != nil { // not a terminal
		return func() {}
	}
	return func() { _ = term.Restore(descriptor, saved) }
}
