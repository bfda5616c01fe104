package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/dialog"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/table"
	"waybill/views/theme"
)

// page holds the full-screen lists: requests, activity, jobs, webhooks and events.
type page struct {
	scope    keymaps.Scope
	requests *table.Table[*views.Request]
	activity *table.Table[*views.Activity]
	jobs     *table.Table[*views.Job]
	webhooks *table.Table[*model.Webhook]
	events   *table.Table[*model.LoggedEvent]

	requestTotal int // requests in the log when the list was built
	recorded     []*views.Activity
	numbered     int // of all activity so far

	search string // search text of the activity
	log    eventLog
}

const maxActivity = 1000

func newPages(m *Model) page {
	return page{
		scope: keymaps.Requests, requests: views.NewRequests(m.zone), activity: views.NewActivity(m.zone), jobs: views.NewJobs(m.zone),
		webhooks: views.NewWebhooks(), events: views.NewEvents(m.zone, m.eventObject),
	}
}

// showSearch shows the result of a search instead of the latest activity.
func (p *page) showSearch(found []*views.Activity) {
	for _, a := range found {
		p.numbered++
		a.Number = p.numbered
	}
	p.activity.SetRows(found, nil)
}

// clearAccount removes everything that belongs to the account.
func (p *page) clearAccount() {
	p.requestTotal, p.log, p.search = 0, eventLog{}, ""
	p.requests.SetRows(nil, nil)
	p.jobs.SetRows(nil, nil)
	p.webhooks.SetRows(nil, nil)
	p.events.SetRows(nil, nil)
	p.setRecorded(nil)
}

func pageHandlers() map[string]handler {
	open := func(scope keymaps.Scope, read func(m *Model) tea.Cmd) handler {
		return withoutArgument(func(m *Model) tea.Cmd {
			m.openPage(scope)
			if read == nil {
				return nil
			}
			return read(m)
		})
	}
	return map[string]handler{
		"look.activity":   open(keymaps.Activity, nil),
		"look.requests":   open(keymaps.Requests, nil),
		"look.jobs":       open(keymaps.Jobs, nil),
		"look.webhooks":   open(keymaps.Webhooks, (*Model).readWebhooks),
		"look.events":     open(keymaps.Events, (*Model).readEvents),
		"look.messages":   withoutArgument((*Model).openMessages),
		"look.connection": withoutArgument((*Model).openConnection),
		"request.retry":   withoutArgument((*Model).repeatRead),
	}
}

// pageList is what every list of a page can do.
type pageList interface {
	views.Motion
	SetSize(width, height int)
	AppendLine(dst []byte, line int, f *table.Frame) []byte
}

// list is the list that is shown, with its title and a note.
func (p *page) list() (list pageList, name, note string) {
	switch p.scope {
	case keymaps.Activity:
		if p.search != "" {
			return p.activity, "Activity", "/" + p.search
		}
		return p.activity, "Activity", "changes made here, newest first"
	case keymaps.Jobs:
		return p.jobs, "Running work", "enter open"
	case keymaps.Webhooks:
		return p.webhooks, "Webhooks", ""
	case keymaps.Events:
		return p.events, "Events", p.log.note
	default:
		return p.requests, "Requests", "newest first · enter open"
	}
}

func (p *page) motion() views.Motion {
	list, _, _ := p.list()
	return list
}

func (p *page) objects() []keymaps.Object {
	has, kind := false, keymaps.Request
	switch p.scope {
	case keymaps.Requests:
		_, has = p.requests.CursorRow()
	case keymaps.Jobs:
		_, has = p.jobs.CursorRow()
		kind = keymaps.Job
	case keymaps.Webhooks:
		_, has = p.webhooks.CursorRow()
		kind = keymaps.Webhook
	default:
	}
	if !has {
		return nil
	}
	return []keymaps.Object{{Kind: kind}}
}

// record adds an activity.
func (p *page) record(a views.Activity) {
	p.setRecorded(append([]*views.Activity{&a}, p.recorded...))
}

// setRecorded shows activities, the newest first.
func (p *page) setRecorded(noted []*views.Activity) {
	p.recorded = noted[:min(len(noted), maxActivity)]
	for _, a := range p.recorded {
		if a.Number == 0 {
			p.numbered++
			a.Number = p.numbered
		}
	}
	p.activity.SetRows(p.recorded, nil)
}

func (m *Model) openPage(scope keymaps.Scope) {
	if m.screen == layout.Page && m.page.scope == scope {
		m.screen = layout.Board
		return
	}
	m.screen, m.page.scope = layout.Page, scope
	m.page.motion().Top()
	if m.detail != nil {
		m.closeDetail()
	}
}

// updateRequests updates the list if the client has sent more requests.
func (m *Model) updateRequests() {
	if m.account.Client == nil || m.account.Client.Log().Total() == m.page.requestTotal {
		return
	}
	log := m.account.Client.Log()
	m.page.requestTotal = log.Total()
	entries := log.Entries()
	rows := make([]*views.Request, 0, len(entries))
	for i := len(entries) - 1; i >= 0; i-- {
		e := &entries[i]
		rows = append(rows, &views.Request{
			Number: e.Number, Time: e.Time, Method: e.Method, Path: e.Path, Status: e.Status, Duration: e.Duration,
			Attempts: e.Attempts, RequestID: e.RequestID, Error: e.Error, Sent: e.RequestBody, Answer: e.ResponseBody,
			Curl: e.Curl(),
		})
	}
	m.page.requests.SetRows(rows, nil)
}

// open shows the row under the cursor in full.
func (p *page) open(m *Model) tea.Cmd {
	switch p.scope {
	case keymaps.Jobs:
		return m.openJob()
	case keymaps.Webhooks:
		return m.openWebhook()
	case keymaps.Events:
		return m.openEventObject()
	case keymaps.Activity:
		a, ok := p.activity.CursorRow()
		if !ok {
			return nil
		}
		return m.openReader(a.What, m.wrapTexts(a.Time.In(m.zone()).Format(time.DateTime), a.Object, a.Result, a.Person, a.RequestID))
	default:
	}
	r, ok := p.requests.CursorRow()
	if !ok {
		return nil
	}
	return m.openReader("Request", m.requestLines(r))
}

// requestLines is a request in full with its bodies.
func (m *Model) requestLines(r *views.Request) []views.Span {
	t, tries := m.newText(), plural(max(r.Attempts, 1), "try", "tries")
	t.AddParagraph(theme.Strong, r.Method+" "+r.Path)
	t.AddParagraph(theme.Text, fmt.Sprintf("status %d, %d ms, %s, at %s", r.Status, r.Duration.Milliseconds(), tries,
		r.Time.In(m.zone()).Format(time.DateTime)))
	if r.RequestID != "" {
		t.AddParagraph(theme.Text, "request id "+r.RequestID)
	}
	if r.Error != "" {
		t.AddParagraph(theme.Bad, r.Error)
	}
	for _, part := range []struct{ name, body string }{{"sent", r.Sent}, {"answer", r.Answer}} {
		if part.body != "" {
			t.AddGap()
			t.AddParagraph(theme.ColumnHead, part.name)
			t.AddJSON(theme.Text, model.Raw(part.body))
		}
	}
	if r.Curl != "" {
		t.AddGap()
		t.AddParagraph(theme.ColumnHead, "as curl")
		t.AddLine(theme.Text, r.Curl)
	}
	return t.Lines
}

// readerWidth is the width of the text in a reader.
func (m *Model) readerWidth() int {
	const frame, margin = 4, 8
	if m.width < layout.QuadWidth || m.height < layout.QuadHeight {
		return m.width - frame
	}
	return m.width - margin - frame
}

// newText is an empty text as wide as a reader.
func (m *Model) newText() *dialog.Text {
	return dialog.NewText(m.appearance.theme.Measure, m.readerWidth())
}

func (m *Model) wrapTexts(texts ...string) []views.Span {
	width := m.readerWidth()
	var lines []views.Span
	for _, text := range texts {
		for _, line := range views.Wrap(text, width, m.appearance.theme.Measure) {
			lines = append(lines, views.Span{Token: theme.Text, Text: line})
		}
	}
	return lines
}

// repeatRead sends a read again, to see whether it works now.
func (m *Model) repeatRead() tea.Cmd {
	r, ok := m.page.requests.CursorRow()
	if !ok {
		return nil
	}
	if r.Method != "GET" {
		return m.warn("Only reads can be repeated: a " + r.Method + " might be carried out twice.")
	}
	again, ok := repeatableRead(r.Path)
	if !ok {
		return m.warn("This read cannot be repeated from here. Copy it as curl instead.")
	}
	client, path := m.account.Client, r.Path
	return m.run(readTimeout, func(ctx context.Context) result {
		err := again(ctx, client)
		return func(m *Model) tea.Cmd {
			m.updateRequests()
			if err != nil {
				return m.fail("GET "+path, err)
			}
			return m.inform("GET " + path + " works.")
		}
	})
}

// repeatableRead is the client call for a path.
func repeatableRead(path string) (func(ctx context.Context, c readClient) error, bool) {
	path, _, _ = strings.Cut(strings.Trim(path, "/"), "?")
	first, rest, _ := strings.Cut(path, "/")
	switch {
	case path == "organization":
		return func(ctx context.Context, c readClient) error { _, err := c.Organization(ctx); return err }, true
	case path == "teams":
		return func(ctx context.Context, c readClient) error { _, err := c.Teams(ctx); return err }, true
	case path == "hubs":
		return func(ctx context.Context, c readClient) error { _, err := c.Hubs(ctx); return err }, true
	case first == "tasks" && model.ID(rest).Valid():
		return func(ctx context.Context, c readClient) error { _, err := c.Task(ctx, model.ID(rest)); return err }, true
	case first == "taskOrders" && model.ShortID(rest).Valid():
		return func(ctx context.Context, c readClient) error { _, err := c.Order(ctx, model.ShortID(rest)); return err }, true
	}
	return nil, false
}

// readClient is the part of the client that repeated reads need.
type readClient interface {
	Organization(ctx context.Context) (model.Organization, error)
	Teams(ctx context.Context) ([]model.Team, error)
	Hubs(ctx context.Context) ([]model.Hub, error)
	Task(ctx context.Context, id model.ID) (model.Task, error)
	Order(ctx context.Context, id model.ShortID) (model.Order, error)
}
