package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
)

// selectObjects adds the named objects to the input. An operation without objects gets the words as its argument.
func (d *doCommand) selectObjects(ctx context.Context, words []string) error {
	action := d.entry.action
	switch {
	case len(action.Requires.Kinds) == 0:
		d.input.Argument = strings.Join(words, " ")
		return d.checkArgument()
	case len(words) == 0:
		return usageError{fmt.Errorf("%s needs %s: add their ids or short ids", action.ID, d.entry.describeNeeds())}
	case len(words) > 1 && !action.Bulk:
		return usageError{fmt.Errorf("%s takes only one object, got %d", action.ID, len(words))}
	}
	for _, word := range words {
		if err := d.selectObject(ctx, action.Requires.Kinds, word); err != nil {
			return err
		}
	}
	return nil
}

// checkArgument refuses the name of an unknown team, which the form would ignore.
func (d *doCommand) checkArgument() error {
	if !d.entry.definition.TeamArgument || d.input.Argument == "" {
		return nil
	}
	if _, err := operations.FindTeam(d.input.Board, d.input.Argument); err != nil {
		return usageError{errors.New(err.Error())} // not wrapped: an unknown name is a usage error here
	}
	return nil
}

// selectObject adds the object that a word names to the input.
func (d *doCommand) selectObject(ctx context.Context, kinds []keymaps.Kind, word string) error {
	isID := model.ID(word).Valid() || model.ShortID(word).Valid()
	s := &d.input
	switch {
	case slices.Contains(kinds, keymaps.Worker) && (!isID || s.Board.Workers.Has(model.ID(word))):
		worker, err := operations.FindWorker(s.Board, word)
		if err != nil {
			return usageError{errors.New(err.Error())}
		}
		s.Workers = appendUnique(s.Workers, worker.ID)
	case slices.Contains(kinds, keymaps.Task):
		id, err := d.findTaskID(ctx, word)
		if err != nil {
			return err
		}
		s.Tasks = appendUnique(s.Tasks, id)
	case slices.Contains(kinds, keymaps.Order):
		id, err := d.findOrderID(ctx, word)
		if err != nil {
			return err
		}
		s.Orders = appendUnique(s.Orders, id)
	case slices.Contains(kinds, keymaps.Webhook):
		return d.selectWebhook(ctx, word)
	}
	return nil
}

// appendUnique appends an id unless it is there already.
func appendUnique(ids []model.ID, id model.ID) []model.ID {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

// findTaskID finds a task on the board, or at the service for tasks that the board does not have, such as old ones.
func (d *doCommand) findTaskID(ctx context.Context, word string) (model.ID, error) {
	if row := d.input.Board.TaskByShortID(model.ShortID(word)); row != nil {
		return row.ID, nil
	}
	if d.input.Board.Tasks.Has(model.ID(word)) {
		return model.ID(word), nil
	}
	task, err := d.findTask(ctx, word)
	return task.ID, err
}

func (d *doCommand) findOrderID(ctx context.Context, word string) (model.ID, error) {
	for row := range d.input.Board.Orders.All() {
		if row.ID == model.ID(word) || row.ShortID == model.ShortID(word) {
			return row.ID, nil
		}
	}
	switch {
	case model.ShortID(word).Valid():
		order, err := d.client.Order(ctx, model.ShortID(word))
		return order.ID, err
	case model.ID(word).Valid():
		return model.ID(word), nil
	}
	return "", asUsage(&operations.IDError{Noun: "order", Text: word})
}

func (d *doCommand) selectWebhook(ctx context.Context, word string) error {
	id, err := parseID(word, "webhook")
	if err != nil {
		return err
	}
	all, err := d.client.Webhooks(ctx)
	if err != nil {
		return err
	}
	for _, hook := range all {
		if hook.ID == id {
			d.input.Webhooks = append(d.input.Webhooks, hook)
			return nil
		}
	}
	return fmt.Errorf("unknown webhook %s: %w", id, apiclient.ErrNotFound)
}
