package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/layout"
	"waybill/ui/theme"
	"waybill/views"
)

// finder is a list that is typed into: the palette and the help.
type finder struct {
	kind    keymaps.Scope
	title   string
	foot    string
	input   views.Input
	choices views.Choices
	ids     []string // action of each line
	search  func(m *Model, query string) ([]views.Choice, []string)
	accept  func(m *Model, query, id string) tea.Cmd
}

func (o *finder) scope() keymaps.Scope { return o.kind }

func (o *finder) place(*Model) layout.Overlay {
	if o.kind == keymaps.Help {
		return layout.Overlay{Kind: layout.Full, Width: 110, Height: 200}
	}
	return layout.Overlay{Kind: layout.Palette, Width: 96, Height: len(o.choices.Items) + 4}
}

func (o *finder) refresh(m *Model) {
	items, ids := o.search(m, o.input.Text())
	o.ids = ids
	o.choices.Set(items)
}

func (o *finder) act(m *Model, id string) (tea.Cmd, bool) {
	const page = 10
	switch id {
	case "type.down":
		o.choices.Move(1)
	case "type.up":
		o.choices.Move(-1)
	case "type.page-down":
		o.choices.Move(page)
	case "type.page-up":
		o.choices.Move(-page)
	case "type.complete":
		if at, ok := o.choices.Current(); ok {
			o.input.Set(o.choices.Items[at].Label)
			o.refresh(m)
		}
	case "type.accept":
		chosen := ""
		if at, ok := o.choices.Current(); ok {
			chosen = o.ids[at]
		}
		return o.accept(m, o.input.Text(), chosen), true
	default:
		return nil, false
	}
	return nil, true
}

func (o *finder) typed(m *Model, text string) tea.Cmd {
	o.input.Insert(text)
	o.refresh(m)
	return nil
}

func (o *finder) edit(m *Model, key string) tea.Cmd {
	if key == "backspace" && o.input.Text() == "" {
		m.closeOverlay()
		return nil
	}
	if o.input.Edit(key) {
		o.refresh(m)
	}
	return nil
}

func (o *finder) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.title, Foot: o.foot}
	o.choices.Fit(height - 4)
	keys := o.choices.KeyWidth(m.look.theme.Measure)
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		switch line {
		case 0:
			l.Put(theme.Key, ": ")
			o.input.Put(l, l.Left(), m.look.theme.Measure)
		case 1:
			if len(o.choices.Items) == 0 {
				l.Put(theme.Muted, "Nothing matches.")
			}
		default:
			o.choices.Put(l, line-2, keys)
		}
	})
}

// openPalette lists every action, those that cannot run with the reason.
func (m *Model) openPalette() tea.Cmd {
	situation := m.situation() // as it was when the palette opened: the cursor does not move under it
	o := &finder{kind: keymaps.Palette, title: "All actions", foot: "enter runs  tab completes  esc leaves"}
	o.search = func(m *Model, query string) ([]views.Choice, []string) {
		hits := m.keys.Search(query, situation)
		items, ids := make([]views.Choice, 0, len(hits)), make([]string, 0, len(hits))
		for _, hit := range hits {
			key := ""
			if len(hit.Action.Keys) > 0 {
				key = keymaps.DisplayKey(hit.Action.Keys[0])
			}
			items = append(items, views.Choice{
				Key: key, Label: hit.Action.Title, Note: hit.Action.Help, Off: hit.Reason, Matches: hit.Positions,
			})
			ids = append(ids, hit.Action.ID)
		}
		return items, ids
	}
	o.accept = func(m *Model, query, id string) tea.Cmd {
		argument := ""
		// A word with something behind it is a command; anything else is a search.
		if a, rest, ok := m.keys.Command(query); ok && (rest != "" || id == "") {
			id, argument = a.ID, rest
		}
		a, ok := m.keys.Get(id)
		if !ok {
			m.warn(fmt.Sprintf("Nothing is called %q.", query))
			return nil
		}
		m.closeOverlay()
		return m.act(a, argument)
	}
	o.refresh(m)
	return m.open(o)
}

// openHelp lists the keys that work here.
func (m *Model) openHelp() tea.Cmd {
	stack, situation := m.scopes(), m.situation()
	o := &finder{kind: keymaps.Help, title: "Keys that work here", foot: "type to search  enter runs  esc leaves"}
	o.search = func(m *Model, query string) ([]views.Choice, []string) {
		var items []views.Choice
		var ids []string
		for _, section := range m.keys.HelpFor(stack, situation) {
			heading := len(items)
			items, ids = append(items, views.Choice{Label: string(section.Group), Heading: true}), append(ids, "")
			for _, line := range section.Lines {
				a := line.Action
				_, matches, ok := keymaps.Fuzzy(query, a.Title)
				if _, _, inHelp := keymaps.Fuzzy(query, a.Help); query != "" && !ok && (!inHelp || len(query) < 3) {
					continue
				}
				items = append(items, views.Choice{Key: keysOf(&a), Label: a.Title, Note: a.Help, Off: line.Reason, Matches: matches})
				ids = append(ids, a.ID)
			}
			if len(items) == heading+1 {
				items, ids = items[:heading], ids[:heading]
			}
		}
		return items, ids
	}
	o.accept = func(m *Model, _, id string) tea.Cmd {
		m.closeOverlay()
		if a, ok := m.keys.Get(id); ok {
			return m.act(a, "")
		}
		return nil
	}
	o.refresh(m)
	return m.open(o)
}

func keysOf(a *keymaps.Action) string {
	text := ""
	for i, key := range a.Keys {
		if i > 1 {
			break
		}
		if i > 0 {
			text += " "
		}
		text += keymaps.DisplayKey(key)
	}
	return text
}

// filterLine narrows the focused pane while it is typed.
type filterLine struct {
	input       views.Input
	before      string // what esc goes back to
	err         error
	completions []model.Completion
	chosen      int
	recalled    int // how far back in the history
}

func (m *Model) openFilter() tea.Cmd {
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

func (o *filterLine) place(*Model) layout.Overlay { return layout.Overlay{} }

func (o *filterLine) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "back":
		m.closeOverlay()
		return m.setFilter(o.before), true
	case "type.accept":
		m.history.add(o.input.Text())
		m.closeOverlay()
		if o.err != nil {
			cmd := m.setFilter(o.before)
			m.warn(o.err.Error())
			return cmd, true
		}
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
	o.err = err
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
	o.completions = model.CompleteFilter(m.panes.Snapshot(), m.pane().Kind(), o.input.Text(), o.input.Cursor(), most)
}

func (o *filterLine) appendLine(dst []byte, m *Model, _, width, _ int) []byte {
	th := m.look.theme
	l := views.NewLine(dst, th, width)
	l.Put(theme.Key, " / ")
	o.input.Put(l, max(width/2, 20), th.Measure)
	l.Space(2)
	switch {
	case o.err != nil && len(o.completions) == 0:
		l.Put(theme.Warn, o.err.Error())
	default:
		for i, c := range o.completions {
			token := theme.Muted
			if i == o.chosen {
				l.Put(theme.Key, "tab ")
				token = theme.Strong
			}
			l.Put(token, c.Text).Space(2)
		}
		if len(o.completions) == 0 {
			l.Put(theme.Muted, fmt.Sprintf("%d match", m.pane().Len()))
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

// prompt asks for one line.
type prompt struct {
	title string
	note  string
	input views.Input
	send  func(m *Model, text string) tea.Cmd
}

func (m *Model) ask(title, note, text string, send func(m *Model, text string) tea.Cmd) tea.Cmd {
	o := &prompt{title: title, note: note, send: send}
	o.input.Set(text)
	return m.open(o)
}

func (o *prompt) scope() keymaps.Scope { return keymaps.Prompt }

func (o *prompt) place(*Model) layout.Overlay {
	return layout.Overlay{Kind: layout.Menu, Width: 72, Height: 4}
}

func (o *prompt) act(m *Model, id string) (tea.Cmd, bool) {
	if id != "type.accept" {
		return nil, false
	}
	m.closeOverlay()
	return o.send(m, o.input.Text()), true
}

func (o *prompt) typed(_ *Model, text string) tea.Cmd {
	o.input.Insert(text)
	return nil
}

func (o *prompt) edit(_ *Model, key string) tea.Cmd {
	o.input.Edit(key)
	return nil
}

func (o *prompt) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.title, Foot: "enter accepts  esc leaves"}
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		if line == 0 {
			o.input.Put(l, l.Left(), m.look.theme.Measure)
			return
		}
		l.Put(theme.Muted, o.note)
	})
}

// confirm asks before something that cannot be undone. The key that says yes is never the one that asked.
type confirm struct {
	plain
	title string
	lines []string
	yes   func(m *Model) tea.Cmd
}

func (o *confirm) scope() keymaps.Scope { return keymaps.Confirm }

func (o *confirm) place(*Model) layout.Overlay {
	return layout.Overlay{Kind: layout.Menu, Width: 72, Height: len(o.lines) + 4}
}

func (o *confirm) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "confirm.yes":
		m.closeOverlay()
		return o.yes(m), true
	case "confirm.no":
		m.closeOverlay()
		return nil, true
	}
	return nil, false
}

func (o *confirm) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.title, Token: theme.Warn}
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		switch {
		case line < len(o.lines):
			l.Put(theme.Text, o.lines[line])
		case line == len(o.lines)+1:
			l.Put(theme.Key, m.keyOf("confirm.yes")).Put(theme.Muted, " yes   ")
			l.Put(theme.Key, m.keyOf("confirm.no")).Put(theme.Muted, " no, which enter and esc mean too")
		}
	})
}

// reader is a long text on top of everything.
type reader struct {
	plain
	title string
	lines []views.Span
	top   int
	tall  int
}

func (o *reader) scope() keymaps.Scope { return keymaps.Preview }

func (o *reader) place(*Model) layout.Overlay {
	return layout.Overlay{Kind: layout.Full, Width: 120, Height: len(o.lines) + 2}
}

func (o *reader) act(_ *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "menu.down":
		o.top = max(min(o.top+1, len(o.lines)-o.tall), 0)
	case "menu.up":
		o.top = max(o.top-1, 0)
	case "preview.send", "preview.edit", "preview.curl":
	default:
		return nil, false
	}
	return nil, true
}

func (o *reader) edit(_ *Model, key string) tea.Cmd {
	step := map[string]int{"pgdown": o.tall - 1, "pgup": 1 - o.tall, "space": o.tall - 1}[key]
	o.top = max(min(o.top+step, len(o.lines)-o.tall), 0)
	return nil
}

func (o *reader) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.title, Foot: "j k scroll  esc leaves"}
	o.tall = height - 2
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		if at := o.top + line; at < len(o.lines) {
			l.Put(o.lines[at].Token, o.lines[at].Text)
		}
	})
}
