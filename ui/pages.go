package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
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
	scope    keymaps.Scope // of the one that is shown
	kinds    map[keymaps.Scope]*pageKind
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

// pageKind is one of the full-screen lists.
type pageKind struct {
	list pageList
	name string
	note string
	rows keymaps.Kind // what its rows are for actions; empty if no action is about them
	// open shows the row under the cursor in full.
	open func(m *Model) tea.Cmd
	// read requests the rows when the page is opened, update computes them before it is drawn; nil if that is not needed.
	read   func(m *Model) tea.Cmd
	update func(m *Model)
}

// pageList is what every list of a page can do.
type pageList interface {
	views.Mover
	SetSize(width, height int)
	CursorID() string
	AppendLine(dst []byte, line int, f *table.Frame) []byte
}

func newPages(m *Model) page {
	p := page{
		scope: keymaps.Requests, requests: views.NewRequests(m.zone), activity: views.NewActivity(m.zone), jobs: views.NewJobs(m.zone),
		webhooks: views.NewWebhooks(), events: views.NewEvents(m.zone, m.eventObject),
	}
	p.kinds = map[keymaps.Scope]*pageKind{
		keymaps.Activity: {list: p.activity, name: "Activity", note: "changes made here, newest first", open: (*Model).openActivity},
		keymaps.Jobs: {
			list: p.jobs, name: "Jobs", note: "enter open", rows: keymaps.Job, open: (*Model).openJob, update: (*Model).updateJobs,
		},
		keymaps.Webhooks: {
			list: p.webhooks, name: "Webhooks", rows: keymaps.Webhook, open: (*Model).openWebhook, read: (*Model).readWebhooks,
		},
		keymaps.Events: {list: p.events, name: "Events", open: (*Model).openEventObject, read: (*Model).readEvents},
		keymaps.Requests: {
			list: p.requests, name: "Requests", note: "newest first · enter open", rows: keymaps.Request, open: (*Model).openRequest,
			update: (*Model).updateRequests,
		},
	}
	return p
}

// current is the page that is shown.
func (p *page) current() *pageKind { return p.kinds[p.scope] }

// showSearch shows the result of a search instead of the latest activity.
func (p *page) showSearch(found []*views.Activity) {
	for _, a := range found {
		p.numbered++
		a.Number = p.numbered
	}
	p.activity.SetRows(found)
}

// clearAccount removes everything that belongs to the account.
func (p *page) clearAccount() {
	p.requestTotal, p.log, p.search = 0, eventLog{}, ""
	p.requests.SetRows(nil)
	p.jobs.SetRows(nil)
	p.webhooks.SetRows(nil)
	p.events.SetRows(nil)
	p.setRecorded(nil)
}

func pageHandlers() map[string]handler {
	open := func(scope keymaps.Scope) handler {
		return withoutArgument(func(m *Model) tea.Cmd { return m.openPage(scope) })
	}
	return map[string]handler{
		"look.activity":   open(keymaps.Activity),
		"look.requests":   open(keymaps.Requests),
		"look.jobs":       open(keymaps.Jobs),
		"look.webhooks":   open(keymaps.Webhooks),
		"look.events":     open(keymaps.Events),
		"look.messages":   withoutArgument((*Model).openMessages),
		"look.connection": withoutArgument((*Model).openConnection),
		"request.retry":   withoutArgument((*Model).repeatRead),
	}
}

// objects is the row under the cursor as actions see it.
func (p *page) objects() []keymaps.Object {
	kind := p.current()
	if kind.rows == "" || kind.list.CursorID() == "" {
		return nil
	}
	return []keymaps.Object{{Kind: kind.rows}}
}

// record adds an activity.
func (p *page) record(a views.Activity) {
	p.setRecorded(append([]*views.Activity{&a}, p.recorded...))
}

// setRecorded shows activities, the newest first.
func (p *page) setRecorded(activities []*views.Activity) {
	p.recorded = activities[:min(len(activities), maxActivity)]
	for _, a := range p.recorded {
		if a.Number == 0 {
			p.numbered++
			a.Number = p.numbered
		}
	}
	p.activity.SetRows(p.recorded)
}

// openPage shows a page, or the board again if the page is already shown.
func (m *Model) openPage(scope keymaps.Scope) tea.Cmd {
	kind := m.page.kinds[scope]
	if m.screen == layout.Page && m.page.scope == scope {
		m.screen = layout.Board
	} else {
		m.screen, m.page.scope = layout.Page, scope
		kind.list.Go(table.Top)
		if m.detail != nil {
			m.closeDetail()
		}
	}
	if kind.read == nil {
		return nil
	}
	return kind.read(m)
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
	m.page.requests.SetRows(rows)
}

// openActivity shows the activity under the cursor in full.
func (m *Model) openActivity() tea.Cmd {
	a, ok := m.page.activity.CursorRow()
	if !ok {
		return nil
	}
	return m.openReader(a.What, m.wrapTexts(a.Time.In(m.zone()).Format(time.DateTime), a.Object, a.Result, a.Person, a.RequestID))
}

func (m *Model) openRequest() tea.Cmd {
	r, ok := m.page.requests.CursorRow()
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

// wrapTexts wraps texts to the width of a reader, each on lines of its own.
func (m *Model) wrapTexts(texts ...string) []views.Span {
	t := m.newText()
	t.AddParagraphs(theme.Text, texts...)
	return t.Lines
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
	again, path := repeatableRead(m.account.Client, r.Path), r.Path
	if again == nil {
		return m.warn("This read cannot be repeated from here. Copy it as curl instead.")
	}
	return m.run(readTimeout, func(ctx context.Context) result {
		err := again(ctx)
		return func(m *Model) tea.Cmd {
			m.updateRequests()
			if err != nil {
				return m.fail("GET "+path, err)
			}
			return m.inform("GET " + path + " works.")
		}
	})
}

// repeatableRead is the client call for a path; nil if there is none.
func repeatableRead(c *apiclient.Client, path string) func(ctx context.Context) error {
	path, _, _ = strings.Cut(strings.Trim(path, "/"), "?")
	first, rest, _ := strings.Cut(path, "/")
	switch {
	case path == "organization":
		return func(ctx context.Context) error { _, err := c.Organization(ctx); return err }
	case path == "teams":
		return func(ctx context.Context) error { _, err := c.Teams(ctx); return err }
	case path == "hubs":
		return func(ctx context.Context) error { _, err := c.Hubs(ctx); return err }
	case first == "tasks" && model.ID(rest).Valid():
		return func(ctx context.Context) error { _, err := c.Task(ctx, model.ID(rest)); return err }
	case first == "taskOrders" && model.ShortID(rest).Valid():
		return func(ctx context.Context) error { _, err := c.Order(ctx, model.ShortID(rest)); return err }
	}
	return nil
}

func (m *Model) readWebhooks() tea.Cmd {
	if m.account.Client == nil {
		return nil
	}
	return read(m, "Webhooks", m.account.Client.Webhooks, (*Model).showWebhooks)
}

// showWebhooks lists the webhooks, those that need attention first.
func (m *Model) showWebhooks(list []model.Webhook) tea.Cmd {
	var disabled, enabled []*model.Webhook
	for i := range list {
		if w := &list[i]; w.IsEnabled.Or(true) {
			enabled = append(enabled, w)
		} else {
			disabled = append(disabled, w)
		}
	}
	m.page.webhooks.SetRows(slices.Concat(disabled, enabled))
	m.page.webhooks.SetEmpty("No webhooks. " + m.keyFor("create.webhook") + " creates one.")
	return nil
}

// selectedWebhooks is the webhook under the cursor.
func (p *page) selectedWebhooks() []model.Webhook {
	if p.scope != keymaps.Webhooks {
		return nil
	}
	if w, ok := p.webhooks.CursorRow(); ok {
		return []model.Webhook{*w}
	}
	return nil
}

func (m *Model) openWebhook() tea.Cmd {
	w, ok := m.page.webhooks.CursorRow()
	if !ok {
		return nil
	}
	health := "Enabled: the service calls it when the event happens."
	if enabled, known := w.IsEnabled.Get(); known && !enabled {
		health = "Disabled: too many deliveries failed in a row. Repair the receiver, then delete this webhook and create it again."
	}
	return m.openReader("Webhook", m.wrapTexts(
		w.URL, fmt.Sprintf("when %s (trigger %d)", w.Trigger.Name(), int(w.Trigger)),
		"delivered "+plural(int(w.Count), "time", "times"), "id "+string(w.ID), "", health,
	))
}
