package ui

import tea "charm.land/bubbletea/v2"

func (m *Model) previewAside(*preview) tea.Cmd { return nil }

func (m *Model) showPlanned(*preview) tea.Cmd { return nil }
