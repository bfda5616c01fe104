package ui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
)

// webhooksRead is the list of webhooks.
type webhooksRead struct {
	list []model.Webhook
	err  error
}

func (m *Model) readWebhooks() tea.Cmd {
	client := m.account.Client
	if client == nil {
		return nil
	}
	return m.run(readTimeout, func(ctx context.Context) result {
		list, err := client.Webhooks(ctx)
		return webhooksRead{list, err}
	})
}

func (r webhooksRead) apply(m *Model) tea.Cmd {
	if r.err != nil {
		return m.fail("Webhooks", r.err)
	}
	var disabled, enabled []*model.Webhook
	for i := range r.list {
		if w := &r.list[i]; w.IsEnabled.Or(true) {
			enabled = append(enabled, w)
		} else {
			disabled = append(disabled, w)
		}
	}
	m.page.webhooks.SetRows(slices.Concat(disabled, enabled), nil) // those that need attention first
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
