package operations

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewLater is route.later: moves the selected stop one position down its route.
func NewLater(s Input) (Operation, error) { return s.newReorder("later") }

// NewEarlier is route.earlier: moves the selected stop one position up its route.
func NewEarlier(s Input) (Operation, error) { return s.newReorder("earlier") }

func (s Input) newReorder(direction string) (Operation, error) {
	if len(s.Tasks) > 1 {
		return Operation{}, errors.New("select one stop; to move several, insert them at a position")
	}
	rows, _, err := s.pickTasks(func(t *board.TaskRow) string { return model.UnassignForbidden(t.State) }, "moved")
	if err != nil {
		return Operation{}, err
	}
	row := rows[0]
	w := s.Board.Workers.Get(row.Worker)
	if w == nil {
		return Operation{}, errors.New("the driver's route is not on the board yet")
	}
	swap := stopSwap{
		row: row, label: taskLabel(s.Board, row.ID), route: s.workerRoute(w.ID, w.Name), direction: direction,
		shown: slices.Clone(w.Tasks), fixed: s.fixedOrder(row),
	}
	other, err := swap.neighbour(w.Tasks)
	if err == nil {
		err = swap.checkPass(other)
	}
	if err != nil {
		return Operation{}, err
	}
	where := map[string]string{"later": "behind", "earlier": "in front of"}[direction]
	return Operation{
		ID: "route." + direction, Title: swap.title(), Form: form.Form{Title: swap.title()},
		Prepare: func(form.Values) (Proposal, form.Problems) {
			return Proposal{
				Direct: !s.RouteHidden, Summary: swap.title(), Steps: []Step{swap.step()},
				Lines: []Line{plainLine("%s moves one position on the route of %s, %s %s.", swap.label, w.Name, where, taskLabel(s.Board, other))},
			}, nil
		},
	}, nil
}

// fixedOrder are the linked tasks that must keep their order with this one, and whether they come first.
func (s Input) fixedOrder(row *board.TaskRow) map[model.ID]bool {
	ties := map[model.ID]bool{}
	for _, l := range s.Board.LinkedTasks(row) {
		ties[l.ID] = comesFirst(row, l)
	}
	return ties
}

// stopSwap swaps a stop with its neighbour by one insertion. Replacing the whole list could undo what others change on the
// route meanwhile.
type stopSwap struct {
	row       *board.TaskRow
	label     string
	route     route
	direction string // "later" or "earlier"
	shown     []model.ID
	fixed     map[model.ID]bool
}

func (r *stopSwap) title() string { return "move " + string(r.row.ShortID) + " " + r.direction }

func (r *stopSwap) isLater() bool { return r.direction == "later" }

func (r *stopSwap) step() Step {
	return Step{Object: r.row.ID, Label: r.label, Locks: []string{r.route.lock()}, Do: r.do, Lookup: r.lookUp}
}

// neighbour is the stop to swap with.
func (r *stopSwap) neighbour(route []model.ID) (model.ID, error) {
	at := slices.Index(route, r.row.ID)
	switch {
	case at < 0:
		return "", fmt.Errorf("%s %w: it is not on the route of %s", r.label, errRouteChanged, r.route.name)
	case r.isLater() && at == len(route)-1:
		return "", fmt.Errorf("%s is the last stop of %s", r.row.ShortID, r.route.name)
	case r.isLater():
		return route[at+1], nil
	case at == 0:
		return "", fmt.Errorf("%s is already the next stop of %s", r.row.ShortID, r.route.name)
	}
	return route[at-1], nil
}

// checkPass refuses to move a drop-off in front of its pickup.
func (r *stopSwap) checkPass(other model.ID) error {
	if first, tied := r.fixed[other]; tied && first != r.isLater() {
		return fmt.Errorf("%s cannot pass the task it is linked with: the pickup comes before the drop-off", r.label)
	}
	return nil
}

// lookUp compares the order with the one that was shown.
func (r *stopSwap) lookUp(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
	container, err := c.Container(ctx, r.route.ref)
	if err != nil {
		return LookupResult{}, err
	}
	neighbour, err := r.neighbour(r.shown)
	if err != nil {
		return LookupResult{}, err
	}
	mine, other := slices.Index(container.Tasks, r.row.ID), slices.Index(container.Tasks, neighbour)
	switch {
	case mine < 0 || other < 0:
		return LookupResult{Summary: "the route of " + r.route.name + " has changed; check it before you send it again"}, nil
	case (mine > other) == r.isLater():
		return LookupResult{Happened: true, Certain: true, Summary: "it happened: " + r.title()}, nil
	}
	return LookupResult{Certain: true, Summary: "it did not happen: the two stops have their old order"}, nil
}

func (r *stopSwap) do(ctx context.Context, c *apiclient.Client) (Result, error) {
	container, err := c.Container(ctx, r.route.ref)
	if err != nil {
		return Result{}, err
	}
	other, err := r.neighbour(container.Tasks)
	if err != nil {
		return Result{}, err
	}
	if !slices.Contains(r.shown, other) {
		return Result{}, fmt.Errorf("%s %w: there is a new stop beside it", r.label, errRouteChanged)
	}
	if err := r.checkPass(other); err != nil {
		return Result{}, err
	}
	// Insert the stop that moves up: its index does not depend on whether the service counts it.
	down, up := other, r.row.ID
	if r.isLater() {
		down, up = up, down
	}
	container, err = r.route.insertTasks(ctx, c, slices.Index(container.Tasks, down), up)
	if err != nil {
		return Result{}, err
	}
	back := *r
	back.direction, back.shown = map[bool]string{true: "earlier", false: "later"}[r.isLater()], container.Tasks
	return Result{
		Object: r.row.ID, Summary: fmt.Sprintf("now stop %d of %s", stopNumber(&container, r.row.ID), r.route.name),
		Change: board.Change{IsWrite: true, Containers: []model.Container{container}},
		Undo:   &Undo{Title: back.title(), Unavailable: back.undoUnavailable(other), Step: back.step(), Command: Command{Action: "route." + back.direction, Objects: []model.ID{r.row.ID}}},
	}, nil
}

// stopNumber is a stop's number on a route as shown: the active stop is the first, although no container lists it.
func stopNumber(route *model.Container, id model.ID) int {
	at := slices.Index(route.Tasks, id) + 1
	if active := route.ActiveTask.Value(); active != "" && !slices.Contains(route.Tasks, active) {
		at++
	}
	return at
}

// undoUnavailable says why the swap cannot be undone: the two are no longer neighbours.
func (r *stopSwap) undoUnavailable(other model.ID) func(*board.Snapshot) string {
	return func(snapshot *board.Snapshot) string {
		w := snapshot.Workers.Get(r.route.ref.Owner())
		if w == nil {
			return r.route.name + " is no longer on the board."
		}
		if neighbour, err := r.neighbour(w.Tasks); err != nil || neighbour != other {
			return "The route of " + r.route.name + " has changed in the meantime."
		}
		return ""
	}
}
