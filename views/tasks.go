package views

import (
	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

type taskColumn = table.Column[*board.TaskRow]

// newTasks is the pane of all work. Without a filter it shows what is open; what was typed is searched for in
// everything, because the caller who asks for a parcel may well mean one that was delivered.
func newTasks(sh *shared) Pane {
	return newList(sh, listSpec[board.TaskRow]{
		kind: board.PaneTasks, scope: keymaps.Tasks,
		rows:  func(s *board.Snapshot) board.Rows[board.TaskRow] { return s.Tasks },
		delta: func(d *board.Delta) []board.RowDelta { return d.Tasks },
		build: board.BuildTasks, usual: func(r *board.TaskRow) bool { return !r.Status.Closed() },
		id: func(r *board.TaskRow) model.ID { return r.ID }, object: taskObject,
		match: (*board.Filter).MatchTask, fields: taskFields, columns: taskColumns,
		export: board.ExportTasks,
	})
}

func taskObject(r *board.TaskRow) keymaps.Object {
	o := keymaps.Object{Kind: keymaps.Task}
	switch r.Status {
	case board.StatusUnassigned:
		o.State = keymaps.Unassigned
	case board.StatusAssigned:
		o.State = keymaps.Assigned
	case board.StatusActive:
		o.State = keymaps.Active
	case board.StatusDone, board.StatusFailed:
		o.State = keymaps.Completed
	}
	return o
}

func taskFields(column string) board.Fields {
	switch board.Column(column) {
	case board.ByKind:
		return board.FieldKind
	case board.ByState:
		return board.FieldStatus
	case board.ByWindow, board.ByDue:
		return board.FieldWindow
	case board.BySlack:
		return board.FieldRisk | board.FieldDelay | board.FieldArrival
	case board.ByArrival:
		return board.FieldArrival
	case board.ByWorker:
		return board.FieldWorker
	case board.ByTeam:
		return board.FieldTeam
	case board.ByAddress:
		return board.FieldAddress
	case board.ByRecipient:
		return board.FieldRecipient
	case board.ByPhone:
		return board.FieldPhone
	case board.ByNotes:
		return board.FieldNotes
	case board.ByQuantity:
		return board.FieldQuantity
	}
	return 0
}

func taskColumns(sh *shared) []taskColumn {
	text := func(key board.Column, title string, lo, hi, flex, drop int, read func(*board.TaskRow) string) taskColumn {
		return taskColumn{
			Key: string(key), Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop, Sortable: true,
			Render: func(r *board.TaskRow, ctx *table.Context) (string, theme.Token) {
				return orNone(read(r), ctx.Theme)
			},
		}
	}
	state := text(board.ByState, "state", 10, 12, 1, 2, nil) // twelve hold the hour of what failed
	state.Render = func(r *board.TaskRow, ctx *table.Context) (string, theme.Token) {
		badge := ctx.Theme.Badge(ownStatus(r.Status))
		if r.Status == board.StatusUnknown {
			badge.Word = r.StatusText()
		}
		if since := badge.Word + " " + clockText(r.Completed, ctx.Now, sh.frame.Zone); r.Completed != 0 && len(since) <= ctx.Width {
			return since, badge.Token
		}
		return badge.Word, badge.Token
	}
	slack := text(board.BySlack, "due", 12, 0, 0, 1, nil)
	slack.Render = func(r *board.TaskRow, ctx *table.Context) (string, theme.Token) {
		if r.Status.Closed() {
			return clockIn(ctx.Width, r.Due, ctx.Now, sh.frame.Zone), theme.Muted
		}
		words, token := r.LatenessText(sh.frame.Millis()), theme.Muted
		if r.Risk >= board.RiskAtRisk {
			token = ctx.Theme.Badge(taskStatus(r)).Token
		}
		return words, token
	}
	return []taskColumn{
		glyphColumn(taskStatus),
		text(board.ByTask, "task", 8, 0, 0, 0, func(r *board.TaskRow) string { return string(r.ShortID) }),
		text(board.ByKind, "kind", 7, 0, 0, 7, func(r *board.TaskRow) string { return kindText(r.Pickup) }),
		state, slack,
		text(board.ByWindow, "window", 11, 15, 1, 5, func(r *board.TaskRow) string {
			return windowText(r, sh.frame.Now, sh.frame.Zone, "–")
		}),
		text(board.ByArrival, "eta", 5, 0, 0, 9, func(r *board.TaskRow) string { return etaText(r, sh.frame.Now, sh.frame.Zone) }),
		text(board.ByWorker, "worker", 10, 22, 2, 3, func(r *board.TaskRow) string { return r.WorkerName }),
		text(board.ByAddress, "address", 14, 44, 4, 4, func(r *board.TaskRow) string { return r.Address }),
		text(board.ByRecipient, "recipient", 12, 24, 2, 6, func(r *board.TaskRow) string { return r.RecipientName }),
		text(board.ByTeam, "team", 8, 14, 1, 10, func(r *board.TaskRow) string { return r.TeamName }),
		text(board.ByOrder, "order", 8, 0, 0, 11, func(r *board.TaskRow) string { return string(r.Order) }),
		text(board.ByNotes, "notes", 16, 0, 5, 8, func(r *board.TaskRow) string { return r.Notes }),
	}
}

// orNone shows a missing value as a quiet dash.
func orNone(text string, th *theme.Theme) (string, theme.Token) {
	if text == "" {
		return th.Glyphs.None, theme.Muted
	}
	return text, theme.Text
}
