package views

import (
	"strconv"

	"waybill/model"
	"waybill/views/canvas"
	"waybill/views/theme"
)

// PlannedRoute is a route of a plan.
type PlannedRoute struct {
	Name   string
	Note   string // "12 stops, 34 km"
	Late   bool
	Points []model.Location // the driver's position, then every stop
}

// PlanMap shows all planned routes, or highlights one.
type PlanMap struct {
	Routes     []PlannedRoute
	Unassigned []model.Location // tasks on no route

	canvas   *canvas.Canvas
	selected int // 0 is all routes
	drawn    bool
}

// NewPlanMap returns a map of all routes.
func NewPlanMap(routes []PlannedRoute, unassigned []model.Location) *PlanMap {
	return &PlanMap{Routes: routes, Unassigned: unassigned, canvas: canvas.New(1, 1)}
}

// Move selects another route; before the first are all routes.
func (p *PlanMap) Move(step int) {
	count := len(p.Routes) + 1
	p.selected, p.drawn = ((p.selected+step)%count+count)%count, false
}

// listWidth returns the width of the list of routes beside the map.
func listWidth(width int) int {
	return min(42, width*2/5)
}

// Prepare draws the map for a size.
func (p *PlanMap) Prepare(width, height int, th *theme.Theme) {
	mapWidth := max(width-listWidth(width)-1, 1)
	if w, h := p.canvas.Size(); p.drawn && w == mapWidth && h == height {
		return
	}
	p.drawn = true
	p.canvas.Resize(mapWidth, max(height, 1))
	w, h := p.canvas.Dots()
	view := canvas.Fit(p.allPlaces(), w, h)
	for i := range p.Routes {
		if p.selected != i+1 {
			p.drawRoute(&p.Routes[i], view, p.routeToken(i))
		}
	}
	for _, at := range p.Unassigned {
		x, y := view.Project(placeOf(at))
		p.canvas.Glyph(x, y, th.Glyphs.Unassigned, theme.Bad)
	}
	if p.selected > 0 {
		p.drawRoute(&p.Routes[p.selected-1], view, theme.Accent)
		p.drawNumbers(&p.Routes[p.selected-1], view, th)
	}
	for i := range p.Routes {
		p.drawName(i, view, th)
	}
}

func (p *PlanMap) allPlaces() []canvas.Place {
	var places []canvas.Place
	for i := range p.Routes {
		for _, at := range p.Routes[i].Points {
			places = append(places, placeOf(at))
		}
	}
	for _, at := range p.Unassigned {
		places = append(places, placeOf(at))
	}
	return places
}

// routeToken returns the token of a route: its own while all are shown, a dim one beside the selected route.
func (p *PlanMap) routeToken(route int) theme.Token {
	if p.selected > 0 {
		return theme.Rule
	}
	tokens := [...]theme.Token{theme.Accent, theme.Good, theme.Info, theme.Warn, theme.Mark, theme.Text, theme.Key, theme.Bad}
	return tokens[route%len(tokens)]
}

func (p *PlanMap) drawRoute(r *PlannedRoute, view canvas.Viewport, token theme.Token) {
	for i := 1; i < len(r.Points); i++ {
		x0, y0 := view.Project(placeOf(r.Points[i-1]))
		x1, y1 := view.Project(placeOf(r.Points[i]))
		p.canvas.Line(x0, y0, x1, y1, token)
	}
}

// drawNumbers numbers the stops of a route.
func (p *PlanMap) drawNumbers(r *PlannedRoute, view canvas.Viewport, th *theme.Theme) {
	for i := 1; i < len(r.Points); i++ {
		x, y := view.Project(placeOf(r.Points[i]))
		p.canvas.Label(x, y, strconv.Itoa(i), theme.Strong, th.Measure)
	}
}

func (p *PlanMap) drawName(route int, view canvas.Viewport, th *theme.Theme) {
	r := &p.Routes[route]
	if len(r.Points) == 0 || p.selected > 0 && p.selected != route+1 {
		return
	}
	x, y := view.Project(placeOf(r.Points[0]))
	p.canvas.Glyph(x, y, th.Glyphs.Mark, p.routeToken(route))
	p.canvas.Label(x, y, r.Name, theme.Strong, th.Measure)
}

// AppendLine draws one line of the map and of the list of routes beside it.
func (p *PlanMap) AppendLine(l *Line, y, width int, th *theme.Theme) {
	mapWidth := max(width-listWidth(width)-1, 1)
	l.PutStyled(string(p.canvas.AppendLine(nil, y, th)), mapWidth)
	l.Space(1)
	p.putList(l, y, th)
}

func (p *PlanMap) putList(l *Line, y int, th *theme.Theme) {
	_, height := p.canvas.Size()
	top := max(0, min(p.selected-height/2, len(p.Routes)+1-height))
	at := top + y
	if at > len(p.Routes) {
		return
	}
	cursor, token := " ", theme.Text
	if at == p.selected {
		cursor, token = th.Glyphs.Cursor, theme.Strong
	}
	l.Put(theme.Accent, cursor)
	if at == 0 {
		l.Put(token, "All routes, "+strconv.Itoa(len(p.Routes)))
		return
	}
	r := &p.Routes[at-1]
	l.Put(p.routeToken(at-1), th.Glyphs.Mark+" ")
	if r.Late {
		token = theme.Warn
	}
	l.Fit(token, r.Name, 15, theme.Left).Space(1)
	l.Put(theme.Muted, r.Note)
}
