package board

import (
	"strings"
	"unicode/utf8"

	"waybill/model"
)

// orderColumns is the column table of orders. Its order is the order of exports, sort menus and filter help.
func orderColumns() []Column[OrderRow] { //nolint:funlen // a table
	layout := func(position int, title string, lo, hi, flex, drop int) []PaneLayout {
		return []PaneLayout{{Pane: PaneOrders, Position: position, Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop}}
	}
	// Legs have a narrow gap, so that both fit beside the order on a small screen.
	legLayout := func(position int, title string, drop int) []PaneLayout {
		return []PaneLayout{{Pane: PaneOrders, Position: position, Title: title, Min: 12, Max: 16, Flex: 1, Gap: 1, Drop: drop}}
	}
	return []Column[OrderRow]{
		{Key: ByUrgency, sort: orderUrgency},
		{
			Key:     "sign",
			Layouts: []PaneLayout{{Pane: PaneOrders, Position: 1, Min: 1, Gap: 1}},
			Signed:  true,
			cell: func(dst []byte, o *OrderRow, _ *CellContext) ([]byte, Tone) {
				return dst, o.Risk.toneOr(OrderTone(o.Status))
			},
		},
		{
			Key:     "order",
			Layouts: layout(2, "order", 8, 0, 0, 0),
			text:    func(o *OrderRow) string { return string(o.ShortID) },
			filters: []rowFilter[OrderRow]{
				{
					filterInfo{key: "order", help: "beginning of the short id", wide: true},
					func(t *filterTerm, o *OrderRow, _ model.Millis) bool { return t.matchPrefix(string(o.ShortID), "") },
				},
				{
					filterInfo{key: "id", help: "beginning of the id", wide: true},
					func(t *filterTerm, o *OrderRow, _ model.Millis) bool {
						return t.matchPrefix(string(o.ID), string(o.ShortID))
					},
				},
			},
			exports: []exportValue[OrderRow]{
				{"id", func(o *OrderRow, _ *exportContext) any { return string(o.ID) }},
				{"shortId", func(o *OrderRow, _ *exportContext) any { return string(o.ShortID) }},
			},
		},
		{
			Key:     "client",
			Layouts: layout(3, "client", 14, 24, 3, 4),
			Fields:  FieldName,
			text:    func(o *OrderRow) string { return o.Client },
			filters: []rowFilter[OrderRow]{{
				filterInfo{key: "client", form: formName, names: clientNames, help: "name of the client"},
				func(t *filterTerm, o *OrderRow, _ model.Millis) bool { return t.matchText(o.search, o.Client) },
			}},
			exports: []exportValue[OrderRow]{{"client", func(o *OrderRow, _ *exportContext) any { return o.Client }}},
		},
		{
			Key:     "state",
			Layouts: layout(8, "state", 10, 0, 0, 5),
			Fields:  FieldStatus,
			Blank:   true,
			cell: func(dst []byte, o *OrderRow, _ *CellContext) ([]byte, Tone) {
				return append(dst, o.Status...), OrderTone(o.Status)
			},
			sort: func(o *OrderRow, _ model.Millis) sortKey { return textKey(string(o.Status)) },
			filters: []rowFilter[OrderRow]{{
				filterInfo{key: keyState, words: orderStates(), help: "status of the order"},
				func(t *filterTerm, o *OrderRow, _ model.Millis) bool { return t.matchWord(o.isState) },
			}},
			exports: []exportValue[OrderRow]{{"status", func(o *OrderRow, _ *exportContext) any { return string(o.Status) }}},
		},
		{
			Key:     "pickup",
			Layouts: legLayout(4, "pickup", 2),
			Fields:  FieldPickup,
			Signed:  true,
			cell:    func(dst []byte, o *OrderRow, c *CellContext) ([]byte, Tone) { return appendLeg(dst, &o.Pickup, c) },
			sort:    func(o *OrderRow, _ model.Millis) sortKey { return sortKey{number: int64(o.Pickup.Status)} },
			exports: []exportValue[OrderRow]{
				{"pickupTask", func(o *OrderRow, _ *exportContext) any { return string(o.Pickup.Task) }},
				{"pickupStatus", func(o *OrderRow, _ *exportContext) any { return o.Pickup.Status.String() }},
			},
		},
		{
			Key:     "dropoff",
			Layouts: legLayout(5, "dropoff", 1),
			Fields:  FieldDropoff,
			Signed:  true,
			cell:    func(dst []byte, o *OrderRow, c *CellContext) ([]byte, Tone) { return appendLeg(dst, &o.Dropoff, c) },
			sort:    func(o *OrderRow, _ model.Millis) sortKey { return sortKey{number: int64(o.Dropoff.Status)} },
			exports: []exportValue[OrderRow]{
				{"dropoffTask", func(o *OrderRow, _ *exportContext) any { return string(o.Dropoff.Task) }},
				{"dropoffStatus", func(o *OrderRow, _ *exportContext) any { return o.Dropoff.Status.String() }},
			},
		},
		{
			Key:     "due",
			Layouts: layout(6, "due", 5, 9, 1, 3),
			cell: func(dst []byte, o *OrderRow, c *CellContext) ([]byte, Tone) {
				return c.appendClock(dst, o.Due()), ToneText
			},
			sort: func(o *OrderRow, _ model.Millis) sortKey { return timeKey(o.Due()) },
			filters: []rowFilter[OrderRow]{{
				filterInfo{key: "due", form: formDuration, help: "due sooner or later than this from now"},
				func(t *filterTerm, o *OrderRow, now model.Millis) bool {
					return t.matchNumber(float64(o.Due()-now), o.Due() != 0 && o.Open())
				},
			}},
			exports: []exportValue[OrderRow]{{"due", func(o *OrderRow, c *exportContext) any { return c.time(o.Due()) }}},
		},
		{
			Key:     "price",
			Layouts: layout(7, "price", 7, 11, 0, 6),
			Fields:  FieldPrice,
			Right:   true,
			cell: func(dst []byte, o *OrderRow, _ *CellContext) ([]byte, Tone) {
				if !o.Priced {
					return dst, ToneText
				}
				return AppendMoney(dst, o.Price, o.Currency), ToneText
			},
			sort: func(o *OrderRow, _ model.Millis) sortKey { return numberKey(o.Priced, scaleNumber(o.Price)) },
			filters: []rowFilter[OrderRow]{{
				filterInfo{key: "price", form: formNumber, help: "price"},
				func(t *filterTerm, o *OrderRow, _ model.Millis) bool { return t.matchNumber(o.Price, o.Priced) },
			}},
			exports: []exportValue[OrderRow]{
				{"price", func(o *OrderRow, _ *exportContext) any { return exportNumber(o.Price, o.Priced) }},
				{"currency", func(o *OrderRow, _ *exportContext) any { return o.Currency }},
			},
		},
		{
			Key:     "service",
			Layouts: layout(9, "service", 8, 16, 1, 7),
			Fields:  FieldName,
			text:    func(o *OrderRow) string { return o.Service },
			filters: []rowFilter[OrderRow]{{
				filterInfo{key: "service", help: "delivery service"},
				func(t *filterTerm, o *OrderRow, _ model.Millis) bool { return t.matchText(o.search, o.Service) },
			}},
			exports: []exportValue[OrderRow]{{"service", func(o *OrderRow, _ *exportContext) any { return o.Service }}},
		},
		{Key: "modified", sort: func(o *OrderRow, _ model.Millis) sortKey { return timeKey(o.Modified) }},
	}
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
