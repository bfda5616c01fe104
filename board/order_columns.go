package board

import (
	"strings"
	"unicode/utf8"

	"waybill/model"
)

// orderColumns is the column table of orders. Its order is the order of exports, sort menus and filter help.
func orderColumns() []Column[OrderRow] {
	return append(orderStateColumns(), orderDataColumns()...)
}

// orderStateColumns are the columns about the name and the state of an order and its tasks.
func orderStateColumns() []Column[OrderRow] {
	return []Column[OrderRow]{
		{Key: ByUrgency, sort: orderUrgency},
		{
			Key: "sign", Signed: true,
			Layouts: []PaneLayout{{Pane: PaneOrders, Position: 1, Min: 1, Gap: 1}},
			cell: func(dst []byte, o *OrderRow, _ *CellContext) ([]byte, Tone) {
				return dst, o.Risk.toneOr(OrderTone(o.Status))
			},
		},
		{
			Key:     "order",
			Layouts: []PaneLayout{{Pane: PaneOrders, Position: 2, Title: "order", Min: 8}},
			text:    func(o *OrderRow) string { return string(o.ShortID) },
			filter:  filterInfo{key: "order", help: "beginning of the short id", wide: true, prefix: true},
			filters: []rowFilter[OrderRow]{{
				filterInfo{key: "id", help: "beginning of the id", wide: true},
				func(t *filterTerm, o *OrderRow, _ model.Millis) bool {
					return t.matchPrefix(string(o.ID), string(o.ShortID))
				},
			}},
			exports: []exportValue[OrderRow]{
				exportText("id", func(o *OrderRow) model.ID { return o.ID }),
				exportText("shortId", func(o *OrderRow) model.ShortID { return o.ShortID }),
			},
		},
		{
			Key: "client", Fields: FieldName, export: "client",
			Layouts: []PaneLayout{{Pane: PaneOrders, Position: 3, Title: "client", Min: 14, Max: 24, Flex: 3, Drop: 4}},
			text:    func(o *OrderRow) string { return o.Client },
			filter:  filterInfo{key: "client", form: formName, names: clientNames, help: "name of the client"},
		},
		{
			Key: "state", Fields: FieldStatus, Blank: true, export: "status",
			Layouts: []PaneLayout{{Pane: PaneOrders, Position: 8, Title: "state", Min: 10, Drop: 5}},
			text:    func(o *OrderRow) string { return string(o.Status) },
			is:      (*OrderRow).isState,
			cell: func(dst []byte, o *OrderRow, _ *CellContext) ([]byte, Tone) {
				return append(dst, o.Status...), OrderTone(o.Status)
			},
			filter: filterInfo{key: keyState, words: orderStates(), help: "status of the order"},
		},
		legColumn("pickup", 4, 2, FieldPickup, func(o *OrderRow) *OrderLeg { return &o.Pickup }),
		legColumn("dropoff", 5, 1, FieldDropoff, func(o *OrderRow) *OrderLeg { return &o.Dropoff }),
	}
}

// orderDataColumns are the columns about due time, price and service of an order.
func orderDataColumns() []Column[OrderRow] {
	return []Column[OrderRow]{
		{
			Key: "due", export: "due",
			Layouts: []PaneLayout{{Pane: PaneOrders, Position: 6, Title: "due", Min: 5, Max: 9, Flex: 1, Drop: 3}},
			time:    (*OrderRow).Due,
			filters: []rowFilter[OrderRow]{{
				filterInfo{key: "due", form: formDuration, help: "due sooner or later than this from now"},
				func(t *filterTerm, o *OrderRow, now model.Millis) bool {
					return t.matchNumber(float64(o.Due()-now), o.Due() != 0 && o.Open())
				},
			}},
		},
		{
			Key: "price", Fields: FieldPrice, Right: true, export: "price",
			Layouts: []PaneLayout{{Pane: PaneOrders, Position: 7, Title: "price", Min: 7, Max: 11, Drop: 6}},
			number:  func(o *OrderRow) (float64, bool) { return o.Price, o.Priced },
			cell:    appendPrice,
			filter:  filterInfo{key: "price", form: formNumber, help: "price"},
			exports: []exportValue[OrderRow]{exportText("currency", func(o *OrderRow) string { return o.Currency })},
		},
		{
			Key: "service", Fields: FieldName, export: "service",
			Layouts: []PaneLayout{{Pane: PaneOrders, Position: 9, Title: "service", Min: 8, Max: 16, Flex: 1, Drop: 7}},
			text:    func(o *OrderRow) string { return o.Service },
			filter:  filterInfo{key: "service", help: "delivery service"},
		},
		{Key: "modified", time: func(o *OrderRow) model.Millis { return o.Modified }},
	}
}

// legColumn is the column of one task of an order. Legs have a narrow gap, so that both fit beside the order on a small
// screen.
func legColumn(key string, position, drop int, fields Fields, leg func(*OrderRow) *OrderLeg) Column[OrderRow] {
	return Column[OrderRow]{
		Key: key, Fields: fields, Signed: true,
		Layouts: []PaneLayout{{Pane: PaneOrders, Position: position, Title: key, Min: 12, Max: 16, Flex: 1, Gap: 1, Drop: drop}},
		cell:    func(dst []byte, o *OrderRow, c *CellContext) ([]byte, Tone) { return appendLeg(dst, leg(o), c) },
		sort:    func(o *OrderRow, _ model.Millis) sortKey { return sortKey{number: int64(leg(o).Status)} },
		exports: []exportValue[OrderRow]{
			exportText(key+"Task", func(o *OrderRow) model.ID { return leg(o).Task }),
			exportText(key+"Status", func(o *OrderRow) string { return leg(o).Status.String() }),
		},
	}
}

func appendPrice(dst []byte, o *OrderRow, _ *CellContext) ([]byte, Tone) {
	if !o.Priced {
		return dst, ToneText
	}
	return AppendMoney(dst, o.Price, o.Currency), ToneText
}

// appendLeg appends the state of one task of an order: from the task's own row where the board has it, because that is
// fresher than the order.
func appendLeg(dst []byte, leg *OrderLeg, c *CellContext) ([]byte, Tone) {
	row := c.Snapshot.Tasks.Get(leg.Task)
	switch {
	case row == nil:
		return append(dst, leg.Status.String()...), leg.Status.Tone()
	case row.Risk >= RiskAtRisk:
		return append(dst, row.Risk.String()...), row.Tone()
	case row.Status != StatusActive || row.Arrival == 0:
		return append(dst, row.Status.String()...), row.Tone()
	case row.Arrived == 0:
		return AppendClock(append(dst, "eta "...), row.Arrival, c.Now, c.Zone), row.Tone()
	}
	start := len(dst)
	dst = append(dst, "there"...)
	end := len(dst)
	dst = AppendClock(append(dst, ' '), row.Arrived, c.Now, c.Zone)
	if c.Width > 0 && utf8.RuneCount(dst[start:])+2 > c.Width { // the sign and a space come before it
		dst = dst[:end]
	}
	return dst, row.Tone()
}

func (o *OrderRow) isState(word string) bool {
	switch word {
	case "open":
		return o.Open()
	case "finished":
		return !o.Open()
	case "late":
		return o.Risk == RiskLate
	case "atrisk", "at-risk", "risk": // state: accepts any text, so synonyms are not replaced
		return o.Risk == RiskAtRisk
	}
	return strings.EqualFold(string(o.Status), word)
}

func orderStates() []string {
	return []string{
		string(model.OrderUnassigned), string(model.OrderAssigned), string(model.OrderActive), string(model.OrderCompleted),
		string(model.OrderFailed), string(model.OrderCancelled), string(model.OrderRejected),
		"open", "finished", "late", "atrisk", "at-risk", "risk",
	}
}

func clientNames(s *Snapshot) (names []string) {
	for o := range s.Orders.All() {
		names = append(names, o.Client)
	}
	return names
}

// orderUrgency sorts orders with a late task first, then those with a task at risk, then unassigned and other open
// orders, each by due time; closed orders come last, newest first.
func orderUrgency(o *OrderRow, _ model.Millis) sortKey {
	due := int64(o.Due())
	if due == 0 {
		due = int64(never)
	}
	switch {
	case !o.Open():
		return sortKey{number: rankNumber(4, -int64(o.Modified))}
	case o.Risk == RiskLate:
		return sortKey{number: rankNumber(0, due)}
	case o.Risk == RiskAtRisk:
		return sortKey{number: rankNumber(1, due)}
	case o.Status == model.OrderUnassigned:
		return sortKey{number: rankNumber(2, due)}
	}
	return sortKey{number: rankNumber(3, due)}
}
