package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/layout"
	"waybill/ui/theme"
	"waybill/views"
)

// eventLog is how far the log of events has been read.
type eventLog struct {
	events []*model.LoggedEvent // the newest first
	asking bool
	asked  time.Time
	note   string
}

const (
	eventsEvery = 3 * time.Second
	eventsMost  = 2000
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
	if w, ok := p.webhooks.Current(); ok {
		return []model.Webhook{*w}
	}
	return nil
}

func (m *Model) openWebhook() tea.Cmd {
	w, ok := m.page.webhooks.Current()
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

// eventsRead is the newest part of the log.
type eventsRead struct {
	log model.EventLog
	err error
}

// readEvents asks for the newest events, if the page is open and it is time.
func (m *Model) readEvents() tea.Cmd {
	log, client := &m.page.log, m.account.Client
	if client == nil || log.asking || m.screen != layout.Page || m.page.scope != keymaps.Events || m.now().Sub(log.asked) < eventsEvery {
		return nil
	}
	log.asking, log.asked = true, m.now()
	newest := model.Int(0)
	if len(log.events) > 0 {
		newest = log.events[0].ID
	}
	return m.run(lookUpLimit, func(ctx context.Context) any {
		ctx = apiclient.WithPriority(ctx, apiclient.PriorityVisible)
		if newest == 0 {
			page, err := client.EventLog(ctx, 0)
			return eventsRead{page, err}
		}
		page, err := client.EventsSince(ctx, newest)
		return eventsRead{page, err}
	})
}

func (r eventsRead) arrive(m *Model) tea.Cmd {
	log := &m.page.log
	log.asking = false
	switch {
	case errors.Is(r.err, apiclient.ErrUnsupportedRoute), errors.Is(r.err, apiclient.ErrNotFound):
		log.note = "this service keeps no log that can be read; run `waybill webhooks listen` beside the console instead"
		log.asked = m.now().Add(time.Hour)
		return nil
	case r.err != nil:
		log.note = r.err.Error()
		return nil
	}
	log.note = "the newest first"
	merged := make([]*model.LoggedEvent, 0, len(r.log.Events)+len(log.events))
	for i := range r.log.Events {
		merged = append(merged, &r.log.Events[i])
	}
	merged = append(merged, log.events...)
	merged = merged[:min(len(merged), eventsMost)]
	log.events = merged
	m.page.events.SetRows(merged, nil)
	return nil
}

// eventObject names what an event is about, as the board knows it.
func (m *Model) eventObject(e *model.LoggedEvent) string {
	board := m.panes.Snapshot()
	if id, ok := e.TaskID.Get(); ok {
		if row := board.Tasks.Get(id); row != nil {
			return "task " + string(row.ShortID) + " " + row.RecipientName
		}
		return "task " + string(id)
	}
	if id, ok := e.WorkerID.Get(); ok {
		if row := board.Workers.Get(id); row != nil {
			return row.Name
		}
		return "worker " + string(id)
	}
	return ""
}

// eventOpened is an event with its body.
type eventOpened struct {
	event model.LoggedEvent
	err   error
}

func (m *Model) openEvent() tea.Cmd {
	e, ok := m.page.events.Current()
	client := m.account.Client
	if !ok || client == nil {
		return nil
	}
	return m.run(lookUpLimit, func(ctx context.Context) any {
		full, err := client.LoggedEvent(ctx, e.ID)
		return eventOpened{full, err}
	})
}

func (o eventOpened) arrive(m *Model) tea.Cmd {
	if o.err != nil {
		m.fail("Event", o.err)
		return nil
	}
	e := &o.event
	texts := []string{
		fmt.Sprintf("%s (trigger %d), event %d", e.TriggerName, int(e.TriggerID), int64(e.ID)),
		"at " + model.FormatTime(e.Time, m.zone()), m.eventObject(e), "",
	}
	for _, d := range e.Deliveries {
		texts = append(texts, fmt.Sprintf("webhook %s: %s after %d tries, %s", d.Webhook, d.State, int64(d.Attempts), d.Outcome))
	}
	lines := m.wrapped(texts...)
	if body, ok := e.Body.Get(); ok {
		t := &textLines{measure: m.look.theme.Measure, width: m.readerWidth()}
		for line := range strings.SplitSeq(indented(body), "\n") {
			t.verbatim(theme.Muted, line)
		}
		lines = append(append(lines, views.Span{}), t.lines...)
	}
	return m.open(&reader{title: "Event", lines: lines})
}
