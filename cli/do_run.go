package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/run"
)

// runProposal runs a proposal and prints its results. It returns a field if the service refused its value and the user can
// be asked again; the error is then how the command ends otherwise.
func (d *doCommand) runProposal(ctx context.Context) (*form.Field, error) {
	printed := map[int]string{}
	var beforeLookup *run.Progress // set when some outcomes are unknown
	ended, err := d.runSteps(ctx, &d.preparedOperation, d.printLine, func(p *run.Progress) {
		if beforeLookup != nil {
			d.printLookups(beforeLookup, p)
			return
		}
		d.printSteps(p, printed)
		if p.Ended && p.Unknown > 0 {
			d.printLine("%s. Checking…", describeUnknown(p.Unknown))
			beforeLookup = p
		}
	})
	if err != nil {
		return nil, err
	}
	code := runExitCode(ctx, &d.proposal, &ended)
	if f := d.findRefusedField(&ended); f != nil {
		return f, exitError{code}
	}
	d.printResults(&d.proposal, &ended)
	if followed := d.followJobs(ctx, &ended); code == exitOK {
		code = followed
	}
	if d.result.Next != "" {
		d.printLine("Next: %s", d.result.Next)
	}
	d.printUndo(&ended)
	if code == exitOK {
		return nil, nil
	}
	return nil, exitError{code}
}

// printSteps prints the state of each step when it changes.
func (d *doCommand) printSteps(p *run.Progress, printed map[int]string) {
	for i, s := range p.Steps {
		ended := s.Status != run.Waiting && s.Status != run.Sending
		line := s.Text
		if ended {
			line = formatStep(s, p.Total)
		} else if d.app.flags.noProgress {
			continue
		}
		if line != "" && printed[i] != line {
			printed[i] = line
			d.printLine("%s", model.Capitalize(line))
		}
	}
}

// formatStep returns the result of a step, with its label if there are several steps.
func formatStep(s *run.State, total int) string {
	words := s.Status.String()
	if s.Text != "" {
		words += ": " + s.Text
	}
	if s.RequestID != "" && s.Status != run.Done {
		words += " (request " + s.RequestID + ")"
	}
	if total > 1 && s.Label != "" {
		words = s.Label + ", " + words
	}
	return strings.TrimRight(words, ".") + "."
}

// printLookups prints what the lookup of steps with an unknown outcome found.
func (d *doCommand) printLookups(before, after *run.Progress) {
	for i, s := range after.Steps {
		if before.Steps[i].Status != run.Unknown {
			continue
		}
		words := map[run.Status]string{
			run.Done: "The change was made", run.Failed: "The change was not made and can be sent again",
		}[s.Status]
		words = cmp.Or(words, "Still unknown; check before you send it again")
		if s.Label != "" {
			words += ": " + s.Label
		}
		if s.Text != "" {
			words += ": " + s.Text
		}
		d.printLine("%s.", strings.TrimRight(words, "."))
	}
}

func describeUnknown(n int) string {
	if n == 1 {
		return "The outcome is unknown"
	}
	return fmt.Sprintf("The outcome of %d changes is unknown", n)
}

// findRefusedField returns the field whose value the service refused, if it can be asked again.
func (d *doCommand) findRefusedField(p *run.Progress) *form.Field {
	if p.Total != 1 || p.Failed != 1 || !p.Steps[0].Retryable || d.FieldOf == nil || d.flags.yes {
		return nil
	}
	name, known := d.FieldOf(p.Steps[0].Err)
	f, ok := d.Form.Field(name)
	if !known || !ok {
		return nil
	}
	d.printLine("Invalid %s: %s", f.Title, describeRefusal(p.Steps[0].Err))
	return f
}

// describeRefusal returns the reason that the service gave.
func describeRefusal(err error) string {
	failure, ok := errors.AsType[*apiclient.Error](err)
	if !ok {
		return err.Error()
	}
	if cause, ok := failure.Cause.Get(); ok && cause.String() != "" {
		return cause.String()
	}
	return failure.Description()
}

// printResults prints reports, totals and warnings of a run.
func (d *doCommand) printResults(proposal *operations.Proposal, p *run.Progress) {
	d.result.isComplete = true
	for _, s := range p.Steps {
		d.result.Steps = append(d.result.Steps, doStep{
			Object: s.Object, Label: s.Label, Status: s.Status.String(), Result: s.Text, Made: s.Result.Object, RequestID: s.RequestID,
		})
		d.printLines(s.Result.Report)
		d.result.Report = append(d.result.Report, s.Result.Report...)
		if s.Result.Next != "" {
			d.setNextCommand(operations.Command{Action: s.Result.Next, Objects: s.Result.NextObjects(), Values: s.Result.NextValues})
		}
	}
	if p.Total > 1 {
		d.printLine("%s.", model.Capitalize(p.Summary()))
	}
	if p.Halted != nil {
		d.printLine("Warning: stopped, because the rest would fail in the same way: %s", apiclient.ErrorText(p.Halted))
	}
	if p.Unrecorded != nil {
		d.printLine("%s", describeUnrecorded(p.Unrecorded))
	}
	if n := len(proposal.Skipped); n > 0 {
		d.printLine("%d skipped.", n)
	}
}

// followJobs follows the jobs of the results until they end and returns the exit code.
func (d *doCommand) followJobs(ctx context.Context, p *run.Progress) int {
	code := exitOK
	for i := range p.Results {
		if follow := p.Results[i].Follow; follow != nil {
			if worse := d.followJob(ctx, *follow); worse != exitOK {
				code = worse
			}
		}
	}
	return code
}

func (d *doCommand) followJob(ctx context.Context, follow operations.Follow) int {
	printed := ""
	job := d.watchJob(ctx, follow, func(p run.JobProgress) {
		if p.Text != "" && p.Text != printed && (p.Ended || !d.app.flags.noProgress) {
			printed = p.Text
			d.printLine("%s: %s.", model.Capitalize(follow.Title), strings.TrimRight(p.Text, "."))
		}
	})
	d.printLines(job.State.Report)
	d.result.Jobs = append(d.result.Jobs, doJob{
		ID: follow.ID, Title: follow.Title, State: job.Text, Ended: job.State.Ended, Failed: job.State.Failed,
		Report: job.State.Report, Left: job.State.Remaining,
	})
	if job.State.Next != "" {
		d.setNextCommand(operations.Command{Action: job.State.Next, Objects: job.State.Remaining})
	}
	switch {
	case job.State.Ended && !job.State.Failed:
		return exitOK
	case ctx.Err() != nil:
		d.printLine("The job continues at the service.")
		return exitCode(ctx.Err())
	}
	return exitFailure
}

// runExitCode returns the exit code of a run. An unknown outcome counts before a failure.
func runExitCode(ctx context.Context, proposal *operations.Proposal, p *run.Progress) int {
	var causes failures
	partly := len(proposal.Skipped) > 0
	for _, s := range p.Steps {
		partly = partly || s.Result.Partial
		if s.Status == run.Failed {
			causes = append(causes, s.Err)
		}
	}
	switch {
	case p.Unknown > 0:
		return exitUnknownOutcome
	case p.Halted != nil:
		return max(exitFailure, exitCode(p.Halted))
	case len(causes) > 0:
		return max(exitFailure, exitCode(causes))
	case p.Stopped > 0 && ctx.Err() != nil:
		return exitCode(ctx.Err())
	case p.Stopped > 0 || partly:
		return exitFailure
	}
	return exitOK
}
