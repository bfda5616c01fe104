package taskimport

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/apiclient"
	"waybill/model"
)

// Client is what an import asks of a service.
type Client interface {
	CreateBatch(ctx context.Context, tasks []model.TaskInput) (model.BatchAccepted, error)
	BatchJob(ctx context.Context, id model.ID) (model.BatchJob, error)
}

// Progress is how far an import is, in rows.
type Progress struct {
	Rows, Sent, Created, Failed int
	// Batch is the batch under way of Batches; JobID is empty until the service has taken it.
	Batch, Batches int
	JobID          model.ID
}

// Run is one import of a file into one account.
type Run struct {
	Client  Client
	File    *File
	Journal *Journal
	// Account stands for the service and the organization. The same file can go to several accounts, once each.
	Account string
	// Again sends rows that were sent before.
	Again bool
	// RetryUnknown sends batches again of which it is not known whether the service took them.
	RetryUnknown bool
	// Progress is told of every step; nil when no one looks.
	Progress func(Progress)
	// FirstPoll is the wait before a job is looked at, which then grows; 0 means half a second.
	FirstPoll time.Duration
	// BatchSize is how many rows go into a batch; 0 means as many as the interface allows.
	BatchSize int
}

// Report is what became of the rows.
type Report struct {
	// Created and Failed are of this run, and of earlier ones that ended before they could report.
	Created int
	Failed  []Failure
	// Unmatched are failures of which the service did not say which row they were.
	Unmatched []string
	// Unknown are rows of which it is not known whether the service took them, UnknownCause why.
	Unknown      []RowRef
	UnknownCause string
	// SentBefore is how many rows earlier runs sent and reported.
	SentBefore int
	// Unsent is how many rows did not go out because the run ended early.
	Unsent int

	batches []int
}

// ErrUnknownBatch says that rows may or may not have been taken; only a person can look.
var ErrUnknownBatch = errors.New("it is not known whether the service took some rows")

// Do sends what was not sent yet and follows every job to its end. The report is right also when there is an error.
func (r *Run) Do(ctx context.Context) (Report, error) {
	var report Report
	if err := r.Journal.write(record{Type: recordImport, Account: r.Account, ContentHash: r.File.ContentHash}); err != nil {
		return report, err
	}
	if r.Again {
		if err := r.Journal.write(record{Type: recordRestart}); err != nil {
			return report, err
		}
	}
	if err := r.releaseUnknown(); err != nil {
		return report, err
	}
	todo := r.unsent()
	progress := Progress{Rows: len(todo)}
	for _, b := range r.Journal.ownBatches() {
		switch {
		case b.reported:
			report.SentBefore += len(b.rows)
		case b.jobID != "" && !b.done:
			progress.Rows += len(b.rows)
		}
	}
	err := r.sendAll(ctx, todo, &progress)
	r.fill(&report, err)
	if err == nil && len(report.Unknown) > 0 {
		err = fmt.Errorf("%w: %w", apiclient.ErrUnknownOutcome, ErrUnknownBatch)
	}
	return report, err
}

// releaseUnknown gives up waiting for batches of unknown outcome, if asked, so that their rows count as unsent.
func (r *Run) releaseUnknown() error {
	for _, b := range r.Journal.ownBatches() {
		if b.unknown && r.RetryUnknown {
			if err := r.Journal.write(record{Type: recordReturned, Batch: b.number, Cause: "to be sent again, as asked"}); err != nil {
				return err
			}
		}
	}
	return nil
}

// unsent are the rows that no batch of this account has. Rows that say the same count each.
func (r *Run) unsent() []Row {
	taken := map[string]int{}
	for _, b := range r.Journal.ownBatches() {
		for _, row := range b.rows {
			taken[row.Hash]++
		}
	}
	var rows []Row
	for _, row := range r.File.Valid() {
		if taken[row.Hash] > 0 {
			taken[row.Hash]--
			continue
		}
		rows = append(rows, row)
	}
	return rows
}

// sendAll follows what is under way, then sends batch after batch. One at a time: batches that run together contend for
// the list of unassigned tasks.
func (r *Run) sendAll(ctx context.Context, todo []Row, progress *Progress) error {
	size := r.BatchSize
	if size == 0 {
		size = model.MaxBatchTasks
	}
	batches := Split(todo, size)
	progress.Batches = len(batches)
	for _, b := range r.Journal.ownBatches() {
		if !b.done && b.jobID != "" {
			progress.Sent += len(b.rows)
			if err := r.follow(ctx, b, progress); err != nil {
				return err
			}
		}
	}
	for i, rows := range batches {
		progress.Batch = i + 1
		b, err := r.send(ctx, rows)
		if err != nil {
			return err
		}
		progress.Sent += len(rows)
		if b.done {
			progress.Failed += len(b.failed)
			r.reportProgress(*progress)
			continue
		}
		if err := r.follow(ctx, b, progress); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) reportProgress(p Progress) {
	if r.Progress != nil {
		r.Progress(p)
	}
}

// send hands one batch to the service. The journal knows of it before the service does.
func (r *Run) send(ctx context.Context, rows []Row) (*batchState, error) {
	refs := make([]RowRef, len(rows))
	tasks := make([]model.TaskInput, len(rows))
	for i, row := range rows {
		refs[i], tasks[i] = RowRef{row.Line, row.Hash}, row.Task
	}
	number := r.Journal.nextNumber()
	if err := r.Journal.write(record{Type: recordSending, Batch: number, Rows: refs}); err != nil {
		return nil, err
	}
	accepted, err := r.Client.CreateBatch(ctx, tasks)
	next := record{Type: recordAccepted, Batch: number, JobID: accepted.JobID}
	switch {
	case err == nil:
	case errors.Is(err, apiclient.ErrUnknownOutcome):
		next = record{Type: recordUnknown, Batch: number, Cause: err.Error()}
	case refusesContent(err):
		next = record{Type: recordDone, Batch: number, Failed: allFailed(refs, err.Error())}
	default:
		next = record{Type: recordReturned, Batch: number, Cause: err.Error()}
	}
	if failure := r.Journal.write(next); failure != nil {
		return nil, errors.Join(failure, err)
	}
	if err != nil && next.Type != recordDone {
		return nil, err
	}
	return r.Journal.batch(number), nil
}

// refusesContent reports whether the service refused the rows themselves; anything else may pass and be tried again.
func refusesContent(err error) bool {
	return errors.Is(err, apiclient.ErrInvalid) || errors.Is(err, apiclient.ErrMissing) || errors.Is(err, apiclient.ErrDuplicate)
}

func allFailed(rows []RowRef, cause string) []Failure {
	failed := make([]Failure, len(rows))
	for i, row := range rows {
		failed[i] = Failure{row, cause}
	}
	return failed
}

const maxPoll = 5 * time.Second

// follow waits until a job has ended.
func (r *Run) follow(ctx context.Context, b *batchState, progress *Progress) error {
	wait := r.FirstPoll
	if wait == 0 {
		wait = 500 * time.Millisecond
	}
	progress.JobID = b.jobID
	created, failed := progress.Created, progress.Failed
	for {
		job, err := r.Client.BatchJob(ctx, b.jobID)
		if err != nil {
			return fmt.Errorf("the service took the rows as job %s, but does not tell how far it is; run the same command again to go on: %w", b.jobID, err)
		}
		progress.Created, progress.Failed = created+int(job.TasksCreated), failed+int(job.TasksErrored)
		r.reportProgress(*progress)
		if JobEnded(job) {
			return r.Journal.write(r.outcome(b, job))
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
		wait = min(wait*3/2, maxPoll)
	}
}

// JobEnded reports whether a batch job has ended. States that this version does not know are judged by their numbers.
func JobEnded(job model.BatchJob) bool {
	switch job.Status {
	case model.BatchSucceeded, model.BatchCompletedWithErrors, model.BatchFailed:
		return true
	case model.BatchPending:
		return false
	}
	return job.TasksReceived > 0 && job.TasksCreated+job.TasksErrored >= job.TasksReceived
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fill puts the report together from what the journal says.
func (r *Run) fill(report *Report, err error) {
	for _, b := range r.Journal.ownBatches() {
		switch {
		case b.unknown:
			report.Unknown = append(report.Unknown, b.rows...)
			if b.cause != "" {
				report.UnknownCause = b.cause
			}
		case b.done && !b.reported:
			report.Created += b.created
			report.Failed = append(report.Failed, b.failed...)
			report.Unmatched = append(report.Unmatched, b.unmatched...)
			report.batches = append(report.batches, b.number)
		}
	}
	if err != nil {
		report.Unsent = len(r.unsent())
	}
}

// Reported remembers that someone was told what became of the rows, so that the next run does not tell it again.
// failedRows is where the failed ones were written, empty without any.
func (r *Run) Reported(report Report, failedRows string) error {
	if len(report.batches) == 0 {
		return nil
	}
	return r.Journal.write(record{Type: recordReported, Path: failedRows, Batches: report.batches})
}
