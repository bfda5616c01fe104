package operations

import (
	"fmt"
	"slices"

	"waybill/board"
	"waybill/operations/form"
)

// Definition makes an operation.
type Definition struct {
	// ID is the id of its action in the console, or the name of an operation that only commands offer.
	ID string
	// Needs is what the console reads first, besides the board that it has.
	Needs Needs
	// CommandNeeds is what a command reads first. It starts with an empty board, so it may need rows that the console has.
	// Objects that its flags name are read as needed.
	CommandNeeds Needs
	New          func(s Input) (Operation, error)
	// Fields are the fields that commands have flags for; nil when no command has any.
	Fields    func(s Input) []form.Field
	ReadsDisk bool // New reads files
	// Command is the CLI command to suggest; append the ids. Empty if there is none.
	Command string
	// TeamArgument says that the argument names a team.
	TeamArgument bool
}

// FlagFields are the fields of the operation's flags, without a connection to a service.
func (d Definition) FlagFields() []form.Field {
	if d.Fields == nil {
		return nil
	}
	return d.Fields(Input{Board: board.NewBoard(board.DefaultSettings(), 0).Snapshot()})
}

// Definitions are all operations that have an action in the console.
func Definitions() []Definition {
	task, rows := Needs{Task: true}, Needs{Rows: true}
	templates := Needs{Templates: true}
	return []Definition{
		{ID: "task.clone", New: NewClone, Fields: cloneFields},
		{ID: "task.clone-assign", New: NewCloneAssign},
		{ID: "task.complete", New: NewComplete, Fields: completeFields},
		{ID: "task.fail", New: NewFail, Fields: completeFields},
		{ID: "task.delete", New: NewDelete, Command: "tasks rm"},
		{ID: "task.notes", Needs: task, CommandNeeds: task, New: NewNotes},
		{ID: "task.window", New: NewWindow},
		{ID: "task.quantity", Needs: task, CommandNeeds: task, New: NewQuantity},
		{ID: "task.metadata", Needs: task, CommandNeeds: task, New: NewMetadata},
		{ID: "task.link", CommandNeeds: rows, New: NewLink},

		{ID: "route.assign", CommandNeeds: rows, New: NewAssign, Fields: assignFormFields},
		{ID: "route.auto-assign", CommandNeeds: rows, New: NewAutoAssign, Fields: autoAssignFormFields},
		{ID: "route.unassign", CommandNeeds: Needs{Rows: true, Organization: true}, New: NewUnassign, Command: "tasks assign --none"},
		{ID: "route.insert", CommandNeeds: Needs{Rows: true, Workers: true}, New: NewInsert},
		{ID: "route.later", CommandNeeds: Needs{Rows: true, Workers: true}, New: NewLater},
		{ID: "route.earlier", CommandNeeds: Needs{Rows: true, Workers: true}, New: NewEarlier},
		{ID: "route.transfer", CommandNeeds: Needs{Rows: true, Workers: true}, New: NewTransfer},
		{
			ID: "route.dispatch", Needs: Needs{Hubs: true}, CommandNeeds: Needs{Teams: true, Workers: true}, New: NewDispatch,
			Fields: Input.dispatchFields, TeamArgument: true,
		},

		{ID: "create.task", Needs: templates, New: NewTask, Fields: func(s Input) []form.Field { return newTaskForm(s).Fields }},
		{ID: "create.destination", New: NewDestination, Fields: destinationFields},
		{ID: "create.recipient", New: NewRecipient, Fields: newRecipientFields},
		{ID: "create.worker", New: NewWorker, Fields: workerFields},
		{ID: "create.template", Needs: templates, CommandNeeds: templates, New: NewTemplate, Fields: templateFields},
		{ID: "create.webhook", New: NewWebhook, Fields: webhookFields},
		{ID: "create.quote", New: NewQuote, Fields: quoteFields},
		{ID: "create.order", New: NewOrder},
		{ID: "create.import", CommandNeeds: Needs{Teams: true, Organization: true}, New: NewImport, Fields: importFields, ReadsDisk: true},

		{ID: "order.cancel", New: NewOrderCancel, Command: "orders cancel"},
		{ID: "webhook.delete", New: NewWebhookDelete, Command: "webhooks rm"},
	}
}

// commandDefinitions are the operations that only commands offer.
func commandDefinitions() []Definition {
	return []Definition{{ID: "task.update", CommandNeeds: Needs{Rows: true}, New: NewUpdate, Fields: updateFields}}
}

// FindDefinition finds an operation by its id.
func FindDefinition(id string) (Definition, error) {
	all := append(Definitions(), commandDefinitions()...)
	if i := slices.IndexFunc(all, func(d Definition) bool { return d.ID == id }); i >= 0 {
		return all[i], nil
	}
	return Definition{}, fmt.Errorf("unknown operation %q", id)
}
