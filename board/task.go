package board

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"waybill/model"
)

// notesHead is how much of the notes a row keeps: a line on the widest screen.
const notesHead = 160

// arrivalJitter is how far an arrival told as "in n seconds" may drift before it counts as another arrival.
const arrivalJitter = 30 * time.Second

func (b *Board) applyTask(c *Change, t *model.Task, d *Delta) {
	slot, old := b.tasks.find(t.ID)
	var modified model.Millis
	if old != nil {
		modified = old.Modified
	}
	if b.refuses(c, t.ID, &b.tasks.seen, slot, old != nil, modified, t.TimeLastModified, d) {
		return
	}
	row := b.taskRow(t, old)
	b.putTask(slot, old, row, c.Requested, d)
}

// putTask judges and stores a row, and keeps everything that follows from it.
func (b *Board) putTask(slot uint32, old *TaskRow, row TaskRow, asked Stamp, d *Delta) {
	var wake model.Millis
	row.Risk, wake = b.assess(&row, b.watch.reachOf(slot, old))
	slot, kept := putRow(&b.tasks, row.ID, slot, old, row, old.changes(&row), asked, &d.Tasks)
	b.watch.wakeAt(slot, wake)
	if kept == old {
		return
	}
	if old != nil {
		b.counters.task(old, -1)
	}
	b.counters.task(kept, 1)
	b.relink(slot, old, kept)
	b.taskMoved(old, kept)
	if kept.Order != "" && (old == nil || old.Risk != kept.Risk) {
		b.judgeOrder(kept.Order, d)
	}
}

func (b *Board) taskRow(t *model.Task, old *TaskRow) TaskRow {
	row := TaskRow{
		ID: t.ID, ShortID: t.ShortID, Order: t.OrderShortID.Value(),
		Worker: model.ID(b.intern(string(t.Worker.Value()))), Team: model.ID(b.intern(string(t.Container.Value().Team.Value()))),
		Notes:        headOf(t.Notes, notesHead),
		Dependencies: keepIDs(t.Dependencies, old),
		Created:      t.TimeCreated, Modified: t.TimeLastModified,
		Earliest: t.CompleteAfter.Value(), Due: t.CompleteBefore.Value(),
		Completed: t.CompletionDetails.Time.Value(),
		Delay:     t.DelayTime.Value().Duration(), Service: t.ServiceTime.Duration(),
		Quantity: t.Quantity, State: t.State, Status: statusOf(t), Pickup: t.PickupTask,
	}
	if t.State != model.TaskCompleted {
		row.Completed = 0
	}
	row.WorkerName, row.TeamName = b.names[row.Worker], b.teamNameOf(&row)
	row.Arrival, row.Finish = b.expected(t, old)
	if row.Started, row.Arrived = underWay(t); row.Arrived != 0 {
		row.Arrival = row.Arrived
	}
	b.placeOf(t, old, &row)
	recipientOf(t, old, &row)
	row.keepTexts(old, &b.scratch)
	return row
}

// teamNameOf is the team whose list a task is in. Once someone has it there is no such list, and it is their teams.
func (b *Board) teamNameOf(r *TaskRow) string {
	if r.Team != "" || r.Worker == "" {
		return b.names[r.Team]
	}
	return b.teamsOf[r.Worker]
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

// expected is when the worker should arrive and be done. An ETA counts from the moment of the answer, so its instant
// trembles from poll to poll; one that stays within the tremble is kept. Where only the completion is told the arrival is
// the time at the stop before it, since completion is defined as transit plus service.
func (b *Board) expected(t *model.Task, old *TaskRow) (arrival, finish model.Millis) {
	if t.State == model.TaskCompleted {
		return 0, 0
	}
	arrival = t.EstimatedArrivalTime.Value()
	if eta, ok := t.ETA.Get(); ok && arrival == 0 {
		arrival = b.clock.Add(eta.Duration())
		if old != nil && old.Arrival != 0 && arrival.Sub(old.Arrival).Abs() < arrivalJitter {
			arrival = old.Arrival
		}
	}
	switch finish = t.EstimatedCompletionTime.Value(); {
	case finish == 0:
		finish = arrival
	case arrival == 0:
		arrival = finish.Add(-cmp.Or(t.ServiceTime.Duration(), usualStop))
	}
	return arrival, finish
}

// underWay is when the driver of an active task set out for it, and since when they are there.
func underWay(t *model.Task) (started, arrived model.Millis) {
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

func (b *Board) placeOf(t *model.Task, old *TaskRow, row *TaskRow) {
	place := t.Destination.Object
	if place == nil {
		row.Destination = t.Destination.ID
		if old != nil && old.Destination == row.Destination {
			row.Address, row.Location, row.HasLocation = old.Address, old.Location, old.HasLocation
		}
		return
	}
	row.Destination = place.ID
	row.Location, row.HasLocation = place.Location, place.Location.Valid() && place.Location != model.Location{}
	b.scratch = appendAddress(b.scratch[:0], &place.Address)
	if old != nil && string(b.scratch) == old.Address {
		row.Address = old.Address
		return
	}
	row.Address = string(b.scratch)
}

func recipientOf(t *model.Task, old *TaskRow, row *TaskRow) {
	if len(t.Recipients) == 0 {
		return
	}
	switch first := &t.Recipients[0]; {
	case first.Object != nil:
		row.RecipientName, row.Phone = first.Object.Name, first.Object.Phone
	case old != nil:
		row.RecipientName, row.Phone = old.RecipientName, old.Phone
	}
	if name := t.Overrides.RecipientName.Value(); name != "" {
		row.RecipientName = name
	}
}

// keepTexts copies the texts of a row, with their folded form for searching, into one piece of memory: a row pins
// nothing of the answer it came in, and costs two allocations however many texts it has. Texts that are the same as
// before stay where they are.
func (r *TaskRow) keepTexts(old *TaskRow, scratch *[]byte) {
	if old != nil && r.sameTexts(old) {
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
	take := func(length int) (text string) {
		text, all = all[:length], all[length:]
		return text
	}
	r.ID, r.ShortID, r.Order = model.ID(take(len(r.ID))), model.ShortID(take(len(r.ShortID))), model.ShortID(take(len(r.Order)))
	r.Destination = model.ID(take(len(r.Destination)))
	r.Address, r.RecipientName = take(len(r.Address)), take(len(r.RecipientName))
	r.Phone, r.Notes = take(len(r.Phone)), take(len(r.Notes))
}

func (r *TaskRow) sameTexts(o *TaskRow) bool {
	return r.ID == o.ID && r.ShortID == o.ShortID && r.Order == o.Order && r.Destination == o.Destination &&
		r.Address == o.Address && r.RecipientName == o.RecipientName &&
		r.Phone == o.Phone && r.Notes == o.Notes && r.WorkerName == o.WorkerName && r.TeamName == o.TeamName
}

// appendFolded appends texts as a search sees them: folded, each on its own line so that no match spans two.
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

// foldText is text as searches compare it.
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

// headOf is the beginning of a text in one line.
func headOf(text string, limit int) string {
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

func keepIDs(ids []model.ID, old *TaskRow) []model.ID {
	if len(ids) == 0 {
		return nil
	}
	if old != nil && slices.Equal(ids, old.Dependencies) {
		return old.Dependencies
	}
	kept := make([]model.ID, len(ids))
	for i, id := range ids {
		kept[i] = model.ID(strings.Clone(string(id)))
	}
	return kept
}
