package board

import (
	"slices"
	"time"

	"waybill/model"
)

// taskColumns is the column table of tasks. Its order is the order of exports, sort menus and filter help.
func taskColumns() []Column[TaskRow] {
	return slices.Concat(taskStateColumns(), taskTimeColumns(), taskPlaceColumns(), taskContentColumns())
}

// taskStateColumns are the columns about the order, the name, the state and the lateness of a task.
func taskStateColumns() []Column[TaskRow] {
	return []Column[TaskRow]{
		{Key: ByTriage, delays: true, sort: triageKey, timed: true},
		{Key: ByUrgency, sort: taskUrgency},
		{
			Key: "sign", Signed: true,
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 1, Min: 1, Gap: 1}, {Pane: PaneDelays, Position: 1, Min: 1, Gap: 1}},
			cell:    func(dst []byte, r *TaskRow, _ *CellContext) ([]byte, Tone) { return dst, r.Tone() },
		},
		{
			Key:     "task",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 2, Title: "task", Min: 8}, {Pane: PaneDelays, Position: 4, Title: "task", Min: 8}},
			text:    func(r *TaskRow) string { return string(r.ShortID) },
			id:      func(r *TaskRow) model.ID { return r.ID },
			filter:  filterInfo{key: "id", help: "beginning of the id or short id", wide: true, prefix: true},
			exports: []exportValue[TaskRow]{
				exportText("id", func(r *TaskRow) model.ID { return r.ID }),
				exportText("shortId", func(r *TaskRow) model.ShortID { return r.ShortID }),
			},
		},
		{
			Key: "kind", Fields: FieldKind, export: "kind",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 3, Title: "kind", Min: 7, Drop: 7}},
			text:    (*TaskRow).Kind,
			is:      func(r *TaskRow, word string) bool { return word == r.Kind() },
			filter:  filterInfo{key: "kind", form: formWord, words: []string{KindText(true), KindText(false)}, help: "pickup or dropoff"},
		},
		{
			Key: "state", Fields: FieldStatus, export: "status",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 4, Title: "state", Min: 10, Max: 12, Flex: 1, Drop: 2}},
			text:    (*TaskRow).StatusText,
			is:      (*TaskRow).isState,
			cell:    appendTaskState,
			sort:    func(r *TaskRow, _ model.Millis) sortKey { return sortKey{number: int64(r.Status)} },
			filter:  filterInfo{key: keyState, form: formWord, words: taskStates(), help: "state of the task"},
			exports: []exportValue[TaskRow]{exportText("risk", func(r *TaskRow) string { return r.Risk.String() })},
		},
		slackColumn(),
		{
			Key: "trend", Signed: true,
			Layouts: []PaneLayout{{Pane: PaneDelays, Position: 3, Min: 1, Gap: 1}},
			cell: func(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
				return dst, c.Delays.Trend(r, c.Snapshot.Now)
			},
		},
	}
}

// slackColumn is how late a task is, or how much later it could be.
func slackColumn() Column[TaskRow] {
	return Column[TaskRow]{
		Key: BySlack, Fields: FieldRisk | FieldDelay | FieldArrival, Blank: true,
		Layouts: []PaneLayout{
			{Pane: PaneTasks, Position: 5, Title: "due", Min: 12, Drop: 1},
			{Pane: PaneDelays, Position: 2, Title: "late", Min: 12, Gap: 1},
		},
		cell: appendTaskStanding,
		sort: func(r *TaskRow, now model.Millis) sortKey {
			slack, ok := r.Slack(now)
			return numberKey(ok, int64(slack))
		},
		timed: true,
		filters: []rowFilter[TaskRow]{
			{
				filterInfo{key: "late", form: formDuration, more: true, help: "late by more or less than this"},
				func(t *filterTerm, r *TaskRow, now model.Millis) bool {
					late := model.RoundDelay(r.Lateness(now))
					return t.matchNumber(float64(late.Milliseconds()), late > 0)
				},
			},
			{
				filterInfo{key: "slack", form: formDuration, help: "time left before the task is late"},
				func(t *filterTerm, r *TaskRow, now model.Millis) bool {
					slack, ok := r.Slack(now)
					return t.matchNumber(float64(slack.Milliseconds()), ok)
				},
			},
		},
		exports: []exportValue[TaskRow]{
			{"slackMinutes", func(r *TaskRow, c *exportContext) any {
				slack, ok := r.Slack(c.now)
				return exportNumber(slack.Round(time.Second).Minutes(), ok)
			}},
			{"stands", func(r *TaskRow, c *exportContext) any { return r.LatenessText(c.now) }},
		},
	}
}

// taskTimeColumns are the columns about the times of a task.
func taskTimeColumns() []Column[TaskRow] {
	return []Column[TaskRow]{
		{
			Key: "window", Fields: FieldWindow, export: "completeAfter",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 6, Title: "window", Min: 11, Max: 15, Flex: 1, Drop: 5}},
			time:    func(r *TaskRow) model.Millis { return r.Earliest },
			cell: func(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
				return AppendWindow(dst, r, c.Now, c.Zone, "–"), ToneText
			},
		},
		{
			Key: "due", Fields: FieldWindow, export: "completeBefore",
			Layouts: []PaneLayout{{Pane: PaneDelays, Position: 6, Title: "due", Min: 5, Max: 9, Flex: 1, Drop: 3}},
			time:    func(r *TaskRow) model.Millis { return r.Due },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "due", form: formDuration, help: "window ends sooner or later than this from now"},
				func(t *filterTerm, r *TaskRow, now model.Millis) bool {
					return t.matchNumber(float64(r.Due-now), r.Due != 0 && !r.Status.Closed())
				},
			}},
		},
		{
			Key: "eta", Fields: FieldArrival, export: "expectedArrival",
			Layouts: []PaneLayout{
				{Pane: PaneTasks, Position: 7, Title: "eta", Min: 5, Drop: 9},
				{Pane: PaneDelays, Position: 7, Title: "eta", Min: 9, Drop: 4},
			},
			time: func(r *TaskRow) model.Millis { return r.Arrival },
			cell: func(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
				return AppendETA(dst, r, c.Now, c.Zone), ToneText
			},
			filter: filterInfo{key: "eta", form: formDuration, help: "driver arrives sooner or later than this from now"},
			exports: []exportValue[TaskRow]{
				{"expectedCompletion", func(r *TaskRow, c *exportContext) any { return c.time(r.Finish) }},
			},
		},
		{Key: "completed", time: func(r *TaskRow) model.Millis { return r.Completed }, export: "completed"},
	}
}

// taskPlaceColumns are the columns about why a task is late, who does it and where.
func taskPlaceColumns() []Column[TaskRow] {
	return []Column[TaskRow]{
		{
			Key: "why", Blank: true,
			Layouts: []PaneLayout{{Pane: PaneDelays, Position: 8, Title: "why", Min: 16, Max: 60, Flex: 6, Drop: 2}},
			cell: func(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
				if r.Risk < RiskAtRisk { // no longer late, and here only while the order of the rows is frozen
					return dst, ToneText
				}
				return append(dst, c.explain(r).Why...), ToneText
			},
		},
		{
			Key: "worker", Fields: FieldWorker, export: "worker",
			Layouts: []PaneLayout{
				{Pane: PaneTasks, Position: 8, Title: "driver", Min: 10, Max: 22, Flex: 2, Drop: 3},
				{Pane: PaneDelays, Position: 5, Title: "driver", Min: 10, Max: 20, Flex: 2, Drop: 1},
			},
			text:    func(r *TaskRow) string { return r.WorkerName },
			id:      func(r *TaskRow) model.ID { return r.Worker },
			filter:  filterInfo{key: "worker", form: formName, names: workerNames, help: "name of the driver"},
			exports: []exportValue[TaskRow]{exportText("workerId", func(r *TaskRow) model.ID { return r.Worker })},
		},
		{
			Key: "team", Fields: FieldTeam, export: "team",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 11, Title: "team", Min: 8, Max: 14, Flex: 1, Drop: 10}},
			text:    func(r *TaskRow) string { return r.TeamName },
			id:      func(r *TaskRow) model.ID { return r.Team },
			filter:  filterInfo{key: "team", form: formName, names: teamNames, help: "name of the team of the task or of its driver"},
			exports: []exportValue[TaskRow]{exportText("teamId", func(r *TaskRow) model.ID { return r.Team })},
		},
		{
			Key: "address", Fields: FieldAddress, export: "address",
			Layouts: []PaneLayout{
				{Pane: PaneTasks, Position: 9, Title: "address", Min: 14, Max: 44, Flex: 4, Drop: 4},
				{Pane: PaneDelays, Position: 11, Title: "address", Min: 26, Max: 40, Flex: 1, Drop: 7},
			},
			text:    func(r *TaskRow) string { return r.Address },
			filter:  filterInfo{key: "address", help: "text in the address", wide: true, substring: true},
			exports: exportLocation(func(r *TaskRow) (model.Location, bool) { return r.Location, r.HasLocation }),
		},
	}
}

// taskContentColumns are the columns about the recipient and the goods.
func taskContentColumns() []Column[TaskRow] {
	return []Column[TaskRow]{
		{
			Key: "recipient", Fields: FieldRecipient, export: "recipient",
			Layouts: []PaneLayout{
				{Pane: PaneTasks, Position: 10, Title: "recipient", Min: 12, Max: 24, Flex: 2, Drop: 6},
				{Pane: PaneDelays, Position: 9, Title: "recipient", Min: 14, Max: 22, Flex: 1, Drop: 5},
			},
			text:   func(r *TaskRow) string { return r.RecipientName },
			filter: filterInfo{key: "recipient", help: "text in the recipient's name", wide: true, substring: true},
		},
		{
			Key: "phone", Fields: FieldPhone, export: "phone",
			Layouts: []PaneLayout{{Pane: PaneDelays, Position: 10, Title: "phone", Min: 12, Max: 14, Drop: 6}},
			text:    func(r *TaskRow) string { return r.Phone },
			filter:  filterInfo{key: "phone", help: "digits of the recipient's phone", wide: true},
		},
		{
			Key: "notes", Fields: FieldNotes, export: "notes",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 13, Title: "notes", Min: 16, Flex: 5, Drop: 8}},
			text:    func(r *TaskRow) string { return r.Notes },
			filter:  filterInfo{key: "notes", help: "text in the notes", wide: true, substring: true},
		},
		{
			Key: "quantity", Fields: FieldQuantity, export: "quantity",
			number: func(r *TaskRow) (float64, bool) { return r.Quantity, true },
			filter: filterInfo{key: "qty", form: formNumber, help: "quantity"},
		},
		{
			Key: "order", export: "order",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 12, Title: "order", Min: 8, Drop: 11}},
			text:    func(r *TaskRow) string { return string(r.Order) },
			filter:  filterInfo{key: "order", help: "short id of the order", wide: true, prefix: true},
		},
		{Key: "modified", time: func(r *TaskRow) model.Millis { return r.Modified }, export: "modified"},
		{
			Key: "created", unsorted: true,
			time:   func(r *TaskRow) model.Millis { return r.Created },
			filter: filterInfo{key: "age", form: formDuration, ago: true, help: "created more or less than this long ago"},
		},
	}
}

// appendTaskState appends the status, and when the task was completed where that fits.
func appendTaskState(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
	start := len(dst)
	dst = append(dst, r.StatusText()...)
	status := len(dst)
	if r.Completed != 0 {
		dst = AppendClock(append(dst, ' '), r.Completed, c.Now, c.Zone)
		if len(dst)-start > c.Width {
			dst = dst[:status]
		}
	}
	return dst, r.Status.Tone()
}

// appendTaskStanding appends how an open task stands against its window. For a closed task, Tasks shows when it was due
// and Delays, which keeps it only while the order of its rows is frozen, its status.
func appendTaskStanding(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
	switch {
	case r.Status.Closed() && c.Pane == PaneDelays:
		return append(dst, r.StatusText()...), r.Tone()
	case r.Status.Closed():
		return c.appendClock(dst, r.Due), ToneMuted
	}
	return append(dst, r.LatenessText(c.millis())...), r.Risk.toneOr(ToneMuted)
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

func taskStates() []string {
	return []string{"unassigned", "assigned", "active", "done", "failed", "open", "finished", "late", "atrisk", "at-risk", "risk"}
}

func workerNames(s *Snapshot) (names []string) {
	for w := range s.Workers.All() {
		names = append(names, w.Name)
	}
	return names
}

func teamNames(s *Snapshot) (names []string) {
	for t := range s.Teams.All() {
		names = append(names, t.Name)
	}
	return names
}

// taskUrgency sorts late tasks first, then those at risk, then the others by due time; closed tasks come last, newest
// first. Late tasks and tasks at risk come in three groups: unassigned by due time, without an estimate by due time, and
// the others by expected lateness. No key depends on the clock, so an unchanged board is not sorted again.
func taskUrgency(r *TaskRow, _ model.Millis) sortKey {
	if r.Status.Closed() {
		return sortKey{number: rankNumber(9, -int64(r.Completed))}
	}
	due := int64(r.Due)
	if due == 0 {
		due = int64(never)
	}
	rank := int64(6)
	switch r.Risk {
	case RiskLate:
		rank = 0
	case RiskAtRisk:
		rank = 3
	default:
		if r.Status != StatusUnassigned {
			rank = 7
		}
		return sortKey{number: rankNumber(rank, due)}
	}
	if r.Status == StatusUnassigned {
		return sortKey{number: rankNumber(rank, due)}
	}
	if late, ok := r.expectedLateness(); ok {
		return sortKey{number: rankNumber(rank+2, -late.Milliseconds())}
	}
	return sortKey{number: rankNumber(rank+1, due)}
}
