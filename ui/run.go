package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"waybill/ui/theme"
)

// Frames a second. A local terminal takes them all; over a line every frame is bytes, and 30 is as quick as hands are.
const (
	localFPS  = 60
	remoteFPS = 30
)

// Run shows the console until the person leaves it or the context ends.
func Run(ctx context.Context, o Options) error {
	m := New(ctx, o)
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithFPS(o.fps())}
	if o.Input != nil {
		options = append(options, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		options = append(options, tea.WithOutput(o.Output))
	}
	if o.Environment != nil {
		options = append(options, tea.WithEnvironment(o.Environment))
	}
	switch o.Depth {
	case theme.DepthNone:
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	case theme.Depth16:
		options = append(options, tea.WithColorProfile(colorprofile.ANSI))
	default:
		options = append(options, tea.WithColorProfile(colorprofile.ANSI256))
	}
	_, err := tea.NewProgram(m, options...).Run()
	m.account.cancel()
	if errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		return nil
	}
	return err
}

func (o *Options) fps() int {
	if o.FPS > 0 {
		return o.FPS
	}
	for _, variable := range o.Environment {
		if len(variable) > 8 && variable[:8] == "SSH_TTY=" {
			return remoteFPS
		}
	}
	return localFPS
}
