package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/table"
	"waybill/views/theme"
)

// page is the screens that are one list.
type page struct {
	scope    keymaps.Scope
	requests *table.Table[*views.Request]
	activity *table.Table[*views.Activity]
	jobs     *table.Table[*views.Job]
	webhooks *table.Table[*model.Webhook]
	events   *table.Table[*model.LoggedEvent]

	total int // requests the list was made from
	noted []*views.Activity
	count int // of everything ever noted

	search string // what the activity was searched for
	log    eventLog
}

const notedMost = 1000

func newPages(m *Model) page {
	return page{
		scope: keymaps.Requests, requests: views.NewRequests(m.zone), activity: views.NewActivity(m.zone), jobs: views.NewJobs(m.zone),
		webhooks: views.NewWebhooks(), events: views.NewEvents(m.zone, m.eventObject),
	}
}

// showFound shows what a search found in the place of what happened.
func (p *page) showFound(found []*views.Activity) {
	for _, a := range found {
		p.count++
		a.Number = p.count
	}
	p.activity.SetRows(found, nil)
}

// leave forgets what belongs to an account.
func (p *page) leave() {
	p.total, p.log, p.search = 0, eventLog{}, ""
	p.requests.SetRows(nil, nil)
	p.jobs.SetRows(nil, nil)
	p.webhooks.SetRows(nil, nil)
	p.events.SetRows(nil, nil)
	p.setNoted(nil)
}

// pageList is what every list of a page can do.
type pageList interface {
	views.Motion
	SetSize(width, height int)
	AppendLine(dst []byte, line int, f *table.Frame) []byte
}

// list is the list in sight, with its name and a word on it.
func (p *page) list() (list pageList, name, note string) {
	switch p.scope {
	case keymaps.Activity:
		if p.search != "" {
			return p.activity, "Activity", "/" + p.search
		}
		return p.activity, "Activity", "what was done from here, the newest first"
	case keymaps.Jobs:
		return p.jobs, "Running work", "enter shows one in full"
	case keymaps.Webhooks:
		return p.webhooks, "Webhooks", ""
	case keymaps.Events:
		return p.events, "Events", p.log.note
	}
	return p.requests, "Requests", "newest first; enter shows one in full"
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
	}
	if !has {
		return nil
	}
	return []keymaps.Object{{Kind: kind}}
}

// note keeps something that happened.
func (p *page) note(a views.Activity) {
	p.setNoted(append([]*views.Activity{&a}, p.noted...))
}

// setNoted shows what happened, the newest first.
func (p *page) setNoted(noted []*views.Activity) {
	p.noted = noted[:min(len(noted), notedMost)]
	for _, a := range p.noted {
		if a.Number == 0 {
			p.count++
			a.Number = p.count
		}
	}
	p.activity.SetRows(p.noted, nil)
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

// learnRequests shows what the client has sent since the last look.
func (m *Model) learnRequests() {
	if m.account.Client == nil || m.account.Client.Log().Total() == m.page.total {
		return
	}
	log := m.account.Client.Log()
	m.page.total = log.Total()
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

// open shows what is under the cursor in full.
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
		return m.open(&reader{title: a.What, lines: m.wrapped(
			a.Time.In(m.zone()).Format(time.DateTime), a.Object, a.Result, a.Person, a.RequestID,
		)})
	}
	r, ok := p.requests.CursorRow()
	if !ok {
		return nil
	}
	return m.open(&reader{title: "Request", lines: m.requestLines(r)})
}

// requestLines are a request in full: what it was, then the bodies as far as there are any.
func (m *Model) requestLines(r *views.Request) []views.Span {
	t := &textLines{measure: m.look.theme.Measure, width: m.readerWidth()}
	tries := "1 try"
	if r.Attempts > 1 {
		tries = fmt.Sprintf("%d tries", r.Attempts)
	}
	t.add(theme.Strong, r.Method+" "+r.Path)
	t.add(theme.Text, fmt.Sprintf("status %d, %d ms, %s, at %s", r.Status, r.Duration.Milliseconds(), tries, r.Time.In(m.zone()).Format(time.DateTime)))
	if r.RequestID != "" {
		t.add(theme.Text, "request id "+r.RequestID)
	}
	if r.Error != "" {
		t.add(theme.Bad, r.Error)
	}
	for _, part := range []struct{ name, text string }{{"sent", r.Sent}, {"answer", r.Answer}, {"again", r.Curl}} {
		if part.text == "" {
			continue
		}
		t.gap()
		t.add(theme.ColumnHead, part.name)
		if part.name != "again" {
			part.text = indented(model.Raw(part.text))
		}
		for line := range strings.SplitSeq(part.text, "\n") {
			t.verbatim(theme.Text, line)
		}
	}
	return t.lines
}

// readerWidth is how much of a line there is in a text on top of everything.
func (m *Model) readerWidth() int {
	const frame, margin = 4, 8
	if m.width < layout.QuadWidth || m.height < layout.QuadHeight {
		return m.width - frame
	}
	return m.width - margin - frame
}

func (m *Model) wrapped(texts ...string) []views.Span {
	width := m.readerWidth()
	var lines []views.Span
	for _, text := range texts {
		for _, line := range views.Wrap(text, width, m.look.theme.Measure) {
			token := theme.Text
			switch line {
			case "sent", "answer", "again":
				token = theme.ColumnHead
			}
			lines = append(lines, views.Span{Token: token, Text: line})
		}
	}
	return lines
}

// retried is the answer to a read that was sent again.
type retried struct {
	path string
	err  error
}

// retry sends a read again, to see whether it works now.
func (m *Model) retry() tea.Cmd {
	r, ok := m.page.requests.CursorRow()
	if !ok {
		return nil
	}
	if r.Method != "GET" {
		m.warn("Only reads can be sent again: a " + r.Method + " might be done twice.")
		return nil
	}
	again, ok := readAgain(r.Path)
	if !ok {
		m.warn("This read cannot be sent again from here; copy it as curl instead.")
		return nil
	}
	client, path := m.account.Client, r.Path
	return m.run(lookUpLimit, func(ctx context.Context) any { return retried{path, again(ctx, client)} })
}

func (m *Model) retried(r retried) tea.Cmd {
	if r.err != nil {
		m.fail("GET "+r.path, r.err)
	} else {
		m.inform("GET " + r.path + " works.")
	}
	m.learnRequests()
	return nil
}

// readAgain is the read behind a path.
func readAgain(path string) (func(ctx context.Context, c reading) error, bool) {
	path, _, _ = strings.Cut(strings.Trim(path, "/"), "?")
	first, rest, _ := strings.Cut(path, "/")
	switch {
	case path == "organization":
		return func(ctx context.Context, c reading) error { _, err := c.Organization(ctx); return err }, true
	case path == "teams":
		return func(ctx context.Context, c reading) error { _, err := c.Teams(ctx); return err }, true
	case path == "hubs":
		return func(ctx context.Context, c reading) error { _, err := c.Hubs(ctx); return err }, true
	case first == "tasks" && model.ID(rest).Valid():
		return func(ctx context.Context, c reading) error { _, err := c.Task(ctx, model.ID(rest)); return err }, true
	case first == "taskOrders" && model.ShortID(rest).Valid():
		return func(ctx context.Context, c reading) error { _, err := c.Order(ctx, model.ShortID(rest)); return err }, true
	}
	return nil, false
}

// reading is as much of the client as a read that is sent again needs.
type reading interface {
	Organization(ctx context.Context) (model.Organization, error)
	Teams(ctx context.Context) ([]model.Team, error)
	Hubs(ctx context.Context) ([]model.Hub, error)
	Task(ctx context.Context, id model.ID) (model.Task, error)
	Order(ctx context.Context, id model.ShortID) (model.Order, error)
}
