package board

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"waybill/model"
)

// Pane names one of the console's tables.
type Pane string

// Panes.
const (
	PaneDelays  Pane = "delays"
	PaneWorkers Pane = "workers"
	PaneTasks   Pane = "tasks"
	PaneOrders  Pane = "orders"
)

// Column is something that rows can be sorted by.
type Column string

// Columns. A pane has those that [SortColumns] lists for it.
const (
	ByUrgency   Column = "urgency"
	ByTriage    Column = "triage"
	ByTask      Column = "task"
	ByKind      Column = "kind"
	ByState     Column = "state"
	ByWindow    Column = "window"
	ByDue       Column = "due"
	BySlack     Column = "slack"
	ByArrival   Column = "eta"
	ByWorker    Column = "worker"
	ByTeam      Column = "team"
	ByAddress   Column = "address"
	ByRecipient Column = "recipient"
	ByPhone     Column = "phone"
	ByNotes     Column = "notes"
	ByOrder     Column = "order"
	ByQuantity  Column = "quantity"
	ByCompleted Column = "completed"
	ByModified  Column = "modified"
	ByName      Column = "name"
	ByDoing     Column = "doing"
	ByStops     Column = "stops"
	ByDelay     Column = "delay"
	BySeen      Column = "seen"
	ByBattery   Column = "battery"
	ByVehicle   Column = "vehicle"
	ByCapacity  Column = "capacity"
	ByClient    Column = "client"
	ByService   Column = "service"
	ByPickup    Column = "pickup"
	ByDropoff   Column = "dropoff"
	ByPrice     Column = "price"
)

// SortColumns lists what a pane can be sorted by, its own order first.
func SortColumns(pane Pane) []Column {
	switch pane {
	case PaneWorkers:
		return []Column{
			ByUrgency, ByName, ByState, ByDoing, ByStops, ByDelay, BySeen, ByBattery, ByVehicle, ByCapacity, ByTeam,
		}
	case PaneOrders:
		return []Column{
			ByUrgency, ByOrder, ByClient, ByState, ByPickup, ByDropoff, ByDue, ByPrice, ByService, ByModified,
		}
	case PaneDelays:
		return slices.Insert(taskColumns(), 0, ByTriage)
	}
	return taskColumns()
}

func taskColumns() []Column {
	return []Column{
		ByUrgency, ByTask, ByKind, ByState, ByWindow, ByDue, BySlack, ByArrival, ByWorker, ByTeam, ByAddress,
		ByRecipient, ByPhone, ByNotes, ByOrder, ByQuantity, ByCompleted, ByModified,
	}
}

// Sort is an order of rows. The zero Sort is the pane's own: what is most urgent first. Rows that are equal under it
// stay in the order of their ids, and rows without a value come last in both directions.
type Sort struct {
	Column Column
	Desc   bool
}

// ParseSort reads a sort as [Sort.String] writes it: a column, with a minus in front for descending.
func ParseSort(pane Pane, text string) (Sort, error) {
	name, desc := strings.CutPrefix(strings.TrimSpace(text), "-")
	if name == "" && !desc {
		return Sort{}, nil
	}
	if pane == PaneWorkers && name == "load" {
		name = string(ByStops) // as it was called in views saved by earlier versions
	}
	columns := SortColumns(pane)
	if at := slices.Index(columns, Column(name)); at > 0 || (at == 0 && desc) {
		return Sort{Column(name), desc}, nil
	} else if at == 0 {
		return Sort{}, nil
	}
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = string(column)
	}
	if near := model.ClosestName(name, names); near != "" {
		return Sort{}, fmt.Errorf("%s cannot be sorted by %q; did you mean %s?", pane, name, near)
	}
	return Sort{}, fmt.Errorf("%s cannot be sorted by %q; choose one of %s", pane, name, strings.Join(names, ", "))
}

// String is the sort as people type it; empty for the pane's own order.
func (s Sort) String() string {
	switch {
	case s.Column == "":
		return ""
	case s.Desc:
		return "-" + string(s.Column)
	}
	return string(s.Column)
}

// in spells out the own order of the one pane whose own order is not urgency.
func (s Sort) in(pane Pane) Sort {
	if s.Column == "" && pane == PaneDelays {
		s.Column = ByTriage
	}
	return s
}

// clocked reports that the order changes by the mere passing of time.
func (s Sort) clocked() bool {
	return s.Column == BySlack || s.Column == ByTriage
}

// sortKey is what a row is placed by. The number decides nearly always: for texts it is their first letters. Where it
// is the same the texts do, without regard to case.
type sortKey struct {
	number int64
	text   string
}

// lastNumber is the number of keys without a value, in both directions.
const lastNumber = math.MaxInt64

func missingKey() sortKey { return sortKey{number: lastNumber} }

func (k sortKey) missing() bool { return k.number == lastNumber && k.text == "" }

// reversed is the key for the other direction; its text must then be compared the other way round.
func (k sortKey) reversed() sortKey {
	if k.missing() {
		return k
	}
	return sortKey{^k.number, k.text}
}

// compareFolded compares without regard to the case of ASCII letters, and needs no memory for it.
func compareFolded(a, b string) int {
	if a == b { // names that many rows share are one text in memory, which is seen at once
		return 0
	}
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x < utf8.RuneSelf && y < utf8.RuneSelf {
			x, y = lowerByte(x), lowerByte(y)
		}
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func textKey(text string) sortKey {
	if text == "" {
		return missingKey()
	}
	return sortKey{number: firstLetters(text), text: text}
}

// firstLetters is the beginning of a text as a number that sorts as the text does.
func firstLetters(text string) int64 {
	var number uint64
	for i := range 8 {
		number <<= 8
		if i < len(text) {
			number |= uint64(lowerByte(text[i]))
		}
	}
	return int64(number ^ 1<<63)
}

// firstBytes is the beginning of a text as a number that sorts as the text does, capitals before small letters.
func firstBytes(text string) uint64 {
	var begin [8]byte
	copy(begin[:], text)
	return binary.BigEndian.Uint64(begin[:])
}

func timeKey(at model.Millis) sortKey {
	if at == 0 {
		return missingKey()
	}
	return sortKey{number: int64(at)}
}

func keyIf(known bool, number int64) sortKey {
	if !known {
		return missingKey()
	}
	return sortKey{number: number}
}

// ranked puts a rank before a number within one key.
func ranked(rank int64, number int64) int64 {
	const room = 1 << 52
	return rank*2*room + max(-room, min(number, room-1))
}

// taskSortKey is where a task goes.
func taskSortKey(column Column) func(*TaskRow, model.Millis) sortKey {
	switch column {
	case ByTriage:
		return triageKey
	case ByTask:
		return func(r *TaskRow, _ model.Millis) sortKey { return textKey(string(r.ShortID)) }
	case ByKind:
		return func(r *TaskRow, _ model.Millis) sortKey { return textKey(r.Kind()) }
	case ByState:
		return func(r *TaskRow, _ model.Millis) sortKey { return sortKey{number: int64(r.Status)} }
	case ByWindow:
		return func(r *TaskRow, _ model.Millis) sortKey { return timeKey(r.Earliest) }
	case ByDue:
		return func(r *TaskRow, _ model.Millis) sortKey { return timeKey(r.Due) }
	case BySlack:
		return func(r *TaskRow, now model.Millis) sortKey {
			slack, ok := r.Slack(now)
			return keyIf(ok, int64(slack))
		}
	case ByArrival:
		return func(r *TaskRow, _ model.Millis) sortKey { return timeKey(r.Arrival) }
	case ByQuantity:
		return func(r *TaskRow, _ model.Millis) sortKey { return sortKey{number: scaled(r.Quantity)} }
	case ByCompleted:
		return func(r *TaskRow, _ model.Millis) sortKey { return timeKey(r.Completed) }
	case ByModified:
		return func(r *TaskRow, _ model.Millis) sortKey { return timeKey(r.Modified) }
	}
	if text := taskSortText(column); text != nil {
		return func(r *TaskRow, _ model.Millis) sortKey { return textKey(text(r)) }
	}
	return taskUrgency
}

func taskSortText(column Column) func(*TaskRow) string {
	switch column {
	case ByWorker:
		return func(r *TaskRow) string { return r.WorkerName }
	case ByTeam:
		return func(r *TaskRow) string { return r.TeamName }
	case ByAddress:
		return func(r *TaskRow) string { return r.Address }
	case ByRecipient:
		return func(r *TaskRow) string { return r.RecipientName }
	case ByPhone:
		return func(r *TaskRow) string { return r.Phone }
	case ByNotes:
		return func(r *TaskRow) string { return r.Notes }
	case ByOrder:
		return func(r *TaskRow) string { return string(r.Order) }
	}
	return nil
}

// scaled keeps three decimals, more than any quantity or price is told with.
func scaled(number float64) int64 {
	const decimals, room = 1000, 1e15
	return int64(max(-room, min(number, room)) * decimals)
}

// taskUrgency puts late work first, then what is at risk, then the rest by the end of its window; finished work last,
// newest first. Of what is late or at risk, first comes what nobody has, then what nobody has estimated, each by the end
// of its window, then the rest by how late it is expected to be. No key depends on the clock: it is the same for as long
// as the row is, so that a board that nothing happens on need not be sorted again.
func taskUrgency(r *TaskRow, _ model.Millis) sortKey {
	if r.Status.Closed() {
		return sortKey{number: ranked(9, -int64(r.Completed))}
	}
	due := int64(r.Due)
	if due == 0 {
		due = int64(never)
	}
	rank := int64(6)
	switch r.Risk {
	case RiskLate:
		rank = 0
	case RiskAtRisk:
		rank = 3
	default:
		if r.Status != StatusUnassigned {
			rank = 7
		}
		return sortKey{number: ranked(rank, due)}
	}
	if r.Status == StatusUnassigned {
		return sortKey{number: ranked(rank, due)}
	}
	if late, ok := r.expectedLateness(); ok {
		return sortKey{number: ranked(rank+2, -late.Milliseconds())}
	}
	return sortKey{number: ranked(rank+1, due)}
}

// workerSortKey is where a worker goes.
func workerSortKey(column Column) func(*WorkerRow, model.Millis) sortKey {
	switch column {
	case ByName:
		return func(w *WorkerRow, _ model.Millis) sortKey { return textKey(w.Name) }
	case ByState:
		return func(w *WorkerRow, _ model.Millis) sortKey { return textKey(w.State.String()) }
	case ByDoing:
		return func(w *WorkerRow, _ model.Millis) sortKey { return textKey(string(w.ActiveTask)) }
	case ByStops:
		return func(w *WorkerRow, _ model.Millis) sortKey { return sortKey{number: int64(w.Stops())} }
	case ByDelay:
		return func(w *WorkerRow, _ model.Millis) sortKey { return keyIf(w.Delay != 0, int64(w.Delay)) }
	case BySeen:
		return func(w *WorkerRow, _ model.Millis) sortKey { return timeKey(w.LastSeen) }
	case ByBattery:
		return func(w *WorkerRow, _ model.Millis) sortKey { return keyIf(w.Battery >= 0, scaled(w.Battery)) }
	case ByVehicle:
		return func(w *WorkerRow, _ model.Millis) sortKey { return textKey(string(w.Vehicle)) }
	case ByCapacity:
		return func(w *WorkerRow, _ model.Millis) sortKey { return sortKey{number: scaled(w.Capacity)} }
	case ByTeam:
		return func(w *WorkerRow, _ model.Millis) sortKey { return textKey(w.TeamNames) }
	}
	return workerUrgency
}

// workerUrgency puts who runs late first, then who is silent, then who could take work, then the busy, then the rest.
func workerUrgency(w *WorkerRow, _ model.Millis) sortKey {
	rank, number := int64(4), int64(0)
	switch {
	case w.State == WorkerIsOff:
	case w.Delay > 0:
		rank, number = 0, -w.Delay.Milliseconds()
	case w.State == WorkerIsSilent:
		rank, number = 1, int64(w.LastSeen)
	case w.State == WorkerIsIdle:
		rank = 2
	case w.State == WorkerIsBusy:
		rank = 3
	}
	return sortKey{number: ranked(rank, number), text: w.Name}
}

// orderSortKey is where an order goes.
func orderSortKey(column Column) func(*OrderRow, model.Millis) sortKey {
	switch column {
	case ByOrder:
		return func(o *OrderRow, _ model.Millis) sortKey { return textKey(string(o.ShortID)) }
	case ByClient:
		return func(o *OrderRow, _ model.Millis) sortKey { return textKey(o.Client) }
	case ByState:
		return func(o *OrderRow, _ model.Millis) sortKey { return textKey(string(o.Status)) }
	case ByPickup:
		return func(o *OrderRow, _ model.Millis) sortKey { return sortKey{number: int64(o.Pickup.Status)} }
	case ByDropoff:
		return func(o *OrderRow, _ model.Millis) sortKey { return sortKey{number: int64(o.Dropoff.Status)} }
	case ByDue:
		return func(o *OrderRow, _ model.Millis) sortKey { return timeKey(o.Due()) }
	case ByPrice:
		return func(o *OrderRow, _ model.Millis) sortKey { return keyIf(o.Priced, scaled(o.Price)) }
	case ByService:
		return func(o *OrderRow, _ model.Millis) sortKey { return textKey(o.Service) }
	case ByModified:
		return func(o *OrderRow, _ model.Millis) sortKey { return timeKey(o.Modified) }
	}
	return orderUrgency
}

// orderUrgency puts orders with a late task first, then those with one at risk, then those that nobody has, then the
// open ones, each by when they are due; then the rest, newest first.
func orderUrgency(o *OrderRow, _ model.Millis) sortKey {
	due := int64(o.Due())
	if due == 0 {
		due = int64(never)
	}
	switch {
	case !o.Open():
		return sortKey{number: ranked(4, -int64(o.Modified))}
	case o.Risk == RiskLate:
		return sortKey{number: ranked(0, due)}
	case o.Risk == RiskAtRisk:
		return sortKey{number: ranked(1, due)}
	case o.Status == model.OrderUnassigned:
		return sortKey{number: ranked(2, due)}
	}
	return sortKey{number: ranked(3, due)}
}
