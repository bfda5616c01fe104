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
	"waybill/views/layout"
	"waybill/views/theme"
)

func (m *Model) header() *views.Header {
	s := m.panes.Snapshot()
	now := m.frame.Now.In(m.frame.Zone)
	return &views.Header{
		Profile: cmp.Or(m.account.Profile.Label(), m.account.tried), Blank: m.knowsNothing(), Sandbox: m.sandboxed(), Production: m.account.Profile.Production,
		Organization: m.account.organization.Name, ReadOnly: m.readOnly.Load(),
		Views: m.counters(), Counters: s.Counters, Trend: s.LateTrend, Clock: now.Format("15:04"), Zone: now.Format("MST"),
	}
}

// knowsNothing reports that no answer has come yet.
func (m *Model) knowsNothing() bool {
	s := m.panes.Snapshot()
	return s.Tasks.Len() == 0 && s.Workers.Len() == 0 && m.health[layout.Tasks].Fetched.IsZero() && m.health[layout.Workers].Fetched.IsZero()
}

// sandboxed reports that nothing here is real. It is known before the sandbox has started.
func (m *Model) sandboxed() bool {
	return m.account.Sandbox || m.options.Sandbox && m.account.Client == nil
}

// counters are the saved views that stand in the header with their keys.
func (m *Model) counters() []views.Counter {
	builtin := board.BuiltinViews()
	counters := make([]views.Counter, 0, len(m.saved))
	for i, v := range m.saved {
		c := views.Counter{Key: strconv.Itoa(i + 5), Name: v.Name, Count: m.countOf(v)}
		if v == builtin[i] {
			c.Status = [...]theme.Status{theme.Late, theme.Unassigned, theme.AtRisk, theme.Idle, theme.Silent}[i]
		}
		counters = append(counters, c)
	}
	return counters
}

func paneName(p layout.Pane) string {
	return [...]string{"Delays", "Workers on duty", "Tasks", "Orders"}[p]
}

func (m *Model) paneTitle(p layout.Pane) *views.Title {
	pane, h := m.panes.Panes[p], m.health[p]
	t := &views.Title{
		Key: strconv.Itoa(int(p) + 1), Name: paneName(p) + " " + rowCount(p, pane),
		Focused: p == m.focus && !m.detailFocused(),
	}
	c, dot := m.panes.Snapshot().Counters, m.look.theme.Glyphs.Dot
	if text := pane.FilterText(); text != "" {
		t.Notes = append(t.Notes, views.Span{Token: theme.Match, Text: "/" + text})
	} else if !m.knowsNothing() {
		switch p {
		case layout.Delays:
			t.Notes = append(t.Notes, quietly(dot+" %s late", c.Late), quietly(dot+" %s at risk", c.AtRisk))
		case layout.Workers:
			t.Notes = append(t.Notes, quietly(dot+" %s idle", c.Idle), quietly(dot+" %s silent", c.Silent))
		case layout.Tasks:
			if m.feed.Status().Loading && m.account.Client != nil {
				t.Notes = append(t.Notes, views.Span{Token: theme.Info, Text: dot + " more on the way"})
			}
		}
	}
	if s := pane.Sort(); s.String() != "" {
		text := strings.Replace(s.String(), string(s.Column), columnTitle(pane, s.Column), 1)
		t.Notes = append(t.Notes, views.Span{Token: theme.Muted, Text: "by " + text})
	}
	if h.Err != nil && !m.feed.Status().Offline {
		t.Right = []views.Span{{Token: theme.Warn, Text: errorWords(h.Err)}}
	} else if h.Stale && !h.Fetched.IsZero() {
		t.Right = []views.Span{{Token: theme.Warn, Text: model.FormatDuration(m.frame.Now.Sub(h.Fetched).Round(time.Second)) + " old"}}
	}
	return t
}

// rowCount is how many rows a pane shows. What a filter found beyond what the pane shows by itself is counted apart:
// a filter that shows more than none would be a riddle.
func rowCount(p layout.Pane, pane views.Pane) string {
	beyond := pane.ClosedCount()
	if beyond == 0 {
		return count(pane.Len())
	}
	word := " finished"
	if p == layout.Workers {
		word = " off duty"
	}
	return count(pane.Len()-beyond) + " + " + count(beyond) + word
}

func count(n int) string { return views.Count(n) }

func quietly(format string, n int) views.Span {
	return views.Span{Token: theme.Muted, Text: fmt.Sprintf(format, count(n))}
}

func errorWords(err error) string {
	text, _, _ := strings.Cut(err.Error(), ":")
	return text
}

// tabs is the bar of panes with the worst of each.
func (m *Model) tabs() []views.Tab {
	c, th := m.panes.Snapshot().Counters, m.look.theme
	worst := func(s theme.Status, n int) views.Span {
		if n == 0 {
			return views.Span{}
		}
		badge := th.Badge(s)
		return views.Span{Token: badge.Token, Text: badge.Glyph + count(n)}
	}
	tab := func(p layout.Pane, name string, worst views.Span) views.Tab {
		return views.Tab{Key: m.keyOf("pane." + strings.ToLower(name)), Name: name, Count: m.panes.Panes[p].Len(), Worst: worst}
	}
	return []views.Tab{
		tab(layout.Delays, "Delays", worst(theme.Late, c.Late)),
		tab(layout.Workers, "Workers", worst(theme.Silent, c.Silent)),
		tab(layout.Tasks, "Tasks", worst(theme.Unassigned, c.Unassigned)),
		tab(layout.Orders, "Orders", views.Span{}),
	}
}
