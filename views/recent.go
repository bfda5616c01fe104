package views

import "waybill/board"

// recentViews are views that were shown a moment ago. Whoever types a filter takes letters back, and whoever looks for
// an order of rows comes back to the one before: these are then there at once, however long the list is.
//
// They are kept for seconds only, since each holds on to the rows of its time.
type recentViews[R any] struct{ views []*board.View[R] }

const recentMost = 4

func sameView[R any](v *board.View[R], filter board.Filter, sort board.Sort) bool {
	return v.Sort() == sort && v.Filter().String() == filter.String()
}

// keep remembers a view. One that depends on the time would be out of date when it is wanted again.
func (r *recentViews[R]) keep(v *board.View[R]) {
	if v.Clocked() {
		return
	}
	r.take(v.Filter(), v.Sort())
	if len(r.views) == recentMost {
		r.views = r.views[1:]
	}
	r.views = append(r.views, v)
}

// take is the view of that filter and order; nil if there is none.
func (r *recentViews[R]) take(filter board.Filter, sort board.Sort) *board.View[R] {
	for i, v := range r.views {
		if sameView(v, filter, sort) {
			r.views = append(r.views[:i:i], r.views[i+1:]...)
			return v
		}
	}
	return nil
}

func (r *recentViews[R]) forget() { r.views = nil }
