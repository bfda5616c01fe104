package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
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
}

// maker makes a verb for what is chosen, once it has been read what the verb needs.
type maker struct {
	id    string
	needs verb.Needs
	make  func(s verb.Scene) (verb.Verb, error)
	aside bool // making it waits for the disk
}

func verbHandlers() map[string]handler {
	all := map[string]handler{}
	for _, mk := range makers() {
		all[mk.id] = func(m *Model, argument string) tea.Cmd { return m.beginVerb(mk, argument) }
	}
	return all
}

// beginVerb starts a verb on what is chosen now. From here on it acts on these ids, whatever the board does.
func (m *Model) beginVerb(mk maker, argument string) tea.Cmd {
	scene := m.scene(argument)
	if mk.needs == (verb.Needs{}) && !mk.aside {
		return m.start(mk, scene, nil)
	}
	client := m.account.Client
	if client == nil {
		m.warn("There is no connection yet.")
		return nil
	}
	m.inform("Reading…")
	return m.run(lookUpLimit, func(ctx context.Context) any {
		if err := readScene(ctx, client, mk.needs, &scene); err != nil {
			return verbMade{id: mk.id, err: err}
		}
		made, err := mk.make(scene)
		return verbMade{mk.id, made, scene, err}
	})
}

// verbMade is a verb that was made aside, for a scene with everything that it needs.
type verbMade struct {
	id    string
	verb  verb.Verb
	scene verb.Scene
	err   error
}

func (r verbMade) arrive(m *Model) tea.Cmd {
	m.message = message{}
	if r.err != nil {
		m.warn(strings.TrimSuffix(m.titleOf(r.id), "…") + ": " + r.err.Error())
		return nil
	}
	return m.started(r.verb, r.scene, nil)
}

func readScene(ctx context.Context, c *apiclient.Client, needs verb.Needs, s *verb.Scene) error {
	var err error
	if needs.Task && len(s.Tasks) == 1 {
		task, failed := c.TaskWithHistory(ctx, s.Tasks[0])
		s.Task, err = &task, failed
	}
	if needs.Hubs && err == nil {
		s.Hubs, err = optional(c.Hubs(ctx))
	}
	if needs.Templates && err == nil {
		s.Templates, err = optional(c.Templates(ctx))
	}
	if needs.Templates && err == nil && len(s.Templates) > 0 {
		s.CustomFields, err = optional(c.CustomFields(ctx))
	}
	return err
}

// optional leaves out what a service does not offer.
func optional[T any](list []T, err error) ([]T, error) {
	if errors.Is(err, apiclient.ErrUnsupportedRoute) || errors.Is(err, apiclient.ErrNotFound) {
		return nil, nil
	}
	return list, err
}

// start opens a verb's form, or goes straight to what it would send. Preset values stand over those of the form.
func (m *Model) start(mk maker, scene verb.Scene, preset field.Values) tea.Cmd {
	v, err := mk.make(scene)
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

// makerOf finds what makes a verb.
func makerOf(id string) (maker, error) {
	for _, mk := range makers() {
		if mk.id == id {
			return mk, nil
		}
	}
	return maker{}, fmt.Errorf("no verb is called %q", id)
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
