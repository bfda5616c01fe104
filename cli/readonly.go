package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"waybill/apiclient"
)

// refuseWhenReadOnly makes commands that change files of this machine refuse under --readonly, before they look at anything. What
// would be sent to a service is refused where it is sent.
func (a *app) refuseWhenReadOnly(commands ...*cobra.Command) {
	for _, cmd := range commands {
		run := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if a.flags.readOnly {
				return fmt.Errorf("%s writes on this machine, and --readonly refuses every change: %w; leave the flag out to do it",
					cmd.CommandPath(), apiclient.ErrReadOnly)
			}
			return run(cmd, args)
		}
	}
}

// refuseWhenReadOnlyOrDryRun is changing for commands that work on a data folder itself. They have no request that --dry-run could
// show, and what is meant to change nothing must not.
func (a *app) refuseWhenReadOnlyOrDryRun(commands ...*cobra.Command) {
	for _, cmd := range commands {
		run := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if a.flags.dryRun {
				return usageError{errors.New("--dry-run shows requests; this command changes the data folder itself and makes none")}
			}
			return run(cmd, args)
		}
	}
	a.refuseWhenReadOnly(commands...)
}
