package ui

import (
	"context"
	"errors"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"waybill/ui/screen"
	"waybill/views/theme"
)

// Frames a second at most. A single key never waits for its frame; these are for a key that is held. A local terminal
// takes them all; over a line every frame is bytes, and 30 is as quick as hands are.
const (
	localFPS  = 60
	remoteFPS = 30
)

// sendRate is how often Bubble Tea sends what is not part of a frame: a copied text, a bell, a question to the
// terminal.
const sendRate = 10

// Run shows the console until the person leaves it or the context ends.
func Run(ctx context.Context, o Options) error {
	program, leave := newProgram(ctx, o)
	defer leave()
	_, err := program.Run()
	if errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		return nil
	}
	return err
}

// newProgram is the console as Bubble Tea runs it. Leave gives the terminal back.
func newProgram(ctx context.Context, o Options, more ...tea.ProgramOption) (program *tea.Program, leave func()) {
	if o.Environment == nil {
		o.Environment = os.Environ()
	}
	if o.Output == nil {
		o.Output = os.Stdout
	}
	profile := profileOf(o.Depth)
	shown := screen.New(screen.Options{Output: o.Output, Profile: profile, FPS: o.fps()})
	m := New(ctx, o)
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithOutput(shown.Output()), tea.WithEnvironment(o.Environment),
		tea.WithColorProfile(profile), tea.WithFPS(sendRate),
	}
	if o.Input != nil {
		options = append(options, tea.WithInput(o.Input))
	}
	return tea.NewProgram(&onScreen{Model: m, screen: shown}, append(options, more...)...), func() {
		m.account.cancel()
		shown.Restore()
	}
}

func profileOf(d theme.Depth) colorprofile.Profile {
	switch d {
	case theme.DepthNone:
		return colorprofile.ASCII
	case theme.Depth16:
		return colorprofile.ANSI
	}
	return colorprofile.ANSI256
}

// onScreen is the console whose frames go to its own screen: package screen says why.
type onScreen struct {
	*Model
	screen *screen.Screen
	last   tea.View
}

// Update implements [tea.Model].
func (s *onScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.screen.Resize(msg.Width, msg.Height)
	case tea.ModeReportMsg:
		s.screen.SetMode(msg)
	}
	_, cmd := s.Model.Update(msg)
	return s, cmd
}

// View implements [tea.Model]. What is left for Bubble Tea are the modes of the terminal, and a frame with nothing on
// it. After an answer with no news in it the frame before stands: a long board is read all the time, and most answers
// are such.
func (s *onScreen) View() tea.View {
	if s.frameUnchanged && s.last.Content != "" {
		return s.last
	}
	s.last = s.Model.View()
	s.screen.Show(s.last.Content)
	s.last.Content = " "
	return s.last
}

func (o *Options) fps() int {
	switch {
	case o.FPS > 0:
		return o.FPS
	case o.variable("SSH_TTY") != "":
		return remoteFPS
	}
	return localFPS
}

func (o *Options) variable(name string) string {
	for _, variable := range o.Environment {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value
		}
	}
	return ""
}
