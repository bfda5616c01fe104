package ui

import (
	"context"
	"fmt"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/model"
	"waybill/ui/feed"
	"waybill/ui/inbox"
	"waybill/views"
	"waybill/views/theme"
)

// receiverState is the state of the account's receiver.
type receiverState struct {
	open  bool
	state inbox.State
}

// newsMsg is what an account's receiver has received.
type newsMsg struct {
	generation uint64
	news       inbox.News
}

const closeReceiverTimeout = 40 * time.Second

// openReceiver starts receiving events, if the account has a receiver and changes are allowed.
func (m *Model) openReceiver() tea.Cmd {
	if m.account.Receiver == nil || m.receiver.open || m.readOnly.Load() {
		return nil
	}
	m.receiver = receiverState{open: true}
	m.account.Receiver.Open()
	return m.awaitNews()
}

// closeReceiver closes the receiver in the background, so that the next account does not wait for it.
func (m *Model) closeReceiver() tea.Cmd {
	if !m.receiver.open {
		return nil
	}
	receiver, account := m.account.Receiver, m.accountName()
	m.receiver = receiverState{}
	return m.runForConsole(closeReceiverTimeout, func(ctx context.Context) result {
		err := receiver.Close(ctx)
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.fail("Receiver of "+account, err)
			}
			m.page.record(views.Activity{Time: m.now(), What: "receive events", Object: account, Result: "ended"})
			return nil
		}
	})
}

// awaitNews waits for the next events.
//
//nolint:contextcheck // it ends with the account, whoever enters that
func (m *Model) awaitNews() tea.Cmd {
	box, ctx, generation := m.account.Receiver.Inbox(), m.account.ctx, m.account.generation
	return m.command(func() consoleMsg {
		news, err := box.Wait(ctx)
		if err != nil {
			return nil
		}
		return newsMsg{generation, news}
	})
}

// handle updates the board with the events, requests what they do not contain, and lists them on the page.
func (msg newsMsg) handle(m *Model) tea.Cmd {
	if msg.generation != m.account.generation {
		return nil
	}
	cmds := []tea.Cmd{m.awaitNews()}
	m.setReceiverState(msg.news.State)
	change := board.Change{ReceivedAt: model.MillisOf(m.now())}
	for i := range msg.news.Events {
		m.applyEvent(&msg.news.Events[i], &change)
	}
	if msg.news.Lost {
		m.feed.Refresh(m.now())
	}
	if len(msg.news.Events) > 0 {
		m.showEvents()
		cmds = append(cmds, m.applyChange(change, m.panes.Snapshot(), m.feed.IsSettled())...)
		cmds = append(cmds, m.refreshDue()...)
	}
	return tea.Batch(cmds...)
}

// applyEvent adds an event to a change. Its objects are as they were when it happened, which may be an hour ago: the board
// keeps newer data, and a task that is not on the board is requested, because it may have been deleted since.
func (m *Model) applyEvent(e *inbox.Event, change *board.Change) {
	m.page.log.addReceived(e)
	snapshot, data := m.panes.Snapshot(), e.Data.Value()
	if worker, ok := data.Worker.Get(); ok && worker.ID != "" && e.TriggerID != model.TriggerWorkerDeleted {
		change.Workers = append(change.Workers, worker)
	}
	switch e.TriggerID {
	case model.TriggerTaskDeleted:
		change.Removed = append(change.Removed, e.TaskID.Value())
		return
	case model.TriggerWorkerDeleted:
		change.Removed = append(change.Removed, e.WorkerID.Value())
		return
	case model.TriggerBatchDone:
		for _, made := range [][]model.Task{e.NewTasks.Value(), e.NewTasksWithWarnings.Value()} {
			for i := range made {
				m.feed.QueueTasks(made[i].ID)
			}
		}
		return
	case model.TriggerAutoDispatchDone, model.TriggerRouteOptimizationDone:
		m.feed.Refresh(m.now()) // routes of a whole team have changed
		return
	default:
	}
	id, ok := e.TaskID.Get()
	if !ok || id == "" {
		return
	}
	task, ok := data.Task.Get()
	if ok && task.ID == id && task.ShortID != "" && task.TimeLastModified > 0 && snapshot.Tasks.Has(id) {
		change.Tasks = append(change.Tasks, task)
	} else {
		m.feed.QueueTasks(id)
	}
	if m.detail != nil && m.detail.target == (feed.Target{Kind: feed.Task, ID: id}) {
		m.feed.RefreshSelected(m.now())
	}
}

// setReceiverState shows a change of the receiver once.
func (m *Model) setReceiverState(s inbox.State) {
	before := m.receiver.state
	m.receiver.state = s
	if before.Phase == s.Phase && before.Problem == s.Problem {
		return
	}
	switch s.Phase {
	case inbox.Receiving:
		m.page.record(views.Activity{
			Time: m.now(), What: "receive events", Object: s.URL, Result: strconv.Itoa(s.Kinds) + " event types",
		})
		if before.Phase == inbox.Failing {
			m.inform("Receiving events again.")
		}
	case inbox.Failing:
		m.warn("Receiver: " + s.Problem + ". " + m.keyFor("look.connection") + " shows what to do.")
		m.page.record(views.Activity{Time: m.now(), What: "receive events", Object: s.URL, Result: s.Problem, Failed: true})
	case inbox.Starting:
	}
}

// eventNotes are the notes beside the title of the events. The first is cut to the width.
func (m *Model) eventNotes(width int) []views.Span {
	const title = 12
	first := views.Span{Token: theme.Muted, Text: m.page.log.note}
	if m.account.Receiver != nil {
		first = m.receiverText()
	}
	first.Text = m.appearance.theme.Measure.Truncate(first.Text, max(width-title, 0))
	spans := []views.Span{first}
	s := m.receiver.state
	for _, dropped := range []struct {
		n     int
		words string
	}{
		{s.Forged, "wrong signature"}, {s.Unreadable, "unreadable"}, {s.Unknown, "unknown type"}, {s.Lost, "too many"},
	} {
		if dropped.n > 0 {
			spans = append(spans, views.Span{Token: theme.Warn, Text: "· " + count(dropped.n) + " " + dropped.words})
		}
	}
	return spans
}

// receiverText describes the receiver in one line.
func (m *Model) receiverText() views.Span {
	s := m.receiver.state
	switch {
	case !m.receiver.open:
		return views.Span{Token: theme.Warn, Text: "read-only: no webhooks, so no events are received"}
	case s.Phase == inbox.Starting:
		return views.Span{Token: theme.Info, Text: "opening the receiver…"}
	case s.Phase == inbox.Failing && s.Received == 0:
		return views.Span{Token: theme.Warn, Text: "not receiving: " + s.Problem + " (" + m.keyFor("look.connection") + ")"}
	}
	token, text := theme.Muted, "receiving on "+s.URL+": "+m.receivedText()
	if s.Phase == inbox.Failing {
		token, text = theme.Warn, text+"; "+s.Problem
	}
	return views.Span{Token: token, Text: text}
}

// receivedText says how many events were received, and when the last.
func (m *Model) receivedText() string {
	s := m.receiver.state
	switch s.Received {
	case 0:
		return "0 events"
	case 1:
		return "1 event, " + formatAge(m.now().Sub(s.Last))
	}
	return count(s.Received) + " events, last " + formatAge(m.now().Sub(s.Last))
}

// openConnection shows the connection and the receiver.
func (m *Model) openConnection() tea.Cmd {
	client := m.account.Client
	if client == nil {
		return m.warn("Not connected.")
	}
	budget, t := client.Limiter().Snapshot(), m.newText()
	t.AddParagraph(theme.ColumnHead, "service")
	t.AddParagraphs(theme.Text, client.BaseURL(), "account "+m.accountName())
	if name := m.account.organization.Name; name != "" {
		t.AddParagraph(theme.Text, "organization "+name)
	}
	t.AddParagraph(theme.Text, fmt.Sprintf("at most %d requests per second, %d in flight", budget.Limit, budget.InFlight))
	if m.readOnly.Load() {
		t.AddParagraph(theme.Text, "read-only: no changes are sent")
	}
	intervals := m.feed.Intervals()
	t.AddParagraph(theme.Text, fmt.Sprintf("refresh intervals: tasks %s, drivers %s, delays %s, orders %s",
		formatInterval(intervals[board.PaneTasks]), formatInterval(intervals[board.PaneWorkers]),
		formatInterval(intervals[board.PaneDelays]), formatInterval(intervals[board.PaneOrders])))
	t.AddGap()
	t.AddParagraph(theme.ColumnHead, "receiver")
	t.AddParagraphs(theme.Text, m.receiverDetails()...)
	if s := m.receiver.state; s.Problem != "" {
		t.AddGap()
		t.AddParagraphs(theme.Warn, model.Capitalize(s.Problem)+".", s.Advice)
	}
	return m.openReader("Connection", t.Lines)
}

func formatInterval(d time.Duration) string {
	if d == 0 {
		return "off"
	}
	return model.FormatDuration(d)
}

// receiverDetails describes the receiver in full.
func (m *Model) receiverDetails() []string {
	s := m.receiver.state
	switch {
	case m.account.Receiver == nil:
		return []string{"This account has no receiver: changes appear with the next refresh. To receive events at once, start with " +
			"--receive 127.0.0.1:8581, or set [profiles.NAME.webhooks] in the config file."}
	case !m.receiver.open:
		return []string{"Read-only: no webhooks, so no events are received. Allow changes with " + m.keyFor("console.readonly") + "."}
	case s.Phase == inbox.Starting:
		return []string{"Starting: registering webhooks."}
	case s.URL == "":
		return []string{"Not listening on " + s.Listen + " yet."}
	}
	texts := []string{
		"listening on " + s.Listen, "the service calls " + s.URL,
		fmt.Sprintf("receiving %d of %d event types", s.Kinds, s.Wanted),
		m.receivedText(),
		fmt.Sprintf("dropped: %d with a wrong signature, %d unreadable, %d because too many arrived at once", s.Forged, s.Unreadable, s.Lost),
		fmt.Sprintf("ignored: %d of an unknown type, %d repeated", s.Unknown, s.Repeated),
	}
	return texts
}
