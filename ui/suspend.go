package ui

import (
	"io"

	tea "charm.land/bubbletea/v2"
)

// suspend gives the terminal back to the shell and stops the process. When the shell continues it, the console takes the
// terminal again and draws everything.
func (m *Model) suspend() tea.Cmd { return tea.Exec(suspension{}, nil) }

// suspension is the stop of the process as a command that gets the terminal for itself.
//
// tea.Suspend waits for the signal that continues the process. The system ignores the stop where no shell could continue
// it, such as in a terminal that was opened for the console alone, and the console would wait forever.
type suspension struct{}

// Run implements [tea.ExecCommand].
func (suspension) Run() error {
	stopProcess()
	return nil
}

// SetStdin implements [tea.ExecCommand].
func (suspension) SetStdin(io.Reader) {}

// SetStdout implements [tea.ExecCommand].
func (suspension) SetStdout(io.Writer) {}

// SetStderr implements [tea.ExecCommand].
func (suspension) SetStderr(io.Writer) {}
