package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// LoadInput reads what an operation needs and the board does not have.
func LoadInput(ctx context.Context, c *apiclient.Client, needs Needs, s *Input) error {
	var err error
	if needs.Task && len(s.Tasks) == 1 {
		task, failed := c.TaskWithHistory(ctx, s.Tasks[0])
		s.Task, err = &task, failed
	}
	if needs.Hubs && err == nil {
		s.Hubs, err = ifSupported(c.Hubs(ctx))
	}
	if needs.Templates && err == nil {
		s.Templates, err = ifSupported(c.Templates(ctx))
	}
	if needs.Templates && err == nil && len(s.Templates) > 0 {
		s.CustomFields, err = ifSupported(c.CustomFields(ctx))
	}
	return err
}

// ifSupported is an empty list where a service does not offer it.
func ifSupported[T any](list []T, err error) ([]T, error) {
	if isUnreadable(err) {
		return nil, nil
	}
	return list, err
}

// Selection is what a command names: tasks and orders by id or short id, workers and webhooks also by name.
type Selection struct {
	Tasks, Workers, Orders, Webhooks []string
}

// Load completes the input of a command: it finds the selected objects and reads what the operation and the given flags
// need, and nothing else. The input brings organization, time, zone and body, and maybe a board, which then is used as
// the console uses it. Without an API key, which a dry run does not need, full ids are taken as they are.
func Load(
	ctx context.Context, c *apiclient.Client, d Definition, s Input, selected Selection, given map[string][]string,
) (Input, error) {
	l := loader{client: c, input: s, needs: d.CommandNeeds}
	if s.Board != nil {
		l.needs = d.Needs
	} else {
		l.input.NamedOnly = true
		l.addObjects(d, given)
		if err := l.readWorkersAndTeams(ctx, selected); err != nil {
			return s, err
		}
	}
	for _, kind := range []struct {
		texts []string
		find  func(context.Context, []string) error
	}{{selected.Tasks, l.selectTasks}, {selected.Orders, l.selectOrders}, {selected.Webhooks, l.selectWebhooks}} {
		if err := kind.find(ctx, kind.texts); err != nil {
			return s, err
		}
	}
	if s.Board == nil {
		l.change.ReceivedAt = s.Now
		l.input.Board, _ = board.NewBoard(board.DefaultSettings(), s.Now).Apply(l.change)
	}
	if err := l.selectWorkers(selected.Workers); err != nil {
		return s, err
	}
	err := LoadInput(ctx, c, l.needs, &l.input)
	if noKey(err) {
		err = nil
	}
	return l.input, err
}

// loader collects what a command's input needs.
type loader struct {
	client *apiclient.Client
	input  Input
	needs  Needs
	change board.Change
	// workerIDs and teamIDs are named by full ids in flags.
	workerIDs, teamIDs []model.ID
}

// addObjects adds what the given flags need: names are looked up in the list of all, which ids do not need.
func (l *loader) addObjects(d Definition, given map[string][]string) {
	for _, f := range d.FlagFields() {
		for _, text := range given[f.FlagName()] {
			for name := range strings.SplitSeq(text, ",") {
				id := model.ID(strings.TrimSpace(name))
				switch {
				case f.Object == form.Worker && id.Valid():
					l.workerIDs = append(l.workerIDs, id)
				case f.Object == form.Worker:
					l.needs.Workers = true
				case f.Object == form.Team && id.Valid():
					l.teamIDs = append(l.teamIDs, id)
				case f.Object == form.Team:
					l.needs.Teams = true
				case f.Object == form.Hub && !id.Valid():
					_, err := f.Parse(text, nil)
					l.needs.Hubs = l.needs.Hubs || err != nil
				}
			}
		}
	}
}

// noKey reports that nothing can be read without an API key.
func noKey(err error) bool { return errors.Is(err, apiclient.ErrNoKey) }

func (l *loader) readWorkersAndTeams(ctx context.Context, selected Selection) error {
	var err error
	if l.needs.Workers || len(selected.Workers) > 0 {
		if l.change.Workers, err = l.client.Workers(ctx, apiclient.WorkersQuery{}); err != nil && !noKey(err) {
			return err
		}
	}
	if l.needs.Teams {
		if l.change.Teams, err = l.client.Teams(ctx); err != nil && !noKey(err) {
			return err
		}
		for _, id := range l.teamIDs {
			if noKey(err) {
				l.change.Teams = append(l.change.Teams, model.Team{ID: id})
			}
		}
	}
	return nil
}

// selectTasks finds tasks by id or short id. Those named by full ids are read only when the operation needs their rows.
// A board that was given answers first; the service knows older tasks.
func (l *loader) selectTasks(ctx context.Context, texts []string) error {
	for _, text := range texts {
		id, short := model.ID(text), model.ShortID(strings.ToLower(text))
		task := model.Task{ID: id}
		var err error
		switch row := l.boardTask(id, short); {
		case row != nil:
			task.ID = row.ID
		case short.Valid():
			task, err = l.client.TaskByShortID(ctx, short)
		case !id.Valid():
			err = &IDError{Noun: "task", Text: text}
		case l.needs.Rows || l.input.Board != nil:
			if task, err = l.client.Task(ctx, id); noKey(err) {
				task, err = model.Task{ID: id}, nil
			}
		default:
			l.input.Tasks = appendNew(l.input.Tasks, id)
			continue
		}
		if err != nil {
			return fmt.Errorf("task %s: %w", model.Clean(text), err)
		}
		l.input.Tasks = appendNew(l.input.Tasks, task.ID)
		l.change.Tasks = append(l.change.Tasks, task)
	}
	return nil
}

// boardTask returns the row of a task on the board that was given, if there is one.
func (l *loader) boardTask(id model.ID, short model.ShortID) *board.TaskRow {
	if l.input.Board == nil {
		return nil
	}
	return cmp.Or(l.input.Board.TaskByShortID(short), l.input.Board.Tasks.Get(id))
}

func (l *loader) selectOrders(ctx context.Context, texts []string) error {
	for _, text := range texts {
		id, short := model.ID(text), model.ShortID(strings.ToLower(text))
		switch {
		case id.Valid():
		case short.Valid():
			order, err := l.client.Order(ctx, short)
			if err != nil {
				return fmt.Errorf("order %s: %w", short, err)
			}
			id, l.change.Orders = order.ID, append(l.change.Orders, order)
		default:
			return &IDError{Noun: "order", Text: text}
		}
		l.input.Orders = appendNew(l.input.Orders, id)
	}
	return nil
}

// selectWebhooks finds webhooks by id or name.
func (l *loader) selectWebhooks(ctx context.Context, texts []string) error {
	if len(texts) == 0 {
		return nil
	}
	all, err := l.client.Webhooks(ctx)
	if err != nil && !noKey(err) {
		return err
	}
	names := make([]Named, len(all))
	for i, w := range all {
		names[i] = Named{ID: w.ID, Name: w.Name.Value()}
	}
	for _, text := range texts {
		found, resolveErr := ResolveName(names, text, "webhook")
		if resolveErr != nil {
			return resolveErr
		}
		i := slices.IndexFunc(all, func(w model.Webhook) bool { return w.ID == found.ID })
		switch {
		case i >= 0:
			l.input.Webhooks = append(l.input.Webhooks, all[i])
		case noKey(err):
			l.input.Webhooks = append(l.input.Webhooks, model.Webhook{ID: found.ID})
		default:
			return &NameError{Noun: "webhook", Text: text}
		}
	}
	return nil
}

func (l *loader) selectWorkers(texts []string) error {
	for _, text := range texts {
		worker, err := FindWorker(l.input.Board, text)
		if err != nil {
			return err
		}
		l.input.Workers = appendNew(l.input.Workers, worker.ID)
	}
	return nil
}

// appendNew adds an id that is not in the list yet.
func appendNew(ids []model.ID, id model.ID) []model.ID {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

// IDError is a text that cannot be an id.
type IDError struct{ Noun, Text string }

func (e *IDError) Error() string {
	return fmt.Sprintf("%.60q is not the id of a %s: ids have %d characters, short ids %d hex digits",
		model.Clean(e.Text), e.Noun, model.IDLength, model.ShortIDLength)
}
