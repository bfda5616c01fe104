package ui

import (
	"context"
	"fmt"
	"maps"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/operations/form"
	"waybill/ui/dialog"
	"waybill/ui/session"
)

// openForm shows the form of an operation, with its draft unless other values are given.
func (m *Model) openForm(s *operationSession, values form.Values) tea.Cmd {
	start := m.jobs.drafts[m.draftKey(s)].Clone()
	resumed := start != nil && values == nil
	if values != nil { // a draft is not mixed with given values
		start = form.Values{}
		maps.Copy(start, s.Operation.Form.Start)
		maps.Copy(start, values)
	}
	s.form = dialog.NewForm(dialog.FormOptions{
		Operation: s.Operation, Values: start, Account: m.accountName(), Theme: m.appearance.theme, Now: m.now,
	})
	if resumed && s.form.IsChanged() {
		m.inform("Draft restored. " + m.keyFor("form.reset") + " starts over.")
	}
	m.showForm(s)
	return m.readNotes(s)
}

func (m *Model) showForm(s *operationSession) {
	m.openDialog(s.form, func(m *Model, a dialog.Action) tea.Cmd { return m.handleFormAction(s, a) })
}

func (m *Model) handleFormAction(s *operationSession, a dialog.Action) tea.Cmd {
	switch a := a.(type) {
	case dialog.LeaveField:
		return tea.Batch(m.saveDraft(s), m.readNotes(s))
	case dialog.SaveDraft:
		return m.saveDraft(s)
	case dialog.SubmitForm:
		return m.submitForm(s)
	case dialog.PickOption:
		return openFor(m, dialog.NewPicker(a.Title, a.Options), func(m *Model, accepted dialog.Accept) tea.Cmd {
			s.form.ChooseOption(accepted.ID)
			return tea.Batch(m.saveDraft(s), m.readNotes(s))
		})
	case dialog.CloseForm:
		cmd := m.saveDraft(s)
		m.closeDialog()
		s.Cancel()
		if s.form.IsChanged() {
			m.inform(fmt.Sprintf("Draft saved. %s opens it again.", m.keyFor(s.Operation.ID)))
		}
		return cmd
	}
	return nil
}

// submitForm shows the preview, or what is wrong with the values.
func (m *Model) submitForm(s *operationSession) tea.Cmd {
	if m.account.Client == nil {
		return m.warn(notConnected)
	}
	cmd := m.readNotes(s)
	if s.form.WaitForNotes() {
		return cmd
	}
	if problems := s.form.Check(); len(problems) > 0 {
		return m.showProblems(s, problems)
	}
	effect := s.Submit(s.form.VisibleValues())
	if _, refused := effect.(session.ShowProblems); refused {
		return m.carryOut(s, effect)
	}
	s.form.SetProblems(nil) // earlier problems must not come back with the form
	return tea.Batch(m.saveDraft(s), m.carryOut(s, effect))
}

func (m *Model) showProblems(s *operationSession, problems form.Problems) tea.Cmd {
	s.form.SetProblems(problems)
	text := fmt.Sprintf("%d fields need fixing.", len(problems))
	if len(problems) == 1 {
		text = session.FirstProblem(problems)
	}
	return m.warn(text)
}

// reopenForm shows the form again after a failure, unless the user is busy with another dialog.
func (m *Model) reopenForm(s *operationSession) {
	if s.form != nil && len(m.dialogs) == 0 {
		s.Reopen()
		m.startGracePeriod()
		m.showForm(s)
	}
}

// showNotes shows what the service knows about the values of a form.
func (m *Model) showNotes(s *operationSession, notes map[string]string) tea.Cmd {
	s.form.FinishNotes(notes)
	if cmd := m.readNotes(s); cmd != nil { // the values have changed meanwhile
		return cmd
	}
	if s.form.TakeSubmit() && m.topDialog() == dialog.Dialog(s.form) {
		return m.submitForm(s)
	}
	return nil
}

const notesTimeout = 10 * time.Second

// readNotes asks the service what only it knows about the values of a form.
func (m *Model) readNotes(s *operationSession) tea.Cmd {
	if m.account.Client == nil {
		return nil
	}
	values, needed := s.form.StartNotes()
	if !needed {
		return nil
	}
	client, load := m.account.Client, s.Operation.LoadNotes
	return m.run(notesTimeout, func(ctx context.Context) result {
		notes := load(ctx, client, values)
		return func(m *Model) tea.Cmd { return m.showNotes(s, notes) }
	})
}
