package views

import (
	"cmp"
	"fmt"
	"slices"

	"waybill/board"
	"waybill/model"
	"waybill/views/canvas"
	"waybill/views/theme"
)

// Map shows the drivers, tasks and routes of the current filter, and the drivers nearest to the selected object.
type Map struct {
	canvas   *canvas.Canvas
	view     canvas.Viewport
	fitted   bool
	far      int // places outside the fitted viewport
	follow   bool
	selected model.ID
	anchor   canvas.Place // [Map.Select] goes by distance from here
	objects  []mapObject  // by distance from the anchor
	nearest  []board.NearbyWorker
	// nearestHeight is the height of the list of the nearest drivers.
	nearestHeight int
}

type mapObject struct {
	id    model.ID
	place canvas.Place
}

// maxMapTasks is the most tasks that are drawn; more would only cover one another.
const maxMapTasks = 5000

// NewMap returns a map that is fitted to its objects when it is first drawn.
func NewMap() *Map { return &Map{canvas: canvas.New(1, 1)} }

// Open selects an object and fits the map to all objects.
func (m *Map) Open(selected model.ID) {
	m.selected, m.fitted, m.objects = selected, false, nil
}

// Selected returns the selected object.
func (m *Map) Selected() model.ID { return m.selected }

// Pan moves the viewport by a share of its size.
func (m *Map) Pan(right, down float64) { m.follow, m.view = false, m.view.Pan(right, down) }

// Zoom shows a smaller area for a factor above one. The selected object stays in place.
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

// Fit shows all objects again.
func (m *Map) Fit() { m.fitted, m.follow = false, false }

// Follow turns on or off that the selected object stays in the middle, and returns the new state.
func (m *Map) Follow() bool {
	m.follow = !m.follow
	return m.follow
}

// Select selects the object so many steps further, nearest first.
func (m *Map) Select(step int) {
	if len(m.objects) == 0 {
		return
	}
	next := ((m.indexOf(m.selected)+step)%len(m.objects) + len(m.objects)) % len(m.objects)
	m.selected = m.objects[next].id
	m.reveal(m.objects[next].place)
}

// reveal moves the viewport to a place outside it.
func (m *Map) reveal(p canvas.Place) {
	if !m.view.Shows(p) {
		m.view = m.view.CenterOn(p)
	}
}

// SetSize sets the size of the map and the height of the list beside it.
func (m *Map) SetSize(width, height, nearestHeight int) {
	if w, h := m.canvas.Size(); w != width || h != height {
		m.canvas.Resize(max(width, 1), max(height, 1))
		dw, dh := m.canvas.Dots()
		m.view = m.view.Resized(dw, dh)
	}
	m.nearestHeight = nearestHeight
}

// Prepare draws the map.
func (m *Map) Prepare(b *Board, th *theme.Theme) {
	s := b.Snapshot()
	tasks, workers := b.mapRows()
	m.updateView(s, tasks, workers)
	w, h := m.canvas.Size()
	m.canvas.Resize(w, h)
	for _, row := range workers {
		m.drawRoute(s, row, row.ID == m.selected || m.hasSelected(s, row))
	}
	for _, t := range slices.Backward(tasks) { // the worst is drawn last, on top
		m.drawPoint(t.Location, th.Badge(t.Tone()).Token)
	}
	for _, row := range workers {
		badge := th.Badge(row.Tone())
		x, y := m.view.Project(placeOf(row.Location))
		m.canvas.Glyph(x, y, badge.Glyph, badge.Token)
	}
	m.drawLabels(s, workers, th)
	m.nearest = nil
	if at, ok := m.locate(s, m.selected); ok {
		m.nearest = s.NearestWorkers(at, max(m.nearestHeight-1, 1))
	}
}

// hasSelected reports whether the selected task is assigned to a driver.
func (m *Map) hasSelected(s *board.Snapshot, w *board.WorkerRow) bool {
	t := s.Tasks.Get(m.selected)
	return t != nil && t.Worker == w.ID
}

func placeOf(l model.Location) canvas.Place { return canvas.Place{Lon: l.Lon, Lat: l.Lat} }

// locate returns the location of a task or a driver.
func (m *Map) locate(s *board.Snapshot, id model.ID) (model.Location, bool) {
	if t := s.Tasks.Get(id); t != nil && t.HasLocation {
		return t.Location, true
	}
	if w := s.Workers.Get(id); w != nil && w.HasLocation {
		return w.Location, true
	}
	return model.Location{}, false
}

// updateView fits or centers the viewport and lists the objects that can be selected.
func (m *Map) updateView(s *board.Snapshot, tasks []*board.TaskRow, workers []*board.WorkerRow) {
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
		if at, ok := m.locate(s, m.selected); ok {
			m.anchor = placeOf(at)
			m.reveal(m.anchor)
		}
	}
	if at, ok := m.locate(s, m.selected); ok && m.follow {
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

func (m *Map) drawPoint(at model.Location, token theme.Token) {
	x, y := m.view.Project(placeOf(at))
	m.canvas.Point(x, y, token)
}

// drawRoute draws the route of a driver: up to the next stop, or the whole route highlighted.
func (m *Map) drawRoute(s *board.Snapshot, w *board.WorkerRow, highlighted bool) {
	token := theme.Rule
	if highlighted {
		token = theme.Accent
	}
	from := placeOf(w.Location)
	for i, stop := range s.Route(w) {
		if stop.Row == nil || !stop.Row.HasLocation || i > 0 && !highlighted {
			break // all routes in full would cover the map
		}
		to := placeOf(stop.Row.Location)
		x0, y0 := m.view.Project(from)
		x1, y1 := m.view.Project(to)
		m.canvas.Line(x0, y0, x1, y1, token)
		from = to
	}
}

// drawLabels labels the selected object, and drivers where there is room.
func (m *Map) drawLabels(s *board.Snapshot, workers []*board.WorkerRow, th *theme.Theme) {
	if at, ok := m.locate(s, m.selected); ok {
		x, y := m.view.Project(placeOf(at))
		text := ""
		if t := s.Tasks.Get(m.selected); t != nil {
			text = string(t.ShortID) + " " + th.Badge(t.Tone()).Word
		} else if w := s.Workers.Get(m.selected); w != nil {
			text = w.Name
		}
		m.canvas.Glyph(x, y, th.Glyphs.Mark, theme.Mark)
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

// AppendLine draws one line of the map; the last one shows the scale.
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

// NearTitle returns the title of the list of the nearest drivers.
func (m *Map) NearTitle(s *board.Snapshot) string {
	if t := s.Tasks.Get(m.selected); t != nil {
		return "Nearest to " + string(t.ShortID)
	}
	if w := s.Workers.Get(m.selected); w != nil {
		return "Nearest to " + w.Name
	}
	return "Nearest"
}

// AppendNear draws one line of the list of the nearest drivers.
func (m *Map) AppendNear(dst []byte, y int, f *Frame, s *board.Snapshot, width int) []byte {
	l := NewLine(dst, f.Theme, width)
	if len(m.nearest) == 0 {
		if y == 0 {
			l.Space(1).Put(theme.Muted, "Select a driver or task that has a position.")
		}
		return l.End()
	}
	if y >= len(m.nearest) {
		return l.End()
	}
	n := m.nearest[y]
	badge := f.Theme.Badge(n.Worker.Tone())
	l.Space(1).Put(badge.Token, badge.Glyph+" ")
	// Distance and status are never truncated: the name gets the rest.
	far, word := 0, 0
	for _, n := range m.nearest {
		far = max(far, len(model.FormatDistance(n.Distance)))
		word = max(word, f.Theme.Measure.Width(f.Theme.Badge(n.Worker.Tone()).Word))
	}
	const others = 1 + 2 + 1 + 1 + 2 + 1 // glyph, compass direction and gaps
	name := width - others - far - word
	if name > 16 {
		name -= 4 // for the number of stops
	}
	l.Fit(theme.Text, n.Worker.Name, max(name, 6), theme.Left).Space(1)
	l.Fit(theme.Strong, model.FormatDistance(n.Distance), far, theme.Right).Space(1)
	l.Fit(theme.Muted, n.Compass, 2, theme.Left).Space(1)
	l.Put(badge.Token, badge.Word)
	if load := s.LoadOf(n.Worker); load.Stops > 0 && l.Left() > 6 {
		l.Put(theme.Muted, fmt.Sprintf(" %d", load.Stops))
	}
	return l.End()
}

// mapRows returns the open tasks and the drivers of the filtered panes that have a position.
func (b *Board) mapRows() ([]*board.TaskRow, []*board.WorkerRow) {
	var tasks []*board.TaskRow
	if l, ok := b.Panes[board.PaneTasks].(*list[board.TaskRow]); ok && l.view != nil {
		for row := range l.view.All() {
			if row.HasLocation && !row.Status.Closed() {
				tasks = append(tasks, row)
			}
			if len(tasks) == maxMapTasks {
				break
			}
		}
	}
	var workers []*board.WorkerRow
	if l, ok := b.Panes[board.PaneWorkers].(*list[board.WorkerRow]); ok && l.view != nil {
		for row := range l.view.All() {
			if row.HasLocation {
				workers = append(workers, row)
			}
		}
	}
	return tasks, workers
}
