package verb

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
)

// Maker makes a verb for what is chosen, once it has been read what the verb needs.
type Maker struct {
	ID    string // of the action that begins it
	Needs Needs
	Make  func(s Scene) (Verb, error)
	Aside bool // making it waits for the disk
}

// Makers is every verb, by the action that begins it.
func Makers() []Maker {
	theTask, templates := Needs{Task: true}, Needs{Templates: true}
	return []Maker{
		{ID: "task.clone", Needs: theTask, Make: NewClone},
		{ID: "task.clone-assign", Needs: theTask, Make: NewCloneAssign},
		{ID: "task.complete", Make: NewComplete},
		{ID: "task.fail", Make: NewFail},
		{ID: "task.delete", Make: NewDelete},
		{ID: "task.notes", Needs: theTask, Make: NewNotes},
		{ID: "task.window", Make: NewWindow},
		{ID: "task.quantity", Needs: theTask, Make: NewQuantity},
		{ID: "task.metadata", Needs: theTask, Make: NewMetadata},
		{ID: "task.link", Make: NewLink},

		{ID: "route.assign", Make: NewAssign},
		{ID: "route.auto-assign", Make: NewAutoAssign},
		{ID: "route.unassign", Make: NewUnassign},
		{ID: "route.insert", Make: NewInsert},
		{ID: "route.later", Make: NewLater},
		{ID: "route.earlier", Make: NewEarlier},
		{ID: "route.transfer", Make: NewTransfer},
		{ID: "route.dispatch", Needs: Needs{Hubs: true}, Make: NewDispatch},

		{ID: "create.task", Needs: templates, Make: NewTask},
		{ID: "create.destination", Make: NewDestination},
		{ID: "create.recipient", Make: NewRecipient},
		{ID: "create.worker", Make: NewWorker},
		{ID: "create.template", Needs: templates, Make: NewTemplate},
		{ID: "create.webhook", Make: NewWebhook},
		{ID: "create.quote", Make: NewQuote},
		{ID: "create.order", Make: NewOrder},
		{ID: "create.import", Make: NewImport, Aside: true},

		{ID: "order.cancel", Make: NewOrderCancel},
		{ID: "webhook.delete", Make: NewWebhookDelete},
	}
}

// MakerOf finds what makes a verb.
func MakerOf(id string) (Maker, error) {
	for _, mk := range Makers() {
		if mk.ID == id {
			return mk, nil
		}
	}
	return Maker{}, fmt.Errorf("no verb is called %q", id)
}

// ReadScene reads into a scene what a verb needs and the board does not have.
func ReadScene(ctx context.Context, c *apiclient.Client, needs Needs, s *Scene) error {
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
