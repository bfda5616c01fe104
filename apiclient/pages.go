package apiclient

import (
	"context"
	"iter"

	"waybill/model"
)

// pageFunc asks for the page behind an id; the first page is behind no id.
type pageFunc func(ctx context.Context, lastID model.ID) (model.TaskPage, error)

// iterateTasks walks a list to its end, which is the page without a lastId: a page may be short, or empty, before that.
// It holds one page at a time. An error is the last thing it yields.
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

// cycleDetector notices a sequence of ids that runs in a circle, without keeping them: it compares each id with one that
// it replaces at ever longer intervals.
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
