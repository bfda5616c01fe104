package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Inserter are rows of one table on their way into it, many to a statement.
type Inserter struct {
	head, tail string
	columns    int
	values     []any
	inserted   int
}

// NewInserter makes an empty set. head is the statement up to its VALUES, tail what comes behind them.
func NewInserter(head, tail string) *Inserter { return &Inserter{head: head, tail: tail} }

// Add adds a row.
func (r *Inserter) Add(values ...any) {
	r.columns = len(values)
	r.values = append(r.values, values...)
}

// MaxParameters bounds the parameters of a statement: SQLite looks each up among all of them, so that twice as many
// cost four times as much.
const MaxParameters = 128

// Flush puts the rows into the table, in their order, and empties the set. The texts of statements are kept, so there are
// two of each: one for as many rows as fit and one for a single row.
func (r *Inserter) Flush(ctx context.Context, tx *Tx) error {
	for len(r.values) > 0 {
		count := max(1, MaxParameters/r.columns)
		if len(r.values) < count*r.columns {
			count = 1
		}
		result, err := tx.Exec(ctx, r.statement(count), r.values[:count*r.columns]...)
		if err != nil {
			return fmt.Errorf("%.30s: %w", r.head, err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			return fmt.Errorf("%.30s: %w", r.head, err)
		}
		r.inserted += int(n)
		r.values = r.values[count*r.columns:]
	}
	return nil
}

// Inserted is how many rows have been put into the table: fewer than were added when the tail lets some be passed over.
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

// Placeholders are the names of so many parameters of a statement, from a number on: "$1, $2, $3".
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
