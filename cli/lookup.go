package cli

import (
	"cmp"
	"context"
	"fmt"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
)

// findTask loads a task by id or short id.
func (s *session) findTask(ctx context.Context, text string) (model.Task, error) {
	switch {
	case model.ShortID(text).Valid():
		return s.client.TaskByShortID(ctx, model.ShortID(text))
	case model.ID(text).Valid():
		return s.client.Task(ctx, model.ID(text))
	}
	return model.Task{}, asUsage(&operations.IDError{Noun: "task", Text: text})
}

// taskID returns the id of a task. It asks the service only for short ids.
func (s *session) taskID(ctx context.Context, text string) (model.ID, error) {
	if model.ID(text).Valid() {
		return model.ID(text), nil
	}
	task, err := s.findTask(ctx, text)
	return task.ID, err
}

// parseID parses an id of 24 characters.
func parseID(text, noun string) (model.ID, error) {
	if id := model.ID(text); id.Valid() {
		return id, nil
	}
	return "", usageError{fmt.Errorf("invalid %s id %.60q: ids have %d characters of A-Z, a-z, 0-9, * and ~",
		noun, model.Clean(text), model.IDLength)}
}

// workerID returns the id of a worker given by id or name.
func (s *session) workerID(ctx context.Context, text string) (model.ID, error) {
	return resolveID(ctx, text, "worker", s.loadWorkers)
}

// teamID returns the id of a team given by id or name.
func (s *session) teamID(ctx context.Context, text string) (model.ID, error) {
	return resolveID(ctx, text, "team", s.loadTeams)
}

// resolveID returns an id as it is, and loads the names only for a name.
func resolveID(ctx context.Context, text, noun string, load func(context.Context) ([]operations.Named, error)) (model.ID, error) {
	if id := model.ID(text); id.Valid() {
		return id, nil
	}
	all, err := load(ctx)
	if err != nil {
		return "", err
	}
	found, err := operations.ResolveName(all, text, noun)
	return found.ID, asUsage(err)
}

// loadTeams returns all teams. It loads them once.
func (s *session) loadTeams(ctx context.Context) ([]operations.Named, error) {
	if s.teams != nil {
		return s.teams, nil
	}
	teams, err := s.client.Teams(ctx)
	for _, t := range teams {
		s.teams = append(s.teams, operations.Named{ID: t.ID, Name: t.Name})
	}
	return s.teams, err
}

// loadWorkers returns the names of all workers.
func (s *session) loadWorkers(ctx context.Context) ([]operations.Named, error) {
	workers, err := s.client.Workers(ctx, apiclient.WorkersQuery{Fields: []string{"id", "name"}})
	all := make([]operations.Named, len(workers))
	for i, w := range workers {
		all[i] = operations.Named{ID: w.ID, Name: w.Name}
	}
	return all, err
}

// workerName returns the name of a worker, or the id if the names cannot be loaded. It loads all names once.
func (s *session) workerName(ctx context.Context, id model.Opt[model.ID]) string {
	worker, ok := id.Get()
	if !ok {
		return "-"
	}
	if s.workerNames == nil {
		s.workerNames = map[model.ID]string{}
		workers, err := s.loadWorkers(ctx)
		if err != nil {
			s.printNote("Cannot load the names of workers: %s.", apiclient.ErrorText(err))
		}
		for _, w := range workers {
			s.workerNames[w.ID] = w.Name
		}
	}
	return cmp.Or(s.workerNames[worker], string(worker))
}
