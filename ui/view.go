package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/layout"
	"waybill/ui/table"
	"waybill/ui/theme"
	"waybill/views"
)

// arrange decides where everything stands and gives every part its size.
func (m *Model) arrange() {
	_, banner := m.banner()
	state := layout.State{
		Screen: m.screen, Focus: m.focus, Zoom: m.zoom, Detail: m.detail != nil && m.screen != layout.Page, Banner: banner,
		Jobs: len(m.running()),
	}
	if top := m.top(); top != nil {
		state.Overlay = top.place(m)
	}
	m.layout = layout.Compute(m.width, m.height, state)
	for i, p := range m.panes.Panes {
		if r := m.layout.Of(layout.Pane(i).Body()); !r.Empty() {
			p.SetSize(r.W, r.H)
		}
	}
	if m.detail != nil {
		r := m.layout.Of(layout.DetailBody)
		m.detail.view.SetSize(r.W, r.H)
	}
	body, near := m.layout.Of(layout.MapBody), m.layout.Of(layout.NearBody)
	if !body.Empty() {
		m.mapView.SetSize(body.W, body.H, near.H)
	}
	if r := m.layout.Of(layout.PageBody); !r.Empty() {
		list, _, _ := m.page.list()
		list.SetSize(r.W, r.H)
	}
}

// prepare brings what is drawn up to date.
func (m *Model) prepare() {
	m.arrange()
	m.frame = views.Frame{Theme: m.look.theme, Now: m.now(), Zone: m.zone(), Key: m.keys.KeyFor}
	m.say()
	if m.detail != nil {
		m.detail.prepare(m.panes.Snapshot(), &m.frame)
	}
	switch {
	case m.screen == layout.Map:
		m.mapView.Prepare(m.panes, m.look.theme)
	case m.screen == layout.Page && m.page.scope == keymaps.Requests:
		m.learnRequests()
	case m.screen == layout.Page && m.page.scope == keymaps.Jobs:
		m.learnJobs()
	}
}

// View implements [tea.Model].
func (m *Model) View() tea.View {
	m.prepare()
	v := tea.View{AltScreen: true, ReportFocus: true, WindowTitle: m.windowTitle()}
	if m.look.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	m.out = m.out[:0]
	for y := range m.height {
		if y > 0 {
			m.out = append(m.out, '\n')
		}
		m.out = m.appendRow(m.out, y)
	}
	v.Content = string(m.out)
	return v
}

func (m *Model) windowTitle() string {
	c := m.panes.Snapshot().Counters
	return fmt.Sprintf("waybill %s: %d late, %d unassigned", model.Clean(m.accountName()), c.Late, c.Unassigned)
}

// appendRow draws one line of the screen, with the overlay over it.
func (m *Model) appendRow(dst []byte, y int) []byte {
	over := m.layout.Overlay
	top := m.top()
	if top == nil || over.Empty() || y < over.Y || y >= over.Y+over.H {
		return m.appendSpans(dst, y)
	}
	m.line = m.appendSpans(m.line[:0], y)
	under := string(m.line)
	head, tail, width := ansi.TruncateWc, ansi.TruncateLeftWc, ansi.StringWidthWc
	if m.look.options.Measure == theme.ByGrapheme {
		head, tail, width = ansi.Truncate, ansi.TruncateLeft, ansi.StringWidth
	}
	// A wide character that the overlay's edge cuts in two is left out; blanks take its place.
	left, right := head(under, over.X, ""), tail(under, over.X+over.W, "")
	if room := m.width - over.X - over.W; width(right) > room {
		right = tail(under, over.X+over.W+1, "")
	}
	dst = append(append(dst, left...), theme.Reset...)
	dst = theme.AppendSpaces(dst, over.X-width(left))
	dst = top.appendLine(dst, m, y-over.Y, over.W, over.H)
	dst = append(dst, theme.Reset...)
	dst = theme.AppendSpaces(dst, m.width-over.X-over.W-width(right))
	return append(dst, right...)
}

func (m *Model) appendSpans(dst []byte, y int) []byte {
	m.spans = m.layout.AppendRow(m.spans[:0], y)
	for _, s := range m.spans {
		dst = m.appendSpan(dst, s)
	}
	return dst
}

func (m *Model) appendSpan(dst []byte, s layout.Span) []byte {
	th := m.look.theme
	if p, ok := s.Part.Pane(); ok {
		if s.Part.IsTitle() {
			return views.AppendTitle(dst, m.paneTitle(p), th, s.W)
		}
		return m.panes.Panes[p].AppendLine(dst, s.Line, &m.frame, p == m.focus && !m.detailFocused(), m.stale(p))
	}
	switch s.Part {
	case layout.Divider, layout.NearDivider, layout.DetailDivider:
		return th.Append(dst, theme.Rule, joint(th, s.Joint))
	case layout.Header:
		return views.AppendHeader(dst, m.header(), th, s.W)
	case layout.Banner:
		text, _ := m.banner()
		return views.NewLine(dst, th, s.W).Fit(theme.Banner, " "+text, s.W, theme.Left).End()
	case layout.Tabs:
		return views.AppendTabs(dst, m.tabs(), int(m.focus), th, s.W)
	case layout.Status:
		return m.appendStatus(dst, s.W)
	case layout.DetailTitle, layout.DetailBody:
		return m.appendDetail(dst, s)
	case layout.MapTitle, layout.MapBody, layout.NearTitle, layout.NearBody:
		return m.appendMap(dst, s)
	case layout.PageTitle, layout.PageBody:
		return m.appendPage(dst, s)
	case layout.Jobs:
		return m.appendJob(dst, s)
	case layout.Message:
		return m.appendTooSmall(dst, s)
	}
	return theme.AppendSpaces(dst, s.W)
}

func joint(th *theme.Theme, j layout.Joint) string {
	g := &th.Glyphs
	switch j {
	case layout.TeeDown:
		return g.TeeDown
	case layout.Cross:
		return g.Cross
	case layout.TeeLeft:
		return g.TeeLeft
	case layout.TeeRight:
		return g.TeeRight
	}
	return g.Vertical
}

func (m *Model) stale(p layout.Pane) bool {
	return m.feed.Status().Offline || m.health[p].Stale && !m.feed.Status().Paused
}

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
	builtin := model.BuiltinViews()
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
	beyond := pane.Beyond()
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

func (m *Model) appendStatus(dst []byte, width int) []byte {
	if top := m.top(); top != nil && top.place(m).Kind == layout.NoOverlay {
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
		s.Marked = count(p.Selected()) + " marked"
	}
	if pending := m.typing.Pending(); pending != "" {
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

func (m *Model) appendDetail(dst []byte, s layout.Span) []byte {
	if m.detail == nil {
		return theme.AppendSpaces(dst, s.W)
	}
	if s.Part == layout.DetailBody {
		return m.detail.view.AppendLine(dst, s.Line, &m.frame, s.W, m.detailFocused())
	}
	t := views.Title{Name: m.detail.view.Name(), Focused: m.detailFocused()}
	if m.detail.view.Raw {
		t.Notes = append(t.Notes, views.Span{Token: theme.Muted, Text: "as JSON"})
	}
	if more := m.detail.view.More(); more > 0 {
		t.Right = []views.Span{{Token: theme.Muted, Text: strconv.Itoa(more) + " more lines"}}
	}
	return views.AppendTitle(dst, &t, m.look.theme, s.W)
}

func (m *Model) appendMap(dst []byte, s layout.Span) []byte {
	th, snapshot := m.look.theme, m.panes.Snapshot()
	switch s.Part {
	case layout.MapTitle:
		t := views.Title{Name: "Map", Focused: true}
		if text := m.panes.Panes[layout.Tasks].FilterText(); text != "" {
			t.Notes = append(t.Notes, views.Span{Token: theme.Match, Text: "/" + text})
		}
		return views.AppendTitle(dst, &t, th, s.W)
	case layout.NearTitle:
		return views.AppendTitle(dst, &views.Title{Name: m.mapView.NearTitle(snapshot)}, th, s.W)
	case layout.NearBody:
		return m.mapView.AppendNear(dst, s.Line, &m.frame, snapshot, s.W)
	}
	return m.mapView.AppendLine(dst, s.Line, th, s.W)
}

func (m *Model) appendPage(dst []byte, s layout.Span) []byte {
	list, name, note := m.page.list()
	if s.Part == layout.PageTitle {
		t := views.Title{Name: name, Focused: true}
		if note != "" {
			t.Notes = []views.Span{{Token: theme.Muted, Text: note}}
		}
		if m.page.scope == keymaps.Events {
			t.Notes = m.eventNotes(s.W)
		}
		return views.AppendTitle(dst, &t, m.look.theme, s.W)
	}
	return list.AppendLine(dst, s.Line, &table.Frame{Theme: m.look.theme, Now: m.frame.Now, Focused: true})
}

func (m *Model) appendTooSmall(dst []byte, s layout.Span) []byte {
	texts := []string{"too small", fmt.Sprintf("%dx%d, needs %dx%d", m.width, m.height, layout.MinWidth, layout.MinHeight)}
	if m.look.theme.Measure.Width(texts[1]) > s.W {
		texts = texts[:1]
	}
	l := views.NewLine(dst, m.look.theme, s.W)
	if at := s.Line - m.height/2 + 1; at >= 0 && at < len(texts) {
		l.Fit(theme.Text, texts[at], s.W, theme.Center)
	}
	return l.End()
}
