package ui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/ui/feed"
	"waybill/views/layout"
)

// hands is what is being done and what could be taken back.
type hands struct {
	jobs   []*job // the newest first
	undo   []undoable
	drafts keptDrafts
	count  int // jobs so far

	// What undo would take back, as of a board and a number of changes.
	title string
	asOf  *board.Snapshot
	known int
}

func verbHandlers() map[string]handler {
	all := map[string]handler{}
	for _, mk := range operations.Definitions() {
		all[mk.ID] = func(m *Model, argument string) tea.Cmd { return m.beginVerb(mk, argument) }
	}
	return all
}

// beginVerb starts a verb on what is chosen now. From here on it acts on these ids, whatever the board does.
func (m *Model) beginVerb(mk operations.Definition, argument string) tea.Cmd {
	return m.beginOn(mk, m.scene(argument), nil)
}

// beginOn starts a verb on a scene. What its form shall hold already is shown before anything else.
func (m *Model) beginOn(mk operations.Definition, scene operations.Input, filled form.Values) tea.Cmd {
	if mk.Needs == (operations.Needs{}) && !mk.ReadsDisk {
		v, err := mk.New(scene)
		if err != nil {
			m.warn(upperFirst(err.Error()))
			return nil
		}
		return m.opened(v, scene, filled)
	}
	client := m.account.Client
	if client == nil {
		m.warn("There is no connection yet.")
		return nil
	}
	wait, opened := m.waitFor(m.waitingFor(mk.ID))
	return tea.Batch(opened, m.run(lookUpLimit, func(ctx context.Context) any {
		if err := operations.LoadInput(ctx, client, mk.Needs, &scene); err != nil {
			return verbMade{id: mk.ID, wait: wait, err: err}
		}
		made, err := mk.New(scene)
		return verbMade{mk.ID, wait, made, scene, filled, err}
	}))
}

// verbMade is a verb that was made aside, for a scene with everything that it needs.
type verbMade struct {
	id     string
	wait   *waiting
	verb   operations.Operation
	scene  operations.Input
	filled form.Values
	err    error
}

func (r verbMade) arrive(m *Model) tea.Cmd {
	if !m.arrived(r.wait) {
		return nil
	}
	if r.err != nil {
		m.warn(strings.TrimSuffix(m.titleOf(r.id), "…") + ": " + r.err.Error())
		return nil
	}
	return tea.Batch(m.opened(r.verb, r.scene, r.filled), m.passOn(r.wait.kept))
}

func (m *Model) opened(v operations.Operation, scene operations.Input, filled form.Values) tea.Cmd {
	if filled != nil && len(v.Form.Fields) > 0 {
		return m.withDraft(v, scene, filled)
	}
	return m.started(v, scene, nil)
}

// start opens a verb's form, or goes straight to what it would send. Preset values stand over those of the form.
func (m *Model) start(mk operations.Definition, scene operations.Input, preset form.Values) tea.Cmd {
	v, err := mk.New(scene)
	if err != nil {
		m.warn(upperFirst(err.Error()))
		return nil
	}
	return m.started(v, scene, preset)
}

func (m *Model) started(v operations.Operation, scene operations.Input, preset form.Values) tea.Cmd {
	if len(v.Form.Fields) == 0 || preset != nil {
		values := v.Form.Start.Clone()
		if values == nil {
			values = form.Values{}
		}
		for name, value := range preset {
			values[name] = value
		}
		if plan, problems := v.Prepare(values); len(problems) == 0 {
			return m.propose(v, scene, plan, nil)
		} else if len(v.Form.Fields) == 0 {
			m.warn(firstProblem(problems))
			return nil
		}
	}
	return m.withDraft(v, scene, preset)
}

func firstProblem(p form.Problems) string {
	if text := p[""]; text != "" {
		return text
	}
	for _, text := range p {
		return text
	}
	return ""
}

// scene is what is chosen, as it is shown.
func (m *Model) scene(argument string) operations.Input {
	s := operations.Input{
		Board: m.panes.Snapshot(), Organization: m.account.organization, Now: model.MillisOf(m.now()), Zone: m.zone(),
		WorkDir: m.options.WorkDir, Argument: argument,
		RouteHidden: !m.detailFocused() || m.detail.target.Kind != feed.WorkerDetail,
	}
	if m.screen == layout.Page {
		s.Webhooks = m.page.chosenWebhooks()
		return s
	}
	if m.screen == layout.Board && !m.detailFocused() {
		shown, hidden := m.pane().Selection()
		ids := slices.Concat(shown, hidden)
		s.Hidden = len(hidden)
		switch m.pane().Kind() {
		case board.PaneWorkers:
			s.Workers = ids
		case board.PaneOrders:
			s.Orders = ids
		default:
			s.Tasks = ids
		}
		return s
	}
	switch t := m.target(); t.Kind {
	case feed.TaskDetail:
		s.Tasks = []model.ID{t.ID}
	case feed.WorkerDetail:
		s.Workers = []model.ID{t.ID}
	case feed.OrderDetail:
		s.Orders = []model.ID{t.ID}
	}
	return s
}

func (m *Model) titleOf(action string) string {
	if a, ok := m.keys.Get(action); ok {
		return a.Title
	}
	return action
}

// arrival is an outcome of a command that knows what to do when it comes.
type arrival interface {
	arrive(m *Model) tea.Cmd
}

// handsSituation adds what the table of keys wants to know of the hands.
func (m *Model) handsSituation(c *keymaps.Context) {
	c.Undo = m.undoTitle()
	for _, j := range m.hands.jobs {
		if j.ended() {
			continue
		}
		if j.single() && c.Sending == "" {
			c.Sending = j.title
		}
	}
}
