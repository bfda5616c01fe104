package ui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
)

func pageHandlers() map[string]handler {
	return map[string]handler{
		"look.jobs": does(func(m *Model) { m.openPage(keymaps.Jobs) }),
		"look.webhooks": alone(func(m *Model) tea.Cmd {
			m.openPage(keymaps.Webhooks)
			return m.readWebhooks()
		}),
		"look.events": alone(func(m *Model) tea.Cmd {
			m.openPage(keymaps.Events)
			return m.readEvents()
		}),
		"look.connection": alone((*Model).openConnection),
	}
}

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
	return m.run(lookUpLimit, func(ctx context.Context) any {
		list, err := client.Webhooks(ctx)
		return webhooksRead{list, err}
	})
}

func (r webhooksRead) arrive(m *Model) tea.Cmd {
	if r.err != nil {
		m.fail("Webhooks", r.err)
		return nil
	}
	rows := make([]*model.Webhook, len(r.list))
	for i := range r.list {
		rows[i] = &r.list[i]
	}
	// The ones that need someone to look at them stand first.
	slices.SortStableFunc(rows, func(a, b *model.Webhook) int { return boolRank(a.IsEnabled.Or(true)) - boolRank(b.IsEnabled.Or(true)) })
	m.page.webhooks.SetRows(rows, nil)
	m.page.webhooks.SetEmpty("There are no webhooks. " + m.keyOf("create.webhook") + " makes one.")
	return nil
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// chosenWebhooks is the webhook under the cursor.
func (p *page) chosenWebhooks() []model.Webhook {
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
	health := "It is called when the event happens."
	if enabled, known := w.IsEnabled.Get(); known && !enabled {
		health = "Disabled: too many deliveries failed in a row, and it is called no more. Mend the receiver, then delete this one and create it again."
	}
	return m.open(&reader{title: "Webhook", lines: m.wrapped(
		w.URL, fmt.Sprintf("when %s (trigger %d)", w.Trigger.Name(), int(w.Trigger)), fmt.Sprintf("delivered %d times", int64(w.Count)),
		"id "+string(w.ID), "", health,
	)})
}
