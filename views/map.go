package views

import (
	"cmp"
	"fmt"
	"slices"

	"waybill/board"
	"waybill/model"
	"waybill/views/canvas"
	"waybill/views/layout"
	"waybill/views/theme"
)

// Map shows workers, tasks and routes of the current filter, and who is near the selected one.
type Map struct {
	canvas   *canvas.Canvas
	view     canvas.Viewport
	fitted   bool
	far      int // places that were left out when the window was fitted
	follow   bool
	selected model.ID
	anchor   canvas.Place // where the order of [Map.Select] starts from
	objects  []mapObject  // by distance from the anchor
	near     []board.NearbyWorker
	nearH    int
}

type mapObject struct {
	id    model.ID
	place canvas.Place
}

// mapTasks is how many tasks are drawn; beyond it dots only cover one another.
const mapTasks = 5000

// NewMap is a map that fits itself to what there is when it is first drawn.
func NewMap() *Map { return &Map{canvas: canvas.New(1, 1)} }

// Open starts on an object, with everything in sight.
func (m *Map) Open(selected model.ID) {
	m.selected, m.fitted, m.objects = selected, false, nil
}

// Selected is the object that is named.
func (m *Map) Selected() model.ID { return m.selected }

// Pan moves the window by a share of it.
func (m *Map) Pan(right, down float64) { m.follow, m.view = false, m.view.Pan(right, down) }

// Zoom shows a smaller area for a factor above one. The selected one stays where it is.
func (m *Map) Zoom(factor float64) {
	if at := m.indexOf(m.selected); at >= 0 {
		m.view = m.view.ZoomAt(factor, m.objects[at].place)
		return
	}
	m.view = m.view.Zoom(factor)
}

func (m *Map) indexOf(id model.ID) int {
	return slices.IndexFunc(m.objects, func(o mapObject) bool { return o.id == id })
}

// Fit shows everything again.
func (m *Map) Fit() { m.fitted, m.follow = false, false }

// Follow keeps the selected one in the middle, or stops doing so.
func (m *Map) Follow() bool {
	m.follow = !m.follow
	return m.follow
}

// Select goes to the next object, nearest first.
func (m *Map) Select(step int) {
	if len(m.objects) == 0 {
		return
	}
	next := ((m.indexOf(m.selected)+step)%len(m.objects) + len(m.objects)) % len(m.objects)
	m.selected = m.objects[next].id
	m.reveal(m.objects[next].place)
}

// reveal moves the window to a place that lies outside of it.
func (m *Map) reveal(p canvas.Place) {
	if !m.view.Shows(p) {
		m.view = m.view.CenterOn(p)
	}
}

// SetSize gives the map and the list beside it their rectangles.
func (m *Map) SetSize(width, height, near int) {
	if w, h := m.canvas.Size(); w != width || h != height {
		m.canvas.Resize(max(width, 1), max(height, 1))
		dw, dh := m.canvas.Dots()
		m.view = m.view.Resized(dw, dh)
	}
	m.nearH = near
}

// Prepare draws the picture of a board.
func (m *Map) Prepare(b *Board, th *theme.Theme) {
	s := b.Snapshot()
	tasks, workers := b.onMap()
	m.arrange(s, tasks, workers)
	w, h := m.canvas.Size()
	m.canvas.Resize(w, h)
	for _, row := range workers {
		m.route(s, row, row.ID == m.selected || m.carries(s, row))
	}
	for _, t := range slices.Backward(tasks) { // the worst is drawn last, on top
		m.point(t.Location, th.Badge(taskStatus(t)).Token)
	}
	for _, row := range workers {
		badge := th.Badge(workerSign(row))
		x, y := m.view.Project(placeOf(row.Location))
		m.canvas.Sign(x, y, badge.Glyph, badge.Token)
	}
	m.name(s, workers, th)
	m.near = nil
	if at, ok := m.placeOf(s, m.selected); ok {
		m.near = s.NearestWorkers(at, max(m.nearH-1, 1))
	}
}

func (m *Map) carries(s *board.Snapshot, w *board.WorkerRow) bool {
	t := s.Tasks.Get(m.selected)
	return t != nil && t.Worker == w.ID
}

func placeOf(l model.Location) canvas.Place { return canvas.Place{Lon: l.Lon, Lat: l.Lat} }

func (m *Map) placeOf(s *board.Snapshot, id model.ID) (model.Location, bool) {
	if t := s.Tasks.Get(id); t != nil && t.HasLocation {
		return t.Location, true
	}
	if w := s.Workers.Get(id); w != nil && w.HasLocation {
		return w.Location, true
	}
	return model.Location{}, false
}

// arrange fits the window when asked to, and lists what can be selected.
func (m *Map) arrange(s *board.Snapshot, tasks []*board.TaskRow, workers []*board.WorkerRow) {
	objects := make([]mapObject, 0, len(tasks)+len(workers))
	for _, w := range workers {
		objects = append(objects, mapObject{w.ID, placeOf(w.Location)})
	}
	for _, t := range tasks {
		objects = append(objects, mapObject{t.ID, placeOf(t.Location)})
	}
	if !m.fitted {
		places := make([]canvas.Place, len(objects))
		for i := range objects {
			places[i] = objects[i].place
		}
		w, h := m.canvas.Dots()
		m.view, m.far = canvas.FitMost(places, w, h)
		m.fitted = len(objects) > 0
		m.anchor = m.view.Center()
		if at, ok := m.placeOf(s, m.selected); ok {
			m.anchor = placeOf(at)
			m.reveal(m.anchor)
		}
	}
	if at, ok := m.placeOf(s, m.selected); ok && m.follow {
		m.view = m.view.CenterOn(placeOf(at))
	}
	from := model.Location{Lon: m.anchor.Lon, Lat: m.anchor.Lat}
	slices.SortFunc(objects, func(a, b mapObject) int {
		return cmp.Or(
			cmp.Compare(from.MetersTo(model.Location{Lon: a.place.Lon, Lat: a.place.Lat}), from.MetersTo(model.Location{Lon: b.place.Lon, Lat: b.place.Lat})),
			cmp.Compare(a.id, b.id))
	})
	m.objects = objects
}

func (m *Map) point(at model.Location, token theme.Token) {
	x, y := m.view.Project(placeOf(at))
	m.canvas.Point(x, y, token)
}

// route draws the way of a worker: faintly, or bright for the selected one.
func (m *Map) route(s *board.Snapshot, w *board.WorkerRow, bright bool) {
	token := theme.Rule
	if bright {
		token = theme.Accent
	}
	from := placeOf(w.Location)
	for i, stop := range s.Route(w) {
		if stop.Row == nil || !stop.Row.HasLocation || i > 0 && !bright {
			break // the next stop says where someone is going; whole routes of all would cover the map
		}
		to := placeOf(stop.Row.Location)
		x0, y0 := m.view.Project(from)
		x1, y1 := m.view.Project(to)
		m.canvas.Line(x0, y0, x1, y1, token)
		from = to
	}
}

// name labels the selected one, and workers as long as there is room.
func (m *Map) name(s *board.Snapshot, workers []*board.WorkerRow, th *theme.Theme) {
	if at, ok := m.placeOf(s, m.selected); ok {
		x, y := m.view.Project(placeOf(at))
		text := ""
		if t := s.Tasks.Get(m.selected); t != nil {
			text = string(t.ShortID) + " " + th.Badge(taskStatus(t)).Word
		} else if w := s.Workers.Get(m.selected); w != nil {
			text = w.Name
		}
		m.canvas.Sign(x, y, th.Glyphs.Mark, theme.Mark)
		m.canvas.Label(x, y, text, theme.Strong, th.Measure)
	}
	const labels = 40
	for i, w := range workers {
		if i == labels {
			break
		}
		if w.ID != m.selected {
			x, y := m.view.Project(placeOf(w.Location))
			m.canvas.Label(x, y, w.Name, theme.Muted, th.Measure)
		}
	}
}

// AppendLine draws one line of the map; the last one carries the scale.
func (m *Map) AppendLine(dst []byte, y int, th *theme.Theme, width int) []byte {
	if _, h := m.canvas.Size(); y == h-1 && width > 30 {
		cells, label := m.view.ScaleBar(20)
		l := NewLine(dst, th, width)
		l.Space(1).Put(theme.Muted, th.Glyphs.Vertical)
		l.Put(theme.Muted, string(theme.AppendRepeat(nil, th.Glyphs.Horizontal, max(cells-2, 1))))
		l.Put(theme.Muted, th.Glyphs.Vertical+" "+label)
		if m.far > 0 {
			l.Space(2).Put(theme.Warn, Count(m.far)+" far away")
		}
		return l.End()
	}
	return m.canvas.AppendLine(dst, y, th)
}

// NearTitle says whom the list is about.
func (m *Map) NearTitle(s *board.Snapshot) string {
	if t := s.Tasks.Get(m.selected); t != nil {
		return "Nearest to " + string(t.ShortID)
	}
	if w := s.Workers.Get(m.selected); w != nil {
		return "Nearest to " + w.Name
	}
	return "Nearest"
}

// AppendNear draws one line of the list of who is nearest.
func (m *Map) AppendNear(dst []byte, y int, f *Frame, s *board.Snapshot, width int) []byte {
	l := NewLine(dst, f.Theme, width)
	if len(m.near) == 0 {
		if y == 0 {
			l.Space(1).Put(theme.Muted, "Nothing with a position is selected.")
		}
		return l.End()
	}
	if y >= len(m.near) {
		return l.End()
	}
	n := m.near[y]
	badge := f.Theme.Badge(workerSign(n.Worker))
	l.Space(1).Put(badge.Token, badge.Glyph+" ")
	// Neither a unit nor a state is cut: the name takes what the widest of them leave.
	far, word := 0, 0
	for _, n := range m.near {
		far = max(far, len(distance(n.Distance)))
		word = max(word, f.Theme.Measure.Width(f.Theme.Badge(workerSign(n.Worker)).Word))
	}
	const others = 1 + 2 + 1 + 1 + 2 + 1 // sign, point of the compass and the gaps
	name := width - others - far - word
	if name > 16 {
		name -= 4 // room for the number of stops
	}
	l.Fit(theme.Text, n.Worker.Name, max(name, 6), theme.Left).Space(1)
	l.Fit(theme.Strong, distance(n.Distance), far, theme.Right).Space(1)
	l.Fit(theme.Muted, n.Compass, 2, theme.Left).Space(1)
	l.Put(badge.Token, badge.Word)
	if load := s.LoadOf(n.Worker); load.Stops > 0 && l.Left() > 6 {
		l.Put(theme.Muted, fmt.Sprintf(" %d", load.Stops))
	}
	return l.End()
}

func distance(meters float64) string {
	switch {
	case meters < 1000:
		return fmt.Sprintf("%.0f m", meters)
	case meters < 10_000:
		return fmt.Sprintf("%.1f km", meters/1000)
	}
	return fmt.Sprintf("%.0f km", meters/1000)
}

// onMap is what the map shows: the tasks of the pane that was last filtered, and the workers of theirs.
func (b *Board) onMap() ([]*board.TaskRow, []*board.WorkerRow) {
	var tasks []*board.TaskRow
	if l, ok := b.Panes[layout.Tasks].(*list[board.TaskRow]); ok && l.view != nil {
		for row := range l.view.All() {
			if row.HasLocation && !row.Status.Closed() {
				tasks = append(tasks, row)
			}
			if len(tasks) == mapTasks {
				break
			}
		}
	}
	var workers []*board.WorkerRow
	if l, ok := b.Panes[layout.Workers].(*list[board.WorkerRow]); ok && l.view != nil {
		for row := range l.view.All() {
			if row.HasLocation {
				workers = append(workers, row)
			}
		}
	}
	return tasks, workers
}
