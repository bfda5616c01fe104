package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations"
	"waybill/settings"
	"waybill/ui/feed"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

func findHandlers() map[string]handler {
	all := map[string]handler{
		"find.filter":  alone((*Model).openFilter),
		"find.clear":   alone((*Model).clearFilter),
		"find.palette": alone((*Model).openPalette),
		"find.help":    alone((*Model).openHelp),
		"find.sort": func(m *Model, argument string) tea.Cmd {
			if argument == "" {
				return m.openSort()
			}
			for _, c := range m.pane().Columns() { // by what is read over it
				if title := columnTitle(m.pane(), c); strings.EqualFold(strings.TrimPrefix(argument, "-"), title) {
					argument = strings.TrimSuffix(argument, strings.TrimPrefix(argument, "-")) + string(c)
					break
				}
			}
			s, err := board.ParseSort(m.pane().Kind(), argument)
			if err != nil {
				m.warn(err.Error())
				return nil
			}
			return m.setSort(s)
		},
		"find.sort-flip": alone(func(m *Model) tea.Cmd {
			s := m.pane().Sort()
			if s.Column == "" {
				s.Column = board.SortColumns(m.pane().Kind())[0]
			}
			s.Desc = !s.Desc
			return m.setSort(s)
		}),
		"find.sort-left":  alone(func(m *Model) tea.Cmd { return m.setSort(m.pane().NextSort(-1)) }),
		"find.sort-right": alone(func(m *Model) tea.Cmd { return m.setSort(m.pane().NextSort(1)) }),
		"find.columns": func(m *Model, argument string) tea.Cmd {
			if argument == "" {
				return m.open(newColumnMenu(m.pane()))
			}
			return m.chooseColumns(strings.FieldsFunc(argument, func(r rune) bool { return r == ' ' || r == ',' }))
		},
		"find.goto": func(m *Model, argument string) tea.Cmd {
			return m.withText(argument, "Go to", "id or short id of a task, order, worker, recipient or destination", (*Model).lookUp)
		},
		"find.watch": func(m *Model, argument string) tea.Cmd {
			return m.withText(argument, "Watch a task", "id or short id; it is asked for again and again", (*Model).watch)
		},
		"view.list": func(m *Model, argument string) tea.Cmd {
			if argument != "" {
				return m.openNamed(argument)
			}
			return m.openViews()
		},
		"view.save": func(m *Model, argument string) tea.Cmd {
			return m.withText(argument, "Save "+m.viewWords(), "a name; a digit from 5 to 9 in front puts it on that key", (*Model).saveView)
		},
	}
	for i := range 5 {
		all["view."+strconv.Itoa(i+5)] = alone(func(m *Model) tea.Cmd { return m.openView(m.saved[i]) })
	}
	return all
}

// withText runs with what followed the word in the palette, or asks for it.
func (m *Model) withText(argument, title, note string, run func(m *Model, text string) tea.Cmd) tea.Cmd {
	if argument != "" {
		return run(m, argument)
	}
	return m.ask(title, note, "", run)
}

// openSort is the menu of all columns. Choosing the one in use turns the order round.
func (m *Model) openSort() tea.Cmd {
	current := m.pane().Sort()
	var items []item
	for i, column := range m.pane().Columns() {
		note := ""
		s := board.Sort{Column: column}
		if i == 0 {
			note, s = "the pane's own order", board.Sort{}
		}
		if column == current.Column || i == 0 && current.Column == "" {
			note = "in use; once more turns it round"
			s = board.Sort{Column: column, Desc: !current.Desc}
		}
		items = append(items, item{label: columnTitle(m.pane(), column), note: note, run: func(m *Model) tea.Cmd { return m.setSort(s) }})
	}
	return m.open(newMenu("Sort "+string(m.pane().Kind())+" by", items))
}

// columnTitle is what stands over a column of a pane, unless another order has that name.
func columnTitle(p views.Pane, column board.Column) string {
	for _, c := range p.ColumnChoices() {
		if c.Key == string(column) && c.Title != "" && !slices.Contains(p.Columns(), board.Column(c.Title)) {
			return c.Title
		}
	}
	return string(column)
}

// savedViews are the views on keys 5 to 9: the built-in ones, and over them those of the settings.
func savedViews(s settings.Settings) (views [5]board.SavedView) {
	copy(views[:], board.BuiltinViews())
	for _, v := range s.Views {
		if key, err := strconv.Atoi(v.Key); err == nil && key >= 5 && key <= 9 {
			views[key-5] = board.SavedView{Name: v.Name, Pane: board.Pane(v.Pane), Filter: v.Filter, Sort: v.Sort}
		}
	}
	return views
}

// allViews are the views on keys and those of the settings without one.
func (m *Model) allViews() []board.SavedView {
	all := slices.Clone(m.saved[:])
	for _, v := range m.options.Settings.Views {
		view := board.SavedView{Name: v.Name, Pane: board.Pane(v.Pane), Filter: v.Filter, Sort: v.Sort}
		if !slices.Contains(all, view) {
			all = append(all, view)
		}
	}
	return append(all, m.session.views...)
}

func (m *Model) openViews() tea.Cmd {
	var items []item
	for i, v := range m.allViews() {
		note := fmt.Sprintf("%s  /%s", v.Pane, v.Filter)
		if rows := m.countOf(v); rows >= 0 {
			note = fmt.Sprintf("%s  %s", count(rows), note)
		}
		if i < 5 {
			note = fmt.Sprintf("key %d  %s", i+5, note)
		}
		items = append(items, item{label: v.Name, note: note, run: func(m *Model) tea.Cmd { return m.openView(v) }})
	}
	return m.open(newMenu("Saved views", items))
}

func (m *Model) openNamed(name string) tea.Cmd {
	for _, v := range m.allViews() {
		if strings.HasPrefix(strings.ToLower(v.Name), strings.ToLower(name)) {
			return m.openView(v)
		}
	}
	m.warn(fmt.Sprintf("No view is called %q. %s lists them.", name, m.keyOf("view.list")))
	return nil
}

func paneOf(p board.Pane) layout.Pane {
	switch p {
	case board.PaneWorkers:
		return layout.Workers
	case board.PaneTasks:
		return layout.Tasks
	case board.PaneOrders:
		return layout.Orders
	}
	return layout.Delays
}

func (m *Model) openView(v board.SavedView) tea.Cmd {
	_, sort, err := v.Parse()
	if err != nil {
		m.warn(err.Error())
		return nil
	}
	m.goTo(paneOf(v.Pane))
	build, err := m.pane().SetFilter(v.Filter)
	if err != nil {
		m.warn(err.Error())
		return nil
	}
	m.history.add(v.Filter)
	return tea.Batch(m.builds([]views.Build{build, m.pane().SetSort(sort)})...)
}

// viewWords is what would be saved.
func (m *Model) viewWords() string {
	p := m.pane()
	words := "all " + string(p.Kind())
	if text := p.FilterText(); text != "" {
		words = string(p.Kind()) + " /" + text
	}
	if s := p.Sort().String(); s != "" {
		words += ", by " + s
	}
	return words
}

// saveView keeps the pane's filter and order under a name.
func (m *Model) saveView(name string) tea.Cmd {
	name = strings.TrimSpace(name)
	if name == "" {
		m.warn("A view needs a name.")
		return nil
	}
	p := m.pane()
	v := board.SavedView{Name: name, Pane: p.Kind(), Filter: p.FilterText(), Sort: p.Sort().String()}
	if first, rest, ok := strings.Cut(name, " "); ok && len(first) == 1 && first >= "5" && first <= "9" {
		v.Name = strings.TrimSpace(rest)
		before := m.saved[first[0]-'5']
		m.saved[first[0]-'5'] = v
		m.inform(fmt.Sprintf("Saved as %q on key %s, in place of %q.", v.Name, first, before.Name))
	} else {
		m.session.views = append(m.session.views, v)
		m.inform(fmt.Sprintf("Saved as %q; %s lists all views.", v.Name, m.keyOf("view.list")))
	}
	return tea.Batch(m.save(), m.countViews())
}

// found is what a lookup by hand brought.
type found struct {
	text   string
	target feed.Target
	change board.Change
	watch  bool
	err    error
}

const lookUpLimit = 15 * time.Second

// lookUp opens whatever has an id or short id: from the board if it is there, else from the service.
func (m *Model) lookUp(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if t, ok := m.known(text); ok {
		return m.openDetail(t)
	}
	return m.search(text, false)
}

func (m *Model) known(text string) (feed.Target, bool) {
	s, id := m.panes.Snapshot(), model.ID(text)
	switch {
	case s.Tasks.Has(id):
		return feed.Target{Kind: feed.TaskDetail, ID: id}, true
	case s.Workers.Has(id):
		return feed.Target{Kind: feed.WorkerDetail, ID: id}, true
	case s.Orders.Has(id):
		return feed.Target{Kind: feed.OrderDetail, ID: id, Short: s.Orders.Get(id).ShortID}, true
	}
	if row := s.TaskByShortID(model.ShortID(strings.ToLower(text))); row != nil {
		return feed.Target{Kind: feed.TaskDetail, ID: row.ID}, true
	}
	if id, ok := m.orders[model.ShortID(strings.ToLower(text))]; ok {
		return feed.Target{Kind: feed.OrderDetail, ID: id, Short: model.ShortID(strings.ToLower(text))}, true
	}
	return feed.Target{}, false
}

// watch adds a task to those that are asked for one by one.
func (m *Model) watch(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if t, ok := m.known(text); ok && t.Kind == feed.TaskDetail {
		m.feed.Watch(t.ID)
		m.inform("Watching " + text + ".")
		return nil
	}
	return m.search(text, true)
}

func (m *Model) search(text string, watch bool) tea.Cmd {
	id, short := model.ID(text), model.ShortID(strings.ToLower(text))
	if !id.Valid() && !short.Valid() {
		m.warn(fmt.Sprintf("%q is neither an id (24 characters) nor a short id (8 hex digits).", text))
		return nil
	}
	if m.account.Client == nil {
		m.warn("Not connected.")
		return nil
	}
	m.inform("Looking for " + text + "…")
	client, stamp, now := m.account.Client, m.board.Stamp(), m.clock()
	return m.run(lookUpLimit, func(ctx context.Context) any {
		f := found{text: text, watch: watch, change: board.Change{Requested: stamp}}
		f.find(ctx, client, id, short)
		f.change.ReceivedAt = model.MillisOf(now())
		return f
	})
}

// find asks for one kind of thing after the other: an id does not say what it is of.
func (f *found) find(ctx context.Context, client *apiclient.Client, id model.ID, short model.ShortID) {
	if short.Valid() {
		if f.task(client.TaskByShortID(ctx, short)) || f.order(client.Order(ctx, short)) {
			return
		}
		return
	}
	if f.task(client.Task(ctx, id)) {
		return
	}
	if worker, err := client.Worker(ctx, id, apiclient.WorkerQuery{}); f.took(err) {
		f.change.Workers, f.target = []model.Worker{worker}, feed.Target{Kind: feed.WorkerDetail, ID: id}
		return
	}
	if _, err := client.Recipient(ctx, id); f.took(err) {
		f.target = feed.Target{Kind: feed.RecipientDetail, ID: id}
		return
	}
	if _, err := client.Destination(ctx, id); f.took(err) {
		f.target = feed.Target{Kind: feed.DestinationDetail, ID: id}
	}
}

func (f *found) took(err error) bool {
	f.err = err
	return err == nil
}

func (f *found) task(task model.Task, err error) bool {
	f.change.Tasks, f.target = []model.Task{task}, feed.Target{Kind: feed.TaskDetail, ID: task.ID}
	if err != nil {
		f.change.Tasks, f.target = nil, feed.Target{}
	}
	return f.took(err)
}

func (f *found) order(order model.Order, err error) bool {
	f.change.Orders = []model.Order{order}
	f.target = feed.Target{Kind: feed.OrderDetail, ID: order.ID, Short: order.ShortID}
	if err != nil {
		f.change.Orders, f.target = nil, feed.Target{}
	}
	return f.took(err)
}

func (m *Model) found(f found) tea.Cmd {
	if f.target.Kind == feed.NoDetail {
		if errors.Is(f.err, apiclient.ErrNotFound) {
			m.tell(theme.Warn, "Nothing here is called "+f.text+".", []operations.Line{{Text: f.err.Error()}})
			return nil
		}
		m.fail("Looking for "+f.text, f.err)
		return nil
	}
	cmds := m.learn(f.change, m.panes.Snapshot(), true)
	for _, o := range f.change.Orders {
		m.orders[o.ShortID] = o.ID
	}
	m.message = message{}
	if f.watch && f.target.Kind == feed.TaskDetail {
		m.feed.Watch(f.target.ID)
		m.inform("Watching " + f.text + ".")
		return tea.Batch(cmds...)
	}
	return tea.Batch(append(cmds, m.openDetail(f.target))...)
}
