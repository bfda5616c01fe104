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
	"waybill/operations"
	"waybill/operations/run"
	"waybill/operations/taskimport"
)

func newTasksImportCommand(a *app) *cobra.Command {
	var skipBad, template bool
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Create many tasks from a CSV or JSON file", Args: cobra.MaximumNArgs(1),
		Long: "Checks all rows first and sends nothing if any row is invalid. Sends batches of at most 500 rows and follows them.\n" +
			"Rows that the service refuses are written with their causes to a file beside it, in.failed.csv for in.csv. Correct and\n" +
			"import that file. A journal beside the file prevents sending rows twice: after an interruption, run the same command\n" +
			"again. With - for FILE the rows come from standard input. docs/cli.md lists the columns; --template prints an example.",
		Example: "waybill tasks import --template > tasks.csv\nwaybill tasks import tasks.csv\njq -c '.orders[]' day.json | waybill tasks import -",
	}
	fields := addOperationFlags(cmd.Flags(), "create.import", "keepNames")
	cmd.Flags().BoolVar(&template, "template", false, "print an example CSV file")
	cmd.Flags().BoolVar(&skipBad, "skip-bad", false, "send the valid rows even if others are invalid; invalid rows count as failed")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if template {
			_, err := fmt.Fprint(a.stdout, taskimport.Template())
			return err
		}
		if len(args) == 0 {
			return usageError{errors.New("name the file to import, or - for standard input")}
		}
		return a.withSessionUntilDone(func(ctx context.Context, s *session, args []string) error {
			return s.importTasks(ctx, args[0], skipBad, setFlags(cmd.Flags(), fields))
		})(cmd, args)
	}
	return cmd
}

func (s *session) importTasks(ctx context.Context, path string, skipBad bool, flags map[string][]string) error {
	input, file, err := s.parseImport(ctx, path, flags["format"])
	if err != nil {
		return err
	}
	if bad := file.Refused(); len(bad) > 0 {
		s.listProblems(file)
		if !skipBad {
			s.printNote("Nothing was sent: %s of %d invalid. Correct them, or send the others with --skip-bad.",
				model.FormatCount(len(bad), "row"), len(file.Rows))
			return exitError{exitUsage}
		}
	}
	if err := s.checkWritable(); err != nil {
		return err
	}
	path, choices, err := s.importChoices(path, file, flags)
	if err != nil {
		return err
	}
	operation, err := operations.NewImportFromFile(input, path, file, choices)
	if err != nil {
		return err
	}
	prepared := preparedOperation{Operation: operation, input: input, cancellable: true}
	prepared.proposal, _ = operation.Prepare(nil) // it has no fields and so no problems
	progress, err := s.runPrepared(ctx, &prepared, false)
	if err != nil {
		return err
	}
	return s.finishImport(file, progress.Steps[0])
}

// finishImport prints the report of an import, also of one that stopped early, and returns how it ended.
func (s *session) finishImport(file *taskimport.File, step *run.State) error {
	err := step.Err
	if response, ok := step.Result.Response.(operations.ImportResponse); ok {
		err = errors.Join(err, s.printImportReport(file, response))
	}
	if err == nil && step.Status != run.Done {
		err = errors.New(step.Text)
	}
	if err == nil && step.Result.Partial {
		return exitError{exitFailure}
	}
	return err
}

// parseImport parses the file with the country, zone and teams of the account.
func (s *session) parseImport(ctx context.Context, path string, format []string) (operations.Input, *taskimport.File, error) {
	input := s.newInput(ctx)
	data, err := s.readFile(path, taskimport.MaxFileBytes)
	if err != nil {
		return input, nil, err
	}
	detected := taskimport.DetectFormat(path, data)
	if len(format) > 0 {
		if detected = taskimport.Format(format[0]); detected != taskimport.FormatCSV && detected != taskimport.FormatJSON {
			return input, nil, usageError{fmt.Errorf("--format: unknown format %.40q; use csv or json", model.Clean(format[0]))}
		}
	}
	input.Organization, err = s.organization(ctx)
	// A dry run needs no key, and not every service supports organizations. Phone numbers must then start with +.
	if isNoKey := s.flags.dryRun && errors.Is(err, apiclient.ErrNoKey); err != nil && !isNoKey && !errors.Is(err, apiclient.ErrUnsupportedRoute) {
		return input, nil, err
	}
	definition, err := operations.FindDefinition("create.import")
	if err != nil {
		return input, nil, err
	}
	definition.CommandNeeds = operations.Needs{} // teams are loaded only if a row names one
	if input, err = operations.Load(ctx, s.client, definition, input, operations.Selection{}, nil); err != nil {
		return input, nil, err
	}
	var loadError error
	options := taskimport.Options{Now: input.Now, Zone: input.Zone, Country: input.Organization.Country}
	options.Team = func(name string) (model.ID, error) {
		id, err := s.teamID(ctx, name)
		if _, unknown := errors.AsType[*operations.NameError](err); err != nil && !unknown {
			loadError = err
		}
		return id, err
	}
	file, err := taskimport.Parse(detected, data, options)
	if loadError != nil {
		return input, nil, loadError
	}
	if errors.Is(err, taskimport.ErrFile) {
		err = usageError{fmt.Errorf("%s: %w", displayPath(path), err)}
	}
	return input, file, err
}

// importChoices returns the path of an import and its choices. Rows of standard input have their journal in the state
// folder, named after their content.
func (s *session) importChoices(path string, file *taskimport.File, flags map[string][]string) (string, operations.ImportChoices, error) {
	first := func(name string) string { return strings.Join(flags[name], "") }
	choices := operations.ImportChoices{
		Again: first("again") == "true", RetryUnknown: first("retry-unknown") == "true", ReportStopped: true,
		Failed: s.env.Expand(first("failed")), Journal: s.env.Expand(first("journal")),
	}
	if path != "-" {
		return s.env.Expand(path), choices, nil
	}
	folders, err := s.env.Locate()
	if choices.Journal == "" {
		choices.Journal = filepath.Join(folders.State, "imports", file.ContentHash[:32]+".waybill-import.jsonl")
	}
	return "import", choices, err
}

// listProblems prints all problems of the file.
func (s *session) listProblems(file *taskimport.File) {
	for i, row := range file.Rows {
		for _, p := range row.Problems {
			s.printNote("%s%s", formatRowPosition(file, i), strings.TrimPrefix(p.String(), fmt.Sprintf("line %d", p.Line)))
		}
	}
}

// formatRowPosition returns the line of a row. Tasks in JSON may share a line, so it adds their number.
func formatRowPosition(file *taskimport.File, index int) string {
	place := fmt.Sprintf("line %d", file.Rows[index].Line)
	if file.Format == taskimport.FormatJSON {
		place = fmt.Sprintf("task %d (%s)", index+1, place)
	}
	return place
}

// formatFailurePosition returns the position of a row that the service refused.
func formatFailurePosition(file *taskimport.File, f taskimport.Failure) string {
	for i, row := range file.Rows {
		if row.Line == f.Line && row.Hash == f.Hash {
			return formatRowPosition(file, i)
		}
	}
	return fmt.Sprintf("line %d", f.Line)
}

// printImportReport prints the outcome of the rows.
func (s *session) printImportReport(file *taskimport.File, r operations.ImportResponse) error {
	if s.flags.json {
		return s.printJSON(r)
	}
	fmt.Fprintf(s.stdout, "%s created.\n", model.FormatCount(r.Created, "task"))
	if r.SentBefore > 0 {
		s.printNote("%s sent by an earlier run and skipped; use --again to send them again.", model.FormatCount(r.SentBefore, "row"))
	}
	for _, f := range r.Failed {
		s.printNote("%s: %s", formatFailurePosition(file, f), f.Cause)
	}
	for _, cause := range r.Unmatched {
		s.printNote("A row that the service does not identify failed: %s", cause)
	}
	if r.FailedFile != "" {
		s.printNote("%s failed. See the causes in %s, correct the rows and import that file.",
			model.FormatCount(len(r.Failed)+r.Refused, "row"), r.FailedFile)
	}
	if len(r.Unknown) > 0 {
		s.printNote("The outcome of %s is unknown, lines %s.", model.FormatCount(len(r.Unknown), "row"), formatLineRanges(r.Unknown))
		s.printNote("Check with: waybill tasks ls --since 1h. If the tasks do not exist, send the rows with --retry-unknown.")
	}
	if r.Unsent > 0 {
		s.printNote("%s not sent. Run the same command again to continue.", model.FormatCount(r.Unsent, "row"))
	}
	return nil
}

// formatLineRanges returns line numbers with runs as ranges: 2-501, 503.
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
