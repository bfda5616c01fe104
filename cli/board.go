package cli

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/model"
	"waybill/settings"
	"waybill/ui"
)

func newBoardCommand(a *app) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use: "board", Short: "Print what is late, waiting and on duty", Args: cobra.NoArgs,
		Long: "Prints the counters and queues of the console as plain lines: for screen readers, for mail, for a log.",
		RunE: a.online(func(ctx context.Context, s *session, _ []string) error {
			if s.target.file == nil {
				return errNoTarget // a dry run reads all the same
			}
			return a.printBoard(ctx, s.client, s.target.file.Settings, a.now, limit)
		}),
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "at most this many lines of each queue; 0 for all")
	return cmd
}

// printBoard reads everything once and prints it.
func (a *app) printBoard(ctx context.Context, client *apiclient.Client, s settings.Settings, now func() time.Time, limit int) error {
	snapshot, organization, err := a.readBoard(ctx, client, s, now)
	if err != nil {
		return err
	}
	at, err := time.LoadLocation(organization.Timezone)
	if err != nil {
		at = nil
	}
	return ui.PrintBoard(a.stdout, snapshot, ui.PrintOptions{
		Zone: a.boardZone(s).Location(at), Organization: organization.Name, Limit: limit,
	})
}

// readBoard reads everything that the console would show, once.
func (a *app) readBoard(
	ctx context.Context, client *apiclient.Client, s settings.Settings, now func() time.Time,
) (*model.Snapshot, model.Organization, error) {
	judged := model.DefaultSettings()
	judged.AtRisk, judged.Silent = cmp.Or(s.Late.AtRisk, judged.AtRisk), cmp.Or(s.Late.Silent, judged.Silent)
	return ui.Read(ctx, client, judged, now, a.boardZone(s).Location(nil))
}

func (a *app) boardZone(s settings.Settings) settings.TimeZone {
	return cmp.Or(settings.TimeZone(a.flags.timeZone), s.TimeZone)
}
