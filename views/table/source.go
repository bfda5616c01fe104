package table

// Source is the rows of a table in their order. A source never changes, so that
// long lists need not be copied.
type Source[R any] interface {
	Len() int
	At(row int) R
	// Find returns the row number of an id. Not known means that the source has
	// no index, and the table searches outward from where the row was last.
	Find(id string) (row int, ok, known bool)
}

// slice is a slice as a source.
type slice[R any] []R

func (s slice[R]) Len() int                              { return len(s) }
func (s slice[R]) At(row int) R                          { return s[row] }
func (s slice[R]) Find(string) (row int, ok, known bool) { return 0, false, false }
