package views

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

// Pane is one of the board's four lists, whatever its rows are.
type Pane interface {
	Kind() board.Pane
	Scope() keymaps.Scope

	// Note remembers what a delta is about to change, so that Learn can mark what the eye sees change.
	Note(delta *board.Delta)
	// Learn shows a newer snapshot. Fresh rows are marked as new. A build is work that remains to be done elsewhere.
	Learn(s *board.Snapshot, delta *board.Delta, fresh bool) Build
	// EndFirstLoad says that everything has been read once. Until then the cursor stays at the top unless it was moved:
	// rows that stream in must not carry it away.
	EndFirstLoad()
	// NextHighlights ends a round of marking what changed.
	NextHighlights()
	// Rebuild orders the rows anew when their order depends on the time.
	Rebuild() Build
	// Take shows what a build made. It may ask for another, when the board moved on too far meanwhile.
	Take(b Built) Build
	// SetFilter narrows the rows to what was typed.
	SetFilter(text string) (Build, error)
	SetSort(s board.Sort) Build
	FilterText() string
	Sort() board.Sort

	SetSize(width, height int)
	AppendLine(dst []byte, line int, f *Frame, focused, stale bool) []byte
	SetEmpty(text string)

	Len() int
	// Beyond is how many of the rows the pane would not show by itself: a filter found them.
	ClosedCount() int
	Position() int
	CursorID() model.ID
	SetCursor(id model.ID) bool
	IDAt(line int) (model.ID, bool)
	OnScreen() []model.ID
	NextSort(step int) board.Sort
	Columns() []board.Column
	ColumnChoices() []ColumnChoice
	ChooseColumns(keys []string)
	ChosenColumns() []string

	Motion
	Marks
	// SelectedObjects are what an action would act on, alike ones together.
	SelectedObjects() []keymaps.Object
	Selection() (shown, hidden []model.ID)
	FindNext(text string, forward bool) bool
	Export(format board.ExportFormat, now model.Millis, zone *time.Location) Export
}

// Motion moves a cursor.
type Motion interface {
	Move(rows int)
	Top()
	Bottom()
	Page(pages int)
	HalfPage(halves int)
	ScreenTop()
	ScreenMiddle()
	ScreenBottom()
}

// Marks chooses rows.
type Marks interface {
	ToggleMark()
	MarkAll()
	Mark(ids ...string)
	Unmark(ids ...string)
	ClearMarks()
	MarkCount() int
	SelectedCount() int
	StartRange()
	EndRange()
	CancelRange()
	Ranging() bool
	Freeze()
	Thaw()
}

// Build is the making of a view, to be run where nobody waits for it; nil when there is nothing to do.
type Build func(ctx context.Context) Built

// Built is a finished view on its way back to its pane.
type Built struct {
	Pane   board.Pane
	number int
	view   any
}

// list is a pane of rows of type R.
type list[R any] struct {
	*table.Table[*R]
	spec   listSpec[R]
	shared *shared

	view    *board.View[R]
	recent  recentViews[R]
	filter  board.Filter
	text    string
	sort    board.Sort
	builds  int // number of the newest build
	pending bool
	cancel  context.CancelFunc // ends the newest build
	settled bool
	chosen  []string // columns, where they are not the pane's own choice
	want    model.ID // where the cursor was left, until that row comes
	other   bool     // another filter was set, and its rows are not shown yet

	all        []table.Column[*R]
	before     []cell // what stood in cells that are about to change
	highlights board.Highlights
	objects    objectCache
	beyond     beyondCount[R]
}

// beyondCount is kept for as long as the view is the same: it takes a look at every row.
type beyondCount[R any] struct {
	of *board.View[R]
	n  int
}

func (l *list[R]) ClosedCount() int {
	if l.view == nil || !l.view.Filter().SearchesClosed() {
		return 0
	}
	if l.beyond.of != l.view {
		l.beyond = beyondCount[R]{of: l.view}
		for row := range l.view.All() {
			if !l.spec.usual(row) {
				l.beyond.n++
			}
		}
	}
	return l.beyond.n
}

// shared is what all panes of one console know.
type shared struct {
	snapshot *board.Snapshot
	frame    *Frame
	looks    *board.Looks
	why      map[model.ID]board.Triage
	loads    map[model.ID]board.Load // of workers on the screen, for as long as nothing happens
	whyAt    model.Millis
}

// listSpec is what makes one pane different from another.
type listSpec[R any] struct {
	kind    board.Pane
	scope   keymaps.Scope
	rows    func(*board.Snapshot) board.Rows[R]
	delta   func(*board.Delta) []board.RowDelta
	build   func(*board.Snapshot, board.Filter, board.Sort) *board.Build[R]
	usual   func(*R) bool // what the pane shows by itself
	id      func(*R) model.ID
	object  func(*R) keymaps.Object
	match   func(*board.Filter, *R, model.Millis) bool
	fields  func(column string) board.Fields // what a column shows
	columns func(*shared) []table.Column[*R]
	export  func(w io.Writer, format board.ExportFormat, rows iter.Seq[*R], now model.Millis, zone *time.Location) error
}

// syncRows is how many rows a view may have to be made at once; more are made in the background, so that a key never
// waits for them.
const syncRows = 2048

// headStart is what a frame gets before work in the background begins.
const headStart = 3 * time.Millisecond

func newList[R any](sh *shared, spec listSpec[R]) *list[R] {
	l := &list[R]{spec: spec, shared: sh, cancel: func() {}, all: spec.columns(sh)}
	l.Table = table.New(func(r *R) string { return string(spec.id(r)) }, spec.columns(sh))
	l.SetRowLookup(func(id string) (*R, bool) {
		row := spec.rows(sh.snapshot).Get(model.ID(id))
		return row, row != nil
	})
	l.filter, _ = board.ParseFilter(spec.kind, "")
	return l
}

// Len is how many rows there are now. While the rows on the screen hold still there may be others already: counts go
// with the counters beside them, and every row reads what is true now.
func (l *list[R]) Len() int {
	if l.view == nil {
		return l.Table.Len()
	}
	return l.view.Len()
}

func (l *list[R]) Kind() board.Pane     { return l.spec.kind }
func (l *list[R]) Scope() keymaps.Scope { return l.spec.scope }
func (l *list[R]) FilterText() string   { return l.text }
func (l *list[R]) Sort() board.Sort     { return l.sort }

// rowsOf hands a view to the table as it is.
type rowsOf[R any] struct{ *board.View[R] }

// Find implements [table.Source].
func (r rowsOf[R]) Find(id string) (row int, ok, known bool) {
	row, ok = r.Position(model.ID(id))
	return row, ok, true
}

func (l *list[R]) show(v *board.View[R]) {
	l.view = v
	first := l.Position() <= 1
	l.arrive(v)
	l.SetSource(rowsOf[R]{v})
	l.objects = objectCache{}
	if l.settled || l.Ranging() {
		return
	}
	switch {
	case l.want != "" && l.Table.SetCursor(string(l.want)):
		l.want = ""
	case first:
		l.Top()
	}
}

// arrive takes the cursor to the top of the rows of another filter if its row is not among them: the row that happens to
// have the same number is nobody's choice, and keys would act on it.
func (l *list[R]) arrive(v *board.View[R]) {
	if filter := l.filter.InPane(); !l.other || v.Filter().String() != filter.String() {
		return
	}
	l.other = false
	if _, kept := v.Position(l.CursorID()); !kept {
		l.Top()
		l.ForgetCursor()
	}
}

func (l *list[R]) EndFirstLoad() { l.settled, l.want = true, "" }

func (l *list[R]) Learn(s *board.Snapshot, delta *board.Delta, fresh bool) Build {
	if delta != nil && fresh {
		l.mark(s, l.spec.delta(delta))
	}
	if l.view == nil {
		return l.rebuild()
	}
	next, ok := l.view.Follow(l.spec.rows(s))
	if !ok {
		if l.pending {
			return nil // the build under way follows when it is done
		}
		return l.start(l.spec.build(s, l.filter.InPane(), l.sort))
	}
	if next != l.view {
		l.show(next)
	}
	return nil
}

func (l *list[R]) NextHighlights() { l.highlights.NextRound() }

func (l *list[R]) Rebuild() Build {
	l.recent.forget()
	if l.view == nil || !l.view.Clocked() || l.pending {
		return nil
	}
	return l.rebuild()
}

func (l *list[R]) rebuild() Build {
	return l.start(l.spec.build(l.shared.snapshot, l.filter.InPane(), l.sort))
}

// start makes a view at once if it is small, and else leaves the rest of the work to a build.
func (l *list[R]) start(b *board.Build[R]) Build {
	l.stop()
	if b.Step(syncRows) {
		l.show(b.View())
		return nil
	}
	number, kind := l.builds, l.spec.kind
	l.pending = true
	wanted, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	return func(ctx context.Context) Built {
		defer context.AfterFunc(ctx, cancel)()
		// The frame that shows the key that asked for this goes out first: on a machine with little to spare they
		// would be in each other's way.
		select {
		case <-time.After(headStart):
		case <-wanted.Done():
		}
		view, err := b.Run(wanted)
		if err != nil {
			return Built{Pane: kind}
		}
		return Built{Pane: kind, number: number, view: view}
	}
}

func (l *list[R]) Take(b Built) Build {
	view, ok := b.view.(*board.View[R])
	if !ok || b.number != l.builds {
		return nil
	}
	l.pending = false
	next, ok := view.Follow(l.spec.rows(l.shared.snapshot))
	l.show(next)
	if !ok {
		return l.rebuild()
	}
	return nil
}

func (l *list[R]) SetFilter(text string) (Build, error) {
	filter, err := board.ParseFilter(l.spec.kind, text)
	if err != nil {
		return nil, err
	}
	l.other = l.other || filter.String() != l.filter.String()
	l.text, l.filter = text, filter
	return l.change(), nil
}

func (l *list[R]) SetSort(s board.Sort) Build {
	l.sort = s
	l.Table.SetSort(table.Sort{Column: string(s.Column), Desc: s.Desc})
	return l.change()
}

func (l *list[R]) change() Build {
	if l.view == nil || l.shared.snapshot == nil {
		return nil
	}
	s, filter := l.shared.snapshot, l.filter.InPane()
	rows := l.spec.rows(s)
	l.recent.keep(l.view)
	if known := l.recent.take(filter, l.sort); known != nil {
		if next, ok := known.Follow(rows); ok {
			l.stop()
			l.show(next)
			return nil
		}
	}
	return l.start(l.view.Change(rows, s.Now, filter, l.sort))
}

// stop ends the build under way, which is of no use any more.
func (l *list[R]) stop() {
	l.builds++
	l.pending = false
	l.cancel()
}

func (l *list[R]) AppendLine(dst []byte, line int, f *Frame, focused, stale bool) []byte {
	l.shared.frame = f
	frame := table.Frame{Theme: f.Theme, Now: f.Now, Focused: focused, Stale: stale}
	if l.highlights.Len() > 0 {
		frame.Changed, frame.IsNew = l.changed, l.isNew
	}
	return l.Table.AppendLine(dst, line, &frame)
}

// glyphColumn is the sign that leads a row.
func glyphColumn[R any](status func(*R) theme.Status) table.Column[*R] {
	return table.Column[*R]{Key: "sign", Min: 1, Gap: 1, Render: func(r *R, ctx *table.Context) (string, theme.Token) {
		badge := ctx.Theme.Badge(status(r))
		return badge.Glyph, badge.Token
	}}
}

// Export writes rows to a file.
type Export func(w io.Writer) error

// Export is the writing of what is shown now, to be done where nobody waits for it.
func (l *list[R]) Export(format board.ExportFormat, now model.Millis, zone *time.Location) Export {
	view, spec := l.view, l.spec
	return func(w io.Writer) error {
		if view == nil {
			return errors.New("there are no rows yet")
		}
		return spec.export(w, format, view.All(), now, zone)
	}
}
