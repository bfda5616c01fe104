package ui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/model"
	"waybill/operations"
	"waybill/ui/dialog"
	"waybill/views"
)

// planTimeout is how long planning a dispatch may take, including reading the team.
const planTimeout = 20 * time.Second

// planDispatch plans the routes that a dispatch would make, for its preview. Other operations have none.
func (m *Model) planDispatch(s *operationSession, d *dialog.Preview) tea.Cmd {
	if !d.HasMap {
		return nil
	}
	values := s.Operation.Form.Start
	if s.form != nil {
		values = s.form.VisibleValues()
	}
	input, client := s.Input, m.account.Client
	team, request, problems := operations.ParseDispatch(input, values)
	if len(problems) > 0 {
		return nil
	}
	d.SetPlan([]operations.Line{{Text: "Planning the routes here. Nothing is sent yet…"}}, nil)
	return m.run(planTimeout, func(ctx context.Context) result {
		plan, err := operations.PreviewDispatch(ctx, client, input, team, request, nil)
		return func(*Model) tea.Cmd {
			if err != nil {
				d.SetPlan([]operations.Line{{Text: "Cannot plan the routes here: " + err.Error(), Warning: true}}, nil)
			} else {
				d.SetPlan(append([]operations.Line{{Text: "Expected result, planned here:"}}, plan.Lines()...), plannedRoutes(&plan))
			}
			return nil
		}
	})
}

// plannedRoutes are the routes of a planned dispatch for the map.
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
			Note: fmt.Sprintf("%s +%d %s", plural(len(r.Stops), "stop", "stops"), r.CountNewStops(), model.FormatDuration(r.Travel.Round(time.Minute))),
		})
	}
	var unplanned []model.Location
	for _, task := range p.Unplanned {
		unplanned = append(unplanned, task.At)
	}
	return views.NewPlanMap(routes, unplanned)
}
