package views

import (
	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/table"
	"waybill/ui/theme"
)

// newDelays is the triage queue: late and at risk, worst first, with the reason.
func newDelays(sh *shared) Pane {
	return newList(sh, listSpec[model.TaskRow]{
		kind: model.PaneDelays, scope: keymaps.Delays,
		rows:  func(s *model.Snapshot) model.Rows[model.TaskRow] { return s.Tasks },
		delta: func(d *model.Delta) []model.RowDelta { return d.Tasks },
		build: model.BuildTasks, usual: func(*model.TaskRow) bool { return true },
		id: func(r *model.TaskRow) model.ID { return r.ID }, object: taskObject,
		match: (*model.Filter).MatchTask, fields: taskFields, columns: delayColumns,
		export: model.ExportTasks,
	})
}

func delayColumns(sh *shared) []taskColumn {
	text := func(key model.Column, title string, lo, hi, flex, drop int, read func(*model.TaskRow) string) taskColumn {
		return taskColumn{
			Key: string(key), Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop, Sortable: true,
			Render: func(r *model.TaskRow, ctx *table.Context) (string, theme.Token) {
				return orNone(read(r), ctx.Theme)
			},
		}
	}
	late := text(model.BySlack, "late", 12, 0, 0, 0, nil)
	late.Gap = 1
	late.Render = func(r *model.TaskRow, ctx *table.Context) (string, theme.Token) {
		badge := ctx.Theme.Badge(statusOf(r))
		if r.Status.Closed() { // finished since the rows were held
			return badge.Word, badge.Token
		}
		return r.Standing(sh.frame.Millis()), badge.Token
	}
	trend := taskColumn{Key: "trend", Min: 1, Gap: 1, Render: func(r *model.TaskRow, ctx *table.Context) (string, theme.Token) {
		switch sh.looks.Trend(r, sh.snapshot.Now) {
		case model.TrendGrowing:
			return ctx.Theme.Glyphs.Up, theme.Bad
		case model.TrendShrinking:
			return ctx.Theme.Glyphs.Down, theme.Good
		}
		return "", theme.Text
	}}
	due := text(model.ByDue, "due", 5, 9, 1, 3, nil)
	due.Render = func(r *model.TaskRow, ctx *table.Context) (string, theme.Token) {
		return orNone(clockIn(ctx.Width, r.Before, sh.frame.Now, sh.frame.Zone), ctx.Theme)
	}
	why := taskColumn{Key: "why", Title: "why", Min: 16, Max: 60, Flex: 6, Drop: 2, Render: func(r *model.TaskRow, _ *table.Context) (string, theme.Token) {
		if r.Risk < model.RiskSoon { // in no trouble any more, and here only while rows are held
			return "", theme.Text
		}
		return sh.explain(r).Why, theme.Text
	}}
	return []taskColumn{
		glyphColumn(statusOf), late, trend,
		text(model.ByTask, "task", 8, 0, 0, 0, func(r *model.TaskRow) string { return string(r.ShortID) }),
		text(model.ByWorker, "worker", 10, 20, 2, 1, func(r *model.TaskRow) string { return r.WorkerName }),
		due,
		text(model.ByArrival, "eta", 9, 0, 0, 4, func(r *model.TaskRow) string { return eta(r, sh.frame.Now, sh.frame.Zone) }),
		why,
		text(model.ByRecipient, "recipient", 14, 22, 1, 5, func(r *model.TaskRow) string { return r.RecipientName }),
		text(model.ByPhone, "phone", 12, 14, 0, 6, func(r *model.TaskRow) string { return r.Phone }),
		text(model.ByAddress, "address", 26, 40, 1, 7, func(r *model.TaskRow) string { return r.Address }),
	}
}
