package board

import "waybill/model"

// withDefaults fills in what the columns do not say: cell, sort, filter and export follow from the value.
func (t RowType[R]) withDefaults() RowType[R] {
	for i := range t.columns {
		c := &t.columns[i]
		if c.cell == nil {
			c.cell = c.valueCell()
		}
		if c.sort == nil && !c.unsorted {
			c.sort = c.valueSort()
		}
		if c.filter.key != "" {
			c.filters = append([]rowFilter[R]{{c.filter, c.valueMatch(t.search)}}, c.filters...)
		}
		if c.export != "" {
			c.exports = append([]exportValue[R]{{c.export, c.valueExport()}}, c.exports...)
		}
	}
	return t
}

func (c *Column[R]) valueCell() cellFunc[R] {
	switch {
	case c.time != nil:
		return func(dst []byte, row *R, ctx *CellContext) ([]byte, Tone) {
			return ctx.appendClock(dst, c.time(row)), ToneText
		}
	case c.number != nil:
		return func(dst []byte, row *R, _ *CellContext) ([]byte, Tone) {
			if number, known := c.number(row); known {
				dst = AppendNumber(dst, number)
			}
			return dst, ToneText
		}
	}
	return func(dst []byte, row *R, _ *CellContext) ([]byte, Tone) { return append(dst, c.text(row)...), ToneText }
}

// valueSort returns nil for a column without a value.
func (c *Column[R]) valueSort() sortFunc[R] {
	switch {
	case c.time != nil:
		return func(row *R, _ model.Millis) sortKey {
			at := c.time(row)
			return numberKey(at != 0, int64(at))
		}
	case c.number != nil:
		return func(row *R, _ model.Millis) sortKey {
			number, known := c.number(row)
			return numberKey(known, scaleNumber(number))
		}
	case c.text != nil:
		return func(row *R, _ model.Millis) sortKey { return textKey(c.text(row)) }
	}
	return nil
}

// valueMatch returns how the filter term compares the value of a row whose folded texts search returns.
func (c *Column[R]) valueMatch(search func(*R) string) func(*filterTerm, *R, model.Millis) bool {
	id, text := c.id, c.text
	if id == nil {
		id = func(*R) model.ID { return "" }
	}
	switch {
	case c.is != nil:
		return func(t *filterTerm, row *R, _ model.Millis) bool {
			return t.matchWord(func(word string) bool { return c.is(row, word) })
		}
	case c.time != nil:
		return func(t *filterTerm, row *R, now model.Millis) bool {
			at := c.time(row)
			ahead := float64(at - now)
			if c.filter.ago {
				ahead = -ahead
			}
			return t.matchNumber(ahead, at != 0)
		}
	case c.number != nil:
		return func(t *filterTerm, row *R, _ model.Millis) bool { return t.matchNumber(c.number(row)) }
	case c.filter.prefix && c.id == nil: // the text is the id
		return func(t *filterTerm, row *R, _ model.Millis) bool { return t.matchPrefix(text(row), "") }
	case c.filter.prefix:
		return func(t *filterTerm, row *R, _ model.Millis) bool { return t.matchPrefix(string(id(row)), text(row)) }
	}
	return func(t *filterTerm, row *R, _ model.Millis) bool { return t.matchName(search(row), text(row), id(row)) }
}

func (c *Column[R]) valueExport() func(*R, *exportContext) any {
	switch {
	case c.time != nil:
		return func(row *R, ctx *exportContext) any { return ctx.time(c.time(row)) }
	case c.number != nil:
		return func(row *R, _ *exportContext) any { return exportNumber(c.number(row)) }
	}
	return func(row *R, _ *exportContext) any { return c.text(row) }
}
