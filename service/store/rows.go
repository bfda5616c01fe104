package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Rows are rows of one table on their way into it, many to a statement.
type Rows struct {
	head, tail string
	columns    int
	values     []any
	inserted   int
}

// NewRows makes an empty set. head is the statement up to its VALUES, tail what comes behind them.
func NewRows(head, tail string) *Rows { return &Rows{head: head, tail: tail} }

// Add adds a row.
func (r *Rows) Add(values ...any) {
	r.columns = len(values)
	r.values = append(r.values, values...)
}

// ParametersAtOnce bounds the parameters of a statement: SQLite looks each up among all of them, so that twice as many
// cost four times as much.
const ParametersAtOnce = 128

// Insert puts the rows into the table, in their order, and empties the set. The texts of statements are kept, so there are
// two of each: one for as many rows as fit and one for a single row.
func (r *Rows) Insert(ctx context.Context, tx *Tx) error {
	for len(r.values) > 0 {
		count := max(1, ParametersAtOnce/r.columns)
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
func (r *Rows) Inserted() int { return r.inserted }

func (r *Rows) statement(count int) string {
	var b strings.Builder
	b.WriteString(r.head + " VALUES ")
	for i := range count {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(" + Parameters(1+i*r.columns, r.columns) + ")")
	}
	return b.String() + " " + r.tail
}

// Parameters are the names of so many parameters of a statement, from a number on: "$1, $2, $3".
func Parameters(first, count int) string {
	var b strings.Builder
	for i := range count {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(first+i))
	}
	return b.String()
}
