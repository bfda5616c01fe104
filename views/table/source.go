package table

// Source is the rows of a table in their order. A source never changes, so that
// long lists need not be copied.
type Source[R any] interface {
	Len() int
	At(row int) R
	// Find returns the row number of an id. Not known means that the source has
	// no index, and the table searches.
	Find(id string) (row int, ok, known bool)
}

// Index finds a row number by id. Without one the table searches outward from
// where the row was last.
type Index func(id string) (row int, ok bool)

// Slice is a slice as a source.
type Slice[R any] struct {
	Rows  []R
	Index Index
}

// Len implements [Source].
func (s Slice[R]) Len() int { return len(s.Rows) }

// At implements [Source].
func (s Slice[R]) At(row int) R { return s.Rows[row] }

// Find implements [Source].
func (s Slice[R]) Find(id string) (row int, ok, known bool) {
	if s.Index == nil {
		return 0, false, false
	}
	row, ok = s.Index(id)
	return row, ok, true
}
