package views

import (
	"waybill/board"
	"waybill/model"
)

// cellText is the text of a cell before a change.
type cellText struct {
	id     model.ID
	column int
	text   string
}

// maxCompared is how many changed rows are compared cell by cell. When more change at once, highlights help nobody.
const maxCompared = 512

// captureCells records the text of the cells that a delta may change, before the pane shows it. Only cells whose text
// changes are highlighted; data often changes without changing any text.
func (l *list[R]) captureCells(delta *board.Delta) {
	l.before = l.before[:0]
	rows := l.rows.Deltas(delta)
	if l.cells.Zone == nil || len(rows) > maxCompared { // nothing has been drawn yet
		return
	}
	old := l.rows.Rows(l.cells.Snapshot)
	for _, change := range rows {
		row := old.Get(change.ID)
		if change.Kind != board.RowChanged || row == nil {
			continue
		}
		for i := range l.columns {
			if change.Fields.Has(l.columns[i].Fields) {
				l.before = append(l.before, cellText{change.ID, i, l.textOf(i, row)})
			}
		}
	}
}

// highlightChanges highlights the cells whose text has changed since captureCells, and added rows.
func (l *list[R]) highlightChanges(s *board.Snapshot, rows []board.RowDelta) {
	var changes []board.RowDelta
	for _, change := range rows {
		if change.Kind != board.RowChanged {
			changes = append(changes, change)
		}
	}
	now := l.rows.Rows(s)
	for _, before := range l.before {
		if row := now.Get(before.id); row != nil && l.textOf(before.column, row) != before.text {
			changes = append(changes, board.RowDelta{ID: before.id, Kind: board.RowChanged, Fields: columnBit(before.column)})
		}
	}
	l.before = l.before[:0]
	l.highlights.Add(changes)
}

func (l *list[R]) textOf(column int, row *R) string {
	l.cells.Width = 0
	text, _ := l.columns[column].AppendCell(nil, row, &l.cells)
	return string(text)
}

// columnBit identifies a column in the highlights of a row.
func columnBit(column int) board.Fields { return 1 << column }

func (l *list[R]) isNew(id string) bool {
	_, added := l.highlights.Get(model.ID(id))
	return added
}

func (l *list[R]) changed(id, column string) bool {
	marked, _ := l.highlights.Get(model.ID(id))
	for i := range l.columns {
		if marked != 0 && l.columns[i].Key == column {
			return marked.Has(columnBit(i))
		}
	}
	return false
}
