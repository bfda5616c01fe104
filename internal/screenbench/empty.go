package screenbench

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// Empty runs the smallest Bubble Tea program to compare with: it counts key presses.
func Empty(ctx context.Context) error {
	_, err := tea.NewProgram(counter(0), tea.WithContext(ctx)).Run()
	return err
}

type counter int

// Init implements [tea.Model].
func (c counter) Init() tea.Cmd { return nil }

// Update implements [tea.Model].
func (c counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		if key.String() == "q" {
			return c, tea.Quit
		}
		return c + 1, nil
	}
	return c, nil
}

// View implements [tea.Model].
func (c counter) View() tea.View {
	return tea.View{Content: fmt.Sprintf("%d keys, q ends", int(c)), AltScreen: true}
}
