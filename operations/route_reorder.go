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

// NewLater moves the chosen stop one place down its route, at once where the route is seen.
func NewLater(s Input) (Operation, error) { return s.reorder("route.later", true) }

// NewEarlier moves the chosen stop one place up its route, at once where the route is seen.
func NewEarlier(s Input) (Operation, error) { return s.reorder("route.earlier", false) }

func (s Input) reorder(id string, later bool) (Operation, error) {
	if len(s.Tasks) > 1 {
		return Operation{}, errors.New("choose one stop; to move several, insert them at a position")
	}
	rows, _, err := s.pick(func(t *board.TaskRow) string { return model.UnassignForbidden(t.State) }, "be moved")
	if err != nil {
		return Operation{}, err
	}
	row := rows[0]
	w := s.Board.Workers.Get(row.Worker)
	if w == nil {
		return Operation{}, errors.New("the worker's route is not on the board yet")
	}
	swap := routeSwap{
		row: row, label: s.routeLabel(row.ID), place: s.workerPlace(w.ID, w.Name), later: later, seen: slices.Clone(w.Tasks),
	}
	swap.ties = s.ties(row)
	with, err := swap.neighbour(w.Tasks)
	if err == nil {
		err = swap.mayPass(w.Tasks[with])
	}
	if err != nil {
		return Operation{}, err
	}
	v := Operation{ID: id, Title: swap.title()}
	v.Form.Title = v.Title
	v.Prepare = func(form.Values) (Proposal, form.Problems) {
		return Proposal{
			Direct: !s.RouteHidden, Summary: v.Title, Lines: []Line{{Text: swap.words(s, w.Tasks[with])}},
			Steps: []Step{swap.step()},
		}, nil
	}
	return v, nil
}

// ties are the tasks whose order with this one must stay, and whether they come first.
func (s Input) ties(row *board.TaskRow) map[model.ID]bool {
	ties := map[model.ID]bool{}
	for _, l := range s.Board.LinkedTasks(row) {
		ties[l.ID] = comesFirst(row, l)
	}
	return ties
}

// routeSwap exchanges a stop with its neighbour. Only the two are named to the service, by one insertion: whatever else
// happens to the route meanwhile, no other stop is touched, which replacing the whole list could not promise.
type routeSwap struct {
	row   *board.TaskRow
	label string
	place routePlace
	later bool
	seen  []model.ID
	ties  map[model.ID]bool
}

func (r *routeSwap) title() string {
	if r.later {
		return "move " + string(r.row.ShortID) + " later"
	}
	return "move " + string(r.row.ShortID) + " earlier"
}

// words say which stop it passes.
func (r *routeSwap) words(s Input, other model.ID) string {
	where := "in front of"
	if r.later {
		where = "behind"
	}
	return fmt.Sprintf("%s moves one place on the route of %s, %s %s.", r.label, r.place.name, where, s.routeLabel(other))
}

func (r *routeSwap) step() Step {
	return Step{Object: r.row.ID, Label: r.label, Locks: []string{r.place.lock()}, Do: r.do, Lookup: r.lookUp}
}

// neighbour is the index of the stop to exchange places with.
func (r *routeSwap) neighbour(route []model.ID) (int, error) {
	at := slices.Index(route, r.row.ID)
	switch {
	case at < 0:
		return 0, fmt.Errorf("%s %w: it is not on the route of %s", r.label, errRouteChanged, r.place.name)
	case r.later && at == len(route)-1:
		return 0, fmt.Errorf("%s is the last stop of %s", r.row.ShortID, r.place.name)
	case !r.later && at == 0:
		return 0, fmt.Errorf("%s is the next stop of %s already", r.row.ShortID, r.place.name)
	case r.later:
		return at + 1, nil
	}
	return at - 1, nil
}

// mayPass keeps a pickup in front of its drop-off.
func (r *routeSwap) mayPass(other model.ID) error {
	if first, tied := r.ties[other]; tied && first != r.later {
		return fmt.Errorf("%s cannot pass the task that belongs to it: the pickup comes before the drop-off", r.label)
	}
	return nil
}

// lookUp compares the order with the one that was seen.
func (r *routeSwap) lookUp(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
	container, err := c.Container(ctx, r.place.ref)
	if err != nil {
		return LookupResult{}, err
	}
	with, err := r.neighbour(r.seen)
	if err != nil {
		return LookupResult{}, err
	}
	mine, other := slices.Index(container.Tasks, r.row.ID), slices.Index(container.Tasks, r.seen[with])
	switch {
	case mine < 0 || other < 0:
		return LookupResult{Summary: "the route of " + r.place.name + " has changed; look at it before sending again"}, nil
	case (mine > other) == r.later:
		return LookupResult{Happened: true, Certain: true, Summary: "it happened: " + r.title()}, nil
	}
	return LookupResult{Certain: true, Summary: "it did not happen: the two stops are in the order they were"}, nil
}

func (r *routeSwap) do(ctx context.Context, c *apiclient.Client) (Result, error) {
	container, err := c.Container(ctx, r.place.ref)
	if err != nil {
		return Result{}, err
	}
	with, err := r.neighbour(container.Tasks)
	if err != nil {
		return Result{}, err
	}
	other := container.Tasks[with]
	if !slices.Contains(r.seen, other) {
		return Result{}, fmt.Errorf("%s %w: a stop has come in beside it", r.label, errRouteChanged)
	}
	if err := r.mayPass(other); err != nil {
		return Result{}, err
	}
	// The one that moves up is named: its new index is the same whether or not the service counts it itself.
	index, moved := with, r.row.ID
	if r.later {
		index, moved = with-1, other
	}
	container, err = c.UpdateContainer(ctx, r.place.ref, model.ContainerUpdate{
		Tasks: model.ContainerTasks{Index: model.Some(model.Int(index)), IDs: []model.ID{moved}},
	})
	if err != nil {
		return Result{}, err
	}
	back := *r
	back.later, back.seen = !r.later, container.Tasks
	return Result{
		Object: r.row.ID, Summary: fmt.Sprintf("now stop %d of %s", stopNumber(&container, r.row.ID), r.place.name),
		Change: board.Change{IsWrite: true, Containers: []model.Container{container}},
		Undo:   &Undo{Title: back.title(), Unavailable: back.stillNext(other), Step: back.step(), Command: back.command()},
	}, nil
}

// stopNumber is a stop's place on a route as it is shown: the one under way is the first, and no list has it.
func stopNumber(route *model.Container, id model.ID) int {
	at := slices.Index(route.Tasks, id) + 1
	if active := route.ActiveTask.Value(); active != "" && !slices.Contains(route.Tasks, active) {
		at++
	}
	return at
}

func (r *routeSwap) command() Command {
	action := "route.earlier"
	if r.later {
		action = "route.later"
	}
	return Command{Action: action, On: []model.ID{r.row.ID}}
}

// stillNext says why the exchange cannot be taken back: the two are not neighbours any more.
func (r *routeSwap) stillNext(other model.ID) func(*board.Snapshot) string {
	return func(snapshot *board.Snapshot) string {
		w := snapshot.Workers.Get(r.place.ref.Owner())
		if w == nil {
			return r.place.name + " is not on the board any more."
		}
		with, err := r.neighbour(w.Tasks)
		if err != nil || w.Tasks[with] != other {
			return "The route of " + r.place.name + " has changed since."
		}
		return ""
	}
}
