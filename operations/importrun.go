package operations

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/taskimport"
)

// importTimeout is how long an import may take: the service makes batches in its own time.
const importTimeout = 6 * time.Hour

// importRun is one import of one file.
type importRun struct {
	input      Input
	path       string
	file       *taskimport.File // nil when it is read on the way
	choices    ImportChoices
	recipients *importRecipients // nil as the file is
}

func (r *importRun) name() string { return model.Clean(filepath.Base(r.path)) }

func (r *importRun) newProposal(rows int) Proposal {
	plan := Proposal{Summary: "import " + r.name()}
	if rows > 0 {
		plan.Summary = fmt.Sprintf("import %s from %s", routeCountNoun(rows, "task"), r.name())
	}
	plan.Steps = []Step{{
		Label: r.name(), Locks: []string{"import " + r.path, r.input.organizationRoute().lock()}, Timeout: importTimeout, Do: r.do,
	}}
	return plan
}

// proposeUnread is the import of a file that nobody has read yet.
func proposeUnread(s Input, path string, choices ImportChoices) Proposal {
	run := &importRun{input: s, path: path, choices: choices}
	plan := run.newProposal(0)
	plan.Lines = append([]Line{{Text: "Every row of " + run.name() + " is checked; the good ones are sent in batches of at most 500."}}, run.promiseLines()...)
	return plan
}

// proposeLoaded says what a file holds and what will become of it.
func (r *importRun) proposeLoaded() (Proposal, error) {
	good, bad := r.file.Valid(), r.file.Refused()
	if len(good) == 0 {
		return Proposal{}, r.noValidRows(r.file)
	}
	plan := r.newProposal(len(good))
	batches := len(taskimport.Split(good, model.MaxBatchTasks))
	plan.Lines = append(plan.Lines, Line{Text: fmt.Sprintf("%s of %s %s, in %s.",
		routeCountNoun(len(good), "row"), r.name(), plural(len(good), "becomes a task", "become tasks"), batchCount(batches))})
	plan.Lines = append(plan.Lines, r.recipients.lines(r.choices.KeepNames)...)
	if len(bad) > 0 {
		plan.Lines = append(plan.Lines, Line{
			Text: fmt.Sprintf("%s cannot be sent and %s written out with the causes, to be corrected and imported.",
				routeCountNoun(len(bad), "row"), plural(len(bad), "is", "are")), Warning: true,
		})
	}
	for _, row := range bad {
		plan.Skipped = append(plan.Skipped, Skipped{fmt.Sprintf("line %d", row.Line), row.Cause})
	}
	plan.Lines = append(plan.Lines, r.promiseLines()...)
	return plan, nil
}

func (r *importRun) noValidRows(file *taskimport.File) error {
	return fmt.Errorf("none of the %s of %s can be sent: %s", routeCountNoun(len(file.Rows), "row"), r.name(), file.Problems()[0])
}

func batchCount(n int) string {
	if n == 1 {
		return "1 batch"
	}
	return fmt.Sprintf("%d batches", n)
}

func (r *importRun) promiseLines() []Line {
	lines := []Line{{Text: "A journal beside the file keeps rows from being sent twice; after an interruption import the same file again."}}
	if r.choices.Again {
		lines = append(lines, Line{Text: "Rows that were sent before are sent again, and their tasks are made twice.", Warning: true})
	}
	if r.choices.RetryUnknown {
		lines = append(lines, Line{Text: "Rows of which it is not known whether they arrived are sent again.", Warning: true})
	}
	return lines
}

func (r *importRun) do(ctx context.Context, c *apiclient.Client) (Result, error) {
	file := r.file
	if file == nil {
		var err error
		if file, err = LoadImport(r.path, ImportOptions(r.input)); err != nil {
			return Result{}, err
		}
	}
	if len(file.Valid()) == 0 {
		return Result{}, r.noValidRows(file)
	}
	people := r.recipients
	if people == nil {
		people = newImportRecipients(r.input, &recipientCache{}, file)
	}
	if r.choices.KeepNames {
		file = people.keepNames(file)
	}
	if dry, err := previewBatches(ctx, c, file); dry {
		return Result{}, err
	}
	if r.choices.KeepNames {
		if err := people.readRecipients(ctx, c, people.phones); err != nil {
			return Result{}, err
		}
		file = people.keepNames(file)
	}
	return r.send(ctx, c, file)
}

// send imports a file and says what became of it.
func (r *importRun) send(ctx context.Context, c *apiclient.Client, file *taskimport.File) (Result, error) {
	journal, err := taskimport.OpenJournal(taskimport.JournalPath(r.path), func() model.Millis { return model.MillisOf(time.Now()) })
	if err != nil {
		return Result{}, err
	}
	remarks := &warningClient{Client: c}
	run := &taskimport.Run{
		Client: remarks, File: file, Journal: journal, Account: c.BaseURL() + " " + string(r.input.Organization.ID),
		Again: r.choices.Again, RetryUnknown: r.choices.RetryUnknown, Progress: func(p taskimport.Progress) { reportProgress(ctx, importProgress(p)) },
	}
	report, err := run.Do(ctx)
	if err != nil {
		// Nothing is told as done: the journal knows it, and the next run of the same file goes on from there.
		return Result{}, errors.Join(err, journal.Close())
	}
	done, err := r.result(run, file, report, remarks.lines())
	return done, errors.Join(err, journal.Close())
}

func importProgress(p taskimport.Progress) StepProgress {
	words := fmt.Sprintf("%d of %d created", p.Created, p.Rows)
	if p.Failed > 0 {
		words += fmt.Sprintf(", %d failed", p.Failed)
	}
	if p.Batches > 1 {
		words += fmt.Sprintf(", batch %d of %d", p.Batch, p.Batches)
	}
	return StepProgress{Done: p.Created + p.Failed, Total: p.Rows, Text: words}
}

// result writes the failed rows out and says what became of all.
func (r *importRun) result(run *taskimport.Run, file *taskimport.File, report taskimport.Report, remarks []Line) (Result, error) {
	failed := append(report.Failed, file.Refused()...)
	done := Result{Summary: routeCountNoun(report.Created, "task") + " created"}
	if len(remarks) > 0 {
		done.Summary += fmt.Sprintf(", %d with warnings", len(remarks)-1)
	}
	say := func(warning bool, format string, args ...any) {
		done.Report = append(done.Report, Line{Text: fmt.Sprintf(format, args...), Warning: warning})
	}
	if report.SentBefore > 0 {
		say(false, "%s %s sent by an earlier import of this file and not again.", routeCountNoun(report.SentBefore, "row"), plural(report.SentBefore, "was", "were"))
	}
	var saved string
	if len(failed) > 0 {
		var err error
		if saved, err = file.SaveFailed(taskimport.FailedPath(r.path, file.Format), failed); err != nil {
			say(true, "The failed rows could not be written out: %s.", model.Clean(err.Error()))
		}
		done.Summary += fmt.Sprintf(", %s failed", routeCountNoun(len(failed), "row"))
		done.Partial = true
	}
	if saved != "" {
		done.Summary += ": see " + model.Clean(filepath.Base(saved))
		say(true, "%s failed. They are in %s with their causes: correct them there and import that file.", routeCountNoun(len(failed), "row"), r.shownPath(saved))
	}
	for _, failure := range failed {
		say(true, "line %d: %s", failure.Line, model.Clean(failure.Cause))
	}
	for _, cause := range report.Unmatched {
		say(true, "A row that the service does not name failed: %s", model.Clean(cause))
	}
	done.Report = append(done.Report, remarks...)
	if len(failed) > 0 && saved == "" {
		return done, nil // not told where they are, so the next import tells of them again
	}
	return done, run.Reported(report, saved)
}

// previewBatches shows a dry run what would be sent, and reports whether this is one. The journal must not hear of it, and
// the client does not tell; so a client that cannot reach anything is asked first.
func previewBatches(ctx context.Context, c *apiclient.Client, file *taskimport.File) (dry bool, err error) {
	nowhere, err := apiclient.New(apiclient.Options{BaseURL: c.BaseURL(), Key: apiclient.StaticKey("none"), RoundTripper: noNetwork{}})
	if err != nil {
		return false, nil //nolint:nilerr // the same address works for the real client, so this cannot be
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for i, rows := range taskimport.Split(file.Valid(), model.MaxBatchTasks) {
		tasks := make([]model.TaskInput, len(rows))
		for i, row := range rows {
			tasks[i] = row.Task
		}
		if i == 0 {
			_, err = nowhere.CreateBatch(ended, tasks)
		} else {
			_, err = c.CreateBatch(ctx, tasks)
		}
		if !errors.Is(err, apiclient.ErrDryRun) {
			return i > 0, err
		}
	}
	return true, err
}

type noNetwork struct{}

func (noNetwork) RoundTrip(*http.Request) (*http.Response, error) { return nil, net.ErrClosed }

// shownPath names a file: by itself when it lies in the folder that files are looked for in.
func (r *importRun) shownPath(path string) string {
	if within, err := filepath.Rel(r.input.WorkDir, path); err == nil && filepath.IsLocal(within) {
		path = within
	}
	return model.Clean(path)
}
