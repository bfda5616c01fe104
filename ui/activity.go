package ui

import (
	"context"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/keymaps"
	"waybill/operations/journal"
	"waybill/views"
	"waybill/views/layout"
)

// readActivity shows what earlier consoles did in this account.
func (m *Model) readActivity() tea.Cmd {
	activity, account := m.options.Activity, m.accountID()
	if activity == nil {
		return nil
	}
	return m.run(diskTimeout, func(ctx context.Context) result {
		page, err := activity.Read(ctx, account, journal.Query{Limit: maxActivity})
		var unfinished []journal.Entry
		if err == nil {
			unfinished, err = activity.Unfinished(ctx, account)
		}
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.warn(activityUnreadable + err.Error())
			}
			m.page.search = ""
			m.page.setRecorded(append(m.page.recorded, activityRows(page.Entries)...))
			if len(unfinished) > 0 {
				return m.warn(fmt.Sprintf("The console ended while %s being sent; their outcome is unknown. %s shows them.",
					plural(len(unfinished), "change was", "changes were"), m.keyFor("look.activity")))
			}
			return nil
		}
	})
}

const activityUnreadable = "Cannot read the activity: "

func activityRows(entries []journal.Entry) []*views.Activity {
	rows := make([]*views.Activity, len(entries))
	for i := range entries {
		e := &entries[i]
		rows[i] = &views.Activity{
			Time: e.Time.Time(), Person: e.Person, What: e.What, Object: e.Label, Result: e.Result,
			Failed: e.Failed || e.Unknown, RequestID: e.RequestID,
		}
	}
	return rows
}

func (m *Model) onActivityPage() bool {
	return m.screen == layout.Page && m.page.scope == keymaps.Activity
}

// searchActivity searches the journal for words, however old the entries are.
func (m *Model) searchActivity(query string) tea.Cmd {
	query = strings.TrimSpace(query)
	activity, account := m.options.Activity, m.accountID()
	if query == "" || activity == nil {
		m.page.search = ""
		m.page.setRecorded(m.page.recorded)
		return nil
	}
	return m.run(diskTimeout, func(ctx context.Context) result {
		page, err := activity.Read(ctx, account, journal.Query{Text: query, Limit: maxActivity})
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.warn(activityUnreadable + err.Error())
			}
			m.page.search = query
			m.page.showSearch(activityRows(page.Entries))
			return nil
		}
	})
}

// exportActivity writes the activity that matches the current search to a new file.
func (m *Model) exportActivity(format board.ExportFormat, name string) tea.Cmd {
	activity, account, query, zone := m.options.Activity, m.accountID(), journal.Query{Text: m.page.search}, m.zone()
	if activity == nil {
		return m.warn("This console records no activity.")
	}
	return m.run(exportTimeout, func(ctx context.Context) result {
		return exported(name, -1, func(w io.Writer) error { return activity.Export(ctx, w, format, account, query, zone) })
	})
}
