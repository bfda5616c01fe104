package board

import "waybill/model"

// workerColumns is the column table of workers. Its order is the order of exports, sort menus and filter help.
func workerColumns() []Column[WorkerRow] {
	return append(workerStateColumns(), workerDataColumns()...)
}

// workerStateColumns are the columns about who a worker is and what they are doing.
func workerStateColumns() []Column[WorkerRow] {
	return []Column[WorkerRow]{
		{Key: ByUrgency, sort: workerUrgency},
		{
			Key: "sign", Signed: true,
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 1, Min: 1, Gap: 1}},
			cell:    func(dst []byte, w *WorkerRow, _ *CellContext) ([]byte, Tone) { return dst, w.Tone() },
		},
		{
			Key: "id", export: "id", unsorted: true,
			text:   func(w *WorkerRow) string { return string(w.ID) },
			filter: filterInfo{key: "id", help: "beginning of the id", wide: true, prefix: true},
		},
		{
			Key: "name", Fields: FieldName, export: "name",
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 2, Title: "name", Min: 12, Max: 24, Flex: 3}},
			text:    func(w *WorkerRow) string { return w.Name },
			id:      func(w *WorkerRow) model.ID { return w.ID },
			filter:  filterInfo{key: "worker", form: formName, names: workerNames, help: "name of the driver", wide: true},
		},
		{
			Key: "state", export: "state",
			text:   func(w *WorkerRow) string { return w.State.String() },
			is:     (*WorkerRow).isState,
			filter: filterInfo{key: keyState, form: formWord, words: workerStates(), help: "state of the driver"},
		},
		{
			Key: "doing", Fields: FieldStatus | FieldActiveTask, export: "activeTask",
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 3, Title: "doing", Min: 13, Max: 20, Flex: 1}},
			text:    func(w *WorkerRow) string { return string(w.ActiveTask) },
			cell:    appendDoing,
		},
		{
			Key: "stops", Fields: FieldRoute, Right: true, export: "stops",
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 5, Title: "stops", Min: 5, Drop: 2}},
			number:  func(w *WorkerRow) (float64, bool) { return float64(w.Stops()), true },
			filter:  filterInfo{key: "stops", form: formNumber, help: "number of stops left"},
		},
		{ // cannot be sorted by: that would need the load of every worker
			Key: "load", Fields: FieldRoute | FieldCapacity, Right: true,
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 6, Title: "load", Min: 5, Max: 7, Drop: 3}},
			cell:    appendLoad,
		},
	}
}

// workerDataColumns are the columns about lateness, vehicle, team and position of a worker.
func workerDataColumns() []Column[WorkerRow] {
	return []Column[WorkerRow]{
		{Key: "capacity", number: func(w *WorkerRow) (float64, bool) { return w.Capacity, true }, export: "capacity"},
		{
			Key: "delay", Fields: FieldDelay,
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 4, Title: "late", Min: 5, Drop: 1}},
			cell:    appendDelay,
			sort:    func(w *WorkerRow, _ model.Millis) sortKey { return numberKey(w.Delay != 0, int64(w.Delay)) },
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: "late", form: formDuration, more: true, help: "late by more or less than this"},
				func(t *filterTerm, w *WorkerRow, _ model.Millis) bool {
					return t.matchNumber(float64(model.RoundDelay(w.Delay).Milliseconds()), w.Delay > 0)
				},
			}},
			exports: []exportValue[WorkerRow]{
				{"delayMinutes", func(w *WorkerRow, _ *exportContext) any { return exportNumber(w.Delay.Minutes(), w.Delay != 0) }},
			},
		},
		{
			Key: "seen", export: "lastSeen",
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 7, Title: "seen", Min: 5, Drop: 4}},
			time:    func(w *WorkerRow) model.Millis { return w.LastSeen },
			cell: func(dst []byte, w *WorkerRow, c *CellContext) ([]byte, Tone) {
				return AppendAge(dst, w.LastSeen, c.Now), ToneText
			},
			filter: filterInfo{key: "seen", form: formDuration, ago: true, help: "last seen more or less than this long ago"},
		},
		{
			Key: "battery", Right: true,
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 8, Title: "batt", Min: 4, Drop: 5}},
			number:  func(w *WorkerRow) (float64, bool) { return w.Battery * 100, w.Battery >= 0 },
			cell:    appendBattery,
			filter:  filterInfo{key: "battery", form: formNumber, help: "battery in percent"},
			exports: []exportValue[WorkerRow]{
				{"battery", func(w *WorkerRow, _ *exportContext) any { return exportNumber(w.Battery, w.Battery >= 0) }},
			},
		},
		{
			Key: "vehicle", Fields: FieldVehicle, export: "vehicle",
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 9, Title: "vehicle", Min: 7, Max: 10, Drop: 6}},
			text:    func(w *WorkerRow) string { return string(w.Vehicle) },
			cell: func(dst []byte, w *WorkerRow, _ *CellContext) ([]byte, Tone) {
				return append(dst, VehicleText(w.Vehicle)...), ToneText
			},
			filter: filterInfo{key: "vehicle", form: formWord, words: []string{"car", "motorcycle", "bicycle", "truck", noneWord}, help: "vehicle"},
		},
		{
			Key: "team", Fields: FieldTeam, export: "teams",
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 10, Title: "team", Min: 8, Max: 18, Flex: 2, Drop: 7}},
			text:    func(w *WorkerRow) string { return w.TeamNames },
			filter:  filterInfo{key: "team", form: formName, names: teamNames, help: "name of a team"},
		},
		{
			Key: "phone", export: "phone", unsorted: true,
			text:   func(w *WorkerRow) string { return w.Phone },
			filter: filterInfo{key: "phone", help: "digits of the phone", wide: true},
		},
		{Key: "location", exports: exportLocation(func(w *WorkerRow) (model.Location, bool) { return w.Location, w.HasLocation })},
	}
}

func appendDelay(dst []byte, w *WorkerRow, _ *CellContext) ([]byte, Tone) {
	if w.Delay <= 0 {
		return dst, ToneMuted
	}
	return append(dst, model.FormatShortDelay(w.Delay)...), ToneLate
}

func appendBattery(dst []byte, w *WorkerRow, c *CellContext) ([]byte, Tone) {
	if w.Battery >= 0 && w.Battery < c.Snapshot.Settings.LowBattery {
		return AppendPercent(dst, w.Battery), ToneWarning
	}
	return AppendPercent(dst, w.Battery), ToneText
}

// appendDoing appends what a worker is doing: their state and the task it is about.
func appendDoing(dst []byte, w *WorkerRow, c *CellContext) ([]byte, Tone) {
	tone := w.State.Tone()
	switch w.State {
	case WorkerIsBusy:
		if w.Waiting() {
			if task := c.Snapshot.Tasks.Get(w.Tasks[0]); task != nil {
				return append(append(dst, "next "...), task.ShortID...), tone
			}
			return append(dst, "not started"...), tone
		}
		dst = append(dst, "busy"...)
		if task := c.Snapshot.Tasks.Get(w.ActiveTask); task != nil {
			dst = append(append(dst, ' '), task.ShortID...)
		}
		return dst, tone
	case WorkerIsSilent:
		return AppendAge(append(dst, "silent "...), w.LastSeen, c.Now), tone
	case WorkerIsIdle:
		dst = append(dst, "idle"...)
		if w.StateSince != 0 {
			dst = append(append(dst, ' '), model.FormatShortDelay(c.millis().Sub(w.StateSince))...)
		}
		return dst, tone
	default:
		return append(dst, "off duty"...), tone
	}
}

// appendLoad appends how much of their capacity a worker uses.
func appendLoad(dst []byte, w *WorkerRow, c *CellContext) ([]byte, Tone) {
	if w.Capacity <= 0 {
		return dst, ToneMuted
	}
	load, tone := c.loadOf(w), ToneText
	if load.Quantity > load.Capacity {
		tone = ToneWarning
	}
	return AppendNumber(append(AppendNumber(dst, load.Quantity), '/'), load.Capacity), tone
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

func workerStates() []string {
	return []string{"idle", "busy", "waiting", "silent", "off", "off-duty", "onduty", "on-duty", "late"}
}

// workerUrgency sorts late workers first, then silent, idle, busy and off duty.
func workerUrgency(w *WorkerRow, _ model.Millis) sortKey {
	rank, number := int64(4), int64(0)
	switch {
	case w.State == WorkerIsOff:
	case w.Delay > 0:
		rank, number = 0, -w.Delay.Milliseconds()
	case w.State == WorkerIsSilent:
		rank, number = 1, int64(w.LastSeen)
	case w.State == WorkerIsIdle:
		rank = 2
	case w.State == WorkerIsBusy:
		rank = 3
	}
	return sortKey{number: rankNumber(rank, number), text: w.Name}
}
