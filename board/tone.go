package board

import (
	"strings"

	"waybill/model"
)

// Tone is what a cell means. Views map it to a style and a sign.
type Tone uint8

// Tones. Those from ToneUnknown on are the statuses of tasks, workers and orders.
const (
	ToneText Tone = iota
	ToneMuted
	ToneWarning
	ToneGrowing   // a delay that grows
	ToneShrinking // a delay that shrinks
	ToneUnknown
	ToneUnassigned
	ToneAssigned
	ToneActive
	ToneDone
	ToneFailed
	ToneLate
	ToneAtRisk
	ToneSilent
	ToneIdle
	ToneBusy
	ToneOff
	ToneCount
)

// Tone returns the tone of a status.
func (s Status) Tone() Tone { return ToneUnknown + Tone(s) }

// Tone returns the tone that a task's row leads with: late and at risk come before its status.
func (r *TaskRow) Tone() Tone { return r.Risk.toneOr(r.Status.Tone()) }

func (r Risk) toneOr(other Tone) Tone {
	switch r {
	case RiskLate:
		return ToneLate
	case RiskAtRisk:
		return ToneAtRisk
	default:
		return other
	}
}

// Tone returns the tone of a worker's state.
func (s WorkerState) Tone() Tone { return [...]Tone{ToneOff, ToneIdle, ToneBusy, ToneSilent}[s] }

// Tone returns the tone that a worker's row leads with: late comes before the state.
func (w *WorkerRow) Tone() Tone {
	if w.Delay > 0 && w.State != WorkerIsOff {
		return ToneLate
	}
	return w.State.Tone()
}

// OrderTone returns the tone of an order's status. A status that is not known stays unknown.
func OrderTone(status model.OrderStatus) Tone {
	switch strings.ToLower(string(status)) {
	case "unassigned", "created", "quoted":
		return ToneUnassigned
	case "assigned":
		return ToneAssigned
	case "active", "in_progress":
		return ToneActive
	case "completed", "succeeded":
		return ToneDone
	case "failed", "rejected":
		return ToneFailed
	case "cancelled", "canceled":
		return ToneOff
	}
	return ToneUnknown
}
