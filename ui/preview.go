package ui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/apiclient"
	"waybill/operations/run"
	"waybill/ui/dialog"
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
			m.warn(reason)
			return nil
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
			m.warn("The routes are not planned yet.")
			return nil
		}
		m.openDialog(dialog.NewPlanMap(d.Routes()), nil)
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
		return requestsPrepared{d, requests, err}
	}), m.planDispatch(s, d))
}

// requestsPrepared is what would be sent, from a dry run.
type requestsPrepared struct {
	preview  *dialog.Preview
	requests []apiclient.Preview
	err      error
}

func (r requestsPrepared) apply(*Model) tea.Cmd {
	r.preview.SetRequests(r.requests, r.err)
	return nil
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
		m.warn("There is nothing to copy yet.")
		return nil
	}
	var commands []string
	for _, r := range requests {
		commands = append(commands, apiclient.CurlCommand(r.Method, m.account.Client.BaseURL()+r.Path, string(r.Body)))
	}
	return m.copyText("curl", strings.Join(commands, "\n"))
}
