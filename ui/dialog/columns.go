package dialog

import (
	"fmt"

	"waybill/keymaps"
	"waybill/views"
)

// Columns shows and hides the columns of a pane. It stays open, because people rarely change a single column.
type Columns struct {
	Menu
	columns []views.ColumnChoice
}

// NewColumns returns the menu of the columns of a pane.
func NewColumns(title string, columns []views.ColumnChoice) *Columns {
	d := &Columns{Menu: *NewMenu(keymaps.Menu, title, nil, "show or hide (a column shown again goes last)")}
	d.hints[1].Label = "close"
	d.SetColumns(columns)
	return d
}

// SetColumns lists the columns as they are now. The cursor stays on its line.
func (d *Columns) SetColumns(columns []views.ColumnChoice) {
	at, widest := d.Choices.Cursor, 0
	for _, c := range columns {
		widest = max(widest, len(c.Title))
	}
	list := make([]views.Choice, len(columns), len(columns)+1)
	for i, c := range columns {
		list[i] = views.Choice{Label: fmt.Sprintf("%-*s", widest, c.Title), Note: "hidden"}
		switch {
		case c.Fixed:
			list[i].Note = "always shown"
		case c.Shown && !c.Fits:
			list[i].Note = "shown if it fits"
		case c.Shown:
			list[i].Note = "shown"
		}
	}
	d.columns = columns
	d.Choices.Set(append(list, views.Choice{Label: "default columns"}))
	d.Choices.Cursor = min(at, len(columns))
}

// RunAction implements [Dialog].
func (d *Columns) RunAction(id string) (Action, bool) {
	at, ok := d.Choices.Current()
	switch {
	case id != "menu.choose":
		return d.Menu.RunAction(id)
	case !ok:
		return nil, true
	case at == len(d.columns):
		return ChooseColumns{}, true
	case d.columns[at].Fixed:
		return Warn{"This column cannot be hidden: it identifies the row."}, true
	}
	var keys []string
	for i, c := range d.columns {
		if c.Shown && !c.Fixed && i != at {
			keys = append(keys, c.Key)
		}
	}
	if !d.columns[at].Shown {
		keys = append(keys, d.columns[at].Key)
	}
	return ChooseColumns{keys}, true
}
