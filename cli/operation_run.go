package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/journal"
	"waybill/operations/run"
)

// runSingle runs an operation with one step and returns its result. It sends nothing if an object cannot be changed, because
// the command names every object.
func (s *session) runSingle(ctx context.Context, call operationCall) (operations.Result, error) {
	prepared, err := s.prepare(ctx, call)
	if err != nil {
		return operations.Result{}, err
	}
	if skipped := prepared.proposal.Skipped; len(skipped) > 0 && !call.maySkip {
		return operations.Result{}, fmt.Errorf("nothing was sent: %s: %s", skipped[0].Label, strings.TrimSuffix(skipped[0].Reason, "."))
	}
	s.printSkipped(prepared.proposal.Skipped)
	progress, err := s.runPrepared(ctx, &prepared, call.yes)
	if err == nil {
		err = progressError(ctx, &progress)
	}
	if err != nil {
		return operations.Result{}, err
	}
	return progress.Steps[0].Result, nil
}

// printReport prints the report of a result, or its summary if there is none.
func (s *session) printReport(result operations.Result) {
	if len(result.Report) == 0 {
		fmt.Fprintln(s.stdout, model.Clean(model.Capitalize(result.Summary))+".")
	}
	s.printReportLines(result.Report)
}

func (a *app) printReportLines(lines []operations.Line) {
	for _, line := range lines {
		fmt.Fprintln(a.stdout, model.Clean(line.Text))
	}
}

// runPrepared prints the requests of a dry run, or asks for confirmation if necessary and runs the proposal.
func (s *session) runPrepared(ctx context.Context, p *preparedOperation, yes bool) (run.Progress, error) {
	if s.flags.dryRun {
		previews, err := run.Preview(ctx, s.client, p.proposal.Steps, 0)
		for _, preview := range previews {
			s.showPreview(preview)
		}
		return run.Progress{}, cmp.Or(err, apiclient.ErrDryRun)
	}
	if p.proposal.Irreversible != "" {
		if !yes {
			s.printPreviewLines(&p.proposal)
		}
		if err := s.confirmIrreversible(yes, p.proposal.Irreversible); err != nil {
			return run.Progress{}, err
		}
	}
	show, end := s.startProgress()
	defer end()
	progress, err := s.runSteps(ctx, p, s.printNote, func(progress *run.Progress) {
		if progress.Total > 1 {
			show(progress.Total-progress.Waiting-progress.Sending, progress.Total, progress.Summary())
		} else if step := progress.Steps[0]; step.Total > 0 {
			show(step.Done, step.Total, step.Text)
		}
	})
	if progress.Unrecorded != nil {
		s.printNote("%s", describeUnrecorded(progress.Unrecorded))
	}
	return progress, err
}

func describeUnrecorded(err error) string {
	return fmt.Sprintf("Warning: cannot write the journal: %s", err)
}

// printPreviewLines prints on a terminal what a proposal changes.
func (s *session) printPreviewLines(p *operations.Proposal) {
	if !s.stderr.terminal {
		return
	}
	for _, line := range p.Lines {
		s.printNote("%s", line.Text)
	}
	s.printSkipped(p.Skipped)
}

func (a *app) printSkipped(all []operations.Skipped) {
	for _, skipped := range all {
		a.printNote("Skipped %s: %s", skipped.Label, skipped.Reason)
	}
}

// lookupTimeout limits how long the lookup of unknown outcomes may take.
const lookupTimeout = 30 * time.Second

// runSteps records a proposal in the journal, runs it and looks up steps with an unknown outcome. After Ctrl-C it sends
// nothing new but waits for pending requests, because the outcome of an abandoned request would be unknown. It calls show
// whenever the progress changes; after the end with unknown outcomes only the lookup follows.
func (s *session) runSteps(
	ctx context.Context, p *preparedOperation, note func(format string, args ...any), show func(*run.Progress),
) (run.Progress, error) {
	folders, err := s.env.Locate()
	if err != nil {
		return run.Progress{}, err
	}
	activity, err := openJournal(folders.State, s.now)
	if err != nil {
		return run.Progress{}, err
	}
	defer func() { _ = activity.Close() }()
	running := ctx
	if !p.cancellable {
		running = context.WithoutCancel(ctx)
		if deadline, ok := ctx.Deadline(); ok {
			limited, cancel := context.WithDeadline(running, deadline)
			defer cancel()
			running = limited
		}
	}
	r := run.Start(running, s.client, p.proposal.Steps, run.Options{Journal: activity, Entry: journal.Entry{
		Account: profileName(s.account.profile), Person: userName(s.env.Getenv), Action: p.ID, What: cmp.Or(p.proposal.Summary, p.Title),
	}})
	ended := waitForRun(ctx, r, note, show)
	if ended.Unknown > 0 {
		looking, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupTimeout)
		defer cancel()
		ended = r.LookUpUnknown(looking)
		show(&ended)
	}
	return ended, nil
}

// openJournal opens the journal, in which every change must be recorded.
func openJournal(folder string, now func() time.Time) (*journal.Activity, error) {
	activity, err := journal.Open(folder, journal.Options{Now: now})
	if err != nil {
		return nil, fmt.Errorf("%w; changes must be recorded in the journal, so fix this first", err)
	}
	return activity, nil
}

func waitForRun(ctx context.Context, r *run.Run, note func(string, ...any), show func(*run.Progress)) run.Progress {
	waiting := ctx
	for seen := 0; ; {
		progress, more := r.Wait(waiting, seen)
		seen = progress.Version
		show(&progress)
		if !more {
			return progress
		}
		if waiting.Err() != nil {
			r.Stop()
			note("Waiting for requests already sent; no more will be sent.")
			waiting = context.WithoutCancel(ctx)
		}
	}
}

// watchJob follows a job of the service until it ends or the context ends. It calls show whenever the progress changes.
func (s *session) watchJob(ctx context.Context, follow operations.Follow, show func(run.JobProgress)) (job run.JobProgress) {
	watch := run.Watch(ctx, s.client, follow, run.WatchOptions{First: s.jobPollDelay})
	for more := true; more; {
		job, more = watch.Wait(context.WithoutCancel(ctx), job.Version)
		show(job)
	}
	return job
}

// progressError returns what went wrong in a run, or nil.
func progressError(ctx context.Context, p *run.Progress) error {
	var failed failures
	for _, step := range p.Steps {
		if err := stepError(ctx, step); err != nil {
			if p.Total > 1 {
				err = fmt.Errorf("%s: %w", step.Label, err)
			}
			failed = append(failed, err)
		}
	}
	if len(failed) == 1 {
		return failed[0]
	}
	return failed.err()
}

// stepError returns why a step is not done.
func stepError(ctx context.Context, step *run.State) error {
	switch {
	case step.Status == run.Done && step.Result.AlreadyGone:
		return missingObjectError("not found: it has already been deleted")
	case step.Status == run.Done:
		return nil
	case step.Err != nil:
		return step.Err
	case step.Status == run.Failed: // found by a lookup
		return fmt.Errorf("the request got no answer: %s; run the command again", strings.TrimSuffix(step.Text, "."))
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return errors.New(step.Text)
}
