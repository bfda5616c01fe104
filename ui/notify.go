package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/model"
	"waybill/settings"
	"waybill/views"
)

const notifyEvery = 10 * time.Second

// notifyLate records and announces tasks that have just become late.
func (m *Model) notifyLate(before, after *board.Snapshot, delta *board.Delta, fresh bool) tea.Cmd {
	if !fresh || m.feed.Status().Loading {
		return nil
	}
	count, first := 0, ""
	for _, d := range delta.Tasks {
		if d.Kind != board.RowChanged || !d.Fields.Has(board.FieldRisk) {
			continue
		}
		was, is := before.Tasks.Get(d.ID), after.Tasks.Get(d.ID)
		if was == nil || is == nil || was.Risk == board.RiskLate || is.Risk != board.RiskLate {
			continue
		}
		if count++; count == 1 {
			first = string(is.ShortID)
		}
	}
	if count == 0 {
		return nil
	}
	text := first + " is late"
	if count > 1 {
		text = fmt.Sprintf("%d tasks are late, including %s", count, first)
	}
	m.page.record(views.Activity{Time: m.now(), What: "late", Object: first, Result: text})
	return m.notify(text)
}

// notify rings at most once per interval. Desktop notifications are only sent while the terminal window has no focus.
func (m *Model) notify(text string) tea.Cmd {
	now := m.now()
	if now.Sub(m.notifiedAt) < notifyEvery {
		return nil
	}
	sequence := "\a"
	switch way := m.options.Settings.Notifications; {
	case way == settings.NotifyOSC9 && !m.focused:
		sequence = "\x1b]9;" + model.Clean(text) + "\x1b\\"
	case way != settings.NotifyBell:
		return nil
	}
	m.notifiedAt = now
	return tea.Raw(sequence)
}
