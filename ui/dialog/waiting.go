package dialog

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/views"
	"waybill/views/theme"
)

// Waiting stands in for a dialog that is still being read. It collects the keys meant for that dialog: on the board
// they would mean something else.
type Waiting struct {
	base
	text     string
	since    time.Time
	backKeys []string
	Typed    []tea.Msg // keys and pasted texts so far
}

// NewWaiting returns a wait that the given keys cancel.
func NewWaiting(text string, since time.Time, backKeys []string) *Waiting {
	return &Waiting{text: text, since: since, backKeys: backKeys}
}

// RunAction implements [Dialog].
func (d *Waiting) RunAction(id string) (Action, bool) {
	if id == "back" {
		return Close{}, true
	}
	return nil, true
}

// InterceptKey collects every key but those that cancel.
func (d *Waiting) InterceptKey(key tea.KeyPressMsg) (Action, bool) {
	if slices.Contains(d.backKeys, key.String()) {
		return nil, false
	}
	d.Typed = append(d.Typed, key)
	return nil, true
}

// ReadInput collects a key or a pasted text.
func (d *Waiting) ReadInput(msg tea.Msg) Action {
	d.Typed = append(d.Typed, msg)
	return nil
}

// visibleAfter is how long a wait shows no text: most end sooner, and a text that flashes cannot be read.
const visibleAfter = 200 * time.Millisecond

// IsVisible reports that the wait is long enough to be shown.
func (d *Waiting) IsVisible(now time.Time) bool { return now.Sub(d.since) >= visibleAfter }

// AppendLine implements [Dialog].
func (d *Waiting) AppendLine(dst []byte, c *Context, _, width, _ int) []byte {
	l := views.NewLine(dst, c.Theme, width)
	l.Put(theme.Info, " "+d.text).Space(2)
	l.Put(theme.Key, c.KeyFor("back")).Put(theme.Muted, " cancel")
	return l.End()
}
