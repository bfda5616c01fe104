package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/run"
)

// doResult is the result as printed with --json.
type doResult struct {
	Action   string               `json:"action"`
	Title    string               `json:"title"`
	Account  string               `json:"account"`
	Summary  string               `json:"summary,omitzero"`
	Words    []operations.Line    `json:"words,omitzero"`
	Danger   string               `json:"danger,omitzero"`
	Skipped  []operations.Skipped `json:"skipped,omitzero"`
	Requests []apiclient.Preview  `json:"requests,omitzero"` // only in a dry run
	Steps    []doStep             `json:"steps,omitzero"`
	Report   []operations.Line    `json:"report,omitzero"`
	Jobs     []doJob              `json:"jobs,omitzero"`
	Next     string               `json:"next,omitzero"` // a command
	Undo     []string             `json:"undo,omitzero"` // commands that undo the changes

	isComplete bool // ready to be printed
}

type doStep struct {
	Object    model.ID `json:"object,omitzero"` // the object of the step
	Label     string   `json:"label"`
	Status    string   `json:"status"` // done, failed, unknown or stopped
	Result    string   `json:"result,omitzero"`
	Made      model.ID `json:"made,omitzero"` // the created or changed object
	RequestID string   `json:"requestId,omitzero"`
}

type doJob struct {
	ID     model.ID          `json:"id"`
	Title  string            `json:"title"`
	State  string            `json:"state"`
	Ended  bool              `json:"ended"`
	Failed bool              `json:"failed"`
	Report []operations.Line `json:"report,omitzero"`
	Left   []model.ID        `json:"left,omitzero"`
}

// printLines prints lines; warnings are marked by a word because there are no colours.
func (d *doCommand) printLines(lines []operations.Line) {
	for _, line := range lines {
		text := strings.TrimSpace(line.Text)
		if stop, ok := strings.CutPrefix(text, "+ "); ok {
			text = "New: " + stop // a word for screen readers
		}
		if line.Warning {
			text = "Warning: " + text
		}
		d.printLine("%s", text)
	}
}

// A preview shows this many requests, because the others are similar, and this many lines of each. A dry run shows all.
const (
	maxShownRequests = 3
	maxRequestLines  = 61
)

// printProposal prints what the proposal would change and its requests.
func (d *doCommand) printProposal(ctx context.Context) error {
	proposal, dryRun := &d.proposal, d.app.flags.dryRun
	d.result = doResult{
		Action: d.entry.action.ID, Title: d.Title, Account: profileName(d.account.profile), Summary: proposal.Summary,
		Words: proposal.Lines, Danger: proposal.Irreversible, Skipped: proposal.Skipped,
	}
	d.printLines(proposal.Lines)
	d.printSkipped(proposal)
	if len(proposal.Steps) == 0 {
		d.printLine("Nothing to do.")
		d.result.isComplete = true
		return exitError{exitFailure}
	}
	d.printObjects(proposal)
	if proposal.Direct && !dryRun {
		return nil
	}
	most := maxShownRequests
	if dryRun {
		most = 0
	}
	requests, err := run.Preview(ctx, d.client, proposal.Steps, most)
	if err != nil {
		return err
	}
	if err := d.printRoutes(ctx); err != nil {
		return err
	}
	d.printRequests(requests, len(proposal.Steps))
	if dryRun {
		d.result.Requests, d.result.isComplete = requests, true
		d.printLine("Nothing was sent.")
		return nil
	}
	d.printConsequences(proposal)
	return nil
}

func (d *doCommand) printSkipped(proposal *operations.Proposal) {
	if len(proposal.Skipped) == 0 {
		return
	}
	d.printLine("Skipped %d:", len(proposal.Skipped))
	for _, s := range proposal.Skipped {
		d.printLine("%s: %s", s.Label, s.Reason)
	}
}

// printObjects lists the objects of several steps.
func (d *doCommand) printObjects(proposal *operations.Proposal) {
	if len(proposal.Steps) < 2 {
		return
	}
	const most = 20
	var names []string
	for i := range proposal.Steps[:min(most, len(proposal.Steps))] {
		names = append(names, proposal.Steps[i].Label)
	}
	if more := len(proposal.Steps) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	d.printLine("%s: %s.", model.FormatCount(len(proposal.Steps), "change"), strings.Join(names, ", "))
}

// printRoutes previews the routes of a dispatch, planned locally.
func (d *doCommand) printRoutes(ctx context.Context) error {
	if !d.PlansRoutes {
		return nil
	}
	team, request, problems := operations.ParseDispatch(d.input, d.Form.ShownValues(d.values))
	if len(problems) > 0 {
		return nil // they were asked about before
	}
	planned, err := operations.PreviewDispatch(ctx, d.client, d.input, team, request, nil)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.printLine("Warning: the routes could not be planned here: %s", apiclient.ErrorText(err))
		return nil
	}
	d.printLine("")
	d.printLine("What it would do, planned here:")
	d.printLines(planned.Lines())
	d.result.Words = slices.Concat(d.result.Words, planned.Lines())
	return nil
}

func (d *doCommand) printRequests(requests []apiclient.Preview, steps int) {
	d.printLine("")
	switch len(requests) {
	case 0:
		d.printLine("This only reads; nothing is changed.")
	case 1:
		d.printLine("Request:")
	default:
		d.printLine("Requests:")
	}
	for _, r := range requests {
		lines := strings.Split(model.CleanMultiline(formatRequest(r)), "\n")
		if more := len(lines) - maxRequestLines; more > 0 && !d.app.flags.dryRun {
			lines = append(lines[:maxRequestLines], fmt.Sprintf("and %s; --dry-run shows all of them.", model.FormatCount(more, "more line")))
		}
		fmt.Fprintln(d.out, strings.Join(lines, "\n"))
	}
	if more := steps - len(requests); more > 0 && len(requests) > 0 {
		d.printLine("And %s.", model.FormatCount(more, "more similar request"))
	}
	d.printLine("")
}

// printConsequences prints the number of changes, the account and what cannot be undone.
func (d *doCommand) printConsequences(proposal *operations.Proposal) {
	where := profileName(d.account.profile)
	if d.account.profile.Production {
		where += ", PRODUCTION"
	}
	d.printLine("%s at %s.", model.FormatCount(len(proposal.Steps), "change"), where)
	if proposal.Irreversible != "" {
		d.printLine("Warning: %s", proposal.Irreversible)
	}
}
