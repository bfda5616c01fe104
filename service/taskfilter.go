package service

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"waybill/model"
	"waybill/service/world"
)

// taskFilter reads the query of a task list. A parameter that is there but empty counts as absent.
func taskFilter(query url.Values) (world.TaskFilter, error) {
	q := listQuery{values: query}
	filter := world.TaskFilter{
		From: q.millis("from"), To: q.millis("to"), LastID: q.id("lastId"), States: q.states("state"), Worker: q.id("worker"),
		CompleteBeforeBefore: q.millis("completeBeforeBefore"), CompleteAfterAfter: q.millis("completeAfterAfter"),
		Dependencies: q.ids("dependencies"), Containers: q.ids("containers"), Pickup: q.bool("isPickupTask"),
	}
	return filter, q.problems.Err()
}

// listQuery reads parameters and gathers what is wrong with them.
type listQuery struct {
	values   url.Values
	problems model.Problems
}

func (q *listQuery) refuse(name string, subcode model.Int, format string, args ...any) {
	q.problems = append(q.problems, model.Problem{Field: name, Subcode: subcode, Text: fmt.Sprintf(format, args...)})
}

func (q *listQuery) millis(name string) model.Opt[model.Millis] {
	text := q.values.Get(name)
	if text == "" {
		return model.Opt[model.Millis]{}
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		q.refuse(name, model.ErrorInvalid, "%.40q is not a time in Unix milliseconds.", model.Clean(text))
	}
	return model.Some(model.Millis(value))
}

func (q *listQuery) bool(name string) model.Opt[bool] {
	switch text := q.values.Get(name); text {
	case "":
		return model.Opt[bool]{}
	case "true", "false":
		return model.Some(text == "true")
	default:
		q.refuse(name, model.ErrorInvalid, "It must be true or false.")
		return model.Opt[bool]{}
	}
}

// list reads a comma list; the parameter may also be repeated.
func (q *listQuery) list(name string) []string {
	var items []string
	for _, value := range q.values[name] {
		for item := range strings.SplitSeq(value, ",") {
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
	}
	return items
}

func (q *listQuery) ids(name string) []model.ID {
	var ids []model.ID
	for _, item := range q.list(name) {
		if !model.ID(item).Valid() {
			q.refuse(name, model.ErrorWrongType, "%.40q must be of type ObjectId", model.Clean(item))
		}
		ids = append(ids, model.ID(item))
	}
	return ids
}

func (q *listQuery) id(name string) model.ID {
	ids := q.ids(name)
	switch len(ids) {
	case 0:
		return ""
	case 1:
	default:
		q.refuse(name, model.ErrorAmbiguous, "It takes one id.")
	}
	return ids[0]
}

func (q *listQuery) states(name string) []model.TaskState {
	var states []model.TaskState
	for _, item := range q.list(name) {
		value, err := strconv.Atoi(item)
		if err != nil || !model.TaskState(value).Known() {
			q.refuse(name, model.ErrorInvalid, "%.20q is not a state; they are 0, 1, 2 and 3.", model.Clean(item))
			continue
		}
		states = append(states, model.TaskState(value))
	}
	return states
}
