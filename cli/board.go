package cli

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/board"
	"waybill/settings"
	"waybill/ui"
)

func newBoardCommand(a *app) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use: "board", Short: "Print late tasks, unassigned tasks and drivers on duty", Args: cobra.NoArgs,
		Long: "Prints the counters and lists of the console as plain lines, for screen readers, mail or a log.",
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			if s.account.file == nil {
				return errNoAccount // a dry run has to read the board too
			}
			return a.printBoard(ctx, s.client, s.account.file.Settings, a.now, limit)
		}),
	}
	minIntVar(cmd.Flags(), &limit, "limit", 20, 0, "maximum number of lines per list; 0 for all")
	return cmd
}

// readOptions returns how to read the board, and the zone for printing times.
func (a *app) readOptions(s settings.Settings, now func() time.Time) (ui.ReadOptions, settings.TimeZone) {
	judged := board.DefaultSettings()
	judged.AtRisk, judged.Silent = cmp.Or(s.Late.AtRisk, judged.AtRisk), cmp.Or(s.Late.Silent, judged.Silent)
	zone := cmp.Or(settings.TimeZone(a.flags.timeZone), s.TimeZone)
	return ui.ReadOptions{Limits: judged, Now: now, Zone: zone.Location(nil)}, zone
}

// printBoard reads the board once and prints it.
func (a *app) printBoard(ctx context.Context, client *apiclient.Client, s settings.Settings, now func() time.Time, limit int) error {
	options, zone := a.readOptions(s, now)
	snapshot, organization, err := ui.Read(ctx, client, options)
	if err != nil {
		return err
	}
	return ui.PrintBoard(a.stdout, snapshot, ui.PrintOptions{
		Zone: zone.Location(loadZone(organization.Timezone)), Organization: organization.Name, Limit: limit,
	})
}
