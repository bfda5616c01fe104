package apiclient

import (
	"context"
	"iter"

	"waybill/model"
)

// pageFunc requests the page after an id; the first page is after the empty id.
type pageFunc func(ctx context.Context, lastID model.ID) (model.TaskPage, error)

// iterateTasks yields all tasks of a list. The list ends at a page without lastId; pages before it may be short or empty.
// It keeps one page at a time. After an error it stops.
func iterateTasks(ctx context.Context, last model.ID, page pageFunc) iter.Seq2[model.Task, error] {
	return func(yield func(model.Task, error) bool) {
		guard, last := cycleDetector{mark: last}, last
		for {
			answer, err := page(ctx, last)
			if err != nil {
				yield(model.Task{}, err)
				return
			}
			for i := range answer.Tasks {
				if !yield(answer.Tasks[i], nil) {
					return
				}
			}
			next := answer.LastID.Value()
			if next == "" {
				return
			}
			if guard.isRepeated(next) {
				yield(model.Task{}, &Error{kinds: []error{ErrRepeatedPage}, detail: "lastId " + string(next)})
				return
			}
			last = next
		}
	}
}

// cycleDetector detects a repeating sequence of ids without storing it (Brent's algorithm): it compares each id with one
// that it replaces at ever longer intervals.
type cycleDetector struct {
	mark        model.ID
	steps, upTo int
}

func (g *cycleDetector) isRepeated(id model.ID) bool {
	if id == g.mark {
		return true
	}
	if g.steps++; g.steps >= g.upTo {
		g.mark, g.steps, g.upTo = id, 0, max(1, g.upTo*2)
	}
	return false
}
