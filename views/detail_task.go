package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

// addTask adds a task: status and delay first, then address and people, then the rest.
func (w *detailWriter) addTask(t *model.Task, r *board.TaskRow) {
	if r != nil {
		w.addStatus(r)
		w.addDelay(r)
		w.addTimes(r)
		w.addPeople(t, r)
	}
	if t == nil {
		if r != nil {
			w.addField("notes", theme.Text, r.Notes)
		}
		w.addGap()
		w.addText(theme.Muted, "Loading…")
		return
	}
	if r == nil {
		w.addField("state", theme.Text, t.State.String())
		w.addField("address", theme.Text, addressText(t.Destination.Object))
	}
	w.addField("notes", theme.Text, t.Notes)
	w.addField("quantity", theme.Text, numberText(t.Quantity)+quantities(t.AdditionalQuantities))
	w.addField("service", theme.Text, duration(t.ServiceTime.Duration()))
	w.addField("requires", theme.Text, t.Requirements.Value().Text())
	if t.State == model.TaskCompleted {
		w.addCompletion(&t.CompletionDetails)
	}
	if r != nil {
		w.addLinkedTasks(r)
	}
	w.addTimeline(t)
	w.addCustomFields(t)
	w.addMetadata(t.Metadata)
	w.addIDs(t.ID, t.TimeCreated, t.TimeLastModified, func() {
		w.addLinkedField(OrderLink, model.ID(t.OrderShortID.Value()), "order", string(t.OrderShortID.Value()))
		w.addField("tracking", theme.Text, t.TrackingURL)
	})
}

// addDelay adds why a task is late or at risk, and the actions that may help.
func (w *detailWriter) addDelay(r *board.TaskRow) {
	if r.Risk < board.RiskAtRisk {
		return
	}
	t := w.s.Explain(r)
	w.addField("cause", theme.Warn, t.Why)
	var remedies []string
	indexOfKey := map[string]int{} // remedies on the same key are joined
	for _, remedy := range t.Remedies {
		action, words := remedyAction(remedy)
		key := ""
		if w.f.Key != nil {
			key = w.f.Key(action)
		}
		if i, seen := indexOfKey[key]; seen && key != "" {
			remedies[i] += " or " + strings.TrimPrefix(words, "copy ")
			continue
		}
		indexOfKey[key] = len(remedies)
		remedies = append(remedies, strings.TrimSpace(key+" "+words))
	}
	if len(remedies) > 0 {
		w.addField("try", theme.Text, strings.Join(remedies, ", "))
	}
}

// remedyAction returns the action that carries out a remedy, and its text.
func remedyAction(r board.Remedy) (action, text string) {
	known := map[board.Remedy][2]string{
		board.RemedyAssign:     {"route.assign", "assign"},
		board.RemedyReassign:   {"route.assign", "reassign"},
		board.RemedyCandidates: {"route.candidates", "see candidates"},
		board.RemedyAutoAssign: {"route.auto-assign", "auto-assign"},
		board.RemedyCallDriver: {"take.copy", "copy the driver's phone"},
		board.RemedyCall:       {"take.copy", "copy the recipient's phone"},
		board.RemedyRoute:      {"look.route", "see the route"},
		board.RemedyPickup:     {"look.partner", "see the pickup"},
		board.RemedyWindow:     {"task.window", "extend the window"},
		board.RemedyClone:      {"task.clone-assign", "clone and reassign"},
		board.RemedyComplete:   {"task.complete", "complete"},
	}[r]
	return known[0], cmp.Or(known[1], string(r))
}

func (w *detailWriter) addTimes(r *board.TaskRow) {
	if r.Earliest != 0 || r.Due != 0 {
		from, to := model.FormatTime(r.Earliest, w.f.Zone), model.FormatTime(r.Due, w.f.Zone)
		switch {
		case r.Earliest == 0:
			w.addField("window", theme.Text, "until "+to)
		case r.Due == 0:
			w.addField("window", theme.Text, "from "+from)
		default:
			w.addField("window", theme.Text, windowText(r, w.f.Now, w.f.Zone, " – ")+" "+to[strings.LastIndexByte(to, ' ')+1:])
		}
	}
	switch expected := w.formatTime(r.Arrival); {
	case r.Arrived != 0:
		w.addField("arrived", theme.Text, w.formatTime(r.Arrived))
	case r.Finish > r.Arrival:
		w.addField("eta", theme.Text, expected+", done "+clockText(r.Finish, w.f.Now, w.f.Zone))
	default:
		w.addField("eta", theme.Text, expected)
	}
	w.addField("finished", theme.Text, w.formatTime(r.Completed))
}

func (w *detailWriter) addPeople(t *model.Task, r *board.TaskRow) {
	if r.Worker != "" {
		name := cmp.Or(r.WorkerName, string(r.Worker))
		if at := w.s.RoutePosition(r); at > 0 {
			name += fmt.Sprintf("  stop %d", at+1)
		}
		w.addLinkedField(DriverLink, r.Worker, "driver", name)
	} else {
		w.addField("driver", theme.Warn, "unassigned")
	}
	w.addField("team", theme.Text, r.TeamName)
	w.addLinkedField(DestinationLink, r.Destination, "address", r.Address)
	if t != nil && t.Destination.Object != nil {
		w.addField("", theme.Muted, t.Destination.Object.Notes)
		w.addAddressWarnings(t.Destination.Object)
	}
	name := strings.TrimSpace(r.RecipientName + "  " + r.Phone)
	if t == nil || len(t.Recipients) == 0 || t.Recipients[0].Object == nil {
		w.addField("recipient", theme.Text, name)
		return
	}
	for i := range t.Recipients {
		if o := t.Recipients[i].Object; o != nil {
			if i > 0 {
				name = strings.TrimSpace(o.Name + "  " + o.Phone)
			}
			w.addLinkedField(RecipientLink, o.ID, "recipient", name)
			w.addField("", theme.Muted, o.Notes)
		}
	}
}

func quantities(q model.Quantities) string {
	var b strings.Builder
	for _, part := range []struct {
		name  string
		value float64
	}{{"A", q.A}, {"B", q.B}, {"C", q.C}} {
		if part.value != 0 {
			b.WriteString("  " + part.name + " " + numberText(part.value))
		}
	}
	return b.String()
}

func (w *detailWriter) addCompletion(c *model.CompletionDetails) {
	outcome, token := "succeeded", theme.Good
	if !c.Success.Value() {
		outcome, token = "failed", theme.Bad
		if c.FailureReason != "" && c.FailureReason != model.FailureNone {
			outcome += ": " + c.FailureReason
		}
	}
	w.addField("outcome", token, outcome)
	w.addField("", theme.Text, strings.TrimSpace(c.FailureNotes+" "+c.SuccessNotes+" "+c.Notes))
	if distance := c.Distance.Value(); distance > 0 {
		w.addField("distance", theme.Text, model.FormatDistance(distance))
	}
}

// addLinkedTasks adds the tasks linked to this one, such as the pickup of a drop-off.
func (w *detailWriter) addLinkedTasks(r *board.TaskRow) {
	for i, l := range w.s.LinkedTasks(r) {
		if i == 0 {
			w.addHeading("linked")
		}
		lead := map[board.Relation]string{
			board.LinkedBefore: "first   ", board.LinkedAfter: "then    ", board.LinkedOrder: "order   ",
		}[l.Relation]
		w.addTaskLink(l.ID, l.Row, lead)
	}
}

// milestone is one line of a timeline.
type milestone struct {
	at    model.Millis
	token theme.Token
	text  string
}

// addTimeline adds what happened to a task and what is expected.
func (w *detailWriter) addTimeline(t *model.Task) {
	milestones := []milestone{{t.TimeCreated, theme.Text, "created"}}
	for _, entry := range t.AssignmentHistory.Value() {
		milestones = append(milestones, milestone{entry.Time, theme.StatusToken(board.ToneAssigned), w.assignmentText(&entry)})
	}
	arrived := false
	for _, e := range t.CompletionDetails.Events {
		arrived = arrived || e.Name == model.EventArrival
		milestones = append(milestones, milestone{e.Time, theme.StatusToken(board.ToneActive), eventText(e.Name)})
	}
	if at := t.CompletionDetails.Time.Value(); at != 0 && t.State == model.TaskCompleted {
		token, text := theme.StatusToken(board.ToneDone), "completed"
		if t.Failed() {
			token, text = theme.StatusToken(board.ToneFailed), "failed"
		}
		milestones = append(milestones, milestone{at, token, text})
	}
	if at := t.EstimatedArrivalTime.Value(); at != 0 && t.State != model.TaskCompleted && !arrived {
		milestones = append(milestones, milestone{at, theme.Muted, "expected arrival"})
	}
	if at := t.CompleteBefore.Value(); at != 0 && t.State != model.TaskCompleted {
		milestones = append(milestones, milestone{at, theme.Muted, "window ends"})
	}
	slices.SortStableFunc(milestones, func(a, b milestone) int { return cmp.Compare(a.at, b.at) })
	w.addHeading("timeline, " + w.f.Now.In(w.f.Zone).Format("MST"))
	nowShown := false
	for _, m := range milestones {
		if m.at > w.f.Millis() && !nowShown {
			nowShown = true
			w.addLine(Span{theme.Info, w.measure.Fit(w.f.Now.In(w.f.Zone).Format("15:04"), labelWidth, theme.Left) + " "}, Span{theme.Info, "now"})
		}
		w.addLine(Span{theme.Muted, w.measure.Fit(clockText(m.at, w.f.Now, w.f.Zone), labelWidth, theme.Left) + " "}, Span{m.token, m.text})
	}
}

func (w *detailWriter) assignmentText(e *model.AssignmentEntry) string {
	text := "unassigned"
	switch c := e.ContainerDescription; c.Type {
	case model.ContainerWorker:
		text = "assigned to " + w.workerName(c.Worker.Value())
	case model.ContainerTeam:
		text = "assigned to team " + w.teamName(c.Team.Value())
	case model.ContainerOrganization:
	}
	if who, ok := e.ActionContext.Get(); ok && who.Type != "" {
		text += " by " + strings.ToLower(who.Type)
	}
	return text
}

func eventText(name string) string {
	switch name {
	case model.EventStart:
		return "started"
	case model.EventArrival:
		return "arrived"
	case model.EventDeparture:
		return "departed"
	}
	return name
}

func (w *detailWriter) addCustomFields(t *model.Task) {
	for i, f := range t.CustomFields.Value() {
		if i == 0 {
			w.addHeading("custom fields")
		}
		text, err := model.Marshal(f.Value)
		if err == nil {
			w.addField(f.Key, theme.Text, strings.Trim(string(text), `"`))
		}
	}
}

// addAddressWarnings adds the service's warnings about an address below the full address it was found at, because a wrong
// city or country shows there.
func (w *detailWriter) addAddressWarnings(d *model.Destination) {
	label := "warnings"
	for i, warning := range d.Warnings.Value() {
		if i == 0 {
			w.addField("found at", theme.Text, addressText(d))
		}
		w.addField(label, theme.Warn, warning)
		label = ""
	}
}

func addressText(d *model.Destination) string {
	if d == nil {
		return ""
	}
	return d.Address.Line()
}
