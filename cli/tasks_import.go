package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/taskimport"
)

type importFlags struct {
	format       string
	failed       string
	journal      string
	again        bool
	retryUnknown bool
	skipBad      bool
	template     bool
}

func newTasksImportCommand(a *app) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Create many tasks from a CSV or JSON file", Args: cobra.MaximumNArgs(1),
		Long: "Checks every row first and sends nothing while one is wrong. Sends batches of at most 500 and follows them.\n" +
			"Rows that the service refuses go with their causes to a file beside it, in.failed.csv for in.csv, to be corrected and imported.\n" +
			"A journal beside the file keeps rows from being sent twice: after an interruption, run the same command again.\n" +
			"With - for FILE the rows come from standard input. The columns are in docs/cli.md; --template prints a file to start from.",
		Example: "waybill tasks import --template > tasks.csv\nwaybill tasks import tasks.csv\njq -c '.orders[]' day.json | waybill tasks import -",
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.template {
				_, err := fmt.Fprint(a.stdout, taskimport.Template())
				return err
			}
			if len(args) == 0 {
				return usageError{errors.New("name the file to import, or - for standard input")}
			}
			return a.withSessionUntilDone(func(ctx context.Context, s *session, args []string) error { return s.importTasks(ctx, args[0], f) })(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.template, "template", false, "print a CSV file to start from")
	flags.StringVar(&f.format, "format", "", "csv or json, if the file's name does not say")
	flags.BoolVar(&f.skipBad, "skip-bad", false, "send the good rows although others are wrong; the wrong ones count as failed")
	flags.StringVar(&f.failed, "failed", "", "where failed rows go, if not beside the file")
	flags.StringVar(&f.journal, "journal", "", "where the journal is, if not beside the file")
	flags.BoolVar(&f.again, "again", false, "send rows again that were sent before")
	flags.BoolVar(&f.retryUnknown, "retry-unknown", false, "send rows again of which it is not known whether they arrived; look first")
	return cmd
}

func (s *session) importTasks(ctx context.Context, path string, f importFlags) error {
	file, err := s.parseImport(ctx, path, f.format)
	if err != nil {
		return err
	}
	bad := file.Refused()
	if len(bad) > 0 {
		s.listProblems(file)
		if !f.skipBad {
			s.printNote("Nothing was sent: %s of %d cannot be. Correct them, or send the others with --skip-bad.", formatCount(len(bad), "row"), len(file.Rows))
			return exitError{exitUsage}
		}
	}
	if s.flags.dryRun {
		return s.previewImport(ctx, file)
	}
	if s.readOnly(s.account.profile) {
		return fmt.Errorf("%w; nothing was sent and no journal begun", apiclient.ErrReadOnly)
	}
	return s.runImport(ctx, file, path, f, bad)
}

// parseImport reads the file with what the account knows: country, zone and teams.
func (s *session) parseImport(ctx context.Context, path, format string) (*taskimport.File, error) {
	data, err := s.readFile(path, taskimport.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	detected := taskimport.DetectFormat(path, data)
	switch format {
	case "":
	case "csv", "json":
		detected = taskimport.Format(format)
	default:
		return nil, usageError{fmt.Errorf("--format: %.40q is neither csv nor json", model.Clean(format))}
	}
	org, err := s.organization(ctx)
	// A dry run needs no key, and not every service tells of the organization; phones then have to start with +.
	keyless := s.flags.dryRun && errors.Is(err, apiclient.ErrNoKey)
	if err != nil && !keyless && !errors.Is(err, apiclient.ErrUnsupportedRoute) {
		return nil, err
	}
	finder := &teamFinder{}
	file, err := taskimport.Parse(detected, data, taskimport.Options{
		Now: s.nowMillis(), Zone: s.loadTimeZone(ctx), Country: org.Country, Team: func(name string) (model.ID, error) { return finder.find(ctx, s, name) },
	})
	if finder.err != nil {
		return nil, finder.err
	}
	if errors.Is(err, taskimport.ErrFile) {
		return nil, usageError{fmt.Errorf("%s: %w", displayPath(path), err)}
	}
	return file, err
}

// teamFinder asks for the teams once, however many rows name one.
type teamFinder struct {
	asked bool
	teams []named
	err   error
}

func (f *teamFinder) find(ctx context.Context, s *session, name string) (model.ID, error) {
	if !f.asked {
		f.asked = true
		f.teams, f.err = s.teamNames(ctx)
	}
	if f.err != nil {
		return "", f.err
	}
	return findNamed(f.teams, name, "team")
}

// listProblems names everything wrong with the file, all at once.
func (s *session) listProblems(file *taskimport.File) {
	for i, row := range file.Rows {
		for _, p := range row.Problems {
			s.printNote("%s%s", formatRowPosition(file, i), strings.TrimPrefix(p.String(), fmt.Sprintf("line %d", p.Line)))
		}
	}
}

// formatRowPosition says where a row is. Tasks in JSON may share a line, so they are counted too.
func formatRowPosition(file *taskimport.File, index int) string {
	place := fmt.Sprintf("line %d", file.Rows[index].Line)
	if file.Format == taskimport.FormatJSON {
		place = fmt.Sprintf("task %d (%s)", index+1, place)
	}
	return place
}

// formatFailurePosition is the place of a row that the service refused.
func formatFailurePosition(file *taskimport.File, f taskimport.Failure) string {
	for i, row := range file.Rows {
		if row.Line == f.Line && row.Hash == f.Hash {
			return formatRowPosition(file, i)
		}
	}
	return fmt.Sprintf("line %d", f.Line)
}

// previewImport shows the batches as they would be sent.
func (s *session) previewImport(ctx context.Context, file *taskimport.File) error {
	for _, rows := range taskimport.Split(file.Valid(), model.MaxBatchTasks) {
		tasks := make([]model.TaskInput, len(rows))
		for i, row := range rows {
			tasks[i] = row.Task
		}
		if _, err := s.client.CreateBatch(ctx, tasks); !errors.Is(err, apiclient.ErrDryRun) {
			return err
		}
	}
	return nil
}

// importPaths says where the journal and the failed rows of an import go.
func (s *session) importPaths(path string, file *taskimport.File, f importFlags) (journal, failed string, err error) {
	journal, failed = f.journal, f.failed
	if path == "-" {
		folders, err := s.locateFolders()
		if err != nil {
			return "", "", err
		}
		path = "import"
		if journal == "" {
			journal = filepath.Join(folders.State, "imports", file.ContentHash[:32]+".waybill-import.jsonl")
		}
	}
	path = s.env.Expand(path)
	if journal == "" {
		journal = taskimport.JournalPath(path)
	}
	if failed == "" {
		failed = taskimport.FailedPath(path, file.Format)
	}
	return journal, failed, nil
}

func (s *session) runImport(ctx context.Context, file *taskimport.File, path string, f importFlags, bad []taskimport.Failure) error {
	journalPath, failedPath, err := s.importPaths(path, file, f)
	if err != nil {
		return err
	}
	journal, err := taskimport.OpenJournal(journalPath, s.nowMillis)
	if err != nil {
		return err
	}
	show, end := s.startProgress()
	defer end()
	run := &taskimport.Run{
		Client: s.client, File: file, Journal: journal, Account: s.client.BaseURL() + " " + string(s.cachedOrganization.Value().ID),
		Again: f.again, RetryUnknown: f.retryUnknown, FirstPoll: s.jobPollDelay,
		Progress: func(p taskimport.Progress) {
			text := fmt.Sprintf("%d of %d created", p.Created, p.Rows)
			if p.Failed > 0 {
				text += fmt.Sprintf(", %d failed", p.Failed)
			}
			if p.Batches > 1 {
				text += fmt.Sprintf(", batch %d of %d", p.Batch, p.Batches)
			}
			show(p.Created+p.Failed, p.Rows, text)
		},
	}
	report, failure := run.Do(ctx)
	end()
	saved := ""
	if failed := append(report.Failed, bad...); len(failed) > 0 {
		saved, err = file.SaveFailed(s.env.Expand(failedPath), failed)
	}
	err = errors.Join(err, s.printImportReport(file, report, len(bad), saved))
	if err == nil {
		err = run.Reported(report, saved)
	}
	err = errors.Join(err, journal.Close())
	switch {
	case failure != nil || err != nil:
		return errors.Join(failure, err)
	case len(report.Failed)+len(report.Unmatched)+len(bad) > 0:
		return exitError{exitFailure}
	}
	return nil
}

// importSummary is what became of an import, as scripts read it.
type importSummary struct {
	Created    int                  `json:"created"`
	Failed     []taskimport.Failure `json:"failed,omitzero"`
	Unmatched  []string             `json:"unmatched,omitzero"`
	Bad        int                  `json:"bad,omitzero"`
	Unknown    []taskimport.RowRef  `json:"unknown,omitzero"`
	Unsent     int                  `json:"unsent,omitzero"`
	Before     int                  `json:"sentBefore,omitzero"`
	FailedFile string               `json:"failedFile,omitzero"`
}

// printImportReport says what became of the rows.
func (s *session) printImportReport(file *taskimport.File, r taskimport.Report, bad int, saved string) error {
	if s.flags.json {
		return s.printJSON(importSummary{r.Created, r.Failed, r.Unmatched, bad, r.Unknown, r.Unsent, r.SentBefore, saved})
	}
	fmt.Fprintf(s.stdout, "%s created.\n", formatCount(r.Created, "task"))
	if r.SentBefore > 0 {
		s.printNote("%s were sent by an earlier run and not again; --again would.", formatCount(r.SentBefore, "row"))
	}
	for _, f := range r.Failed {
		s.printNote("%s: %s", formatFailurePosition(file, f), f.Cause)
	}
	for _, cause := range r.Unmatched {
		s.printNote("a row that the service does not name: %s", cause)
	}
	if saved != "" {
		s.printNote("%s failed: see %s for the causes, correct it and import that file.", formatCount(len(r.Failed)+bad, "row"), saved)
	}
	if len(r.Unknown) > 0 {
		s.printNote("It is not known whether the service took %s, lines %s.", formatCount(len(r.Unknown), "row"), formatLineRanges(r.Unknown))
		s.printNote("Look with: waybill tasks ls --since 1h. If they are not there, send them with --retry-unknown.")
	}
	if r.Unsent > 0 {
		s.printNote("%s not sent. Run the same command again to go on.", formatCount(r.Unsent, "row"))
	}
	return nil
}

// formatLineRanges is a list of lines with runs drawn together: 2-501, 503.
func formatLineRanges(rows []taskimport.RowRef) string {
	var spans []string
	for i := 0; i < len(rows); {
		j := i
		for j+1 < len(rows) && rows[j+1].Line == rows[j].Line+1 {
			j++
		}
		if i == j {
			spans = append(spans, fmt.Sprint(rows[i].Line))
		} else {
			spans = append(spans, fmt.Sprintf("%d-%d", rows[i].Line, rows[j].Line))
		}
		i = j + 1
	}
	return strings.Join(spans, ", ")
}
