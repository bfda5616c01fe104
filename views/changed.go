package views

import (
	"waybill/board"
	"waybill/model"
	"waybill/views/table"
)

// cell is what stood in a cell before a change.
type cell struct {
	id     model.ID
	column int
	text   string
}

// mostChanged is how many changed rows are looked at for marks. More at once say nothing that marks could add to.
const mostChanged = 512

// Note keeps what stands in the cells that a delta may change, before it is learned. What is marked afterwards is what
// the eye sees change: data often does where the text stays the same.
func (l *list[R]) Note(delta *board.Delta) {
	l.before = l.before[:0]
	rows := l.spec.delta(delta)
	if l.shared.frame.Theme == nil || l.shared.snapshot == nil || len(rows) > mostChanged {
		return
	}
	old := l.spec.rows(l.shared.snapshot)
	for _, change := range rows {
		row := old.Get(change.ID)
		if change.Kind != board.RowChanged || row == nil {
			continue
		}
		for i := range l.all {
			if change.Fields.Has(l.spec.fields(l.all[i].Key)) {
				l.before = append(l.before, cell{change.ID, i, l.cellText(i, row)})
			}
		}
	}
}

// mark marks the cells that read otherwise now, and the rows that came or went.
func (l *list[R]) mark(s *board.Snapshot, rows []board.RowDelta) {
	var seen []board.RowDelta
	for _, change := range rows {
		if change.Kind != board.RowChanged {
			seen = append(seen, change)
		}
	}
	now := l.spec.rows(s)
	for _, was := range l.before {
		if row := now.Get(was.id); row != nil && l.cellText(was.column, row) != was.text {
			seen = append(seen, board.RowDelta{ID: was.id, Kind: board.RowChanged, Fields: columnBit(was.column)})
		}
	}
	l.before = l.before[:0]
	l.highlights.Note(seen, true)
}

func (l *list[R]) cellText(column int, row *R) string {
	f := l.shared.frame
	text, _ := l.all[column].Render(row, &table.Context{Theme: f.Theme, Now: f.Now})
	return text
}

// columnBit is how the marks of a row tell its columns apart.
func columnBit(column int) board.Fields { return 1 << column }

func (l *list[R]) isNew(id string) bool {
	_, added := l.highlights.Get(model.ID(id))
	return added
}

func (l *list[R]) changed(id, column string) table.Change {
	marked, _ := l.highlights.Get(model.ID(id))
	if marked == 0 {
		return table.Same
	}
	for i := range l.all {
		if l.all[i].Key == column && marked.Has(columnBit(i)) {
			return table.Changed
		}
	}
	return table.Same
}
