// Package cli implements the command line.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"waybill/settings"
)

// Main runs the program and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if os.Getenv("NO_COLOR") != "" {
		// The help library accepts only some values; the convention says any.
		os.Setenv("NO_COLOR", "1")
	}
	return runUntilSignal(newApp(stdin, stdout, stderr, settings.SystemEnvironment()), args)
}

// runUntilSignal runs a command and cancels it at the first signal; a second signal kills the program.
func runUntilSignal(a *app, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return execute(ctx, a, args)
}

func execute(ctx context.Context, a *app, args []string) int {
	newRoot := newRootCommand
	if startsConsole(args) {
		newRoot = newConsoleCommand
	}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	a.captureErrors(root)
	err := fang.Execute(ctx, root,
		fang.WithVersion(version()),
		fang.WithColorSchemeFunc(fang.AnsiColorScheme),
		fang.WithErrorHandler(func(_ io.Writer, _ fang.Styles, err error) { a.printError(err) }),
	)
	if a.commandError != nil {
		err = a.commandError
		a.printError(err)
	}
	if lost := a.outputError(); lost != nil && exitCode(err) == exitOK {
		err = lost
		a.printError(err)
	}
	return exitCode(err)
}

// captureErrors stores the errors of commands in the app instead of returning them to fang, which would query the
// terminal for its colours before it prints an error. That query is slow on a slow line.
func (a *app) captureErrors(cmd *cobra.Command) {
	if !cmd.Runnable() {
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = showGroup
	}
	run, checkArgs := cmd.RunE, cmd.Args
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.commandError = run(cmd, args)
		return nil
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		a.commandPath = cmd.CommandPath()
		if checkArgs == nil {
			return nil
		}
		return checkArgs(cmd, args)
	}
	for _, child := range cmd.Commands() {
		a.captureErrors(child)
	}
}

// showGroup runs a command that only has subcommands: it prints the help or reports an unknown subcommand.
func showGroup(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	text := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %q?", near[0])
	}
	return usageError{errors.New(text)}
}

// Groups of commands in the help
const (
	groupWork    = "work"
	groupAccount = "account"
	groupService = "service"
)

// startsConsole reports whether the arguments are only flags of the console. Then the other commands are not needed: building
// their flags from the forms of the operations delays the first frame by 15 ms.
func startsConsole(args []string) bool {
	probe := newConsoleCommand(&app{})
	return probe.ParseFlags(args) == nil && probe.Flags().NArg() == 0
}

// newRootCommand returns the command tree.
func newRootCommand(a *app) *cobra.Command {
	root := newConsoleCommand(a)
	addCommands(a, root)
	return root
}

// newConsoleCommand returns the root command, which starts the console.
func newConsoleCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "waybill",
		Short: "A dispatch console for the terminal",
		Long: "Waybill shows which deliveries are late and why, and fixes them with one key.\n" +
			"It works with any service that implements the delivery interface and includes one.",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	console := a.addConsoleFlags(root)
	root.RunE = func(cmd *cobra.Command, _ []string) error { return a.runConsole(cmd.Context(), console) }
	a.addGlobalFlags(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		a.commandPath = cmd.CommandPath()
		return usageError{err}
	})
	return root
}

// addCommands adds the commands below the root command.
func addCommands(a *app, root *cobra.Command) {
	root.AddGroup(
		&cobra.Group{ID: groupWork, Title: "Deliveries"},
		&cobra.Group{ID: groupAccount, Title: "Accounts"},
		&cobra.Group{ID: groupService, Title: "Service"},
	)
	add := func(group string, commands ...*cobra.Command) {
		for _, cmd := range commands {
			cmd.GroupID = group
			root.AddCommand(cmd)
		}
	}
	add(groupWork, newBoardCommand(a), newDoCommand(a), newTasksCommand(a), newWorkersCommand(a), newTeamsCommand(a), newHubsCommand(a),
		newDestinationsCommand(a), newRecipientsCommand(a), newOrdersCommand(a), newQuoteCommand(a), newTemplatesCommand(a), newWebhooksCommand(a),
		newBatchCommand(a), newPlanCommand(a))
	add(groupAccount, newKeysCommand(a), newAuthCommand(a), newDoctorCommand(a))
	add(groupService, newServeCommand(a))
	root.AddCommand(newVersionCommand(a), newBenchCommand(a))
}
