package views

import (
	"context"
	"errors"
	"io"
	"time"

	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/views/table"
)

// Pane is one of the four lists of the board, whatever its rows are.
type Pane interface {
	Kind() board.Pane
	Scope() keymaps.Scope
	State() PaneState
	Marks() Marks
	Mover
	ColumnChooser

	SetSize(width, height int)
	AppendLine(dst []byte, line int, f *Frame, focused, stale bool) []byte
	SetEmpty(text string)
	// EndFirstLoad ends the first reading of all data. Until then the cursor stays at the top unless it was moved.
	EndFirstLoad()

	// SetFilter and SetSort return work that remains to be done in the background.
	SetFilter(text string) (Build, error)
	SetSort(s board.Sort) Build
	NextSort(step int) board.Sort

	Len() int
	CursorID() model.ID
	SetCursor(id model.ID) bool
	IDAt(line int) (model.ID, bool)
	OnScreen() []model.ID
	// SelectedObjects returns what an action would act on, equal objects counted together.
	SelectedObjects() []keymaps.Object
	Selection() (shown, hidden []model.ID)
	// FindNext moves the cursor to the next row that a filter text matches.
	FindNext(text string, forward bool) bool
	Export(format board.ExportFormat, now model.Millis, zone *time.Location) Export
}

// PaneState is what a pane shows.
type PaneState struct {
	Filter   string
	Sort     board.Sort
	Columns  []string // the chosen ones; nil for the default
	Position int      // of the cursor, from one; zero without rows
	Closed   int      // rows that are shown only because of the filter
	Marks    int      // marked rows
	Selected int      // rows that an action would act on
	Ranging  bool     // a range is being selected
}

// ColumnChooser is a list whose columns can be chosen.
type ColumnChooser interface {
	ColumnChoices() []ColumnChoice
	ChooseColumns(keys []string)
}

// Mover moves a cursor.
type Mover interface {
	Move(rows int)
	Go(m table.Motion)
}

// Marks chooses rows.
type Marks interface {
	ToggleMark()
	MarkAll()
	Mark(ids ...string)
	Unmark(ids ...string)
	ClearMarks()
	ToggleRange()
	CancelRange()
	SetFrozen(frozen bool)
}

// boardPane is what the board needs of its panes to keep them up to date.
type boardPane interface {
	Pane
	// captureCells records what a delta is about to change, so that showSnapshot can highlight it.
	captureCells(delta *board.Delta)
	// showSnapshot shows a newer snapshot; fresh changes are highlighted.
	showSnapshot(s *board.Snapshot, delta *board.Delta, fresh bool) Build
	nextHighlights()
	// rebuildTimed sorts and filters again where that depends on the time.
	rebuildTimed() Build
	// showBuilt shows a finished view. It asks for another when the board has changed too much meanwhile.
	showBuilt(b Built) Build
}

// Build makes a view in the background; nil when there is nothing to do.
type Build func(ctx context.Context) Built

// Built is a finished view for its pane.
type Built struct {
	Pane   board.Pane
	number int
	view   any
}

// list is a pane of rows of type R.
type list[R any] struct {
	*table.Table[*R]
	rows   board.RowType[R]
	scope  keymaps.Scope
	object func(*R) keymaps.Object
	cells  board.CellContext

	view       *board.View[R]
	recent     recentViews[R]
	filter     board.Filter
	filterText string
	sort       board.Sort
	builds     int // number of the newest build
	pending    bool
	cancel     context.CancelFunc // ends the newest build
	settled    bool
	chosen     []string // keys of the chosen columns; nil for the default
	wantedID   model.ID // where the cursor belongs once that row is there
	refiltered bool     // the filter has changed and its rows are not shown yet

	columns    []board.Column[R]
	all        []table.Column[*R] // columns, for the table
	before     []cellText         // cells that are about to change
	highlights board.Highlights
	objects    objectCache
	beyond     beyondCount[R]
}

// beyondCount is kept while the view is the same, because it takes a look at every row.
type beyondCount[R any] struct {
	view  *board.View[R]
	count int
}

func (l *list[R]) closedCount() int {
	if l.view == nil || !l.view.Filter().SearchesClosed() {
		return 0
	}
	if l.beyond.view != l.view {
		l.beyond = beyondCount[R]{view: l.view}
		for row := range l.view.All() {
			if !l.rows.Open(row) {
				l.beyond.count++
			}
		}
	}
	return l.beyond.count
}

// maxSyncRows is how many rows a view may have to be made at once; larger views are made in the background, so that a
// key never waits for them.
const maxSyncRows = 2048

// buildDelay is how long a build in the background waits for the frame of the key that started it.
const buildDelay = 3 * time.Millisecond

func newList[R any](
	data *board.CellData, pane board.Pane, scope keymaps.Scope, rows board.RowType[R], object func(*R) keymaps.Object,
) *list[R] {
	l := &list[R]{
		rows: rows, scope: scope, object: object, cancel: func() {}, columns: rows.Columns(pane),
		cells: board.CellContext{CellData: data, Pane: pane},
	}
	for i := range l.columns {
		l.all = append(l.all, l.tableColumn(&l.columns[i]))
	}
	l.Table = table.New(func(r *R) string { return string(rows.ID(r)) }, l.all)
	l.SetRowLookup(func(id string) (*R, bool) {
		row := rows.Rows(data.Snapshot).Get(model.ID(id))
		return row, row != nil
	})
	l.filter, _ = board.ParseFilter(pane, "")
	return l
}

// Len is how many rows there are now. While the order of the rows is frozen it can differ from the rows on the screen,
// so that it agrees with the counters beside it.
func (l *list[R]) Len() int {
	if l.view == nil {
		return l.Table.Len()
	}
	return l.view.Len()
}

func (l *list[R]) Kind() board.Pane     { return l.cells.Pane }
func (l *list[R]) Scope() keymaps.Scope { return l.scope }
func (l *list[R]) Marks() Marks         { return l.Table }

func (l *list[R]) State() PaneState {
	return PaneState{
		Filter: l.filterText, Sort: l.sort, Columns: l.chosen, Position: l.Position(), Closed: l.closedCount(),
		Marks: l.MarkCount(), Selected: l.SelectedCount(), Ranging: l.Ranging(),
	}
}

// viewSource is a view as the rows of a table.
type viewSource[R any] struct{ *board.View[R] }

// Find implements [table.Source].
func (v viewSource[R]) Find(id string) (row int, ok, known bool) {
	row, ok = v.Position(model.ID(id))
	return row, ok, true
}

func (l *list[R]) showView(v *board.View[R]) {
	l.view = v
	first := l.Position() <= 1
	l.resetCursor(v)
	l.SetSource(viewSource[R]{v})
	l.objects = objectCache{}
	if l.settled || l.Ranging() {
		return
	}
	switch {
	case l.wantedID != "" && l.Table.SetCursor(string(l.wantedID)):
		l.wantedID = ""
	case first:
		l.Go(table.Top)
	}
}

// resetCursor moves the cursor to the top when the rows of a new filter do not include its row. Otherwise it would end up
// on a row that nobody chose, and keys would act on that.
func (l *list[R]) resetCursor(v *board.View[R]) {
	if filter := l.filter.InPane(); !l.refiltered || v.Filter().String() != filter.String() {
		return
	}
	l.refiltered = false
	if _, kept := v.Position(l.CursorID()); !kept {
		l.Go(table.Top)
		l.ForgetCursor()
	}
}

func (l *list[R]) EndFirstLoad() { l.settled, l.wantedID = true, "" }

func (l *list[R]) showSnapshot(s *board.Snapshot, delta *board.Delta, fresh bool) Build {
	if delta != nil && fresh {
		l.highlightChanges(s, l.rows.Deltas(delta))
	}
	if l.view == nil {
		return l.rebuild()
	}
	next, ok := l.view.Follow(l.rows.Rows(s))
	switch {
	case ok:
		l.showView(next)
		return nil
	case l.pending:
		return nil // the build under way follows when it is done
	}
	return l.rebuild()
}

func (l *list[R]) nextHighlights() { l.highlights.NextRound() }

func (l *list[R]) rebuildTimed() Build {
	l.recent.clear()
	if l.view == nil || !l.view.Timed() || l.pending {
		return nil
	}
	return l.rebuild()
}

func (l *list[R]) rebuild() Build {
	return l.startBuild(l.rows.Build(l.cells.Snapshot, l.filter.InPane(), l.sort.In(l.cells.Pane)))
}

// startBuild makes a small view at once and returns the rest of the work for a large one.
func (l *list[R]) startBuild(b *board.Build[R]) Build {
	l.stopBuild()
	if b.Step(maxSyncRows) {
		l.showView(b.View())
		return nil
	}
	number, pane := l.builds, l.cells.Pane
	l.pending = true
	wanted, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	return func(ctx context.Context) Built {
		defer context.AfterFunc(ctx, cancel)()
		// Let the frame that shows the key go out first: on a slow machine the two would compete.
		select {
		case <-time.After(buildDelay):
		case <-wanted.Done():
		}
		view, err := b.Run(wanted)
		if err != nil {
			return Built{Pane: pane}
		}
		return Built{Pane: pane, number: number, view: view}
	}
}

func (l *list[R]) showBuilt(b Built) Build {
	view, ok := b.view.(*board.View[R])
	if !ok || b.number != l.builds {
		return nil
	}
	l.pending = false
	next, ok := view.Follow(l.rows.Rows(l.cells.Snapshot))
	l.showView(next)
	if !ok {
		return l.rebuild()
	}
	return nil
}

func (l *list[R]) SetFilter(text string) (Build, error) {
	filter, err := board.ParseFilter(l.cells.Pane, text)
	if err != nil {
		return nil, err
	}
	l.refiltered = l.refiltered || filter.String() != l.filter.String()
	l.filterText, l.filter = text, filter
	return l.changeView(), nil
}

func (l *list[R]) SetSort(s board.Sort) Build {
	l.sort = s
	l.Table.SetSort(table.Sort{Column: s.Column, Desc: s.Desc})
	return l.changeView()
}

// changeView shows the rows under the present filter and sort: from a recent view, or by changing the one shown.
func (l *list[R]) changeView() Build {
	if l.view == nil {
		return nil
	}
	s, filter := l.cells.Snapshot, l.filter.InPane()
	rows := l.rows.Rows(s)
	l.recent.add(l.view)
	if recent := l.recent.remove(filter, l.sort); recent != nil {
		if next, ok := recent.Follow(rows); ok {
			l.stopBuild()
			l.showView(next)
			return nil
		}
	}
	return l.startBuild(l.view.Change(rows, s.Now, filter, l.sort.In(l.cells.Pane)))
}

// stopBuild ends the build under way, whose result is no longer wanted.
func (l *list[R]) stopBuild() {
	l.builds++
	l.pending = false
	l.cancel()
}

func (l *list[R]) AppendLine(dst []byte, line int, f *Frame, focused, stale bool) []byte {
	l.cells.Now, l.cells.Zone = f.Now, f.Zone
	frame := table.Frame{Theme: f.Theme, Focused: focused, Stale: stale}
	if l.highlights.Len() > 0 {
		frame.Changed, frame.IsNew = l.changed, l.isNew
	}
	return l.Table.AppendLine(dst, line, &frame)
}

// Export writes rows to a file.
type Export func(w io.Writer) error

// Export returns a function that writes the rows shown now, to be run in the background.
func (l *list[R]) Export(format board.ExportFormat, now model.Millis, zone *time.Location) Export {
	view, rows := l.view, l.rows
	return func(w io.Writer) error {
		if view == nil {
			return errors.New("no rows yet")
		}
		return rows.Export(w, format, view.All(), now, zone)
	}
}
