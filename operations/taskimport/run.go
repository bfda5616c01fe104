package taskimport

import (
	"cmp"
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
	Rows, Created, Failed int
	// Batch is the number of the present batch.
	Batch, Batches int
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

// Report is what happened to the rows. The tags are for output as JSON.
type Report struct {
	// Created and Failed include earlier runs that ended before they reported.
	Created int       `json:"created"`
	Failed  []Failure `json:"failed,omitzero"`
	// Unmatched are failures whose row the service does not identify.
	Unmatched []string `json:"unmatched,omitzero"`
	// Unknown are rows with an unknown outcome.
	Unknown []RowRef `json:"unknown,omitzero"`
	// SentBefore is how many rows earlier runs sent and reported.
	SentBefore int `json:"sentBefore,omitzero"`
	// Unsent is how many rows were not sent because the run ended early.
	Unsent int `json:"unsent,omitzero"`

	batches []int
}

// ErrUnknownBatch says that the outcome of rows is unknown and somebody has to check.
var ErrUnknownBatch = errors.New("it is unknown whether the service accepted some rows")

// Do sends the rows that were not sent yet and follows the jobs to their end. The report is valid also beside an error.
func (r *Run) Do(ctx context.Context) (Report, error) {
	var report Report
	if r.Progress == nil {
		r.Progress = func(Progress) {}
	}
	if err := r.begin(); err != nil {
		return report, err
	}
	todo := r.unsent()
	progress := Progress{Rows: len(todo)}
	for _, b := range r.Journal.ownBatches() {
		switch {
		case b.reported:
			report.SentBefore += len(b.Rows)
		case b.Type == recordAccepted:
			progress.Rows += len(b.Rows)
		}
	}
	err := r.sendAll(ctx, todo, &progress)
	r.fill(&report, err)
	if err == nil && len(report.Unknown) > 0 {
		err = fmt.Errorf("%w: %w", apiclient.ErrUnknownOutcome, ErrUnknownBatch)
	}
	return report, err
}

// begin records the import, and makes rows unsent again that Again and RetryUnknown ask for.
func (r *Run) begin() error {
	records := []record{{Type: recordImport, Account: r.Account, ContentHash: r.File.ContentHash}}
	if r.Again {
		records = append(records, record{Type: recordRestart})
	}
	for _, next := range records {
		if err := r.Journal.write(next); err != nil {
			return err
		}
	}
	for _, b := range r.Journal.ownBatches() {
		if b.isUnknown() && r.RetryUnknown {
			if err := r.Journal.write(record{Type: recordReturned, Batch: b.Batch, Cause: "sent again on request"}); err != nil {
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
		for _, row := range b.Rows {
			taken[row.Hash]++
		}
	}
	return slices.DeleteFunc(r.File.Valid(), func(row Row) bool {
		taken[row.Hash]--
		return taken[row.Hash] >= 0
	})
}

// sendAll follows running jobs, then sends one batch after another. Parallel batches would contend for the unassigned tasks.
func (r *Run) sendAll(ctx context.Context, todo []Row, progress *Progress) error {
	batches := slices.Collect(slices.Chunk(todo, cmp.Or(r.BatchSize, model.MaxBatchTasks)))
	progress.Batches = len(batches)
	for _, b := range r.Journal.ownBatches() {
		if b.Type == recordAccepted {
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
		if err := r.follow(ctx, b, progress); err != nil {
			return err
		}
	}
	return nil
}

// send sends one batch. The journal records it first.
func (r *Run) send(ctx context.Context, rows []Row) (*batch, error) {
	refs := make([]RowRef, len(rows))
	for i, row := range rows {
		refs[i] = RowRef{row.Line, row.Hash}
	}
	number := r.Journal.nextNumber()
	if err := r.Journal.write(record{Type: recordSending, Batch: number, Rows: refs}); err != nil {
		return nil, err
	}
	accepted, err := r.Client.CreateBatch(ctx, Tasks(rows))
	next := record{Type: recordAccepted, Batch: number, JobID: accepted.JobID}
	switch {
	case err == nil:
	case errors.Is(err, apiclient.ErrUnknownOutcome):
		next = record{Type: recordUnknown, Batch: number, Cause: err.Error()}
	case refusesContent(err):
		next = record{Type: recordDone, Batch: number, Failed: allFailed(refs, err.Error())}
		err = nil
	default:
		next = record{Type: recordReturned, Batch: number, Cause: err.Error()}
	}
	if failure := r.Journal.write(next); failure != nil {
		return nil, errors.Join(failure, err)
	}
	return r.Journal.batch(number), err
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

// follow waits for the job of a batch. A batch that was refused has none.
func (r *Run) follow(ctx context.Context, b *batch, progress *Progress) error {
	if b.Type == recordDone {
		progress.Failed += len(b.Failed)
		r.Progress(*progress)
		return nil
	}
	created, failed := progress.Created, progress.Failed
	job, err := FollowJob(ctx, cmp.Or(r.FirstPoll, 500*time.Millisecond), 5*time.Second, func() (model.BatchJob, error) {
		job, err := r.Client.BatchJob(ctx, b.JobID)
		if err != nil {
			return job, fmt.Errorf("the service accepted the rows as job %s, but its progress cannot be read; run the same command again to continue: %w", b.JobID, err)
		}
		progress.Created, progress.Failed = created+int(job.TasksCreated), failed+int(job.TasksErrored)
		r.Progress(*progress)
		return job, nil
	})
	if err != nil {
		return err
	}
	return r.Journal.write(r.outcome(b, job))
}

// FollowJob polls a job until it has ended. Waits grow from first to longest.
func FollowJob(ctx context.Context, first, longest time.Duration, poll func() (model.BatchJob, error)) (model.BatchJob, error) {
	for wait := first; ; wait = min(wait*3/2, longest) {
		job, err := poll()
		if err != nil || JobEnded(job) {
			return job, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return job, ctx.Err()
		}
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

// fill fills the report from the journal.
func (r *Run) fill(report *Report, err error) {
	for _, b := range r.Journal.ownBatches() {
		switch {
		case b.isUnknown():
			report.Unknown = append(report.Unknown, b.Rows...)
		case b.Type == recordDone && !b.reported:
			report.Created += b.Created
			report.Failed = append(report.Failed, b.Failed...)
			report.Unmatched = append(report.Unmatched, b.Unmatched...)
			report.batches = append(report.batches, b.Batch)
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
