package world

import (
	"context"
	"errors"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// Teams lists the teams of an organization in order of creation.
func (w *World) Teams(ctx context.Context, org model.ID) ([]model.Team, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) ([]model.Team, error) {
		teams, err := readRows(ctx, tx, "read teams", "SELECT doc, hub FROM teams WHERE org = $1 ORDER BY created, id", []any{org},
			func(team *model.Team) []any { return []any{fromDoc(team), orNull(&team.Hub)} })
		members := readIDGroups(ctx, tx, `SELECT m.team, m.worker FROM team_workers m
			JOIN teams t ON t.id = m.team JOIN workers w ON w.id = m.worker WHERE t.org = $1 ORDER BY w.created, w.id`, org)
		managers := readIDGroups(ctx, tx, `SELECT m.team, m.admin FROM team_managers m
			JOIN teams t ON t.id = m.team JOIN admins a ON a.id = m.admin WHERE t.org = $1 ORDER BY a.created, a.id`, org)
		tasks := readIDGroups(ctx, tx, `SELECT k.container_owner, k.id FROM teams t
			JOIN tasks k ON k.container_owner = t.id AND k.state < 2 WHERE t.org = $1 ORDER BY k.container_owner, k.position`, org)
		for i := range teams {
			id := teams[i].ID
			teams[i].Workers, teams[i].Managers, teams[i].Tasks = members[id], managers[id], tasks[id]
		}
		return teams, err
	})
}

// Team reads a team.
func (w *World) Team(ctx context.Context, org, id model.ID) (model.Team, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Team, error) { return readTeam(ctx, tx, org, id) })
}

func readTeam(ctx context.Context, tx *store.Tx, org, id model.ID) (team model.Team, err error) {
	err = scanOwned(tx.QueryRow(ctx, "SELECT org, doc, hub FROM teams WHERE id = $1", id), org, fromDoc(&team), orNull(&team.Hub))
	if err != nil {
		return team, err
	}
	team.Workers = readTeamWorkers(ctx, tx, id)
	team.Managers = readIDs(ctx, tx, `SELECT m.admin FROM team_managers m JOIN admins a ON a.id = m.admin
		WHERE m.team = $1 ORDER BY a.created, a.id`, id)
	team.Tasks = readContainerTasks(ctx, tx, id)
	return team, tx.Err()
}

func readTeamWorkers(ctx context.Context, tx *store.Tx, team model.ID) []model.ID {
	return readIDs(ctx, tx, `SELECT m.worker FROM team_workers m JOIN workers w ON w.id = m.worker
		WHERE m.team = $1 ORDER BY w.created, w.id`, team)
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
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Team, error) {
		saveTeam(ctx, tx, actor.Org, team, in)
		return readTeam(ctx, tx, actor.Org, team.ID)
	})
}

// teamNameTaken is the error that published clients expect for a name that another team has.
func teamNameTaken() *Error {
	e := ProblemsError(model.Problems{{Subcode: model.ErrorNotUnique, Text: "Name is not unique within org"}})
	e.Message = "One or more parameters that must be unique are not."
	return e
}

// UpdateTeam changes the members of a team that the body contains. Lists are replaced.
func (w *World) UpdateTeam(ctx context.Context, actor Actor, id model.ID, in model.TeamInput) (model.Team, error) {
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Team, error) {
		team, err := readOwned[model.Team](ctx, tx, "teams", actor.Org, id)
		if err != nil {
			return team, err
		}
		if problems := in.CheckUpdate(); len(problems) > 0 {
			return team, problems
		}
		team.Name = in.Name.Or(team.Name)
		team.EnableSelfAssignment = model.Some(in.EnableSelfAssignment.Or(team.EnableSelfAssignment.Value()))
		if in.Metadata.Present() {
			team.Metadata = model.Some(teamMetadata(in))
		}
		team.TimeLastModified = w.Now()
		saveTeam(ctx, tx, actor.Org, team, in)
		return readTeam(ctx, tx, actor.Org, id)
	})
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

// saveTeam stores a new or changed team, and the workers, managers and hub that a body contains.
func saveTeam(ctx context.Context, tx *store.Tx, org model.ID, team model.Team, in model.TeamInput) {
	tx.WriteUnique(ctx, teamNameTaken(), "save team",
		`INSERT INTO teams (id, org, name_fold, created, modified, doc) VALUES ($1, $2, $3, $4, $4, $5)
		ON CONFLICT (id) DO UPDATE SET name_fold = excluded.name_fold, modified = excluded.modified, doc = excluded.doc`,
		team.ID, org, foldName(team.Name), team.TimeLastModified, asDoc(team))
	reindexMetadata(ctx, tx, org, kindTeams, team.ID, team.Metadata.Value())
	if workers, ok := in.Workers.Get(); ok {
		tx.Fail(setTeamWorkers(ctx, tx, org, team.ID, removeDuplicates(workers)))
	}
	if managers, ok := in.Managers.Get(); ok {
		setTeamManagers(ctx, tx, org, team.ID, removeDuplicates(managers))
	}
	if in.Hub.Present() {
		if hub, ok := in.Hub.Get(); ok && hub != "" {
			tx.Fail(checkOwners(ctx, tx, "hubs", org, hub))
		}
		tx.Write(ctx, "set the team's hub", "UPDATE teams SET hub = $1 WHERE id = $2", nullID(in.Hub.Value()), team.ID)
	}
}

func setTeamManagers(ctx context.Context, tx *store.Tx, org, team model.ID, managers []model.ID) {
	tx.Fail(checkMembers(ctx, tx, "admins", org, managers))
	tx.Write(ctx, "remove the team's managers", "DELETE FROM team_managers WHERE team = $1", team)
	for _, admin := range managers {
		tx.Write(ctx, "add a manager to the team", "INSERT INTO team_managers (team, admin) VALUES ($1, $2)", team, admin)
	}
}

// setTeamWorkers replaces the members of a team. Every worker must be in a team, which decides who sees the worker and
// which tasks they get.
func setTeamWorkers(ctx context.Context, tx *store.Tx, org, team model.ID, workers []model.ID) error {
	tx.Fail(checkMembers(ctx, tx, "workers", org, workers))
	for _, worker := range readTeamWorkers(ctx, tx, team) {
		if slices.Contains(workers, worker) {
			continue
		}
		tx.Write(ctx, "remove a worker from the team", "DELETE FROM team_workers WHERE team = $1 AND worker = $2", team, worker)
		others, err := countRows(ctx, tx, "FROM team_workers WHERE worker = $1", worker)
		if err != nil {
			return err
		}
		if others == 0 {
			return Invalid("workers: Worker %s would not be in any team. Add the worker to another team first.", worker)
		}
	}
	for _, worker := range workers {
		addToTeam(ctx, tx, team, worker)
	}
	return nil
}

func addToTeam(ctx context.Context, tx *store.Tx, team, worker model.ID) {
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
