package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/keymaps"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// filterLine narrows the focused pane while it is typed.
type filterLine struct {
	input       views.LineEditor
	before      string // what esc goes back to
	err         error
	refused     bool // it was to be taken as it is, and cannot be
	completions []board.Completion
	chosen      int
	recalled    int // how far back in the history
}

func (m *Model) openFilter() tea.Cmd {
	if m.onActivity() {
		return m.ask("Search the activity", "words in any order; nothing shows all", m.page.search, (*Model).searchActivity)
	}
	if m.screen != layout.Board {
		m.goTo(m.focus)
	}
	o := &filterLine{before: m.pane().FilterText(), recalled: -1}
	o.input.Set(o.before)
	if o.before != "" {
		o.input.Insert(" ")
	}
	o.complete(m)
	return m.open(o)
}

func (o *filterLine) scope() keymaps.Scope { return keymaps.Filter }

func (o *filterLine) place(*Model) layout.Dialog { return layout.Dialog{} }

func (o *filterLine) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "back":
		m.closeOverlay()
		return m.setFilter(o.before), true
	case "type.accept":
		if o.err != nil { // to be corrected, not to be typed again
			o.refused = true
			return nil, true
		}
		m.history.add(o.input.Text())
		m.closeOverlay()
		return nil, true
	case "type.complete":
		if o.chosen < len(o.completions) {
			c := o.completions[o.chosen]
			o.input.Replace(c.From, c.To, c.Text)
		}
		return o.changed(m), true
	case "type.up", "type.down":
		step := 1
		if id == "type.down" {
			step = -1
		}
		text, at := m.history.recall(o.recalled + step)
		o.recalled = at
		o.input.Set(text)
		return o.changed(m), true
	case "type.page-down":
		o.chosen = min(o.chosen+1, max(len(o.completions)-1, 0))
	case "type.page-up":
		o.chosen = max(o.chosen-1, 0)
	default:
		return nil, false
	}
	return nil, true
}

func (o *filterLine) typed(m *Model, text string) tea.Cmd {
	o.input.Insert(text)
	return o.changed(m)
}

func (o *filterLine) edit(m *Model, key string) tea.Cmd {
	if key == "backspace" && o.input.Text() == "" {
		m.closeOverlay()
		return nil
	}
	if o.input.Edit(key) {
		return o.changed(m)
	}
	return nil
}

// changed filters by what is typed so far. A last term that is not finished yet is left out.
func (o *filterLine) changed(m *Model) tea.Cmd {
	o.complete(m)
	text := o.input.Text()
	build, err := m.pane().SetFilter(text)
	o.err, o.refused = err, false
	if err != nil {
		finished := strings.LastIndexByte(strings.TrimRight(text, " "), ' ')
		if build, err = m.pane().SetFilter(text[:max(finished, 0)]); err != nil {
			return nil
		}
	}
	return tea.Batch(m.builds([]views.Build{build})...)
}

func (o *filterLine) complete(m *Model) {
	const most = 12
	o.chosen = 0
	o.completions = board.CompleteFilter(m.panes.Snapshot(), m.pane().Kind(), o.input.Text(), o.input.Cursor(), most)
}

func (o *filterLine) appendLine(dst []byte, m *Model, _, width, _ int) []byte {
	th := m.look.theme
	l := views.NewLine(dst, th, width)
	l.Put(theme.Key, " / ")
	room := max(width/2, 20)
	if o.refused {
		room = max(width/3, 20)
	}
	o.input.Put(l, room, th.Measure)
	l.Space(2)
	switch {
	case o.err != nil && (o.refused || len(o.completions) == 0):
		l.Put(theme.Warn, o.err.Error())
	default:
		l.Put(theme.Muted, fmt.Sprintf("%d match", m.pane().Len())).Space(2)
		for i, c := range o.completions {
			token := theme.Muted
			if i == o.chosen {
				l.Put(theme.Key, "tab ")
				token = theme.Strong
			}
			l.Put(token, c.Text).Space(2)
		}
	}
	return l.End()
}

// history is what was searched for, the newest last.
type history struct{ texts []string }

const historySize = 50

func (h *history) add(text string) {
	if text == "" || text == h.last() {
		return
	}
	h.texts = append(h.texts, text)
	if len(h.texts) > historySize {
		h.texts = h.texts[1:]
	}
}

func (h *history) last() string {
	if len(h.texts) == 0 {
		return ""
	}
	return h.texts[len(h.texts)-1]
}

// recall is the text so many steps back; before the newest there is an empty line.
func (h *history) recall(steps int) (string, int) {
	steps = max(min(steps, len(h.texts)-1), -1)
	if steps < 0 {
		return "", -1
	}
	return h.texts[len(h.texts)-1-steps], steps
}
