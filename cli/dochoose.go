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

// choose puts into the scene what the verb is to act on. A verb that acts on nothing gets the words as they are.
func (d *doing) choose(ctx context.Context, words []string) error {
	action := d.kind.action
	switch {
	case len(action.Needs.Kinds) == 0:
		d.scene.Argument = strings.Join(words, " ")
		return d.checkArgument()
	case len(words) == 0:
		return usageError{fmt.Errorf("%s needs %s: name what is meant behind it, by id or short id", action.ID, d.kind.needs())}
	case len(words) > 1 && !action.Bulk:
		return usageError{fmt.Errorf("%s takes one at a time; %d were named", action.ID, len(words))}
	}
	for _, word := range words {
		if err := d.chooseOne(ctx, action.Needs.Kinds, word); err != nil {
			return err
		}
	}
	return nil
}

// checkArgument refuses the name of a team that nobody knows, which the form would only leave out.
func (d *doing) checkArgument() error {
	if d.kind.action.ID != "route.dispatch" || d.scene.Argument == "" {
		return nil
	}
	_, err := operations.FindTeam(d.scene.Board, d.scene.Argument)
	if err == nil {
		return nil
	}
	var names []string
	for team := range d.scene.Board.Teams.All() {
		names = append(names, team.Name)
	}
	slices.Sort(names)
	return usageError{fmt.Errorf("%s: %s", err.Error(), model.Clean(strings.Join(names, ", ")))}
}

// chooseOne finds what a word names among the kinds of thing that the verb acts on.
func (d *doing) chooseOne(ctx context.Context, kinds []keymaps.Kind, word string) error {
	isID := model.ID(word).Valid() || model.ShortID(word).Valid()
	s := &d.scene
	switch {
	case slices.Contains(kinds, keymaps.Worker) && (!isID || s.Board.Workers.Has(model.ID(word))):
		worker, err := operations.FindWorker(s.Board, word)
		if err != nil {
			return usageError{errors.New(err.Error())} // a mistyped name is a mistake of the command line
		}
		s.Workers = with(s.Workers, worker.ID)
	case slices.Contains(kinds, keymaps.Task):
		id, err := d.chosenTask(ctx, word)
		if err != nil {
			return err
		}
		s.Tasks = with(s.Tasks, id)
	case slices.Contains(kinds, keymaps.Order):
		id, err := d.chosenOrder(ctx, word)
		if err != nil {
			return err
		}
		s.Orders = with(s.Orders, id)
	case slices.Contains(kinds, keymaps.Webhook):
		return d.chooseWebhook(ctx, word)
	}
	return nil
}

// with adds an id that is not there yet: what is named twice is meant once.
func with(ids []model.ID, id model.ID) []model.ID {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

// chosenTask is found on the board, or by asking for what the board has no more, such as yesterday's.
func (d *doing) chosenTask(ctx context.Context, word string) (model.ID, error) {
	if row := d.scene.Board.TaskByShortID(model.ShortID(word)); row != nil {
		return row.ID, nil
	}
	if d.scene.Board.Tasks.Has(model.ID(word)) {
		return model.ID(word), nil
	}
	task, err := d.findTask(ctx, word)
	return task.ID, err
}

func (d *doing) chosenOrder(ctx context.Context, word string) (model.ID, error) {
	for row := range d.scene.Board.Orders.All() {
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
	return "", notAnID(word, "order")
}

func (d *doing) chooseWebhook(ctx context.Context, word string) error {
	id, err := needID(word, "webhook")
	if err != nil {
		return err
	}
	all, err := d.client.Webhooks(ctx)
	if err != nil {
		return err
	}
	for _, hook := range all {
		if hook.ID == id {
			d.scene.Webhooks = append(d.scene.Webhooks, hook)
			return nil
		}
	}
	return fmt.Errorf("there is no webhook %s: %w", id, apiclient.ErrNotFound)
}
