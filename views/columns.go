package views

import (
	"slices"

	"waybill/views/table"
)

// ColumnChoice is a column that a pane can show.
type ColumnChoice struct {
	Key, Title string
	Shown      bool // it was chosen
	Fits       bool // it was chosen and there is room for it
	Fixed      bool // it cannot be hidden, because it identifies the row
}

// ColumnChoices returns the columns that have a title: the chosen ones in their order, then the others.
func (l *list[R]) ColumnChoices() []ColumnChoice {
	var shown, others []ColumnChoice
	for _, c := range l.Table.Columns() {
		shown = append(shown, ColumnChoice{Key: c.Key, Title: c.Title, Shown: true, Fits: l.ShowsColumn(c.Key), Fixed: c.Drop == 0})
	}
	for _, c := range l.all {
		if !slices.ContainsFunc(shown, func(s ColumnChoice) bool { return s.Key == c.Key }) {
			others = append(others, ColumnChoice{Key: c.Key, Title: c.Title})
		}
	}
	return slices.DeleteFunc(append(shown, others...), func(c ColumnChoice) bool { return c.Title == "" })
}

// ChooseColumns shows columns in the given order after the fixed ones; no keys mean the default columns. Unknown keys are
// ignored, because a session may be from another version.
func (l *list[R]) ChooseColumns(keys []string) {
	l.chosen = slices.Clone(keys)
	if len(keys) == 0 {
		l.chosen = nil
		l.SetColumns(l.all)
		return
	}
	columns := slices.DeleteFunc(slices.Clone(l.all), func(c table.Column[*R]) bool { return c.Drop > 0 })
	for _, key := range keys {
		at := slices.IndexFunc(l.all, func(c table.Column[*R]) bool { return c.Key == key && c.Drop > 0 })
		if at >= 0 {
			columns = append(columns, l.all[at])
		}
	}
	l.SetColumns(columns)
}
