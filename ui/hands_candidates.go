package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/views/theme"
)

const candidatesMost = 40

// openCandidates lists who could take a task, best first. Choosing one goes straight to the last look before it is sent.
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
	if why := model.AssignForbidden(row.State); why != "" {
		m.warn(why + m.insteadOfAssign(row.State))
		return nil
	}
	found := operations.Candidates(scene, candidatesMost)
	if !slices.ContainsFunc(found, func(c operations.CandidateLine) bool { return !c.IsAssigned }) {
		m.warn("Nobody else is on duty.")
		return nil
	}
	items := make([]item, len(found))
	for i := range found {
		c := &found[i]
		items[i] = item{
			label: candidateLabel(c, m.look.theme.Measure), note: strings.Join(c.Reasons, ", "),
			run: func(m *Model) tea.Cmd { return m.chooseCandidate(scene, c.Value) },
		}
		if c.IsAssigned {
			items[i].off = strings.Join(append([]string{"already with " + c.Name}, c.Reasons...), ", ")
		}
	}
	o := newMenu(candidatesTitle(scene.Board, row), items)
	o.kind, o.foot = keymaps.Candidates, "enter assigns after a last look  esc leaves"
	return m.open(o)
}

// insteadOfAssign says what can be done with a task that cannot be given to anyone.
func (m *Model) insteadOfAssign(state model.TaskState) string {
	if state == model.TaskActive {
		return fmt.Sprintf(" Complete it with %s, or make another for someone else with %s.", m.keyOf("task.complete"), m.keyOf("task.clone"))
	}
	return fmt.Sprintf(" Make another with %s.", m.keyOf("task.clone"))
}

// candidatesTitle says at once when there is no choice worth making.
func candidatesTitle(snapshot *board.Snapshot, row *board.TaskRow) string {
	title := fmt.Sprintf("Who can take %s", row.ShortID)
	late := snapshot.NobodyOnTime(row)
	switch {
	case snapshot.NobodyBetter(row):
		return fmt.Sprintf("%s: nobody is better than %s", title, row.WorkerName)
	case late:
		title += ": nobody in time"
	}
	if row.WorkerName != "" {
		title += ", now with " + row.WorkerName
	}
	return title
}

// candidateLabel is the worker's name, when they would be there, and what that gains.
func candidateLabel(c *operations.CandidateLine, measure theme.Measure) string {
	const name, arrival, gain = 20, 26, 14
	label := measure.Fit(c.Name, name-1, theme.Left) + " " + measure.Fit(c.Arrival, arrival, theme.Left)
	if c.Gain != "" {
		label += " " + measure.Fit(c.Gain, gain-1, theme.Left)
	}
	return label
}

// chooseCandidate proposes the assignment. Read-only mode and the task's state are asked about as for the verb itself.
func (m *Model) chooseCandidate(scene operations.Input, who string) tea.Cmd {
	a, _ := m.keys.Get("route.assign")
	if reason := m.keys.DisabledReason(a, m.situation()); reason != "" {
		m.warn(reason)
		return nil
	}
	mk, err := operations.FindDefinition(a.ID)
	if err != nil {
		m.warn(err.Error())
		return nil
	}
	scene.Argument = who
	return m.start(mk, scene, form.Values{})
}
