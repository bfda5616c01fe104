package views

import (
	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

// newDelays is the triage queue: late and at risk, worst first, with the reason.
func newDelays(sh *shared) Pane {
	return newList(sh, listSpec[board.TaskRow]{
		kind: board.PaneDelays, scope: keymaps.Delays,
		rows:  func(s *board.Snapshot) board.Rows[board.TaskRow] { return s.Tasks },
		delta: func(d *board.Delta) []board.RowDelta { return d.Tasks },
		build: board.BuildTasks, usual: func(*board.TaskRow) bool { return true },
		id: func(r *board.TaskRow) model.ID { return r.ID }, object: taskObject,
		match: (*board.Filter).MatchTask, fields: taskFields, columns: delayColumns,
		export: board.ExportTasks,
	})
}

func delayColumns(sh *shared) []taskColumn {
	text := func(key board.Column, title string, lo, hi, flex, drop int, read func(*board.TaskRow) string) taskColumn {
		return taskColumn{
			Key: string(key), Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop, Sortable: true,
			Render: func(r *board.TaskRow, ctx *table.Context) (string, theme.Token) {
				return orNone(read(r), ctx.Theme)
			},
		}
	}
	late := text(board.BySlack, "late", 12, 0, 0, 0, nil)
	late.Gap = 1
	late.Render = func(r *board.TaskRow, ctx *table.Context) (string, theme.Token) {
		badge := ctx.Theme.Badge(taskStatus(r))
		if r.Status.Closed() { // finished since the rows were held
			return badge.Word, badge.Token
		}
		return r.LatenessText(sh.frame.Millis()), badge.Token
	}
	trend := taskColumn{Key: "trend", Min: 1, Gap: 1, Render: func(r *board.TaskRow, ctx *table.Context) (string, theme.Token) {
		switch sh.looks.Trend(r, sh.snapshot.Now) {
		case board.TrendGrowing:
			return ctx.Theme.Glyphs.Up, theme.Bad
		case board.TrendShrinking:
			return ctx.Theme.Glyphs.Down, theme.Good
		}
		return "", theme.Text
	}}
	due := text(board.ByDue, "due", 5, 9, 1, 3, nil)
	due.Render = func(r *board.TaskRow, ctx *table.Context) (string, theme.Token) {
		return orNone(clockIn(ctx.Width, r.Due, sh.frame.Now, sh.frame.Zone), ctx.Theme)
	}
	why := taskColumn{Key: "why", Title: "why", Min: 16, Max: 60, Flex: 6, Drop: 2, Render: func(r *board.TaskRow, _ *table.Context) (string, theme.Token) {
		if r.Risk < board.RiskAtRisk { // in no trouble any more, and here only while rows are held
			return "", theme.Text
		}
		return sh.explain(r).Why, theme.Text
	}}
	return []taskColumn{
		glyphColumn(taskStatus), late, trend,
		text(board.ByTask, "task", 8, 0, 0, 0, func(r *board.TaskRow) string { return string(r.ShortID) }),
		text(board.ByWorker, "worker", 10, 20, 2, 1, func(r *board.TaskRow) string { return r.WorkerName }),
		due,
		text(board.ByArrival, "eta", 9, 0, 0, 4, func(r *board.TaskRow) string { return etaText(r, sh.frame.Now, sh.frame.Zone) }),
		why,
		text(board.ByRecipient, "recipient", 14, 22, 1, 5, func(r *board.TaskRow) string { return r.RecipientName }),
		text(board.ByPhone, "phone", 12, 14, 0, 6, func(r *board.TaskRow) string { return r.Phone }),
		text(board.ByAddress, "address", 26, 40, 1, 7, func(r *board.TaskRow) string { return r.Address }),
	}
}
