package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/model"
)

func newTeamsCommand(a *app) *cobra.Command {
	return newGroup(&cobra.Command{Use: "teams", Aliases: []string{"team"}, Short: "Teams of workers", Long: "Identify a team by id or name."},
		&cobra.Command{
			Use: "ls", Aliases: []string{"list"}, Short: "List teams", Args: cobra.NoArgs,
			RunE: listObjects(a, func(ctx context.Context, s *session) ([]model.Team, error) { return s.client.Teams(ctx) },
				"No teams.", func(_ *session, _ context.Context, t model.Team) []string {
					return []string{t.Name, strconv.Itoa(len(t.Workers)), strconv.Itoa(len(t.Tasks)), dashIfEmpty(string(t.Hub.Value())), string(t.ID)}
				}, "TEAM", "WORKERS", "TASKS", "HUB", "ID"),
		},
		&cobra.Command{
			Use: "get TEAM", Short: "Show a team in full", Args: cobra.ExactArgs(1),
			RunE: showObject(a, (*session).teamID, (*apiclient.Client).Team, (*session).printTeam),
		},
		newTeamsDispatchCommand(a),
	)
}

func (s *session) printTeam(ctx context.Context, t model.Team) {
	s.printField("team", t.Name)
	s.printField("id", string(t.ID))
	s.printField("hub", string(t.Hub.Value()))
	s.printField("tasks", fmt.Sprintf("%d unassigned", len(t.Tasks)))
	for _, worker := range t.Workers {
		s.printField("worker", s.workerName(ctx, model.Some(worker)))
	}
	for _, manager := range t.Managers {
		s.printField("manager", string(manager))
	}
	if t.EnableSelfAssignment.Or(false) {
		s.printField("", "workers may assign tasks to themselves")
	}
}

func dashIfEmpty(text string) string { return cmp.Or(text, "-") }

func newHubsCommand(a *app) *cobra.Command {
	return newGroup(&cobra.Command{Use: "hubs", Aliases: []string{"hub"}, Short: "Depots"}, &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List hubs", Args: cobra.NoArgs,
		RunE: listObjects(a, func(ctx context.Context, s *session) ([]model.Hub, error) { return s.client.Hubs(ctx) },
			"No hubs.", func(_ *session, _ context.Context, h model.Hub) []string {
				return []string{h.Name, h.Address.Line(), h.Location.Text(), strconv.Itoa(len(h.Teams)), string(h.ID)}
			}, "HUB", "ADDRESS", "LAT, LON", "TEAMS", "ID"),
	})
}
