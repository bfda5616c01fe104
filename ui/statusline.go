package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/dialog"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// appendStatus draws the status line, or the dialog that replaces it.
func (m *Model) appendStatus(dst []byte, width int) []byte {
	if top := m.topDialog(); top != nil {
		context := m.dialogContext()
		wait, waiting := top.(*dialog.Waiting)
		if top.Placement(context).Kind == layout.NoDialog && (!waiting || wait.IsVisible(context.Now)) {
			return top.AppendLine(dst, context, 0, width, 1)
		}
	}
	s := views.Status{Age: m.dataAge(), InFlight: m.slowRequests, Message: m.message.span}
	if m.topDialog() == nil {
		s.More = cmp.Or(m.message.short, m.keyFor("look.messages")+" show all")
	}
	if m.account.Client != nil {
		budget := m.account.Client.Limiter().Snapshot()
		left := budget.Limit - budget.InFlight
		if budget.Remaining >= 0 {
			left = budget.Remaining
		}
		s.Budget = fmt.Sprintf("%d/%d req", left, budget.Limit)
	}
	if slowed := m.feed.Status().Slowed; slowed > 1 {
		s.Slowed = fmt.Sprintf("refreshing %.0f times slower: request limit reached", slowed)
	}
	if p := m.focusedPane(); p.State().Marks > 0 || p.State().Ranging {
		s.Marked = count(p.State().Selected) + " marked"
	}
	if pending := m.keyboard.Prefix(); pending != "" {
		s.Pending = m.continuations(pending)
	}
	stack, situation := m.scopes(), m.actionContext()
	s.Hints = func(room int) []keymaps.Hint { return m.keys.Hints(stack, situation, room) }
	return m.chrome.AppendStatus(dst, &s, m.appearance.theme, width)
}

// continuations lists the keys that can follow a started key sequence.
func (m *Model) continuations(pending string) []views.Span {
	spans := []views.Span{{Token: theme.Strong, Text: keymaps.DisplayKey(pending) + " …"}}
	for _, a := range m.keys.Continuations(m.scopes(), pending) {
		for _, key := range a.Keys {
			if rest, ok := strings.CutPrefix(key, pending+" "); ok {
				title, _, _ := strings.Cut(shortTitle(&a), ",")
				spans = append(spans, views.Span{Token: theme.Key, Text: "  " + keymaps.DisplayKey(rest)},
					views.Span{Token: theme.Muted, Text: " " + title})
			}
		}
	}
	return spans
}

// dataAge is the age of the data of the focused pane, in a fixed width so that nothing beside it moves.
func (m *Model) dataAge() views.Span {
	const width = 10
	fit := func(token theme.Token, text string) views.Span {
		return views.Span{Token: token, Text: m.appearance.theme.Measure.Fit(text, width, theme.Left)}
	}
	status, h := m.feed.Status(), m.health[m.focus]
	switch {
	case m.account.connecting:
		return fit(theme.Info, "connecting")
	case status.Offline:
		return fit(theme.Bad, "offline")
	case status.Paused:
		return fit(theme.Warn, "paused")
	case h.Off:
		return fit(theme.Muted, "off")
	case h.Fetched.IsZero():
		return fit(theme.Muted, "no data")
	}
	token := theme.Muted
	if h.Stale {
		token = theme.Warn
	}
	return fit(token, formatAge(m.frame.Now.Sub(h.Fetched)))
}

// formatAge formats an age in steps of five seconds: a number that ticks is distracting and costs a frame per second.
func formatAge(age time.Duration) string {
	const step = 5 * time.Second
	switch {
	case age < step:
		return "just now"
	case age < time.Minute:
		return strconv.Itoa(int(age.Truncate(step).Seconds())) + "s ago"
	}
	return model.FormatDuration(age) + " ago"
}
