package board

import (
	"time"

	"waybill/model"
)

// Counters are the numbers a dispatcher triages by. Late and AtRisk count open tasks of any status.
type Counters struct {
	Unassigned, Assigned, Active, Done, Failed int
	AtRisk, Late                               int

	Idle, Busy, Silent, Off int
}

// Open is how many tasks are not finished.
func (c Counters) Open() int { return c.Unassigned + c.Assigned + c.Active }

// OnDuty is how many workers are on duty.
func (c Counters) OnDuty() int { return c.Idle + c.Busy + c.Silent }

// task adds a row, or takes it away when by is -1. The board keeps its counters so, change by change.
func (c *Counters) task(row *TaskRow, by int) {
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
	}
	switch row.Risk {
	case RiskAtRisk:
		c.AtRisk += by
	case RiskLate:
		c.Late += by
	}
}

func (c *Counters) worker(row *WorkerRow, by int) {
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

// trendMinutes is how far back the trend of late work goes.
const trendMinutes = 60

// lateTrend is a ring of late counts, one a minute.
type lateTrend struct {
	counts [trendMinutes]int
	used   int
	minute int64
	shared []int // the line as snapshots have it; nil once a count changed
}

// note records the count for the minute of now. Minutes in which nobody looked repeat what was last seen.
func (t *lateTrend) note(now model.Millis, late int) {
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

// line is the counts from oldest to newest.
func (t *lateTrend) line() []int {
	if t.shared == nil && t.used > 0 {
		t.shared = make([]int, t.used)
		for i := range t.shared {
			t.shared[i] = t.counts[(t.minute-int64(t.used)+1+int64(i))%trendMinutes]
		}
	}
	return t.shared
}
