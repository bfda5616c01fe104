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

// doFlags say how much of a verb is answered before it asks.
type doFlags struct {
	set    []string
	yes    bool
	fields bool
}

func newDoCommand(a *app) *cobra.Command {
	var f doFlags
	cmd := &cobra.Command{
		Use: "do [ACTION] [ID...]", Short: "Everything the console can do, in plain lines", Args: cobra.ArbitraryArgs,
		Long: "Asks for what an action needs, one question a line, shows what would be sent, and sends it when you type yes.\n" +
			"For screen readers, for terminals too small for the console, and for scripts that pipe the answers in.\n" +
			"Without an action it lists them all. What follows the action is what it acts on: tasks and orders by id or short id,\n" +
			"workers by id or name, webhooks by id. An action that acts on nothing takes the words as the console's palette does.\n\n" +
			"Fields that --set names are not asked. With --yes nothing is asked: the other fields stay as they are.",
		Example: "waybill do\nwaybill do task.clone 5d20c1aa\nwaybill do route.assign 5d20c1aa 9e01ab42 --set who='Ada Okafor' --yes\n" +
			"waybill do route.dispatch north --dry-run --yes\nwaybill do create.task --fields",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			for _, verb := range doable() {
				ids = append(ids, cobra.CompletionWithDesc(verb.action.ID, verb.title()))
			}
			if len(args) > 0 {
				ids = nil
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "answer a question before it is asked: name=value; --fields lists the names")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "ask nothing and send it")
	cmd.Flags().BoolVar(&f.fields, "fields", false, "list what the action asks for, and send nothing")
	act := a.lasting(func(ctx context.Context, s *session, args []string) error { return s.do(ctx, &f, args) })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.listVerbs()
		}
		if _, err := findDoable(args[0]); err != nil {
			return err
		}
		return act(cmd, args)
	}
	return cmd
}

// doableVerb is a verb with its entry in the table of actions.
type doableVerb struct {
	action keymaps.Action
	maker  operations.Definition
}

// title is the action's without the dots that promise a form.
func (v doableVerb) title() string { return strings.TrimSuffix(v.action.Title, "…") }

// needs says what has to be named behind the action.
func (v doableVerb) needs() string {
	kinds := make([]string, len(v.action.Needs.Kinds))
	for i, kind := range v.action.Needs.Kinds {
		kinds[i] = "one " + string(kind)
		if v.action.Bulk {
			kinds[i] = string(kind) + "s"
		}
	}
	return strings.Join(kinds, " or ")
}

// doable is every verb in the order of the console's help.
func doable() []doableVerb {
	var all []doableVerb
	for _, action := range keymaps.Default().All() {
		if maker, err := operations.FindDefinition(action.ID); err == nil {
			all = append(all, doableVerb{action, maker})
		}
	}
	return all
}

// findDoable finds a verb by the id of its action, or by its word in the palette.
func findDoable(text string) (doableVerb, error) {
	all := doable()
	var near []string
	for _, v := range all {
		if v.action.ID == text || slices.Contains(v.action.Commands, text) {
			return v, nil
		}
		if _, last, _ := strings.Cut(v.action.ID, "."); strings.HasPrefix(v.action.ID, text) || strings.HasPrefix(last, text) {
			near = append(near, v.action.ID)
		}
	}
	problem := fmt.Errorf("there is no action %.60q; waybill do lists them", text)
	if len(near) > 0 {
		problem = fmt.Errorf("there is no action %.60q; did you mean %s?", text, strings.Join(near, " or "))
	}
	return doableVerb{}, usageError{problem}
}

// listVerbs prints a line for each verb, under the headings of the console's help.
func (a *app) listVerbs() error {
	group := keymaps.Group("")
	for _, v := range doable() {
		if a.flags.json {
			err := a.printJSONLine(struct {
				Action string         `json:"action"`
				Title  string         `json:"title"`
				About  string         `json:"about"`
				Needs  []keymaps.Kind `json:"needs"`
				Many   bool           `json:"many"`
				Writes bool           `json:"writes"`
			}{v.action.ID, v.title(), v.action.Help, v.action.Needs.Kinds, v.action.Bulk, v.action.Writes})
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
		if needs := v.needs(); needs != "" {
			line += "; needs " + needs
		}
		fmt.Fprintln(a.stdout, line)
	}
	return nil
}

// doing is one verb on its way from a question to its result.
type doing struct {
	*session
	flags *doFlags
	kind  doableVerb
	in    io.Reader // answers
	out   io.Writer // where questions are asked and results are told

	scene  operations.Input
	verb   operations.Operation
	values form.Values
	preset map[string]bool            // fields that the command line has answered
	noted  map[string]string          // what a look at the service has told
	short  map[model.ID]model.ShortID // of what was made
	result doResult
}

func (s *session) do(ctx context.Context, f *doFlags, args []string) error {
	kind, err := findDoable(args[0])
	if err != nil {
		return err
	}
	switch {
	case s.target.file == nil:
		return errNoTarget // also a dry run has to read the board
	case kind.action.Writes && s.readOnly(s.target.profile) && !s.app.flags.dryRun && !f.fields:
		// The client refuses every change by itself; to be asked all the questions first would be a waste.
		return fmt.Errorf("%s: %w, %s", kind.action.ID, apiclient.ErrReadOnly, s.lockedBy())
	}
	d := &doing{session: s, flags: f, kind: kind, out: s.stdout, noted: map[string]string{}}
	if s.app.flags.json {
		d.out = s.stderr // the output belongs to the result
	}
	if err := d.begin(ctx, args[1:]); err != nil {
		return err
	}
	if f.fields {
		return d.listFields()
	}
	d.in = d.answers(ctx)
	err = d.converse(ctx)
	if s.app.flags.json && d.result.told {
		if failed := s.printJSON(d.result); failed != nil {
			return failed
		}
	}
	return err
}

// lockedBy says what switches changes off.
func (s *session) lockedBy() string {
	if s.app.flags.readOnly {
		return "because the command says --readonly"
	}
	return fmt.Sprintf("because the profile %s is read-only", model.Clean(s.target.profile.Name))
}

// begin makes the verb for what is named.
func (d *doing) begin(ctx context.Context, words []string) error {
	if d.stderr.terminal && !d.app.flags.noProgress {
		d.note("Reading the board.")
	}
	reading, _ := d.reading(d.target.file.Settings, d.now)
	snapshot, organization, err := ui.Read(ctx, d.client, reading)
	if err != nil {
		return err
	}
	d.scene = operations.Input{
		Board: snapshot, Organization: organization, Now: d.moment(), Zone: d.zone(ctx), WorkDir: workFolder(),
	}
	if err := d.choose(ctx, words); err != nil {
		return err
	}
	if err := operations.LoadInput(ctx, d.client, d.kind.maker.Needs, &d.scene); err != nil {
		return err
	}
	if d.verb, err = d.kind.maker.New(d.scene); err != nil {
		return fmt.Errorf("%s: %w", d.kind.action.ID, err)
	}
	return d.preanswer()
}

// converse asks, shows and sends, and goes back where the service refuses an answer.
func (d *doing) converse(ctx context.Context) error {
	if err := d.ask(d.verb.Form.Title, d.unanswered()); err != nil {
		return err
	}
	for {
		plan, err := d.prepare(ctx)
		if err != nil {
			return err
		}
		if err := d.present(ctx, &plan); err != nil || d.app.flags.dryRun {
			return err
		}
		change, err := d.permit(&plan)
		switch {
		case err != nil:
			return err
		case change:
			if err := d.ask(d.verb.Form.Title, d.verb.Form.Fields); err != nil {
				return err
			}
			continue
		}
		refused, failed := d.send(ctx, &plan)
		if refused == nil {
			return failed
		}
		if err := d.ask("Once more", []form.Field{*refused}); errors.Is(err, formview.ErrInputEnded) {
			return failed
		} else if err != nil {
			return err
		}
	}
}
