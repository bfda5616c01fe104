package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"waybill/apiclient"
)

// refuseWhenReadOnly makes commands that change local files fail with --readonly before they start. The client refuses
// changes at a service.
func (a *app) refuseWhenReadOnly(commands ...*cobra.Command) {
	refuseWhen(commands, func(cmd *cobra.Command) error {
		if a.flags.readOnly {
			return fmt.Errorf("%s changes local files: %w; run it without --readonly", cmd.CommandPath(), apiclient.ErrReadOnly)
		}
		return nil
	})
}

// refuseWhenReadOnlyOrDryRun is refuseWhenReadOnly for commands that change a data folder. They also refuse --dry-run,
// because they send no requests that a dry run could print.
func (a *app) refuseWhenReadOnlyOrDryRun(commands ...*cobra.Command) {
	refuseWhen(commands, func(*cobra.Command) error {
		if a.flags.dryRun {
			return usageError{errors.New("--dry-run is not supported: this command changes a data folder and sends no requests")}
		}
		return nil
	})
	a.refuseWhenReadOnly(commands...)
}

// refuseWhen makes commands fail with the error of check before they start.
func refuseWhen(commands []*cobra.Command, check func(*cobra.Command) error) {
	for _, cmd := range commands {
		run := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd); err != nil {
				return err
			}
			return run(cmd, args)
		}
	}
}
