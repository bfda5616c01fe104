package views

import (
	"io"
	"iter"
	"time"

	"waybill/keymaps"
	"waybill/model"
	"waybill/ui/table"
	"waybill/ui/theme"
)

type orderColumn = table.Column[*model.OrderRow]

// newOrders is the pane of orders with how far their two tasks are.
func newOrders(sh *shared) Pane {
	return newList(sh, listSpec[model.OrderRow]{
		kind: model.PaneOrders, scope: keymaps.Orders,
		rows:  func(s *model.Snapshot) model.Rows[model.OrderRow] { return s.Orders },
		delta: func(d *model.Delta) []model.RowDelta { return d.Orders },
		build: model.BuildOrders, usual: (*model.OrderRow).Open,
		id:     func(o *model.OrderRow) model.ID { return o.ID },
		object: func(*model.OrderRow) keymaps.Object { return keymaps.Object{Kind: keymaps.Order} },
		match:  (*model.Filter).MatchOrder, fields: orderFields, columns: orderColumns,
		export: func(w io.Writer, format model.ExportFormat, rows iter.Seq[*model.OrderRow], _ model.Millis, zone *time.Location) error {
			return model.ExportOrders(w, format, rows, zone)
		},
	})
}

func orderFields(column string) model.Fields {
	switch model.Column(column) {
	case model.ByState:
		return model.FieldStatus
	case model.ByClient, model.ByService:
		return model.FieldName
	case model.ByPickup:
		return model.FieldPickup
	case model.ByDropoff:
		return model.FieldDropoff
	case model.ByPrice:
		return model.FieldPrice
	}
	return 0
}

func orderColumns(sh *shared) []orderColumn {
	text := func(key model.Column, title string, lo, hi, flex, drop int, read func(*model.OrderRow) string) orderColumn {
		return orderColumn{
			Key: string(key), Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop, Sortable: true,
			Render: func(o *model.OrderRow, ctx *table.Context) (string, theme.Token) {
				return orNone(read(o), ctx.Theme)
			},
		}
	}
	leg := func(key model.Column, title string, drop int, of func(*model.OrderRow) model.OrderLeg) orderColumn {
		c := text(key, title, 12, 16, 1, drop, nil)
		c.Gap = 1 // two of them must fit beside the order on a small screen
		c.Render = func(o *model.OrderRow, ctx *table.Context) (string, theme.Token) {
			return sh.leg(of(o), ctx)
		}
		return c
	}
	sign := table.Column[*model.OrderRow]{Key: "sign", Min: 1, Gap: 1, Render: func(o *model.OrderRow, ctx *table.Context) (string, theme.Token) {
		badge := ctx.Theme.BadgeOf(string(o.Status))
		switch o.Risk {
		case model.RiskLate:
			badge = ctx.Theme.Badge(theme.Late)
		case model.RiskSoon:
			badge = ctx.Theme.Badge(theme.AtRisk)
		}
		return badge.Glyph, badge.Token
	}}
	state := text(model.ByState, "state", 10, 0, 0, 5, nil)
	state.Render = func(o *model.OrderRow, ctx *table.Context) (string, theme.Token) {
		badge := ctx.Theme.BadgeOf(string(o.Status))
		return string(o.Status), badge.Token
	}
	due := text(model.ByDue, "due", 5, 9, 1, 3, nil)
	due.Render = func(o *model.OrderRow, ctx *table.Context) (string, theme.Token) {
		return orNone(clockIn(ctx.Width, o.Due(), sh.frame.Now, sh.frame.Zone), ctx.Theme)
	}
	price := text(model.ByPrice, "price", 7, 11, 0, 6, func(o *model.OrderRow) string {
		if !o.Priced {
			return ""
		}
		return money(o.Price, o.Currency)
	})
	price.Align = theme.Right
	return []orderColumn{
		sign,
		text(model.ByOrder, "order", 8, 0, 0, 0, func(o *model.OrderRow) string { return string(o.ShortID) }),
		text(model.ByClient, "client", 14, 24, 3, 4, func(o *model.OrderRow) string { return o.Client }),
		leg(model.ByPickup, "pickup", 2, func(o *model.OrderRow) model.OrderLeg { return o.Pickup }),
		leg(model.ByDropoff, "dropoff", 1, func(o *model.OrderRow) model.OrderLeg { return o.Dropoff }),
		due,
		price, state,
		text(model.ByService, "service", 8, 16, 1, 7, func(o *model.OrderRow) string { return o.Service }),
	}
}

// leg is one task of an order: from the task itself where the board has it, since that is fresher.
func (sh *shared) leg(leg model.OrderLeg, ctx *table.Context) (string, theme.Token) {
	th := ctx.Theme
	if row := sh.snapshot.Tasks.Get(leg.Task); row != nil {
		badge := th.Badge(statusOf(row))
		words := badge.Word
		if row.Status == model.StatusActive && row.Arrival != 0 && row.Risk < model.RiskSoon {
			words = "eta " + clock(row.Arrival, sh.frame.Now, sh.frame.Zone)
			if row.Arrived != 0 {
				words = sh.thereSince(row, ctx)
			}
		}
		return badge.Glyph + " " + words, badge.Token
	}
	badge := th.Badge(plainStatus(leg.Status))
	return badge.Glyph + " " + badge.Word, badge.Token
}

// thereSince says that the driver is there, and since when if the cell has room for it after its sign.
func (sh *shared) thereSince(r *model.TaskRow, ctx *table.Context) string {
	words := "there " + clock(r.Arrived, sh.frame.Now, sh.frame.Zone)
	if ctx.Width > 0 && ctx.Theme.Measure.Width(words)+2 > ctx.Width {
		return "there"
	}
	return words
}
