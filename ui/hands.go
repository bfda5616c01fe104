package ui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/feed"
	"waybill/ui/field"
	"waybill/ui/layout"
	"waybill/ui/verb"
)

// hands is what is being done and what could be taken back.
type hands struct {
	jobs   []*job // the newest first
	undo   []undoable
	drafts keptDrafts
	count  int // jobs so far

	// What undo would take back, as of a board and a number of changes.
	title string
	asOf  *model.Snapshot
	known int
}

func verbHandlers() map[string]handler {
	all := map[string]handler{}
	for _, mk := range verb.Makers() {
		all[mk.ID] = func(m *Model, argument string) tea.Cmd { return m.beginVerb(mk, argument) }
	}
	return all
}

// beginVerb starts a verb on what is chosen now. From here on it acts on these ids, whatever the board does.
func (m *Model) beginVerb(mk verb.Maker, argument string) tea.Cmd {
	return m.beginOn(mk, m.scene(argument), nil)
}

// beginOn starts a verb on a scene. What its form shall hold already is shown before anything else.
func (m *Model) beginOn(mk verb.Maker, scene verb.Scene, filled field.Values) tea.Cmd {
	if mk.Needs == (verb.Needs{}) && !mk.Aside {
		v, err := mk.Make(scene)
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
		if err := verb.ReadScene(ctx, client, mk.Needs, &scene); err != nil {
			return verbMade{id: mk.ID, wait: wait, err: err}
		}
		made, err := mk.Make(scene)
		return verbMade{mk.ID, wait, made, scene, filled, err}
	}))
}

// verbMade is a verb that was made aside, for a scene with everything that it needs.
type verbMade struct {
	id     string
	wait   *waiting
	verb   verb.Verb
	scene  verb.Scene
	filled field.Values
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

func (m *Model) opened(v verb.Verb, scene verb.Scene, filled field.Values) tea.Cmd {
	if filled != nil && len(v.Form.Fields) > 0 {
		return m.withDraft(v, scene, filled)
	}
	return m.started(v, scene, nil)
}

// start opens a verb's form, or goes straight to what it would send. Preset values stand over those of the form.
func (m *Model) start(mk verb.Maker, scene verb.Scene, preset field.Values) tea.Cmd {
	v, err := mk.Make(scene)
	if err != nil {
		m.warn(upperFirst(err.Error()))
		return nil
	}
	return m.started(v, scene, preset)
}

func (m *Model) started(v verb.Verb, scene verb.Scene, preset field.Values) tea.Cmd {
	if len(v.Form.Fields) == 0 || preset != nil {
		values := v.Form.Start.Clone()
		if values == nil {
			values = field.Values{}
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

func firstProblem(p field.Problems) string {
	if text := p[""]; text != "" {
		return text
	}
	for _, text := range p {
		return text
	}
	return ""
}

// scene is what is chosen, as it is shown.
func (m *Model) scene(argument string) verb.Scene {
	s := verb.Scene{
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
		case model.PaneWorkers:
			s.Workers = ids
		case model.PaneOrders:
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
