package board

import "fmt"

// SavedView is a pane with a filter and an order under a name.
type SavedView struct {
	Name   string `json:"name"`
	Pane   Pane   `json:"pane"`
	Filter string `json:"filter,omitzero"`
	Sort   string `json:"sort,omitzero"`
}

// BuiltinViews are the views that every console has.
func BuiltinViews() []SavedView {
	return []SavedView{
		{Name: "Late now", Pane: PaneTasks, Filter: "late", Sort: BySlack},
		{Name: "Unassigned", Pane: PaneTasks, Filter: "unassigned"},
		{Name: "At risk", Pane: PaneTasks, Filter: "atrisk", Sort: BySlack},
		{Name: "Idle workers", Pane: PaneWorkers, Filter: "idle"},
		{Name: "Silent workers", Pane: PaneWorkers, Filter: "silent", Sort: "seen"},
	}
}

// Parse reads filter and sort. A view saved by another version may hold what this one does not know.
func (v SavedView) Parse() (Filter, Sort, error) {
	filter, err := ParseFilter(v.Pane, v.Filter)
	if err != nil {
		return Filter{}, Sort{}, fmt.Errorf("the filter of the view %q does not work here: %w", v.Name, err)
	}
	sort, err := ParseSort(v.Pane, v.Sort)
	if err != nil {
		return Filter{}, Sort{}, fmt.Errorf("the order of the view %q does not work here: %w", v.Name, err)
	}
	return filter, sort, nil
}

// Count is how many rows a built-in view shows, taken from the counters without looking at a row; false for a view
// that must be built to know.
func (v SavedView) Count(c Counters) (int, bool) {
	switch v {
	case BuiltinViews()[0]:
		return c.Late, true
	case BuiltinViews()[1]:
		return c.Unassigned, true
	case BuiltinViews()[2]:
		return c.AtRisk, true
	case BuiltinViews()[3]:
		return c.Idle, true
	case BuiltinViews()[4]:
		return c.Silent, true
	}
	return 0, false
}
