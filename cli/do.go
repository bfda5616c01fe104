package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"waybill/keymaps"
	"waybill/operations"
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
			"and webhooks by id or name. An action without objects takes the arguments as the console's palette does.\n\n" +
			"Fields set with --set are not asked for. With --yes nothing is asked, and all other fields keep their values.",
		Example: "waybill do\nwaybill do task.clone 5d20c1aa\nwaybill do route.assign 5d20c1aa 9e01ab42 --set who='Ada Okafor' --yes\n" +
			"waybill do route.dispatch north --dry-run --yes\nwaybill do create.task --fields",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			for _, entry := range listDoable() {
				if len(args) == 0 {
					ids = append(ids, cobra.CompletionWithDesc(entry.action.ID, entry.title()))
				}
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "set a field: NAME=VALUE; --fields lists the names")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "ask nothing and send the requests")
	cmd.Flags().BoolVar(&f.fields, "fields", false, "list the fields of the action and send nothing")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.printDoable()
		}
		entry, err := findDoable(args[0])
		if err != nil {
			return err
		}
		return a.withSessionUntilDone(func(ctx context.Context, s *session, _ []string) error {
			return s.runDo(ctx, &f, entry, args[1:])
		})(cmd, args)
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
		if definition, err := operations.FindDefinition(action.ID); err == nil {
			all = append(all, doableOperation{action, definition})
		}
	}
	return all
}

// findDoable returns the operation with an action id or a palette command.
func findDoable(text string) (doableOperation, error) {
	var near []string
	for _, v := range listDoable() {
		if v.action.ID == text || slices.Contains(v.action.Commands, text) {
			return v, nil
		}
		if _, last, _ := strings.Cut(v.action.ID, "."); strings.HasPrefix(v.action.ID, text) || strings.HasPrefix(last, text) {
			near = append(near, v.action.ID)
		}
	}
	advice := "list actions with: waybill do"
	if len(near) > 0 {
		advice = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return doableOperation{}, usageError{fmt.Errorf("unknown action %.60q; %s", text, advice)}
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
