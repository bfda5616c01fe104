package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// Teams lists the teams of an organization in order of creation.
func (w *World) Teams(ctx context.Context, org model.ID) ([]model.Team, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) ([]model.Team, error) {
		teams, err := readTeams(ctx, tx, "SELECT hub, doc FROM teams WHERE org = $1 ORDER BY created, id", org)
		if err != nil {
			return nil, err
		}
		members, err := readIDGroups(tx.Query(ctx, `SELECT m.team, m.worker FROM team_workers m
			JOIN teams t ON t.id = m.team JOIN workers w ON w.id = m.worker WHERE t.org = $1 ORDER BY w.created, w.id`, org))
		if err != nil {
			return nil, err
		}
		managers, err := readIDGroups(tx.Query(ctx, `SELECT m.team, m.admin FROM team_managers m
			JOIN teams t ON t.id = m.team JOIN admins a ON a.id = m.admin WHERE t.org = $1 ORDER BY a.created, a.id`, org))
		if err != nil {
			return nil, err
		}
		tasks, err := readIDGroups(tx.Query(ctx, `SELECT k.container_owner, k.id FROM teams t
			JOIN tasks k ON k.container_owner = t.id AND k.state < 2 WHERE t.org = $1 ORDER BY k.container_owner, k.position`, org))
		for i := range teams {
			id := teams[i].ID
			fillTeam(&teams[i], members[id], managers[id], tasks[id])
		}
		return teams, err
	})
}

// Team reads a team.
func (w *World) Team(ctx context.Context, org, id model.ID) (model.Team, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Team, error) { return readTeam(ctx, tx, org, id) })
}

func readTeam(ctx context.Context, q store.Querier, org, id model.ID) (model.Team, error) {
	if err := checkOwner(ctx, q, "teams", org, id); err != nil {
		return model.Team{}, err
	}
	teams, err := readTeams(ctx, q, "SELECT hub, doc FROM teams WHERE id = $1", id)
	if err != nil {
		return model.Team{}, err
	}
	if len(teams) == 0 {
		return model.Team{}, NotFound()
	}
	members, err := readTeamWorkers(ctx, q, id)
	if err != nil {
		return model.Team{}, err
	}
	managers, err := readIDs(q.Query(ctx, `SELECT m.admin FROM team_managers m JOIN admins a ON a.id = m.admin
		WHERE m.team = $1 ORDER BY a.created, a.id`, id))
	if err != nil {
		return model.Team{}, err
	}
	tasks, err := readContainerTasks(ctx, q, id)
	if err != nil {
		return model.Team{}, err
	}
	fillTeam(&teams[0], members, managers, tasks)
	return teams[0], nil
}

func readTeamWorkers(ctx context.Context, q store.Querier, team model.ID) ([]model.ID, error) {
	return readIDs(q.Query(ctx, `SELECT m.worker FROM team_workers m JOIN workers w ON w.id = m.worker
		WHERE m.team = $1 ORDER BY w.created, w.id`, team))
}

func readTeams(ctx context.Context, q store.Querier, query string, args ...any) ([]model.Team, error) {
	teams := []model.Team{}
	err := eachRow(ctx, q, "read teams", query, args, func(row *sql.Rows) error {
		var hub sql.NullString
		var team model.Team
		err := row.Scan(&hub, fromDoc(&team))
		team.Hub = model.NullIfZero(model.ID(hub.String))
		teams = append(teams, team)
		return err
	})
	return teams, err
}

func fillTeam(team *model.Team, workers, managers, tasks []model.ID) {
	team.Workers = append([]model.ID{}, workers...)
	team.Managers = append([]model.ID{}, managers...)
	team.Tasks = append([]model.ID{}, tasks...)
}

// CreateTeam creates a team. Its name is unique within the organization.
func (w *World) CreateTeam(ctx context.Context, actor Actor, in model.TeamInput) (model.Team, error) {
	if problems := in.Check(); len(problems) > 0 {
		return model.Team{}, problems
	}
	now := w.Now()
	team := model.Team{
		ID: w.ids.ID(), Name: in.Name.Value(), TimeCreated: now.WholeSecond(), TimeLastModified: now,
		EnableSelfAssignment: model.Some(in.EnableSelfAssignment.Value()), Metadata: model.Some(teamMetadata(in)),
	}
	err := w.store.Write(ctx, func(tx *store.Tx) (err error) {
		tx.WriteUnique(ctx, teamNameTaken(), "insert team",
			"INSERT INTO teams (id, org, name_fold, created, modified, doc) VALUES ($1, $2, $3, $4, $5, $6)",
			team.ID, actor.Org, foldName(team.Name), now, now, asDoc(team))
		indexMetadata(ctx, tx, actor.Org, kindTeams, team.ID, team.Metadata.Value())
		setTeamLinks(ctx, tx, actor.Org, team.ID, in)
		team, err = readTeam(ctx, tx, actor.Org, team.ID)
		return err
	})
	return team, err
}

// teamNameTaken is the error that published clients expect for a name that another team has.
func teamNameTaken() *Error {
	e := ProblemsError(model.Problems{{Subcode: model.ErrorNotUnique, Text: "Name is not unique within org"}})
	e.Message = "One or more parameters that must be unique are not."
	return e
}

// UpdateTeam changes the members of a team that the body contains. Lists are replaced.
func (w *World) UpdateTeam(ctx context.Context, actor Actor, id model.ID, in model.TeamInput) (model.Team, error) {
	var team model.Team
	err := w.store.Write(ctx, func(tx *store.Tx) (err error) {
		if team, err = readOwned[model.Team](ctx, tx, "teams", actor.Org, id); err != nil {
			return err
		}
		if problems := in.CheckUpdate(); len(problems) > 0 {
			return problems
		}
		team.Name = in.Name.Or(team.Name)
		team.EnableSelfAssignment = model.Some(in.EnableSelfAssignment.Or(team.EnableSelfAssignment.Value()))
		if in.Metadata.Present() {
			team.Metadata = model.Some(teamMetadata(in))
		}
		team.TimeLastModified = w.Now()
		saveTeam(ctx, tx, actor.Org, team)
		setTeamLinks(ctx, tx, actor.Org, id, in)
		team, err = readTeam(ctx, tx, actor.Org, id)
		return err
	})
	return team, err
}

func saveTeam(ctx context.Context, tx *store.Tx, org model.ID, team model.Team) {
	tx.WriteUnique(ctx, teamNameTaken(), "update team", "UPDATE teams SET name_fold = $1, modified = $2, doc = $3 WHERE id = $4",
		foldName(team.Name), team.TimeLastModified, asDoc(team), team.ID)
	reindexMetadata(ctx, tx, org, kindTeams, team.ID, team.Metadata.Value())
}

// teamMetadata is never null: a team without metadata shows an empty list.
func teamMetadata(in model.TeamInput) []model.Metadata {
	return append([]model.Metadata{}, withVisibility(in.Metadata.Value())...)
}

// FindTeams lists the teams that have every metadata entry of the query.
func (w *World) FindTeams(ctx context.Context, org model.ID, query []model.Metadata) ([]model.Team, error) {
	return findAllByMetadata(ctx, w.store, kindTeams, org, query, func(tx *store.Tx, id model.ID) (model.Team, error) {
		return readTeam(ctx, tx, org, id)
	})
}

// setTeamLinks stores the workers, managers and hub that a body contains.
func setTeamLinks(ctx context.Context, tx *store.Tx, org, team model.ID, in model.TeamInput) {
	if workers, ok := in.Workers.Get(); ok {
		tx.Fail(setTeamWorkers(ctx, tx, org, team, removeDuplicates(workers)))
	}
	if managers, ok := in.Managers.Get(); ok {
		setTeamManagers(ctx, tx, org, team, removeDuplicates(managers))
	}
	if in.Hub.Present() {
		hub := in.Hub.Value()
		if hub != "" {
			tx.Fail(checkOwners(ctx, tx, "hubs", org, hub))
		}
		tx.Write(ctx, "set the team's hub", "UPDATE teams SET hub = $1 WHERE id = $2", nullID(hub), team)
	}
}

func setTeamManagers(ctx context.Context, tx *store.Tx, org, team model.ID, managers []model.ID) {
	tx.Fail(checkMembers(ctx, tx, "admins", org, managers))
	tx.Write(ctx, "forget the team's managers", "DELETE FROM team_managers WHERE team = $1", team)
	for _, admin := range managers {
		tx.Write(ctx, "add a manager to the team", "INSERT INTO team_managers (team, admin) VALUES ($1, $2)", team, admin)
	}
}

// setTeamWorkers replaces the members of a team. Every worker must be in a team, which decides who sees the worker and
// which tasks they get.
func setTeamWorkers(ctx context.Context, tx *store.Tx, org, team model.ID, workers []model.ID) error {
	tx.Fail(checkMembers(ctx, tx, "workers", org, workers))
	before, err := readTeamWorkers(ctx, tx, team)
	if err != nil {
		return err
	}
	for _, worker := range before {
		if slices.Contains(workers, worker) {
			continue
		}
		tx.Write(ctx, "take a worker from the team",
			"DELETE FROM team_workers WHERE team = $1 AND worker = $2", team, worker)
		var others int
		if err := tx.QueryRow(ctx, "SELECT COUNT(*) FROM team_workers WHERE worker = $1", worker).Scan(&others); err != nil {
			return fmt.Errorf("count teams of the worker: %w", err)
		}
		if others == 0 {
			return Invalid("workers: Worker %s would not be in any team. Add the worker to another team first.", worker)
		}
	}
	for _, worker := range workers {
		joinTeam(ctx, tx, team, worker)
	}
	return nil
}

func joinTeam(ctx context.Context, tx *store.Tx, team, worker model.ID) {
	tx.Write(ctx, "add a worker to the team",
		"INSERT INTO team_workers (team, worker) VALUES ($1, $2) ON CONFLICT DO NOTHING", team, worker)
}

// checkMembers refuses unknown members with the cause that published clients expect.
func checkMembers(ctx context.Context, q store.Querier, table string, org model.ID, ids []model.ID) error {
	err := checkOwners(ctx, q, table, org, ids...)
	var refusal *Error
	if errors.As(err, &refusal) && refusal.Subcode == model.ErrorNotFound {
		missing := refusal.Cause.Value().Text
		refusal = Invalid("Invalid managers or workers for team")
		refusal.Message = "There is no " + missing + "."
		return refusal
	}
	return err
}

// DeleteTeam deletes a team without members. Its tasks go back to the organization.
func (w *World) DeleteTeam(ctx context.Context, actor Actor, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		team, err := readTeam(ctx, tx, actor.Org, id)
		if err != nil {
			return err
		}
		if reason := model.DeleteTeamForbidden(&team); reason != "" {
			return Conflict("%s", reason)
		}
		w.ReleaseContainer(ctx, tx, actor, model.TeamContainer(id))
		deleteResource(ctx, tx, "teams", id)
		return nil
	})
}
