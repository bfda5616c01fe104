package ui

import (
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/operations"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// message is what just happened, in the status line.
type message struct {
	span  views.Span
	until time.Time
	shown time.Time
	cut   string // what is said even where the rest does not fit
}

const (
	messageStays = 8 * time.Second
	messageMin   = 400 * time.Millisecond // a key in flight must not wipe out what it never saw
)

func (msg *message) expire(now time.Time) {
	if msg.span.Text != "" && !now.Before(msg.until) {
		*msg = message{}
	}
}

// dismiss takes the message away at the next key.
func (msg *message) dismiss(now time.Time) {
	if now.Sub(msg.shown) >= messageMin {
		*msg = message{}
	}
}

func (m *Model) show(token theme.Token, text string) {
	now := m.now()
	m.message = message{views.Span{Token: token, Text: text}, now.Add(messageStays), now, ""}
	if !strings.HasSuffix(text, "…") { // what is under way is not worth reading again
		m.said.add(saying{at: now, span: m.message.span})
	}
}

// saying is a message as it can be read again, with what there was no room for.
type saying struct {
	at   time.Time
	span views.Span
	more []operations.Line
}

// sayings are the last messages, the newest last.
type sayings []saying

const sayingsMost = 50

func (s *sayings) add(one saying) {
	if n := len(*s); n > 0 && (*s)[n-1].span == one.span {
		*s = (*s)[:n-1] // said again
	}
	*s = append(*s, one)
	if len(*s) > sayingsMost {
		*s = (*s)[1:]
	}
}

// tell says something in a line, and keeps the rest of it for whoever wants to read on.
func (m *Model) tell(token theme.Token, text string, more []operations.Line) {
	m.show(token, text)
	if n := len(m.said); n > 0 && m.said[n-1].span == m.message.span {
		m.said[n-1].more = more
	}
}

// openMessages shows what was said lately in full, the newest first.
func (m *Model) openMessages() tea.Cmd {
	t := &textLines{measure: m.look.theme.Measure, width: m.readerWidth()}
	if text, shown := m.banner(); shown {
		t.add(theme.Bad, text)
		if err := m.feed.Status().Err; err != nil {
			t.add(theme.Muted, "  "+err.Error())
		}
		t.gap()
	}
	for _, s := range slices.Backward(m.said) {
		t.add(theme.Muted, s.at.In(m.zone()).Format(time.TimeOnly))
		t.add(s.span.Token, "  "+s.span.Text)
		for _, line := range s.more {
			token := theme.Text
			if line.Warning {
				token = theme.Warn
			}
			t.add(token, "  "+line.Text)
		}
	}
	if len(t.lines) == 0 {
		t.add(theme.Muted, "Nothing was said yet.")
	}
	return m.open(&reader{title: "Messages, the newest first", lines: t.lines})
}

// inform tells that something was done.
func (m *Model) inform(text string) { m.show(theme.Info, text) }

// warn tells why something was not.
func (m *Model) warn(text string) { m.show(theme.Warn, text) }

// fail tells that something went wrong, and keeps it in the activity.
func (m *Model) fail(what string, err error) {
	text, more := err.Error(), []operations.Line(nil)
	if refused, ok := errors.AsType[*apiclient.Error](err); ok { // the rest is for whoever reads on
		text, more = refused.Description(), []operations.Line{{Text: text}}
	}
	m.tell(theme.Bad, what+": "+text, more)
	m.page.note(views.Activity{Time: m.now(), What: what, Result: err.Error(), Failed: true})
}

// say sets what empty panes say.
func (m *Model) say() {
	texts := [...]string{
		"Nothing is late or at risk.", "Nobody is on duty.", "No open tasks.", "No open orders.",
	}
	for i, p := range m.panes.Panes {
		text := texts[i]
		switch {
		case p.FilterText() != "":
			text = "No row matches the filter. " + m.keyOf("back") + " clears it."
		case m.account.Client == nil && m.account.err != nil:
			text = "Not connected."
		case m.account.Client == nil:
			text = "Connecting…"
		case m.feed.Status().Offline && m.health[i].Fetched.IsZero():
			text = "No answer yet."
		case m.feed.Status().Watching && i != int(layout.Workers):
			text = "This service has no lists. " + m.keyOf("find.watch") + " watches a task by its id."
		case m.health[i].Fetched.IsZero() && (i != int(layout.Orders) || m.feed.Status().Loading):
			text = "Asking the service…"
		}
		p.SetEmpty(text)
	}
}
