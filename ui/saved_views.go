package ui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/keymaps"
	"waybill/settings"
	"waybill/ui/dialog"
	"waybill/views"
)

// savedViews are the views that can be opened by key or name: the built-in ones, those of the config file, and those that
// the user has saved.
type savedViews struct {
	keyed    [viewKeys]board.SavedView // on keys 5 to 9
	defaults [viewKeys]board.SavedView // what is on the keys before the user saves a view there
	config   []board.SavedView         // all of the config file
	named    []board.SavedView         // saved by the user without a key
	counts   map[board.SavedView]int
}

// The keys of the keyed views are 5 to 9.
const firstViewKey, viewKeys = 5, 5

// newSavedViews returns the built-in views, replaced by those of the config file on the same keys.
func newSavedViews(config []settings.View) savedViews {
	var s savedViews
	copy(s.defaults[:], board.BuiltinViews())
	for _, v := range config {
		pane, _ := board.ParsePane(string(v.Pane)) // the settings have checked it
		view := board.SavedView{Name: v.Name, Pane: pane, Filter: v.Filter, Sort: v.Sort}
		s.config = append(s.config, view)
		if at, ok := viewKey(v.Key); ok {
			s.defaults[at] = view
		}
	}
	s.keyed = s.defaults
	return s
}

// viewKey is the index of the view on a key.
func viewKey(key string) (int, bool) {
	n, err := strconv.Atoi(key)
	return n - firstViewKey, err == nil && n >= firstViewKey && n < firstViewKey+viewKeys
}

// load adds what the user has saved.
func (s *savedViews) load(file *rememberedFile) {
	s.named = file.Views
	for key, v := range file.Keyed {
		if at, ok := viewKey(key); ok {
			s.keyed[at] = v
		}
	}
}

// save stores what the user has saved.
func (s *savedViews) save(file *rememberedFile) {
	file.Views, file.Keyed = s.named, map[string]board.SavedView{}
	for i, v := range s.keyed {
		if v != s.defaults[i] {
			file.Keyed[strconv.Itoa(i+firstViewKey)] = v
		}
	}
}

// all are the views on keys, those of the config file without one, and those that the user has saved.
func (s *savedViews) all() []board.SavedView {
	all := slices.Clone(s.keyed[:])
	for _, v := range s.config {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return append(all, s.named...)
}

// count is the number of rows of a view; negative while it is unknown.
func (s *savedViews) count(v board.SavedView, c board.Counters) int {
	if n, ok := v.Count(c); ok {
		return n
	}
	if n, ok := s.counts[v]; ok {
		return n
	}
	return -1
}

// countViews counts the rows of views that the board has no counter for. It reads every row, so it runs now and then in
// the background.
func (m *Model) countViews() tea.Cmd {
	snapshot := m.panes.Snapshot()
	uncounted := slices.DeleteFunc(m.views.all(), func(v board.SavedView) bool {
		_, known := v.Count(snapshot.Counters)
		return known
	})
	if len(uncounted) == 0 {
		return nil
	}
	return m.run(buildTimeout, func(ctx context.Context) result {
		counts := map[board.SavedView]int{}
		for _, v := range uncounted {
			if n, err := countRows(ctx, snapshot, v); err == nil {
				counts[v] = n
			}
		}
		return func(m *Model) tea.Cmd {
			m.views.counts = counts
			return nil
		}
	})
}

// countRows counts the rows of a view as its pane would show them.
func countRows(ctx context.Context, s *board.Snapshot, v board.SavedView) (int, error) {
	filter, _, err := v.Parse()
	if err != nil {
		return 0, err
	}
	filter = filter.InPane()
	switch v.Pane {
	case board.PaneWorkers:
		return viewLen(board.BuildWorkers(s, filter, board.Sort{}).Run(ctx))
	case board.PaneOrders:
		return viewLen(board.BuildOrders(s, filter, board.Sort{}).Run(ctx))
	default:
		return viewLen(board.BuildTasks(s, filter, board.Sort{}).Run(ctx))
	}
}

func viewLen[R any](view *board.View[R], err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return view.Len(), nil
}

func viewHandlers() map[string]handler {
	all := map[string]handler{
		"view.list": func(m *Model, argument string) tea.Cmd {
			if argument != "" {
				return m.openViewNamed(argument)
			}
			return m.openViews()
		},
		"view.save": func(m *Model, argument string) tea.Cmd {
			return m.withArgument(argument, "Save "+m.viewDescription(), "a name; start it with 5–9 to put it on that key",
				(*Model).saveView)
		},
	}
	for i := range viewKeys {
		all[viewAction(i)] = withoutArgument(func(m *Model) tea.Cmd { return m.openView(m.views.keyed[i]) })
	}
	return all
}

// viewAction is the action that opens a keyed view.
func viewAction(i int) string { return "view." + strconv.Itoa(i+firstViewKey) }

func (m *Model) openViews() tea.Cmd {
	var items []menuItem
	for i, v := range m.views.all() {
		note := fmt.Sprintf("%s  /%s", v.Pane, v.Filter)
		if rows := m.views.count(v, m.panes.Snapshot().Counters); rows >= 0 {
			note = fmt.Sprintf("%s  %s", count(rows), note)
		}
		if i < viewKeys {
			note = fmt.Sprintf("key %d  %s", i+firstViewKey, note)
		}
		items = append(items, menuItem{label: v.Name, note: note, run: func(m *Model) tea.Cmd { return m.openView(v) }})
	}
	return m.openMenu("Saved views", items)
}

func (m *Model) openViewNamed(name string) tea.Cmd {
	for _, v := range m.views.all() {
		if strings.HasPrefix(strings.ToLower(v.Name), strings.ToLower(name)) {
			return m.openView(v)
		}
	}
	return m.warn(fmt.Sprintf("There is no view %q. %s lists all views.", name, m.keyFor("view.list")))
}

func (m *Model) openView(v board.SavedView) tea.Cmd {
	_, sort, err := v.Parse()
	if err != nil {
		return m.warn(err.Error())
	}
	m.focusPane(v.Pane)
	build, err := m.focusedPane().SetFilter(v.Filter)
	if err != nil {
		return m.warn(err.Error())
	}
	m.history.Add(v.Filter)
	return m.build(build, m.focusedPane().SetSort(sort))
}

// shownView is the filter and sort of the focused pane.
func (m *Model) shownView() board.SavedView {
	p := m.focusedPane()
	return board.SavedView{Pane: p.Kind(), Filter: p.State().Filter, Sort: p.State().Sort.String()}
}

// viewDescription describes the view that would be saved.
func (m *Model) viewDescription() string {
	v := m.shownView()
	words := "all " + v.Pane.String()
	if v.Filter != "" {
		words = v.Pane.String() + " /" + v.Filter
	}
	if v.Sort != "" {
		words += ", by " + v.Sort
	}
	return words
}

// saveView saves the filter and sort of the pane under a name.
func (m *Model) saveView(name string) tea.Cmd {
	v := m.shownView()
	if v.Name = strings.TrimSpace(name); v.Name == "" {
		return m.warn("Enter a name for the view.")
	}
	first, rest, _ := strings.Cut(v.Name, " ")
	if at, ok := viewKey(first); ok && rest != "" {
		v.Name = strings.TrimSpace(rest)
		m.inform(fmt.Sprintf("Saved as %q on key %s, replacing %q.", v.Name, first, m.views.keyed[at].Name))
		m.views.keyed[at] = v
	} else {
		m.views.named = append(m.views.named, v)
		m.inform(fmt.Sprintf("Saved as %q; %s lists all views.", v.Name, m.keyFor("view.list")))
	}
	return tea.Batch(m.saveState(), m.countViews())
}

// matchingViews are the saved views whose names contain the words of a query. They come first in the palette: who types
// "late" wants to see what is late.
func (m *Model) matchingViews(query string) []dialog.Match {
	if strings.TrimSpace(query) == "" {
		return nil
	}
	var matches []dialog.Match
	for i, v := range m.views.keyed {
		if at, ok := keymaps.MatchWords(query, v.Name); ok && v.Name != "" {
			id := viewAction(i)
			matches = append(matches, dialog.Match{
				Choice: views.Choice{Key: m.keyFor(id), Label: v.Name, Note: "Shows this saved view.", Matches: at}, ID: id,
			})
		}
	}
	return matches
}
