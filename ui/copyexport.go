package ui

import (
	"cmp"
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

func exportHandlers() map[string]handler {
	return map[string]handler{
		"take.copy":   withoutArgument((*Model).openCopy),
		"take.link":   withoutArgument((*Model).copyLink),
		"take.export": (*Model).export,
	}
}

// copyText copies a text with the terminal's clipboard. The text is shown too, since a terminal may refuse.
func (m *Model) copyText(what, text string) tea.Cmd {
	if text == "" {
		return m.warn("No " + what + " to copy.")
	}
	shown := strings.Join(strings.Fields(text), " ")
	m.inform("Copied " + what + ": " + m.appearance.theme.Measure.Truncate(shown, 60))
	return tea.SetClipboard(text)
}

// openCopy opens the menu of what can be copied from the object under the cursor.
func (m *Model) openCopy() tea.Cmd {
	if m.screen == layout.Page {
		return m.openCopyRequest()
	}
	var items copyItems
	t, s := m.cursorTarget(), m.panes.Snapshot()
	items.add("id", string(t.ID))
	switch t.Kind {
	case feed.Task:
		if row := s.Tasks.Get(t.ID); row != nil {
			items.add("short id", string(row.ShortID))
			items.add("recipient's phone", row.Phone)
			if driver := s.Workers.Get(row.Worker); driver != nil {
				items.add("driver's phone", driver.Phone)
			}
			items.add("address", row.Address)
		}
	case feed.Worker:
		if row := s.Workers.Get(t.ID); row != nil {
			items.add("phone", row.Phone)
			items.add("name", row.Name)
		}
	case feed.Order:
		items.add("short id", string(t.Short))
	default:
	}
	for _, what := range copyParts(t.Kind) {
		if whole := m.loadedObject(t); whole != nil {
			items.add(what, partText(what, whole))
		} else if m.account.Client != nil {
			items = append(items, menuItem{label: what, note: "read from the service", run: func(m *Model) tea.Cmd { return m.copyPart(what, t) }})
		}
	}
	items.add("curl", m.readCommand(t))
	return m.openCopyMenu(items)
}

// copyItems are texts to choose from.
type copyItems []menuItem

// add adds a text, unless it is empty.
func (items *copyItems) add(what, text string) {
	if text == "" {
		return
	}
	note := text
	if lines := strings.Count(text, "\n") + 1; lines > 1 {
		note = fmt.Sprintf("%d lines", lines)
	}
	*items = append(*items, menuItem{label: what, note: note, run: func(m *Model) tea.Cmd { return m.copyText(what, text) }})
}

func (m *Model) openCopyMenu(items copyItems) tea.Cmd {
	if len(items) == 0 {
		return m.warn("Nothing to copy here.")
	}
	return m.openMenu("Copy", items)
}

const (
	trackingLink = "tracking link"
	wholeJSON    = "JSON"
)

// copyParts are the parts of an object that can be copied once it is read in full.
func copyParts(k feed.Kind) []string {
	switch k {
	case feed.Task:
		return []string{trackingLink, wholeJSON}
	case feed.NoObject:
		return nil
	default:
		return []string{wholeJSON}
	}
}

// copyPart copies a part of an object, from the detail or else from the service.
func (m *Model) copyPart(what string, t feed.Target) tea.Cmd {
	if whole := m.loadedObject(t); whole != nil {
		return m.copyText(what, partText(what, whole))
	}
	client := m.account.Client
	m.inform("Reading the " + what + "…")
	readObject := func(ctx context.Context) (views.Object, error) {
		var o views.Object
		r := feed.FetchTarget(ctx, client, t)
		setObject(&o, &r)
		return o, r.Err
	}
	return read(m, "The "+what, readObject, func(m *Model, o views.Object) tea.Cmd { return m.copyText(what, partText(what, o.Full())) })
}

// loadedObject is the object as the service sent it, or nil if the detail does not have it.
func (m *Model) loadedObject(t feed.Target) any {
	if m.detail == nil || m.detail.target != t {
		return nil
	}
	return m.detail.view.Object.Full()
}

// partText is the text of a part of an object.
func partText(what string, whole any) string {
	if task, ok := whole.(*model.Task); ok && what == trackingLink {
		return task.TrackingURL
	}
	text, _ := model.MarshalIndent(whole) // it was read as JSON
	return string(text)
}

// readCommand is the curl command that reads an object; empty without one.
func (m *Model) readCommand(t feed.Target) string {
	if t.Kind == feed.NoObject || m.account.Client == nil {
		return ""
	}
	path := string(t.Kind) + "s/" + string(t.ID)
	if t.Kind == feed.Order {
		path = "taskOrders/" + string(t.Short)
	}
	return apiclient.CurlCommand("GET", m.account.Client.BaseURL()+"/"+path, "")
}

func (m *Model) openCopyRequest() tea.Cmd {
	r, ok := m.page.requests.CursorRow()
	if !ok || m.page.scope != keymaps.Requests {
		return m.openCopyMenu(nil)
	}
	var items copyItems
	for _, c := range [][2]string{{"curl", r.Curl}, {"request id", r.RequestID}, {"path", r.Path}, {"answer", r.Answer}, {"error", r.Error}} {
		items.add(c[0], c[1])
	}
	return m.openCopyMenu(items)
}

// copyLink copies the command that opens the console with the same pane, filter and task.
func (m *Model) copyLink() tea.Cmd {
	parts := []string{cmp.Or(m.options.Program, "waybill")}
	if m.account.Sandbox {
		parts = append(parts, "--sandbox")
	} else if m.account.Profile.Name != "" {
		parts = append(parts, "--profile", shellWord(m.account.Profile.Name))
	}
	p := m.focusedPane()
	parts = append(parts, "--pane", p.Kind().String())
	if text := p.State().Filter; text != "" {
		parts = append(parts, "--filter", shellWord(text))
	}
	if s := p.State().Sort.String(); s != "" {
		parts = append(parts, "--sort", shellWord(s))
	}
	if m.detail != nil && m.detail.target.Kind == feed.Task {
		parts = append(parts, "--task", string(m.detail.target.ID))
	}
	return m.copyText("command", strings.Join(parts, " "))
}

// shellWord quotes a text for a shell where needed.
func shellWord(text string) string {
	if text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:,/", r)
	}) < 0 {
		return text
	}
	return apiclient.ShellQuote(text)
}

const exportTimeout = time.Minute

// export writes the rows of the focused pane to a file. The argument is the format and a file name: "csv late.csv".
func (m *Model) export(argument string) tea.Cmd {
	format, name, _ := strings.Cut(strings.TrimSpace(argument), " ")
	what := m.focusedPane().Kind().String()
	if m.onActivityPage() {
		what = "activity"
	}
	if format == "" {
		return m.openMenu("Export "+what, []menuItem{
			{label: "CSV", note: "for a spreadsheet", run: func(m *Model) tea.Cmd { return m.export("csv") }},
			{label: "JSON", note: "for a program", run: func(m *Model) tea.Cmd { return m.export("json") }},
		})
	}
	kind := board.ExportFormat(strings.ToLower(format))
	if kind != board.ExportCSV && kind != board.ExportJSON {
		return m.warn(fmt.Sprintf("Unknown format %q. Choose csv or json.", format))
	}
	if name == "" {
		name = fmt.Sprintf("waybill-%s-%s.%s", what, m.now().In(m.zone()).Format("20060102-150405"), kind)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(m.options.WorkDir, name)
	}
	if m.onActivityPage() {
		return m.exportActivity(kind, name)
	}
	write, rows := m.focusedPane().Export(kind, m.panes.Snapshot().Now, m.zone()), m.focusedPane().Len()
	return m.run(exportTimeout, func(context.Context) result {
		return exported(name, rows, write)
	})
}

// writeNewFile writes a new file. An export never overwrites a file, and only its owner can read it, since it holds names
// and phone numbers.
func writeNewFile(name string, write views.Export) error {
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

// exported writes a new file and reports it. The number of rows is negative if unknown.
func exported(path string, rows int, write views.Export) result {
	err := writeNewFile(path, write)
	return func(m *Model) tea.Cmd {
		if err != nil {
			return m.fail("Exporting", err)
		}
		text := fmt.Sprintf("Wrote %s to %s.", plural(rows, "row", "rows"), path)
		if rows < 0 {
			text = "Wrote " + path + "."
		}
		m.page.record(views.Activity{Time: m.now(), What: "export", Object: path, Result: text})
		return m.inform(text)
	}
}
