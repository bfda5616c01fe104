// Package cli is the command line: one file a command, wiring only.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"waybill/settings"
)

// Version is the program's version; releases set it with -ldflags.
const Version = "0.1.0"

// Main runs the program and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, newApp(stdin, stdout, stderr, settings.SystemEnvironment()), args)
}

func run(ctx context.Context, a *app, args []string) int {
	root := newRootCommand(a)
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := fang.Execute(ctx, root,
		fang.WithVersion(Version),
		fang.WithErrorHandler(func(_ io.Writer, _ fang.Styles, err error) { a.printError(err) }),
	)
	return exitCode(err)
}

// newRootCommand puts the commands together.
func newRootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "waybill",
		Short: "A dispatch console for the terminal",
		Long: "Waybill shows which deliveries are late and why, and fixes them with one key.\n" +
			"It talks to any service that speaks the delivery interface, and brings one of its own.",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(a.stdout, "The console is not here yet. What works today: waybill --help")
			return nil
		},
	}
	a.addGlobalFlags(root)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newAuthCommand(a), newServeCommand(a))
	return root
}
