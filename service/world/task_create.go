package world

import (
	"context"
	"errors"
	"fmt"

	"waybill/model"
	"waybill/service/store"
)

// taskDraft is a task that has passed every check that needs no transaction. Its destination has coordinates and its
// documents are encoded, so that the transaction, which blocks other changes, only has to insert.
type taskDraft struct {
	task        model.Task
	destination *destinationDraft // nil when the task names one that exists
	recipient   *recipientDraft   // nil when the task has none or names one that exists
	// destinationDoc and recipientDoc are the docs of those that exist already.
	destinationDoc string
	recipientDoc   string
	container      model.Opt[model.ContainerRef]
	auto           model.Opt[model.AutoAssign]
	order          model.ID
	doc            string
}

// clone copies the draft for one attempt to insert it, which may change the recipient.
func (d *taskDraft) clone() *taskDraft {
	other := *d
	if d.recipient != nil {
		recipient := *d.recipient
		other.recipient = &recipient
	}
	return &other
}

// CreateTask creates a task with its destination and recipient and returns it in its wire form.
func (w *World) CreateTask(ctx context.Context, actor Actor, in model.TaskInput) (model.Raw, error) {
	creation, err := w.newTaskCreation(ctx, actor)
	if err != nil {
		return nil, err
	}
	draft, err := w.checkAndDraft(ctx, creation, in, model.TaskInput.Check)
	if err != nil {
		return nil, err
	}
	var created model.Raw
	err = w.store.WriteRepeatable(ctx, func(tx *store.Tx) error {
		attempt := draft.clone()
		row, auto, err := w.insertDraft(ctx, tx, actor, attempt)
		if err != nil {
			return err
		}
		created = attempt.wire(row, fmt.Sprintf(`,"didAutoAssign":%t`, auto))
		w.recordTaskEvents(ctx, tx, actor, row, row.modified, model.TriggerTaskCreated)
		return nil
	})
	return created, err
}

// checkContext returns what the rules need to know about an organization.
func (w *World) checkContext(ctx context.Context, org model.ID) (model.CheckContext, error) {
	rules, err := w.organizationRules(ctx, org)
	return model.CheckContext{Now: w.Now(), Country: rules.country}, err
}

// checkInput checks a body with what the rules need to know about an organization, and returns that.
func (w *World) checkInput(
	ctx context.Context, org model.ID, check func(model.CheckContext) model.Problems,
) (model.CheckContext, error) {
	rules, err := w.checkContext(ctx, org)
	if err != nil {
		return rules, err
	}
	return rules, check(rules).Err()
}

// taskCreation is what the tasks of one request have in common.
type taskCreation struct {
	actor  Actor
	check  model.CheckContext
	fields []model.CustomField
}

func (w *World) newTaskCreation(ctx context.Context, actor Actor) (taskCreation, error) {
	rules, err := w.organizationRules(ctx, actor.Org)
	return taskCreation{actor: actor, check: model.CheckContext{Now: w.Now(), Country: rules.country}, fields: rules.fields}, err
}

// checkAndDraft checks an input and returns its draft.
func (w *World) checkAndDraft(
	ctx context.Context, c taskCreation, in model.TaskInput, check func(model.TaskInput, model.CheckContext) model.Problems,
) (*taskDraft, error) {
	in = normalizePhones(in, c.check.Country)
	if err := check(in, c.check).Err(); err != nil {
		return nil, err
	}
	return w.draftTask(ctx, c, in)
}

// draftTask returns the draft of a checked input.
func (w *World) draftTask(ctx context.Context, c taskCreation, in model.TaskInput) (*taskDraft, error) {
	task, err := w.newTask(ctx, c, in)
	if err != nil {
		return nil, err
	}
	d := &taskDraft{task: task, container: in.Container, auto: in.AutoAssign}
	if err := w.draftDestination(ctx, c.actor.Org, d, in.Destination.Value()); err != nil {
		return nil, err
	}
	if err := w.draftRecipient(ctx, c.actor.Org, d, in.Recipients.Value(), c.check); err != nil {
		return nil, err
	}
	d.doc, err = encodeTaskDoc(&d.task)
	return d, err
}

func (w *World) draftDestination(ctx context.Context, org model.ID, d *taskDraft, ref model.IDOr[model.DestinationInput]) error {
	if ref.Object == nil {
		doc, err := readOwnedDoc(ctx, w.store, "destinations", org, ref.ID)
		if err != nil {
			return withResource(err, "destination", ref.ID)
		}
		d.destinationDoc = doc
		d.task.Destination = model.ByID[model.Destination](ref.ID)
		return nil
	}
	input := *ref.Object
	if !input.UseGPS.Has() {
		input.UseGPS = model.Some(false)
	}
	input.Metadata = withVisibility(input.Metadata)
	place, err := w.locateDestination(ctx, org, input)
	if err != nil {
		return err
	}
	ready, err := w.newDestinationDraft(place)
	if err != nil {
		return err
	}
	d.destination = &ready
	d.destinationDoc = string(ready.doc)
	d.task.Destination = model.ByID[model.Destination](ready.destination.ID)
	return nil
}

func (w *World) draftRecipient(
	ctx context.Context, org model.ID, d *taskDraft, refs []model.IDOr[model.RecipientInput], check model.CheckContext,
) error {
	if len(refs) == 0 {
		return nil
	}
	ref := refs[0]
	if ref.Object == nil {
		doc, err := readOwnedDoc(ctx, w.store, "recipients", org, ref.ID)
		if err != nil {
			return withResource(err, "recipient", ref.ID)
		}
		d.setRecipient(ref.ID, doc)
		return nil
	}
	draft, err := w.newRecipientDraft(org, *ref.Object, check)
	d.recipient = draft
	return err
}

// insertDraft stores a draft and reports whether a worker was chosen automatically. All checks come before the first
// write, except for the size of the container.
func (w *World) insertDraft(ctx context.Context, tx *store.Tx, actor Actor, d *taskDraft) (*taskRow, bool, error) {
	if err := checkDependencies(ctx, tx, actor.Org, "", d.task.Dependencies); err != nil {
		return nil, false, err
	}
	ref, auto, err := w.draftContainer(ctx, tx, actor, d)
	if err != nil {
		return nil, false, err
	}
	if d.destination != nil {
		d.destination.insert(ctx, tx, actor.Org)
	}
	if d.recipient != nil {
		recipient, doc, err := d.recipient.upsert(ctx, tx)
		if err != nil {
			return nil, false, err
		}
		d.setRecipient(recipient, doc)
	}
	row := d.row(ref)
	for {
		err := row.insert(ctx, tx, actor, &d.task)
		if !errors.Is(err, errShortIDTaken) {
			return row, auto, err
		}
		// The short id is taken. The container has already counted this task; the next attempt counts it again.
		removeFromContainer(ctx, tx, row.owner, row.modified)
		w.setShortID(&d.task)
		if err := row.encode(&d.task, row.modified); err != nil {
			return nil, false, err
		}
	}
}

var errShortIDTaken = errors.New("the short id is taken")

// draftContainer returns where a new task goes: to the automatically chosen worker, to the container in the body, or to
// the organization's own.
func (w *World) draftContainer(ctx context.Context, tx *store.Tx, actor Actor, d *taskDraft) (model.ContainerRef, bool, error) {
	if wish, ok := d.auto.Get(); ok {
		worker, err := w.chooseWorkerForDraft(ctx, tx, actor, d, wish)
		if err != nil || worker != "" {
			return model.WorkerContainer(worker), err == nil, err
		}
	} else if ref, ok := d.container.Get(); ok {
		ref, err := resolveContainer(ctx, tx, actor.Org, d.task.Executor, ref)
		return ref, false, err
	}
	return model.OrganizationContainer(actor.Org), false, nil
}

func (d *taskDraft) row(ref model.ContainerRef) *taskRow {
	row := &taskRow{
		id: d.task.ID, org: d.task.Organization, executor: d.task.Executor, kind: ref.Type, owner: ref.Owner(),
		destination: d.task.Destination.ID, order: d.order, created: d.task.TimeCreated, modified: d.task.TimeLastModified,
		doc: d.doc,
	}
	if len(d.task.Recipients) > 0 {
		row.recipient = d.task.Recipients[0].ID
	}
	if ref.Type == model.ContainerWorker {
		row.state, row.worker = model.TaskAssigned, row.owner
	}
	return row
}

// wire returns the inserted task in its wire form.
func (d *taskDraft) wire(row *taskRow, extra string) model.Raw {
	size := len(row.doc) + len(d.destinationDoc) + len(d.recipientDoc) + len(extra) + wireOverhead
	return row.appendWire(make([]byte, 0, size), d.destinationDoc, d.recipientDoc, extra)
}

// destinationAt returns the location of the task.
func (d *taskDraft) destinationAt() (model.Location, error) {
	if d.destination != nil {
		return d.destination.destination.Location, nil
	}
	var destination model.Destination
	err := decodeDoc([]byte(d.destinationDoc), &destination)
	return destination.Location, err
}
