package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/ui/dialog"
	"waybill/views"
	"waybill/views/layout"
)

// openedDialog is a dialog on the screen and what the console does with its actions.
type openedDialog struct {
	dialog.Dialog
	respond responder
}

// responder carries out the actions of a dialog. It is nil for a dialog that can only be closed.
type responder func(m *Model, a dialog.Action) tea.Cmd

// topDialog is the dialog that takes the keys, or nil.
func (m *Model) topDialog() dialog.Dialog {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1].Dialog
}

// openDialog puts a dialog on top. Rows stay where they are meanwhile, so that a choice is about what was seen.
func (m *Model) openDialog(d dialog.Dialog, respond responder) tea.Cmd {
	if len(m.dialogs) == 0 && d.Placement(m.dialogContext()).Kind != layout.NoDialog {
		for _, p := range m.panes.Panes {
			p.Marks().SetFrozen(true)
		}
	}
	m.dialogs = append(m.dialogs, openedDialog{d, respond})
	m.keyboard.Reset()
	return nil
}

func (m *Model) closeDialog() {
	if len(m.dialogs) == 0 {
		return
	}
	m.dialogs = m.dialogs[:len(m.dialogs)-1]
	if len(m.dialogs) == 0 {
		for _, p := range m.panes.Panes {
			p.Marks().SetFrozen(false)
		}
	}
	m.keyboard.Reset()
}

// dialogContext is what dialogs draw themselves with.
func (m *Model) dialogContext() *dialog.Context {
	return &dialog.Context{Theme: m.appearance.theme, Width: m.width, Now: m.options.Now(), KeyFor: m.keyFor}
}

// handleDialogAction carries out an action of the dialog on top.
func (m *Model) handleDialogAction(a dialog.Action) tea.Cmd {
	if a == nil || len(m.dialogs) == 0 {
		return nil
	}
	top := m.dialogs[len(m.dialogs)-1]
	switch a := a.(type) {
	case dialog.Inform:
		return m.inform(a.Text)
	case dialog.Warn:
		return m.warn(a.Text)
	case dialog.Close:
		m.closeDialog()
	}
	if top.respond == nil {
		return nil
	}
	return top.respond(m, a)
}

// gracePeriod is how long a dialog that opens by itself takes no key: a key meant for what lies under it must not close,
// send or change anything unread.
const gracePeriod = 500 * time.Millisecond

// startGracePeriod is called before a dialog is opened that nobody asked for at this moment.
func (m *Model) startGracePeriod() { m.graceEnds = m.options.Now().Add(gracePeriod) }

// inGracePeriod reports that the dialog on top has opened too recently to take a key.
func (m *Model) inGracePeriod() bool {
	return len(m.dialogs) > 0 && m.options.Now().Before(m.graceEnds)
}

// openFor opens a dialog that ends with an action of one type. It is closed before the action is carried out.
func openFor[A dialog.Action](m *Model, d dialog.Dialog, do func(m *Model, a A) tea.Cmd) tea.Cmd {
	return m.openDialog(d, func(m *Model, a dialog.Action) tea.Cmd {
		wanted, ok := a.(A)
		if !ok {
			return nil
		}
		m.closeDialog()
		return do(m, wanted)
	})
}

// menuItem is a line of a menu and what it does.
type menuItem struct {
	label, note string
	disabled    string // why it cannot be chosen; empty if it can
	run         func(m *Model) tea.Cmd
}

func (m *Model) openMenu(title string, items []menuItem) tea.Cmd {
	return m.openMenuAs(keymaps.Menu, title, items, "choose")
}

// openMenuAs opens a menu with keys of its own. The verb says what enter does.
func (m *Model) openMenuAs(scope keymaps.Scope, title string, items []menuItem, verb string) tea.Cmd {
	choices := make([]views.Choice, len(items))
	for i, item := range items {
		choices[i] = views.Choice{Label: item.label, Note: item.note, Disabled: item.disabled}
	}
	return openFor(m, dialog.NewMenu(scope, title, choices, verb), func(m *Model, chosen dialog.Choose) tea.Cmd {
		return items[chosen.Index].run(m)
	})
}

// openPrompt asks for one line of text.
func (m *Model) openPrompt(d *dialog.Prompt, submit func(m *Model, text string) tea.Cmd) tea.Cmd {
	return openFor(m, d, func(m *Model, a dialog.Submit) tea.Cmd { return submit(m, a.Text) })
}

// openQuestion asks for a yes.
func (m *Model) openQuestion(d *dialog.Question, confirm func(m *Model) tea.Cmd) tea.Cmd {
	return openFor(m, d, func(m *Model, _ dialog.Confirm) tea.Cmd { return confirm(m) })
}

// openReader shows a text.
func (m *Model) openReader(title string, lines []views.Span) tea.Cmd {
	return m.openDialog(dialog.NewReader(title, lines), nil)
}

// openWait collects the keys for a dialog that is still being read.
func (m *Model) openWait(text string, respond responder) *dialog.Waiting {
	back, _ := m.keys.Get("back")
	d := dialog.NewWaiting(text, m.options.Now(), back.Keys)
	m.openDialog(d, respond)
	return d
}

// closeWaiting ends a wait, and reports that the user had not cancelled it.
func (m *Model) closeWaiting(d *dialog.Waiting) bool {
	if m.topDialog() != dialog.Dialog(d) {
		return false
	}
	m.closeDialog()
	return true
}

// replayKeys gives the keys typed during a wait to the form that came of it, or to another wait. Nothing else gets
// them: what sends or deletes must be seen first.
func (m *Model) replayKeys(typed []tea.Msg) tea.Cmd {
	top := m.topDialog()
	if wait, ok := top.(*dialog.Waiting); ok {
		wait.Typed = append(wait.Typed, typed...)
		return nil
	}
	if _, ok := top.(*dialog.Form); !ok {
		return nil
	}
	var cmds []tea.Cmd
	for _, msg := range typed {
		if m.topDialog() != top {
			break
		}
		switch msg := msg.(type) {
		case tea.KeyPressMsg:
			cmds = append(cmds, m.handleKey(msg))
		case tea.PasteMsg:
			cmds = append(cmds, m.handlePaste(msg))
		}
	}
	return tea.Batch(cmds...)
}
