package operations

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"waybill/model"
	"waybill/operations/form"
)

// stopList is the stops of a route that tasks can be inserted in front of: all but the active one and those that move.
type stopList struct {
	input Input
	route route
	stops []model.ID
}

// stopsOf lists the stops of a route; false when the board does not have the route.
func (s Input) stopsOf(p route, moving map[model.ID]bool) (stopList, bool) {
	tasks, known := s.tasksOn(p)
	active := model.ID("")
	if w := s.Board.Workers.Get(p.ref.Owner()); w != nil {
		active = w.ActiveTask
	}
	stops := slices.DeleteFunc(slices.Clone(tasks), func(id model.ID) bool { return moving[id] || id == active })
	return stopList{input: s, route: p, stops: stops}, known
}

// workerStops lists the stops of the driver that a text means.
func (s Input) workerStops(driver string, moving map[model.ID]bool) (stopList, bool) {
	to, err := s.resolveWorkerRoute(driver)
	if err != nil {
		return stopList{}, false
	}
	return s.stopsOf(to, moving)
}

// positionBefore is the position in front of a stop, or the end.
func (q stopList) positionBefore(i int) position {
	if i >= len(q.stops) {
		return position{}
	}
	return position{beforeID: q.stops[i], beforeLabel: strings.TrimPrefix(taskLabel(q.input.Board, q.stops[i]), "task ")}
}

// parsePosition reads a position: a number from 1, a stop to go in front of or after, or a word for either end. Empty is the
// end.
func (q stopList) parsePosition(text string) (position, error) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	switch text {
	case "first", "next", "front", "start":
		return q.positionBefore(0), nil
	case "", "last", "end":
		return position{}, nil
	}
	behind := 0
	stop := text
	for _, words := range []struct {
		prefix string
		behind int
	}{{"after ", 1}, {"behind ", 1}, {"before ", 0}, {"in front of ", 0}} {
		if rest, ok := strings.CutPrefix(text, words.prefix); ok {
			stop, behind = rest, words.behind
		}
	}
	for i, id := range q.stops {
		if row := q.input.Board.Tasks.Get(id); strings.EqualFold(stop, string(id)) || row != nil && stop == string(row.ShortID) {
			return q.positionBefore(i + behind), nil
		}
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return position{}, fmt.Errorf("%.40q is not a position or a stop of %s", model.Clean(text), q.route.name)
	case n < 1 || n > len(q.stops)+1:
		return position{}, fmt.Errorf("%s has positions 1 to %d", q.route.name, len(q.stops)+1)
	}
	return q.positionBefore(n - 1), nil
}

// positionField asks for a position on the route that the other fields choose.
func (s Input) positionField(listOf func(form.Values) (stopList, bool)) form.Field {
	return form.Field{
		Name: fieldPosition, Title: "Position", Hint: "1",
		About: "1 for the next stop, last, or a stop: before 5d20c1aa, after 5d20c1aa",
		Suggest: func(text string, values form.Values) []form.Option {
			if q, ok := listOf(values); ok {
				return q.suggest(text)
			}
			return nil
		},
		Echo: func(text string, values form.Values) string {
			q, ok := listOf(values)
			if !ok || strings.TrimSpace(text) == "" {
				return ""
			}
			at, err := q.parsePosition(text)
			switch {
			case err != nil:
				return ""
			case at.beforeID == "":
				return routeInsertion{to: q.route}.whereText()
			}
			return routeInsertion{to: q.route, position: at}.whereText()
		},
	}
}

// suggest lists the positions that fit a text.
func (q stopList) suggest(text string) []form.Option {
	var options []form.Option
	wanted := strings.ToLower(strings.TrimSpace(text))
	for i, id := range q.stops {
		row := q.input.Board.Tasks.Get(id)
		if row == nil || len(options) == maxSuggestions-1 {
			continue
		}
		option := form.Option{
			Value: strconv.Itoa(i + 1), Label: fmt.Sprintf("%d, in front of %s", i+1, row.ShortID),
			Note: strings.TrimPrefix(q.input.taskLine(row), string(row.ShortID)+" "),
		}
		if i == 0 {
			option.Label = fmt.Sprintf("1, next, in front of %s", row.ShortID)
		}
		if containsFold(option.Label+" "+option.Note, wanted) {
			options = append(options, option)
		}
	}
	if last := (routeInsertion{to: q.route}).whereText(); containsFold("last, "+last, wanted) {
		options = append(options, form.Option{Value: "last", Label: "last, " + last})
	}
	return options
}
