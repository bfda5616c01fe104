package ui

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/atomicfile"
	"waybill/board"
	"waybill/model"
)

// rememberedFile is the layout that the next console restores. It holds no secrets.
type rememberedFile struct {
	Accounts map[string]rememberedAccount `json:"accounts,omitzero"`
	History  []string                     `json:"history,omitzero"`
	Views    []board.SavedView            `json:"views,omitzero"`
	Keyed    map[string]board.SavedView   `json:"keyed,omitzero"`
}

// rememberedAccount is the layout of one account.
type rememberedAccount struct {
	Focus   board.Pane                    `json:"focus,omitzero"`
	Zoom    bool                          `json:"zoom,omitzero"`
	Panes   map[board.Pane]rememberedPane `json:"panes,omitzero"`
	Watched []model.ID                    `json:"watched,omitzero"`
}

type rememberedPane struct {
	Filter  string     `json:"filter,omitzero"`
	Sort    string     `json:"sort,omitzero"`
	Columns []string   `json:"columns,omitzero"`
	Cursor  model.ID   `json:"cursor,omitzero"`
	Marks   []model.ID `json:"marks,omitzero"`
}

// rememberedState is the layout on the disk.
type rememberedState struct {
	path   string
	file   rememberedFile
	loaded bool
	text   string // as last written
}

const stateFileTimeout = 5 * time.Second

func (m *Model) readState() tea.Cmd {
	path := m.remembered.path
	if path == "" {
		m.remembered.loaded = true
		return nil
	}
	return m.runForConsole(stateFileTimeout, func(context.Context) result {
		var file rememberedFile
		text, err := os.ReadFile(path)
		if err == nil {
			err = model.Unmarshal(text, &file)
		}
		return func(m *Model) tea.Cmd {
			if err != nil {
				file = rememberedFile{}
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				m.warn("Cannot read the saved layout, starting with the default: " + err.Error())
			}
			return m.restoreState(file)
		}
	})
}

// restoreState restores the layout as read from the disk.
func (m *Model) restoreState(file rememberedFile) tea.Cmd {
	m.remembered.loaded = true
	m.remembered.file, m.history.Texts = file, file.History
	m.views.load(&file)
	if m.account.Client == nil {
		return nil
	}
	return tea.Batch(m.restoreAccount()...)
}

// restoreAccount sets up the panes of an account as the command line says, or as they were saved. It does nothing before
// the layout has been read, and is called again then.
func (m *Model) restoreAccount() []tea.Cmd {
	if !m.remembered.loaded {
		return nil
	}
	start := m.options.Start
	if start != (Start{}) {
		m.options.Start = Start{} // only for the first account
		return m.openStart(start)
	}
	saved, ok := m.remembered.file.Accounts[m.accountID()]
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	for kind, pane := range saved.Panes {
		p := m.panes.Panes[kind]
		if build, err := p.SetFilter(pane.Filter); err == nil {
			cmds = append(cmds, m.build(build))
		}
		if sort, err := board.ParseSort(kind, pane.Sort); err == nil {
			cmds = append(cmds, m.build(p.SetSort(sort)))
		}
		p.ChooseColumns(pane.Columns)
		p.SetCursor(pane.Cursor)
		for _, id := range pane.Marks {
			p.Marks().Mark(string(id))
		}
	}
	m.focus, m.zoom = saved.Focus, saved.Zoom
	for _, id := range saved.Watched {
		m.feed.Watch(id)
	}
	return cmds
}

func (m *Model) openStart(s Start) []tea.Cmd {
	if s.View != "" {
		return []tea.Cmd{m.openViewNamed(s.View)}
	}
	var cmds []tea.Cmd
	if pane, err := board.ParsePane(s.Pane); err == nil {
		m.focus = pane
	} else if s.Filter != "" {
		m.focus = board.PaneTasks
	}
	if s.Filter != "" {
		cmds = append(cmds, m.setFilter(s.Filter))
	}
	if s.Sort != "" {
		if sort, err := board.ParseSort(m.focusedPane().Kind(), s.Sort); err != nil {
			m.warn(err.Error())
		} else {
			cmds = append(cmds, m.setSort(sort))
		}
	}
	if s.Task != "" {
		cmds = append(cmds, m.openByID(s.Task))
	}
	return cmds
}

// accountID identifies an account on the disk: its profile, or its address without one.
func (m *Model) accountID() string {
	switch {
	case m.account.Sandbox:
		return "sandbox"
	case m.account.Profile.Name != "":
		return m.account.Profile.Name
	}
	return m.account.Profile.BaseURL
}

// currentState is the current layout.
func (m *Model) currentState() rememberedFile {
	file := m.remembered.file
	file.Accounts, file.History = map[string]rememberedAccount{}, m.history.Texts
	maps.Copy(file.Accounts, m.remembered.file.Accounts)
	if m.account.Client != nil {
		file.Accounts[m.accountID()] = m.accountState()
	}
	m.views.save(&file)
	return file
}

const maxMarks = 1000

func (m *Model) accountState() rememberedAccount {
	a := rememberedAccount{Focus: m.focusedPane().Kind(), Zoom: m.zoom, Panes: map[board.Pane]rememberedPane{}, Watched: m.feed.Watched()}
	for _, p := range m.panes.Panes {
		pane := rememberedPane{Filter: p.State().Filter, Sort: p.State().Sort.String(), Columns: p.State().Columns, Cursor: p.CursorID()}
		if n := p.State().Marks; n > 0 && n <= maxMarks {
			pane.Marks, _ = p.Selection()
		}
		a.Panes[p.Kind()] = pane
	}
	return a
}

// saveState saves the layout if it has changed, so that little is lost if the console is killed.
func (m *Model) saveState() tea.Cmd {
	if m.remembered.path == "" || !m.remembered.loaded || m.account.Client == nil {
		return nil
	}
	text, err := model.MarshalIndent(m.currentState())
	if err != nil || string(text) == m.remembered.text {
		return nil
	}
	path := m.remembered.path
	return m.runForConsole(stateFileTimeout, func(context.Context) result {
		err := atomicfile.Write(path, text)
		return func(m *Model) tea.Cmd {
			if err == nil {
				m.remembered.text = string(text)
			}
			return nil
		}
	})
}
