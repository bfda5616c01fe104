package board

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"waybill/model"
)

// notesHead is how many bytes of the notes a row keeps: one line of the widest screen.
const notesHead = 160

// arrivalJitter is how far an arrival given in seconds from now may drift before it counts as changed.
const arrivalJitter = 30 * time.Second

func (b *Board) applyTask(c *Change, t *model.Task) {
	slot, old, ok := b.tasks.accept(b, c, t.ID, t.TimeLastModified)
	if ok {
		b.storeTask(slot, old, b.taskRow(t, old), c.Requested)
	} else if b.isOverwritten(c, t.ID) {
		b.refetch = append(b.refetch, t.ID)
	}
}

// storeTask assesses and stores a row.
func (b *Board) storeTask(slot uint32, old *TaskRow, row TaskRow, asked Stamp) {
	var wake model.Millis
	row.Risk, wake = b.assessRisk(&row, b.schedule.reachOf(slot, old))
	slot = b.tasks.store(row.ID, slot, old, row, old.changes(&row), asked)
	b.schedule.setWake(slot, wake)
}

// taskChanged updates everything that depends on a task.
func (b *Board) taskChanged(slot uint32, old, row *TaskRow) {
	b.counters.addTask(old, -1)
	b.counters.addTask(row, 1)
	b.updateLinks(slot, old, row)
	b.updateLateness(old, row)
	switch {
	case row == nil:
		b.schedule.clearSlot(slot)
		if old.Risk >= RiskAtRisk {
			b.updateOrderRisk(old.Order)
		}
	case old == nil || old.Risk != row.Risk:
		b.updateOrderRisk(row.Order)
	}
}

func (b *Board) taskRow(t *model.Task, old *TaskRow) TaskRow {
	row := TaskRow{
		ID: t.ID, ShortID: t.ShortID, Order: t.OrderShortID.Value(),
		Worker: model.ID(b.intern(string(t.Worker.Value()))), Team: model.ID(b.intern(string(t.Container.Value().Team.Value()))),
		Notes:        firstLine(t.Notes, notesHead),
		Dependencies: keepIDs(t.Dependencies, old.Dependencies, strings.Clone),
		Created:      t.TimeCreated, Modified: t.TimeLastModified,
		Earliest: t.CompleteAfter.Value(), Due: t.CompleteBefore.Value(),
		Completed: t.CompletionDetails.Time.Value(),
		Delay:     t.DelayTime.Value().Duration(), Service: t.ServiceTime.Duration(),
		Quantity: t.Quantity, State: t.State, Status: statusOf(t), Pickup: t.PickupTask,
	}
	if t.State != model.TaskCompleted {
		row.Completed = 0
	}
	row.WorkerName, row.TeamName = b.displayNames[row.Worker], b.teamNameOf(&row)
	row.Arrival, row.Finish = b.expectedTimes(t, old)
	if row.Started, row.Arrived = startAndArrival(t); row.Arrived != 0 {
		row.Arrival = row.Arrived
	}
	b.setDestination(t, old, &row)
	setRecipient(t, old, &row)
	row.storeTexts(old, &b.buffer)
	return row
}

// teamNameOf returns the team that a task waits in, or the teams of its worker.
func (b *Board) teamNameOf(r *TaskRow) string {
	if r.Team != "" || r.Worker == "" {
		return b.displayNames[r.Team]
	}
	return b.workerTeamNames[r.Worker]
}

func statusOf(t *model.Task) Status {
	switch t.State {
	case model.TaskUnassigned:
		return StatusUnassigned
	case model.TaskAssigned:
		return StatusAssigned
	case model.TaskActive:
		return StatusActive
	case model.TaskCompleted:
		if t.Succeeded() {
			return StatusDone
		}
		return StatusFailed
	}
	return StatusUnknown
}

// expectedTimes returns when the worker should arrive and be done. An ETA counts from the moment of the answer, so the
// arrival drifts a little from refresh to refresh; a small drift is ignored. Where only the completion is known, the
// arrival is earlier by the service time.
func (b *Board) expectedTimes(t *model.Task, old *TaskRow) (arrival, finish model.Millis) {
	if t.State == model.TaskCompleted {
		return 0, 0
	}
	arrival = t.EstimatedArrivalTime.Value()
	if eta, ok := t.ETA.Get(); ok && arrival == 0 {
		arrival = b.clock.Add(eta.Duration())
		if old.Arrival != 0 && arrival.Sub(old.Arrival).Abs() < arrivalJitter {
			arrival = old.Arrival
		}
	}
	switch finish = t.EstimatedCompletionTime.Value(); {
	case finish == 0:
		finish = arrival
	case arrival == 0:
		arrival = finish.Add(-cmp.Or(t.ServiceTime.Duration(), defaultStopTime))
	}
	return arrival, finish
}

// startAndArrival returns when the driver of an active task started it and since when they are at the stop.
func startAndArrival(t *model.Task) (started, arrived model.Millis) {
	if t.State != model.TaskActive {
		return 0, 0
	}
	for i := range t.CompletionDetails.Events {
		switch e := &t.CompletionDetails.Events[i]; e.Name {
		case model.EventStart:
			started, arrived = e.Time, 0
		case model.EventArrival:
			arrived = e.Time
		case model.EventDeparture:
			arrived = 0
		}
	}
	return started, arrived
}

func (b *Board) setDestination(t *model.Task, old *TaskRow, row *TaskRow) {
	place := t.Destination.Object
	if place == nil {
		row.Destination = t.Destination.ID
		if old.Destination == row.Destination {
			row.Address, row.Location, row.HasLocation = old.Address, old.Location, old.HasLocation
		}
		return
	}
	row.Destination = place.ID
	row.Location, row.HasLocation = place.Location, place.Location.Valid() && place.Location != model.Location{}
	b.buffer = appendAddress(b.buffer[:0], &place.Address)
	if string(b.buffer) == old.Address {
		row.Address = old.Address
		return
	}
	row.Address = string(b.buffer)
}

func setRecipient(t *model.Task, old *TaskRow, row *TaskRow) {
	if len(t.Recipients) == 0 {
		return
	}
	row.RecipientName, row.Phone = old.RecipientName, old.Phone
	if recipient := t.Recipients[0].Object; recipient != nil {
		row.RecipientName, row.Phone = recipient.Name, recipient.Phone
	}
	if name := t.Overrides.RecipientName.Value(); name != "" {
		row.RecipientName = name
	}
}

// storeTexts copies the texts of a row and their folded form for searching into one string. So the row keeps nothing of the
// answer in memory and costs two allocations. Unchanged texts are shared with the old row.
func (r *TaskRow) storeTexts(old *TaskRow, scratch *[]byte) {
	if r.sameTexts(old) {
		r.ID, r.ShortID, r.Order, r.Destination = old.ID, old.ShortID, old.Order, old.Destination
		r.Address, r.RecipientName, r.Phone, r.Notes, r.search = old.Address, old.RecipientName, old.Phone, old.Notes, old.search
		return
	}
	buf := (*scratch)[:0]
	for _, text := range [...]string{
		string(r.ID), string(r.ShortID), string(r.Order), string(r.Destination),
		r.Address, r.RecipientName, r.Phone, r.Notes,
	} {
		buf = append(buf, text...)
	}
	folded := len(buf)
	buf = appendFolded(buf, r.Address, r.RecipientName, r.Phone, r.Notes, r.WorkerName, r.TeamName,
		string(r.ShortID), string(r.Order))
	*scratch = buf
	all := string(buf)
	r.search = all[folded:]
	cut := func(length int) (text string) {
		text, all = all[:length], all[length:]
		return text
	}
	r.ID, r.ShortID, r.Order = model.ID(cut(len(r.ID))), model.ShortID(cut(len(r.ShortID))), model.ShortID(cut(len(r.Order)))
	r.Destination = model.ID(cut(len(r.Destination)))
	r.Address, r.RecipientName = cut(len(r.Address)), cut(len(r.RecipientName))
	r.Phone, r.Notes = cut(len(r.Phone)), cut(len(r.Notes))
}

func (r *TaskRow) sameTexts(o *TaskRow) bool {
	return r.ID == o.ID && r.ShortID == o.ShortID && r.Order == o.Order && r.Destination == o.Destination &&
		r.Address == o.Address && r.RecipientName == o.RecipientName &&
		r.Phone == o.Phone && r.Notes == o.Notes && r.WorkerName == o.WorkerName && r.TeamName == o.TeamName
}

// appendFolded appends texts for searching: folded, and each on its own line so that no match spans two.
func appendFolded(buf []byte, texts ...string) []byte {
	for _, text := range texts {
		if text == "" {
			continue
		}
		buf = append(appendLower(buf, text), '\n')
	}
	return buf
}

func appendLower(buf []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			return append(buf, strings.ToLower(text[i:])...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return buf
}

// foldText returns a text as searches compare it: in lower case.
func foldText(text string) string { return string(appendLower(nil, text)) }

func appendAddress(buf []byte, a *model.Address) []byte {
	before := len(buf)
	add := func(separator, part string) {
		if part == "" {
			return
		}
		if len(buf) > before {
			buf = append(buf, separator...)
		}
		buf = append(buf, part...)
	}
	add("", a.Name.Value())
	add(", ", a.Number)
	if a.Number == "" {
		add(", ", a.Street)
	} else {
		add(" ", a.Street)
	}
	add(" ", a.Apartment)
	add(", ", a.City)
	if len(buf) == before {
		add("", a.Unparsed.Value())
	}
	return buf
}

// firstLine returns the beginning of a text in one line.
func firstLine(text string, limit int) string {
	text = strings.TrimSpace(text)
	if len(text) > limit {
		cut := limit
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	if strings.ContainsAny(text, "\r\n\t") {
		text = strings.Join(strings.Fields(text), " ")
	}
	return text
}
