package board

import (
	"strconv"

	"waybill/model"
)

// workerColumns is the column table of workers. Its order is the order of exports, sort menus and filter help.
func workerColumns() []Column[WorkerRow] { //nolint:funlen // a table
	layout := func(position int, title string, lo, hi, flex, drop int) []PaneLayout {
		return []PaneLayout{{Pane: PaneWorkers, Position: position, Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop}}
	}
	return []Column[WorkerRow]{
		{Key: ByUrgency, sort: workerUrgency},
		{
			Key:     "sign",
			Layouts: []PaneLayout{{Pane: PaneWorkers, Position: 1, Min: 1, Gap: 1}},
			Signed:  true,
			cell:    func(dst []byte, w *WorkerRow, _ *CellContext) ([]byte, Tone) { return dst, w.Tone() },
		},
		{
			Key: "id",
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: "id", help: "beginning of the id", wide: true},
				func(t *filterTerm, w *WorkerRow, _ model.Millis) bool { return t.matchPrefix(string(w.ID), "") },
			}},
			exports: []exportValue[WorkerRow]{{"id", func(w *WorkerRow, _ *exportContext) any { return string(w.ID) }}},
		},
		{
			Key:     "name",
			Layouts: layout(2, "name", 12, 24, 3, 0),
			Fields:  FieldName,
			text:    func(w *WorkerRow) string { return w.Name },
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: "worker", form: formName, names: workerNames, help: "name of the driver", wide: true},
				func(t *filterTerm, w *WorkerRow, _ model.Millis) bool { return t.matchName(w.search, w.Name, w.ID) },
			}},
			exports: []exportValue[WorkerRow]{{"name", func(w *WorkerRow, _ *exportContext) any { return w.Name }}},
		},
		{
			Key:  "state",
			sort: func(w *WorkerRow, _ model.Millis) sortKey { return textKey(w.State.String()) },
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: keyState, form: formWord, words: workerStates(), help: "state of the driver"},
				func(t *filterTerm, w *WorkerRow, _ model.Millis) bool { return t.matchWord(w.isState) },
			}},
			exports: []exportValue[WorkerRow]{{"state", func(w *WorkerRow, _ *exportContext) any { return w.State.String() }}},
		},
		{
			Key:     "doing",
			Layouts: layout(3, "doing", 13, 20, 1, 0),
			Fields:  FieldStatus | FieldActiveTask,
			cell:    appendDoing,
			sort:    func(w *WorkerRow, _ model.Millis) sortKey { return textKey(string(w.ActiveTask)) },
			exports: []exportValue[WorkerRow]{{"activeTask", func(w *WorkerRow, _ *exportContext) any { return string(w.ActiveTask) }}},
		},
		{
			Key:     "stops",
			Layouts: layout(5, "stops", 5, 0, 0, 2),
			Fields:  FieldRoute,
			Right:   true,
			cell: func(dst []byte, w *WorkerRow, _ *CellContext) ([]byte, Tone) {
				return strconv.AppendInt(dst, int64(w.Stops()), 10), ToneText
			},
			sort: func(w *WorkerRow, _ model.Millis) sortKey { return sortKey{number: int64(w.Stops())} },
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: "stops", form: formNumber, help: "number of stops left"},
				func(t *filterTerm, w *WorkerRow, _ model.Millis) bool { return t.matchNumber(float64(w.Stops()), true) },
			}},
			exports: []exportValue[WorkerRow]{{"stops", func(w *WorkerRow, _ *exportContext) any { return float64(w.Stops()) }}},
		},
		{ // cannot be sorted by: that would need the load of every worker
			Key:     "load",
			Layouts: layout(6, "load", 5, 7, 0, 3),
			Fields:  FieldRoute | FieldCapacity,
			Right:   true,
			cell:    appendLoad,
		},
		{
			Key:     "capacity",
			sort:    func(w *WorkerRow, _ model.Millis) sortKey { return sortKey{number: scaleNumber(w.Capacity)} },
			exports: []exportValue[WorkerRow]{{"capacity", func(w *WorkerRow, _ *exportContext) any { return w.Capacity }}},
		},
		{
			Key:     "delay",
			Layouts: layout(4, "late", 5, 0, 0, 1),
			Fields:  FieldDelay,
			cell: func(dst []byte, w *WorkerRow, _ *CellContext) ([]byte, Tone) {
				if w.Delay <= 0 {
					return dst, ToneMuted
				}
				return append(dst, model.FormatShortDelay(w.Delay)...), ToneLate
			},
			sort: func(w *WorkerRow, _ model.Millis) sortKey { return numberKey(w.Delay != 0, int64(w.Delay)) },
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: "late", form: formDuration, above: true, help: "late by more or less than this"},
				func(t *filterTerm, w *WorkerRow, _ model.Millis) bool {
					return t.matchNumber(float64(model.RoundDelay(w.Delay).Milliseconds()), w.Delay > 0)
				},
			}},
			exports: []exportValue[WorkerRow]{
				{"delayMinutes", func(w *WorkerRow, _ *exportContext) any { return exportNumber(w.Delay.Minutes(), w.Delay != 0) }},
			},
		},
		{
			Key:     "seen",
			Layouts: layout(7, "seen", 5, 0, 0, 4),
			cell: func(dst []byte, w *WorkerRow, c *CellContext) ([]byte, Tone) {
				return AppendAge(dst, w.LastSeen, c.Now), ToneText
			},
			sort: func(w *WorkerRow, _ model.Millis) sortKey { return timeKey(w.LastSeen) },
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: "seen", form: formDuration, above: true, help: "last seen longer or less long ago than this"},
				func(t *filterTerm, w *WorkerRow, now model.Millis) bool {
					return t.matchNumber(float64(now-w.LastSeen), w.LastSeen != 0)
				},
			}},
			exports: []exportValue[WorkerRow]{{"lastSeen", func(w *WorkerRow, c *exportContext) any { return c.time(w.LastSeen) }}},
		},
		{
			Key:     "battery",
			Layouts: layout(8, "batt", 4, 0, 0, 5),
			Right:   true,
			cell: func(dst []byte, w *WorkerRow, c *CellContext) ([]byte, Tone) {
				if w.Battery >= 0 && w.Battery < c.Snapshot.Settings.LowBattery {
					return AppendPercent(dst, w.Battery), ToneWarning
				}
				return AppendPercent(dst, w.Battery), ToneText
			},
			sort: func(w *WorkerRow, _ model.Millis) sortKey { return numberKey(w.Battery >= 0, scaleNumber(w.Battery)) },
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: "battery", form: formNumber, help: "battery in percent"},
				func(t *filterTerm, w *WorkerRow, _ model.Millis) bool {
					return t.matchNumber(w.Battery*100, w.Battery >= 0)
				},
			}},
			exports: []exportValue[WorkerRow]{
				{"battery", func(w *WorkerRow, _ *exportContext) any { return exportNumber(w.Battery, w.Battery >= 0) }},
			},
		},
		{
			Key:     "vehicle",
			Layouts: layout(9, "vehicle", 7, 10, 0, 6),
			Fields:  FieldVehicle,
			cell: func(dst []byte, w *WorkerRow, _ *CellContext) ([]byte, Tone) {
				return append(dst, VehicleText(w.Vehicle)...), ToneText
			},
			sort: func(w *WorkerRow, _ model.Millis) sortKey { return textKey(string(w.Vehicle)) },
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: "vehicle", form: formWord, words: []string{"car", "motorcycle", "bicycle", "truck", noneWord}, help: "vehicle"},
				func(t *filterTerm, w *WorkerRow, _ model.Millis) bool {
					return t.matchText(w.search, string(w.Vehicle))
				},
			}},
			exports: []exportValue[WorkerRow]{{"vehicle", func(w *WorkerRow, _ *exportContext) any { return string(w.Vehicle) }}},
		},
		{
			Key:     "team",
			Layouts: layout(10, "team", 8, 18, 2, 7),
			Fields:  FieldTeam,
			text:    func(w *WorkerRow) string { return w.TeamNames },
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: "team", form: formName, names: teamNames, help: "name of a team"},
				func(t *filterTerm, w *WorkerRow, _ model.Millis) bool { return t.matchText(w.search, w.TeamNames) },
			}},
			exports: []exportValue[WorkerRow]{{"teams", func(w *WorkerRow, _ *exportContext) any { return w.TeamNames }}},
		},
		{
			Key: "phone",
			filters: []rowFilter[WorkerRow]{{
				filterInfo{key: "phone", help: "digits of the phone", wide: true},
				func(t *filterTerm, w *WorkerRow, _ model.Millis) bool { return t.matchText(w.search, w.Phone) },
			}},
			exports: []exportValue[WorkerRow]{{"phone", func(w *WorkerRow, _ *exportContext) any { return w.Phone }}},
		},
		{
			Key: "location",
			exports: []exportValue[WorkerRow]{
				{"latitude", func(w *WorkerRow, _ *exportContext) any { return exportNumber(w.Location.Lat, w.HasLocation) }},
				{"longitude", func(w *WorkerRow, _ *exportContext) any { return exportNumber(w.Location.Lon, w.HasLocation) }},
			},
		},
	}
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
