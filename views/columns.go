package views

import (
	"slices"

	"waybill/views/table"
)

// ColumnChoice is a column that a pane can show.
type ColumnChoice struct {
	Key, Title string
	Shown      bool // it was chosen
	Fits       bool // and there is room for it
	Fixed      bool // rows could not be told apart without it
}

// ColumnChoices are the pane's columns: those that are shown in their order, then the others.
func (l *list[R]) ColumnChoices() []ColumnChoice {
	var shown, others []ColumnChoice
	for _, c := range l.Table.Columns() {
		shown = append(shown, ColumnChoice{Key: c.Key, Title: c.Title, Shown: true, Fits: l.ShowsColumn(c.Key), Fixed: c.Drop == 0})
	}
	for _, c := range l.spec.columns(l.shared) {
		if !slices.ContainsFunc(shown, func(s ColumnChoice) bool { return s.Key == c.Key }) {
			others = append(others, ColumnChoice{Key: c.Key, Title: c.Title})
		}
	}
	return slices.DeleteFunc(append(shown, others...), func(c ColumnChoice) bool { return c.Title == "" })
}

// ChooseColumns shows columns in an order, after those that always stay; none at all means the pane's own choice.
// Names it does not know are passed over: they may be of another version.
func (l *list[R]) ChooseColumns(keys []string) {
	all := l.spec.columns(l.shared)
	l.chosen = slices.Clone(keys)
	if len(keys) == 0 {
		l.chosen = nil
		l.SetColumns(all)
		return
	}
	var columns []table.Column[*R]
	for _, c := range all {
		if c.Drop == 0 {
			columns = append(columns, c)
		}
	}
	for _, key := range keys {
		at := slices.IndexFunc(all, func(c table.Column[*R]) bool { return c.Key == key && c.Drop > 0 })
		if at >= 0 {
			columns = append(columns, all[at])
		}
	}
	l.SetColumns(columns)
}

// ChosenColumns is what was chosen, or nothing where that is the pane's own choice.
func (l *list[R]) ChosenColumns() []string { return l.chosen }
