package board

import (
	"strings"
	"unicode/utf8"

	"waybill/model"
)

// MatchTask reports whether the filter lets a task through at a moment.
func (f *Filter) MatchTask(r *TaskRow, now model.Millis) bool {
	for i := range f.terms {
		if t := &f.terms[i]; t.matchTask(r, now) == t.not {
			return false
		}
	}
	return true
}

// MatchWorker reports whether the filter lets a worker through at a moment.
func (f *Filter) MatchWorker(w *WorkerRow, now model.Millis) bool {
	for i := range f.terms {
		if t := &f.terms[i]; t.matchWorker(w, now) == t.not {
			return false
		}
	}
	return true
}

// MatchOrder reports whether the filter lets an order through at a moment.
func (f *Filter) MatchOrder(o *OrderRow, now model.Millis) bool {
	for i := range f.terms {
		if t := &f.terms[i]; t.matchOrder(o, now) == t.not {
			return false
		}
	}
	return true
}

func (t *filterTerm) matchTask(r *TaskRow, now model.Millis) bool {
	switch t.key {
	case keyText:
		return t.found(r.search) || t.pasted(r.ID)
	case keyState:
		return t.anyWord(r.isState)
	case keyKind:
		return t.anyWord(func(word string) bool { return (word == "pickup") == r.Pickup })
	case keyWorker:
		return t.named(r.search, r.WorkerName, r.Worker)
	case keyTeam:
		return t.inTeam(r)
	case keyAddress:
		return t.contained(r.search, r.Address)
	case keyRecipient:
		return t.contained(r.search, r.RecipientName)
	case keyPhone:
		return t.contained(r.search, r.Phone)
	case keyNotes:
		return t.contained(r.search, r.Notes)
	case keyOrder:
		return t.begins(string(r.Order), "")
	case keyID:
		return t.begins(string(r.ID), string(r.ShortID))
	case keyQuantity:
		return t.compared(r.Quantity, true)
	}
	return t.matchTaskTime(r, now)
}

func (t *filterTerm) matchTaskTime(r *TaskRow, now model.Millis) bool {
	switch t.key {
	case keyDue:
		return t.compared(float64(r.Due-now), r.Due != 0 && !r.Status.Closed())
	case keyLate:
		late := model.RoundDelay(r.Lateness(now))
		return t.compared(float64(late.Milliseconds()), late > 0)
	case keySlack:
		slack, ok := r.Slack(now)
		return t.compared(float64(slack.Milliseconds()), ok)
	case keyETA:
		return t.compared(float64(r.Arrival-now), r.Arrival != 0)
	case keyAge:
		return t.compared(float64(now-r.Created), r.Created != 0)
	}
	return false
}

func (r *TaskRow) isState(word string) bool {
	switch word {
	case "open":
		return !r.Status.Closed()
	case "finished":
		return r.Status.Closed()
	case "late":
		return r.Risk == RiskLate
	case "atrisk":
		return r.Risk == RiskAtRisk
	}
	return r.Status.String() == word
}

func (t *filterTerm) matchWorker(w *WorkerRow, now model.Millis) bool {
	switch t.key {
	case keyText:
		return t.found(w.search)
	case keyState:
		return t.anyWord(w.isState)
	case keyWorker:
		return t.named(w.search, w.Name, w.ID)
	case keyTeam:
		return t.contained(w.search, w.TeamNames)
	case keyVehicle:
		return t.contained(w.search, string(w.Vehicle))
	case keyPhone:
		return t.contained(w.search, w.Phone)
	case keyID:
		return t.begins(string(w.ID), "")
	case keyStops:
		return t.compared(float64(w.Stops()), true)
	case keyBattery:
		return t.compared(w.Battery*100, w.Battery >= 0)
	case keyLate:
		return t.compared(float64(model.RoundDelay(w.Delay).Milliseconds()), w.Delay > 0)
	case keySeen:
		return t.compared(float64(now-w.LastSeen), w.LastSeen != 0)
	}
	return false
}

func (w *WorkerRow) isState(word string) bool {
	switch word {
	case "onduty":
		return w.OnDuty
	case "waiting":
		return w.Waiting()
	case "late":
		return w.Delay > 0
	}
	return w.State.String() == word
}

func (t *filterTerm) matchOrder(o *OrderRow, now model.Millis) bool {
	switch t.key {
	case keyText:
		return t.found(o.search)
	case keyState:
		return t.anyWord(o.isState)
	case keyClient:
		return t.contained(o.search, o.Client)
	case keyService:
		return t.contained(o.search, o.Service)
	case keyOrder:
		return t.begins(string(o.ShortID), "")
	case keyID:
		return t.begins(string(o.ID), string(o.ShortID))
	case keyPrice:
		return t.compared(o.Price, o.Priced)
	case keyDue:
		return t.compared(float64(o.Due()-now), o.Due() != 0 && o.Open())
	}
	return false
}

func (o *OrderRow) isState(word string) bool {
	switch word {
	case "open":
		return o.Open()
	case "finished":
		return !o.Open()
	case "late":
		return o.Risk == RiskLate
	case "atrisk", "at-risk", "risk": // after state: any text may stand
		return o.Risk == RiskAtRisk
	}
	return strings.EqualFold(string(o.Status), word)
}

func (t *filterTerm) anyWord(is func(string) bool) bool {
	for i := range t.values {
		if is(t.values[i].folded) {
			return true
		}
	}
	return false
}

// found searches a text that is folded already.
func (t *filterTerm) found(folded string) bool {
	for i := range t.values {
		if t.values[i].in(folded) {
			return true
		}
	}
	return false
}

// pasted reports that a whole id was given where text is searched.
func (t *filterTerm) pasted(id model.ID) bool {
	for i := range t.values {
		if string(id) == t.values[i].text {
			return true
		}
	}
	return false
}

// contained searches one text of a row. What is not in the row at all is not in it either, which is settled without
// folding the text.
func (t *filterTerm) contained(search, text string) bool {
	for i := range t.values {
		v := &t.values[i]
		if v.isNone() {
			if text == "" {
				return true
			}
		} else if v.in(search) && containsFolded(text, v.folded) {
			return true
		}
	}
	return false
}

// named is contained, where the id itself will do too.
func (t *filterTerm) named(search, name string, id model.ID) bool {
	for i := range t.values {
		v := &t.values[i]
		if v.isNone() {
			if id == "" {
				return true
			}
		} else if v.in(search) && containsFolded(name, v.folded) || id != "" && string(id) == v.text {
			return true
		}
	}
	return false
}

// inTeam is named for the team whose list a task is in, or the teams of who has it.
func (t *filterTerm) inTeam(r *TaskRow) bool {
	for i := range t.values {
		v := &t.values[i]
		if v.isNone() {
			if r.Team == "" && r.TeamName == "" {
				return true
			}
		} else if v.in(r.search) && containsFolded(r.TeamName, v.folded) || r.Team != "" && string(r.Team) == v.text {
			return true
		}
	}
	return false
}

func (t *filterTerm) begins(id, other string) bool {
	for i := range t.values {
		v := &t.values[i]
		if v.isNone() {
			if id == "" {
				return true
			}
		} else if strings.HasPrefix(id, v.text) || strings.HasPrefix(other, v.folded) || strings.HasPrefix(id, v.folded) {
			return true
		}
	}
	return false
}

// compared holds a number against the limit; key:none asks that there is no number.
func (t *filterTerm) compared(number float64, known bool) bool {
	switch t.op {
	case opLess:
		return known && number < t.limit
	case opMore:
		return known && number > t.limit
	}
	return !known
}

// containsFolded searches a folded word in a text as it is. ASCII needs no folded copy of the text for that.
func containsFolded(text, folded string) bool {
	if !isASCII(text) {
		return strings.Contains(foldText(text), folded)
	}
	for start := 0; start+len(folded) <= len(text); start++ {
		i := 0
		for i < len(folded) && lowerByte(text[start+i]) == folded[i] {
			i++
		}
		if i == len(folded) {
			return true
		}
	}
	return false
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
