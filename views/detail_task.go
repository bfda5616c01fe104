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

// task writes what is known of a task: how it stands and why first, then where and to whom, then the rest.
func (w *writer) task(t *model.Task, r *board.TaskRow) {
	if r != nil {
		w.statusLine(r)
		w.trouble(r)
		w.taskTimes(r)
		w.taskPeople(t, r)
	}
	if t == nil {
		if r != nil {
			w.field("notes", theme.Text, r.Notes)
		}
		w.gap()
		w.text(theme.Muted, "The rest is on its way…")
		return
	}
	if r == nil {
		w.field("state", theme.Text, t.State.String())
		w.field("address", theme.Text, addressText(t.Destination.Object))
	}
	w.field("notes", theme.Text, t.Notes)
	w.field("quantity", theme.Text, numberText(t.Quantity)+quantities(t.AdditionalQuantities))
	w.field("service", theme.Text, duration(t.ServiceTime.Duration()))
	w.field("needs", theme.Text, requirements(t.Requirements.Value()))
	if t.State == model.TaskCompleted {
		w.completion(&t.CompletionDetails)
	}
	if r != nil {
		w.partners(r)
	}
	w.timeline(t)
	w.customFields(t)
	w.metadata(t.Metadata)
	w.heading("ids")
	w.field("id", theme.Text, string(t.ID))
	w.linked(OrderLink, model.ID(t.OrderShortID.Value()), "order", string(t.OrderShortID.Value()))
	w.field("tracking", theme.Text, t.TrackingURL)
	w.field("created", theme.Text, w.when(t.TimeCreated))
	w.field("modified", theme.Text, w.when(t.TimeLastModified))
}

// trouble says why a task is late or at risk, and what would help.
func (w *writer) trouble(r *board.TaskRow) {
	if r.Risk < board.RiskAtRisk {
		return
	}
	t := w.s.Explain(r)
	w.field("why", theme.Warn, t.Why)
	var remedies []string
	at := map[string]int{} // by key: what one key does stands together
	for _, remedy := range t.Remedies {
		words, key := remedyWords(remedy), ""
		if w.f.Key != nil {
			key = w.f.Key(remedyAction(remedy))
		}
		if i, again := at[key]; again && key != "" {
			remedies[i] += " or " + strings.TrimPrefix(words, "copy ")
			continue
		}
		at[key] = len(remedies)
		remedies = append(remedies, strings.TrimSpace(key+" "+words))
	}
	if len(remedies) > 0 {
		w.field("try", theme.Text, strings.Join(remedies, ", "))
	}
}

// remedyAction is the action that does what a remedy says.
func remedyAction(r board.Remedy) string {
	switch r {
	case board.RemedyAssign, board.RemedyReassign:
		return "route.assign"
	case board.RemedyCandidates:
		return "route.candidates"
	case board.RemedyAutoAssign:
		return "route.auto-assign"
	case board.RemedyCallDriver, board.RemedyCall:
		return "take.copy"
	case board.RemedyRoute:
		return "look.route"
	case board.RemedyPickup:
		return "look.partner"
	case board.RemedyWindow:
		return "task.window"
	case board.RemedyClone:
		return "task.clone-assign"
	case board.RemedyComplete:
		return "task.complete"
	}
	return ""
}

func remedyWords(r board.Remedy) string {
	switch r {
	case board.RemedyAssign:
		return "assign it"
	case board.RemedyReassign:
		return "reassign it"
	case board.RemedyCandidates:
		return "see who can take it"
	case board.RemedyAutoAssign:
		return "auto-assign it"
	case board.RemedyCallDriver:
		return "copy the driver's phone"
	case board.RemedyCall:
		return "copy the recipient's phone"
	case board.RemedyRoute:
		return "look at the route"
	case board.RemedyPickup:
		return "look at the pickup"
	case board.RemedyWindow:
		return "widen the window"
	case board.RemedyClone:
		return "clone and reassign it"
	case board.RemedyComplete:
		return "complete it"
	}
	return string(r)
}

func (w *writer) taskTimes(r *board.TaskRow) {
	if r.Earliest != 0 || r.Due != 0 {
		from, to := model.FormatTime(r.Earliest, w.f.Zone), model.FormatTime(r.Due, w.f.Zone)
		switch {
		case r.Earliest == 0:
			w.field("window", theme.Text, "until "+to)
		case r.Due == 0:
			w.field("window", theme.Text, "from "+from)
		default:
			w.field("window", theme.Text, windowText(r, w.f.Now, w.f.Zone, " – ")+" "+to[strings.LastIndexByte(to, ' ')+1:])
		}
	}
	switch expected := w.when(r.Arrival); {
	case r.Arrived != 0:
		w.field("there", theme.Text, "since "+w.when(r.Arrived))
	case r.Finish > r.Arrival:
		w.field("eta", theme.Text, expected+", done "+clockText(r.Finish, w.f.Now, w.f.Zone))
	default:
		w.field("eta", theme.Text, expected)
	}
	w.field("finished", theme.Text, w.when(r.Completed))
}

func (w *writer) taskPeople(t *model.Task, r *board.TaskRow) {
	if r.Worker != "" {
		name := cmp.Or(r.WorkerName, string(r.Worker))
		if at := w.s.RoutePosition(r); at > 0 {
			name += fmt.Sprintf("  stop %d", at+1)
		}
		w.linked(DriverLink, r.Worker, "worker", name)
	} else {
		w.field("worker", theme.Warn, "nobody")
	}
	w.field("team", theme.Text, r.TeamName)
	w.linked(DestinationLink, r.Destination, "address", r.Address)
	if t != nil && t.Destination.Object != nil {
		w.field("", theme.Muted, t.Destination.Object.Notes)
		w.placeWarnings(t.Destination.Object)
	}
	name := strings.TrimSpace(r.RecipientName + "  " + r.Phone)
	if t == nil || len(t.Recipients) == 0 || t.Recipients[0].Object == nil {
		w.field("recipient", theme.Text, name)
		return
	}
	for i := range t.Recipients {
		if o := t.Recipients[i].Object; o != nil {
			if i > 0 {
				name = strings.TrimSpace(o.Name + "  " + o.Phone)
			}
			w.linked(RecipientLink, o.ID, "recipient", name)
			w.field("", theme.Muted, o.Notes)
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

func requirements(r model.Requirements) string {
	var needs []string
	for _, need := range []struct {
		name string
		on   model.Opt[bool]
	}{{"signature", r.Signature}, {"photo", r.Photo}, {"notes", r.Notes}} {
		if need.on.Value() {
			needs = append(needs, need.name)
		}
	}
	if age := r.MinimumAge.Value(); age > 0 {
		needs = append(needs, fmt.Sprintf("age %d", age))
	}
	return strings.Join(needs, ", ")
}

func (w *writer) completion(c *model.CompletionDetails) {
	outcome, token := "succeeded", theme.Good
	if !c.Success.Value() {
		outcome, token = "failed", theme.Bad
		if c.FailureReason != "" && c.FailureReason != model.FailureNone {
			outcome += ": " + c.FailureReason
		}
	}
	w.field("outcome", token, outcome)
	w.field("", theme.Text, strings.TrimSpace(c.FailureNotes+" "+c.SuccessNotes+" "+c.Notes))
	if distance := c.Distance.Value(); distance > 0 {
		w.field("distance", theme.Text, fmt.Sprintf("%.1f km", distance/1000))
	}
}

// partners shows pickup and drop-off together.
func (w *writer) partners(r *board.TaskRow) {
	links := w.s.LinkedTasks(r)
	if len(links) == 0 {
		return
	}
	w.heading("linked")
	for _, l := range links {
		lead := map[board.Relation]string{
			board.LinkedBefore: "first   ", board.LinkedAfter: "then    ", board.LinkedOrder: "order   ",
		}[l.Relation]
		w.taskLine(l.ID, l.Row, lead)
	}
}

// moment is one line of a timeline.
type moment struct {
	at    model.Millis
	token theme.Token
	text  string
}

// timeline tells what happened to a task, who had it, and what is expected.
func (w *writer) timeline(t *model.Task) {
	moments := []moment{{t.TimeCreated, theme.Text, "created"}}
	for i, entry := range t.AssignmentHistory.Value() {
		moments = append(moments, moment{entry.Time, theme.AssignedToken, w.assignment(&entry, i)})
	}
	there := false
	for _, e := range t.CompletionDetails.Events {
		there = there || e.Name == model.EventArrival
		moments = append(moments, moment{e.Time, theme.ActiveToken, eventWords(e.Name)})
	}
	if at := t.CompletionDetails.Time.Value(); at != 0 && t.State == model.TaskCompleted {
		token, text := theme.DoneToken, "completed"
		if t.Failed() {
			token, text = theme.FailedToken, "failed"
		}
		moments = append(moments, moment{at, token, text})
	}
	if at := t.EstimatedArrivalTime.Value(); at != 0 && t.State != model.TaskCompleted && !there {
		moments = append(moments, moment{at, theme.Muted, "expected arrival"})
	}
	if at := t.CompleteBefore.Value(); at != 0 && t.State != model.TaskCompleted {
		moments = append(moments, moment{at, theme.Muted, "window ends"})
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	w.heading("timeline  " + w.f.Now.In(w.f.Zone).Format("MST"))
	nowShown := false
	for _, m := range moments {
		if m.at > w.f.Millis() && !nowShown {
			nowShown = true
			w.add(Span{theme.Info, w.measure.Fit(w.f.Now.In(w.f.Zone).Format("15:04"), labelWidth, theme.Left) + " "}, Span{theme.Info, "now"})
		}
		w.add(Span{theme.Muted, w.measure.Fit(clockText(m.at, w.f.Now, w.f.Zone), labelWidth, theme.Left) + " "}, Span{m.token, m.text})
	}
}

func (w *writer) assignment(e *model.AssignmentEntry, index int) string {
	to := "given back"
	switch c := e.ContainerDescription; c.Type {
	case model.ContainerWorker:
		to = "assigned to " + w.workerName(c.Worker.Value())
	case model.ContainerTeam:
		to = "put on the list of " + w.teamName(c.Team.Value())
	default:
		if index == 0 {
			to = "unassigned at first"
		}
	}
	if who, ok := e.ActionContext.Get(); ok && who.Type != "" {
		to += " by " + strings.ToLower(who.Type)
	}
	return to
}

func eventWords(name string) string {
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

func (w *writer) customFields(t *model.Task) {
	fields := t.CustomFields.Value()
	if len(fields) == 0 {
		return
	}
	w.heading("custom fields")
	for _, f := range fields {
		text, err := model.Marshal(f.Value)
		if err == nil {
			w.field(f.Key, theme.Text, strings.Trim(string(text), `"`))
		}
	}
}

// placeWarnings are what the service remarked when it looked the place up. The whole address stands above them: the city
// and country it was found in are what is doubtful.
func (w *writer) placeWarnings(d *model.Destination) {
	warnings := d.Warnings.Value()
	if len(warnings) == 0 {
		return
	}
	w.field("found at", theme.Text, addressText(d))
	for i, warning := range warnings {
		name := ""
		if i == 0 {
			name = "warnings"
		}
		w.field(name, theme.Warn, warning)
	}
}

func addressText(d *model.Destination) string {
	if d == nil {
		return ""
	}
	a := d.Address
	street := strings.TrimSpace(a.Number + " " + a.Street + " " + a.Apartment)
	parts := slices.DeleteFunc([]string{
		a.Name.Value(), street, a.City, strings.TrimSpace(a.State + " " + a.PostalCode), a.Country,
	}, func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return a.Unparsed.Value()
	}
	return strings.Join(parts, ", ")
}
