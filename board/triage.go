package board

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"waybill/model"
)

// Triage is one line of the delays queue: a task in trouble, why as far as the data says, and what would help.
type Triage struct {
	Task     *TaskRow
	Late     time.Duration // zero while it is only at risk
	Slack    time.Duration // what is left; negative when late
	Reasons  []Reason      // the telling one first
	Why      string        // the reasons in words
	Remedies []Remedy      // the likeliest first
}

// Reason is a cause of lateness that the data shows.
type Reason uint8

// Reasons.
const (
	ReasonUnassigned Reason = iota + 1
	ReasonWaitsForPickup
	ReasonOffDuty
	ReasonSilent
	ReasonBehindLate
	ReasonWindowShort
	ReasonOverdue // the window is over and nothing says when it will be done
	ReasonETA     // they are expected after the window
	ReasonService // they come within the window, and what they do there runs over its end
	ReasonShortNotice  // it was created when there was hardly time left
	ReasonDelayed // the service says so, and nothing else does
	ReasonDueSoon    // nothing is wrong yet but the clock
	ReasonLowBattery
)

// Remedy is something that may help.
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

// TriageFilter lets through what belongs into the delays queue.
func TriageFilter() Filter {
	return Filter{pane: PaneDelays, terms: []filterTerm{{
		op: opIs, key: keyState, bare: true, values: []filterValue{newFilterValue("late", false), newFilterValue("atrisk", false)},
	}}}
}

// triageKey puts the latest first and the tightest after them, minute by minute as the pane shows them; within a
// minute, what nobody has started before what is under way.
func triageKey(r *TaskRow, now model.Millis) sortKey {
	slack, ok := r.Slack(now)
	if !ok {
		return missingKey()
	}
	minute := int64(slack / time.Minute)
	if slack < 0 {
		minute-- // less than a minute late is still late, and before what is in time to the minute
	}
	started := int64(0)
	if r.Status == StatusActive {
		started = 1
	}
	return sortKey{number: 2*minute + started}
}

// Explain says why a task is late or at risk and what would help. It looks only at what the task is linked to, so it
// can be asked for every row on the screen.
func (s *Snapshot) Explain(task *TaskRow) Triage {
	t := Triage{Task: task}
	t.Slack, _ = task.Slack(s.Now)
	t.Late = max(0, -t.Slack)
	e := explanation{Snapshot: s, task: task, out: &t}
	e.dependency()
	if task.Worker == "" {
		e.unassigned()
	} else {
		e.driver()
	}
	e.clock()
	t.Why = strings.Join(e.words, ", ")
	if task.Status == StatusActive {
		e.remedy(RemedyCallDriver, RemedyWindow, RemedyClone, RemedyComplete)
	}
	if task.Phone != "" {
		e.remedy(RemedyCall)
	}
	return t
}

type explanation struct {
	*Snapshot
	task  *TaskRow
	words []string
	out   *Triage
}

func (e *explanation) say(reason Reason, format string, args ...any) {
	e.out.Reasons = append(e.out.Reasons, reason)
	e.words = append(e.words, fmt.Sprintf(format, args...))
}

// remedy offers what may help, except to give a task to someone else that a driver has started: that is refused.
func (e *explanation) remedy(remedies ...Remedy) {
	for _, r := range remedies {
		if e.task.Status == StatusActive && (r == RemedyReassign || r == RemedyCandidates) {
			continue
		}
		if !slices.Contains(e.out.Remedies, r) {
			e.out.Remedies = append(e.out.Remedies, r)
		}
	}
}

func (e *explanation) dependency() {
	for _, id := range e.task.Dependencies {
		if first := e.Tasks.Get(id); first != nil && !first.Status.Closed() {
			e.say(ReasonWaitsForPickup, "waits for %s %s", first.Kind(), first.ShortID)
			e.remedy(RemedyPickup)
			return
		}
	}
}

func (e *explanation) unassigned() {
	if e.task.Status != StatusUnassigned {
		return
	}
	idle, near := e.idleFor(e.task)
	switch {
	case near > 0:
		e.say(ReasonUnassigned, "unassigned, %d idle near", near)
	case idle > 0:
		e.say(ReasonUnassigned, "unassigned, %d idle far off", idle)
	default:
		e.say(ReasonUnassigned, "unassigned, nobody idle")
	}
	e.remedy(RemedyAssign, RemedyCandidates, RemedyAutoAssign)
}

// idleFor counts idle workers who may take a task, and those of them who are near.
func (s *Snapshot) idleFor(task *TaskRow) (idle, near int) {
	flat := flatEarth(task.Location)
	for i := range s.idle {
		spot := &s.idle[i]
		if !spot.mayTake(task) {
			continue
		}
		idle++
		if task.HasLocation && spot.placed && flat.meters(spot.at) <= s.Settings.Near {
			near++
		}
	}
	return idle, near
}

func (e *explanation) driver() {
	w := e.Workers.Get(e.task.Worker)
	if w == nil {
		return
	}
	switch {
	case !w.OnDuty:
		e.say(ReasonOffDuty, "driver off duty")
		e.remedy(RemedyReassign, RemedyCandidates, RemedyCallDriver)
	case w.State == WorkerIsSilent:
		e.say(ReasonSilent, "driver silent %s", model.FormatDuration(e.Now.Sub(w.LastSeen)))
		e.remedy(RemedyCallDriver, RemedyReassign, RemedyCandidates)
	}
	if behind := e.lateBefore(w); behind > 0 {
		e.say(ReasonBehindLate, "behind %s", counted(behind, "late stop"))
		e.remedy(RemedyRoute, RemedyReassign, RemedyCandidates)
	}
	if e.windowShort(w) {
		e.say(ReasonWindowShort, "window too short")
		e.remedy(RemedyWindow)
	}
	if w.Battery >= 0 && w.Battery < e.Settings.LowBattery {
		e.say(ReasonLowBattery, "battery %.0f%%", w.Battery*100)
		e.remedy(RemedyCallDriver)
	}
}

// lateBefore counts the late stops that the driver makes first.
func (e *explanation) lateBefore(w *WorkerRow) int {
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
	return 0 // not on the route after all: the two answers are from different moments
}

// windowShort reports a window that the work alone fills, or that was set after the driver could make it.
func (e *explanation) windowShort(w *WorkerRow) bool {
	t := e.task
	if t.Earliest == 0 || t.Due == 0 {
		return false
	}
	need := t.Service
	if w.HasLocation && t.HasLocation && t.Status == StatusActive {
		need += travelTime(w.Location.MetersTo(t.Location), w.Vehicle)
	}
	return t.Due.Sub(t.Earliest) < need
}

// clock adds what the times alone say, when nothing else explains the delay.
func (e *explanation) clock() {
	if slices.ContainsFunc(e.out.Reasons, func(r Reason) bool { return r != ReasonLowBattery }) {
		return
	}
	telling := e.words
	e.words, e.out.Reasons = nil, nil
	e.cameIn()
	task := e.task
	switch late := e.out.Late > 0; {
	case task.Arrived != 0:
		e.there()
	case late && task.Due != 0 && task.Arrival > max(e.Now, task.Due):
		words := e.held()
		if words == "" {
			words = "arrives " + model.FormatShortDelay(clockMinutes(task.Due, task.Arrival)) + " after due"
		}
		e.say(ReasonETA, "%s", words)
		e.remedy(RemedyCandidates, RemedyReassign, RemedyCallDriver)
	case !late && task.Due != 0 && task.Finish > task.Due:
		e.say(ReasonService, "%s", joined(e.held(), "done "+model.FormatShortDelay(clockMinutes(task.Due, task.Finish))+" after due"))
		e.remedy(RemedyCandidates, RemedyReassign, RemedyCallDriver)
	case late && (task.Due == 0 || task.Due >= e.Now):
		e.say(ReasonDelayed, "%s", joined(e.held(), "said to be delayed, "+task.notDone()))
		e.remedy(RemedyRoute, RemedyCallDriver, RemedyReassign, RemedyCandidates)
	case late:
		e.say(ReasonOverdue, "%s", joined(e.held(), task.notDone()))
		e.remedy(RemedyCallDriver, RemedyReassign, RemedyCandidates)
	case task.Status == StatusActive && task.Arrival != 0:
		e.say(ReasonDueSoon, "%s", joined(e.held(), "barely in time"))
		e.remedy(RemedyCallDriver)
	default:
		e.say(ReasonDueSoon, "%s", joined(e.held(), task.notDone()))
		e.remedy(RemedyCandidates, RemedyReassign)
	}
	if len(telling) > 0 {
		e.words = append(e.words, telling...)
		e.out.Reasons = append(e.out.Reasons, ReasonLowBattery)
	}
}

// shortNotice is how little time before its due time a task must come in to blame that.
const shortNotice = 30 * time.Minute

func (e *explanation) cameIn() {
	t := e.task
	if t.Created == 0 || t.Due == 0 || e.out.Late == 0 {
		return
	}
	switch notice := t.Due.Sub(t.Created); {
	case notice < 0:
		e.say(ReasonShortNotice, "came in after due")
	case notice < shortNotice:
		e.say(ReasonShortNotice, "came in %s before due", model.FormatShortDelay(notice))
	}
}

// there is why a task is not done though its driver is there: they came too late, or what they do there takes long.
func (e *explanation) there() {
	t := e.task
	if t.Due != 0 && t.Arrived > t.Due {
		e.say(ReasonETA, "got there %s after due, not done", model.FormatShortDelay(clockMinutes(t.Due, t.Arrived)))
	} else {
		e.say(ReasonService, "there for %s, not done", model.FormatShortDelay(clockMinutes(t.Arrived, e.Now)))
	}
	e.remedy(RemedyCallDriver)
}

// held is what keeps a driver from being there: the stops that come first, or that they set out late. How far they still
// have to go is no reason, and when they will be there stands beside it.
func (e *explanation) held() string {
	if e.Workers.Get(e.task.Worker) == nil {
		return ""
	}
	if before := e.RoutePosition(e.task); before > 0 {
		return counted(before, "stop") + " before it"
	}
	if e.task.Started == 0 || e.task.Due == 0 {
		return ""
	}
	if e.task.Started > e.task.Due {
		return "set out " + model.FormatShortDelay(clockMinutes(e.task.Due, e.task.Started)) + " after due"
	}
	return "set out " + model.FormatShortDelay(clockMinutes(e.task.Started, e.task.Due)) + " before due"
}

func joined(first, then string) string {
	if first == "" {
		return then
	}
	return first + ", " + then
}

func (r *TaskRow) notDone() string {
	if r.Status == StatusActive {
		return "not done"
	}
	return "not started"
}

// TriageQueue is the first lines of the delays queue: late and at risk, worst first. The console keeps a view for
// this; the queue is for those who print it once.
func (s *Snapshot) TriageQueue(limit int) []Triage {
	view := BuildTasks(s, TriageFilter(), Sort{Column: ByTriage}).Finish()
	queue := make([]Triage, 0, min(limit, view.Len()))
	for _, row := range view.Window(0, limit) {
		queue = append(queue, s.Explain(row))
	}
	return queue
}

// Trend is how a delay moves.
type Trend int8

// Trends.
const (
	TrendShrinking Trend = -1
	TrendSteady    Trend = 0
	TrendGrowing   Trend = 1
)

// trendThreshold is how far a delay must move to count.
const trendThreshold = time.Minute

// Looks remembers how much slack each troubled task had at the last look, to say how it moved since.
type Looks struct {
	slack map[model.ID]time.Duration
}

// Look remembers the rows as they are at a moment, and forgets the others.
func (l *Looks) Look(rows func(yield func(*TaskRow) bool), now model.Millis) {
	seen := make(map[model.ID]time.Duration, len(l.slack))
	for row := range rows {
		if slack, ok := row.Slack(now); ok {
			seen[row.ID] = slack
		}
	}
	l.slack = seen
}

// Trend is how a task's delay moved since the last look. A task that was not seen then is steady.
func (l *Looks) Trend(row *TaskRow, now model.Millis) Trend {
	before, seen := l.slack[row.ID]
	slack, ok := row.Slack(now)
	switch {
	case !seen || !ok:
		return TrendSteady
	case slack <= before-trendThreshold:
		return TrendGrowing
	case slack >= before+trendThreshold:
		return TrendShrinking
	}
	return TrendSteady
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
