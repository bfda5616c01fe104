package taskimport_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/taskimport"
)

const now model.Millis = 1772470800000 // 2026-03-02 17:00 UTC

func options() taskimport.Options {
	return taskimport.Options{Now: now, Zone: time.UTC, Country: "US"}
}

// service is the part of a service that an import uses. It counts how often each task was received.
type service struct {
	received map[string]int
	jobs     map[model.ID]model.BatchJob
	sizes    []int
	polls    int
	// fail returns the error of a call of CreateBatch, counted from 1.
	fail func(call int) error
	// refuse returns why a task is not created; empty creates it.
	refuse func(model.TaskInput) string
	// slow is how many polls find the job pending.
	slow int
	down bool
}

func newService() *service {
	return &service{received: map[string]int{}, jobs: map[model.ID]model.BatchJob{}}
}

func (s *service) CreateBatch(ctx context.Context, tasks []model.TaskInput) (model.BatchAccepted, error) {
	if err := ctx.Err(); err != nil {
		return model.BatchAccepted{}, err
	}
	s.sizes = append(s.sizes, len(tasks))
	if s.fail != nil {
		if err := s.fail(len(s.sizes)); err != nil {
			return model.BatchAccepted{}, err
		}
	}
	job := model.BatchJob{Status: model.BatchSucceeded, TasksReceived: model.Int(len(tasks))}
	for _, task := range tasks {
		s.received[task.Notes.Value()]++
		cause := ""
		if s.refuse != nil {
			cause = s.refuse(task)
		}
		if cause == "" {
			job.TasksCreated++
			continue
		}
		job.TasksErrored++
		job.Status = model.BatchCompletedWithErrors
		job.Errors = append(job.Errors, model.BatchError{
			Message: "The values of one or more parameters are invalid.", Cause: model.Some(model.CauseText(cause)), TaskData: model.Some(task),
		})
	}
	id := model.NewID()
	s.jobs[id] = job
	return model.BatchAccepted{Status: model.BatchPending, JobID: id}, nil
}

func (s *service) BatchJob(ctx context.Context, id model.ID) (model.BatchJob, error) {
	if s.down {
		return model.BatchJob{}, apiclient.ErrOffline
	}
	s.polls++
	job := s.jobs[id]
	if s.polls <= s.slow {
		return model.BatchJob{Status: model.BatchPending, TasksReceived: job.TasksReceived}, ctx.Err()
	}
	return job, nil
}

func rowsCSV(from, to int) string {
	var out strings.Builder
	out.WriteString("address,notes,before\n")
	for i := from; i <= to; i++ {
		fmt.Fprintf(&out, "\"%d Howard St, San Francisco, USA\",row %d,+2h\n", i, i)
	}
	return out.String()
}

func parse(t *testing.T, text string) *taskimport.File {
	t.Helper()
	file, err := taskimport.Parse(taskimport.FormatCSV, []byte(text), options())
	require.NoError(t, err)
	require.Empty(t, file.Problems())
	return file
}

type importTest struct {
	t       *testing.T
	service *service
	journal string
}

func newImportTest(t *testing.T) *importTest {
	return &importTest{t, newService(), filepath.Join(t.TempDir(), "tasks.csv.waybill-import.jsonl")}
}

func (b *importTest) run(text string, change func(*taskimport.Run)) (taskimport.Report, error) {
	b.t.Helper()
	return b.runContext(context.Background(), text, change)
}

func (b *importTest) runContext(ctx context.Context, text string, change func(*taskimport.Run)) (taskimport.Report, error) {
	b.t.Helper()
	journal, err := taskimport.OpenJournal(b.journal, func() model.Millis { return now })
	require.NoError(b.t, err)
	defer func() { require.NoError(b.t, journal.Close()) }()
	run := &taskimport.Run{
		Client: b.service, File: parse(b.t, text), Journal: journal, Account: "here", FirstPoll: time.Millisecond, BatchSize: 10,
	}
	if change != nil {
		change(run)
	}
	report, failure := run.Do(ctx)
	require.NoError(b.t, run.Reported(report, ""))
	return report, failure
}

func (b *importTest) requireEachSentOnce(n int) {
	b.t.Helper()
	require.Len(b.t, b.service.received, n)
	for notes, times := range b.service.received {
		require.Equal(b.t, 1, times, notes)
	}
}

func TestRowsAreSentOnceInBatches(t *testing.T) {
	b := newImportTest(t)
	var last taskimport.Progress
	report, err := b.run(rowsCSV(1, 25), func(r *taskimport.Run) { r.Progress = func(p taskimport.Progress) { last = p } })
	require.NoError(t, err)
	require.Equal(t, []int{10, 10, 5}, b.service.sizes)
	require.Equal(t, 25, report.Created)
	require.Equal(t, 25, last.Created)
	require.Equal(t, 3, last.Batch)
	b.requireEachSentOnce(25)

	again, err := b.run(rowsCSV(1, 25), nil)
	require.NoError(t, err)
	require.Zero(t, again.Created)
	require.Equal(t, 25, again.SentBefore)
	b.requireEachSentOnce(25)
}

func TestEditedFileSendsOnlyWhatIsNew(t *testing.T) {
	b := newImportTest(t)
	_, err := b.run(rowsCSV(1, 12), nil)
	require.NoError(t, err)
	report, err := b.run(rowsCSV(5, 20), nil)
	require.NoError(t, err)
	require.Equal(t, 8, report.Created)
	b.requireEachSentOnce(20)
}

func TestEqualRowsAreAllSent(t *testing.T) {
	b := newImportTest(t)
	text := rowsCSV(1, 1) + strings.SplitAfter(rowsCSV(1, 1), "\n")[1]
	report, err := b.run(text, nil)
	require.NoError(t, err)
	require.Equal(t, 2, report.Created)
	_, err = b.run(text, nil)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"row 1": 2}, b.service.received)
}

func TestUnknownOutcomeIsNotRepeatedUnlessAsked(t *testing.T) {
	b := newImportTest(t)
	b.service.fail = func(call int) error {
		if call == 2 {
			return fmt.Errorf("%w: the connection broke", apiclient.ErrUnknownOutcome)
		}
		return nil
	}
	report, err := b.run(rowsCSV(1, 25), nil)
	require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
	require.Equal(t, 10, report.Created)
	require.Len(t, report.Unknown, 10)
	require.Equal(t, 12, report.Unknown[0].Line)
	require.Equal(t, 5, report.Unsent)

	report, err = b.run(rowsCSV(1, 25), nil)
	require.ErrorIs(t, err, apiclient.ErrUnknownOutcome)
	require.Equal(t, 5, report.Created)
	require.Len(t, report.Unknown, 10)

	report, err = b.run(rowsCSV(1, 25), func(r *taskimport.Run) { r.RetryUnknown = true })
	require.NoError(t, err)
	require.Equal(t, 10, report.Created)
	b.requireEachSentOnce(25)
}

func TestRefusedBatchCanBeSentAgain(t *testing.T) {
	b := newImportTest(t)
	b.service.fail = func(call int) error {
		if call == 2 {
			return apiclient.ErrRateLimited
		}
		return nil
	}
	report, err := b.run(rowsCSV(1, 25), nil)
	require.ErrorIs(t, err, apiclient.ErrRateLimited)
	require.Equal(t, 15, report.Unsent)
	report, err = b.run(rowsCSV(1, 25), nil)
	require.NoError(t, err)
	require.Equal(t, 15, report.Created)
	b.requireEachSentOnce(25)
}

func TestJobIsFollowedByTheNextRun(t *testing.T) {
	b := newImportTest(t)
	b.service.down = true
	_, err := b.run(rowsCSV(1, 5), nil)
	require.ErrorIs(t, err, apiclient.ErrOffline)
	require.ErrorContains(t, err, "run the same command again")
	b.service.down = false
	report, err := b.run(rowsCSV(1, 5), nil)
	require.NoError(t, err)
	require.Equal(t, 5, report.Created)
	b.requireEachSentOnce(5)
}

func TestBatchIsUnknownAfterAKillWhileSending(t *testing.T) {
	b := newImportTest(t)
	_, err := b.run(rowsCSV(1, 5), nil)
	require.NoError(t, err)
	data, err := os.ReadFile(b.journal)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	require.Contains(t, lines[1], `"sending"`)
	// The program was killed before the answer, while it wrote the next line.
	require.NoError(t, os.WriteFile(b.journal, []byte(lines[0]+lines[1]+lines[2][:20]), 0o600))
	report, err := b.run(rowsCSV(1, 5), nil)
	require.ErrorIs(t, err, taskimport.ErrUnknownBatch)
	require.Len(t, report.Unknown, 5)
	b.requireEachSentOnce(5)
}

func TestFailedRowsHaveCauses(t *testing.T) {
	b := newImportTest(t)
	b.service.slow = 2
	b.service.refuse = func(task model.TaskInput) string {
		if task.Notes.Value() == "row 3" {
			return "Geocoding errors found."
		}
		return ""
	}
	report, err := b.run(rowsCSV(1, 5), nil)
	require.NoError(t, err)
	require.Equal(t, 4, report.Created)
	require.Len(t, report.Failed, 1)
	require.Equal(t, 4, report.Failed[0].Line)
	require.Contains(t, report.Failed[0].Cause, "Geocoding errors found.")

	file := parse(t, rowsCSV(1, 5))
	folder := t.TempDir()
	path, err := file.SaveFailed(filepath.Join(folder, "tasks.failed.csv"), report.Failed)
	require.NoError(t, err)
	second, err := file.SaveFailed(filepath.Join(folder, "tasks.failed.csv"), report.Failed)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(folder, "tasks.failed-2.csv"), second)
	saved, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(saved), "line,error,address,notes,before\n4,")
	back := parse(t, string(saved))
	require.Len(t, back.Rows, 1)
	require.Equal(t, file.Rows[2].Task, back.Rows[0].Task)
	require.Equal(t, file.Rows[2].Hash, back.Rows[0].Hash)
}

func TestAccountsAreIndependent(t *testing.T) {
	b := newImportTest(t)
	for _, account := range []string{"sandbox", "production"} {
		report, err := b.run(rowsCSV(1, 3), func(r *taskimport.Run) { r.Account = account })
		require.NoError(t, err)
		require.Equal(t, 3, report.Created, account)
	}
	report, err := b.run(rowsCSV(1, 3), func(r *taskimport.Run) { r.Account = "sandbox" })
	require.NoError(t, err)
	require.Zero(t, report.Created)
	report, err = b.run(rowsCSV(1, 3), func(r *taskimport.Run) { r.Account, r.Again = "sandbox", true })
	require.NoError(t, err)
	require.Equal(t, 3, report.Created)
	report, err = b.run(rowsCSV(1, 3), func(r *taskimport.Run) { r.Account = "production" })
	require.NoError(t, err)
	require.Zero(t, report.Created)
}

func TestOneImportAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	clock := func() model.Millis { return now }
	first, err := taskimport.OpenJournal(path, clock)
	require.NoError(t, err)
	_, err = taskimport.OpenJournal(path, clock)
	require.ErrorIs(t, err, taskimport.ErrJournalBusy)
	require.NoError(t, first.Close())
	second, err := taskimport.OpenJournal(path, clock)
	require.NoError(t, err)
	require.NoError(t, second.Close())
	require.NoFileExists(t, path+".lock")
}

func TestCancelWhileFollowing(t *testing.T) {
	b := newImportTest(t)
	b.service.slow = 1 << 30
	ctx, cancel := context.WithCancel(context.Background())
	_, err := b.runContext(ctx, rowsCSV(1, 3), func(r *taskimport.Run) {
		r.Progress = func(taskimport.Progress) { cancel() }
	})
	require.ErrorIs(t, err, context.Canceled)
	b.service.slow = 0
	report, err := b.run(rowsCSV(1, 3), nil)
	require.NoError(t, err)
	require.Equal(t, 3, report.Created)
	b.requireEachSentOnce(3)
}
