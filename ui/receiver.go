package ui

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/model"
	"waybill/ui/feed"
	"waybill/ui/inbox"
	"waybill/views"
	"waybill/views/theme"
)

// receiving is how the account's receiver fares.
type receiving struct {
	open  bool
	state inbox.State
}

// newsMsg is what arrived at an account's receiver.
type newsMsg struct {
	generation uint64
	news       inbox.News
}

// receiverClosed tells how the receiver of the account before ended.
type receiverClosed struct {
	account string
	err     error
}

const closeReceiverLimit = 40 * time.Second

// openReceiver begins to receive events, where the account has a receiver and webhooks may be made.
func (m *Model) openReceiver() tea.Cmd {
	if m.account.Receiver == nil || m.receiver.open || m.readOnly.Load() {
		return nil
	}
	m.receiver = receiving{open: true}
	m.account.Receiver.Open()
	return m.awaitNews()
}

// closeReceiver ends it behind the console's back: the next account does not wait for the webhooks of this one.
func (m *Model) closeReceiver() tea.Cmd {
	if !m.receiver.open {
		return nil
	}
	receiver, account, ctx := m.account.Receiver, m.accountName(), context.WithoutCancel(m.account.ctx)
	m.receiver = receiving{}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, closeReceiverLimit)
		defer cancel()
		return receiverClosed{account, receiver.Close(ctx)}
	}
}

func (m *Model) receiverClosed(c receiverClosed) {
	if c.err != nil {
		m.fail("Receiver of "+c.account, c.err)
		return
	}
	m.page.note(views.Activity{Time: m.now(), What: "receive events", Object: c.account, Result: "ended"})
}

// awaitNews waits for what arrives next. It ends with the account.
func (m *Model) awaitNews() tea.Cmd {
	box, ctx, generation := m.account.Receiver.Inbox(), m.account.ctx, m.account.generation
	return func() tea.Msg {
		news, err := box.Wait(ctx)
		if err != nil {
			return nil
		}
		return newsMsg{generation, news}
	}
}

// news takes what arrived: the board learns what is in the events, asks for what is not, and the page lists them.
func (m *Model) news(msg newsMsg) tea.Cmd {
	if msg.generation != m.account.generation {
		return nil
	}
	cmds := []tea.Cmd{m.awaitNews()}
	m.noteReceiver(msg.news.State)
	change := board.Change{ReceivedAt: model.MillisOf(m.now())}
	for i := range msg.news.Events {
		m.learnEvent(&msg.news.Events[i], &change)
	}
	if msg.news.Lost {
		m.feed.Refresh(m.now())
	}
	if len(msg.news.Events) > 0 {
		m.showEvents()
		cmds = append(cmds, m.learn(change, m.panes.Snapshot(), m.feed.Settled())...)
		cmds = append(cmds, m.poll()...)
	}
	return tea.Batch(cmds...)
}

// learnEvent adds what an event tells to a change. The objects in it are as they were when it happened, and it may be an
// hour late: the board keeps what is newer, and a task that it does not have is asked for, because it may be gone by now.
func (m *Model) learnEvent(e *inbox.Event, change *board.Change) {
	m.page.log.receive(e)
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
				m.feed.Moved(made[i].ID)
			}
		}
		return
	case model.TriggerAutoDispatchDone, model.TriggerRouteOptimizationDone:
		m.feed.Refresh(m.now()) // routes of a whole team have changed
		return
	}
	id, ok := e.TaskID.Get()
	if !ok || id == "" {
		return
	}
	task, ok := data.Task.Get()
	if ok && task.ID == id && task.ShortID != "" && task.TimeLastModified > 0 && snapshot.Tasks.Has(id) {
		change.Tasks = append(change.Tasks, task)
	} else {
		m.feed.Moved(id)
	}
	if m.detail != nil && m.detail.target == (feed.Target{Kind: feed.TaskDetail, ID: id}) {
		m.feed.Again(m.now())
	}
}

// noteReceiver says once what has become of the receiver.
func (m *Model) noteReceiver(s inbox.State) {
	before := m.receiver.state
	m.receiver.state = s
	if before.Phase == s.Phase && before.Problem == s.Problem {
		return
	}
	switch s.Phase {
	case inbox.Receiving:
		m.page.note(views.Activity{
			Time: m.now(), What: "receive events", Object: s.URL, Result: strconv.Itoa(s.Kinds) + " kinds of events",
		})
		if before.Phase == inbox.Troubled {
			m.inform("Events arrive again.")
		}
	case inbox.Troubled:
		m.warn("Receiver: " + s.Problem + ". " + m.keyOf("look.connection") + " says what to do.")
		m.page.note(views.Activity{Time: m.now(), What: "receive events", Object: s.URL, Result: s.Problem, Failed: true})
	}
}

// eventNotes stand beside the title of the events. The first is a sentence, of which a part is better than nothing.
func (m *Model) eventNotes(width int) []views.Span {
	const title = 12
	first := views.Span{Token: theme.Muted, Text: m.page.log.note}
	if m.account.Receiver != nil {
		first = m.receiverWords()
	}
	first.Text = m.look.theme.Measure.Truncate(first.Text, max(width-title, 0))
	spans := []views.Span{first}
	s := m.receiver.state
	for _, odd := range []struct {
		n     int
		words string
	}{
		{s.Forged, "wrong signature"}, {s.Broken, "unreadable"}, {s.Unknown, "unknown kind"}, {s.Lost, "too many"},
	} {
		if odd.n > 0 {
			spans = append(spans, views.Span{Token: theme.Warn, Text: "· " + count(odd.n) + " " + odd.words})
		}
	}
	return spans
}

// receiverWords say in one line how the receiver fares.
func (m *Model) receiverWords() views.Span {
	s := m.receiver.state
	switch {
	case !m.receiver.open:
		return views.Span{Token: theme.Warn, Text: "read-only: no webhooks are made, so nothing is received"}
	case s.Phase == inbox.Starting:
		return views.Span{Token: theme.Info, Text: "opening the receiver…"}
	case s.Phase == inbox.Troubled && s.Received == 0:
		return views.Span{Token: theme.Warn, Text: "nothing is received: " + s.Problem + "; " + m.keyOf("look.connection") + " says more"}
	}
	token, text := theme.Muted, "receiving on "+s.URL+": "+m.receivedWords()
	if s.Phase == inbox.Troubled {
		token, text = theme.Warn, text+"; "+s.Problem
	}
	return views.Span{Token: token, Text: text}
}

// receivedWords say how much came, and when last.
func (m *Model) receivedWords() string {
	s := m.receiver.state
	switch s.Received {
	case 0:
		return "0 events"
	case 1:
		return "1 event, " + m.ago(s.Last)
	}
	return count(s.Received) + " events, last " + m.ago(s.Last)
}

// ago is in steps of five seconds, as ages are elsewhere.
func (m *Model) ago(t time.Time) string {
	const step = 5 * time.Second
	age := m.now().Sub(t)
	switch {
	case age < step:
		return "just now"
	case age < time.Minute:
		return model.FormatDuration(age.Truncate(step)) + " ago"
	}
	return model.FormatDuration(age.Truncate(time.Minute)) + " ago"
}

// openConnection shows what the console is connected to and how that fares.
func (m *Model) openConnection() tea.Cmd {
	client := m.account.Client
	if client == nil {
		m.warn("Not connected.")
		return nil
	}
	budget := client.Limiter().Snapshot()
	texts := []string{
		"service", client.BaseURL(), "account " + m.accountName(),
	}
	if name := m.account.organization.Name; name != "" {
		texts = append(texts, "organization "+name)
	}
	texts = append(texts, fmt.Sprintf("%d requests a second at most, %d under way", budget.Limit, budget.InFlight))
	if m.readOnly.Load() {
		texts = append(texts, "read-only: nothing is written")
	}
	intervals := m.feed.Intervals()
	texts = append(texts, fmt.Sprintf("asked for: tasks every %s, workers %s, delays %s, orders %s",
		every(intervals.Tasks), every(intervals.Workers), every(intervals.Delays), every(intervals.Orders)))
	texts = append(texts, "", "receiver")
	texts = append(texts, m.receiverDetails()...)
	return m.open(&reader{title: "Connection", lines: append(m.headed(texts, "service", "receiver"), m.trouble()...)})
}

func every(d time.Duration) string {
	if d == 0 {
		return "off"
	}
	return model.FormatDuration(d)
}

// receiverDetails say all there is to say about the receiver.
func (m *Model) receiverDetails() []string {
	s := m.receiver.state
	switch {
	case m.account.Receiver == nil:
		return []string{"This account has none: news come with the next look at the service. --receive 127.0.0.1:8581, or [profiles.NAME.webhooks] in the config file, has the service send its events here at once."}
	case !m.receiver.open:
		return []string{"Read-only: no webhooks are made, so nothing is received. It begins when changes are allowed: " + m.keyOf("console.readonly") + "."}
	case s.Phase == inbox.Starting:
		return []string{"It is being opened; webhooks are registered one after the other."}
	case s.URL == "":
		return []string{"It does not listen on " + s.Listen + " yet."}
	}
	texts := []string{
		"listens on " + s.Listen, "the service calls " + s.URL,
		fmt.Sprintf("%d of %d kinds of events are sent here", s.Kinds, s.Wanted),
		m.receivedWords(),
		fmt.Sprintf("dropped: %d with a wrong signature, %d unreadable, %d because too many came at once", s.Forged, s.Broken, s.Lost),
		fmt.Sprintf("ignored: %d of an unknown kind, %d that came again", s.Unknown, s.Repeated),
	}
	return texts
}

// trouble is what is wrong with the receiver and what to do about it.
func (m *Model) trouble() []views.Span {
	s := m.receiver.state
	if s.Problem == "" {
		return nil
	}
	lines := m.wrapped("", strings.ToUpper(s.Problem[:1])+s.Problem[1:]+".", s.Advice)
	for i := range lines {
		lines[i].Token = theme.Warn
	}
	return lines
}

// headed wraps texts and sets off those that are headings.
func (m *Model) headed(texts []string, headings ...string) []views.Span {
	lines := m.wrapped(texts...)
	for i := range lines {
		for _, heading := range headings {
			if lines[i].Text == heading {
				lines[i].Token = theme.ColumnHead
			}
		}
	}
	return lines
}
