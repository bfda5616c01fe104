package ui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// planLimit is how long a preview of a dispatch may take, reading the team included.
const planLimit = 20 * time.Second

// dispatchPlanned is a dispatch as it was planned here.
type dispatchPlanned struct {
	preview *preview
	plan    operations.DispatchPreview
	err     error
}

// previewAside finds out what a plain request does not show: for a dispatch, the routes it would make.
func (m *Model) previewAside(o *preview) tea.Cmd {
	if o.verb.ID != "route.dispatch" {
		return nil
	}
	values := o.verb.Form.Start
	if o.form != nil {
		values = o.form.form.VisibleValues()
	}
	scene, client := o.scene, m.account.Client
	team, request, problems := operations.ParseDispatch(scene, values)
	if len(problems) > 0 {
		return nil
	}
	o.extra = []operations.Line{{Text: "Planning the routes here, nothing is sent yet…"}}
	return m.run(planLimit, func(ctx context.Context) any {
		plan, err := operations.PreviewDispatch(ctx, client, scene, team, request, nil)
		return dispatchPlanned{o, plan, err}
	})
}

func (p dispatchPlanned) arrive(*Model) tea.Cmd {
	o := p.preview
	o.wide = 0 // composed anew
	if p.err != nil {
		o.extra = []operations.Line{{Text: "The routes could not be planned here: " + p.err.Error(), Warning: true}}
		return nil
	}
	o.extra = append([]operations.Line{{Text: "What it would do, planned here:"}}, p.plan.Lines()...)
	o.routes = plannedRoutes(&p.plan)
	return nil
}

// plannedRoutes are the routes of a preview for the map.
func plannedRoutes(p *operations.DispatchPreview) *views.PlanMap {
	var routes []views.PlannedRoute
	for i := range p.Routes {
		r := &p.Routes[i]
		if len(r.Points) == 0 {
			continue
		}
		late := false
		for _, stop := range r.Stops {
			late = late || stop.Late > 0
		}
		routes = append(routes, views.PlannedRoute{
			Name: r.Name, Points: r.Points, Late: late,
			Note: fmt.Sprintf("%d stops +%d %s", len(r.Stops), r.CountNewStops(), model.FormatDuration(r.Travel.Round(time.Minute))),
		})
	}
	var left []model.Location
	for _, out := range p.Unplanned {
		left = append(left, out.At)
	}
	return views.NewPlanMap(routes, left)
}

// showPlanned shows the routes of a preview on a map.
func (m *Model) showPlanned(o *preview) tea.Cmd {
	if o.routes == nil {
		m.warn("The routes are not planned yet.")
		return nil
	}
	return m.open(&planMap{routes: o.routes})
}

// planMap is the map of a dispatch that was not sent yet.
type planMap struct {
	plain
	routes *views.PlanMap
}

func (o *planMap) scope() keymaps.Scope { return keymaps.Menu }

func (o *planMap) place(*Model) layout.Dialog { return layout.Dialog{Kind: layout.Full} }

func (o *planMap) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "menu.down":
		o.routes.Move(1)
	case "menu.up":
		o.routes.Move(-1)
	case "menu.choose":
		m.closeOverlay()
	default:
		return nil, false
	}
	return nil, true
}

func (o *planMap) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: "Planned routes", Foot: "j k one route at a time  esc back"}
	o.routes.Prepare(width-4, height-2, m.look.theme)
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		o.routes.AppendLine(l, line, width-4, m.look.theme)
	})
}

// addLines adds lines of words, warnings as such.
func (t *textLines) addLines(lines []operations.Line) {
	for _, line := range lines {
		switch {
		case line.Warning:
			t.verbatim(theme.Warn, line.Text)
		case line.Good:
			t.verbatim(theme.Good, line.Text)
		default:
			t.verbatim(theme.Text, line.Text)
		}
	}
}
