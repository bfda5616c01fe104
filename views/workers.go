package views

import (
	"io"
	"iter"
	"strconv"
	"time"

	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/table"
	"waybill/ui/theme"
)

type workerColumn = table.Column[*model.WorkerRow]

// newWorkers is the pane of who is on duty. A filter is searched for among everyone.
func newWorkers(sh *shared) Pane {
	return newList(sh, listSpec[model.WorkerRow]{
		kind: model.PaneWorkers, scope: keymaps.Workers,
		rows:  func(s *model.Snapshot) model.Rows[model.WorkerRow] { return s.Workers },
		delta: func(d *model.Delta) []model.RowDelta { return d.Workers },
		build: model.BuildWorkers, usual: func(w *model.WorkerRow) bool { return w.OnDuty },
		id:     func(w *model.WorkerRow) model.ID { return w.ID },
		object: func(*model.WorkerRow) keymaps.Object { return keymaps.Object{Kind: keymaps.Worker} },
		match:  (*model.Filter).MatchWorker, fields: workerFields, columns: workerColumns,
		export: func(w io.Writer, format model.ExportFormat, rows iter.Seq[*model.WorkerRow], _ model.Millis, zone *time.Location) error {
			return model.ExportWorkers(w, format, rows, zone)
		},
	})
}

func workerFields(column string) model.Fields {
	switch model.Column(column) {
	case model.ByName:
		return model.FieldName
	case model.ByDoing:
		return model.FieldStatus | model.FieldActiveTask
	case model.ByStops:
		return model.FieldRoute
	case loadColumn:
		return model.FieldRoute | model.FieldCapacity
	case model.ByDelay:
		return model.FieldDelay
	case model.ByVehicle:
		return model.FieldVehicle
	case model.ByTeam:
		return model.FieldTeam
	}
	return 0
}

func workerColumns(sh *shared) []workerColumn {
	text := func(key model.Column, title string, lo, hi, flex, drop int, read func(*model.WorkerRow) (string, theme.Token)) workerColumn {
		return workerColumn{
			Key: string(key), Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop, Sortable: true,
			Render: func(w *model.WorkerRow, ctx *table.Context) (string, theme.Token) {
				words, token := read(w)
				if words == "" {
					return ctx.Theme.Glyphs.None, theme.Muted
				}
				return words, token
			},
		}
	}
	plain := func(read func(*model.WorkerRow) string) func(*model.WorkerRow) (string, theme.Token) {
		return func(w *model.WorkerRow) (string, theme.Token) { return read(w), theme.Text }
	}
	doing := text(model.ByDoing, "doing", 13, 20, 1, 0, nil)
	doing.Render = func(w *model.WorkerRow, ctx *table.Context) (string, theme.Token) {
		return sh.doing(w), ctx.Theme.Badge(workerStatus(w)).Token
	}
	stops := text(model.ByStops, "stops", 5, 0, 0, 2, plain(func(w *model.WorkerRow) string { return strconv.Itoa(w.Stops()) }))
	stops.Align = theme.Right
	load := text(loadColumn, "load", 5, 7, 0, 3, sh.load)
	load.Align, load.Sortable = theme.Right, false
	battery := text(model.ByBattery, "batt", 4, 0, 0, 5, func(w *model.WorkerRow) (string, theme.Token) {
		if w.Battery >= 0 && w.Battery < sh.snapshot.Settings.LowBattery {
			return percent(w.Battery), theme.Warn
		}
		return percent(w.Battery), theme.Text
	})
	battery.Align = theme.Right
	return []workerColumn{
		glyphColumn(workerSign),
		text(model.ByName, "name", 12, 24, 3, 0, plain(func(w *model.WorkerRow) string { return w.Name })),
		doing,
		text(model.ByDelay, "late", 5, 0, 0, 1, func(w *model.WorkerRow) (string, theme.Token) {
			if w.Delay <= 0 {
				return "", theme.Muted
			}
			return minutes(w.Delay), theme.LateToken
		}),
		stops, load,
		text(model.BySeen, "seen", 5, 0, 0, 4, plain(func(w *model.WorkerRow) string { return ago(w.LastSeen, sh.frame.Now) })),
		battery,
		text(model.ByVehicle, "vehicle", 7, 10, 0, 6, plain(func(w *model.WorkerRow) string { return vehicleName(w.Vehicle) })),
		text(model.ByTeam, "team", 8, 18, 2, 7, plain(func(w *model.WorkerRow) string { return w.TeamNames })),
	}
}

// workerSign leads with lateness, as tasks do.
func workerSign(w *model.WorkerRow) theme.Status {
	if w.Delay > 0 && w.State != model.WorkerIsOff {
		return theme.Late
	}
	return workerStatus(w)
}

// loadColumn is what a worker carries of what they can. It cannot be sorted by: that takes a look at every task.
const loadColumn = "load"

// load is what a worker carries of what they can, in the units of capacity.
func (sh *shared) load(w *model.WorkerRow) (string, theme.Token) {
	if w.Capacity <= 0 {
		return "", theme.Muted
	}
	load, known := sh.loads[w.ID]
	if !known {
		if sh.loads == nil {
			sh.loads = map[model.ID]model.Load{}
		}
		load = sh.snapshot.LoadOf(w)
		sh.loads[w.ID] = load
	}
	token := theme.Text
	if load.Quantity > load.Capacity {
		token = theme.Warn
	}
	return number(load.Quantity) + "/" + number(load.Capacity), token
}

// doing is what a worker does, in a word and its object.
func (sh *shared) doing(w *model.WorkerRow) string {
	switch w.State {
	case model.WorkerIsBusy:
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
	case model.WorkerIsSilent:
		return "silent " + ago(w.LastSeen, sh.frame.Now)
	case model.WorkerIsIdle:
		if w.Since != 0 {
			return "idle " + minutes(sh.frame.Millis().Sub(w.Since))
		}
		return "idle"
	}
	return "off duty"
}
