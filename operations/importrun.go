package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/taskimport"
)

// importTimeout is how long an import may take: the service works through batches at its own speed.
const importTimeout = 6 * time.Hour

// importRun is one import of one file.
type importRun struct {
	input      Input
	path       string
	file       *taskimport.File // nil when it is read on the way
	choices    ImportChoices
	recipients *importRecipients // nil with the file
}

func (r *importRun) name() string { return model.Clean(filepath.Base(r.path)) }

func (r *importRun) newProposal(rows int) Proposal {
	plan := Proposal{Summary: "import " + r.name()}
	if rows > 0 {
		plan.Summary = fmt.Sprintf("import %s from %s", model.FormatCount(rows, "task"), r.name())
	}
	plan.Steps = []Step{{
		Label: r.name(), Locks: []string{"import " + r.path, r.input.organizationRoute().lock()}, Timeout: importTimeout, Do: r.do,
	}}
	return plan
}

// proposeUnread proposes the import of a file that was not read yet.
func proposeUnread(s Input, path string, choices ImportChoices) Proposal {
	run := &importRun{input: s, path: path, choices: choices}
	plan := run.newProposal(0)
	plan.Lines = append([]Line{{Text: "Every row of " + run.name() + " is checked. Valid rows are sent in batches of at most 500."}},
		run.promiseLines()...)
	return plan
}

// proposeLoaded proposes the import of a file that was read.
func (r *importRun) proposeLoaded() (Proposal, error) {
	good, bad := r.file.Valid(), r.file.Refused()
	if len(good) == 0 {
		return Proposal{}, r.noValidRows(r.file)
	}
	plan := r.newProposal(len(good))
	batches := (len(good) + model.MaxBatchTasks - 1) / model.MaxBatchTasks
	plan.Lines = append(plan.Lines, Line{Text: fmt.Sprintf("%s of %s %s, in %s.",
		model.FormatCount(len(good), "row"), r.name(), plural(len(good), "becomes a task", "become tasks"), model.FormatCount(batches, "batch"))})
	plan.Lines = append(plan.Lines, r.recipients.lines(r.choices.KeepNames)...)
	if len(bad) > 0 {
		plan.Lines = append(plan.Lines, Line{
			Text: fmt.Sprintf("%s cannot be sent. %s to a file with the reasons; correct that file and import it.",
				model.FormatCount(len(bad), "row"), plural(len(bad), "It goes", "They go")), Warning: true,
		})
	}
	for _, row := range bad {
		plan.Skipped = append(plan.Skipped, Skipped{fmt.Sprintf("line %d", row.Line), row.Cause})
	}
	plan.Lines = append(plan.Lines, r.promiseLines()...)
	return plan, nil
}

func (r *importRun) noValidRows(file *taskimport.File) error {
	return fmt.Errorf("none of the %s of %s can be sent: %s", model.FormatCount(len(file.Rows), "row"), r.name(), file.Problems()[0])
}

func (r *importRun) promiseLines() []Line {
	lines := []Line{{Text: "A journal beside the file prevents sending rows twice. After an interruption, import the same file again."}}
	if r.choices.Again {
		lines = append(lines, Line{Text: "Rows that were sent before are sent again. Their tasks are created twice.", Warning: true})
	}
	if r.choices.RetryUnknown {
		lines = append(lines, Line{Text: "Rows with an unknown outcome are sent again.", Warning: true})
	}
	return lines
}

func (r *importRun) do(ctx context.Context, c *apiclient.Client) (Result, error) {
	file := r.file
	if file == nil {
		var err error
		if file, err = LoadImport(r.input, r.path); err != nil {
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

// send imports a file.
func (r *importRun) send(ctx context.Context, c *apiclient.Client, file *taskimport.File) (Result, error) {
	path := cmp.Or(r.choices.Journal, taskimport.JournalPath(r.path))
	journal, err := taskimport.OpenJournal(path, func() model.Millis { return model.MillisOf(time.Now()) })
	if err != nil {
		return Result{}, err
	}
	client := &warningClient{Client: c}
	run := &taskimport.Run{
		Client: client, File: file, Journal: journal, Account: c.BaseURL() + " " + string(r.input.Organization.ID),
		Again: r.choices.Again, RetryUnknown: r.choices.RetryUnknown, Progress: func(p taskimport.Progress) {
			reportProgress(ctx,
				importProgress(p))
		},
	}
	report, stopped := run.Do(ctx)
	if stopped != nil && !r.choices.ReportStopped {
		// The journal knows what was done, and the next import of the same file continues from there.
		return Result{}, errors.Join(stopped, journal.Close())
	}
	done, err := r.result(run, file, report, client.lines())
	return done, errors.Join(stopped, err, journal.Close())
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

// ImportResponse is the Response of an import.
type ImportResponse struct {
	taskimport.Report
	// Refused is how many rows could not be sent, FailedFile where they and the failed ones were written.
	Refused    int    `json:"bad,omitzero"`
	FailedFile string `json:"failedFile,omitzero"`
}

// result writes the failed rows to a file and reports on all rows.
func (r *importRun) result(run *taskimport.Run, file *taskimport.File, report taskimport.Report, warnings []Line) (Result, error) {
	refused := file.Refused()
	failed := slices.Concat(report.Failed, refused)
	done := Result{Summary: model.FormatCount(report.Created, "task") + " created"}
	if len(warnings) > 0 {
		done.Summary += fmt.Sprintf(", %d with warnings", len(warnings)-1)
	}
	say := func(warning bool, format string, args ...any) {
		done.Report = append(done.Report, Line{Text: fmt.Sprintf(format, args...), Warning: warning})
	}
	if report.SentBefore > 0 {
		say(false, "%s %s sent by an earlier import of this file and skipped this time.", model.FormatCount(report.SentBefore, "row"),
			plural(report.SentBefore, "was", "were"))
	}
	var saved string
	if len(failed) > 0 {
		var err error
		if saved, err = file.SaveFailed(cmp.Or(r.choices.Failed, taskimport.FailedPath(r.path, file.Format)), failed); err != nil {
			say(true, "Cannot write the failed rows: %s.", model.Clean(err.Error()))
		}
		done.Summary += fmt.Sprintf(", %s failed", model.FormatCount(len(failed), "row"))
		done.Partial = true
	}
	if saved != "" {
		done.Summary += ": see " + model.Clean(filepath.Base(saved))
		say(true, "%s failed. Correct them in %s, which has the causes, and import that file.", model.FormatCount(len(failed), "row"), r.shownPath(saved))
	}
	for _, failure := range failed {
		say(true, "line %d: %s", failure.Line, model.Clean(failure.Cause))
	}
	for _, cause := range report.Unmatched {
		say(true, "A row that the service does not identify failed: %s", model.Clean(cause))
	}
	done.Report = append(done.Report, warnings...)
	done.Response = ImportResponse{Report: report, Refused: len(refused), FailedFile: saved}
	if len(failed) > 0 && saved == "" {
		return done, nil // not reported, so that the next import reports them again
	}
	return done, run.Reported(report, saved)
}

// previewBatches previews the batches in a dry run, and reports whether this is one. A dry run must not write the journal,
// and only sending shows whether it is one; so the first batch goes to a client without a network.
func previewBatches(ctx context.Context, c *apiclient.Client, file *taskimport.File) (dry bool, err error) {
	offline, err := apiclient.New(apiclient.Options{BaseURL: c.BaseURL(), Key: apiclient.StaticKey("none"), RoundTripper: noNetwork{}})
	if err != nil {
		return false, nil //nolint:nilerr // cannot happen: the same address works for the real client
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for rows := range slices.Chunk(file.Valid(), model.MaxBatchTasks) {
		if dry {
			_, err = c.CreateBatch(ctx, taskimport.Tasks(rows))
		} else {
			_, err = offline.CreateBatch(ended, taskimport.Tasks(rows))
		}
		if !errors.Is(err, apiclient.ErrDryRun) {
			return dry, err
		}
		dry = true
	}
	return true, err
}

type noNetwork struct{}

func (noNetwork) RoundTrip(*http.Request) (*http.Response, error) { return nil, net.ErrClosed }

// shownPath is a path, relative to the working folder when it is inside.
func (r *importRun) shownPath(path string) string {
	if within, err := filepath.Rel(r.input.WorkDir, path); err == nil && filepath.IsLocal(within) {
		path = within
	}
	return model.Clean(path)
}
