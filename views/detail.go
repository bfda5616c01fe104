package views

import (
	"strings"
	"time"
	"unicode/utf8"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

// Object is what a detail shows: whatever of it is known. The row of the board is there at once, the full object when
// the service has answered.
type Object struct {
	Task        *model.Task
	TaskRow     *board.TaskRow
	Worker      *model.Worker
	WorkerRow   *board.WorkerRow
	Order       *model.Order
	OrderRow    *board.OrderRow
	Recipient   *model.Recipient
	Destination *model.Destination
	Err         string // why the full object could not be had
}

// Detail is everything about one object, in the order a dispatcher needs it.
type Detail struct {
	Scroll
	Object Object
	Raw    bool

	key   detailKey
	width int
}

// detailKey is what the laid out text depends on.
type detailKey struct {
	version uint64
	minute  int64
	width   int
	raw     bool
	theme   *theme.Theme
	object  Object
}

// Name is the title of the detail.
func (d *Detail) Name() string {
	o := &d.Object
	switch {
	case o.Task != nil:
		return "Task " + string(o.Task.ShortID)
	case o.TaskRow != nil:
		return "Task " + string(o.TaskRow.ShortID)
	case o.Worker != nil:
		return o.Worker.Name
	case o.WorkerRow != nil:
		return o.WorkerRow.Name
	case o.Order != nil:
		return "Order " + string(o.Order.ShortID)
	case o.OrderRow != nil:
		return "Order " + string(o.OrderRow.ShortID)
	case o.Recipient != nil:
		return "Recipient " + o.Recipient.Name
	case o.Destination != nil:
		return "Destination"
	}
	return "Detail"
}

// SetSize gives the detail its rectangle.
func (d *Detail) SetSize(width, height int) {
	d.width, d.height = width, height
	d.clamp()
}

// Prepare lays the text out if anything it depends on has changed.
func (d *Detail) Prepare(s *board.Snapshot, f *Frame) {
	key := detailKey{s.Version, f.Now.Unix() / 10, d.width, d.Raw, f.Theme, d.Object}
	if key == d.key && d.lines != nil {
		return
	}
	d.key = key
	w := writer{doc: doc{measure: f.Theme.Measure, width: d.width - 2}, s: s, f: f, th: f.Theme}
	if d.Raw {
		w.raw(&d.Object)
	} else {
		w.object(&d.Object)
	}
	d.set(w.lines)
}

// AppendLine draws one line.
func (d *Detail) AppendLine(dst []byte, y int, f *Frame, width int, focused bool) []byte {
	opens := ""
	if f.Key != nil && focused {
		opens = f.Key("look.detail") + " opens it"
	}
	return d.appendLine(dst, y, f.Theme, width, focused, opens)
}

// writer writes the text of a detail.
type writer struct {
	doc
	s  *board.Snapshot
	f  *Frame
	th *theme.Theme
}

func (w *writer) object(o *Object) {
	switch {
	case o.Task != nil || o.TaskRow != nil:
		w.task(o.Task, o.TaskRow)
	case o.Worker != nil || o.WorkerRow != nil:
		w.worker(o.Worker, o.WorkerRow)
	case o.Order != nil || o.OrderRow != nil:
		w.order(o.Order, o.OrderRow)
	case o.Recipient != nil:
		w.recipient(o.Recipient)
	case o.Destination != nil:
		w.destination(o.Destination)
	case o.Err == "":
		w.text(theme.Muted, "Asking the service…")
	}
	if o.Err != "" {
		w.gap()
		w.text(theme.Bad, o.Err)
	}
}

// Full is the object as the service sent it, or nil when it has not answered.
func (o *Object) Full() any {
	switch {
	case o.Task != nil:
		return o.Task
	case o.Worker != nil:
		return o.Worker
	case o.Order != nil:
		return o.Order
	case o.Recipient != nil:
		return o.Recipient
	case o.Destination != nil:
		return o.Destination
	}
	return nil
}

// raw shows the object as the service sent it.
func (w *writer) raw(o *Object) {
	value := o.Full()
	if value == nil {
		w.text(theme.Muted, "The service has not answered yet.")
		return
	}
	text, err := model.MarshalIndent(value)
	if err != nil {
		w.text(theme.Bad, "It cannot be shown as JSON: "+err.Error())
		return
	}
	for _, line := range strings.Split(string(text), "\n") {
		w.rawLine(strings.ReplaceAll(line, "\t", "  "))
	}
}

// rawLine is a line of JSON, broken where it is longer than the pane; what follows stands further in than its beginning.
func (w *writer) rawLine(line string) {
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	room := max(w.width-len(indent)-4, 8)
	lead := ""
	for w.measure.Width(text) > room {
		cut, used := 0, 0
		for i, r := range text {
			if used += w.measure.Width(string(r)); used > room && i > 0 {
				break
			}
			cut = i + utf8.RuneLen(r)
		}
		w.add(Span{theme.Text, indent + lead + text[:cut]})
		text, lead = text[cut:], "    "
	}
	w.add(Span{theme.Text, indent + lead + text})
}

// when is a time in full, with how far it is from now.
func (w *writer) when(at model.Millis) string {
	if at == 0 {
		return ""
	}
	return model.FormatTime(at, w.f.Zone) + "  " + model.FormatRelative(at, w.f.Millis())
}

func (w *writer) workerName(id model.ID) string {
	if row := w.s.Workers.Get(id); row != nil {
		return row.Name
	}
	return string(id)
}

func (w *writer) teamName(id model.ID) string {
	if row := w.s.Teams.Get(id); row != nil {
		return row.Name
	}
	return string(id)
}

func (w *writer) metadata(entries []model.Metadata) {
	if len(entries) == 0 {
		return
	}
	w.heading("metadata")
	for _, m := range entries {
		w.field(m.Name, theme.Text, string(m.Value))
	}
}

// statusLine is the state in sign, word and colour, with how it stands against its window.
func (w *writer) statusLine(r *board.TaskRow) {
	badge := w.th.Badge(ownStatus(r.Status))
	if r.Status == board.StatusUnknown {
		badge.Word = r.StatusText()
	}
	spans := []Span{{badge.Token, badge.Glyph + " " + badge.Word}, {theme.Muted, "  " + kindText(r.Pickup)}}
	if r.Risk >= board.RiskAtRisk {
		risk := w.th.Badge(taskStatus(r))
		spans = append(spans, Span{risk.Token, "  " + risk.Glyph + " " + r.LatenessText(w.f.Millis())})
	}
	w.add(spans...)
}

// taskLine is another task in one line that can be followed.
func (w *writer) taskLine(id model.ID, r *board.TaskRow, lead string) {
	if r == nil {
		w.link(TaskLink, id, Span{theme.Muted, lead}, Span{theme.Text, string(id)}, Span{theme.Muted, "  not on the board"})
		return
	}
	badge := w.th.Badge(taskStatus(r))
	spans := []Span{
		{theme.Muted, lead},
		{badge.Token, badge.Glyph + " "},
		{theme.Text, string(r.ShortID)},
		{theme.Muted, " " + w.measure.Fit(kindText(r.Pickup), 7, theme.Left) + " "},
		{badge.Token, w.measure.Fit(badge.Word, 10, theme.Left) + " "},
		{theme.Muted, w.padded(windowText(r, w.f.Now, w.f.Zone, "–"), 11) + " "},
		{theme.Text, r.Address},
	}
	w.link(TaskLink, id, spans...)
}

// padded fills a text up to a width and never cuts it: half a time is none.
func (w *writer) padded(text string, width int) string {
	return w.measure.Fit(text, max(width, w.measure.Width(text)), theme.Left)
}

func duration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return model.FormatDuration(d)
}
