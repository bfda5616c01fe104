package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/ui"
	"waybill/views/formview"
)

// doFlags are the flags of do.
type doFlags struct {
	set    []string
	yes    bool
	fields bool
}

func newDoCommand(a *app) *cobra.Command {
	var f doFlags
	cmd := &cobra.Command{
		Use: "do [ACTION] [ID...]", Short: "Run any operation of the console from the command line", Args: cobra.ArbitraryArgs,
		Long: "Asks for what an action needs, one question per line, shows the requests and sends them when you type yes.\n" +
			"For screen readers, for terminals that are too small for the console, and for scripts that pipe answers in.\n" +
			"Without an action it lists all actions. The arguments select the objects: tasks and orders by id or short id, workers\n" +
			"by id or name, webhooks by id. An action without objects takes the arguments as the console's palette does.\n\n" +
			"Fields set with --set are not asked. With --yes nothing is asked, and all other fields keep their values.",
		Example: "waybill do\nwaybill do task.clone 5d20c1aa\nwaybill do route.assign 5d20c1aa 9e01ab42 --set who='Ada Okafor' --yes\n" +
			"waybill do route.dispatch north --dry-run --yes\nwaybill do create.task --fields",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			for _, verb := range listDoable() {
				ids = append(ids, cobra.CompletionWithDesc(verb.action.ID, verb.title()))
			}
			if len(args) > 0 {
				ids = nil
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "set a field: NAME=VALUE; --fields lists the names")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "ask nothing and send the requests")
	cmd.Flags().BoolVar(&f.fields, "fields", false, "list the fields of the action and send nothing")
	act := a.withSessionUntilDone(func(ctx context.Context, s *session, args []string) error { return s.runDo(ctx, &f, args) })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.printDoable()
		}
		if _, err := findDoable(args[0]); err != nil {
			return err
		}
		return act(cmd, args)
	}
	return cmd
}

// doableOperation is an operation with its entry in the action table.
type doableOperation struct {
	action     keymaps.Action
	definition operations.Definition
}

// title returns the title of the action without the ellipsis that announces a form.
func (v doableOperation) title() string { return strings.TrimSuffix(v.action.Title, "…") }

// describeNeeds returns which objects the action needs, such as "tasks".
func (v doableOperation) describeNeeds() string {
	kinds := make([]string, len(v.action.Requires.Kinds))
	for i, kind := range v.action.Requires.Kinds {
		kinds[i] = "one " + string(kind)
		if v.action.Bulk {
			kinds[i] = string(kind) + "s"
		}
	}
	return strings.Join(kinds, " or ")
}

// listDoable returns all operations in the order of the console's help.
func listDoable() []doableOperation {
	var all []doableOperation
	for _, action := range keymaps.Default().Actions() {
		if maker, err := operations.FindDefinition(action.ID); err == nil {
			all = append(all, doableOperation{action, maker})
		}
	}
	return all
}

// findDoable returns the operation with an action id or a palette command.
func findDoable(text string) (doableOperation, error) {
	all := listDoable()
	var near []string
	for _, v := range all {
		if v.action.ID == text || slices.Contains(v.action.Commands, text) {
			return v, nil
		}
		if _, last, _ := strings.Cut(v.action.ID, "."); strings.HasPrefix(v.action.ID, text) || strings.HasPrefix(last, text) {
			near = append(near, v.action.ID)
		}
	}
	problem := fmt.Errorf("unknown action %.60q; list actions with: waybill do", text)
	if len(near) > 0 {
		problem = fmt.Errorf("unknown action %.60q; did you mean %s?", text, strings.Join(near, " or "))
	}
	return doableOperation{}, usageError{problem}
}

// printDoable prints one line per operation, grouped as in the console's help.
func (a *app) printDoable() error {
	group := keymaps.Group("")
	for _, v := range listDoable() {
		if a.flags.json {
			err := a.printJSONLine(struct {
				Action string         `json:"action"`
				Title  string         `json:"title"`
				About  string         `json:"about"`
				Needs  []keymaps.Kind `json:"needs"`
				Many   bool           `json:"many"`
				Writes bool           `json:"writes"`
			}{v.action.ID, v.title(), v.action.Help, v.action.Requires.Kinds, v.action.Bulk, v.action.Writes})
			if err != nil {
				return err
			}
			continue
		}
		if v.action.Group != group {
			if group != "" {
				fmt.Fprintln(a.stdout)
			}
			group = v.action.Group
			fmt.Fprintln(a.stdout, group)
		}
		line := v.action.ID + ": " + v.title()
		if needs := v.describeNeeds(); needs != "" {
			line += "; needs " + needs
		}
		fmt.Fprintln(a.stdout, line)
	}
	return nil
}

// doCommand is one run of do.
type doCommand struct {
	*session
	flags *doFlags
	entry doableOperation
	in    io.Reader // answers
	out   io.Writer // questions and results

	input      operations.Input
	operation  operations.Operation
	values     form.Values
	preset     map[string]bool            // fields set with --set
	shownNotes map[string]string          // notes that were printed already, by field
	shortIDs   map[model.ID]model.ShortID // short ids of created objects
	result     doResult
}

func (s *session) runDo(ctx context.Context, f *doFlags, args []string) error {
	kind, err := findDoable(args[0])
	if err != nil {
		return err
	}
	switch {
	case s.account.file == nil:
		return errNoAccount // a dry run has to read the board too
	case kind.action.Writes && s.readOnly(s.account.profile) && !s.app.flags.dryRun && !f.fields:
		// The client refuses changes anyway; this avoids asking all questions first.
		return fmt.Errorf("%s: %w, %s", kind.action.ID, apiclient.ErrReadOnly, s.readOnlyReason())
	}
	d := &doCommand{session: s, flags: f, entry: kind, out: s.stdout, shownNotes: map[string]string{}}
	if s.app.flags.json {
		d.out = s.stderr // standard output is for the result
	}
	if err := d.prepareOperation(ctx, args[1:]); err != nil {
		return err
	}
	if f.fields {
		return d.printFields()
	}
	d.in = d.newAnswerReader(ctx)
	err = d.runDialogue(ctx)
	if s.app.flags.json && d.result.isComplete {
		if failed := s.printJSON(d.result); failed != nil {
			return failed
		}
	}
	return err
}

// readOnlyReason returns why changes are refused.
func (s *session) readOnlyReason() string {
	if s.app.flags.readOnly {
		return "because of --readonly"
	}
	return fmt.Sprintf("because the profile %s is read-only", model.Clean(s.account.profile.Name))
}

// prepareOperation creates the operation for the named objects.
func (d *doCommand) prepareOperation(ctx context.Context, words []string) error {
	if d.stderr.terminal && !d.app.flags.noProgress {
		d.printNote("Reading the board…")
	}
	reading, _ := d.readOptions(d.account.file.Settings, d.now)
	snapshot, organization, err := ui.Read(ctx, d.client, reading)
	if err != nil {
		return err
	}
	d.input = operations.Input{
		Board: snapshot, Organization: organization, Now: d.nowMillis(), Zone: d.loadTimeZone(ctx), WorkDir: workingDirectory(),
	}
	if err := d.selectObjects(ctx, words); err != nil {
		return err
	}
	if err := operations.LoadInput(ctx, d.client, d.entry.definition.Needs, &d.input); err != nil {
		return err
	}
	if d.operation, err = d.entry.definition.New(d.input); err != nil {
		return fmt.Errorf("%s: %w", d.entry.action.ID, err)
	}
	return d.applySetFlags()
}

// runDialogue asks for the fields, previews and runs the proposal, and asks again if the service refuses a value.
func (d *doCommand) runDialogue(ctx context.Context) error {
	if err := d.askFields(d.operation.Form.Title, d.unansweredFields()); err != nil {
		return err
	}
	for {
		plan, err := d.prepareProposal(ctx)
		if err != nil {
			return err
		}
		if err := d.printProposal(ctx, &plan); err != nil || d.app.flags.dryRun {
			return err
		}
		change, err := d.confirmSend(&plan)
		switch {
		case err != nil:
			return err
		case change:
			if err := d.askFields(d.operation.Form.Title, d.operation.Form.Fields); err != nil {
				return err
			}
			continue
		}
		refused, failed := d.runProposal(ctx, &plan)
		if refused == nil {
			return failed
		}
		if err := d.askFields("Please correct", []form.Field{*refused}); errors.Is(err, formview.ErrInputEnded) {
			return failed
		} else if err != nil {
			return err
		}
	}
}
