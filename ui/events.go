package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/feed"
	"waybill/ui/inbox"
	"waybill/views/layout"
	"waybill/views/theme"
)

// eventLog is the events of an account: those read from the log of the service, and those received here.
type eventLog struct {
	logged []*model.LoggedEvent // from the log, the newest first
	// received are the events that are not in the log yet, the newest first. Their ids count down from -1.
	received []*model.LoggedEvent
	count    model.Int
	shown    []*model.LoggedEvent

	asking bool
	asked  time.Time
	note   string
}

const (
	eventsEvery = 3 * time.Second
	maxEvents   = 2000
	// maxEventBodies is how many received events keep their body.
	maxEventBodies = 256
)

// readEvents requests the newest events if the page is open and the interval is over.
func (m *Model) readEvents() tea.Cmd {
	log, client := &m.page.log, m.account.Client
	if client == nil || log.asking || m.screen != layout.Page || m.page.scope != keymaps.Events || m.now().Sub(log.asked) < eventsEvery {
		return nil
	}
	log.asking, log.asked = true, m.now()
	newest := model.Int(0)
	if len(log.logged) > 0 {
		newest = log.logged[0].ID
	}
	return m.run(readTimeout, func(ctx context.Context) result {
		ctx = apiclient.WithPriority(ctx, apiclient.PriorityVisible)
		readPart := client.EventsSince
		if newest == 0 {
			readPart = client.EventLog
		}
		page, err := readPart(ctx, newest)
		return func(m *Model) tea.Cmd { return m.addEvents(page.Events, err) }
	})
}

// addEvents adds the newest part of the log.
func (m *Model) addEvents(newer []model.LoggedEvent, err error) tea.Cmd {
	log := &m.page.log
	log.asking = false
	switch {
	case errors.Is(err, apiclient.ErrUnsupportedRoute), errors.Is(err, apiclient.ErrNotFound):
		log.note = "this service has no event log; use --receive to receive its events"
		log.asked = m.now().Add(time.Hour)
		return nil
	case err != nil:
		log.note = err.Error()
		return nil
	}
	log.note = "newest first"
	at, _ := m.page.events.CursorRow()
	replaced := log.addLogged(newer)
	m.showEvents()
	if id, ok := replaced[at]; ok && m.page.events.CursorID() != eventKey(log.shown) {
		m.page.events.SetCursor(strconv.FormatInt(int64(id), 10))
	}
	return nil
}

// showEvents updates the list. A cursor on the newest event stays on the newest; any other stays on its event.
func (m *Model) showEvents() {
	list, log := m.page.events, &m.page.log
	follow := list.CursorID() == eventKey(log.shown)
	log.shown = log.rows()
	list.SetRows(log.shown)
	if follow {
		list.SetCursor(eventKey(log.shown))
	}
}

// eventKey is the id of the first row.
func eventKey(rows []*model.LoggedEvent) string {
	if len(rows) == 0 {
		return ""
	}
	return strconv.FormatInt(int64(rows[0].ID), 10)
}

// addLogged adds newer events of the log. A received event with the same delivery is replaced, since the log knows all
// webhooks of the event. It returns the ids that replace received events.
func (l *eventLog) addLogged(newer []model.LoggedEvent) (replaced map[*model.LoggedEvent]model.Int) {
	replaced = map[*model.LoggedEvent]model.Int{}
	byDelivery := map[model.ID]*model.LoggedEvent{}
	for _, e := range l.received {
		if len(e.Deliveries) > 0 {
			byDelivery[e.Deliveries[0].ID] = e
		}
	}
	read := make([]*model.LoggedEvent, 0, len(newer)+len(l.logged))
	for i := range newer {
		e := &newer[i]
		for at := range e.Deliveries {
			if received := byDelivery[e.Deliveries[at].ID]; received != nil {
				e.Deliveries[at].State, e.Deliveries[at].Outcome = model.DeliveryDelivered, received.Deliveries[0].Outcome
				replaced[received] = e.ID
				l.received = slices.DeleteFunc(l.received, func(c *model.LoggedEvent) bool { return c == received })
			}
		}
		read = append(read, e)
	}
	read = append(read, l.logged...)
	l.logged = read[:min(len(read), maxEvents)]
	return replaced
}

// addReceived adds a received event, unless the log has it already.
func (l *eventLog) addReceived(e *inbox.Event) {
	const outcome = "received here"
	if e.Delivery != "" {
		for _, known := range l.logged {
			at := slices.IndexFunc(known.Deliveries, func(d model.Delivery) bool { return d.ID == e.Delivery })
			if at >= 0 {
				known.Deliveries[at].State, known.Deliveries[at].Outcome = model.DeliveryDelivered, outcome
				return
			}
		}
	}
	l.count--
	row := &model.LoggedEvent{
		ID: l.count, Time: e.Time, TriggerID: e.TriggerID, TriggerName: e.TriggerName, TaskID: e.TaskID, WorkerID: e.WorkerID,
		ActionContext: e.ActionContext,
		Deliveries:    []model.Delivery{{ID: e.Delivery, State: model.DeliveryDelivered, Attempts: 1, Outcome: outcome}},
	}
	if e.Body != nil {
		row.Body = model.Some(e.Body)
	}
	l.received = slices.Insert(l.received, 0, row)
	if len(l.received) > maxEventBodies {
		l.received[maxEventBodies].Body = model.Opt[model.Raw]{}
	}
	l.received = l.received[:min(len(l.received), maxEvents)]
}

// rows are all events, the newest first.
func (l *eventLog) rows() []*model.LoggedEvent {
	rows := slices.Concat(l.received, l.logged)
	slices.SortStableFunc(rows, func(a, b *model.LoggedEvent) int { return cmp.Compare(b.Time, a.Time) })
	return rows[:min(len(rows), maxEvents)]
}

// eventObject names the object of an event.
func (m *Model) eventObject(e *model.LoggedEvent) string {
	snapshot := m.panes.Snapshot()
	if id, ok := e.TaskID.Get(); ok {
		if row := snapshot.Tasks.Get(id); row != nil {
			return "task " + string(row.ShortID) + " " + row.RecipientName
		}
		return "task " + string(id)
	}
	if id, ok := e.WorkerID.Get(); ok {
		if row := snapshot.Workers.Get(id); row != nil {
			return row.Name
		}
		return "driver " + string(id)
	}
	return ""
}

// openEventObject opens the object of the event under the cursor, or the event itself if it has none.
func (m *Model) openEventObject() tea.Cmd {
	e, ok := m.page.events.CursorRow()
	if !ok {
		return nil
	}
	if id, ok := e.TaskID.Get(); ok {
		return m.openDetail(feed.Target{Kind: feed.Task, ID: id})
	}
	if id, ok := e.WorkerID.Get(); ok {
		return m.openDetail(feed.Target{Kind: feed.Worker, ID: id})
	}
	return m.openEvent()
}

func (m *Model) openEvent() tea.Cmd {
	e, ok := m.page.events.CursorRow()
	client := m.account.Client
	if !ok || client == nil {
		return nil
	}
	if e.ID < 0 { // a received event is complete
		return m.showEvent(*e)
	}
	return read(m, "Event", func(ctx context.Context) (model.LoggedEvent, error) { return client.LoggedEvent(ctx, e.ID) }, (*Model).showEvent)
}

// showEvent shows an event with its body.
func (m *Model) showEvent(e model.LoggedEvent) tea.Cmd {
	title := fmt.Sprintf("%s (trigger %d)", e.TriggerName, int(e.TriggerID))
	if e.ID > 0 {
		title += fmt.Sprintf(", event %d", int64(e.ID))
	}
	texts := []string{title, "at " + model.FormatTime(e.Time, m.zone()), m.eventObject(&e), ""}
	for _, d := range e.Deliveries {
		if d.Webhook == "" {
			texts = append(texts, d.Outcome)
			continue
		}
		text := fmt.Sprintf("webhook %s: %s after %s", d.Webhook, d.State, plural(int(d.Attempts), "try", "tries"))
		if d.Outcome != "" {
			text += ", " + d.Outcome
		}
		texts = append(texts, text)
	}
	body, ok := e.Body.Get()
	if !ok && e.ID < 0 {
		texts = append(texts, "The body is no longer available, or was too large to keep.")
	}
	t := m.newText()
	t.AddParagraphs(theme.Text, texts...)
	if ok {
		t.AddGap()
		t.AddJSON(theme.Muted, body)
	}
	return m.openReader("Event", t.Lines)
}
