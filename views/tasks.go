package views

import (
	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/table"
	"waybill/ui/theme"
)

type taskColumn = table.Column[*model.TaskRow]

// newTasks is the pane of all work. Without a filter it shows what is open; what was typed is searched for in
// everything, because the caller who asks for a parcel may well mean one that was delivered.
func newTasks(sh *shared) Pane {
	return newList(sh, listSpec[model.TaskRow]{
		kind: model.PaneTasks, scope: keymaps.Tasks,
		rows:  func(s *model.Snapshot) model.Rows[model.TaskRow] { return s.Tasks },
		delta: func(d *model.Delta) []model.RowDelta { return d.Tasks },
		build: model.BuildTasks, usual: func(r *model.TaskRow) bool { return !r.Status.Closed() },
		id: func(r *model.TaskRow) model.ID { return r.ID }, object: taskObject,
		match: (*model.Filter).MatchTask, fields: taskFields, columns: taskColumns,
		export: model.ExportTasks,
	})
}

func taskObject(r *model.TaskRow) keymaps.Object {
	o := keymaps.Object{Kind: keymaps.Task}
	switch r.Status {
	case model.StatusUnassigned:
		o.State = keymaps.Unassigned
	case model.StatusAssigned:
		o.State = keymaps.Assigned
	case model.StatusActive:
		o.State = keymaps.Active
	case model.StatusDone, model.StatusFailed:
		o.State = keymaps.Completed
	}
	return o
}

func taskFields(column string) model.Fields {
	switch model.Column(column) {
	case model.ByKind:
		return model.FieldKind
	case model.ByState:
		return model.FieldStatus
	case model.ByWindow, model.ByDue:
		return model.FieldWindow
	case model.BySlack:
		return model.FieldRisk | model.FieldDelay | model.FieldArrival
	case model.ByArrival:
		return model.FieldArrival
	case model.ByWorker:
		return model.FieldWorker
	case model.ByTeam:
		return model.FieldTeam
	case model.ByAddress:
		return model.FieldAddress
	case model.ByRecipient:
		return model.FieldRecipient
	case model.ByPhone:
		return model.FieldPhone
	case model.ByNotes:
		return model.FieldNotes
	case model.ByQuantity:
		return model.FieldQuantity
	}
	return 0
}

func taskColumns(sh *shared) []taskColumn {
	text := func(key model.Column, title string, lo, hi, flex, drop int, read func(*model.TaskRow) string) taskColumn {
		return taskColumn{
			Key: string(key), Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop, Sortable: true,
			Render: func(r *model.TaskRow, ctx *table.Context) (string, theme.Token) {
				return orNone(read(r), ctx.Theme)
			},
		}
	}
	state := text(model.ByState, "state", 10, 12, 1, 2, nil) // twelve hold the hour of what failed
	state.Render = func(r *model.TaskRow, ctx *table.Context) (string, theme.Token) {
		badge := ctx.Theme.Badge(plainStatus(r.Status))
		if r.Status == model.StatusUnknown {
			badge.Word = r.StatusText()
		}
		if since := badge.Word + " " + clock(r.Completed, ctx.Now, sh.frame.Zone); r.Completed != 0 && len(since) <= ctx.Width {
			return since, badge.Token
		}
		return badge.Word, badge.Token
	}
	slack := text(model.BySlack, "due", 12, 0, 0, 1, nil)
	slack.Render = func(r *model.TaskRow, ctx *table.Context) (string, theme.Token) {
		if r.Status.Closed() {
			return clockIn(ctx.Width, r.Before, ctx.Now, sh.frame.Zone), theme.Muted
		}
		words, token := r.Standing(sh.frame.Millis()), theme.Muted
		if r.Risk >= model.RiskSoon {
			token = ctx.Theme.Badge(statusOf(r)).Token
		}
		return words, token
	}
	return []taskColumn{
		glyphColumn(statusOf),
		text(model.ByTask, "task", 8, 0, 0, 0, func(r *model.TaskRow) string { return string(r.ShortID) }),
		text(model.ByKind, "kind", 7, 0, 0, 7, func(r *model.TaskRow) string { return kindName(r.Pickup) }),
		state, slack,
		text(model.ByWindow, "window", 11, 15, 1, 5, func(r *model.TaskRow) string {
			return window(r, sh.frame.Now, sh.frame.Zone, "–")
		}),
		text(model.ByArrival, "eta", 5, 0, 0, 9, func(r *model.TaskRow) string { return eta(r, sh.frame.Now, sh.frame.Zone) }),
		text(model.ByWorker, "worker", 10, 22, 2, 3, func(r *model.TaskRow) string { return r.WorkerName }),
		text(model.ByAddress, "address", 14, 44, 4, 4, func(r *model.TaskRow) string { return r.Address }),
		text(model.ByRecipient, "recipient", 12, 24, 2, 6, func(r *model.TaskRow) string { return r.RecipientName }),
		text(model.ByTeam, "team", 8, 14, 1, 10, func(r *model.TaskRow) string { return r.TeamName }),
		text(model.ByOrder, "order", 8, 0, 0, 11, func(r *model.TaskRow) string { return string(r.Order) }),
		text(model.ByNotes, "notes", 16, 0, 5, 8, func(r *model.TaskRow) string { return r.Notes }),
	}
}

// orNone shows a missing value as a quiet dash.
func orNone(text string, th *theme.Theme) (string, theme.Token) {
	if text == "" {
		return th.Glyphs.None, theme.Muted
	}
	return text, theme.Text
}
