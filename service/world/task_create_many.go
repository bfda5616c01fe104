package world

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// CreateTasks creates many tasks, all or none. The result is the same as with CreateTask, but rows of a kind are
// inserted together, which costs a third.
func (w *World) CreateTasks(ctx context.Context, actor Actor, inputs []model.TaskInput) error {
	creation, err := w.newTaskCreation(ctx, actor)
	if err != nil {
		return err
	}
	drafts := make([]*taskDraft, len(inputs))
	for i, in := range inputs {
		if drafts[i], err = w.checkAndDraft(ctx, creation, in, model.TaskInput.Check); err != nil {
			return err
		}
	}
	return w.store.Write(ctx, func(tx *store.Tx) error {
		rows, err := w.insertDrafts(ctx, tx, actor, drafts)
		if err != nil {
			return err
		}
		w.recordCreatedEvents(ctx, tx, actor, rows)
		return nil
	})
}

// insertDrafts stores drafts in order. Drafts that depend on other tasks are stored one by one.
func (w *World) insertDrafts(ctx context.Context, tx *store.Tx, actor Actor, drafts []*taskDraft) ([]*taskRow, error) {
	var rows []*taskRow
	for len(drafts) > 0 {
		single := slices.IndexFunc(drafts, func(d *taskDraft) bool { return d.auto.Has() || len(d.task.Dependencies) > 0 })
		if single < 0 {
			single = len(drafts)
		}
		inserted, err := w.insertDraftGroup(ctx, tx, actor, drafts[:single])
		if err != nil {
			return nil, err
		}
		rows, drafts = append(rows, inserted...), drafts[single:]
		if len(drafts) > 0 {
			row, _, err := w.insertDraft(ctx, tx, actor, drafts[0])
			if err != nil {
				return nil, err
			}
			rows, drafts = append(rows, row), drafts[1:]
		}
	}
	return rows, nil
}

// insertDraftGroup stores drafts together, or one by one when one of their short ids is taken.
func (w *World) insertDraftGroup(ctx context.Context, tx *store.Tx, actor Actor, drafts []*taskDraft) (rows []*taskRow, err error) {
	err = tx.Try(ctx, func() (err error) {
		rows, err = w.insertDraftRows(ctx, tx, actor, drafts)
		return err
	})
	if !errors.Is(err, errShortIDTaken) {
		return rows, err
	}
	for i, d := range drafts {
		if rows[i], _, err = w.insertDraft(ctx, tx, actor, d); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (w *World) insertDraftRows(ctx context.Context, tx *store.Tx, actor Actor, drafts []*taskDraft) ([]*taskRow, error) {
	if err := insertDraftRecipients(ctx, tx, actor.Org, drafts); err != nil {
		return nil, err
	}
	rows := make([]*taskRow, len(drafts))
	containers := map[model.ID][]*taskRow{}
	resolved := map[model.ID]model.ContainerRef{}
	places := store.NewInserter("INSERT INTO destinations (id, org, lon, lat, created, modified, doc)", "")
	for i, d := range drafts {
		wish := d.container.Value().Owner()
		ref, known := resolved[wish]
		if !known {
			var err error
			if ref, _, err = w.draftContainer(ctx, tx, actor, d); err != nil {
				return nil, err
			}
			resolved[wish] = ref
		}
		if place := d.destination; place != nil {
			at := place.destination
			places.Add(at.ID, actor.Org, at.Location.Lon, at.Location.Lat, int64(at.TimeCreated), int64(at.TimeLastModified), string(place.doc))
			indexMetadata(ctx, tx, actor.Org, kindDestinations, at.ID, at.Metadata)
		}
		rows[i] = d.row(ref)
		containers[rows[i].owner] = append(containers[rows[i].owner], rows[i])
	}
	places.Flush(ctx, tx)
	if err := addToContainers(ctx, tx, rows, containers); err != nil {
		return nil, err
	}
	return rows, insertTaskRows(ctx, tx, actor, rows, drafts)
}

// insertDraftRecipients stores the recipients of drafts: new ones together, then one by one those whose phone number is known
// or repeated.
func insertDraftRecipients(ctx context.Context, tx *store.Tx, org model.ID, drafts []*taskDraft) error {
	known, err := findKnownPhones(ctx, tx, org, drafts)
	if err != nil {
		return err
	}
	var others []*taskDraft
	people := store.NewInserter(insertRecipients, "")
	for _, d := range drafts {
		if d.recipient == nil {
			continue
		}
		r := &d.recipient.recipient
		if known[r.Phone] || len(r.Metadata) > 0 {
			others = append(others, d)
			continue
		}
		known[r.Phone] = true
		people.Add(recipientValues(r, d.recipient.doc)...)
		d.setRecipient(r.ID, d.recipient.doc)
	}
	people.Flush(ctx, tx)
	for _, d := range others {
		id, doc, err := d.recipient.upsert(ctx, tx)
		if err != nil {
			return err
		}
		d.setRecipient(id, doc)
	}
	return nil
}

// setRecipient sets the recipient of the task.
func (d *taskDraft) setRecipient(recipient model.ID, doc string) {
	d.recipientDoc = doc
	d.task.Recipients = []model.IDOr[model.Recipient]{model.ByID[model.Recipient](recipient)}
}

// findKnownPhones returns the phone numbers of the drafts for which the organization has a recipient.
func findKnownPhones(ctx context.Context, tx *store.Tx, org model.ID, drafts []*taskDraft) (map[string]bool, error) {
	known := map[string]bool{}
	var phones []string
	for _, d := range drafts {
		if d.recipient != nil {
			phones = append(phones, d.recipient.recipient.Phone)
		}
	}
	for group := range slices.Chunk(phones, phonesPerQuery) {
		args := make([]any, 1+phonesPerQuery)
		args[0] = org
		for i := range phonesPerQuery {
			args[1+i] = group[min(i, len(group)-1)]
		}
		found, err := store.QueryColumn[string](ctx, tx,
			"SELECT phone FROM recipients WHERE org = $1 AND phone IN ("+store.Placeholders(2, phonesPerQuery)+")", args...)
		if err != nil {
			return nil, fmt.Errorf("find recipients: %w", err)
		}
		for _, phone := range found {
			known[phone] = true
		}
	}
	return known, nil
}

// phonesPerQuery is how many phone numbers one query looks up.
const phonesPerQuery = 40

// addToContainers gives the rows of each container its last positions, in the order of the rows.
func addToContainers(ctx context.Context, tx *store.Tx, rows []*taskRow, containers map[model.ID][]*taskRow) error {
	for _, row := range rows {
		group := containers[row.owner]
		if len(group) == 0 || group[0] != row {
			continue
		}
		last, err := addToContainer(ctx, tx, row.container(), len(group), row.modified)
		if err != nil {
			return err
		}
		for i, member := range slices.Backward(group) {
			member.position = last - int64(len(group)-1-i)*positionGap
		}
	}
	return nil
}

func insertTaskRows(ctx context.Context, tx *store.Tx, actor Actor, rows []*taskRow, drafts []*taskDraft) error {
	tasks := store.NewInserter(`INSERT INTO tasks (id, org, executor, short_id, state, worker, container, container_owner, position, pickup,
		destination, recipient, order_id, complete_after, complete_before, service_minutes, list_time, created, modified,
		first_assignment, doc)`,
		"ON CONFLICT (short_id) DO NOTHING")
	for i, t := range rows {
		task := &drafts[i].task
		tasks.Add(t.id, t.org, t.executor, task.ShortID, int64(t.state), nullID(t.worker), string(t.kind), t.owner, t.position,
			boolInt(task.PickupTask), t.destination, nullID(t.recipient), nullID(t.order), nullMillis(task.CompleteAfter),
			nullMillis(task.CompleteBefore), float64(task.ServiceTime), int64(t.created), int64(t.created), int64(t.modified),
			t.encodeAssignment(actor), t.doc)
		indexMetadata(ctx, tx, t.org, kindTasks, t.id, task.Metadata)
	}
	tasks.Flush(ctx, tx)
	if tasks.Inserted() < len(rows) {
		return errShortIDTaken
	}
	return nil
}

// recordCreatedEvents records the events of new tasks for their owners and for the organizations that fulfil them.
func (w *World) recordCreatedEvents(ctx context.Context, tx *store.Tx, actor Actor, rows []*taskRow) {
	events := map[model.ID][]Event{}
	var orgs []model.ID
	for _, t := range rows {
		event := Event{Trigger: model.TriggerTaskCreated, Actor: actor, Time: t.modified, TaskID: t.id, Worker: t.worker}
		for _, org := range slices.Compact([]model.ID{t.org, t.executor}) {
			if events[org] == nil {
				orgs = append(orgs, org)
			}
			events[org] = append(events[org], event)
		}
	}
	for _, org := range orgs {
		w.record(ctx, tx, org, events[org]...)
	}
}
