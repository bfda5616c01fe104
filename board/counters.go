package board

import (
	"time"

	"waybill/model"
)

// Counters count tasks by status and workers by state. Late and AtRisk count open tasks of any status.
type Counters struct {
	Unassigned, Assigned, Active, Done, Failed int
	AtRisk, Late                               int

	Idle, Busy, Silent, Off int
}

// Open returns how many tasks are open.
func (c Counters) Open() int { return c.Unassigned + c.Assigned + c.Active }

// OnDuty returns how many workers are on duty.
func (c Counters) OnDuty() int { return c.Idle + c.Busy + c.Silent }

// addTask counts a row, or removes it from the counts when by is -1. No row is counted for nil.
func (c *Counters) addTask(row *TaskRow, by int) {
	if row == nil {
		return
	}
	switch row.Status {
	case StatusUnassigned:
		c.Unassigned += by
	case StatusAssigned:
		c.Assigned += by
	case StatusActive:
		c.Active += by
	case StatusDone:
		c.Done += by
	case StatusFailed:
		c.Failed += by
	case StatusUnknown:
	}
	switch row.Risk {
	case RiskAtRisk:
		c.AtRisk += by
	case RiskLate:
		c.Late += by
	case RiskNone, RiskOK:
	}
}

func (c *Counters) addWorker(row *WorkerRow, by int) {
	if row == nil {
		return
	}
	switch row.State {
	case WorkerIsOff:
		c.Off += by
	case WorkerIsIdle:
		c.Idle += by
	case WorkerIsBusy:
		c.Busy += by
	case WorkerIsSilent:
		c.Silent += by
	}
}

// trendMinutes is how far back the trend of late tasks goes.
const trendMinutes = 60

// lateTrend is a ring of late counts, one per minute.
type lateTrend struct {
	counts [trendMinutes]int
	used   int
	minute int64
	shared []int // history as snapshots have it; nil after a count has changed
}

// record records the count of the current minute. Minutes without a record repeat the last one.
func (t *lateTrend) record(now model.Millis, late int) {
	minute := int64(now) / time.Minute.Milliseconds()
	if t.used == 0 {
		t.minute, t.used = minute, 1
	}
	last := t.counts[t.minute%trendMinutes]
	if minute == t.minute && last == late {
		return
	}
	for m := max(t.minute+1, minute-trendMinutes+1); m < minute; m++ {
		t.counts[m%trendMinutes] = last
	}
	t.used = int(min(trendMinutes, int64(t.used)+minute-t.minute))
	t.minute = minute
	t.counts[minute%trendMinutes] = late
	t.shared = nil
}

// history returns the counts from oldest to newest.
func (t *lateTrend) history() []int {
	if t.shared == nil && t.used > 0 {
		t.shared = make([]int, t.used)
		for i := range t.shared {
			t.shared[i] = t.counts[(t.minute-int64(t.used)+1+int64(i))%trendMinutes]
		}
	}
	return t.shared
}
