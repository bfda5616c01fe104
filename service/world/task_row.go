package world

import (
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
