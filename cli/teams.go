package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newTeamsCommand(a *app) *cobra.Command {
	teams := &cobra.Command{Use: "teams", Aliases: []string{"team"}, Short: "Teams of workers", Long: "A team is given by id or name."}
	teams.AddCommand(
		&cobra.Command{
			Use: "ls", Aliases: []string{"list"}, Short: "List teams", Args: cobra.NoArgs,
			RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
				teams, err := s.client.Teams(ctx)
				if err != nil {
					return err
				}
				return printList(a, teams, "No teams.", func(t model.Team) []string {
					return []string{t.Name, strconv.Itoa(len(t.Workers)), strconv.Itoa(len(t.Tasks)), dashIfEmpty(string(t.Hub.Value())), string(t.ID)}
				}, "TEAM", "WORKERS", "TASKS", "HUB", "ID")
			}),
		},
		&cobra.Command{
			Use: "get TEAM", Short: "Show a team in full", Args: cobra.ExactArgs(1),
			RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
				id, err := s.teamID(ctx, args[0])
				if err != nil {
					return err
				}
				team, err := s.client.Team(ctx, id)
				if err != nil {
					return err
				}
				return a.printResult(team, func() { s.printTeam(ctx, team) })
			}),
		},
		newTeamsDispatchCommand(a),
	)
	return teams
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

func dashIfEmpty(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func newHubsCommand(a *app) *cobra.Command {
	hubs := &cobra.Command{Use: "hubs", Aliases: []string{"hub"}, Short: "Depots"}
	hubs.AddCommand(&cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List hubs", Args: cobra.NoArgs,
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			hubs, err := s.client.Hubs(ctx)
			if err != nil {
				return err
			}
			return printList(a, hubs, "No hubs.", func(h model.Hub) []string {
				return []string{h.Name, h.Address.Line(), formatLocation(h.Location), strconv.Itoa(len(h.Teams)), string(h.ID)}
			}, "HUB", "ADDRESS", "LOCATION", "TEAMS", "ID")
		}),
	})
	return hubs
}
