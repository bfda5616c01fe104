package views

import (
	"strconv"

	"waybill/model"
	"waybill/views/canvas"
	"waybill/views/theme"
)

// PlannedRoute is a route that does not exist yet: where it begins and every stop in order.
type PlannedRoute struct {
	Name   string
	Note   string // "12 stops, 34 km"
	Late   bool
	Points []model.Location // the first is where the worker is
}

// PlanMap shows planned routes: all of them, or one among the others.
type PlanMap struct {
	Routes []PlannedRoute
	// Left are tasks that no route takes up.
	Left []model.Location

	canvas *canvas.Canvas
	chosen int // 0 is all of them
	drawn  bool
}

// NewPlanMap is a map of routes, all of them in sight.
func NewPlanMap(routes []PlannedRoute, left []model.Location) *PlanMap {
	return &PlanMap{Routes: routes, Left: left, canvas: canvas.New(1, 1)}
}

// Move chooses the next route; before the first there are all of them.
func (p *PlanMap) Move(step int) {
	all := len(p.Routes) + 1
	p.chosen, p.drawn = ((p.chosen+step)%all+all)%all, false
}

// listWidth is the room for the list of routes; the map has the larger part.
func listWidth(width int) int {
	const most = 42
	return min(most, width*2/5)
}

// Prepare draws the picture for a size.
func (p *PlanMap) Prepare(width, height int, th *theme.Theme) {
	mapWidth := max(width-listWidth(width)-1, 1)
	if w, h := p.canvas.Size(); p.drawn && w == mapWidth && h == height {
		return
	}
	p.drawn = true
	p.canvas.Resize(mapWidth, max(height, 1))
	w, h := p.canvas.Dots()
	view := canvas.Fit(p.places(), w, h)
	for i := range p.Routes {
		if p.chosen != i+1 {
			p.draw(&p.Routes[i], view, p.token(i))
		}
	}
	for _, at := range p.Left {
		x, y := view.Project(placeOf(at))
		p.canvas.Sign(x, y, th.Glyphs.Unassigned, theme.Bad)
	}
	if p.chosen > 0 {
		p.draw(&p.Routes[p.chosen-1], view, theme.Accent)
		p.number(&p.Routes[p.chosen-1], view, th)
	}
	for i := range p.Routes {
		p.name(i, view, th)
	}
}

func (p *PlanMap) places() []canvas.Place {
	var places []canvas.Place
	for i := range p.Routes {
		for _, at := range p.Routes[i].Points {
			places = append(places, placeOf(at))
		}
	}
	for _, at := range p.Left {
		places = append(places, placeOf(at))
	}
	return places
}

// token tells routes apart while all are shown, and keeps them in the background otherwise.
func (p *PlanMap) token(route int) theme.Token {
	if p.chosen > 0 {
		return theme.Rule
	}
	tokens := [...]theme.Token{theme.Accent, theme.Good, theme.Info, theme.Warn, theme.Mark, theme.Text, theme.Key, theme.Bad}
	return tokens[route%len(tokens)]
}

func (p *PlanMap) draw(r *PlannedRoute, view canvas.Viewport, token theme.Token) {
	for i := 1; i < len(r.Points); i++ {
		x0, y0 := view.Project(placeOf(r.Points[i-1]))
		x1, y1 := view.Project(placeOf(r.Points[i]))
		p.canvas.Line(x0, y0, x1, y1, token)
	}
}

// number writes the order of the stops of the chosen route.
func (p *PlanMap) number(r *PlannedRoute, view canvas.Viewport, th *theme.Theme) {
	for i := 1; i < len(r.Points); i++ {
		x, y := view.Project(placeOf(r.Points[i]))
		p.canvas.Label(x, y, strconv.Itoa(i), theme.Strong, th.Measure)
	}
}

func (p *PlanMap) name(route int, view canvas.Viewport, th *theme.Theme) {
	r := &p.Routes[route]
	if len(r.Points) == 0 || p.chosen > 0 && p.chosen != route+1 {
		return
	}
	x, y := view.Project(placeOf(r.Points[0]))
	p.canvas.Sign(x, y, th.Glyphs.Mark, p.token(route))
	p.canvas.Label(x, y, r.Name, theme.Strong, th.Measure)
}

// AppendLine draws one line: the map, and the list of routes beside it.
func (p *PlanMap) AppendLine(l *Line, y, width int, th *theme.Theme) {
	mapWidth := max(width-listWidth(width)-1, 1)
	l.PutStyled(string(p.canvas.AppendLine(nil, y, th)), mapWidth)
	l.Space(1)
	p.putList(l, y, th)
}

func (p *PlanMap) putList(l *Line, y int, th *theme.Theme) {
	_, height := p.canvas.Size()
	top := max(0, min(p.chosen-height/2, len(p.Routes)+1-height))
	at := top + y
	if at > len(p.Routes) {
		return
	}
	cursor, token := " ", theme.Text
	if at == p.chosen {
		cursor, token = th.Glyphs.Cursor, theme.Strong
	}
	l.Put(theme.Accent, cursor)
	if at == 0 {
		l.Put(token, "All routes, "+strconv.Itoa(len(p.Routes)))
		return
	}
	r := &p.Routes[at-1]
	l.Put(p.token(at-1), th.Glyphs.Mark+" ")
	if r.Late {
		token = theme.Warn
	}
	l.Fit(token, r.Name, 15, theme.Left).Space(1)
	l.Put(theme.Muted, r.Note)
}
