package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/journal"
	"waybill/operations/run"
	"waybill/operations/taskimport"
)

// operationCommand describes a command that runs one operation: its flags are the fields of the operation's form.
type operationCommand struct {
	operation string
	noun      string // what is sent, for errors: "the task"
	// argument is the field that the argument of the command sets; it gets no flag.
	argument string
	// defaults are values of flags that are not set.
	defaults map[string]string
	// fromJSON adds --from-json, which replaces the form by a whole request body.
	fromJSON bool
	print    func(ctx context.Context, s *session, result operations.Result)
	// printList replaces print for operations that return a list.
	printList func(ctx context.Context, s *session, result operations.Result) error
}

// operationCall is one call of an operation by a command.
type operationCall struct {
	operation string
	noun      string
	selection operations.Selection
	flags     map[string][]string // values of the set flags
	body      []byte
	yes       bool // confirmed beforehand
	readsOnly bool // nothing is sent, so read-only accounts allow it
	maySkip   bool // objects that cannot be changed are left out
}

// newOperationCommand adds the flags of an operation to a command and makes the command run it.
func (a *app) newOperationCommand(cmd *cobra.Command, o operationCommand) *cobra.Command {
	fields := addOperationFlags(cmd.Flags(), o.operation, o.argument)
	var path string
	if o.fromJSON {
		cmd.Flags().StringVar(&path, "from-json", "", "read the whole request body from this JSON file, or from standard input with -")
	}
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		call := operationCall{operation: o.operation, noun: o.noun, flags: setFlags(cmd.Flags(), fields)}
		if path != "" {
			if len(call.flags) > 0 {
				return usageError{errors.New("--from-json reads the whole body; it cannot be combined with other fields")}
			}
			var err error
			if call.body, err = a.readFile(path, taskimport.MaxFileBytes); err != nil {
				return err
			}
		} else {
			for name, value := range o.defaults {
				if call.flags[name] == nil {
					call.flags[name] = []string{value}
				}
			}
		}
		if o.argument != "" {
			call.flags[o.argument] = args
		} else {
			call.selection.Tasks = args
		}
		result, err := s.runSingle(ctx, call)
		if err != nil {
			return describeBodyError(err, path)
		}
		if o.printList != nil {
			return o.printList(ctx, s, result)
		}
		return a.printResult(result.Response, func() { o.print(ctx, s, result) })
	})
	return cmd
}

func describeBodyError(err error, path string) error {
	if body, ok := errors.AsType[*operations.BodyError](err); ok {
		return usageError{fmt.Errorf("%s: %s", displayPath(path), describeJSONError(body.Err))}
	}
	return err
}

// readFile reads a whole file, or standard input for "-".
func (a *app) readFile(path string, limit int64) ([]byte, error) {
	in := a.stdin
	if path != "-" {
		file, err := os.Open(a.env.Expand(path))
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	} else if isTerminal(a.stdin) {
		a.printNote("Reading from the terminal; end with Ctrl-D.")
	}
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s is larger than %d MiB", displayPath(path), limit>>20)
	}
	return data, err
}

func displayPath(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// flagFields returns the fields of an operation that commands have flags for.
func flagFields(operation string) []form.Field {
	definition, err := operations.FindDefinition(operation)
	if err != nil {
		panic(err) // a mistake in the table of commands
	}
	return definition.FlagFields()
}

// addOperationFlags defines a flag for each field of an operation except the named one. It returns the fields.
func addOperationFlags(set *pflag.FlagSet, operation, except string) []form.Field {
	fields := flagFields(operation)
	for i := range fields {
		f := &fields[i]
		name, usage := f.FlagName(), f.FlagUsage()
		switch {
		case name == "" || name == except || set.Lookup(name) != nil:
		case f.Kind == form.Yes:
			set.Bool(name, false, usage)
		case f.Flag.Join == ",":
			set.StringSlice(name, nil, usage)
		case f.Flag.Join != "":
			set.StringArray(name, nil, usage)
		default:
			set.String(name, "", usage)
		}
	}
	return fields
}

// setFlags returns the values of the flags of fields that are set on the command line.
func setFlags(set *pflag.FlagSet, fields []form.Field) map[string][]string {
	values := map[string][]string{}
	for i := range fields {
		flag := set.Lookup(fields[i].FlagName())
		if flag == nil || !flag.Changed {
			continue
		}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values[flag.Name] = list.GetSlice()
		} else {
			values[flag.Name] = []string{flag.Value.String()}
		}
	}
	return values
}

// preparedOperation is an operation with its values and its proposal.
type preparedOperation struct {
	operations.Operation
	input    operations.Input
	values   form.Values
	proposal operations.Proposal
	// cancellable steps may be abandoned, because they can be continued later.
	cancellable bool
}

// prepare loads what an operation needs and prepares its proposal.
func (s *session) prepare(ctx context.Context, call operationCall) (preparedOperation, error) {
	var p preparedOperation
	definition, err := operations.FindDefinition(call.operation)
	if err != nil {
		return p, err
	}
	if writes(call.operation) && !call.readsOnly && s.readOnly(s.account.profile) && !s.flags.dryRun {
		return p, fmt.Errorf("%w, %s", apiclient.ErrReadOnly, s.readOnlyReason())
	}
	input := operations.Input{Now: s.nowMillis(), Zone: s.loadTimeZone(ctx), WorkDir: workingDirectory(), Body: call.body}
	if definition.CommandNeeds.Organization || needsOrganization(&call) {
		input.Organization, err = s.organization(ctx)
		if err != nil && !s.flags.dryRun && !errors.Is(err, apiclient.ErrUnsupportedRoute) {
			return p, err
		}
	}
	if !call.yes && s.stderr.terminal && len(call.selection.Tasks) > 0 {
		definition.CommandNeeds.Rows = true // for the preview before the question
	}
	if p.input, err = operations.Load(ctx, s.client, definition, input, call.selection, call.flags); err != nil {
		return p, asUsage(err)
	}
	if p.Operation, err = definition.New(p.input); err != nil {
		return p, err
	}
	if p.values, err = p.Form.ParseFlags(call.flags); err != nil {
		return p, asUsage(err)
	}
	s.printEchoes(&p.Form, p.values)
	var problems form.Problems
	if p.proposal, problems = p.Prepare(p.values); len(problems) > 0 {
		return p, flagProblems(&p.Form, call.noun, problems)
	}
	return p, nil
}

// writes reports whether an operation changes something. Operations without an action do.
func writes(operation string) bool {
	entry, err := findDoable(operation)
	return err != nil || entry.action.Writes
}

// needsOrganization reports whether the values of a call depend on the organization: phone numbers without a country code
// depend on its country.
func needsOrganization(call *operationCall) bool {
	for _, name := range []string{"phone", "recipient-phone"} {
		for _, phone := range call.flags[name] {
			if phone = strings.TrimSpace(phone); phone != "" && !strings.HasPrefix(phone, "+") {
				return true
			}
		}
	}
	return call.body != nil
}

// asUsage marks errors of flags and arguments as usage errors. Errors of the service and unknown objects keep their codes.
func asUsage(err error) error {
	_, isID := errors.AsType[*operations.IDError](err)
	_, isName := errors.AsType[*operations.NameError](err)
	_, isFlag := errors.AsType[*form.FlagError](err)
	if (isID || isName || isFlag) && exitCode(err) == exitFailure {
		return usageError{err}
	}
	return err
}

// flagProblems returns the problems of a form as an error that names flags instead of fields.
func flagProblems(f *form.Form, noun string, problems form.Problems) error {
	var all model.Problems
	for _, name := range slices.Sorted(maps.Keys(problems)) {
		at := name
		if field, ok := f.Field(name); ok && field.FlagName() != "" {
			at = "--" + field.FlagName()
		}
		all = append(all, model.Problem{Field: at, Text: problems[name]})
	}
	return inputError{noun, all}
}

// printEchoes prints on standard error how values such as times were understood.
func (s *session) printEchoes(f *form.Form, values form.Values) {
	for i := range f.Fields {
		field := &f.Fields[i]
		if field.Echo == nil || field.Object != "" || values[field.Name] == "" {
			continue
		}
		if text := field.Echo(values[field.Name], values); text != "" && text != values[field.Name] {
			s.printNote("%s: %s", cmp.Or(field.FlagName(), field.Name), text)
		}
	}
}

// runSingle runs an operation with one step and returns its result. It sends nothing if an object cannot be changed, because
// the command names every object.
func (s *session) runSingle(ctx context.Context, call operationCall) (operations.Result, error) {
	prepared, err := s.prepare(ctx, call)
	if err != nil {
		return operations.Result{}, err
	}
	for _, skipped := range prepared.proposal.Skipped {
		if !call.maySkip {
			return operations.Result{}, fmt.Errorf("nothing was sent: %s: %s", skipped.Label, strings.TrimSuffix(skipped.Reason, "."))
		}
		s.printNote("Skipped %s: %s", skipped.Label, skipped.Reason)
	}
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
		fmt.Fprintln(s.stdout, model.Clean(capitalize(result.Summary))+".")
	}
	for _, line := range result.Report {
		fmt.Fprintln(s.stdout, model.Clean(line.Text))
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
	progress, err := s.runSteps(ctx, &p.Operation, &p.proposal, runObserver{
		progress: func(progress *run.Progress) {
			if progress.Total > 1 {
				show(progress.Total-progress.Waiting-progress.Sending, progress.Total, progress.Summary())
			} else if step := progress.Steps[0]; step.Total > 0 {
				show(step.Done, step.Total, step.Text)
			}
		},
		unknown:     func(*run.Progress) {},
		lookedUp:    func(_, _ *run.Progress) {},
		cancellable: p.cancellable,
		stopping:    func() { s.printNote("Stopping. Pending requests are completed, the rest is not sent.") },
	})
	if progress.Unrecorded != nil {
		s.printNote("Warning: cannot write the journal: %s", progress.Unrecorded)
	}
	return progress, err
}

// printPreviewLines prints on a terminal what a proposal changes.
func (s *session) printPreviewLines(p *operations.Proposal) {
	if !s.stderr.terminal {
		return
	}
	for _, line := range p.Lines {
		s.printNote("%s", line.Text)
	}
	for _, skipped := range p.Skipped {
		s.printNote("Skipped %s: %s", skipped.Label, skipped.Reason)
	}
}

// runObserver is told about the progress of a run.
type runObserver struct {
	progress func(*run.Progress)
	stopping func()              // after Ctrl-C
	unknown  func(*run.Progress) // before the lookup of unknown outcomes
	lookedUp func(before, after *run.Progress)
	// cancellable ends pending requests with the context.
	cancellable bool
}

// lookupTimeout limits how long the lookup of unknown outcomes may take.
const lookupTimeout = 30 * time.Second

// runSteps records a proposal in the journal, runs it and looks up steps with an unknown outcome. After Ctrl-C it sends
// nothing new but waits for pending requests, because the outcome of an abandoned request would be unknown.
func (s *session) runSteps(ctx context.Context, op *operations.Operation, p *operations.Proposal, o runObserver) (run.Progress, error) {
	folders, err := s.locateFolders()
	if err != nil {
		return run.Progress{}, err
	}
	activity, err := journal.Open(folders.State, journal.Options{Now: s.now})
	if err != nil {
		return run.Progress{}, fmt.Errorf("%w; changes must be recorded in the journal, so fix this first", err)
	}
	defer func() { _ = activity.Close() }()
	running := ctx
	if !o.cancellable {
		running = context.WithoutCancel(ctx)
	}
	if deadline, ok := ctx.Deadline(); ok && !o.cancellable {
		limited, cancel := context.WithDeadline(running, deadline)
		defer cancel()
		running = limited
	}
	r := run.Start(running, s.client, p.Steps, run.Options{Journal: activity, Entry: journal.Entry{
		Account: s.journalAccount(), Person: userName(s.env.Getenv), Action: op.ID, What: cmp.Or(p.Summary, op.Title),
	}})
	ended := waitForRun(ctx, r, o)
	if ended.Unknown > 0 {
		o.unknown(&ended)
		looking, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupTimeout)
		defer cancel()
		after := r.LookUpUnknown(looking)
		o.lookedUp(&ended, &after)
		return after, nil
	}
	return ended, nil
}

// journalAccount returns the name of the account in the journal: that of the profile, or its address if it has no name.
func (s *session) journalAccount() string {
	return cmp.Or(s.account.profile.Name, s.account.profile.BaseURL)
}

func waitForRun(ctx context.Context, r *run.Run, o runObserver) run.Progress {
	waiting := ctx
	for seen := 0; ; {
		progress, more := r.Wait(waiting, seen)
		seen = progress.Version
		o.progress(&progress)
		if !more {
			return progress
		}
		if waiting.Err() != nil {
			r.Stop()
			o.stopping()
			waiting = context.WithoutCancel(ctx)
		}
	}
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
		return missingObjectError("the service has nothing under this name: it was deleted already")
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
