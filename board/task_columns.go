package board

import (
	"slices"
	"time"

	"waybill/model"
)

// taskColumns is the column table of tasks. Its order is the order of exports, sort menus and filter help.
func taskColumns() []Column[TaskRow] {
	return slices.Concat(
		taskStateColumns(), taskLatenessColumns(), taskTimeColumns(), taskPlaceColumns(), taskContentColumns(),
	)
}

// taskStateColumns are the columns about the order, the name and the state of a task.
func taskStateColumns() []Column[TaskRow] {
	return []Column[TaskRow]{
		{Key: ByTriage, delays: true, sort: triageKey, timed: true},
		{Key: ByUrgency, sort: taskUrgency},
		{
			Key:     "sign",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 1, Min: 1, Gap: 1}, {Pane: PaneDelays, Position: 1, Min: 1, Gap: 1}},
			Signed:  true,
			cell:    func(dst []byte, r *TaskRow, _ *CellContext) ([]byte, Tone) { return dst, r.Tone() },
		},
		{
			Key:     "task",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 2, Title: "task", Min: 8}, {Pane: PaneDelays, Position: 4, Title: "task", Min: 8}},
			text:    func(r *TaskRow) string { return string(r.ShortID) },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "id", help: "beginning of the id or short id", wide: true},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool {
					return t.matchPrefix(string(r.ID), string(r.ShortID))
				},
			}},
			exports: []exportValue[TaskRow]{
				{"id", func(r *TaskRow, _ *exportContext) any { return string(r.ID) }},
				{"shortId", func(r *TaskRow, _ *exportContext) any { return string(r.ShortID) }},
			},
		},
		{
			Key:     "kind",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 3, Title: "kind", Min: 7, Drop: 7}},
			Fields:  FieldKind,
			text:    (*TaskRow).Kind,
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "kind", form: formWord, words: []string{KindText(true), KindText(false)}, help: "pickup or dropoff"},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool {
					return t.matchWord(func(word string) bool { return word == r.Kind() })
				},
			}},
			exports: []exportValue[TaskRow]{{"kind", func(r *TaskRow, _ *exportContext) any { return r.Kind() }}},
		},
		{
			Key:     "state",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 4, Title: "state", Min: 10, Max: 12, Flex: 1, Drop: 2}},
			Fields:  FieldStatus,
			cell:    appendTaskState,
			sort:    func(r *TaskRow, _ model.Millis) sortKey { return sortKey{number: int64(r.Status)} },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: keyState, form: formWord, words: taskStates(), help: "state of the task"},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool { return t.matchWord(r.isState) },
			}},
			exports: []exportValue[TaskRow]{
				{"status", func(r *TaskRow, _ *exportContext) any { return r.StatusText() }},
				{"risk", func(r *TaskRow, _ *exportContext) any { return r.Risk.String() }},
			},
		},
	}
}

// taskLatenessColumns are the columns about how late a task is.
func taskLatenessColumns() []Column[TaskRow] {
	return []Column[TaskRow]{
		{
			Key: BySlack,
			Layouts: []PaneLayout{
				{Pane: PaneTasks, Position: 5, Title: "due", Min: 12, Drop: 1},
				{Pane: PaneDelays, Position: 2, Title: "late", Min: 12, Gap: 1},
			},
			Fields: FieldRisk | FieldDelay | FieldArrival,
			Blank:  true,
			cell:   appendTaskStanding,
			sort: func(r *TaskRow, now model.Millis) sortKey {
				slack, ok := r.Slack(now)
				return numberKey(ok, int64(slack))
			},
			timed: true,
			filters: []rowFilter[TaskRow]{
				{
					filterInfo{key: "late", form: formDuration, above: true, help: "late by more or less than this"},
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
		},
		{
			Key:     "trend",
			Layouts: []PaneLayout{{Pane: PaneDelays, Position: 3, Min: 1, Gap: 1}},
			Signed:  true,
			cell: func(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
				return dst, c.Delays.Trend(r, c.Snapshot.Now).tone()
			},
		},
	}
}

// taskTimeColumns are the columns about the times of a task.
func taskTimeColumns() []Column[TaskRow] {
	return []Column[TaskRow]{
		{
			Key:     "window",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 6, Title: "window", Min: 11, Max: 15, Flex: 1, Drop: 5}},
			Fields:  FieldWindow,
			cell: func(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
				return AppendWindow(dst, r, c.Now, c.Zone, "–"), ToneText
			},
			sort:    func(r *TaskRow, _ model.Millis) sortKey { return timeKey(r.Earliest) },
			exports: []exportValue[TaskRow]{{"completeAfter", func(r *TaskRow, c *exportContext) any { return c.time(r.Earliest) }}},
		},
		{
			Key:     "due",
			Layouts: []PaneLayout{{Pane: PaneDelays, Position: 6, Title: "due", Min: 5, Max: 9, Flex: 1, Drop: 3}},
			Fields:  FieldWindow,
			cell: func(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
				return c.appendClock(dst, r.Due), ToneText
			},
			sort: func(r *TaskRow, _ model.Millis) sortKey { return timeKey(r.Due) },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "due", form: formDuration, help: "window ends sooner or later than this from now"},
				func(t *filterTerm, r *TaskRow, now model.Millis) bool {
					return t.matchNumber(float64(r.Due-now), r.Due != 0 && !r.Status.Closed())
				},
			}},
			exports: []exportValue[TaskRow]{{"completeBefore", func(r *TaskRow, c *exportContext) any { return c.time(r.Due) }}},
		},
		{
			Key: "eta",
			Layouts: []PaneLayout{
				{Pane: PaneTasks, Position: 7, Title: "eta", Min: 5, Drop: 9},
				{Pane: PaneDelays, Position: 7, Title: "eta", Min: 9, Drop: 4},
			},
			Fields: FieldArrival,
			cell: func(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
				return AppendETA(dst, r, c.Now, c.Zone), ToneText
			},
			sort: func(r *TaskRow, _ model.Millis) sortKey { return timeKey(r.Arrival) },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "eta", form: formDuration, help: "driver arrives sooner or later than this from now"},
				func(t *filterTerm, r *TaskRow, now model.Millis) bool {
					return t.matchNumber(float64(r.Arrival-now), r.Arrival != 0)
				},
			}},
			exports: []exportValue[TaskRow]{
				{"expectedArrival", func(r *TaskRow, c *exportContext) any { return c.time(r.Arrival) }},
				{"expectedCompletion", func(r *TaskRow, c *exportContext) any { return c.time(r.Finish) }},
			},
		},
		{
			Key:     "completed",
			sort:    func(r *TaskRow, _ model.Millis) sortKey { return timeKey(r.Completed) },
			exports: []exportValue[TaskRow]{{"completed", func(r *TaskRow, c *exportContext) any { return c.time(r.Completed) }}},
		},
	}
}

// taskPlaceColumns are the columns about why a task is late, who does it and where.
func taskPlaceColumns() []Column[TaskRow] {
	return []Column[TaskRow]{
		{
			Key:     "why",
			Layouts: []PaneLayout{{Pane: PaneDelays, Position: 8, Title: "why", Min: 16, Max: 60, Flex: 6, Drop: 2}},
			Blank:   true,
			cell: func(dst []byte, r *TaskRow, c *CellContext) ([]byte, Tone) {
				if r.Risk < RiskAtRisk { // no longer late, and here only while the order of the rows is frozen
					return dst, ToneText
				}
				return append(dst, c.explain(r).Why...), ToneText
			},
		},
		{
			Key: "worker",
			Layouts: []PaneLayout{
				{Pane: PaneTasks, Position: 8, Title: "driver", Min: 10, Max: 22, Flex: 2, Drop: 3},
				{Pane: PaneDelays, Position: 5, Title: "driver", Min: 10, Max: 20, Flex: 2, Drop: 1},
			},
			Fields: FieldWorker,
			text:   func(r *TaskRow) string { return r.WorkerName },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "worker", form: formName, names: workerNames, help: "name of the driver"},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool {
					return t.matchName(r.search, r.WorkerName, r.Worker)
				},
			}},
			exports: []exportValue[TaskRow]{
				{"worker", func(r *TaskRow, _ *exportContext) any { return r.WorkerName }},
				{"workerId", func(r *TaskRow, _ *exportContext) any { return string(r.Worker) }},
			},
		},
		{
			Key:     "team",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 11, Title: "team", Min: 8, Max: 14, Flex: 1, Drop: 10}},
			Fields:  FieldTeam,
			text:    func(r *TaskRow) string { return r.TeamName },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "team", form: formName, names: teamNames, help: "name of the team of the task or of its driver"},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool { return t.matchTeam(r) },
			}},
			exports: []exportValue[TaskRow]{
				{"team", func(r *TaskRow, _ *exportContext) any { return r.TeamName }},
				{"teamId", func(r *TaskRow, _ *exportContext) any { return string(r.Team) }},
			},
		},
		{
			Key: "address",
			Layouts: []PaneLayout{
				{Pane: PaneTasks, Position: 9, Title: "address", Min: 14, Max: 44, Flex: 4, Drop: 4},
				{Pane: PaneDelays, Position: 11, Title: "address", Min: 26, Max: 40, Flex: 1, Drop: 7},
			},
			Fields: FieldAddress,
			text:   func(r *TaskRow) string { return r.Address },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "address", help: "text in the address", wide: true, substring: true},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool { return t.matchText(r.search, r.Address) },
			}},
			exports: []exportValue[TaskRow]{
				{"address", func(r *TaskRow, _ *exportContext) any { return r.Address }},
				{"latitude", func(r *TaskRow, _ *exportContext) any { return exportNumber(r.Location.Lat, r.HasLocation) }},
				{"longitude", func(r *TaskRow, _ *exportContext) any { return exportNumber(r.Location.Lon, r.HasLocation) }},
			},
		},
	}
}

// taskContentColumns are the columns about the recipient and the goods.
func taskContentColumns() []Column[TaskRow] {
	return []Column[TaskRow]{
		{
			Key: "recipient",
			Layouts: []PaneLayout{
				{Pane: PaneTasks, Position: 10, Title: "recipient", Min: 12, Max: 24, Flex: 2, Drop: 6},
				{Pane: PaneDelays, Position: 9, Title: "recipient", Min: 14, Max: 22, Flex: 1, Drop: 5},
			},
			Fields: FieldRecipient,
			text:   func(r *TaskRow) string { return r.RecipientName },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "recipient", help: "text in the recipient's name", wide: true, substring: true},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool { return t.matchText(r.search, r.RecipientName) },
			}},
			exports: []exportValue[TaskRow]{{"recipient", func(r *TaskRow, _ *exportContext) any { return r.RecipientName }}},
		},
		{
			Key:     "phone",
			Layouts: []PaneLayout{{Pane: PaneDelays, Position: 10, Title: "phone", Min: 12, Max: 14, Drop: 6}},
			Fields:  FieldPhone,
			text:    func(r *TaskRow) string { return r.Phone },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "phone", help: "digits of the recipient's phone", wide: true},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool { return t.matchText(r.search, r.Phone) },
			}},
			exports: []exportValue[TaskRow]{{"phone", func(r *TaskRow, _ *exportContext) any { return r.Phone }}},
		},
		{
			Key:     "notes",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 13, Title: "notes", Min: 16, Flex: 5, Drop: 8}},
			Fields:  FieldNotes,
			text:    func(r *TaskRow) string { return r.Notes },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "notes", help: "text in the notes", wide: true, substring: true},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool { return t.matchText(r.search, r.Notes) },
			}},
			exports: []exportValue[TaskRow]{{"notes", func(r *TaskRow, _ *exportContext) any { return r.Notes }}},
		},
		{
			Key:    "quantity",
			Fields: FieldQuantity,
			sort:   func(r *TaskRow, _ model.Millis) sortKey { return sortKey{number: scaleNumber(r.Quantity)} },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "qty", form: formNumber, help: "quantity"},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool { return t.matchNumber(r.Quantity, true) },
			}},
			exports: []exportValue[TaskRow]{{"quantity", func(r *TaskRow, _ *exportContext) any { return r.Quantity }}},
		},
		{
			Key:     "order",
			Layouts: []PaneLayout{{Pane: PaneTasks, Position: 12, Title: "order", Min: 8, Drop: 11}},
			text:    func(r *TaskRow) string { return string(r.Order) },
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "order", help: "short id of the order", wide: true},
				func(t *filterTerm, r *TaskRow, _ model.Millis) bool { return t.matchPrefix(string(r.Order), "") },
			}},
			exports: []exportValue[TaskRow]{{"order", func(r *TaskRow, _ *exportContext) any { return string(r.Order) }}},
		},
		{
			Key:     "modified",
			sort:    func(r *TaskRow, _ model.Millis) sortKey { return timeKey(r.Modified) },
			exports: []exportValue[TaskRow]{{"modified", func(r *TaskRow, c *exportContext) any { return c.time(r.Modified) }}},
		},
		{
			Key: "created",
			filters: []rowFilter[TaskRow]{{
				filterInfo{key: "age", form: formDuration, above: true, help: "created longer or less long ago than this"},
				func(t *filterTerm, r *TaskRow, now model.Millis) bool {
					return t.matchNumber(float64(now-r.Created), r.Created != 0)
				},
			}},
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
