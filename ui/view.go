package ui

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/table"
	"waybill/views/theme"
)

// computeLayout computes the layout and sets the size of every part.
func (m *Model) computeLayout() {
	_, banner := m.banner()
	state := layout.State{
		Screen: m.screen, Focus: m.focus, Zoom: m.zoom, Detail: m.detail != nil && m.screen != layout.Page, Banner: banner,
		Jobs: len(m.shownJobs()),
	}
	if top := m.topDialog(); top != nil {
		state.Dialog = top.Placement(m.dialogContext())
	}
	m.layout = layout.Compute(m.width, m.height, state)
	for i, p := range m.panes.Panes {
		if r := m.layout.Rect(layout.BodyOf(board.Pane(i))); !r.Empty() {
			p.SetSize(r.W, r.H)
		}
	}
	if m.detail != nil {
		r := m.layout.Rect(layout.DetailBody)
		m.detail.view.SetSize(r.W, r.H)
	}
	body, near := m.layout.Rect(layout.MapBody), m.layout.Rect(layout.NearBody)
	if !body.Empty() {
		m.mapView.SetSize(body.W, body.H, near.H)
	}
	if r := m.layout.Rect(layout.PageBody); !r.Empty() {
		m.page.current().list.SetSize(r.W, r.H)
	}
}

// prepareFrame updates what is drawn.
func (m *Model) prepareFrame() {
	m.computeLayout()
	m.frame = views.Frame{Theme: m.appearance.theme, Now: m.now(), Zone: m.zone(), Key: m.keys.FirstKey}
	m.setEmptyTexts()
	if m.detail != nil {
		m.detail.updateRows(m.panes.Snapshot(), &m.frame)
	}
	if m.screen == layout.Map {
		m.mapView.Prepare(m.panes, m.appearance.theme)
	}
	if update := m.page.current().update; m.screen == layout.Page && update != nil {
		update(m)
	}
}

// View implements [tea.Model].
func (m *Model) View() tea.View {
	m.prepareFrame()
	v := tea.View{AltScreen: true, ReportFocus: true, WindowTitle: m.windowTitle()}
	if m.appearance.mouse {
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

// appendRow draws one line of the screen. While a dialog is open, the lines behind it are dimmed.
func (m *Model) appendRow(dst []byte, y int) []byte {
	over, body := m.layout.Dialog, m.layout.Body
	top := m.topDialog()
	if top == nil || over.Empty() || y < body.Y || y >= body.Y+body.H {
		return m.appendSpans(dst, y)
	}
	m.line = m.appendSpans(m.line[:0], y)
	if y < over.Y || y >= over.Y+over.H {
		return m.appearance.theme.AppendDimmed(dst, m.line)
	}
	under := string(m.appearance.theme.AppendDimmed(nil, m.line))
	head, tail, width := ansi.TruncateWc, ansi.TruncateLeftWc, ansi.StringWidthWc
	if m.appearance.options.Measure == theme.ByGrapheme {
		head, tail, width = ansi.Truncate, ansi.TruncateLeft, ansi.StringWidth
	}
	// A wide character that the edge of the dialog would cut is replaced by blanks.
	left, right := head(under, over.X, ""), tail(under, over.X+over.W, "")
	if room := m.width - over.X - over.W; width(right) > room {
		right = tail(under, over.X+over.W+1, "")
	}
	dst = append(append(dst, left...), theme.Reset...)
	dst = theme.AppendSpaces(dst, over.X-width(left))
	dst = top.AppendLine(dst, m.dialogContext(), y-over.Y, over.W, over.H)
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
	th := m.appearance.theme
	if p, ok := s.Part.Pane(); ok {
		if s.Part.IsTitle() {
			return m.chrome.AppendTitle(dst, m.paneTitle(p), th, s.W)
		}
		return m.panes.Panes[p].AppendLine(dst, s.Line, &m.frame, p == m.focus && !m.detailFocused(), m.stale(p))
	}
	switch s.Part {
	case layout.Divider, layout.NearDivider, layout.DetailDivider:
		return th.Append(dst, theme.Rule, joint(th, s.Joint))
	case layout.Header:
		return m.chrome.AppendHeader(dst, m.header(), th, s.W)
	case layout.Banner:
		text, _ := m.banner()
		return views.NewLine(dst, th, s.W).Fit(theme.Banner, " "+text, s.W, theme.Left).End()
	case layout.Tabs:
		return m.chrome.AppendTabs(dst, m.tabs(), int(m.focus), th, s.W)
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
	default:
		return theme.AppendSpaces(dst, s.W)
	}
}

func joint(th *theme.Theme, j layout.Joint) string {
	g := &th.Glyphs
	return [...]string{
		layout.Straight: g.Vertical, layout.TeeDown: g.TeeDown, layout.Cross: g.Cross, layout.TeeLeft: g.TeeLeft, layout.TeeRight: g.TeeRight,
	}[j]
}

func (m *Model) stale(p board.Pane) bool {
	return m.feed.Status().Offline || m.health[p].Stale && !m.feed.Status().Paused
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
	return m.chrome.AppendTitle(dst, &t, m.appearance.theme, s.W)
}

func (m *Model) appendMap(dst []byte, s layout.Span) []byte {
	th, snapshot := m.appearance.theme, m.panes.Snapshot()
	switch s.Part {
	case layout.MapTitle:
		t := views.Title{Name: "Map", Focused: true}
		if text := m.panes.Panes[board.PaneTasks].State().Filter; text != "" {
			t.Notes = append(t.Notes, views.Span{Token: theme.Match, Text: "/" + text})
		}
		return m.chrome.AppendTitle(dst, &t, th, s.W)
	case layout.NearTitle:
		return m.chrome.AppendTitle(dst, &views.Title{Name: m.mapView.NearTitle(snapshot)}, th, s.W)
	case layout.NearBody:
		return m.mapView.AppendNear(dst, s.Line, &m.frame, snapshot, s.W)
	default:
		return m.mapView.AppendLine(dst, s.Line, th, s.W)
	}
}

func (m *Model) appendPage(dst []byte, s layout.Span) []byte {
	kind := m.page.current()
	if s.Part == layout.PageTitle {
		t := views.Title{Name: kind.name, Focused: true}
		switch {
		case m.page.scope == keymaps.Events:
			t.Notes = m.eventNotes(s.W)
		case m.onActivityPage() && m.page.search != "":
			t.Notes = []views.Span{{Token: theme.Muted, Text: "/" + m.page.search}}
		case kind.note != "":
			t.Notes = []views.Span{{Token: theme.Muted, Text: kind.note}}
		}
		return m.chrome.AppendTitle(dst, &t, m.appearance.theme, s.W)
	}
	return kind.list.AppendLine(dst, s.Line, &table.Frame{Theme: m.appearance.theme, Focused: true})
}

func (m *Model) appendTooSmall(dst []byte, s layout.Span) []byte {
	texts := []string{"too small", fmt.Sprintf("%dx%d, needs %dx%d", m.width, m.height, layout.MinWidth, layout.MinHeight)}
	if m.appearance.theme.Measure.Width(texts[1]) > s.W {
		texts = texts[:1]
	}
	l := views.NewLine(dst, m.appearance.theme, s.W)
	if at := s.Line - m.height/2 + 1; at >= 0 && at < len(texts) {
		l.Put(theme.Text, lipgloss.PlaceHorizontal(s.W, lipgloss.Center, texts[at]))
	}
	return l.End()
}
