package taskimport

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/apiclient"
	"waybill/model"
)

// Client is the part of the service that an import uses.
type Client interface {
	CreateBatch(ctx context.Context, tasks []model.TaskInput) (model.BatchAccepted, error)
	BatchJob(ctx context.Context, id model.ID) (model.BatchJob, error)
}

// Progress is the progress of an import, in rows.
type Progress struct {
	Rows, Sent, Created, Failed int
	// Batch is the number of the present batch; JobID is empty until the service has accepted it.
	Batch, Batches int
	JobID          model.ID
}

// Run imports a file into an account.
type Run struct {
	Client  Client
	File    *File
	Journal *Journal
	// Account identifies the service and the organization. A file can be imported once into each account.
	Account string
	// Again sends rows again that were sent before.
	Again bool
	// RetryUnknown sends batches with an unknown outcome again.
	RetryUnknown bool
	// Progress is called on every change; nil for none.
	Progress func(Progress)
	// FirstPoll is the wait before the first poll of a job. Waits grow; 0 means half a second.
	FirstPoll time.Duration
	// BatchSize is how many rows are in a batch; 0 means the maximum of the interface.
	BatchSize int
}

// Report is what happened to the rows.
type Report struct {
	// Created and Failed include earlier runs that ended before they reported.
	Created int
	Failed  []Failure
	// Unmatched are failures whose row the service does not identify.
	Unmatched []string
	// Unknown are rows with an unknown outcome, UnknownCause is why.
	Unknown      []RowRef
	UnknownCause string
	// SentBefore is how many rows earlier runs sent and reported.
	SentBefore int
	// Unsent is how many rows were not sent because the run ended early.
	Unsent int

	batches []int
}

// ErrUnknownBatch says that the outcome of rows is unknown and somebody has to check.
var ErrUnknownBatch = errors.New("it is unknown whether the service accepted some rows")

// Do sends the rows that were not sent yet and follows the jobs to their end. The report is valid also beside an error.
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

// releaseUnknown makes rows with an unknown outcome unsent again, when RetryUnknown asks for it.
func (r *Run) releaseUnknown() error {
	for _, b := range r.Journal.ownBatches() {
		if b.unknown && r.RetryUnknown {
			if err := r.Journal.write(record{Type: recordReturned, Batch: b.number, Cause: "sent again on request"}); err != nil {
				return err
			}
		}
	}
	return nil
}

// unsent are the rows that are in no batch of this account. Equal rows count separately.
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

// sendAll follows running jobs, then sends one batch after another. Parallel batches would contend for the unassigned tasks.
func (r *Run) sendAll(ctx context.Context, todo []Row, progress *Progress) error {
	size := r.BatchSize
	if size == 0 {
		size = model.MaxBatchTasks
	}
	batches := slices.Collect(slices.Chunk(todo, size))
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

// send sends one batch. The journal records it first.
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

// refusesContent reports whether the service refused the rows themselves. Other errors may be temporary.
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

// follow polls a job until it has ended.
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
			return fmt.Errorf("the service accepted the rows as job %s, but its progress cannot be read; run the same command again to continue: %w", b.jobID, err)
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

// JobEnded reports whether a batch job has ended. Unknown statuses are judged by the counts.
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

// fill fills the report from the journal.
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

// Reported records that a report was shown, so that the next run does not show it again. failedRows is the file of failed
// rows, empty without any.
func (r *Run) Reported(report Report, failedRows string) error {
	if len(report.batches) == 0 {
		return nil
	}
	return r.Journal.write(record{Type: recordReported, Path: failedRows, Batches: report.batches})
}
