package operations

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
)

// Definition makes a verb for what is chosen, once it has been read what the verb needs.
type Definition struct {
	ID        string // of the action that begins it
	Needs     Needs
	New       func(s Input) (Operation, error)
	ReadsDisk bool // making it waits for the disk
}

// Definitions is every verb, by the action that begins it.
func Definitions() []Definition {
	theTask, templates := Needs{Task: true}, Needs{Templates: true}
	return []Definition{
		{ID: "task.clone", Needs: theTask, New: NewClone},
		{ID: "task.clone-assign", Needs: theTask, New: NewCloneAssign},
		{ID: "task.complete", New: NewComplete},
		{ID: "task.fail", New: NewFail},
		{ID: "task.delete", New: NewDelete},
		{ID: "task.notes", Needs: theTask, New: NewNotes},
		{ID: "task.window", New: NewWindow},
		{ID: "task.quantity", Needs: theTask, New: NewQuantity},
		{ID: "task.metadata", Needs: theTask, New: NewMetadata},
		{ID: "task.link", New: NewLink},

		{ID: "route.assign", New: NewAssign},
		{ID: "route.auto-assign", New: NewAutoAssign},
		{ID: "route.unassign", New: NewUnassign},
		{ID: "route.insert", New: NewInsert},
		{ID: "route.later", New: NewLater},
		{ID: "route.earlier", New: NewEarlier},
		{ID: "route.transfer", New: NewTransfer},
		{ID: "route.dispatch", Needs: Needs{Hubs: true}, New: NewDispatch},

		{ID: "create.task", Needs: templates, New: NewTask},
		{ID: "create.destination", New: NewDestination},
		{ID: "create.recipient", New: NewRecipient},
		{ID: "create.worker", New: NewWorker},
		{ID: "create.template", Needs: templates, New: NewTemplate},
		{ID: "create.webhook", New: NewWebhook},
		{ID: "create.quote", New: NewQuote},
		{ID: "create.order", New: NewOrder},
		{ID: "create.import", New: NewImport, ReadsDisk: true},

		{ID: "order.cancel", New: NewOrderCancel},
		{ID: "webhook.delete", New: NewWebhookDelete},
	}
}

// FindDefinition finds what makes a verb.
func FindDefinition(id string) (Definition, error) {
	for _, mk := range Definitions() {
		if mk.ID == id {
			return mk, nil
		}
	}
	return Definition{}, fmt.Errorf("no verb is called %q", id)
}

// LoadInput reads into a scene what a verb needs and the board does not have.
func LoadInput(ctx context.Context, c *apiclient.Client, needs Needs, s *Input) error {
	var err error
	if needs.Task && len(s.Tasks) == 1 {
		task, failed := c.TaskWithHistory(ctx, s.Tasks[0])
		s.Task, err = &task, failed
	}
	if needs.Hubs && err == nil {
		s.Hubs, err = optional(c.Hubs(ctx))
	}
	if needs.Templates && err == nil {
		s.Templates, err = optional(c.Templates(ctx))
	}
	if needs.Templates && err == nil && len(s.Templates) > 0 {
		s.CustomFields, err = optional(c.CustomFields(ctx))
	}
	return err
}

// optional leaves out what a service does not offer.
func optional[T any](list []T, err error) ([]T, error) {
	if errors.Is(err, apiclient.ErrUnsupportedRoute) || errors.Is(err, apiclient.ErrNotFound) {
		return nil, nil
	}
	return list, err
}
