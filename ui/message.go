package ui

import (
	"time"

	"waybill/ui/layout"
	"waybill/ui/theme"
	"waybill/views"
)

// message is what just happened, in the status line.
type message struct {
	span  views.Span
	until time.Time
	shown time.Time
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
	m.message = message{views.Span{Token: token, Text: text}, now.Add(messageStays), now}
}

// inform tells that something was done.
func (m *Model) inform(text string) { m.show(theme.Info, text) }

// warn tells why something was not.
func (m *Model) warn(text string) { m.show(theme.Warn, text) }

// fail tells that something went wrong, and keeps it in the activity.
func (m *Model) fail(what string, err error) {
	m.show(theme.Bad, what+": "+err.Error())
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
