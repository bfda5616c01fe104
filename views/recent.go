package views

import "waybill/board"

// recentViews are the last views shown. Whoever types a filter deletes letters, and whoever tries a sort returns to the one
// before: these views are then shown at once, however long the list is. They are kept for seconds only, because each holds
// the rows of its time in memory.
type recentViews[R any] struct{ views []*board.View[R] }

const maxRecent = 4

// add keeps a view, unless it depends on the time: that would be out of date when it is wanted again.
func (r *recentViews[R]) add(v *board.View[R]) {
	if v.Timed() {
		return
	}
	r.remove(v.Filter(), v.Sort())
	if len(r.views) == maxRecent {
		r.views = r.views[1:]
	}
	r.views = append(r.views, v)
}

// remove takes out and returns the view of a filter and sort; nil when there is none.
func (r *recentViews[R]) remove(filter board.Filter, sort board.Sort) *board.View[R] {
	for i, v := range r.views {
		if v.Sort() == sort && v.Filter().String() == filter.String() {
			r.views = append(r.views[:i:i], r.views[i+1:]...)
			return v
		}
	}
	return nil
}

func (r *recentViews[R]) clear() { r.views = nil }
