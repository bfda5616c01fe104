package views

import (
	"io"
	"iter"
	"strconv"
	"time"

	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

type workerColumn = table.Column[*board.WorkerRow]

// newWorkers is the pane of who is on duty. A filter is searched for among everyone.
func newWorkers(sh *shared) Pane {
	return newList(sh, listSpec[board.WorkerRow]{
		kind: board.PaneWorkers, scope: keymaps.Workers,
		rows:  func(s *board.Snapshot) board.Rows[board.WorkerRow] { return s.Workers },
		delta: func(d *board.Delta) []board.RowDelta { return d.Workers },
		build: board.BuildWorkers, usual: func(w *board.WorkerRow) bool { return w.OnDuty },
		id:     func(w *board.WorkerRow) model.ID { return w.ID },
		object: func(*board.WorkerRow) keymaps.Object { return keymaps.Object{Kind: keymaps.Worker} },
		match:  (*board.Filter).MatchWorker, fields: workerFields, columns: workerColumns,
		export: func(w io.Writer, format board.ExportFormat, rows iter.Seq[*board.WorkerRow], _ model.Millis, zone *time.Location) error {
			return board.ExportWorkers(w, format, rows, zone)
		},
	})
}

func workerFields(column string) board.Fields {
	switch board.Column(column) {
	case board.ByName:
		return board.FieldName
	case board.ByDoing:
		return board.FieldStatus | board.FieldActiveTask
	case board.ByStops:
		return board.FieldRoute
	case loadColumn:
		return board.FieldRoute | board.FieldCapacity
	case board.ByDelay:
		return board.FieldDelay
	case board.ByVehicle:
		return board.FieldVehicle
	case board.ByTeam:
		return board.FieldTeam
	}
	return 0
}

func workerColumns(sh *shared) []workerColumn {
	text := func(key board.Column, title string, lo, hi, flex, drop int, read func(*board.WorkerRow) (string, theme.Token)) workerColumn {
		return workerColumn{
			Key: string(key), Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop, Sortable: true,
			Render: func(w *board.WorkerRow, ctx *table.Context) (string, theme.Token) {
				words, token := read(w)
				if words == "" {
					return ctx.Theme.Glyphs.None, theme.Muted
				}
				return words, token
			},
		}
	}
	plain := func(read func(*board.WorkerRow) string) func(*board.WorkerRow) (string, theme.Token) {
		return func(w *board.WorkerRow) (string, theme.Token) { return read(w), theme.Text }
	}
	doing := text(board.ByDoing, "doing", 13, 20, 1, 0, nil)
	doing.Render = func(w *board.WorkerRow, ctx *table.Context) (string, theme.Token) {
		return sh.doing(w), ctx.Theme.Badge(workerStatus(w)).Token
	}
	stops := text(board.ByStops, "stops", 5, 0, 0, 2, plain(func(w *board.WorkerRow) string { return strconv.Itoa(w.Stops()) }))
	stops.Align = theme.Right
	load := text(loadColumn, "load", 5, 7, 0, 3, sh.load)
	load.Align, load.Sortable = theme.Right, false
	battery := text(board.ByBattery, "batt", 4, 0, 0, 5, func(w *board.WorkerRow) (string, theme.Token) {
		if w.Battery >= 0 && w.Battery < sh.snapshot.Settings.LowBattery {
			return percentText(w.Battery), theme.Warn
		}
		return percentText(w.Battery), theme.Text
	})
	battery.Align = theme.Right
	return []workerColumn{
		glyphColumn(workerSign),
		text(board.ByName, "name", 12, 24, 3, 0, plain(func(w *board.WorkerRow) string { return w.Name })),
		doing,
		text(board.ByDelay, "late", 5, 0, 0, 1, func(w *board.WorkerRow) (string, theme.Token) {
			if w.Delay <= 0 {
				return "", theme.Muted
			}
			return delayText(w.Delay), theme.LateToken
		}),
		stops, load,
		text(board.BySeen, "seen", 5, 0, 0, 4, plain(func(w *board.WorkerRow) string { return ago(w.LastSeen, sh.frame.Now) })),
		battery,
		text(board.ByVehicle, "vehicle", 7, 10, 0, 6, plain(func(w *board.WorkerRow) string { return vehicleText(w.Vehicle) })),
		text(board.ByTeam, "team", 8, 18, 2, 7, plain(func(w *board.WorkerRow) string { return w.TeamNames })),
	}
}

// workerSign leads with lateness, as tasks do.
func workerSign(w *board.WorkerRow) theme.Status {
	if w.Delay > 0 && w.State != board.WorkerIsOff {
		return theme.Late
	}
	return workerStatus(w)
}

// loadColumn is what a worker carries of what they can. It cannot be sorted by: that takes a look at every task.
const loadColumn = "load"

// load is what a worker carries of what they can, in the units of capacity.
func (sh *shared) load(w *board.WorkerRow) (string, theme.Token) {
	if w.Capacity <= 0 {
		return "", theme.Muted
	}
	load, known := sh.loads[w.ID]
	if !known {
		if sh.loads == nil {
			sh.loads = map[model.ID]board.Load{}
		}
		load = sh.snapshot.LoadOf(w)
		sh.loads[w.ID] = load
	}
	token := theme.Text
	if load.Quantity > load.Capacity {
		token = theme.Warn
	}
	return numberText(load.Quantity) + "/" + numberText(load.Capacity), token
}

// doing is what a worker does, in a word and its object.
func (sh *shared) doing(w *board.WorkerRow) string {
	switch w.State {
	case board.WorkerIsBusy:
		if w.Waiting() {
			if task := sh.snapshot.Tasks.Get(w.Tasks[0]); task != nil {
				return "next " + string(task.ShortID)
			}
			return "not started"
		}
		if task := sh.snapshot.Tasks.Get(w.ActiveTask); task != nil {
			return "busy " + string(task.ShortID)
		}
		return "busy"
	case board.WorkerIsSilent:
		return "silent " + ago(w.LastSeen, sh.frame.Now)
	case board.WorkerIsIdle:
		if w.StateSince != 0 {
			return "idle " + delayText(sh.frame.Millis().Sub(w.StateSince))
		}
		return "idle"
	}
	return "off duty"
}
