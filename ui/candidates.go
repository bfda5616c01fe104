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

const maxCandidates = 40

// openCandidates lists the drivers who could take a task, the best first. Choosing one leads to the preview.
func (m *Model) openCandidates() tea.Cmd {
	input := m.operationInput("")
	if len(input.Tasks) != 1 {
		return m.warn("Select one task.")
	}
	row := input.Board.Tasks.Get(input.Tasks[0])
	if row == nil {
		return m.warn("This task is no longer on the board.")
	}
	if reason := model.AssignForbidden(row.State); reason != "" {
		return m.warn(reason + m.assignAlternative(row.State))
	}
	candidates := operations.Candidates(input, maxCandidates)
	if !slices.ContainsFunc(candidates, func(c operations.CandidateLine) bool { return !c.IsAssigned }) {
		return m.warn("No other driver is on duty.")
	}
	items := make([]menuItem, len(candidates))
	for i := range candidates {
		c := &candidates[i]
		items[i] = menuItem{
			label: candidateLabel(c, m.appearance.theme.Measure), note: strings.Join(c.Reasons, ", "),
			run: func(m *Model) tea.Cmd { return m.assignTo(input, c.Value) },
		}
		if c.IsAssigned {
			items[i].disabled = strings.Join(append([]string{"already with " + c.Name}, c.Reasons...), ", ")
		}
	}
	return m.openMenuAs(keymaps.Candidates, candidatesTitle(input.Board, row), items, "review and assign")
}

// assignAlternative says what can be done with a task that cannot be assigned.
func (m *Model) assignAlternative(state model.TaskState) string {
	if state == model.TaskActive {
		return fmt.Sprintf(" Complete it with %s, or clone it for another driver with %s.", m.keyFor("task.complete"), m.keyFor("task.clone"))
	}
	return fmt.Sprintf(" Clone it with %s.", m.keyFor("task.clone"))
}

// candidatesTitle says at once when no candidate is better or in time.
func candidatesTitle(snapshot *board.Snapshot, row *board.TaskRow) string {
	title := fmt.Sprintf("Who can take %s", row.ShortID)
	if snapshot.NobodyBetter(row) {
		return fmt.Sprintf("%s: nobody is better than %s", title, row.WorkerName)
	}
	if snapshot.NobodyOnTime(row) {
		title += ": nobody in time"
	}
	if row.WorkerName != "" {
		title += ", now with " + row.WorkerName
	}
	return title
}

// candidateLabel is the driver's name, the arrival, and the gain.
func candidateLabel(c *operations.CandidateLine, measure theme.Measure) string {
	const nameWidth, arrivalWidth, gainWidth = 19, 26, 13
	label := measure.Fit(c.Name, nameWidth, theme.Left) + " " + measure.Fit(c.Arrival, arrivalWidth, theme.Left)
	if c.Gain != "" {
		label += " " + measure.Fit(c.Gain, gainWidth, theme.Left)
	}
	return label
}

// assignTo proposes an assignment, unless the action is disabled.
func (m *Model) assignTo(input operations.Input, who string) tea.Cmd {
	a, _ := m.keys.Get("route.assign")
	if reason := m.keys.DisabledReason(a, m.actionContext()); reason != "" {
		return m.warn(reason)
	}
	d, err := operations.FindDefinition(a.ID)
	if err != nil {
		return m.warn(err.Error())
	}
	input.Argument = who
	return m.startOperation(d, input, form.Values{}, true)
}
