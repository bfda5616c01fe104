package ui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/ui/field"
	"waybill/ui/layout"
	"waybill/ui/theme"
	"waybill/ui/verb"
	"waybill/views"
)

// candidates is who could take a task, best first. Choosing one goes straight to the last look before it is sent.
type candidates struct {
	plain
	title   string
	scene   verb.Scene
	found   []verb.CandidateLine
	choices views.Choices
}

const candidatesMost = 40

func (m *Model) openCandidates() tea.Cmd {
	scene := m.scene("")
	if len(scene.Tasks) != 1 {
		m.warn("Choose one task.")
		return nil
	}
	row := scene.Board.Tasks.Get(scene.Tasks[0])
	if row == nil {
		m.warn("The board does not know this task any more.")
		return nil
	}
	o := &candidates{scene: scene, found: verb.Candidates(scene, candidatesMost)}
	if len(o.found) == 0 {
		m.warn("Nobody else is on duty.")
		return nil
	}
	o.title = fmt.Sprintf("Who can take %s", row.ShortID)
	if row.WorkerName != "" {
		o.title += ", now with " + row.WorkerName
	}
	items := make([]views.Choice, len(o.found))
	for i := range o.found {
		items[i] = views.Choice{Label: candidateLabel(&o.found[i], m.look.theme.Measure), Note: strings.Join(o.found[i].Reasons, ", ")}
		if i < 9 {
			items[i].Key = string(rune('1' + i))
		}
	}
	o.choices.Set(items)
	return m.open(o)
}

// candidateLabel is the worker's name, and how late they run already.
func candidateLabel(c *verb.CandidateLine, measure theme.Measure) string {
	const name, delay = 22, 10
	return measure.Fit(c.Name, name, theme.Left) + measure.Fit(cmp.Or(c.Delay, "on time"), delay, theme.Left)
}

func (o *candidates) scope() keymaps.Scope { return keymaps.Candidates }

func (o *candidates) place(*Model) layout.Overlay {
	return layout.Overlay{Kind: layout.Menu, Width: 110, Height: len(o.choices.Items) + 2}
}

func (o *candidates) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "menu.down":
		o.choices.Move(1)
	case "menu.up":
		o.choices.Move(-1)
	case "menu.choose":
		if at, ok := o.choices.Current(); ok {
			return o.choose(m, at), true
		}
	default:
		return nil, false
	}
	return nil, true
}

func (o *candidates) edit(m *Model, key string) tea.Cmd {
	for i, c := range o.choices.Items {
		if c.Key == key && key != "" {
			return o.choose(m, i)
		}
	}
	return nil
}

// choose proposes the assignment. Read-only mode and the task's state are asked about as for the verb itself.
func (o *candidates) choose(m *Model, at int) tea.Cmd {
	a, _ := m.keys.Get("route.assign")
	if reason := m.keys.Reason(a, m.situation()); reason != "" {
		m.warn(reason)
		return nil
	}
	mk, err := verb.MakerOf("route.assign")
	if err != nil {
		m.warn(err.Error())
		return nil
	}
	m.closeOverlay()
	scene := o.scene
	scene.Argument = o.found[at].Who
	return m.start(mk, scene, field.Values{})
}

func (o *candidates) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.title, Foot: "enter assigns after a last look  esc leaves"}
	o.choices.Fit(height - 2)
	keys := o.choices.KeyWidth(m.look.theme.Measure)
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) { o.choices.Put(l, line, keys) })
}
