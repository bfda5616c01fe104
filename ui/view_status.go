package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"waybill/keymaps"
	"waybill/model"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

func (m *Model) appendStatus(dst []byte, width int) []byte {
	if top := m.top(); top != nil && top.place(m).Kind == layout.NoDialog {
		return top.appendLine(dst, m, 0, width, 1)
	}
	return m.appendSituation(dst, width)
}

// appendSituation is the status line when nothing is typed into it.
func (m *Model) appendSituation(dst []byte, width int) []byte {
	s := views.Status{Age: m.age(), InFlight: m.flying, Message: m.message.span}
	if m.top() == nil {
		s.More = cmp.Or(m.message.cut, m.keyOf("look.messages")+" shows all")
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
		s.Slowed = fmt.Sprintf("asking %.0f times slower: the request limit is used up", slowed)
	}
	if p := m.pane(); p.MarkCount() > 0 || p.Ranging() {
		s.Marked = count(p.SelectedCount()) + " marked"
	}
	if pending := m.typing.Prefix(); pending != "" {
		s.Pending = m.continuations(pending)
	}
	stack, situation := m.scopes(), m.situation()
	s.Hints = func(room int) []keymaps.Hint { return m.keys.Hints(stack, situation, room) }
	return views.AppendStatus(dst, &s, m.look.theme, width)
}

// continuations shows what a begun sequence may become.
func (m *Model) continuations(pending string) []views.Span {
	spans := []views.Span{{Token: theme.Strong, Text: keymaps.DisplayKey(pending) + " …"}}
	for _, a := range m.keys.Continuations(m.scopes(), pending) {
		for _, key := range a.Keys {
			if rest, ok := strings.CutPrefix(key, pending+" "); ok {
				title, _, _ := strings.Cut(strings.TrimSuffix(a.Title, "…"), ",")
				spans = append(spans, views.Span{Token: theme.Key, Text: "  " + keymaps.DisplayKey(rest)}, views.Span{Token: theme.Muted, Text: " " + title})
			}
		}
	}
	return spans
}

// age is how old the focused pane's data is, always as wide so that nothing beside it moves.
func (m *Model) age() views.Span {
	const width = 10
	fit := func(token theme.Token, text string) views.Span {
		return views.Span{Token: token, Text: m.look.theme.Measure.Fit(text, width, theme.Left)}
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
		return fit(theme.Muted, "not asked")
	case h.Fetched.IsZero():
		return fit(theme.Muted, "no data")
	}
	token := theme.Muted
	if h.Stale {
		token = theme.Warn
	}
	// In steps of five seconds: a number that ticks draws the eye, and a frame each second is work for nothing.
	age := m.frame.Now.Sub(h.Fetched)
	switch {
	case age < 5*time.Second:
		return fit(token, "just now")
	case age < time.Minute:
		return fit(token, strconv.Itoa(int(age.Seconds())/5*5)+"s ago")
	}
	return fit(token, model.FormatDuration(age.Truncate(time.Minute))+" ago")
}
