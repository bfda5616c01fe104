package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
)

func (m *Model) readWebhooks() tea.Cmd {
	if m.account.Client == nil {
		return nil
	}
	return read(m, "Webhooks", m.account.Client.Webhooks, (*Model).showWebhooks)
}

// showWebhooks lists the webhooks, those that need attention first.
func (m *Model) showWebhooks(list []model.Webhook) tea.Cmd {
	var disabled, enabled []*model.Webhook
	for i := range list {
		if w := &list[i]; w.IsEnabled.Or(true) {
			enabled = append(enabled, w)
		} else {
			disabled = append(disabled, w)
		}
	}
	m.page.webhooks.SetRows(slices.Concat(disabled, enabled), nil)
	m.page.webhooks.SetEmpty("No webhooks. " + m.keyFor("create.webhook") + " creates one.")
	return nil
}

// selectedWebhooks is the webhook under the cursor.
func (p *page) selectedWebhooks() []model.Webhook {
	if p.scope != keymaps.Webhooks {
		return nil
	}
	if w, ok := p.webhooks.CursorRow(); ok {
		return []model.Webhook{*w}
	}
	return nil
}

func (m *Model) openWebhook() tea.Cmd {
	w, ok := m.page.webhooks.CursorRow()
	if !ok {
		return nil
	}
	health := "Enabled: the service calls it when the event happens."
	if enabled, known := w.IsEnabled.Get(); known && !enabled {
		health = "Disabled: too many deliveries failed in a row. Repair the receiver, then delete this webhook and create it again."
	}
	return m.openReader("Webhook", m.wrapTexts(
		w.URL, fmt.Sprintf("when %s (trigger %d)", w.Trigger.Name(), int(w.Trigger)),
		"delivered "+plural(int(w.Count), "time", "times"), "id "+string(w.ID), "", health,
	))
}
