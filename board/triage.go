package board

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"waybill/model"
)

// Triage explains why a task is late or at risk, and what would help.
type Triage struct {
	Task     *TaskRow
	Late     time.Duration // zero when it is only at risk
	Slack    time.Duration // negative when late
	Reasons  []Reason      // the most important first
	Why      string        // the reasons in words
	Remedies []Remedy      // the most likely first
}

// Reason is a cause of a delay.
type Reason uint8

// Reasons.
const (
	ReasonUnassigned Reason = iota + 1
	ReasonWaitsForPickup
	ReasonOffDuty
	ReasonSilent
	ReasonBehindLate
	ReasonWindowShort
	ReasonOverdue     // overdue without an estimate
	ReasonETA         // the driver is expected after due
	ReasonService     // the driver arrives before due and finishes after it
	ReasonShortNotice // it was created shortly before due
	ReasonDelayed     // only the service reports a delay
	ReasonDueSoon     // due soon
	ReasonLowBattery
)

// Remedy is an action that may help.
type Remedy string

// Remedies.
const (
	RemedyAssign     Remedy = "assign"
	RemedyReassign   Remedy = "reassign"
	RemedyCandidates Remedy = "candidates"
	RemedyAutoAssign Remedy = "auto-assign"
	RemedyCallDriver Remedy = "copy-driver-phone"
	RemedyCall       Remedy = "copy-phone"
	RemedyRoute      Remedy = "open-route"
	RemedyPickup     Remedy = "open-linked"
	RemedyWindow     Remedy = "edit-window"
	RemedyClone      Remedy = "clone-and-reassign"
	RemedyComplete   Remedy = "complete"
)

// TriageFilter lets late tasks and tasks at risk through.
func TriageFilter() Filter {
	return Filter{pane: PaneDelays, terms: []filterTerm{stateTerm("late", "atrisk")}}
}

// triageKey sorts by slack in minutes, the latest first; within a minute, tasks that are not started come first.
func triageKey(r *TaskRow, now model.Millis) sortKey {
	slack, ok := r.Slack(now)
	if !ok {
		return missingKey()
	}
	minute := int64(slack / time.Minute)
	if slack < 0 {
		minute-- // less than a minute late comes before on time
	}
	started := int64(0)
	if r.Status == StatusActive {
		started = 1
	}
	return sortKey{number: 2*minute + started}
}

// Explain returns why a task is late or at risk and what would help. It reads only what the task is linked to, so it is fast
// enough for every row on the screen.
func (s *Snapshot) Explain(task *TaskRow) Triage {
	t := Triage{Task: task}
	t.Slack, _ = task.Slack(s.Now)
	t.Late = max(0, -t.Slack)
	e := explanation{Snapshot: s, task: task, out: &t}
	e.checkDependency()
	if task.Worker == "" {
		e.checkUnassigned()
	} else {
		e.checkDriver()
	}
	e.checkTimes()
	t.Why = strings.Join(e.words, ", ")
	if task.Status == StatusActive {
		e.addRemedy(RemedyCallDriver, RemedyWindow, RemedyClone, RemedyComplete)
	}
	if task.Phone != "" {
		e.addRemedy(RemedyCall)
	}
	return t
}

type explanation struct {
	*Snapshot
	task  *TaskRow
	words []string
	out   *Triage
}

func (e *explanation) addReason(reason Reason, format string, args ...any) {
	e.out.Reasons = append(e.out.Reasons, reason)
	e.words = append(e.words, fmt.Sprintf(format, args...))
}

// addRemedy adds remedies. An active task is never offered for reassignment, because the service refuses that.
func (e *explanation) addRemedy(remedies ...Remedy) {
	for _, r := range remedies {
		if e.task.Status == StatusActive && (r == RemedyReassign || r == RemedyCandidates) {
			continue
		}
		if !slices.Contains(e.out.Remedies, r) {
			e.out.Remedies = append(e.out.Remedies, r)
		}
	}
}

func (e *explanation) checkDependency() {
	for _, id := range e.task.Dependencies {
		if first := e.Tasks.Get(id); first != nil && !first.Status.Closed() {
			e.addReason(ReasonWaitsForPickup, "waits for %s %s", first.Kind(), first.ShortID)
			e.addRemedy(RemedyPickup)
			return
		}
	}
}

func (e *explanation) checkUnassigned() {
	if e.task.Status != StatusUnassigned {
		return
	}
	idle, near := e.countIdleFor(e.task)
	switch {
	case near > 0:
		e.addReason(ReasonUnassigned, "unassigned, %d idle nearby", near)
	case idle > 0:
		e.addReason(ReasonUnassigned, "unassigned, %d idle, but far away", idle)
	default:
		e.addReason(ReasonUnassigned, "unassigned, nobody idle")
	}
	e.addRemedy(RemedyAssign, RemedyCandidates, RemedyAutoAssign)
}

// countIdleFor counts the idle workers who can take a task, and those of them who are near.
func (s *Snapshot) countIdleFor(task *TaskRow) (idle, near int) {
	flat := newFlatPlane(task.Location)
	for i := range s.idleWorkers {
		spot := &s.idleWorkers[i]
		if !spot.canTake(task) {
			continue
		}
		idle++
		if task.HasLocation && spot.hasLocation && flat.meters(spot.location) <= s.Settings.Near {
			near++
		}
	}
	return idle, near
}

func (e *explanation) checkDriver() {
	w := e.Workers.Get(e.task.Worker)
	if w == nil {
		return
	}
	switch {
	case !w.OnDuty:
		e.addReason(ReasonOffDuty, "driver off duty")
		e.addRemedy(RemedyReassign, RemedyCandidates, RemedyCallDriver)
	case w.State == WorkerIsSilent:
		e.addReason(ReasonSilent, "driver silent %s", model.FormatDuration(e.Now.Sub(w.LastSeen)))
		e.addRemedy(RemedyCallDriver, RemedyReassign, RemedyCandidates)
	}
	if behind := e.countLateBefore(w); behind > 0 {
		e.addReason(ReasonBehindLate, "behind %s", model.FormatCount(behind, "late stop"))
		e.addRemedy(RemedyRoute, RemedyReassign, RemedyCandidates)
	}
	if e.isWindowTooShort(w) {
		e.addReason(ReasonWindowShort, "window too short")
		e.addRemedy(RemedyWindow)
	}
	if w.Battery >= 0 && w.Battery < e.Settings.LowBattery {
		e.addReason(ReasonLowBattery, "battery %.0f%%", w.Battery*100)
		e.addRemedy(RemedyCallDriver)
	}
}

// countLateBefore counts the late stops before the task.
func (e *explanation) countLateBefore(w *WorkerRow) int {
	if w.ActiveTask == e.task.ID {
		return 0
	}
	late := 0
	for _, id := range append([]model.ID{w.ActiveTask}, w.Tasks...) {
		if id == e.task.ID {
			return late
		}
		if stop := e.Tasks.Get(id); stop != nil && stop.Risk == RiskLate {
			late++
		}
	}
	return 0 // not on the route: task and worker were refreshed at different moments
}

// isWindowTooShort reports a window that is shorter than the service time, with the travel time once the task is active.
func (e *explanation) isWindowTooShort(w *WorkerRow) bool {
	t := e.task
	if t.Earliest == 0 || t.Due == 0 {
		return false
	}
	need := t.Service
	if w.HasLocation && t.HasLocation && t.Status == StatusActive {
		need += w.Vehicle.Pace().Duration(w.Location.MetersTo(t.Location))
	}
	return t.Due.Sub(t.Earliest) < need
}

// checkTimes adds reasons from the times alone, when nothing else explains the delay.
func (e *explanation) checkTimes() {
	if slices.ContainsFunc(e.out.Reasons, func(r Reason) bool { return r != ReasonLowBattery }) {
		return
	}
	telling := e.words
	e.words, e.out.Reasons = nil, nil
	e.checkNotice()
	task := e.task
	switch late := e.out.Late > 0; {
	case task.Arrived != 0:
		e.explainAtStop()
	case late && task.Due != 0 && task.Arrival > max(e.Now, task.Due):
		words := e.holdup()
		if words == "" {
			words = "arrives " + model.FormatShortDelay(minutesBetween(task.Due, task.Arrival)) + " after due"
		}
		e.addReason(ReasonETA, "%s", words)
		e.addRemedy(RemedyCandidates, RemedyReassign, RemedyCallDriver)
	case !late && task.Due != 0 && task.Finish > task.Due:
		e.addReason(ReasonService, "%s", joinReasons(e.holdup(), "done "+model.FormatShortDelay(minutesBetween(task.Due, task.Finish))+" after due"))
		e.addRemedy(RemedyCandidates, RemedyReassign, RemedyCallDriver)
	case late && (task.Due == 0 || task.Due >= e.Now):
		e.addReason(ReasonDelayed, "%s", joinReasons(e.holdup(), "delay reported, "+task.progressText()))
		e.addRemedy(RemedyRoute, RemedyCallDriver, RemedyReassign, RemedyCandidates)
	case late:
		e.addReason(ReasonOverdue, "%s", joinReasons(e.holdup(), task.progressText()))
		e.addRemedy(RemedyCallDriver, RemedyReassign, RemedyCandidates)
	case task.Status == StatusActive && task.Arrival != 0:
		e.addReason(ReasonDueSoon, "%s", joinReasons(e.holdup(), "barely on time"))
		e.addRemedy(RemedyCallDriver)
	default:
		e.addReason(ReasonDueSoon, "%s", joinReasons(e.holdup(), task.progressText()))
		e.addRemedy(RemedyCandidates, RemedyReassign)
	}
	if len(telling) > 0 {
		e.words = append(e.words, telling...)
		e.out.Reasons = append(e.out.Reasons, ReasonLowBattery)
	}
}

// shortNotice is how shortly before due a task must be created to count as a reason.
const shortNotice = 30 * time.Minute

func (e *explanation) checkNotice() {
	t := e.task
	if t.Created == 0 || t.Due == 0 || e.out.Late == 0 {
		return
	}
	switch notice := t.Due.Sub(t.Created); {
	case notice < 0:
		e.addReason(ReasonShortNotice, "created after due")
	case notice < shortNotice:
		e.addReason(ReasonShortNotice, "created %s before due", model.FormatShortDelay(notice))
	}
}

// explainAtStop adds why a task is not done although its driver is there: they came late, or the stop takes long.
func (e *explanation) explainAtStop() {
	t := e.task
	if t.Due != 0 && t.Arrived > t.Due {
		e.addReason(ReasonETA, "arrived %s after due, not done", model.FormatShortDelay(minutesBetween(t.Due, t.Arrived)))
	} else {
		e.addReason(ReasonService, "there for %s, not done", model.FormatShortDelay(minutesBetween(t.Arrived, e.Now)))
	}
	e.addRemedy(RemedyCallDriver)
}

// holdup returns what keeps the driver from arriving: stops before the task, or when they started it. The arrival has its
// own column.
func (e *explanation) holdup() string {
	if e.Workers.Get(e.task.Worker) == nil {
		return ""
	}
	if before := e.RoutePosition(e.task); before > 0 {
		return model.FormatCount(before, "stop") + " before it"
	}
	if e.task.Started == 0 || e.task.Due == 0 {
		return ""
	}
	if e.task.Started > e.task.Due {
		return "started " + model.FormatShortDelay(minutesBetween(e.task.Due, e.task.Started)) + " after due"
	}
	return "started " + model.FormatShortDelay(minutesBetween(e.task.Started, e.task.Due)) + " before due"
}

func joinReasons(first, then string) string {
	if first == "" {
		return then
	}
	return first + ", " + then
}

func (r *TaskRow) progressText() string {
	if r.Status == StatusActive {
		return "not done"
	}
	return "not started"
}

// TriageQueue explains the worst late tasks and tasks at risk, for printing. The console keeps a view instead.
func (s *Snapshot) TriageQueue(limit int) []Triage {
	view := BuildTasks(s, TriageFilter(), Sort{Column: ByTriage}).Finish()
	queue := make([]Triage, 0, min(limit, view.Len()))
	for _, row := range view.Window(0, limit) {
		queue = append(queue, s.Explain(row))
	}
	return queue
}

// trendThreshold is how much a delay must change to count.
const trendThreshold = time.Minute

// DelayHistory remembers the slack of delayed tasks when someone last looked at them, to tell how delays move.
type DelayHistory struct {
	slack map[model.ID]time.Duration
}

// Remember records the slack of rows at a moment and forgets all others.
func (h *DelayHistory) Remember(rows iter.Seq[*TaskRow], now model.Millis) {
	h.slack = make(map[model.ID]time.Duration, len(h.slack))
	for row := range rows {
		if slack, ok := row.Slack(now); ok {
			h.slack[row.ID] = slack
		}
	}
}

// Trend returns whether a task's delay has grown or shrunk since it was remembered, and ToneText if neither is known.
func (h *DelayHistory) Trend(row *TaskRow, now model.Millis) Tone {
	before, seen := h.slack[row.ID]
	slack, ok := row.Slack(now)
	switch {
	case !seen || !ok:
	case slack <= before-trendThreshold:
		return ToneGrowing
	case slack >= before+trendThreshold:
		return ToneShrinking
	}
	return ToneText
}
