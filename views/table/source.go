package table

// Source is the rows of a table, in the order they are shown. A source never
// changes: other rows are another source. So a list of fifty thousand rows is
// handed over without being copied.
type Source[R any] interface {
	Len() int
	At(row int) R
	// Find is where the row of an id is. Not known means that the source has
	// no quick way to tell, and the table searches by itself.
	Find(id string) (row int, ok, known bool)
}

// Index finds a row number by id in the rows it came with. It is optional:
// without one the table searches outward from where the row was last.
type Index func(id string) (row int, ok bool)

// Slice is a source made of a slice.
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
