package store

import (
	"context"
	"strconv"
	"strings"
)

// Inserter inserts rows into a table, many per statement.
type Inserter struct {
	head, tail string
	columns    int
	values     []any
	inserted   int
}

// NewInserter makes an Inserter. head is the statement before VALUES, tail what comes after the values.
func NewInserter(head, tail string) *Inserter { return &Inserter{head: head, tail: tail} }

// Add adds a row. [Inserter.Flush] inserts it.
func (r *Inserter) Add(values ...any) {
	r.columns = len(values)
	r.values = append(r.values, values...)
}

// MaxParameters is how many parameters a statement has at most. SQLite searches all of them for each, so twice as many
// cost four times as much.
const MaxParameters = 128

// Flush inserts the added rows in order. Prepared statements are cached by their text, so there are only two: one for as
// many rows as fit and one for a single row.
func (r *Inserter) Flush(ctx context.Context, tx *Tx) {
	for len(r.values) > 0 {
		count := max(1, MaxParameters/r.columns)
		if len(r.values) < count*r.columns {
			count = 1
		}
		r.inserted += int(tx.Write(ctx, r.head[:min(30, len(r.head))], r.statement(count), r.values[:count*r.columns]...))
		r.values = r.values[count*r.columns:]
	}
}

// Inserted returns how many rows were inserted, which is fewer than added if the tail skips conflicts.
func (r *Inserter) Inserted() int { return r.inserted }

func (r *Inserter) statement(count int) string {
	var b strings.Builder
	b.WriteString(r.head + " VALUES ")
	for i := range count {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(" + Placeholders(1+i*r.columns, r.columns) + ")")
	}
	return b.String() + " " + r.tail
}

// Placeholders returns count placeholders of a statement, starting with number first: "$1, $2, $3".
func Placeholders(first, count int) string {
	var b strings.Builder
	for i := range count {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(first+i))
	}
	return b.String()
}
