package views

import (
	"strings"
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

// Object is what a detail shows. The row of the board is known at once, the full object after the service has answered.
type Object struct {
	Task        *model.Task
	TaskRow     *board.TaskRow
	Worker      *model.Worker
	WorkerRow   *board.WorkerRow
	Order       *model.Order
	OrderRow    *board.OrderRow
	Recipient   *model.Recipient
	Destination *model.Destination
	Err         string // why the full object could not be read
}

// Detail shows everything about one object, the most important first.
type Detail struct {
	Scroll
	Object Object
	Raw    bool // show JSON

	key   detailKey
	width int
}

// detailKey is everything the text of a detail depends on.
type detailKey struct {
	version uint64
	minute  int64
	width   int
	raw     bool
	theme   *theme.Theme
	object  Object
}

// Name returns the title of the detail.
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

// SetSize sets the size in cells.
func (d *Detail) SetSize(width, height int) {
	d.width = width
	d.SetHeight(height)
}

// Prepare writes the text again if anything it depends on has changed.
func (d *Detail) Prepare(s *board.Snapshot, f *Frame) {
	key := detailKey{s.Version, f.Now.Unix() / 10, d.width, d.Raw, f.Theme, d.Object}
	if key == d.key && d.lines != nil {
		return
	}
	d.key = key
	w := detailWriter{document: document{measure: f.Theme.Measure, width: d.width - 2}, s: s, f: f, th: f.Theme}
	if d.Raw {
		w.addJSON(&d.Object)
	} else {
		w.addObject(&d.Object)
	}
	d.setLines(w.lines)
}

// AppendLine draws one line.
func (d *Detail) AppendLine(dst []byte, y int, f *Frame, width int, focused bool) []byte {
	hint := ""
	if f.Key != nil && focused {
		hint = f.Key("look.detail") + " open"
	}
	return d.appendLine(dst, y, f.Theme, width, focused, hint)
}

// detailWriter writes the text of a detail.
type detailWriter struct {
	document
	s  *board.Snapshot
	f  *Frame
	th *theme.Theme
}

func (w *detailWriter) addObject(o *Object) {
	switch {
	case o.Task != nil || o.TaskRow != nil:
		w.addTask(o.Task, o.TaskRow)
	case o.Worker != nil || o.WorkerRow != nil:
		w.addDriver(o.Worker, o.WorkerRow)
	case o.Order != nil || o.OrderRow != nil:
		w.addOrder(o.Order, o.OrderRow)
	case o.Recipient != nil:
		w.addRecipient(o.Recipient)
	case o.Destination != nil:
		w.addDestination(o.Destination)
	case o.Err == "":
		w.addText(theme.Muted, "Loading…")
	}
	if o.Err != "" {
		w.addGap()
		w.addText(theme.Bad, o.Err)
	}
}

// Full returns the full object, or nil before the service has answered.
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

// addJSON adds the object as the service sent it.
func (w *detailWriter) addJSON(o *Object) {
	value := o.Full()
	if value == nil {
		w.addText(theme.Muted, "Loading…")
		return
	}
	text, err := model.MarshalIndent(value)
	if err != nil {
		w.addText(theme.Bad, "Cannot show the object as JSON: "+err.Error())
		return
	}
	for _, line := range strings.Split(string(text), "\n") {
		w.addJSONLine(strings.ReplaceAll(line, "\t", "  "))
	}
}

// addJSONLine adds a line of JSON. Long lines are wrapped with a deeper indent.
func (w *detailWriter) addJSONLine(line string) {
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	for i, part := range strings.Split(w.measure.Hardwrap(text, max(w.width-len(indent)-4, 8)), "\n") {
		if i == 1 {
			indent += "    "
		}
		w.addLine(Span{theme.Text, indent + part})
	}
}

// formatTime returns a time with its distance from now.
func (w *detailWriter) formatTime(at model.Millis) string {
	if at == 0 {
		return ""
	}
	return model.FormatTime(at, w.f.Zone) + "  " + model.FormatRelative(at, w.f.Millis())
}

func (w *detailWriter) workerName(id model.ID) string {
	if row := w.s.Workers.Get(id); row != nil {
		return row.Name
	}
	return string(id)
}

func (w *detailWriter) teamName(id model.ID) string {
	if row := w.s.Teams.Get(id); row != nil {
		return row.Name
	}
	return string(id)
}

func (w *detailWriter) addMetadata(entries []model.Metadata) {
	for i, m := range entries {
		if i == 0 {
			w.addHeading("metadata")
		}
		w.addField(m.Name, theme.Text, string(m.Value))
	}
}

// addStatus adds the status of a task and how late it is.
func (w *detailWriter) addStatus(r *board.TaskRow) {
	badge := w.th.Badge(r.Status.Tone())
	if r.Status == board.StatusUnknown {
		badge.Word = r.StatusText()
	}
	spans := []Span{{badge.Token, badge.Glyph + " " + badge.Word}, {theme.Muted, "  " + board.KindText(r.Pickup)}}
	if r.Risk >= board.RiskAtRisk {
		risk := w.th.Badge(r.Tone())
		spans = append(spans, Span{risk.Token, "  " + risk.Glyph + " " + r.LatenessText(w.f.Millis())})
	}
	w.addLine(spans...)
}

// addTaskLink adds a link to another task.
func (w *detailWriter) addTaskLink(id model.ID, r *board.TaskRow, lead string) {
	if r == nil {
		w.addLink(TaskLink, id, Span{theme.Muted, lead}, Span{theme.Text, string(id)}, Span{theme.Muted, "  not on the board"})
		return
	}
	badge := w.th.Badge(r.Tone())
	spans := []Span{
		{theme.Muted, lead},
		{badge.Token, badge.Glyph + " "},
		{theme.Text, string(r.ShortID)},
		{theme.Muted, " " + w.measure.Fit(board.KindText(r.Pickup), 7, theme.Left) + " "},
		{badge.Token, w.measure.Fit(badge.Word, 10, theme.Left) + " "},
		{theme.Muted, w.padTo(windowText(r, w.f.Now, w.f.Zone, "–"), 11) + " "},
		{theme.Text, r.Address},
	}
	w.addLink(TaskLink, id, spans...)
}

// padTo pads a text to a width and never truncates it.
func (w *detailWriter) padTo(text string, width int) string {
	return w.measure.Fit(text, max(width, w.measure.Width(text)), theme.Left)
}

func duration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return model.FormatDuration(d)
}
