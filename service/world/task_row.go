package world

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// A task's doc is its JSON without what changes as the task moves and what other tables hold. Those members are columns
// and are appended to the doc when the task is read, so that a move rewrites no JSON and a read decodes none.

// omitted is a member that is not in the doc.
type omitted struct{}

// taskDoc is a task as it is stored. Its own members hide those of the task.
type taskDoc struct {
	model.Task
	TimeLastModified        omitted `json:"timeLastModified,omitzero"`
	Worker                  omitted `json:"worker,omitzero"`
	State                   omitted `json:"state,omitzero"`
	Container               omitted `json:"container,omitzero"`
	RoutePlan               omitted `json:"routePlan,omitzero"`
	Recipients              omitted `json:"recipients,omitzero"`
	Destination             omitted `json:"destination,omitzero"`
	EstimatedCompletionTime omitted `json:"estimatedCompletionTime,omitzero"`
	EstimatedArrivalTime    omitted `json:"estimatedArrivalTime,omitzero"`
	ETA                     omitted `json:"eta,omitzero"`
	DelayTime               omitted `json:"delayTime,omitzero"`
	DidAutoAssign           omitted `json:"didAutoAssign,omitzero"`
	AssignmentHistory       omitted `json:"assignmentHistory,omitzero"`
}

// encodeTaskDoc passes a pointer to the encoder, which would copy a value of this size first.
func encodeTaskDoc(task *model.Task) (string, error) {
	doc, err := model.Marshal(&taskDoc{Task: *task})
	if err != nil {
		return "", fmt.Errorf("encode task: %w", err)
	}
	return string(doc), nil
}

// taskColumns are the columns that a change of a task needs, for a SELECT from tasks t.
const taskColumns = wireColumns + `, t.seq, t.position, t.destination, t.recipient, t.order_id, t.created`

// wireColumns are the columns that an answer needs: the doc, and all others as one text separated by spaces, because
// returning a column costs more than reading it.
const wireColumns = `t.id || ' ' || t.org || ' ' || t.executor || ' ' || t.container || ' ' || t.container_owner || ' ' ||
	coalesce(t.worker, '') || ' ' || coalesce(t.route_plan, '') || ' ' || t.state || ' ' || t.modified || ' ' ||
	coalesce(CAST(t.completion AS TEXT), '') || ' ' || coalesce(CAST(t.arrival AS TEXT), '') || ' ' ||
	coalesce(CAST(t.eta AS TEXT), '') || ' ' || coalesce(CAST(t.delay AS TEXT), ''), t.doc`

// taskRow is a stored task.
type taskRow struct {
	seq         int64
	id          model.ID
	org         model.ID
	executor    model.ID
	state       model.TaskState
	worker      model.ID // empty when none
	kind        model.ContainerType
	owner       model.ID
	position    int64
	destination model.ID
	recipient   model.ID // empty when none
	order       model.ID // empty when none
	routePlan   model.ID // empty when none
	created     model.Millis
	modified    model.Millis
	completion  sql.NullInt64
	arrival     sql.NullInt64
	eta         sql.NullInt64
	delay       sql.NullInt64
	doc         string
}

// scanTask reads taskColumns; no row is NotFound. The targets have plain types that database/sql fills without
// reflection.
func scanTask(row store.Row) (*taskRow, error) {
	t := &taskRow{}
	var recipient, order sql.NullString
	err := t.scanWire(row.Scan, &t.seq, &t.position, (*string)(&t.destination), &recipient, &order, (*int64)(&t.created))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, NotFound()
	}
	if err != nil {
		return nil, fmt.Errorf("read task: %w", err)
	}
	t.recipient, t.order = model.ID(recipient.String), model.ID(order.String)
	return t, nil
}

// scanWire reads wireColumns, and the columns that follow them into more.
func (t *taskRow) scanWire(scan func(...any) error, more ...any) error {
	var rest string
	targets := append(make([]any, 0, 10), &rest, &t.doc)
	if err := scan(append(targets, more...)...); err != nil {
		return err
	}
	for _, id := range []*model.ID{&t.id, &t.org, &t.executor, (*model.ID)(&t.kind), &t.owner, &t.worker, &t.routePlan} {
		var text string
		text, rest, _ = strings.Cut(rest, " ")
		*id = model.ID(text)
	}
	var state, modified sql.NullInt64
	for _, number := range []*sql.NullInt64{&state, &modified, &t.completion, &t.arrival, &t.eta, &t.delay} {
		var text string
		text, rest, _ = strings.Cut(rest, " ")
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("stored task %s: %w", t.id, err)
		}
		*number = sql.NullInt64{Int64: n, Valid: true}
	}
	t.state, t.modified = model.TaskState(state.Int64), model.Millis(modified.Int64)
	return nil
}

// decode returns the task of the row. Destination and recipients are ids.
func (t *taskRow) decode() (model.Task, error) {
	var task model.Task
	if err := model.Unmarshal([]byte(t.doc), &task); err != nil {
		return task, fmt.Errorf("decode stored task %s: %w", t.id, err)
	}
	task.TimeLastModified, task.State = t.modified, t.state
	task.Worker = model.NullIfZero(t.worker)
	task.Container = model.Some(t.container())
	if t.routePlan != "" {
		task.RoutePlan = model.Some(t.routePlan)
	}
	task.Destination = model.ByID[model.Destination](t.destination)
	if t.recipient != "" {
		task.Recipients = []model.IDOr[model.Recipient]{model.ByID[model.Recipient](t.recipient)}
	}
	return task, nil
}

// container returns the container that the task is in, or was in last.
func (t *taskRow) container() model.ContainerRef { return containerRef(t.kind, t.owner) }

func containerRef(kind model.ContainerType, owner model.ID) model.ContainerRef {
	switch kind {
	case model.ContainerWorker:
		return model.WorkerContainer(owner)
	case model.ContainerTeam:
		return model.TeamContainer(owner)
	default:
		return model.OrganizationContainer(owner)
	}
}

// appendWire appends the task in its wire form. recipient is empty when the task has none. extra holds further members,
// each after a comma.
func (t *taskRow) appendWire(b []byte, destination, recipient, extra string) []byte {
	b = append(b, t.doc[:len(t.doc)-1]...)
	b = append(b, `,"timeLastModified":`...)
	b = strconv.AppendInt(b, int64(t.modified), 10)
	b = append(b, `,"state":`...)
	b = strconv.AppendInt(b, int64(t.state), 10)
	b = appendID(append(b, `,"worker":`...), t.worker)
	b = t.appendContainer(append(b, `,"container":`...))
	if t.routePlan != "" {
		b = appendID(append(b, `,"routePlan":`...), t.routePlan)
	}
	b = append(b, `,"recipients":[`...)
	b = append(b, recipient...)
	b = append(b, `],"destination":`...)
	b = appendEmbeddedDestination(b, destination)
	b = appendNullInt(append(b, `,"estimatedCompletionTime":`...), t.completion)
	b = appendNullInt(append(b, `,"estimatedArrivalTime":`...), t.arrival)
	b = appendNullInt(append(b, `,"eta":`...), t.eta)
	b = appendNullInt(append(b, `,"delayTime":`...), t.delay)
	b = append(b, extra...)
	return append(b, '}')
}

// appendContainer appends the container that the task is in, or was in last.
func (t *taskRow) appendContainer(b []byte) []byte {
	b = append(b, `{"type":"`...)
	b = append(b, t.kind...)
	b = append(b, containerOwnerMember(t.kind)...)
	return append(appendID(b, t.owner), '}')
}

func containerOwnerMember(kind model.ContainerType) string {
	switch kind {
	case model.ContainerWorker:
		return `","worker":`
	case model.ContainerTeam:
		return `","team":`
	default:
		return `","organization":`
	}
}

// appendEmbeddedDestination appends a destination with useGPS, which destinations inside of tasks always have.
func appendEmbeddedDestination(b []byte, doc string) []byte {
	if hasUseGPS(doc) {
		return append(b, doc...)
	}
	b = append(b, doc[:len(doc)-1]...)
	return append(b, useGPSMember(false)...)
}

// appendID appends an id, which never needs escaping, or null.
func appendID(b []byte, id model.ID) []byte {
	if id == "" {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = append(b, id...)
	return append(b, '"')
}

func appendNullInt(b []byte, n sql.NullInt64) []byte {
	if !n.Valid {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, n.Int64, 10)
}

// wireOverhead is enough room for what appendWire adds to the docs.
const wireOverhead = 512

// The functions in this file make every change of a task's state:
//
//	            insert ──► unassigned ◄──moveTo──► assigned ──start──► active ──finish──► completed
//	            (insert with a worker's container ──► assigned)
//	                       remove ◄── unassigned, assigned
//
// A task is in exactly one container until it is started or deleted. Containers count their tasks, and each change of
// container is an entry of the assignment history.

// insert stores a new task at the end of its container.
func (t *taskRow) insert(ctx context.Context, tx *store.Tx, actor Actor, task *model.Task) error {
	tx.Fail(addOneToContainer(ctx, tx, t.container(), t.modified))
	if tx.Write(ctx, "insert task", `INSERT INTO tasks (id, org, executor, short_id, state, worker, container, container_owner, position,
		pickup, destination, recipient, order_id, route_plan, complete_after, complete_before, service_minutes, list_time,
		created, modified, first_assignment, doc)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, (SELECT last FROM containers WHERE owner = $8), $9, $10, $11, $12, NULL, $13,
		$14, $15, $16, $16, $17, $18, $19)
		ON CONFLICT (short_id) DO NOTHING`,
		t.id, t.org, t.executor, task.ShortID, int64(t.state), nullID(t.worker), string(t.kind), t.owner,
		boolInt(task.PickupTask), t.destination, nullID(t.recipient), nullID(t.order), nullMillis(task.CompleteAfter),
		nullMillis(task.CompleteBefore), float64(task.ServiceTime), int64(t.created), int64(t.modified), t.encodeAssignment(actor), t.doc) == 0 {
		return cmp.Or(tx.Err(), errShortIDTaken)
	}
	addDependencies(ctx, tx, t.id, task.Dependencies)
	indexMetadata(ctx, tx, t.org, kindTasks, t.id, task.Metadata)
	return nil
}

// moveTo moves a task to a free position of a container and returns the events of the move. The caller has already
// counted the task into a new container.
func (t *taskRow) moveTo(
	ctx context.Context, tx *store.Tx, actor Actor, to model.ContainerRef, position int64, now model.Millis,
) ([]model.Trigger, error) {
	if reason := model.AssignForbidden(t.state); reason != "" {
		return nil, Invalid("Task %s: %s", t.id, reason)
	}
	if to.Owner() == t.owner {
		t.position = position
		tx.Write(ctx, "reorder task", "UPDATE tasks SET position = $2 WHERE id = $1", t.id, position)
		return nil, nil
	}
	removeFromContainer(ctx, tx, t.owner, now)
	triggers := make([]model.Trigger, 0, 3)
	if t.worker != "" {
		triggers = append(triggers, model.TriggerTaskUnassigned)
	}
	t.kind, t.owner, t.position, t.modified = to.Type, to.Owner(), position, now
	t.state, t.worker = model.TaskUnassigned, ""
	if to.Type == model.ContainerWorker {
		t.state, t.worker = model.TaskAssigned, t.owner
		triggers = append(triggers, model.TriggerTaskAssigned)
	}
	t.completion, t.arrival, t.eta, t.delay = sql.NullInt64{}, sql.NullInt64{}, sql.NullInt64{}, sql.NullInt64{}
	tx.Write(ctx, "move task", `UPDATE tasks SET state = $2, worker = $3, container = $4, container_owner = $5, position = $6,
		modified = $7, completion = NULL, arrival = NULL, eta = NULL, delay = NULL WHERE id = $1`,
		t.id, int64(t.state), nullID(t.worker), string(t.kind), t.owner, t.position, int64(t.modified))
	t.addAssignment(ctx, tx, actor, now)
	return append(triggers, model.TriggerTaskUpdated), nil
}

// moveToEnd moves a task to the end of a container, even of its own, and returns the events of the move.
func (t *taskRow) moveToEnd(
	ctx context.Context, tx *store.Tx, actor Actor, to model.ContainerRef, now model.Millis,
) ([]model.Trigger, error) {
	added := 1
	if t.owner == to.Owner() {
		added = 0
	}
	position, err := addToContainer(ctx, tx, to, added, now)
	if err != nil {
		return nil, err
	}
	return t.moveTo(ctx, tx, actor, to, position, now)
}

// start takes a task out of its container because its driver is on the way.
func (t *taskRow) start(ctx context.Context, tx *store.Tx, task *model.Task, meters float64, now model.Millis) {
	removeFromContainer(ctx, tx, t.owner, now)
	tx.Fail(t.encode(task, now))
	t.state, t.completion = model.TaskActive, sql.NullInt64{}
	tx.Write(ctx, "start task",
		`UPDATE tasks SET state = $2, started = $3, modified = $3, start_meters = $4, completion = NULL, doc = $5
		WHERE id = $1`, t.id, int64(t.state), int64(now), meters, t.doc)
	tx.Write(ctx, "set active task", "UPDATE workers SET active_task = $2, modified = $3 WHERE id = $1", t.worker, t.id, int64(now))
}

// finish completes a started task with the outcome in its completion details. Lists find it by the time of completion.
func (t *taskRow) finish(ctx context.Context, tx *store.Tx, task *model.Task, now model.Millis) {
	tx.Fail(t.encode(task, now))
	t.state = model.TaskCompleted
	t.completion, t.arrival, t.eta, t.delay = sql.NullInt64{}, sql.NullInt64{}, sql.NullInt64{}, sql.NullInt64{}
	tx.Write(ctx, "complete task", `UPDATE tasks SET state = $2, completed = $3, list_time = $3, modified = $3, doc = $4,
		completion = NULL, arrival = NULL, eta = NULL, delay = NULL WHERE id = $1`,
		t.id, int64(t.state), int64(now), t.doc)
	tx.Write(ctx, "clear active task", "UPDATE workers SET active_task = NULL, modified = $3 WHERE id = $1 AND active_task = $2",
		t.worker, t.id, int64(now))
}

// remove deletes a task that no driver has started. Tasks that depend on it no longer do.
func (t *taskRow) remove(ctx context.Context, tx *store.Tx, now model.Millis) {
	removeFromContainer(ctx, tx, t.owner, now)
	tx.Fail(t.releaseDependents(ctx, tx, now))
	for _, statement := range []string{
		"DELETE FROM dependencies WHERE task = $1",
		"DELETE FROM metadata WHERE resource = $1",
		"DELETE FROM assignments WHERE task = $1",
		"DELETE FROM tasks WHERE id = $1",
	} {
		tx.Write(ctx, "delete task", statement, t.id)
	}
}

// encode encodes a changed task into the row. The caller stores it.
func (t *taskRow) encode(task *model.Task, now model.Millis) error {
	doc, err := encodeTaskDoc(task)
	if err != nil {
		return err
	}
	t.doc, t.modified = doc, now
	return nil
}
