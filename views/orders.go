package views

import (
	"io"
	"iter"
	"time"

	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

type orderColumn = table.Column[*board.OrderRow]

// newOrders is the pane of orders with how far their two tasks are.
func newOrders(sh *shared) Pane {
	return newList(sh, listSpec[board.OrderRow]{
		kind: board.PaneOrders, scope: keymaps.Orders,
		rows:  func(s *board.Snapshot) board.Rows[board.OrderRow] { return s.Orders },
		delta: func(d *board.Delta) []board.RowDelta { return d.Orders },
		build: board.BuildOrders, usual: (*board.OrderRow).Open,
		id:     func(o *board.OrderRow) model.ID { return o.ID },
		object: func(*board.OrderRow) keymaps.Object { return keymaps.Object{Kind: keymaps.Order} },
		match:  (*board.Filter).MatchOrder, fields: orderFields, columns: orderColumns,
		export: func(w io.Writer, format board.ExportFormat, rows iter.Seq[*board.OrderRow], _ model.Millis, zone *time.Location) error {
			return board.ExportOrders(w, format, rows, zone)
		},
	})
}

func orderFields(column string) board.Fields {
	switch board.Column(column) {
	case board.ByState:
		return board.FieldStatus
	case board.ByClient, board.ByService:
		return board.FieldName
	case board.ByPickup:
		return board.FieldPickup
	case board.ByDropoff:
		return board.FieldDropoff
	case board.ByPrice:
		return board.FieldPrice
	}
	return 0
}

func orderColumns(sh *shared) []orderColumn {
	text := func(key board.Column, title string, lo, hi, flex, drop int, read func(*board.OrderRow) string) orderColumn {
		return orderColumn{
			Key: string(key), Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop, Sortable: true,
			Render: func(o *board.OrderRow, ctx *table.Context) (string, theme.Token) {
				return orNone(read(o), ctx.Theme)
			},
		}
	}
	leg := func(key board.Column, title string, drop int, of func(*board.OrderRow) board.OrderLeg) orderColumn {
		c := text(key, title, 12, 16, 1, drop, nil)
		c.Gap = 1 // two of them must fit beside the order on a small screen
		c.Render = func(o *board.OrderRow, ctx *table.Context) (string, theme.Token) {
			return sh.leg(of(o), ctx)
		}
		return c
	}
	sign := table.Column[*board.OrderRow]{Key: "sign", Min: 1, Gap: 1, Render: func(o *board.OrderRow, ctx *table.Context) (string, theme.Token) {
		badge := ctx.Theme.OrderBadge(string(o.Status))
		switch o.Risk {
		case board.RiskLate:
			badge = ctx.Theme.Badge(theme.Late)
		case board.RiskAtRisk:
			badge = ctx.Theme.Badge(theme.AtRisk)
		}
		return badge.Glyph, badge.Token
	}}
	state := text(board.ByState, "state", 10, 0, 0, 5, nil)
	state.Render = func(o *board.OrderRow, ctx *table.Context) (string, theme.Token) {
		badge := ctx.Theme.OrderBadge(string(o.Status))
		return string(o.Status), badge.Token
	}
	due := text(board.ByDue, "due", 5, 9, 1, 3, nil)
	due.Render = func(o *board.OrderRow, ctx *table.Context) (string, theme.Token) {
		return orNone(clockIn(ctx.Width, o.Due(), sh.frame.Now, sh.frame.Zone), ctx.Theme)
	}
	price := text(board.ByPrice, "price", 7, 11, 0, 6, func(o *board.OrderRow) string {
		if !o.Priced {
			return ""
		}
		return moneyText(o.Price, o.Currency)
	})
	price.Align = theme.Right
	return []orderColumn{
		sign,
		text(board.ByOrder, "order", 8, 0, 0, 0, func(o *board.OrderRow) string { return string(o.ShortID) }),
		text(board.ByClient, "client", 14, 24, 3, 4, func(o *board.OrderRow) string { return o.Client }),
		leg(board.ByPickup, "pickup", 2, func(o *board.OrderRow) board.OrderLeg { return o.Pickup }),
		leg(board.ByDropoff, "dropoff", 1, func(o *board.OrderRow) board.OrderLeg { return o.Dropoff }),
		due,
		price, state,
		text(board.ByService, "service", 8, 16, 1, 7, func(o *board.OrderRow) string { return o.Service }),
	}
}

// leg is one task of an order: from the task itself where the board has it, since that is fresher.
func (sh *shared) leg(leg board.OrderLeg, ctx *table.Context) (string, theme.Token) {
	th := ctx.Theme
	if row := sh.snapshot.Tasks.Get(leg.Task); row != nil {
		badge := th.Badge(taskStatus(row))
		words := badge.Word
		if row.Status == board.StatusActive && row.Arrival != 0 && row.Risk < board.RiskAtRisk {
			words = "eta " + clockText(row.Arrival, sh.frame.Now, sh.frame.Zone)
			if row.Arrived != 0 {
				words = sh.thereSince(row, ctx)
			}
		}
		return badge.Glyph + " " + words, badge.Token
	}
	badge := th.Badge(ownStatus(leg.Status))
	return badge.Glyph + " " + badge.Word, badge.Token
}

// thereSince says that the driver is there, and since when if the cell has room for it after its sign.
func (sh *shared) thereSince(r *board.TaskRow, ctx *table.Context) string {
	words := "there " + clockText(r.Arrived, sh.frame.Now, sh.frame.Zone)
	if ctx.Width > 0 && ctx.Theme.Measure.Width(words)+2 > ctx.Width {
		return "there"
	}
	return words
}
