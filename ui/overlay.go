package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/views"
	"waybill/views/layout"
)

// overlay is something that lies on top and takes all keys while it is open.
type overlay interface {
	scope() keymaps.Scope
	// place is where it lies and how large it would like to be; without a kind it is drawn in the status line.
	place(m *Model) layout.Dialog
	// act runs an action of its scope, and reports whether it was one of its own.
	act(m *Model, id string) (tea.Cmd, bool)
	// typed takes text, edit a key that edits text.
	typed(m *Model, text string) tea.Cmd
	edit(m *Model, key string) tea.Cmd
	// appendLine draws one line of the overlay.
	appendLine(dst []byte, m *Model, y, width, height int) []byte
}

// overlayAction reports that an action belongs to overlays, which run it themselves.
func overlayAction(id string) bool {
	for _, prefix := range []string{"menu.", "type.", "confirm.", "form.", "preview."} {
		if strings.HasPrefix(id, prefix) {
			return true
		}
	}
	return false
}

// open puts an overlay on top. Rows hold still meanwhile: what is chosen must be what was seen.
func (m *Model) open(o overlay) tea.Cmd {
	if len(m.overlays) == 0 && o.place(m).Kind != layout.NoDialog {
		for _, p := range m.panes.Panes {
			p.Freeze()
		}
	}
	m.overlays = append(m.overlays, o)
	m.typing.Reset()
	return nil
}

func (m *Model) closeOverlay() {
	if len(m.overlays) == 0 {
		return
	}
	m.overlays = m.overlays[:len(m.overlays)-1]
	if len(m.overlays) == 0 {
		for _, p := range m.panes.Panes {
			p.Thaw()
		}
	}
	m.typing.Reset()
}

// plain is what overlays without a text field have in common.
type plain struct{}

func (plain) typed(*Model, string) tea.Cmd { return nil }
func (plain) edit(*Model, string) tea.Cmd  { return nil }

// menu is a short list to choose from.
type menu struct {
	plain
	kind    keymaps.Scope
	title   string
	foot    string
	choices views.Choices
	run     []func(m *Model) tea.Cmd
}

// item is a line of a menu.
type item struct {
	label, note, off string
	run              func(m *Model) tea.Cmd
}

func newMenu(title string, items []item) *menu {
	o := &menu{kind: keymaps.Menu, title: title, foot: "enter chooses  esc leaves"}
	list := make([]views.Choice, len(items))
	for i, it := range items {
		list[i] = views.Choice{Label: it.label, Note: it.note, Disabled: it.off}
		if i < 9 {
			list[i].Key = string(rune('1' + i))
		}
		o.run = append(o.run, it.run)
	}
	o.choices.Set(list)
	return o
}

func (o *menu) scope() keymaps.Scope { return o.kind }

func (o *menu) place(m *Model) layout.Dialog {
	width := max(m.look.theme.Measure.Width(o.title), m.look.theme.Measure.Width(o.foot)) + 8
	for _, c := range o.choices.Items {
		note := max(m.look.theme.Measure.Width(c.Note), m.look.theme.Measure.Width(c.Disabled))
		width = max(width, m.look.theme.Measure.Width(c.Label)+min(note, 64)+12)
	}
	return layout.Dialog{Kind: layout.Menu, Width: width, Height: len(o.choices.Items) + 2}
}

func (o *menu) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "menu.down":
		o.choices.Move(1)
	case "menu.up":
		o.choices.Move(-1)
	case "menu.choose":
		if at, ok := o.choices.Current(); ok {
			return o.choose(m, at), true
		}
	default:
		return nil, false
	}
	return nil, true
}

// edit lets the digits choose a line directly.
func (o *menu) edit(m *Model, key string) tea.Cmd {
	for i, c := range o.choices.Items {
		if c.Key == key && key != "" {
			return o.choose(m, i)
		}
	}
	return nil
}

func (o *menu) choose(m *Model, at int) tea.Cmd {
	if off := o.choices.Items[at].Disabled; off != "" {
		m.warn(off)
		return nil
	}
	m.closeOverlay()
	return o.run[at](m)
}

func (o *menu) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.title, Foot: o.foot}
	o.choices.ScrollToCursor(height - 2)
	keys := o.choices.KeyWidth(m.look.theme.Measure)
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) { o.choices.PutLine(l, line, keys) })
}
