package ui

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/model"
	"waybill/operations"
	"waybill/ui/session"
)

// undoOperation is the id of the action that undoes the last job.
const undoOperation = "console.undo"

// undoable is a change that can be undone.
type undoable struct {
	undo operations.Undo
	job  int
}

// unavailable says why the change can no longer be undone, or nothing.
func (u *undoable) unavailable(s *board.Snapshot) string {
	if u.undo.Unavailable == nil {
		return ""
	}
	return u.undo.Unavailable(s)
}

// undoableChanges are the changes of the newest job that has any left to undo.
func (m *Model) undoableChanges() []undoable {
	snapshot := m.panes.Snapshot()
	var group []undoable
	for _, u := range slices.Backward(m.jobs.undos) {
		if len(group) > 0 && u.job != group[0].job {
			break
		}
		if u.unavailable(snapshot) == "" {
			group = append(group, u)
		}
	}
	slices.Reverse(group)
	return group
}

// undoRefusal says why the newest change can no longer be undone, or nothing.
func (m *Model) undoRefusal() string {
	if n := len(m.jobs.undos); n > 0 {
		if reason := m.jobs.undos[n-1].unavailable(m.panes.Snapshot()); reason != "" {
			return "Too late to undo: " + reason
		}
	}
	return ""
}

// undoTitle is what undo would reverse, or why it no longer can. It is needed for every frame and computed only when
// something has changed.
func (m *Model) undoTitle() string {
	state, snapshot := &m.jobs, m.panes.Snapshot()
	if state.undoSnapshot == snapshot && state.undoCount == len(state.undos) {
		return state.undoText
	}
	group := m.undoableChanges()
	state.undoText = m.undoRefusal() // the key is enabled to show the reason
	if len(group) > 0 {
		state.undoText = group[0].undo.Title
	}
	if len(group) > 1 {
		state.undoText = fmt.Sprintf("%s and %d more", state.undoText, len(group)-1)
	}
	state.undoSnapshot, state.undoCount = snapshot, len(state.undos)
	return state.undoText
}

// undoLast proposes to undo the newest job.
func (m *Model) undoLast() tea.Cmd {
	group, refusal := m.undoableChanges(), m.undoRefusal()
	if len(group) == 0 {
		return m.warn(cmp.Or(refusal, "There is nothing to undo."))
	}
	proposal := operations.Proposal{Summary: "undo: " + m.undoTitle(), Irreversible: "Undo?"}
	if refusal != "" {
		proposal.Lines = append(proposal.Lines, operations.Line{Text: refusal + " The change before it:", Warning: true})
	}
	for _, u := range group {
		proposal.Steps = append(proposal.Steps, u.undo.Step)
		proposal.Lines = append(proposal.Lines, operations.Line{Text: model.Capitalize(u.undo.Title) + "."})
	}
	started, effect := session.Propose(operations.Operation{ID: undoOperation, Title: "Undo"}, m.operationInput(""), proposal)
	return m.carryOut(&operationSession{Session: started}, effect)
}

// removeUndos forgets changes that have been undone.
func (m *Model) removeUndos(steps []operations.Step) {
	m.jobs.undoSnapshot = nil
	m.jobs.undos = slices.DeleteFunc(m.jobs.undos, func(u undoable) bool {
		return slices.ContainsFunc(steps, func(s operations.Step) bool {
			return s.Label == u.undo.Step.Label && s.Object == u.undo.Step.Object
		})
	})
}
