package ui

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"waybill/operations"
)

// undoable is a change that could be taken back.
type undoable struct {
	undo operations.Undo
	job  int
}

func jobHandlers() map[string]handler {
	all := pageHandlers()
	all["console.undo"] = withoutArgument((*Model).undoLast)
	all["route.candidates"] = withoutArgument((*Model).openCandidates)
	withJob := func(do func(m *Model, j *job) tea.Cmd) handler {
		return withoutArgument(func(m *Model) tea.Cmd {
			if j := m.currentJob(); j != nil {
				return do(m, j)
			}
			return nil
		})
	}
	all["job.cancel"] = withJob((*Model).stopJob)
	all["job.retry"] = withJob((*Model).retryJob)
	all["job.failed"] = withJob((*Model).writeFailed)
	return all
}

// undoableChanges are the changes of the last job of which some can still be taken back.
func (m *Model) undoableChanges() []undoable {
	snapshot := m.panes.Snapshot()
	var group []undoable
	for _, u := range slices.Backward(m.jobs.undos) {
		if len(group) > 0 && u.job != group[0].job {
			break
		}
		if u.undo.Unavailable == nil || u.undo.Unavailable(snapshot) == "" {
			group = append(group, u)
		}
	}
	slices.Reverse(group)
	return group
}

// undoRefusal says why what was done last cannot be taken back any more; nothing when it can.
func (m *Model) undoRefusal() string {
	if len(m.jobs.undos) == 0 {
		return ""
	}
	last := &m.jobs.undos[len(m.jobs.undos)-1].undo
	if last.Unavailable == nil {
		return ""
	}
	if why := last.Unavailable(m.panes.Snapshot()); why != "" {
		return "Too late to undo: " + why
	}
	return ""
}

// undoTitle is what undo would take back, or why it cannot any more. It is asked for with every frame, and looked up only when something changed.
func (m *Model) undoTitle() string {
	h, snapshot := &m.jobs, m.panes.Snapshot()
	if h.undoSnapshot == snapshot && h.undoCount == len(h.undos) {
		return h.undoText
	}
	group := m.undoableChanges()
	h.undoText = m.undoRefusal() // there is something to say, so the key answers
	if len(group) > 0 {
		h.undoText = group[0].undo.Title
	}
	if len(group) > 1 {
		h.undoText = fmt.Sprintf("%s and %d more", h.undoText, len(group)-1)
	}
	h.undoSnapshot, h.undoCount = snapshot, len(h.undos)
	return h.undoText
}

// undoLast proposes to take back what was done last.
func (m *Model) undoLast() tea.Cmd {
	group := m.undoableChanges()
	why := m.undoRefusal()
	if len(group) == 0 {
		m.warn(cmp.Or(why, "There is nothing to undo."))
		return nil
	}
	plan := operations.Proposal{Summary: "undo: " + m.undoTitle(), Irreversible: "Take it back?"}
	if why != "" {
		plan.Lines = append(plan.Lines, operations.Line{Text: why + " This was done before it:", Warning: true})
	}
	for _, u := range group {
		plan.Steps = append(plan.Steps, u.undo.Step)
		plan.Lines = append(plan.Lines, operations.Line{Text: upperFirst(u.undo.Title) + "."})
	}
	v := operations.Operation{ID: "console.undo", Title: "Undo"}
	return m.showProposal(v, m.operationInput(""), plan, nil)
}

// forgetUndo drops what has been taken back.
func (m *Model) forgetUndo(steps []operations.Step) {
	m.jobs.undoSnapshot = nil
	kept := m.jobs.undos[:0]
	for _, u := range m.jobs.undos {
		taken := false
		for i := range steps {
			taken = taken || steps[i].Label == u.undo.Step.Label && steps[i].Object == u.undo.Step.Object
		}
		if !taken {
			kept = append(kept, u)
		}
	}
	m.jobs.undos = kept
}
