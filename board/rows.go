package board

import (
	"time"

	"waybill/model"
)

// TaskRow is what panes show of a task. Rows are shared between snapshots and goroutines and never change.
type TaskRow struct {
	// Fields that filters and sorts use come first, so that scanning the board touches less memory.
	Due         model.Millis  // end of the window; zero when there is none
	Arrival     model.Millis  // expected arrival, which lateness counts to; zero when unknown
	Delay       time.Duration // delayTime of the service; see [TaskRow.Slack]
	State       model.TaskState
	Status      Status
	Risk        Risk
	Pickup      bool
	HasLocation bool   // Location is known
	search      string // every text of the row, folded, one per line
	ID          model.ID
	Worker      model.ID // empty when unassigned
	Team        model.ID // set while the task waits in a team's container

	WorkerName    string
	TeamName      string // of Team, or else of the teams of its worker
	ShortID       model.ShortID
	Order         model.ShortID
	Destination   model.ID
	Address       string
	RecipientName string
	Phone         string
	Notes         string // the beginning; the detail has the rest
	Dependencies  []model.ID

	Created   model.Millis
	Modified  model.Millis
	Earliest  model.Millis
	Finish    model.Millis // expected completion, or the arrival when that is unknown; zero when both are
	Started   model.Millis // when the driver started the task; zero when unknown or not started
	Arrived   model.Millis // since when the driver is at the stop; zero when they are not
	Completed model.Millis
	Service   time.Duration
	Location  model.Location
	Quantity  float64
}

// Status is the state of a task, with completed split into done and failed.
type Status uint8

// Statuses, in the order of a task's life.
const (
	StatusUnknown Status = iota
	StatusUnassigned
	StatusAssigned
	StatusActive
	StatusDone
	StatusFailed
)

// String returns the status in a word.
func (s Status) String() string {
	return [...]string{"unknown", "unassigned", "assigned", "active", "done", "failed"}[s]
}

// State returns the state that the status stands for; -1 for an unknown one.
func (s Status) State() model.TaskState {
	return [...]model.TaskState{-1, model.TaskUnassigned, model.TaskAssigned, model.TaskActive, model.TaskCompleted, model.TaskCompleted}[s]
}

// Closed reports that the task is done or failed.
func (s Status) Closed() bool { return s == StatusDone || s == StatusFailed }

// Risk is whether a task will be late.
type Risk uint8

// Risks, from none to worst.
const (
	RiskNone Risk = iota // closed, or without a due time
	RiskOK
	RiskAtRisk
	RiskLate
)

// String returns the risk in words.
func (r Risk) String() string { return [...]string{"no window", "ok", "at risk", "late"}[r] }

// Kind returns "pickup" or "dropoff".
func (r *TaskRow) Kind() string { return KindText(r.Pickup) }

// StatusText returns the status in a word, or the state of the service when this version does not know it.
func (r *TaskRow) StatusText() string {
	if r.Status == StatusUnknown {
		return r.State.String()
	}
	return r.Status.String()
}

// WorkerRow is what panes show of a worker.
type WorkerRow struct {
	ID            model.ID
	Name          string
	Phone         string
	ActiveTask    model.ID
	Tasks         []model.ID // the route, in order, without the active task
	Teams         []model.ID
	TeamNames     string // joined by ", "
	Vehicle       model.VehicleType
	Modified      model.Millis
	LastSeen      model.Millis  // zero when never
	StateSince    model.Millis  // when State last changed; zero when the board did not see the change
	Delay         time.Duration // of the latest of their open tasks, or else reportedDelay
	reportedDelay time.Duration // delayTime of the service
	Location      model.Location
	Capacity      float64
	Battery       float64 // 0 to 1; negative when unknown
	State         WorkerState
	HasLocation   bool
	OnDuty        bool

	search string
}

// WorkerState is what a worker is doing.
type WorkerState uint8

// Worker states. Busy workers have stops, started or not; idle workers have none; silent workers are on duty and have not
// been seen for longer than Settings.Silent.
const (
	WorkerIsOff WorkerState = iota
	WorkerIsIdle
	WorkerIsBusy
	WorkerIsSilent
)

// String returns the state in a word.
func (s WorkerState) String() string { return [...]string{"off", "idle", "busy", "silent"}[s] }

// Stops returns how many tasks the worker has left, with the active one.
func (w *WorkerRow) Stops() int {
	if w.ActiveTask != "" {
		return len(w.Tasks) + 1
	}
	return len(w.Tasks)
}

// Waiting reports that the worker has stops and has started none.
func (w *WorkerRow) Waiting() bool { return w.OnDuty && w.ActiveTask == "" && len(w.Tasks) > 0 }

// OrderRow is what panes show of an order.
type OrderRow struct {
	ID       model.ID
	ShortID  model.ShortID
	Client   string
	ClientID model.ID
	Service  string
	Status   model.OrderStatus
	Pickup   OrderLeg
	Dropoff  OrderLeg
	Price    float64
	Currency string
	Priced   bool
	Modified model.Millis
	Risk     Risk // the worse of its two tasks

	search string
}

// OrderLeg is one of the two tasks of an order, as the order describes it. The task's own row is fresher.
type OrderLeg struct {
	Task    model.ID
	ShortID model.ShortID
	Worker  model.ID
	Status  Status
	Due     model.Millis
	Arrival model.Millis
}

// Due returns when the order should be completed; zero when unknown.
func (o *OrderRow) Due() model.Millis {
	if o.Dropoff.Due != 0 {
		return o.Dropoff.Due
	}
	return o.Pickup.Due
}

// Open reports that the order is not closed. An unknown status counts as open.
func (o *OrderRow) Open() bool { return !o.Status.Closed() }

// TeamRow is what panes and pickers show of a team.
type TeamRow struct {
	ID       model.ID
	Name     string
	Hub      model.ID
	Workers  []model.ID
	Tasks    []model.ID // its unassigned tasks, in order
	Modified model.Millis
}

// HubRow is what panes and pickers show of a hub.
type HubRow struct {
	ID       model.ID
	Name     string
	Address  string
	Phone    string
	Location model.Location
	Teams    []model.ID
}

// TemplateRow is what pickers show of a template.
type TemplateRow struct {
	ID      model.ID
	Name    string
	Default bool
	Fields  []string
}
