package ui

import (
	"fmt"
	"io"
	"strings"
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/ui/feed"
)

// PrintChanges writes what is different between two moments of a board: the counters that changed in one line, and a
// line for each task that became late. Nothing is written where nothing changed.
func PrintChanges(w io.Writer, before, after *board.Snapshot, o PrintOptions) error {
	p := printer{w: w, s: after, o: o}
	if changes := counterChanges(before.Counters, after.Counters); len(changes) > 0 {
		p.line("%s: %s.", clockOf(after.Now, o.Zone), strings.Join(changes, "; "))
	}
	for _, t := range after.TriageQueue(after.Counters.Late) {
		was := before.Tasks.Get(t.Task.ID)
		if t.Task.Risk == board.RiskLate && (was == nil || was.Risk != board.RiskLate) {
			p.line("Now late: task %s, %s, %s, %s, %s",
				t.Task.ShortID, t.Task.Kind(), t.Task.LatenessText(after.Now), p.worker(t.Task), t.Why)
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
		{"workers idle", was.Idle, is.Idle},
		{"workers silent", was.Silent, is.Silent},
	} {
		if c.was != c.is {
			changes = append(changes, fmt.Sprintf("%d %s, was %d", c.is, c.word, c.was))
		}
	}
	return changes
}

func clockOf(at model.Millis, zone *time.Location) string { return at.Time().In(zone).Format("15:04") }

func printOutage(w io.Writer, s feed.Status, now time.Time, zone *time.Location) error {
	text := "The service answers again."
	if s.Offline {
		text = outageCause(s) + ". It is tried again and again; what was said before may have changed."
	}
	_, err := fmt.Fprintf(w, "%s: %s\n", now.In(zone).Format("15:04"), text)
	return err
}
