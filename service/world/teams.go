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
	var teams []model.Team
	err := w.store.Read(ctx, func(tx *store.Tx) (err error) {
		teams, err = readTeams(tx.Query(ctx, "SELECT hub, doc FROM teams WHERE org = $1 ORDER BY created, id", org))
		if err != nil {
			return err
		}
		members, err := readGroups(tx.Query(ctx, `SELECT m.team, m.worker FROM team_workers m
			JOIN teams t ON t.id = m.team JOIN workers w ON w.id = m.worker WHERE t.org = $1 ORDER BY w.created, w.id`, org))
		if err != nil {
			return err
		}
		managers, err := readGroups(tx.Query(ctx, `SELECT m.team, m.admin FROM team_managers m
			JOIN teams t ON t.id = m.team JOIN admins a ON a.id = m.admin WHERE t.org = $1 ORDER BY a.created, a.id`, org))
		if err != nil {
			return err
		}
		tasks, err := readGroups(tx.Query(ctx, `SELECT k.container_owner, k.id FROM teams t
			JOIN tasks k ON k.container_owner = t.id AND k.state < 2 WHERE t.org = $1 ORDER BY k.container_owner, k.position`, org))
		if err != nil {
			return err
		}
		for i := range teams {
			id := teams[i].ID
			fillTeam(&teams[i], members[id], managers[id], tasks[id])
		}
		return nil
	})
	return teams, err
}

// Team reads a team.
func (w *World) Team(ctx context.Context, org, id model.ID) (model.Team, error) {
	var team model.Team
	err := w.store.Read(ctx, func(tx *store.Tx) (err error) {
		team, err = readTeam(ctx, tx, org, id)
		return err
	})
	return team, err
}

func readTeam(ctx context.Context, q store.Querier, org, id model.ID) (model.Team, error) {
	if err := mustExist(ctx, q, "teams", org, id); err != nil {
		return model.Team{}, err
	}
	teams, err := readTeams(q.Query(ctx, "SELECT hub, doc FROM teams WHERE id = $1", id))
	if err != nil {
		return model.Team{}, err
	}
	if len(teams) == 0 {
		return model.Team{}, NotFound()
	}
	members, err := teamWorkers(ctx, q, id)
	if err != nil {
		return model.Team{}, err
	}
	managers, err := readIDs(q.Query(ctx, `SELECT m.admin FROM team_managers m JOIN admins a ON a.id = m.admin
		WHERE m.team = $1 ORDER BY a.created, a.id`, id))
	if err != nil {
		return model.Team{}, err
	}
	tasks, err := containerTasks(ctx, q, id)
	if err != nil {
		return model.Team{}, err
	}
	fillTeam(&teams[0], members, managers, tasks)
	return teams[0], nil
}

func teamWorkers(ctx context.Context, q store.Querier, team model.ID) ([]model.ID, error) {
	return readIDs(q.Query(ctx, `SELECT m.worker FROM team_workers m JOIN workers w ON w.id = m.worker
		WHERE m.team = $1 ORDER BY w.created, w.id`, team))
}

func readTeams(rows *sql.Rows, err error) ([]model.Team, error) {
	if err != nil {
		return nil, fmt.Errorf("query teams: %w", err)
	}
	defer rows.Close()
	teams := []model.Team{}
	for rows.Next() {
		var hub sql.NullString
		var doc []byte
		if err := rows.Scan(&hub, &doc); err != nil {
			return nil, fmt.Errorf("read team: %w", err)
		}
		var team model.Team
		if err := model.Unmarshal(doc, &team); err != nil {
			return nil, fmt.Errorf("decode stored team: %w", err)
		}
		team.Hub = model.NullIfZero(model.ID(hub.String))
		teams = append(teams, team)
	}
	return teams, rows.Err()
}

func fillTeam(team *model.Team, workers, managers, tasks []model.ID) {
	team.Workers = append([]model.ID{}, workers...)
	team.Managers = append([]model.ID{}, managers...)
	team.Tasks = append([]model.ID{}, tasks...)
}

// CreateTeam makes a team. Its name is unique in the organization.
func (w *World) CreateTeam(ctx context.Context, actor Actor, in model.TeamInput) (model.Team, error) {
	if problems := in.Check(); len(problems) > 0 {
		return model.Team{}, problems
	}
	now := w.Now()
	team := model.Team{
		ID: w.ids.ID(), Name: in.Name.Value(), TimeCreated: now.WholeSecond(), TimeLastModified: now,
		EnableSelfAssignment: model.Some(in.EnableSelfAssignment.Value()), Metadata: model.Some(teamMetadata(in)),
	}
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		doc, err := model.Marshal(team)
		if err != nil {
			return fmt.Errorf("encode team: %w", err)
		}
		_, err = tx.Exec(ctx, "INSERT INTO teams (id, org, name_fold, created, modified, doc) VALUES ($1, $2, $3, $4, $5, $6)",
			team.ID, actor.Org, foldName(team.Name), now, now, string(doc))
		if store.IsUnique(err) {
			return teamNameTaken()
		}
		if err != nil {
			return fmt.Errorf("insert team: %w", err)
		}
		if err := indexMetadata(ctx, tx, actor.Org, kindTeams, team.ID, team.Metadata.Value()); err != nil {
			return err
		}
		if err := setTeamLinks(ctx, tx, actor.Org, team.ID, in); err != nil {
			return err
		}
		team, err = readTeam(ctx, tx, actor.Org, team.ID)
		return err
	})
	return team, err
}

func teamNameTaken() *Error { return notUnique("Name is not unique within org") }

// UpdateTeam changes what the body names of a team; lists are replaced.
func (w *World) UpdateTeam(ctx context.Context, actor Actor, id model.ID, in model.TeamInput) (model.Team, error) {
	var team model.Team
	err := w.store.Write(ctx, func(tx *store.Tx) (err error) {
		if team, err = ownDoc[model.Team](ctx, tx, "teams", actor.Org, id); err != nil {
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
		if err := saveTeam(ctx, tx, actor.Org, team); err != nil {
			return err
		}
		if err := setTeamLinks(ctx, tx, actor.Org, id, in); err != nil {
			return err
		}
		team, err = readTeam(ctx, tx, actor.Org, id)
		return err
	})
	return team, err
}

func saveTeam(ctx context.Context, tx *store.Tx, org model.ID, team model.Team) error {
	doc, err := model.Marshal(team)
	if err != nil {
		return fmt.Errorf("encode team: %w", err)
	}
	_, err = tx.Exec(ctx, "UPDATE teams SET name_fold = $1, modified = $2, doc = $3 WHERE id = $4",
		foldName(team.Name), team.TimeLastModified, string(doc), team.ID)
	if store.IsUnique(err) {
		return teamNameTaken()
	}
	if err != nil {
		return fmt.Errorf("update team: %w", err)
	}
	return reindexMetadata(ctx, tx, org, kindTeams, team.ID, team.Metadata.Value())
}

// teamMetadata is never null: a team without metadata shows an empty list.
func teamMetadata(in model.TeamInput) []model.Metadata {
	return append([]model.Metadata{}, visibleMetadata(in.Metadata.Value())...)
}

// FindTeams lists the teams whose metadata has every entry of the query.
func (w *World) FindTeams(ctx context.Context, org model.ID, query []model.Metadata) ([]model.Team, error) {
	teams := []model.Team{}
	err := w.store.Read(ctx, func(tx *store.Tx) error {
		ids, err := findByMetadata(ctx, tx, org, kindTeams, query)
		if err != nil {
			return err
		}
		for _, id := range ids {
			team, err := readTeam(ctx, tx, org, id)
			if err != nil {
				return err
			}
			teams = append(teams, team)
		}
		return nil
	})
	return teams, err
}

// setTeamLinks stores the workers, managers and hub that a body names.
func setTeamLinks(ctx context.Context, tx *store.Tx, org, team model.ID, in model.TeamInput) error {
	if workers, ok := in.Workers.Get(); ok {
		if err := setTeamWorkers(ctx, tx, org, team, unique(workers)); err != nil {
			return err
		}
	}
	if managers, ok := in.Managers.Get(); ok {
		if err := setTeamManagers(ctx, tx, org, team, unique(managers)); err != nil {
			return err
		}
	}
	if in.Hub.Present() {
		hub, named := in.Hub.Get()
		if named {
			if err := mustOwn(ctx, tx, "hubs", org, hub); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, "UPDATE teams SET hub = $1 WHERE id = $2", sql.NullString{String: string(hub), Valid: named}, team); err != nil {
			return fmt.Errorf("set the team's hub: %w", err)
		}
	}
	return nil
}

func setTeamManagers(ctx context.Context, tx *store.Tx, org, team model.ID, managers []model.ID) error {
	if err := mustBeMembers(ctx, tx, "admins", org, managers); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM team_managers WHERE team = $1", team); err != nil {
		return fmt.Errorf("forget the team's managers: %w", err)
	}
	for _, admin := range managers {
		if _, err := tx.Exec(ctx, "INSERT INTO team_managers (team, admin) VALUES ($1, $2)", team, admin); err != nil {
			return fmt.Errorf("add a manager to the team: %w", err)
		}
	}
	return nil
}

// setTeamWorkers replaces the members of a team. Nobody may be left without a team: a worker's team decides who sees
// the worker and which tasks they are offered.
func setTeamWorkers(ctx context.Context, tx *store.Tx, org, team model.ID, workers []model.ID) error {
	if err := mustBeMembers(ctx, tx, "workers", org, workers); err != nil {
		return err
	}
	before, err := teamWorkers(ctx, tx, team)
	if err != nil {
		return err
	}
	for _, worker := range before {
		if slices.Contains(workers, worker) {
			continue
		}
		if _, err := tx.Exec(ctx, "DELETE FROM team_workers WHERE team = $1 AND worker = $2", team, worker); err != nil {
			return fmt.Errorf("take a worker from the team: %w", err)
		}
		var others int
		if err := tx.QueryRow(ctx, "SELECT COUNT(*) FROM team_workers WHERE worker = $1", worker).Scan(&others); err != nil {
			return fmt.Errorf("count the worker's teams: %w", err)
		}
		if others == 0 {
			return Invalid("workers: The worker %s would be in no team. Add it to another team first.", worker)
		}
	}
	for _, worker := range workers {
		if err := joinTeam(ctx, tx, team, worker); err != nil {
			return err
		}
	}
	return nil
}

func joinTeam(ctx context.Context, tx *store.Tx, team, worker model.ID) error {
	if _, err := tx.Exec(ctx, "INSERT INTO team_workers (team, worker) VALUES ($1, $2) ON CONFLICT DO NOTHING", team, worker); err != nil {
		return fmt.Errorf("add a worker to the team: %w", err)
	}
	return nil
}

// mustBeMembers refuses members that do not exist in the words that published clients know.
func mustBeMembers(ctx context.Context, q store.Querier, table string, org model.ID, ids []model.ID) error {
	err := mustOwn(ctx, q, table, org, ids...)
	var refusal *Error
	if errors.As(err, &refusal) && refusal.Subcode == model.ErrorNotFound {
		missing := refusal.Cause.Value().Text
		refusal = Invalid("Invalid managers or workers for team")
		refusal.Message = "There is no " + missing + "."
		return refusal
	}
	return err
}

// DeleteTeam removes a team that has no members. Tasks that wait for it go back to the organization.
func (w *World) DeleteTeam(ctx context.Context, actor Actor, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		team, err := readTeam(ctx, tx, actor.Org, id)
		if err != nil {
			return err
		}
		if reason := model.DeleteTeamForbidden(&team); reason != "" {
			return Conflict("%s", reason)
		}
		if err := w.ReleaseContainer(ctx, tx, actor, model.TeamContainer(id)); err != nil {
			return err
		}
		return forget(ctx, tx, id, "DELETE FROM teams WHERE id = $1")
	})
}
