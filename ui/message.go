package ui

import (
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/board"
	"waybill/operations"
	"waybill/views"
	"waybill/views/theme"
)

// message is the text in the status line.
type message struct {
	span  views.Span
	until time.Time
	shown time.Time
	short string // shown where the whole text does not fit
}

const (
	messageStays = 8 * time.Second
	messageMin   = 400 * time.Millisecond // a key pressed before the message appeared must not remove it
)

func (msg *message) expire(now time.Time) {
	if msg.span.Text != "" && !now.Before(msg.until) {
		*msg = message{}
	}
}

// dismiss removes the message at the next key.
func (msg *message) dismiss(now time.Time) {
	if now.Sub(msg.shown) >= messageMin {
		*msg = message{}
	}
}

// showMessage shows a message in the status line; its details are on the page of messages. Like everything that only shows
// something it returns no command, so that a handler can end with it.
func (m *Model) showMessage(token theme.Token, text string, details ...operations.Line) tea.Cmd {
	now := m.now()
	m.message = message{views.Span{Token: token, Text: text}, now.Add(messageStays), now, ""}
	if !strings.HasSuffix(text, "…") { // progress is not worth reading again
		m.messages.add(loggedMessage{now, m.message.span, details})
	}
	return nil
}

// loggedMessage is a message of the past with its details.
type loggedMessage struct {
	at      time.Time
	span    views.Span
	details []operations.Line
}

// messageLog is the last messages, the newest last.
type messageLog []loggedMessage

const maxMessages = 50

func (s *messageLog) add(one loggedMessage) {
	if n := len(*s); n > 0 && (*s)[n-1].span == one.span {
		*s = (*s)[:n-1] // a repeated message is kept once
	}
	*s = append(*s, one)
	if len(*s) > maxMessages {
		*s = (*s)[1:]
	}
}

// openMessages shows the last messages in full, the newest first.
func (m *Model) openMessages() tea.Cmd {
	t := m.newText()
	if text, shown := m.banner(); shown {
		t.AddParagraph(theme.Bad, text)
		if err := m.feed.Status().Err; err != nil {
			t.AddParagraph(theme.Muted, "  "+err.Error())
		}
		t.AddGap()
	}
	for _, s := range slices.Backward(m.messages) {
		t.AddParagraph(theme.Muted, s.at.In(m.zone()).Format(time.TimeOnly))
		t.AddParagraph(s.span.Token, "  "+s.span.Text)
		for _, line := range s.details {
			token := theme.Text
			if line.Warning {
				token = theme.Warn
			}
			t.AddParagraph(token, "  "+line.Text)
		}
	}
	if len(t.Lines) == 0 {
		t.AddParagraph(theme.Muted, "No messages yet.")
	}
	return m.openReader("Messages, newest first", t.Lines)
}

// inform shows that something was done.
func (m *Model) inform(text string) tea.Cmd { return m.showMessage(theme.Info, text) }

// warn shows why something was not done.
func (m *Model) warn(text string) tea.Cmd { return m.showMessage(theme.Warn, text) }

// fail shows an error and records it in the activity.
func (m *Model) fail(what string, err error) tea.Cmd {
	m.page.record(views.Activity{Time: m.now(), What: what, Result: err.Error(), Failed: true})
	if refused, ok := errors.AsType[*apiclient.Error](err); ok { // the whole text is in the details
		return m.showMessage(theme.Bad, what+": "+refused.Description(), operations.Line{Text: err.Error()})
	}
	return m.showMessage(theme.Bad, what+": "+err.Error())
}

// setEmptyTexts sets the texts of empty panes.
func (m *Model) setEmptyTexts() {
	texts := [...]string{
		"Nothing is late or at risk.", "No driver is on duty.", "No open tasks.", "No open orders.",
	}
	for i, p := range m.panes.Panes {
		text := texts[i]
		switch {
		case p.State().Filter != "":
			text = "No row matches the filter. " + m.keyFor("back") + " clears it."
		case m.account.Client == nil && m.account.err != nil:
			text = "Not connected."
		case m.account.Client == nil:
			text = "Connecting…"
		case m.feed.Status().Offline && m.health[i].Fetched.IsZero():
			text = "No answer yet."
		case m.feed.Status().Watching && i != int(board.PaneWorkers):
			text = "This service has no task lists. " + m.keyFor("find.watch") + " watches a task by its id."
		case m.health[i].Fetched.IsZero() && (i != int(board.PaneOrders) || m.feed.Status().Loading):
			text = "Loading…"
		}
		p.SetEmpty(text)
	}
}
