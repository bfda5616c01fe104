package cli

import (
	"context"
	"fmt"
	"strings"

	"waybill/apiclient"
	"waybill/model"
)

// findTask loads a task by id or short id.
func (s *session) findTask(ctx context.Context, text string) (model.Task, error) {
	switch {
	case model.ShortID(text).Valid():
		return s.client.TaskByShortID(ctx, model.ShortID(text))
	case model.ID(text).Valid():
		return s.client.Task(ctx, model.ID(text))
	}
	return model.Task{}, invalidIDError(text, "task")
}

// checkTaskArgs refuses what cannot be a task before anyone is asked about it.
func checkTaskArgs(args []string) error {
	for _, text := range args {
		if !model.ShortID(text).Valid() && !model.ID(text).Valid() {
			return invalidIDError(text, "task")
		}
	}
	return nil
}

// taskID asks the service only for short ids.
func (s *session) taskID(ctx context.Context, text string) (model.ID, error) {
	if model.ID(text).Valid() {
		return model.ID(text), nil
	}
	task, err := s.findTask(ctx, text)
	return task.ID, err
}

func (s *session) taskIDs(ctx context.Context, texts []string) ([]model.ID, error) {
	ids := make([]model.ID, len(texts))
	for i, text := range texts {
		id, err := s.taskID(ctx, text)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}

func invalidIDError(text, what string) error {
	return usageError{fmt.Errorf("invalid %s id %.60q: ids have %d characters, short ids %d hex digits",
		what, model.Clean(text), model.IDLength, model.ShortIDLength)}
}

// parseID takes an id and nothing else.
func parseID(text, what string) (model.ID, error) {
	if id := model.ID(text); id.Valid() {
		return id, nil
	}
	return "", usageError{fmt.Errorf("invalid %s id %.60q: ids have %d characters of A-Z, a-z, 0-9, * and ~",
		what, model.Clean(text), model.IDLength)}
}

// named is something that people know by its name.
type named struct {
	id   model.ID
	name string
}

// unknownName says that nothing is called so.
type unknownName struct{ what, name string }

func (e unknownName) Error() string {
	return fmt.Sprintf("there is no %s called %.60q", e.what, model.Clean(e.name))
}

func (e unknownName) Unwrap() error { return apiclient.ErrNotFound }

// findNamed picks the one of that name; upper and lower case are the same.
func findNamed(all []named, text, what string) (model.ID, error) {
	var found []named
	for _, n := range all {
		if strings.EqualFold(strings.TrimSpace(n.name), strings.TrimSpace(text)) {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 1:
		return found[0].id, nil
	case 0:
		return "", unknownName{what, text}
	}
	ids := make([]string, len(found))
	for i, n := range found {
		ids[i] = string(n.id)
	}
	return "", usageError{fmt.Errorf("%d %ss are called %.60q; say which by id: %s", len(found), what, model.Clean(text), strings.Join(ids, ", "))}
}

// workerID takes an id or a name.
func (s *session) workerID(ctx context.Context, text string) (model.ID, error) {
	if model.ID(text).Valid() {
		return model.ID(text), nil
	}
	workers, err := s.client.Workers(ctx, apiclient.WorkersQuery{Fields: []string{"id", "name"}})
	if err != nil {
		return "", err
	}
	all := make([]named, len(workers))
	for i, w := range workers {
		all[i] = named{w.ID, w.Name}
	}
	return findNamed(all, text, "worker")
}

// teamID takes an id or a name.
func (s *session) teamID(ctx context.Context, text string) (model.ID, error) {
	if model.ID(text).Valid() {
		return model.ID(text), nil
	}
	all, err := s.teamNames(ctx)
	if err != nil {
		return "", err
	}
	return findNamed(all, text, "team")
}

func (s *session) teamNames(ctx context.Context) ([]named, error) {
	teams, err := s.client.Teams(ctx)
	all := make([]named, len(teams))
	for i, t := range teams {
		all[i] = named{t.ID, t.Name}
	}
	return all, err
}

// hubID takes an id or a name.
func (s *session) hubID(ctx context.Context, text string) (model.ID, error) {
	if model.ID(text).Valid() {
		return model.ID(text), nil
	}
	hubs, err := s.client.Hubs(ctx)
	if err != nil {
		return "", err
	}
	all := make([]named, len(hubs))
	for i, h := range hubs {
		all[i] = named{h.ID, h.Name}
	}
	return findNamed(all, text, "hub")
}

// resolveAll resolves several texts.
func resolveAll(ctx context.Context, texts []string, find func(context.Context, string) (model.ID, error)) ([]model.ID, error) {
	var ids []model.ID
	for _, text := range texts {
		id, err := find(ctx, text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// workerName returns the name of a worker, or the id if the names cannot be loaded. It loads all names once.
func (s *session) workerName(ctx context.Context, id model.Opt[model.ID]) string {
	worker, ok := id.Get()
	if !ok {
		return "-"
	}
	if s.workerNames == nil {
		s.workerNames = map[model.ID]string{}
		workers, err := s.client.Workers(ctx, apiclient.WorkersQuery{Fields: []string{"id", "name"}})
		if err != nil {
			s.printNote("Cannot load the names of workers: %s.", errorSummary(err))
		}
		for _, w := range workers {
			s.workerNames[w.ID] = w.Name
		}
	}
	if name := s.workerNames[worker]; name != "" {
		return name
	}
	return string(worker)
}
