package board

import (
	"fmt"
	"slices"
)

// SavedView is a pane with a filter and a sort under a name.
type SavedView struct {
	Name   string `json:"name"`
	Pane   Pane   `json:"pane"`
	Filter string `json:"filter,omitzero"`
	Sort   string `json:"sort,omitzero"`
}

// BuiltinViews returns the views that every console has.
func BuiltinViews() []SavedView {
	return []SavedView{
		{Name: "Late now", Pane: PaneTasks, Filter: "late", Sort: BySlack},
		{Name: "Unassigned", Pane: PaneTasks, Filter: "unassigned"},
		{Name: "At risk", Pane: PaneTasks, Filter: "atrisk", Sort: BySlack},
		{Name: "Idle drivers", Pane: PaneWorkers, Filter: "idle"},
		{Name: "Silent drivers", Pane: PaneWorkers, Filter: "silent", Sort: "seen"},
	}
}

// Parse parses filter and sort. It fails for a view of another version that uses unknown terms.
func (v SavedView) Parse() (Filter, Sort, error) {
	filter, err := ParseFilter(v.Pane, v.Filter)
	if err != nil {
		return Filter{}, Sort{}, fmt.Errorf("filter of view %q: %w", v.Name, err)
	}
	sort, err := ParseSort(v.Pane, v.Sort)
	if err != nil {
		return Filter{}, Sort{}, fmt.Errorf("sort of view %q: %w", v.Name, err)
	}
	return filter, sort, nil
}

// Count returns how many rows a built-in view shows, from the counters; false for other views, which must be built.
func (v SavedView) Count(c Counters) (int, bool) {
	at := slices.Index(BuiltinViews(), v)
	if at < 0 {
		return 0, false
	}
	return []int{c.Late, c.Unassigned, c.AtRisk, c.Idle, c.Silent}[at], true
}
