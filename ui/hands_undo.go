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

func handHandlers() map[string]handler {
	all := pageHandlers()
	all["console.undo"] = alone((*Model).undoLast)
	all["route.candidates"] = alone((*Model).openCandidates)
	withJob := func(do func(m *Model, j *job) tea.Cmd) handler {
		return alone(func(m *Model) tea.Cmd {
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

// lastUndo are the changes of the last job of which some can still be taken back.
func (m *Model) lastUndo() []undoable {
	snapshot := m.panes.Snapshot()
	var group []undoable
	for _, u := range slices.Backward(m.hands.undo) {
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

// lastStuck says why what was done last cannot be taken back any more; nothing when it can.
func (m *Model) lastStuck() string {
	if len(m.hands.undo) == 0 {
		return ""
	}
	last := &m.hands.undo[len(m.hands.undo)-1].undo
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
	h, snapshot := &m.hands, m.panes.Snapshot()
	if h.asOf == snapshot && h.known == len(h.undo) {
		return h.title
	}
	group := m.lastUndo()
	h.title = m.lastStuck() // there is something to say, so the key answers
	if len(group) > 0 {
		h.title = group[0].undo.Title
	}
	if len(group) > 1 {
		h.title = fmt.Sprintf("%s and %d more", h.title, len(group)-1)
	}
	h.asOf, h.known = snapshot, len(h.undo)
	return h.title
}

// undoLast proposes to take back what was done last.
func (m *Model) undoLast() tea.Cmd {
	group := m.lastUndo()
	why := m.lastStuck()
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
	return m.propose(v, m.scene(""), plan, nil)
}

// forgetUndo drops what has been taken back.
func (m *Model) forgetUndo(steps []operations.Step) {
	m.hands.asOf = nil
	kept := m.hands.undo[:0]
	for _, u := range m.hands.undo {
		taken := false
		for i := range steps {
			taken = taken || steps[i].Label == u.undo.Step.Label && steps[i].Object == u.undo.Step.Object
		}
		if !taken {
			kept = append(kept, u)
		}
	}
	m.hands.undo = kept
}
