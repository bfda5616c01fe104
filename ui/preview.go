package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/run"
	"waybill/ui/dialog"
	"waybill/views"
)

// previewedRequests is how many requests are shown in full; the others look alike.
const previewedRequests = 3

const previewTimeout = 20 * time.Second

// openPreview shows the proposal of a session and asks for a confirmation.
func (m *Model) openPreview(s *operationSession) tea.Cmd {
	if m.account.Client == nil {
		m.warn(notConnected)
		s.Edit()
		return nil
	}
	d := dialog.NewPreview(dialog.PreviewOptions{
		Operation: s.Operation, Proposal: s.Proposal, Hidden: s.Input.Hidden, Account: m.accountName(),
		Production: m.account.Profile.Production, HasForm: s.HasForm(), HasMap: s.Operation.PlansRoutes,
	})
	m.openDialog(d, func(m *Model, a dialog.Action) tea.Cmd { return m.handlePreviewAction(s, d, a) })
	return m.prepareRequests(s, d)
}

func (m *Model) handlePreviewAction(s *operationSession, d *dialog.Preview, a dialog.Action) tea.Cmd {
	switch a := a.(type) {
	case dialog.SendProposal:
		send, _ := m.keys.Get("preview.send")
		if reason := m.keys.DisabledReason(send, m.actionContext()); reason != "" {
			return m.warn(reason)
		}
		m.closeDialog()
		m.closeForm(s)
		return m.carryOut(s, s.Confirm())
	case dialog.RetryPreview:
		if !a.Automatic {
			m.inform("Preparing the request again. Nothing is sent yet.")
		}
		return m.prepareRequests(s, d)
	case dialog.EditForm:
		m.closeDialog()
		s.Edit()
	case dialog.CopyCurl:
		return m.copyRequests(d.Requests())
	case dialog.ShowMap:
		if d.Routes() == nil {
			return m.warn("The routes are not planned yet.")
		}
		return m.openDialog(dialog.NewPlanMap(d.Routes()), nil)
	}
	return nil
}

// closeForm closes the form of a session if it is on top.
func (m *Model) closeForm(s *operationSession) {
	if s.form != nil && m.topDialog() == dialog.Dialog(s.form) {
		m.closeDialog()
	}
}

// prepareRequests finds out what would be sent, with everything that has to be read for it.
func (m *Model) prepareRequests(s *operationSession, d *dialog.Preview) tea.Cmd {
	d.ResetRequests()
	client, steps := m.account.Client, s.Proposal.Steps
	return tea.Batch(m.run(previewTimeout, func(ctx context.Context) result {
		requests, err := run.Preview(ctx, client, steps, previewedRequests)
		return func(*Model) tea.Cmd {
			d.SetRequests(requests, err)
			return nil
		}
	}), m.planDispatch(s, d))
}

// retryPreview prepares the requests of an open preview again once the service is back.
func (m *Model) retryPreview() tea.Cmd {
	d, ok := m.topDialog().(*dialog.Preview)
	if !ok || m.account.Client == nil || !d.NeedsRetry(m.feed.Status().Offline) {
		return nil
	}
	return m.handleDialogAction(dialog.RetryPreview{Automatic: true})
}

func (m *Model) copyRequests(requests []apiclient.Preview) tea.Cmd {
	if len(requests) == 0 {
		return m.warn("There is nothing to copy yet.")
	}
	var commands []string
	for _, r := range requests {
		commands = append(commands, apiclient.CurlCommand(r.Method, m.account.Client.BaseURL()+r.Path, string(r.Body)))
	}
	return m.copyText("curl", strings.Join(commands, "\n"))
}

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
