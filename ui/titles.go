package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/views"
	"waybill/views/theme"
)

func (m *Model) header() *views.Header {
	s := m.panes.Snapshot()
	now := m.frame.Now.In(m.frame.Zone)
	return &views.Header{
		Profile: cmp.Or(m.account.Profile.Label(), m.account.tried), Blank: m.hasNoData(), Sandbox: m.isSandbox(),
		Production:   m.account.Profile.Production,
		Organization: m.account.organization.Name, ReadOnly: m.readOnly.Load(),
		Views: m.counters(), Counters: s.Counters, Trend: s.LateTrend, Clock: now.Format("15:04"), Zone: now.Format("MST"),
	}
}

// hasNoData reports that no data has arrived yet.
func (m *Model) hasNoData() bool {
	s := m.panes.Snapshot()
	return s.Tasks.Len() == 0 && s.Workers.Len() == 0 && m.health[board.PaneTasks].Fetched.IsZero() && m.health[board.PaneWorkers].Fetched.IsZero()
}

// isSandbox reports that the account is a sandbox, even before it has started.
func (m *Model) isSandbox() bool {
	return m.account.Sandbox || m.options.Sandbox && m.account.Client == nil
}

// counters are the saved views in the header with their keys.
func (m *Model) counters() []views.Counter {
	builtin := board.BuiltinViews()
	counters := make([]views.Counter, 0, len(m.views.keyed))
	for i, v := range m.views.keyed {
		c := views.Counter{Key: strconv.Itoa(i + firstViewKey), Name: v.Name, Count: m.views.count(v, m.panes.Snapshot().Counters)}
		if v == builtin[i] {
			c.Status = [...]board.Tone{board.ToneLate, board.ToneUnassigned, board.ToneAtRisk, board.ToneIdle, board.ToneSilent}[i]
		}
		counters = append(counters, c)
	}
	return counters
}

func (m *Model) paneTitle(p board.Pane) *views.Title {
	pane, h := m.panes.Panes[p], m.health[p]
	name := [...]string{"Delays", "Drivers on duty", "Tasks", "Orders"}[p]
	t := &views.Title{
		Key: strconv.Itoa(int(p) + 1), Name: name + " " + rowCount(p, pane),
		Focused: p == m.focus && !m.detailFocused(),
	}
	c, dot := m.panes.Snapshot().Counters, m.appearance.theme.Glyphs.Dot
	if text := pane.State().Filter; text != "" {
		t.Notes = append(t.Notes, views.Span{Token: theme.Match, Text: "/" + text})
	} else if !m.hasNoData() {
		switch p {
		case board.PaneDelays:
			t.Notes = append(t.Notes, mutedCount(dot+" %s late", c.Late), mutedCount(dot+" %s at risk", c.AtRisk))
		case board.PaneWorkers:
			t.Notes = append(t.Notes, mutedCount(dot+" %s idle", c.Idle), mutedCount(dot+" %s silent", c.Silent))
		case board.PaneTasks:
			if m.feed.Status().Loading && m.account.Client != nil {
				t.Notes = append(t.Notes, views.Span{Token: theme.Info, Text: dot + " loading more"})
			}
		case board.PaneOrders:
		}
	}
	if s := pane.State().Sort; s.String() != "" {
		text := strings.Replace(s.String(), s.Column, columnTitle(pane, s.Column), 1)
		t.Notes = append(t.Notes, views.Span{Token: theme.Muted, Text: "by " + text})
	}
	if h.Err != nil && !m.feed.Status().Offline {
		text, _, _ := strings.Cut(h.Err.Error(), ":")
		t.Right = []views.Span{{Token: theme.Warn, Text: text}}
	} else if h.Stale && !h.Fetched.IsZero() {
		t.Right = []views.Span{{Token: theme.Warn, Text: model.FormatDuration(m.frame.Now.Sub(h.Fetched).Round(time.Second)) + " old"}}
	}
	return t
}

// rowCount is the number of rows of a pane. Rows that only a filter shows, such as finished tasks, are counted
// separately.
func rowCount(p board.Pane, pane views.Pane) string {
	beyond := pane.State().Closed
	if beyond == 0 {
		return count(pane.Len())
	}
	word := " finished"
	if p == board.PaneWorkers {
		word = " off duty"
	}
	return count(pane.Len()-beyond) + " + " + count(beyond) + word
}

func count(n int) string { return views.Count(n) }

// plural is a number with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

func mutedCount(format string, n int) views.Span {
	return views.Span{Token: theme.Muted, Text: fmt.Sprintf(format, count(n))}
}

// tabs is the bar of panes with the most urgent count of each.
func (m *Model) tabs() []views.Tab {
	c, th := m.panes.Snapshot().Counters, m.appearance.theme
	worst := func(s board.Tone, n int) views.Span {
		if n == 0 {
			return views.Span{}
		}
		badge := th.Badge(s)
		return views.Span{Token: badge.Token, Text: badge.Glyph + count(n)}
	}
	tab := func(p board.Pane, action, name string, worst views.Span) views.Tab {
		return views.Tab{Key: m.keyFor(action), Name: name, Count: m.panes.Panes[p].Len(), Worst: worst}
	}
	return []views.Tab{
		tab(board.PaneDelays, "pane.delays", "Delays", worst(board.ToneLate, c.Late)),
		tab(board.PaneWorkers, "pane.workers", "Drivers", worst(board.ToneSilent, c.Silent)),
		tab(board.PaneTasks, "pane.tasks", "Tasks", worst(board.ToneUnassigned, c.Unassigned)),
		tab(board.PaneOrders, "pane.orders", "Orders", views.Span{}),
	}
}
