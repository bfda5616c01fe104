package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

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
	candidates := input.Board.Candidates(row, maxCandidates)
	if !slices.ContainsFunc(candidates, func(c board.Candidate) bool { return !c.HasTask }) {
		return m.warn("No other driver is on duty.")
	}
	items := make([]menuItem, len(candidates))
	for i := range candidates {
		c := &candidates[i]
		items[i] = menuItem{
			label: candidateLabel(c, input.Zone, m.appearance.theme.Measure), note: c.ReasonText(),
			run: func(m *Model) tea.Cmd { return m.assignTo(input, input.WorkerText(c.Worker)) },
		}
		if c.HasTask {
			items[i].disabled = strings.Join(append([]string{"already with " + c.Worker.Name}, c.Reasons...), ", ")
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
func candidateLabel(c *board.Candidate, zone *time.Location, measure theme.Measure) string {
	const nameWidth, arrivalWidth, gainWidth = 19, 26, 13
	label := measure.Fit(c.Worker.Name, nameWidth, theme.Left) + " " + measure.Fit(c.Arrival.ArrivalText(zone), arrivalWidth, theme.Left)
	if gain := c.GainText(); gain != "" {
		label += " " + measure.Fit(gain, gainWidth, theme.Left)
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
