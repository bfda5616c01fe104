package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/feed"
	"waybill/ui/inbox"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// eventLog is the events of an account: those of the service's log as far as it was read, and those that arrived here.
type eventLog struct {
	read []*model.LoggedEvent // of the log, the newest first
	// came are those that arrived and were not seen in the log yet, the newest first. Their ids count down from -1.
	came  []*model.LoggedEvent
	count model.Int
	shown []*model.LoggedEvent

	asking bool
	asked  time.Time
	note   string
}

const (
	eventsEvery = 3 * time.Second
	eventsMost  = 2000
	// bodiesMost is how many of the events that arrived keep their body; of older ones only the line stays.
	bodiesMost = 256
)

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
	if len(log.read) > 0 {
		newest = log.read[0].ID
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
		log.note = "this service keeps no log that can be read; --receive has it send its events here"
		log.asked = m.now().Add(time.Hour)
		return nil
	case r.err != nil:
		log.note = r.err.Error()
		return nil
	}
	log.note = "the newest first"
	at, _ := m.page.events.CursorRow()
	replaced := log.learn(r.log.Events)
	m.showEvents()
	if id, ok := replaced[at]; ok && m.page.events.CursorID() != eventKey(log.shown) {
		m.page.events.SetCursor(strconv.FormatInt(int64(id), 10))
	}
	return nil
}

// showEvents lists what there is. Who is at the newest event stays with the newest; who has moved stays where they are.
func (m *Model) showEvents() {
	list, log := m.page.events, &m.page.log
	follow := list.CursorID() == eventKey(log.shown)
	log.shown = log.rows()
	list.SetRows(log.shown, nil)
	if follow {
		list.SetCursor(eventKey(log.shown))
	}
}

// eventKey is the first row's name in the list.
func eventKey(rows []*model.LoggedEvent) string {
	if len(rows) == 0 {
		return ""
	}
	return strconv.FormatInt(int64(rows[0].ID), 10)
}

// learn takes what the log has. What arrived here before it was in the log is known by its delivery: the log's line,
// which names all webhooks, takes its place.
func (l *eventLog) learn(newer []model.LoggedEvent) (replaced map[*model.LoggedEvent]model.Int) {
	replaced = map[*model.LoggedEvent]model.Int{}
	came := map[model.ID]*model.LoggedEvent{}
	for _, e := range l.came {
		if len(e.Deliveries) > 0 {
			came[e.Deliveries[0].ID] = e
		}
	}
	read := make([]*model.LoggedEvent, 0, len(newer)+len(l.read))
	for i := range newer {
		e := &newer[i]
		for at := range e.Deliveries {
			if here := came[e.Deliveries[at].ID]; here != nil {
				e.Deliveries[at].State, e.Deliveries[at].Outcome = model.DeliveryDelivered, here.Deliveries[0].Outcome
				replaced[here] = e.ID
				l.came = slices.DeleteFunc(l.came, func(c *model.LoggedEvent) bool { return c == here })
			}
		}
		read = append(read, e)
	}
	read = append(read, l.read...)
	l.read = read[:min(len(read), eventsMost)]
	return replaced
}

// receive takes an event that arrived, unless the log was quicker.
func (l *eventLog) receive(e *inbox.Event) {
	const here = "received here"
	if e.Delivery != "" {
		for _, known := range l.read {
			at := slices.IndexFunc(known.Deliveries, func(d model.Delivery) bool { return d.ID == e.Delivery })
			if at >= 0 {
				known.Deliveries[at].State, known.Deliveries[at].Outcome = model.DeliveryDelivered, here
				return
			}
		}
	}
	l.count--
	row := &model.LoggedEvent{
		ID: l.count, Time: e.Time, TriggerID: e.TriggerID, TriggerName: e.TriggerName, TaskID: e.TaskID, WorkerID: e.WorkerID,
		ActionContext: e.ActionContext,
		Deliveries:    []model.Delivery{{ID: e.Delivery, State: model.DeliveryDelivered, Attempts: 1, Outcome: here}},
	}
	if e.Body != nil {
		row.Body = model.Some(e.Body)
	}
	l.came = slices.Insert(l.came, 0, row)
	if len(l.came) > bodiesMost {
		l.came[bodiesMost].Body = model.Opt[model.Raw]{}
	}
	l.came = l.came[:min(len(l.came), eventsMost)]
}

// rows are all of them, the newest first.
func (l *eventLog) rows() []*model.LoggedEvent {
	rows := slices.Concat(l.came, l.read)
	slices.SortStableFunc(rows, func(a, b *model.LoggedEvent) int { return cmp.Compare(b.Time, a.Time) })
	return rows[:min(len(rows), eventsMost)]
}

// eventObject names what an event is about, as the board knows it.
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
		return "worker " + string(id)
	}
	return ""
}

// openEventObject looks at what the event under the cursor is about; one about nothing is shown itself.
func (m *Model) openEventObject() tea.Cmd {
	e, ok := m.page.events.CursorRow()
	if !ok {
		return nil
	}
	if id, ok := e.TaskID.Get(); ok {
		return m.openDetail(feed.Target{Kind: feed.TaskDetail, ID: id})
	}
	if id, ok := e.WorkerID.Get(); ok {
		return m.openDetail(feed.Target{Kind: feed.WorkerDetail, ID: id})
	}
	return m.openEvent()
}

// eventOpened is an event with its body.
type eventOpened struct {
	event model.LoggedEvent
	err   error
}

func (m *Model) openEvent() tea.Cmd {
	e, ok := m.page.events.CursorRow()
	client := m.account.Client
	if !ok || client == nil {
		return nil
	}
	if e.ID < 0 { // it is here as it came
		return eventOpened{event: *e}.arrive(m)
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
	title := fmt.Sprintf("%s (trigger %d)", e.TriggerName, int(e.TriggerID))
	if e.ID > 0 {
		title += fmt.Sprintf(", event %d", int64(e.ID))
	}
	texts := []string{title, "at " + model.FormatTime(e.Time, m.zone()), m.eventObject(e), ""}
	for _, d := range e.Deliveries {
		if d.Webhook == "" {
			texts = append(texts, d.Outcome)
			continue
		}
		text := fmt.Sprintf("webhook %s: %s after %d tries", d.Webhook, d.State, int64(d.Attempts))
		if d.Outcome != "" {
			text += ", " + d.Outcome
		}
		texts = append(texts, text)
	}
	body, ok := e.Body.Get()
	if !ok && e.ID < 0 {
		texts = append(texts, "Its body is not kept any more, or was too large to be kept.")
	}
	lines := m.wrapped(texts...)
	if ok {
		t := &textLines{measure: m.look.theme.Measure, width: m.readerWidth()}
		for line := range strings.SplitSeq(indented(body), "\n") {
			t.verbatim(theme.Muted, line)
		}
		lines = append(append(lines, views.Span{}), t.lines...)
	}
	return m.open(&reader{title: "Event", lines: lines})
}
