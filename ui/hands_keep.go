package ui

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/journal"
	"waybill/views"
	"waybill/views/layout"
)

// keptDrafts are the drafts of this console. Those of earlier ones come from the disk when their form is opened.
type keptDrafts map[journal.DraftKey]form.Values

const keepLimit = 10 * time.Second

func (m *Model) draftKey(id string, s operations.Input) journal.DraftKey {
	var objects []string
	for _, list := range [][]model.ID{s.Tasks, s.Workers, s.Orders} {
		for _, object := range list {
			objects = append(objects, string(object))
		}
	}
	if strings.HasPrefix(id, "create.") {
		objects = nil // what is new has nothing to do with what is chosen
	}
	return journal.DraftKey{Account: m.accountKey(), Operation: id, Object: strings.Join(objects, " ")}
}

// draftLoaded is a draft from the disk, for a form that waits for it.
type draftLoaded struct {
	key    journal.DraftKey
	draft  form.Values
	verb   operations.Operation
	scene  operations.Input
	preset form.Values
	wait   *waiting
}

func (d draftLoaded) arrive(m *Model) tea.Cmd {
	if d.draft != nil {
		m.hands.drafts[d.key] = d.draft
	}
	if !m.arrived(d.wait) {
		return nil
	}
	return tea.Batch(m.openForm(d.verb, d.scene, d.preset), m.passOn(d.wait.kept))
}

// withDraft opens a form, with what was typed into it before.
func (m *Model) withDraft(v operations.Operation, scene operations.Input, preset form.Values) tea.Cmd {
	key := m.draftKey(v.ID, scene)
	if _, known := m.hands.drafts[key]; known || m.options.Drafts == nil {
		return m.openForm(v, scene, preset)
	}
	drafts := m.options.Drafts
	wait, opened := m.waitFor(m.waitingFor(v.ID))
	return tea.Batch(opened, m.run(keepLimit, func(context.Context) any {
		draft, found, err := drafts.Load(key)
		if err != nil || !found {
			draft.Values = nil
		}
		return draftLoaded{key, draft.Values, v, scene, preset, wait}
	}))
}

func (m *Model) draftOf(id string, s operations.Input) form.Values {
	return m.hands.drafts[m.draftKey(id, s)].Clone()
}

// draftKept is the outcome of writing or forgetting a draft.
type draftKept struct{ err error }

func (d draftKept) arrive(m *Model) tea.Cmd {
	if d.err != nil {
		m.warn(d.err.Error())
	}
	return nil
}

func (m *Model) keepDraft(f *form.Form, id string, s operations.Input, values form.Values) tea.Cmd {
	key := m.draftKey(id, s)
	m.hands.drafts[key] = values.Clone()
	drafts := m.options.Drafts
	if drafts == nil {
		return nil
	}
	kept := values.Clone()
	return m.run(keepLimit, func(context.Context) any { return draftKept{drafts.Save(key, f, kept)} }) //nolint:contextcheck // a draft is written to its end
}

func (m *Model) dropDraft(id string, s operations.Input) tea.Cmd {
	key := m.draftKey(id, s)
	_, had := m.hands.drafts[key]
	m.hands.drafts[key] = nil
	drafts := m.options.Drafts
	if drafts == nil || !had {
		return nil
	}
	return m.run(keepLimit, func(context.Context) any { return draftKept{drafts.Delete(key)} }) //nolint:contextcheck // as above
}

// activityRead is what was done before, from the disk.
type activityRead struct {
	entries    []journal.Entry
	text       string // what was searched for
	unfinished int
	err        error
}

// readActivity shows what earlier consoles did in this account.
func (m *Model) readActivity() tea.Cmd {
	activity, account := m.options.Activity, m.accountKey()
	if activity == nil {
		return nil
	}
	return m.run(keepLimit, func(ctx context.Context) any {
		page, err := activity.Read(ctx, account, journal.Query{Limit: notedMost})
		if err != nil {
			return activityRead{err: err}
		}
		left, err := activity.Unfinished(ctx, account)
		return activityRead{entries: page.Entries, unfinished: len(left), err: err}
	})
}

func (r activityRead) arrive(m *Model) tea.Cmd {
	if r.err != nil {
		m.warn("What was done before cannot be shown: " + r.err.Error())
		return nil
	}
	rows := make([]*views.Activity, len(r.entries))
	for i := range r.entries {
		e := &r.entries[i]
		rows[i] = &views.Activity{
			Time: e.Time.Time(), Person: e.Person, What: e.What, Object: e.Label, Result: e.Result,
			Failed: e.Failed || e.Unknown, RequestID: e.RequestID,
		}
	}
	m.page.search = r.text
	if r.text != "" {
		m.page.showFound(rows)
		return nil
	}
	m.page.setNoted(append(m.page.noted, rows...))
	if r.unfinished > 0 {
		m.warn(fmt.Sprintf("%d changes were being sent when the console last ended; it is not known whether they happened. %s shows them.",
			r.unfinished, m.keyOf("look.activity")))
	}
	return nil
}

func (m *Model) onActivity() bool { return m.screen == layout.Page && m.page.scope == keymaps.Activity }

// searchActivity finds what was done by words of it, however long ago.
func (m *Model) searchActivity(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	activity, account := m.options.Activity, m.accountKey()
	if text == "" || activity == nil {
		m.page.search = ""
		m.page.setNoted(m.page.noted)
		return nil
	}
	return m.run(keepLimit, func(ctx context.Context) any {
		page, err := activity.Read(ctx, account, journal.Query{Text: text, Limit: notedMost})
		return activityRead{entries: page.Entries, text: text, err: err}
	})
}

// exportActivity writes what was done, as far as it was searched for, to a new file.
func (m *Model) exportActivity(format board.ExportFormat, name string) tea.Cmd {
	activity, account, query, zone := m.options.Activity, m.accountKey(), journal.Query{Text: m.page.search}, m.zone()
	if activity == nil {
		m.warn("Nothing is recorded here.")
		return nil
	}
	return m.run(exportLimit, func(ctx context.Context) any {
		return exported{name, -1, writeNew(name, func(w io.Writer) error { return activity.Export(ctx, w, format, account, query, zone) })}
	})
}
