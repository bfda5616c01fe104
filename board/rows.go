package board

import (
	"time"

	"waybill/model"
)

// TaskRow is what panes need of a task. Rows are shared between snapshots and goroutines: never change one.
type TaskRow struct {
	// What filters and orders ask for stands first: looking through a whole board is a walk through memory.
	Due  model.Millis  // zero when the window is open at that end
	Arrival model.Millis  // expected arrival, which lateness is measured by; zero when unknown
	Delay   time.Duration // what the service calls the delay; see [TaskRow.Slack] for when it counts
	State   model.TaskState
	Status  Status
	Risk    Risk
	Pickup  bool
	HasLocation  bool   // Location is known
	search  string // every text of the row, folded, one a line
	ID      model.ID
	Worker  model.ID // empty when no one has it
	Team    model.ID // set while the task waits in a team's list

	WorkerName    string
	TeamName      string // of the team whose list it is in, or else of the teams its worker is in
	ShortID       model.ShortID
	Order         model.ShortID
	Destination   model.ID
	Address       string
	RecipientName string
	Phone         string
	Notes         string // the first line or so; the detail fetches the rest
	Dependencies  []model.ID

	Created   model.Millis
	Modified  model.Millis
	Earliest     model.Millis
	Finish    model.Millis // expected completion, or arrival where that is all there is; zero when unknown
	Started   model.Millis // when the driver set out for it; zero until then, or when nobody said
	Arrived   model.Millis // since when the driver is there; zero when they are not
	Completed model.Millis
	Service   time.Duration
	Location  model.Location
	Quantity  float64
}

// Status is the state of a task as a dispatcher says it: completion is success or failure.
type Status uint8

// Statuses in the order of a task's life.
const (
	StatusUnknown Status = iota
	StatusUnassigned
	StatusAssigned
	StatusActive
	StatusDone
	StatusFailed
)

// String is the status in a word.
func (s Status) String() string {
	switch s {
	case StatusUnassigned:
		return "unassigned"
	case StatusAssigned:
		return "assigned"
	case StatusActive:
		return "active"
	case StatusDone:
		return "done"
	case StatusFailed:
		return "failed"
	}
	return "unknown"
}

// Closed reports that nothing more will happen to the task.
func (s Status) Closed() bool { return s == StatusDone || s == StatusFailed }

// Risk is how a task stands against its window.
type Risk uint8

// Risks from none to worst.
const (
	RiskNone Risk = iota // closed, or without a window that could be missed
	RiskOK
	RiskAtRisk
	RiskLate
)

// String is the risk in words.
func (r Risk) String() string {
	switch r {
	case RiskOK:
		return "ok"
	case RiskAtRisk:
		return "at risk"
	case RiskLate:
		return "late"
	}
	return "no window"
}

// Kind is pickup or drop-off in a word.
func (r *TaskRow) Kind() string {
	if r.Pickup {
		return "pickup"
	}
	return "dropoff"
}

// StatusText is the status in a word, or the state as it came when this version does not know it.
func (r *TaskRow) StatusText() string {
	if r.Status == StatusUnknown {
		return r.State.String()
	}
	return r.Status.String()
}

// WorkerRow is what panes need of a worker.
type WorkerRow struct {
	ID         model.ID
	Name       string
	Phone      string
	ActiveTask model.ID
	Tasks      []model.ID // the route, in order, without the active task
	Teams      []model.ID
	TeamNames  string // joined by ", "
	Vehicle    model.VehicleType
	Modified   model.Millis
	LastSeen   model.Millis  // zero when never
	StateSince      model.Millis  // when the board saw the worker come into State; zero when that was before it looked
	Delay      time.Duration // the worst of their open tasks, or what the service says where the board cannot tell
	told       time.Duration // what the service says
	Location   model.Location
	Capacity   float64
	Battery    float64 // 0 to 1; negative when unknown
	State      WorkerState
	HasLocation     bool
	OnDuty     bool

	search string
}

// WorkerState is what a worker is doing, as far as can be told.
type WorkerState uint8

// Worker states. Idle is who has nothing to do and busy who has, started or not. Silent is our word: on duty, and not
// heard of for longer than the settings allow.
const (
	WorkerIsOff WorkerState = iota
	WorkerIsIdle
	WorkerIsBusy
	WorkerIsSilent
)

// String is the state in a word.
func (s WorkerState) String() string {
	switch s {
	case WorkerIsIdle:
		return "idle"
	case WorkerIsBusy:
		return "busy"
	case WorkerIsSilent:
		return "silent"
	}
	return "off"
}

// Stops is how many tasks the worker has before them, the active one included.
func (w *WorkerRow) Stops() int {
	if w.ActiveTask != "" {
		return len(w.Tasks) + 1
	}
	return len(w.Tasks)
}

// Waiting reports stops in hand of which none is started.
func (w *WorkerRow) Waiting() bool { return w.OnDuty && w.ActiveTask == "" && len(w.Tasks) > 0 }

// OrderRow is what panes need of an order.
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

// OrderLeg is one of the two tasks of an order as the order tells it. The task's own row is fresher where the board
// has it.
type OrderLeg struct {
	Task    model.ID
	ShortID model.ShortID
	Worker  model.ID
	Status  Status
	Due  model.Millis
	Arrival model.Millis
}

// Due is when the order should be finished; zero when it does not say.
func (o *OrderRow) Due() model.Millis {
	if o.Dropoff.Due != 0 {
		return o.Dropoff.Due
	}
	return o.Pickup.Due
}

// Open reports that something may still happen to the order. A status this version does not know counts as open.
func (o *OrderRow) Open() bool {
	switch o.Status {
	case model.OrderCompleted, model.OrderFailed, model.OrderCancelled, model.OrderRejected:
		return false
	}
	return true
}

// TeamRow is what panes and pickers need of a team.
type TeamRow struct {
	ID       model.ID
	Name     string
	Hub      model.ID
	Workers  []model.ID
	Tasks    []model.ID // tasks that no worker has yet, in order
	Modified model.Millis
}

// HubRow is what panes and pickers need of a hub.
type HubRow struct {
	ID       model.ID
	Name     string
	Address  string
	Phone    string
	Location model.Location
	Teams    []model.ID
}

// TemplateRow is what pickers need of a template.
type TemplateRow struct {
	ID      model.ID
	Name    string
	Default bool
	Fields  []string
}
