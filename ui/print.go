package ui

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"waybill/board"
	"waybill/model"
)

// PrintOptions say what of a board is printed.
type PrintOptions struct {
	Zone         *time.Location
	Organization string
	Limit        int // lines of each queue; zero for all
}

// PrintBoard writes the counters and queues of the console as plain lines, one thing a line and every number with its
// word: for screen readers, for mail, for a log.
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
	name := p.o.Organization
	if name == "" {
		name = "Board"
	}
	p.line("%s at %s", model.Clean(name), model.FormatTime(p.s.Now, p.o.Zone))
	p.line("Tasks: %d late, %d at risk, %d unassigned, %d assigned, %d active, %d done, %d failed.",
		c.Late, c.AtRisk, c.Unassigned, c.Assigned, c.Active, c.Done, c.Failed)
	p.line("Workers: %d idle, %d busy, %d silent, %d off duty.", c.Idle, c.Busy, c.Silent, c.Off)
}

func (p *printer) heading(title string, n int) {
	p.line("")
	if n == 0 {
		p.line("%s: none.", title)
		return
	}
	p.line("%s: %d.", title, n)
}

// cut says how many lines were left out.
func (p *printer) cut(shown, all int) {
	if all > shown {
		p.line("and %d more.", all-shown)
	}
}

func (p *printer) delays() {
	queue := p.s.TriageQueue(p.o.Limit)
	all := p.s.Counters.Late + p.s.Counters.AtRisk
	p.heading("Delays, worst first", all)
	for _, t := range queue {
		p.line("%s: task %s, %s, %s, %s", t.Task.LatenessText(p.s.Now), t.Task.ShortID, t.Task.Kind(), p.worker(t.Task), t.Why)
	}
	p.cut(len(queue), all)
}

func (p *printer) worker(r *board.TaskRow) string {
	if r.Worker == "" {
		return "nobody has it"
	}
	return model.Clean(r.WorkerName)
}

func (p *printer) unassigned() {
	filter, _ := board.ParseFilter(board.PaneTasks, "unassigned")
	view := board.BuildTasks(p.s, filter, board.Sort{}).Finish()
	p.heading("Unassigned, most urgent first", view.Len())
	rows := view.Window(0, p.o.Limit)
	for _, r := range rows {
		due := cmp.Or(r.LatenessText(p.s.Now), "no deadline")
		p.line("task %s, %s, %s, %s", r.ShortID, r.Kind(), due, model.Clean(r.Address))
	}
	p.cut(len(rows), view.Len())
}

func (p *printer) workers() {
	filter, _ := board.ParseFilter(board.PaneWorkers, "onduty")
	view := board.BuildWorkers(p.s, filter, board.Sort{}).Finish()
	p.heading("Workers on duty", view.Len())
	rows := view.Window(0, p.o.Limit)
	for _, r := range rows {
		text := fmt.Sprintf("%s, %s, %d stops", model.Clean(r.Name), r.State, r.Stops())
		if r.Delay > 0 {
			text += ", " + model.FormatDuration(r.Delay) + " late"
		}
		if r.State == board.WorkerIsSilent {
			text += ", last seen " + model.FormatRelative(r.LastSeen, p.s.Now)
		}
		p.line("%s", text)
	}
	p.cut(len(rows), view.Len())
}

func (p *printer) orders() {
	filter, _ := board.ParseFilter(board.PaneOrders, "open")
	view := board.BuildOrders(p.s, filter, board.Sort{}).Finish()
	if view.Len() == 0 {
		return
	}
	p.heading("Open orders", view.Len())
	rows := view.Window(0, p.o.Limit)
	for _, r := range rows {
		p.line("order %s, %s, pickup %s, dropoff %s", r.ShortID, model.Clean(r.Client), r.Pickup.Status, r.Dropoff.Status)
	}
	p.cut(len(rows), view.Len())
}
