package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/feed"
	"waybill/views"
	"waybill/views/layout"
)

func takeHandlers() map[string]handler {
	return map[string]handler{
		"take.copy":   alone((*Model).openCopy),
		"take.link":   alone((*Model).copyLink),
		"take.export": func(m *Model, argument string) tea.Cmd { return m.export(argument) },
	}
}

// copyText hands a text to the terminal's clipboard. The text is shown too, since a terminal may refuse.
func (m *Model) copyText(what, text string) tea.Cmd {
	if text == "" {
		m.warn("There is no " + what + " to copy.")
		return nil
	}
	shown := strings.Join(strings.Fields(text), " ")
	m.inform("Copied " + what + ": " + m.look.theme.Measure.Truncate(shown, 60))
	return tea.SetClipboard(text)
}

// openCopy is the menu of what can be copied of the object under the cursor.
func (m *Model) openCopy() tea.Cmd {
	if m.screen == layout.Page {
		return m.openCopyRequest()
	}
	var items []item
	add := func(what, text string) {
		if text != "" {
			note := text
			if lines := strings.Count(text, "\n") + 1; lines > 1 {
				note = fmt.Sprintf("%d lines", lines)
			}
			items = append(items, item{label: what, note: note, run: func(m *Model) tea.Cmd { return m.copyText(what, text) }})
		}
	}
	t, s := m.target(), m.panes.Snapshot()
	add("id", string(t.ID))
	switch t.Kind {
	case feed.TaskDetail:
		if row := s.Tasks.Get(t.ID); row != nil {
			add("short id", string(row.ShortID))
			add("recipient's phone", row.Phone)
			add("driver's phone", m.driverPhone(row))
			add("address", row.Address)
		}
	case feed.WorkerDetail:
		if row := s.Workers.Get(t.ID); row != nil {
			add("phone", row.Phone)
			add("name", row.Name)
		}
	case feed.OrderDetail:
		add("short id", string(t.Short))
	}
	for _, what := range copiedWhole(t.Kind) {
		if whole := m.wholeOf(t); whole != nil {
			add(what, copiedOf(what, whole))
		} else if m.account.Client != nil {
			items = append(items, item{label: what, note: "is asked for", run: func(m *Model) tea.Cmd { return m.copyOf(what, t) }})
		}
	}
	m.copyCurl(add, t)
	if len(items) == 0 {
		m.warn("There is nothing here to copy.")
		return nil
	}
	return m.open(newMenu("Copy", items))
}

func (m *Model) driverPhone(row *board.TaskRow) string {
	if w := m.panes.Snapshot().Workers.Get(row.Worker); w != nil {
		return w.Phone
	}
	return ""
}

const (
	trackingLink = "tracking link"
	wholeJSON    = "JSON"
)

// copiedWhole is what can be copied of an object that lists do not bring.
func copiedWhole(k feed.Kind) []string {
	switch k {
	case feed.TaskDetail:
		return []string{trackingLink, wholeJSON}
	case feed.WorkerDetail, feed.OrderDetail, feed.RecipientDetail, feed.DestinationDetail:
		return []string{wholeJSON}
	}
	return nil
}

// copyOf copies something of a whole object: the one in the detail, or else the service is asked for it.
func (m *Model) copyOf(what string, t feed.Target) tea.Cmd {
	if whole := m.wholeOf(t); whole != nil {
		return m.copyText(what, copiedOf(what, whole))
	}
	client := m.account.Client
	if client == nil {
		m.warn("There is no connection yet.")
		return nil
	}
	m.inform("Asking for the " + what + "…")
	return m.run(lookUpLimit, func(ctx context.Context) any {
		whole, err := readWhole(ctx, client, t)
		return wholeRead{what, whole, err}
	})
}

// wholeOf is an object as the service sent it, where the detail has it.
func (m *Model) wholeOf(t feed.Target) any {
	if m.detail == nil || m.detail.target != t {
		return nil
	}
	return m.detail.view.Object.Full()
}

// copiedOf is the text of something that a whole object tells.
func copiedOf(what string, whole any) string {
	if task, ok := whole.(*model.Task); ok && what == trackingLink {
		return task.TrackingURL
	}
	text, _ := model.MarshalIndent(whole) // it was read as JSON
	return string(text)
}

func readWhole(ctx context.Context, c *apiclient.Client, t feed.Target) (any, error) {
	switch t.Kind {
	case feed.WorkerDetail:
		worker, err := c.Worker(ctx, t.ID, apiclient.WorkerQuery{})
		return &worker, err
	case feed.OrderDetail:
		order, err := c.Order(ctx, t.Short)
		return &order, err
	case feed.RecipientDetail:
		recipient, err := c.Recipient(ctx, t.ID)
		return &recipient, err
	case feed.DestinationDetail:
		destination, err := c.Destination(ctx, t.ID)
		return &destination, err
	}
	task, err := c.Task(ctx, t.ID)
	return &task, err
}

// wholeRead is an object that something is to be copied of.
type wholeRead struct {
	what  string
	whole any
	err   error
}

func (r wholeRead) arrive(m *Model) tea.Cmd {
	if r.err != nil {
		m.fail("The "+r.what, r.err)
		return nil
	}
	return m.copyText(r.what, copiedOf(r.what, r.whole))
}

// track copies the tracking page's address.
func (m *Model) track() tea.Cmd { return m.copyOf(trackingLink, m.target()) }

// copyCurl adds the command that reads an object.
func (m *Model) copyCurl(add func(what, text string), t feed.Target) {
	path := map[feed.Kind]string{
		feed.TaskDetail: "tasks/" + string(t.ID), feed.WorkerDetail: "workers/" + string(t.ID),
		feed.OrderDetail: "taskOrders/" + string(t.Short), feed.RecipientDetail: "recipients/" + string(t.ID),
		feed.DestinationDetail: "destinations/" + string(t.ID),
	}[t.Kind]
	if path != "" && m.account.Client != nil {
		add("curl", `curl -u "$WAYBILL_API_KEY:" `+apiclient.ShellQuote(m.account.Client.BaseURL()+"/"+path))
	}
}

func (m *Model) openCopyRequest() tea.Cmd {
	r, ok := m.page.requests.CursorRow()
	if !ok || m.page.scope != keymaps.Requests {
		m.warn("There is nothing here to copy.")
		return nil
	}
	var items []item
	for _, c := range [][2]string{{"curl", r.Curl}, {"request id", r.RequestID}, {"path", r.Path}, {"answer", r.Answer}, {"error", r.Error}} {
		if c[1] != "" {
			items = append(items, item{label: c[0], note: c[1], run: func(m *Model) tea.Cmd { return m.copyText(c[0], c[1]) }})
		}
	}
	return m.open(newMenu("Copy", items))
}

// copyLink copies the command that opens the console where it is now.
func (m *Model) copyLink() tea.Cmd {
	parts := []string{m.options.Program}
	if m.options.Program == "" {
		parts[0] = "waybill"
	}
	if m.account.Sandbox {
		parts = append(parts, "--sandbox")
	} else if m.account.Profile.Name != "" {
		parts = append(parts, "--profile", quote(m.account.Profile.Name))
	}
	p := m.pane()
	parts = append(parts, "--pane", string(p.Kind()))
	if text := p.FilterText(); text != "" {
		parts = append(parts, "--filter", quote(text))
	}
	if s := p.Sort().String(); s != "" {
		parts = append(parts, "--sort", quote(s))
	}
	if m.detail != nil && m.detail.target.Kind == feed.TaskDetail {
		parts = append(parts, "--task", string(m.detail.target.ID))
	}
	return m.copyText("command", strings.Join(parts, " "))
}

// quote makes a text one word of a shell.
func quote(text string) string {
	if text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:,/", r)
	}) < 0 {
		return text
	}
	return apiclient.ShellQuote(text)
}

// exported is a file that was written.
type exported struct {
	path string
	rows int // less than 0 when they were not counted
	err  error
}

const exportLimit = time.Minute

// export writes what is filtered. The argument may name the format and a file: "csv late.csv".
func (m *Model) export(argument string) tea.Cmd {
	format, name, _ := strings.Cut(strings.TrimSpace(argument), " ")
	what := string(m.pane().Kind())
	if m.onActivity() {
		what = "activity"
	}
	if format == "" {
		return m.open(newMenu("Export "+what, []item{
			{label: "CSV", note: "for a spreadsheet", run: func(m *Model) tea.Cmd { return m.export("csv") }},
			{label: "JSON", note: "for a program", run: func(m *Model) tea.Cmd { return m.export("json") }},
		}))
	}
	kind := board.ExportFormat(strings.ToLower(format))
	if kind != board.ExportCSV && kind != board.ExportJSON {
		m.warn(fmt.Sprintf("%q is no format; choose csv or json.", format))
		return nil
	}
	if name == "" {
		name = fmt.Sprintf("waybill-%s-%s.%s", what, m.now().In(m.zone()).Format("20060102-150405"), kind)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(m.options.WorkDir, name)
	}
	if m.onActivity() {
		return m.exportActivity(kind, name)
	}
	write, rows := m.pane().Export(kind, m.panes.Snapshot().Now, m.zone()), m.pane().Len()
	return m.run(exportLimit, func(context.Context) any {
		return exported{name, rows, writeNew(name, write)}
	})
}

// writeNew writes a file that was not there before: an export never overwrites anything, and only its owner can read
// it, since it holds people's names and phones.
func writeNew(name string, write views.Export) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = write(file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(name)
	}
	return err
}

func (m *Model) exported(e exported) tea.Cmd {
	if e.err != nil {
		m.fail("Exporting", e.err)
		return nil
	}
	text := fmt.Sprintf("Wrote %d rows to %s.", e.rows, e.path)
	if e.rows < 0 {
		text = "Wrote " + e.path + "."
	}
	m.inform(text)
	m.page.note(views.Activity{Time: m.now(), What: "export", Object: e.path, Result: text})
	return nil
}
