// Package terminal runs a program on a pseudo-terminal: it types keys, answers the queries of the program, keeps the
// screen, and records how much the program sends and when. The benchmark of the screen and the pictures of the
// documentation use it.
package terminal

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// Options configure a terminal.
type Options struct {
	Width, Height int
	// Environment is the whole environment of the program; TERM is added.
	Environment []string
	// Folder is the working directory of the program; empty for the current one.
	Folder string
	// Light reports a white background to programs that ask.
	Light bool
}

// Terminal is a program on an emulated terminal.
type Terminal struct {
	Width, Height int
	Started       time.Time

	program *exec.Cmd
	device  *os.File
	ended   chan struct{}

	mu      sync.Mutex
	screen  *vt.Emulator
	changed chan struct{} // closed and replaced when the program sends something
	traffic Traffic
}

// Traffic is how much a program sent, and when.
type Traffic struct {
	Bytes int
	First time.Time // when the first byte arrived
}

// Start runs a program on a new terminal until the context ends or [Terminal.Stop] is called.
func Start(ctx context.Context, o Options, name string, args ...string) (*Terminal, error) {
	t := &Terminal{
		Width: o.Width, Height: o.Height, screen: vt.NewEmulator(o.Width, o.Height),
		changed: make(chan struct{}), ended: make(chan struct{}),
	}
	if o.Light {
		t.screen.SetDefaultBackgroundColor(color.White)
		t.screen.SetDefaultForegroundColor(color.Black)
	}
	t.program = exec.CommandContext(ctx, name, args...)
	t.program.Env, t.program.Dir = append(o.Environment, "TERM=xterm-256color"), o.Folder
	t.Started = time.Now()
	var err error
	size := pty.Winsize{Rows: uint16(o.Height), Cols: uint16(o.Width)} //nolint:gosec // screens are small
	if t.device, err = pty.StartWithSize(t.program, &size); err != nil {
		return nil, fmt.Errorf("start %s on a pseudo-terminal: %w", name, err)
	}
	go func() { _, _ = io.Copy(t.device, t.screen) }() // answers to the queries of the program
	go t.read()
	return t, nil
}

func (t *Terminal) read() {
	defer close(t.ended)
	buffer := make([]byte, 1<<18)
	for {
		n, err := t.device.Read(buffer)
		if n > 0 {
			now := time.Now()
			t.mu.Lock()
			if t.traffic.Bytes == 0 {
				t.traffic.First = now
			}
			t.traffic.Bytes += n
			_, _ = t.screen.Write(buffer[:n])
			close(t.changed)
			t.changed = make(chan struct{})
			t.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// Stop interrupts the program, kills it if it does not end, and waits for its end.
func (t *Terminal) Stop() {
	const timeout = 5 * time.Second
	_ = t.program.Process.Signal(os.Interrupt)
	select {
	case <-t.ended:
	case <-time.After(timeout):
		_ = t.program.Process.Kill()
	}
	_ = t.program.Wait()
	_ = t.device.Close()
}

// TakeTraffic returns what the program sent since the last call.
func (t *Terminal) TakeTraffic() Traffic {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := t.traffic
	t.traffic = Traffic{}
	return taken
}

// ErrEnded reports that the program ended before the expected output.
var ErrEnded = errors.New("the program ended")

// Wait waits until the screen fulfils a condition.
func (t *Terminal) Wait(ctx context.Context, isMet func(Screen) bool) error {
	for {
		t.mu.Lock()
		changed, screen := t.changed, t.copyScreen()
		t.mu.Unlock()
		if isMet(screen) {
			return nil
		}
		select {
		case <-changed:
		case <-t.ended:
			return ErrEnded
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// WaitForText waits until a text is on the screen.
func (t *Terminal) WaitForText(ctx context.Context, text string) error {
	err := t.Wait(ctx, func(s Screen) bool { return strings.Contains(s.Text(), text) })
	if err != nil {
		return fmt.Errorf("%q did not appear on the screen: %w\n%s", text, err, t.Screen().Text())
	}
	return nil
}

// WaitUntilIdle waits until the program has sent nothing for the time quiet. It waits for the first output for the time
// first, because a program need not react to a key.
func (t *Terminal) WaitUntilIdle(ctx context.Context, quiet, first time.Duration) error {
	wait := first
	for {
		t.mu.Lock()
		changed, sent := t.changed, t.traffic.Bytes > 0
		t.mu.Unlock()
		if sent {
			wait = quiet
		}
		select {
		case <-changed:
		case <-time.After(wait):
			return nil
		case <-t.ended:
			return ErrEnded
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Screen returns the current screen.
func (t *Terminal) Screen() Screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.copyScreen()
}

func (t *Terminal) copyScreen() Screen {
	s := Screen{Width: t.Width, Height: t.Height, Cells: make([]uv.Cell, t.Width*t.Height)}
	for y := range t.Height {
		for x := range t.Width {
			if c := t.screen.CellAt(x, y); c != nil {
				s.Cells[y*t.Width+x] = *c
			}
		}
	}
	return s
}
