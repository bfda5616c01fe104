package operations

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"waybill/model"
	"waybill/operations/form"
)

// queue is a list that tasks can be put into, as the board shows it: the stops that can have something in front of
// them, which are not the active one, nor what moves.
type queue struct {
	scene  Input
	place  routePlace
	others []model.ID
}

// queueOf is the list of a place; false when the board does not have it.
func (s Input) queueOf(p routePlace, moving map[model.ID]bool) (queue, bool) {
	q := queue{scene: s, place: p}
	skip := func(id model.ID) bool { return moving[id] }
	if w := s.Board.Workers.Get(p.ref.Owner()); w != nil {
		q.others = slices.DeleteFunc(slices.Clone(w.Tasks), func(id model.ID) bool { return skip(id) || id == w.ActiveTask })
		return q, true
	}
	if t := s.Board.Teams.Get(p.ref.Owner()); t != nil {
		q.others = slices.DeleteFunc(slices.Clone(t.Tasks), skip)
		return q, true
	}
	return q, false
}

// before is the dock in front of a stop, or the end.
func (q queue) before(i int) dock {
	if i >= len(q.others) {
		return dock{}
	}
	return dock{before: q.others[i], beforeLabel: strings.TrimPrefix(q.scene.routeLabel(q.others[i]), "task ")}
}

// dockAt reads a position: a number from 1, a stop to go in front of or behind, or a word for either end, which is
// also what nothing means.
func (q queue) dockAt(text string) (dock, error) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	switch text {
	case "first", "next", "front", "start":
		return q.before(0), nil
	case "", "last", "end":
		return dock{}, nil
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
	for i, id := range q.others {
		if row := q.scene.Board.Tasks.Get(id); strings.EqualFold(stop, string(id)) || row != nil && stop == string(row.ShortID) {
			return q.before(i + behind), nil
		}
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return dock{}, fmt.Errorf("%.40q is neither a position nor a stop of %s", model.Clean(text), q.place.name)
	case n < 1 || n > len(q.others)+1:
		return dock{}, fmt.Errorf("%s has positions 1 to %d", q.place.name, len(q.others)+1)
	}
	return q.before(n - 1), nil
}

// positionField asks for the place in a list, which the other fields say.
func (s Input) positionField(listOf func(form.Values) (queue, bool)) form.Field {
	return form.Field{
		Name: fieldPosition, Title: "Position", Hint: "1",
		About: "1 is the next stop after the one under way; or next, last, or a stop to go in front of or after",
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
			at, err := q.dockAt(text)
			switch {
			case err != nil:
				return ""
			case at.before == "":
				return placing{to: q.place}.where()
			}
			return placing{to: q.place, dock: at}.where()
		},
	}
}

// suggest lists the places of a list that could be meant.
func (q queue) suggest(text string) []form.Option {
	var options []form.Option
	wanted := strings.ToLower(strings.TrimSpace(text))
	for i, id := range q.others {
		row := q.scene.Board.Tasks.Get(id)
		if row == nil || len(options) == mostSuggestions-1 {
			continue
		}
		option := form.Option{Value: strconv.Itoa(i + 1), Label: fmt.Sprintf("%d, in front of %s", i+1, row.ShortID), Note: strings.TrimPrefix(q.scene.routeLine(row), string(row.ShortID)+" ")}
		if i == 0 {
			option.Label = fmt.Sprintf("1, next, in front of %s", row.ShortID)
		}
		if nameFits(option.Label+" "+option.Note, wanted) {
			options = append(options, option)
		}
	}
	if last := (placing{to: q.place}).where(); nameFits("last, "+last, wanted) {
		options = append(options, form.Option{Value: "last", Label: "last, " + last})
	}
	return options
}
