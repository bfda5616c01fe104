// Package terminal runs a program on a pseudo-terminal as a person would have it in front of them: it types keys,
// answers the questions a program asks its terminal, keeps the screen, and counts what was sent and when. The
// benchmark of the screen and the pictures of the documentation are made with it.
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

// Options say what the terminal is like.
type Options struct {
	Width, Height int
	// Environment is the program's whole environment; TERM is set on top of it.
	Environment []string
	// Folder is where the program is started; empty for here.
	Folder string
	// Light answers that the background is white, for programs that ask.
	Light bool
}

// Terminal is one program on one emulated terminal.
type Terminal struct {
	Width, Height int

	program *exec.Cmd
	device  *os.File
	started time.Time
	ended   chan struct{}

	mu      sync.Mutex
	screen  *vt.Emulator
	changed chan struct{} // closed and replaced when something was sent
	traffic Traffic
}

// Traffic is what a program sent since it was last asked for.
type Traffic struct {
	Bytes       int
	First, Last time.Time
}

// Start runs a program on a new terminal. It ends with the context, or with [Terminal.Stop].
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
	t.started = time.Now()
	var err error
	size := pty.Winsize{Rows: uint16(o.Height), Cols: uint16(o.Width)} //nolint:gosec // screens are small
	if t.device, err = pty.StartWithSize(t.program, &size); err != nil {
		return nil, fmt.Errorf("start %s on a pseudo-terminal: %w", name, err)
	}
	go func() { _, _ = io.Copy(t.device, t.screen) }() // the terminal's answers to the program's questions
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
			t.traffic.Bytes, t.traffic.Last = t.traffic.Bytes+n, now
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

// Stop ends the program, gently first, and waits for its end.
func (t *Terminal) Stop() {
	const patience = 5 * time.Second
	_ = t.program.Process.Signal(os.Interrupt)
	select {
	case <-t.ended:
	case <-time.After(patience):
		_ = t.program.Process.Kill()
	}
	_ = t.program.Wait()
	_ = t.device.Close()
}

// Started is when the program was started.
func (t *Terminal) Started() time.Time { return t.started }

// Take is what was sent since the last call.
func (t *Terminal) Take() Traffic {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := t.traffic
	t.traffic = Traffic{}
	return taken
}

// ErrEnded says that the program ended while something was waited for.
var ErrEnded = errors.New("the program ended")

// Wait returns when something is true of the screen.
func (t *Terminal) Wait(ctx context.Context, holds func(Screen) bool) error {
	for {
		t.mu.Lock()
		changed, screen := t.changed, t.copyScreen()
		t.mu.Unlock()
		if holds(screen) {
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

// Until returns when a text is on the screen.
func (t *Terminal) Until(ctx context.Context, text string) error {
	err := t.Wait(ctx, func(s Screen) bool { return strings.Contains(s.Text(), text) })
	if err != nil {
		return fmt.Errorf("%q did not come onto the screen: %w\n%s", text, err, t.Screen().Text())
	}
	return nil
}

// Settle returns when the program has sent nothing for a while. What it never answers is waited for this long, too.
func (t *Terminal) Settle(ctx context.Context, quiet, first time.Duration) error {
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

// Screen is what is on the screen now.
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
