package world

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// CreateTasks makes many tasks, all or none: each is checked, stored and told of as CreateTask does it, but rows of a
// kind go into the database together. It costs a third.
func (w *World) CreateTasks(ctx context.Context, actor Actor, inputs []model.TaskInput) error {
	creation, err := w.newCreation(ctx, actor)
	if err != nil {
		return err
	}
	drafts := make([]*taskDraft, len(inputs))
	for i, in := range inputs {
		in = withReadPhones(in, creation.check.Country)
		if err := in.Check(creation.check).Err(); err != nil {
			return err
		}
		if drafts[i], err = w.draftTask(ctx, creation, in); err != nil {
			return err
		}
	}
	return w.store.Write(ctx, func(tx *store.Tx) error {
		rows, err := w.insertDrafts(ctx, tx, actor, drafts)
		if err != nil {
			return err
		}
		return w.recordCreated(ctx, tx, actor, rows)
	})
}

// insertDrafts stores drafts in their order. Those that must look at others first are stored one by one.
func (w *World) insertDrafts(ctx context.Context, tx *store.Tx, actor Actor, drafts []*taskDraft) ([]*taskRow, error) {
	var rows []*taskRow
	for len(drafts) > 0 {
		alone := slices.IndexFunc(drafts, func(d *taskDraft) bool { return d.auto.Has() || len(d.task.Dependencies) > 0 })
		if alone < 0 {
			alone = len(drafts)
		}
		inserted, err := w.insertRun(ctx, tx, actor, drafts[:alone])
		if err != nil {
			return nil, err
		}
		rows, drafts = append(rows, inserted...), drafts[alone:]
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

// insertRun stores drafts together, or one by one when a short id of theirs is taken.
func (w *World) insertRun(ctx context.Context, tx *store.Tx, actor Actor, drafts []*taskDraft) (rows []*taskRow, err error) {
	err = tx.Try(ctx, func() (err error) {
		rows, err = w.insertTogether(ctx, tx, actor, drafts)
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

func (w *World) insertTogether(ctx context.Context, tx *store.Tx, actor Actor, drafts []*taskDraft) ([]*taskRow, error) {
	if err := insertRecipients(ctx, tx, actor.Org, drafts); err != nil {
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
			if err := indexMetadata(ctx, tx, actor.Org, kindDestinations, at.ID, at.Metadata); err != nil {
				return nil, err
			}
		}
		rows[i] = d.row(ref)
		containers[rows[i].owner] = append(containers[rows[i].owner], rows[i])
	}
	if err := places.Flush(ctx, tx); err != nil {
		return nil, err
	}
	if err := enterContainers(ctx, tx, rows, containers); err != nil {
		return nil, err
	}
	return rows, insertTaskRows(ctx, tx, actor, rows, drafts)
}

// insertRecipients stores the recipients of drafts: new ones together, and those whose phone number is known, or comes
// twice, after them and one by one.
func insertRecipients(ctx context.Context, tx *store.Tx, org model.ID, drafts []*taskDraft) error {
	known, err := knownPhones(ctx, tx, org, drafts)
	if err != nil {
		return err
	}
	var others []*taskDraft
	people := store.NewInserter("INSERT INTO recipients (id, org, phone, name_fold, created, modified, doc)", "")
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
		people.Add(r.ID, r.Organization, r.Phone, strings.ToLower(r.Name), int64(r.TimeCreated), int64(r.TimeLastModified), d.recipient.doc)
		d.named(r.ID, d.recipient.doc)
	}
	if err := people.Flush(ctx, tx); err != nil {
		return err
	}
	for _, d := range others {
		id, doc, err := d.recipient.upsert(ctx, tx)
		if err != nil {
			return err
		}
		d.named(id, doc)
	}
	return nil
}

// named says who the task's recipient is.
func (d *taskDraft) named(recipient model.ID, doc string) {
	d.recipientDoc = doc
	d.task.Recipients = []model.IDOr[model.Recipient]{model.ByID[model.Recipient](recipient)}
}

// knownPhones are those of the drafts' phone numbers that the organization has a recipient for.
func knownPhones(ctx context.Context, tx *store.Tx, org model.ID, drafts []*taskDraft) (map[string]bool, error) {
	known := map[string]bool{}
	var phones []string
	for _, d := range drafts {
		if d.recipient != nil {
			phones = append(phones, d.recipient.recipient.Phone)
		}
	}
	for group := range slices.Chunk(phones, phonesAtOnce) {
		if err := addKnownPhones(ctx, tx, org, group, known); err != nil {
			return nil, fmt.Errorf("look for recipients: %w", err)
		}
	}
	return known, nil
}

// phonesAtOnce is how many phone numbers are looked for with one statement.
const phonesAtOnce = 40

func addKnownPhones(ctx context.Context, tx *store.Tx, org model.ID, phones []string, known map[string]bool) error {
	args := make([]any, 1+phonesAtOnce)
	args[0] = org
	for i := range phonesAtOnce {
		args[1+i] = phones[min(i, len(phones)-1)]
	}
	rows, err := tx.Query(ctx, "SELECT phone FROM recipients WHERE org = $1 AND phone IN ("+store.Placeholders(2, phonesAtOnce)+")", args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var phone string
		if err := rows.Scan(&phone); err != nil {
			return err
		}
		known[phone] = true
	}
	return rows.Err()
}

// enterContainers gives the rows of each container its last positions, in the order of the rows.
func enterContainers(ctx context.Context, tx *store.Tx, rows []*taskRow, containers map[model.ID][]*taskRow) error {
	for _, row := range rows {
		group := containers[row.owner]
		if len(group) == 0 || group[0] != row {
			continue
		}
		last, err := enterContainer(ctx, tx, row.ref(), len(group), row.modified)
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
			t.assignment(actor), t.doc)
		if err := indexMetadata(ctx, tx, t.org, metadataTasks, t.id, task.Metadata); err != nil {
			return err
		}
	}
	if err := tasks.Flush(ctx, tx); err != nil {
		return err
	}
	if tasks.Inserted() < len(rows) {
		return errShortIDTaken
	}
	return nil
}

// recordCreated tells the owners of new tasks, and who fulfils them.
func (w *World) recordCreated(ctx context.Context, tx *store.Tx, actor Actor, rows []*taskRow) error {
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
		if err := w.events.Record(ctx, tx, org, events[org]...); err != nil {
			return fmt.Errorf("record events: %w", err)
		}
	}
	return nil
}
