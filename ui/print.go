package ui

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/ui/feed"
)

// PrintOptions say what is printed of a board.
type PrintOptions struct {
	Zone         *time.Location
	Organization string
	Limit        int // lines per list; zero for all
}

// PrintBoard writes the counters and lists of the console as plain text, one object per line and every number with its
// unit: for screen readers, mail and logs.
func PrintBoard(w io.Writer, s *board.Snapshot, o PrintOptions) error {
	if o.Limit == 0 {
		o.Limit = max(s.Tasks.Len(), s.Workers.Len())
	}
	p := printer{w: w, s: s, o: o}
	p.counters()
	p.delays()
	p.unassigned()
	p.workers()
	p.orders()
	return p.err
}

type printer struct {
	w   io.Writer
	s   *board.Snapshot
	o   PrintOptions
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *printer) counters() {
	c := p.s.Counters
	p.line("%s at %s", model.Clean(cmp.Or(p.o.Organization, "Board")), model.FormatTime(p.s.Now, p.o.Zone))
	p.line("Tasks: %d late, %d at risk, %d unassigned, %d assigned, %d active, %d done, %d failed.",
		c.Late, c.AtRisk, c.Unassigned, c.Assigned, c.Active, c.Done, c.Failed)
	p.line("Drivers: %d idle, %d busy, %d silent, %d off duty.", c.Idle, c.Busy, c.Silent, c.Off)
}

// printList prints rows under a heading, and how many more there are.
func printList[R any](p *printer, title string, rows []R, all int, line func(r R) string) {
	p.line("")
	if all == 0 {
		p.line("%s: none.", title)
		return
	}
	p.line("%s: %d.", title, all)
	for _, r := range rows {
		p.line("%s", line(r))
	}
	if all > len(rows) {
		p.line("and %d more.", all-len(rows))
	}
}

// printView prints the rows of a view under a heading.
func printView[R any](p *printer, title string, view *board.View[R], line func(r *R) string) {
	printList(p, title, view.Window(0, p.o.Limit), view.Len(), line)
}

// filter is a filter that is always valid.
func filter(pane board.Pane, text string) board.Filter {
	f, _ := board.ParseFilter(pane, text)
	return f
}

func (p *printer) delays() {
	all := p.s.Counters.Late + p.s.Counters.AtRisk
	printList(p, "Delays, worst first", p.s.TriageQueue(p.o.Limit), all, func(t board.Triage) string {
		return fmt.Sprintf("%s: task %s, %s, %s, %s", t.Task.LatenessText(p.s.Now), t.Task.ShortID, t.Task.Kind(), workerText(t.Task), t.Why)
	})
}

func workerText(r *board.TaskRow) string {
	if r.Worker == "" {
		return "unassigned"
	}
	return model.Clean(r.WorkerName)
}

func (p *printer) unassigned() {
	view := board.BuildTasks(p.s, filter(board.PaneTasks, "unassigned"), board.Sort{}).Finish()
	printView(p, "Unassigned, most urgent first", view, func(r *board.TaskRow) string {
		due := cmp.Or(r.LatenessText(p.s.Now), "no deadline")
		return fmt.Sprintf("task %s, %s, %s, %s", r.ShortID, r.Kind(), due, model.Clean(r.Address))
	})
}

func (p *printer) workers() {
	view := board.BuildWorkers(p.s, filter(board.PaneWorkers, "onduty"), board.Sort{}).Finish()
	printView(p, "Drivers on duty", view, func(r *board.WorkerRow) string {
		text := fmt.Sprintf("%s, %s, %s", model.Clean(r.Name), r.State, plural(r.Stops(), "stop", "stops"))
		if r.Delay > 0 {
			text += ", " + model.FormatDuration(r.Delay) + " late"
		}
		if r.State == board.WorkerIsSilent {
			text += ", last seen " + model.FormatRelative(r.LastSeen, p.s.Now)
		}
		return text
	})
}

func (p *printer) orders() {
	view := board.BuildOrders(p.s, filter(board.PaneOrders, "open"), board.Sort{}).Finish()
	if view.Len() == 0 {
		return
	}
	printView(p, "Open orders", view, func(r *board.OrderRow) string {
		return fmt.Sprintf("order %s, %s, pickup %s, dropoff %s", r.ShortID, model.Clean(r.Client), r.Pickup.Status, r.Dropoff.Status)
	})
}

// PrintChanges writes what has changed between two snapshots: the changed counters in one line, and one line per task
// that became late.
func PrintChanges(w io.Writer, before, after *board.Snapshot, o PrintOptions) error {
	p := printer{w: w, s: after, o: o}
	if changes := counterChanges(before.Counters, after.Counters); len(changes) > 0 {
		p.line("%s: %s.", after.Now.Time().In(o.Zone).Format("15:04"), strings.Join(changes, "; "))
	}
	for _, t := range after.TriageQueue(after.Counters.Late) {
		was := before.Tasks.Get(t.Task.ID)
		if t.Task.Risk == board.RiskLate && (was == nil || was.Risk != board.RiskLate) {
			p.line("Now late: task %s, %s, %s, %s, %s",
				t.Task.ShortID, t.Task.Kind(), t.Task.LatenessText(after.Now), workerText(t.Task), t.Why)
		}
	}
	return p.err
}

func counterChanges(was, is board.Counters) []string {
	var changes []string
	for _, c := range []struct {
		word    string
		was, is int
	}{
		{"late", was.Late, is.Late},
		{"at risk", was.AtRisk, is.AtRisk},
		{"unassigned", was.Unassigned, is.Unassigned},
		{"active", was.Active, is.Active},
		{"done", was.Done, is.Done},
		{"failed", was.Failed, is.Failed},
		{"drivers idle", was.Idle, is.Idle},
		{"drivers silent", was.Silent, is.Silent},
	} {
		if c.was != c.is {
			changes = append(changes, fmt.Sprintf("%d %s, was %d", c.is, c.word, c.was))
		}
	}
	return changes
}

func printOutage(w io.Writer, s feed.Status, now time.Time, zone *time.Location) error {
	text := "The service is reachable again."
	if s.Offline {
		text = outageCause(s) + ". Retrying; the board may have changed."
	}
	_, err := fmt.Fprintf(w, "%s: %s\n", now.In(zone).Format("15:04"), text)
	return err
}
