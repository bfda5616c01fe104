package ui

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/atomicfile"
	"waybill/board"
	"waybill/model"
	"waybill/views"
)

// sessionFile is what the console finds again when it is next opened. It holds no secrets.
type sessionFile struct {
	Accounts map[string]sessionAccount  `json:"accounts,omitzero"`
	History  []string                   `json:"history,omitzero"`
	Views    []board.SavedView          `json:"views,omitzero"`
	Keyed    map[string]board.SavedView `json:"keyed,omitzero"`
}

// sessionAccount is how one account was left.
type sessionAccount struct {
	Focus   board.Pane                 `json:"focus,omitzero"`
	Zoom    bool                       `json:"zoom,omitzero"`
	Panes   map[board.Pane]sessionPane `json:"panes,omitzero"`
	Watched []model.ID                 `json:"watched,omitzero"`
}

type sessionPane struct {
	Filter  string     `json:"filter,omitzero"`
	Sort    string     `json:"sort,omitzero"`
	Columns []string   `json:"columns,omitzero"`
	Cursor  model.ID   `json:"cursor,omitzero"`
	Marks   []model.ID `json:"marks,omitzero"`
}

// sessionState is the session as it is on the disk.
type sessionState struct {
	path   string
	file   sessionFile
	views  []board.SavedView // saved without a key
	loaded bool
	text   string // as last written
}

func newSession(dir string) sessionState {
	s := sessionState{}
	if dir != "" {
		s.path = filepath.Join(dir, "session.json")
	}
	return s
}

// restored is the session as it was read.
type restored struct {
	file sessionFile
	err  error
}

const sessionLimit = 5 * time.Second

func (m *Model) restore() tea.Cmd {
	path := m.session.path
	if path == "" {
		m.session.loaded = true
		return nil
	}
	return m.runOwn(sessionLimit, func(context.Context) any {
		text, err := os.ReadFile(path)
		if err != nil {
			return restored{err: err}
		}
		var file sessionFile
		err = model.Unmarshal(text, &file)
		return restored{file, err}
	})
}

func (m *Model) restored(r restored) tea.Cmd {
	m.session.loaded = true
	if r.err != nil {
		if !errors.Is(r.err, fs.ErrNotExist) {
			m.warn("The last session could not be read and is begun anew: " + r.err.Error())
		}
		r.file = sessionFile{}
	}
	m.session.file, m.session.views = r.file, r.file.Views
	m.history.texts = r.file.History
	for key, v := range r.file.Keyed {
		if len(key) == 1 && key >= "5" && key <= "9" {
			m.saved[key[0]-'5'] = v
		}
	}
	if m.account.Client == nil {
		return nil
	}
	return tea.Batch(m.begin()...)
}

// begin puts an account's panes as the command line says, or as they were left. An account that is entered before the
// session has been read begins when it has.
func (m *Model) begin() []tea.Cmd {
	if !m.session.loaded {
		return nil
	}
	start := m.options.Start
	if start.given() {
		m.options.Start = Start{} // it is for the first account only
		return m.openAt(start)
	}
	left, ok := m.session.file.Accounts[m.accountKey()]
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	for kind, was := range left.Panes {
		p := m.panes.Panes[kind]
		if build, err := p.SetFilter(was.Filter); err == nil {
			cmds = append(cmds, m.builds([]views.Build{build})...)
		}
		if sort, err := board.ParseSort(kind, was.Sort); err == nil {
			cmds = append(cmds, m.builds([]views.Build{p.SetSort(sort)})...)
		}
		p.ChooseColumns(was.Columns)
		p.SetCursor(was.Cursor)
		for _, id := range was.Marks {
			p.Mark(string(id))
		}
	}
	m.focus, m.zoom = left.Focus, left.Zoom
	for _, id := range left.Watched {
		m.feed.Watch(id)
	}
	return cmds
}

func (m *Model) openAt(s Start) []tea.Cmd {
	if s.View != "" {
		return []tea.Cmd{m.openNamed(s.View)}
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
		if sort, err := board.ParseSort(m.pane().Kind(), s.Sort); err != nil {
			m.warn(err.Error())
		} else {
			cmds = append(cmds, m.setSort(sort))
		}
	}
	if s.Task != "" {
		cmds = append(cmds, m.lookUp(s.Task))
	}
	return cmds
}

// accountKey names an account in the session: a profile, or the address where there is none.
func (m *Model) accountKey() string {
	switch {
	case m.account.Sandbox:
		return "sandbox"
	case m.account.Profile.Name != "":
		return m.account.Profile.Name
	}
	return m.account.Profile.BaseURL
}

// remember is the session as it is now.
func (m *Model) remember() sessionFile {
	file := m.session.file
	accounts := map[string]sessionAccount{}
	for name, a := range file.Accounts {
		accounts[name] = a
	}
	if m.account.Client != nil {
		accounts[m.accountKey()] = m.rememberAccount()
	}
	file.Accounts, file.History, file.Views = accounts, m.history.texts, m.session.views
	file.Keyed = map[string]board.SavedView{}
	for i, v := range m.saved {
		if v != savedViews(m.options.Settings)[i] {
			file.Keyed[string(rune('5'+i))] = v
		}
	}
	return file
}

const marksMost = 1000

func (m *Model) rememberAccount() sessionAccount {
	a := sessionAccount{Focus: m.pane().Kind(), Zoom: m.zoom, Panes: map[board.Pane]sessionPane{}, Watched: m.feed.Watched()}
	for _, p := range m.panes.Panes {
		was := sessionPane{Filter: p.FilterText(), Sort: p.Sort().String(), Columns: p.ChosenColumns(), Cursor: p.CursorID()}
		if n := p.MarkCount(); n > 0 && n <= marksMost {
			was.Marks, _ = p.Selection()
		}
		a.Panes[p.Kind()] = was
	}
	return a
}

// saved is the outcome of writing the session.
type saved struct {
	text string
	err  error
}

// save writes the session if it changed, so that little is lost when the console ends without warning.
func (m *Model) save() tea.Cmd {
	if m.session.path == "" || !m.session.loaded || m.account.Client == nil {
		return nil
	}
	text, err := model.MarshalIndent(m.remember())
	if err != nil || string(text) == m.session.text {
		return nil
	}
	path := m.session.path
	return m.runOwn(sessionLimit, func(context.Context) any { return saved{string(text), atomicfile.Write(path, text)} })
}

func (m *Model) savedSession(s saved) {
	if s.err == nil {
		m.session.text = s.text
	}
}
