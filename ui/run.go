package ui

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"

	"waybill/ui/screen"
	"waybill/views/theme"
)

// Maximum frames per second. A single key never waits for its frame; the limit is for held keys. Over SSH every frame
// costs bytes, and 30 are enough.
const (
	localFPS  = 60
	remoteFPS = 30
)

// sendRate is how often per second Bubble Tea sends what is not part of a frame: copied text, the bell, terminal queries.
const sendRate = 10

// Run shows the console until the user quits or the context ends; then it returns the error of the context. After a panic
// in any goroutine it restores the terminal and returns a [CrashError].
//
// Run does not handle signals. Its caller does, and ends the context. If the terminal vanishes without a signal, Run
// returns [ErrTerminalGone].
func Run(ctx context.Context, o Options) error { return runProgram(ctx, o) }

func runProgram(ctx context.Context, o Options, more ...tea.ProgramOption) error {
	restoreSettings := saveTerminalSettings(o.Input)
	// The context of the program ends later than the other one, so that the console can save its state.
	programCtx, kill := context.WithCancel(context.WithoutCancel(ctx))
	defer kill()
	program, console := newProgram(ctx, o, append(more, tea.WithContext(programCtx))...)
	ended := make(chan error, 1)
	go func() {
		_, err := program.Run()
		console.restoreTerminal()
		ended <- err
	}()
	err := waitForEnd(ctx, ended,
		func() { go program.Send(endMsg{}) }, // it waits while the program is busy
		kill)
	if errors.Is(err, ErrTerminalStalled) {
		restoreSettings()
	}
	if crash := console.crash.err(); crash != nil {
		return crash
	}
	switch {
	case errors.Is(err, ErrTerminalStalled):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case console.terminalGone.Load():
		return ErrTerminalGone
	}
	return err
}

// newProgram is the console as Bubble Tea runs it.
func newProgram(ctx context.Context, o Options, more ...tea.ProgramOption) (*tea.Program, *onScreen) {
	if o.Environment == nil {
		o.Environment = os.Environ()
	}
	if o.Output == nil {
		o.Output = os.Stdout
	}
	profile, crash := profileOf(o.Depth), &crashGuard{stateDir: o.StateDir, version: o.Version}
	console := &onScreen{Model: New(ctx, o)}
	console.crash = crash
	console.screen = screen.New(screen.Options{Output: o.Output, Profile: profile, FPS: o.fps(), OnPanic: crash.report})
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithOutput(console.screen.Output()), tea.WithEnvironment(o.Environment),
		tea.WithColorProfile(profile), tea.WithFPS(sendRate), tea.WithoutSignalHandler(),
	}
	input := &terminalInput{}
	switch {
	case o.Input != nil:
		options = append(options, tea.WithInput(o.Input))
	case term.IsTerminal(int(os.Stdin.Fd())):
		input.File = os.Stdin
		options = append(options, tea.WithInput(input))
	}
	program := tea.NewProgram(console, append(options, more...)...)
	crash.quit = program.Quit
	input.onEnd = func() {
		console.terminalGone.Store(true)
		go program.Send(endMsg{}) // the program may wait for its reader
	}
	return program, console
}

func profileOf(d theme.Depth) colorprofile.Profile {
	switch d {
	case theme.DepthNone:
		return colorprofile.ASCII
	case theme.Depth16:
		return colorprofile.ANSI
	default:
		return colorprofile.ANSI256
	}
}

// onScreen is the console whose frames go to its own screen; package screen says why.
type onScreen struct {
	*Model
	screen *screen.Screen
	last   tea.View
	// terminalGone is set when the input has ended.
	terminalGone atomic.Bool
}

// restoreTerminal ends everything under way and leaves the alternate screen.
func (s *onScreen) restoreTerminal() {
	s.account.cancel()
	s.screen.Restore()
}

// Init implements [tea.Model].
func (s *onScreen) Init() (cmd tea.Cmd) {
	defer s.crash.recoverPanic()
	return s.Model.Init()
}

// Update implements [tea.Model].
func (s *onScreen) Update(msg tea.Msg) (console tea.Model, cmd tea.Cmd) {
	console = s
	if s.crash.hasCrashed() {
		return console, nil
	}
	defer s.crash.recoverPanic()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.screen.Resize(msg.Width, msg.Height)
	case tea.ModeReportMsg:
		s.screen.SetMode(msg)
	}
	_, cmd = s.Model.Update(msg)
	return console, cmd
}

// View implements [tea.Model]. Bubble Tea only gets the modes of the terminal and an empty frame. After a message that
// changed nothing the last frame stays: a long board is read all the time, and most answers bring no change.
func (s *onScreen) View() (view tea.View) {
	view = s.last
	if s.crash.hasCrashed() || s.frameUnchanged && s.last.Content != "" {
		return view
	}
	defer s.crash.recoverPanic()
	view = s.Model.View()
	s.screen.Show(view.Content)
	view.Content = " "
	s.last = view
	return view
}

func (o *Options) fps() int {
	switch {
	case o.FPS > 0:
		return o.FPS
	case slices.ContainsFunc(o.Environment, func(v string) bool { return strings.HasPrefix(v, "SSH_TTY=") && v != "SSH_TTY=" }):
		return remoteFPS
	}
	return localFPS
}
