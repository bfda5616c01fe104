package feed

// queue is a first-in, first-out list of distinct ids with an optional limit.
type queue[T comparable] struct {
	limit int
	items []T
	known map[T]struct{}
}

func (q *queue[T]) len() int { return len(q.items) }

// add appends an id. It returns false if the queue is full.
func (q *queue[T]) add(id T) bool {
	if _, ok := q.known[id]; ok {
		return true
	}
	if q.limit > 0 && len(q.items) >= q.limit {
		return false
	}
	if q.known == nil {
		q.known = map[T]struct{}{}
	}
	q.known[id] = struct{}{}
	q.items = append(q.items, id)
	return true
}

func (q *queue[T]) removeFirst() T {
	id := q.items[0]
	q.items = q.items[1:]
	delete(q.known, id)
	return id
}
