package ui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/journal"
	"waybill/ui/dialog"
)

const diskTimeout = 10 * time.Second

// draftKey names the draft of a session: what is new does not depend on the selection.
func (m *Model) draftKey(s *operationSession) journal.DraftKey {
	key := journal.DraftKey{Account: m.accountID(), Operation: s.Operation.ID}
	if s.Operation.Creates() {
		return key
	}
	var objects []string
	for _, ids := range [][]model.ID{s.Input.Tasks, s.Input.Workers, s.Input.Orders} {
		for _, id := range ids {
			objects = append(objects, string(id))
		}
	}
	key.Object = strings.Join(objects, " ")
	return key
}

// loadDraft opens a form, after reading its draft where this console has none of its own.
func (m *Model) loadDraft(s *operationSession, values form.Values) tea.Cmd {
	key, drafts := m.draftKey(s), m.options.Drafts
	if _, known := m.jobs.drafts[key]; known || drafts == nil {
		return m.openForm(s, values)
	}
	wait := m.openWaiting(s)
	return m.run(diskTimeout, func(context.Context) result {
		draft, found, err := drafts.Load(key)
		return func(m *Model) tea.Cmd {
			if err == nil && found && draft.Values != nil {
				m.jobs.drafts[key] = draft.Values
			}
			if !m.closeWaiting(wait) {
				return nil
			}
			return tea.Batch(m.openForm(s, values), m.replayKeys(wait.Typed))
		}
	})
}

// changeDraft saves or deletes a draft completely, even if the account is left meanwhile.
func (m *Model) changeDraft(change func() error) tea.Cmd {
	return m.run(diskTimeout, func(context.Context) result {
		err := change()
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.warn(model.Capitalize(err.Error()))
			}
			return nil
		}
	})
}

// saveDueDrafts saves what is being typed at the first pause.
func (m *Model) saveDueDrafts() tea.Cmd {
	var cmds []tea.Cmd
	for _, open := range m.dialogs {
		if f, ok := open.Dialog.(*dialog.Form); ok && f.IsDraftDue() {
			cmds = append(cmds, open.respond(m, dialog.SaveDraft{}))
		}
	}
	return tea.Batch(cmds...)
}

// saveDraft saves the values of a form if they have changed; a form without changes has no draft.
//
//nolint:contextcheck // a draft is written completely
func (m *Model) saveDraft(s *operationSession) tea.Cmd {
	values, changed, ok := s.form.TakeDraft()
	if !ok {
		return nil
	}
	if !changed {
		return m.deleteDraft(s)
	}
	key, drafts, spec := m.draftKey(s), m.options.Drafts, &s.Operation.Form
	m.jobs.drafts[key] = values.Clone()
	if drafts == nil {
		return nil
	}
	saved := values.Clone()
	return m.changeDraft(func() error { return drafts.Save(key, spec, saved) })
}

// deleteDraft deletes the draft of a session where there is one.
//
//nolint:contextcheck // a draft is deleted completely
func (m *Model) deleteDraft(s *operationSession) tea.Cmd {
	key, drafts := m.draftKey(s), m.options.Drafts
	_, known := m.jobs.drafts[key]
	m.jobs.drafts[key] = nil
	if drafts == nil || !known {
		return nil
	}
	return m.changeDraft(func() error { return drafts.Delete(key) })
}
