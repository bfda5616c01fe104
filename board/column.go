package board

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"waybill/model"
)

// Column is one property of a row. Its entry in the column table of its row type holds everything that the console does
// with it: where panes show it, its cell, how it sorts, its filter terms and its exported values. Most of that follows from
// the value of the column; see withDefaults.
type Column[R any] struct {
	Key     string       // name in sorts, saved sessions and column choices
	Layouts []PaneLayout // the panes that can show it
	Fields  Fields       // the fields it shows; their changes are highlighted
	Right   bool         // its cells are aligned to the right
	Signed  bool         // the sign of the tone comes before the text
	Blank   bool         // an empty cell stays empty instead of showing a dash

	// The value, as one of text, number and time.
	text   func(*R) string
	id     func(*R) model.ID        // of the object that text names
	number func(*R) (float64, bool) // false when unknown
	time   func(*R) model.Millis    // zero when there is none
	is     func(*R, string) bool    // the row is in the state that a word names; only the filter uses it
	filter filterInfo               // the term that compares the value
	export string                   // the name of the value in exports

	cell     cellFunc[R]
	sort     sortFunc[R]
	unsorted bool             // rows cannot be sorted by its value
	timed    bool             // its order changes as time passes
	delays   bool             // only Delays can be sorted by it
	filters  []rowFilter[R]   // all terms; withDefaults puts the one of filter first
	exports  []exportValue[R] // all values; withDefaults puts the one of export first
}

// PaneLayout is how one pane shows a column.
type PaneLayout struct {
	Pane     Pane
	Position int // place in the order of the columns, from 1
	Title    string
	Min      int // narrowest useful width in cells
	Max      int // widest width; zero for no limit
	Flex     int // share of the spare width; zero stays at Min
	Gap      int // cells after it; zero for the default
	Drop     int // as the pane narrows, columns go in falling order of this number; zero always stays
}

type (
	cellFunc[R any] func(dst []byte, row *R, c *CellContext) ([]byte, Tone)
	sortFunc[R any] func(row *R, now model.Millis) sortKey
)

// AppendCell appends the text of a row's cell and returns its tone.
func (c *Column[R]) AppendCell(dst []byte, row *R, ctx *CellContext) ([]byte, Tone) {
	return c.cell(dst, row, ctx)
}

// Sortable reports whether rows can be sorted by the column.
func (c *Column[R]) Sortable() bool { return c.sort != nil }

// Layout returns how a pane shows the column; false when it cannot.
func (c *Column[R]) Layout(pane Pane) (PaneLayout, bool) {
	at := slices.IndexFunc(c.Layouts, func(l PaneLayout) bool { return l.Pane == pane })
	if at < 0 {
		return PaneLayout{}, false
	}
	return c.Layouts[at], true
}

// CellData is what the cells of all panes share besides their rows. Explanations and loads are kept until Reset, because
// they are expensive and an idle console draws once per second.
type CellData struct {
	Snapshot *Snapshot
	Now      time.Time
	Zone     *time.Location
	Delays   DelayHistory

	explanations map[model.ID]Triage
	explainedAt  model.Millis
	loads        map[model.ID]Load
}

// CellContext is what a cell depends on besides its row.
type CellContext struct {
	*CellData
	Pane  Pane
	Width int // of the cell; zero when it does not matter
}

// Reset forgets explanations and loads. Call it when the board has changed.
func (d *CellData) Reset() { d.explanations, d.loads = nil, nil }

// explanationAge is how long an explanation is kept while nothing changes: only its minutes grow.
const explanationAge = model.Millis(15 * time.Second / time.Millisecond)

func (d *CellData) explain(task *TaskRow) Triage {
	if d.explanations == nil || d.Snapshot.Now-d.explainedAt >= explanationAge {
		d.explanations, d.explainedAt = map[model.ID]Triage{}, d.Snapshot.Now
	}
	t, ok := d.explanations[task.ID]
	if !ok {
		t = d.Snapshot.Explain(task)
		d.explanations[task.ID] = t
	}
	return t
}

func (d *CellData) loadOf(w *WorkerRow) Load {
	load, ok := d.loads[w.ID]
	if !ok {
		if d.loads == nil {
			d.loads = map[model.ID]Load{}
		}
		load = d.Snapshot.LoadOf(w)
		d.loads[w.ID] = load
	}
	return load
}

func (d *CellData) millis() model.Millis { return model.MillisOf(d.Now) }

// RowType describes one type of row to code that works with all of them.
type RowType[R any] struct {
	Rows    func(*Snapshot) Rows[R]
	Deltas  func(*Delta) []RowDelta
	ID      func(*R) model.ID
	Open    func(*R) bool // the row is shown without a filter
	search  func(*R) string
	columns []Column[R]
}

// TaskRows describes tasks, the rows of the Tasks and Delays panes.
func TaskRows() RowType[TaskRow] { return taskRows() }

// WorkerRows describes workers, the rows of the Drivers pane.
func WorkerRows() RowType[WorkerRow] { return workerRows() }

// OrderRows describes orders.
func OrderRows() RowType[OrderRow] { return orderRows() }

//nolint:gochecknoglobals // made once; read-only afterwards
var (
	taskRows = sync.OnceValue(func() RowType[TaskRow] {
		return RowType[TaskRow]{
			Rows:    func(s *Snapshot) Rows[TaskRow] { return s.Tasks },
			Deltas:  func(d *Delta) []RowDelta { return d.Tasks },
			ID:      func(r *TaskRow) model.ID { return r.ID },
			Open:    func(r *TaskRow) bool { return !r.Status.Closed() },
			search:  func(r *TaskRow) string { return r.search },
			columns: taskColumns(),
		}.withDefaults()
	})
	workerRows = sync.OnceValue(func() RowType[WorkerRow] {
		return RowType[WorkerRow]{
			Rows:    func(s *Snapshot) Rows[WorkerRow] { return s.Workers },
			Deltas:  func(d *Delta) []RowDelta { return d.Workers },
			ID:      func(w *WorkerRow) model.ID { return w.ID },
			Open:    func(w *WorkerRow) bool { return w.OnDuty },
			search:  func(w *WorkerRow) string { return w.search },
			columns: workerColumns(),
		}.withDefaults()
	})
	orderRows = sync.OnceValue(func() RowType[OrderRow] {
		return RowType[OrderRow]{
			Rows:    func(s *Snapshot) Rows[OrderRow] { return s.Orders },
			Deltas:  func(d *Delta) []RowDelta { return d.Orders },
			ID:      func(o *OrderRow) model.ID { return o.ID },
			Open:    (*OrderRow).Open,
			search:  func(o *OrderRow) string { return o.search },
			columns: orderColumns(),
		}.withDefaults()
	})
)

// Columns returns the columns that a pane can show, in their order on the screen.
func (t RowType[R]) Columns(pane Pane) []Column[R] {
	position := func(c Column[R]) int {
		layout, _ := c.Layout(pane)
		return layout.Position
	}
	columns := slices.DeleteFunc(slices.Clone(t.columns), func(c Column[R]) bool { return position(c) == 0 })
	slices.SortFunc(columns, func(a, b Column[R]) int { return cmp.Compare(position(a), position(b)) })
	return columns
}

// Build starts a view of the rows of a snapshot. The default sort is by urgency; see [Sort.In] for Delays.
func (t RowType[R]) Build(s *Snapshot, filter Filter, sort Sort) *Build[R] {
	return newBuild(t.Rows(s), s.Now, t.viewSpec(filter, sort))
}

func (t RowType[R]) viewSpec(filter Filter, sort Sort) viewSpec[R] {
	spec := viewSpec[R]{rowType: t, filter: filter, sort: sort, id: t.ID, match: t.Match(filter)}
	for _, c := range t.columns {
		if c.Key == ByUrgency || c.Key == sort.Column && c.Sortable() {
			spec.key, spec.timed = c.sort, c.timed || filter.timed()
		}
		if c.Key == cmp.Or(sort.Column, ByUrgency) {
			break
		}
	}
	return spec
}

// Match returns a function that reports whether a filter lets a row through at a moment.
func (t RowType[R]) Match(filter Filter) func(*R, model.Millis) bool {
	type condition struct {
		term  *filterTerm
		match func(*filterTerm, *R, model.Millis) bool
	}
	conditions := make([]condition, len(filter.terms))
	for i := range filter.terms {
		conditions[i] = condition{&filter.terms[i], t.matchTerm(filter.terms[i].key)}
	}
	return func(row *R, now model.Millis) bool {
		for i := range conditions {
			if c := &conditions[i]; c.match(c.term, row, now) == c.term.negated {
				return false
			}
		}
		return true
	}
}

func (t RowType[R]) matchTerm(key string) func(*filterTerm, *R, model.Millis) bool {
	if key == keyText {
		return func(term *filterTerm, row *R, _ model.Millis) bool {
			return term.matchSearch(t.search(row), t.ID(row))
		}
	}
	for _, c := range t.columns {
		for _, f := range c.filters {
			if f.key == key {
				return f.match
			}
		}
	}
	return func(*filterTerm, *R, model.Millis) bool { return false }
}

// columnTable is a column table of any row type.
type columnTable interface {
	filterInfos() []filterInfo
	sortColumns(pane Pane) []string
}

func (p Pane) columnTable() columnTable {
	switch p {
	case PaneWorkers:
		return workerRows()
	case PaneOrders:
		return orderRows()
	default:
		return taskRows()
	}
}

// filterInfos lists the filter terms of the columns.
func (t RowType[R]) filterInfos() []filterInfo {
	var terms []filterInfo
	for _, c := range t.columns {
		for _, f := range c.filters {
			terms = append(terms, f.filterInfo)
		}
	}
	return terms
}

func (t RowType[R]) sortColumns(pane Pane) []string {
	var keys []string
	for _, c := range t.columns {
		if c.sort != nil && (!c.delays || pane == PaneDelays) {
			keys = append(keys, c.Key)
		}
	}
	return keys
}
