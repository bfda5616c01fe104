package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"waybill/apiclient"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/journal"
	"waybill/operations/run"
)

// send carries a plan out and tells what became of it. A field comes back when the service refuses what was answered
// there and someone can be asked again; beside it is how the command ends otherwise.
func (d *doing) send(ctx context.Context, plan *operations.Proposal) (*form.Field, error) {
	folders, err := d.folders()
	if err != nil {
		return nil, err
	}
	activity, err := journal.Open(folders.State, journal.Options{Now: d.now})
	if err != nil {
		return nil, fmt.Errorf("%w; what you change must be recorded, so mend this first", err)
	}
	defer func() { _ = activity.Close() }()
	r := run.Start(context.WithoutCancel(ctx), d.client, plan.Steps, run.Options{
		Journal: activity,
		Entry: journal.Entry{
			Account: d.account(), Person: person(d.env.Getenv), Action: d.verb.ID, What: cmp.Or(plan.Summary, d.verb.Title),
		},
	})
	ended := d.watch(ctx, r)
	if ended.Unknown > 0 {
		ended = d.lookUp(ctx, r)
	}
	if f := d.refused(&ended); f != nil {
		return f, exitError{codeOf(ctx, plan, &ended)}
	}
	code := codeOf(ctx, plan, &ended)
	d.tellEnd(plan, &ended)
	if followed := d.follow(ctx, &ended); code == exitOK {
		code = followed
	}
	if d.result.Next != "" {
		d.say("Next: %s", d.result.Next)
	}
	d.tellUndo(&ended)
	if code == exitOK {
		return nil, nil
	}
	return nil, exitError{code}
}

// watch tells how each step ends, as it does. Ctrl-C sends nothing new and waits for what is under way, because a
// change that is given up in the middle may have been made or not.
func (d *doing) watch(ctx context.Context, r *run.Run) run.Progress {
	told := map[int]string{}
	waiting := ctx
	for seen := 0; ; {
		progress, more := r.Wait(waiting, seen)
		seen = progress.Version
		d.tellSteps(&progress, told)
		if !more {
			return progress
		}
		if waiting.Err() != nil {
			r.Stop()
			d.say("Stopping: what was sent stays, the rest is not sent.")
			waiting = context.WithoutCancel(ctx)
		}
	}
}

func (d *doing) tellSteps(p *run.Progress, told map[int]string) {
	for i, s := range p.Steps {
		ended := s.Status != run.Waiting && s.Status != run.Sending
		line := s.Text
		if ended {
			line = stepLine(s, p.Total)
		} else if d.app.flags.noProgress {
			continue
		}
		if line != "" && told[i] != line {
			told[i] = line
			d.say("%s", capital(line))
		}
	}
}

// stepLine is how a step ended; one of many says which.
func stepLine(s *run.State, total int) string {
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

func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

const lookUpLimit = 30 * time.Second

// lookUp finds out what became of steps without an answer. It also does so after Ctrl-C: nobody should have to guess.
func (d *doing) lookUp(ctx context.Context, r *run.Run) run.Progress {
	before := r.Snapshot()
	d.say("It is not known whether %s. Looking.", thatHappened(before.Unknown))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpLimit)
	defer cancel()
	after := r.LookUpUnknown(ctx)
	for i, s := range after.Steps {
		if before.Steps[i].Status != run.Unknown {
			continue
		}
		words := map[run.Status]string{
			run.Done: "It did happen", run.Failed: "It did not happen, and can be sent again",
		}[s.Status]
		if words == "" {
			words = "Still not known; look for yourself before sending it again"
		}
		if s.Label != "" {
			words += ": " + s.Label
		}
		if s.Text != "" {
			words += ": " + s.Text
		}
		d.say("%s.", strings.TrimRight(words, "."))
	}
	return after
}

func thatHappened(n int) string {
	if n == 1 {
		return "it happened"
	}
	return fmt.Sprintf("%d of them happened", n)
}

// refused is the field that the service refused, when there is one and it can be asked again.
func (d *doing) refused(p *run.Progress) *form.Field {
	if p.Total != 1 || p.Failed != 1 || !p.Steps[0].Retryable || d.verb.FieldOf == nil || d.flags.yes {
		return nil
	}
	name, ok := d.verb.FieldOf(p.Steps[0].Err)
	if !ok {
		return nil
	}
	f, ok := d.verb.Form.Field(name)
	if !ok {
		return nil
	}
	d.say("Not right: %s: %s", f.Title, refusalText(p.Steps[0].Err))
	return f
}

// refusalText is the service's own word on what it refused.
func refusalText(err error) string {
	failure, ok := errors.AsType[*apiclient.Error](err)
	if !ok {
		return err.Error()
	}
	if cause, ok := failure.Cause.Get(); ok && cause.String() != "" {
		return cause.String()
	}
	return failure.What()
}

// tellEnd tells what the steps made, beyond their own lines.
func (d *doing) tellEnd(plan *operations.Proposal, p *run.Progress) {
	d.result.told = true
	for _, s := range p.Steps {
		d.result.Steps = append(d.result.Steps, doStep{
			Object: s.Object, Label: s.Label, Status: s.Status.String(), Result: s.Text, Made: s.Result.Object, RequestID: s.RequestID,
		})
		d.sayLines(s.Result.Report)
		d.result.Report = append(d.result.Report, doLines(s.Result.Report)...)
		if s.Result.Next != "" {
			d.offer(operations.Command{Action: s.Result.Next, Objects: s.Result.NextObjects(), Values: s.Result.NextValues})
		}
	}
	if p.Total > 1 {
		d.say("%s.", capital(p.Summary()))
	}
	if p.Halted != nil {
		d.say("Warning: it stopped by itself, because the rest would have failed in the same way: %s", brief(p.Halted))
	}
	if p.Unrecorded != nil {
		d.say("Warning: what was done could not be recorded: %s", p.Unrecorded)
	}
	if n := len(plan.Skipped); n > 0 {
		d.say("%d left out.", n)
	}
}

// follow tells how the jobs go that the service carries on, until they have ended.
func (d *doing) follow(ctx context.Context, p *run.Progress) int {
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

func (d *doing) followJob(ctx context.Context, follow operations.Follow) int {
	watching := run.Watch(ctx, d.client, follow, run.WatchOptions{First: d.firstLook})
	var job run.JobProgress
	told := ""
	for more := true; more; {
		job, more = watching.Wait(context.WithoutCancel(ctx), job.Version)
		if job.Text != "" && job.Text != told && (!more || !d.app.flags.noProgress) {
			told = job.Text
			d.say("%s: %s.", capital(follow.Title), strings.TrimRight(job.Text, "."))
		}
	}
	d.sayLines(job.State.Report)
	d.result.Jobs = append(d.result.Jobs, doJob{
		ID: follow.ID, Title: follow.Title, State: job.Text, Ended: job.State.Ended, Failed: job.State.Failed,
		Report: doLines(job.State.Report), Left: job.State.Remaining,
	})
	if job.State.Next != "" {
		d.offer(operations.Command{Action: job.State.Next, Objects: job.State.Remaining})
	}
	switch {
	case job.State.Ended && !job.State.Failed:
		return exitOK
	case ctx.Err() != nil:
		d.say("The service goes on with it.")
		return exitCode(ctx.Err())
	}
	return exitFailure
}

// codeOf is the exit code of a run. What may have happened counts before what did not.
func codeOf(ctx context.Context, plan *operations.Proposal, p *run.Progress) int {
	var causes failures
	partly := len(plan.Skipped) > 0
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
