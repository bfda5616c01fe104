package service

import (
	"fmt"
	"math"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"waybill/model"
	"waybill/service/world"
)

// query parses the parameters of a request and collects the problems with them. An empty parameter counts as absent.
type query struct {
	values   url.Values
	problems model.Problems
}

func (c *call) query() *query { return &query{values: c.URL.Query()} }

func (c *call) taskFilter() (world.TaskFilter, error) {
	q := c.query()
	filter := world.TaskFilter{
		From: q.millis("from"), To: q.millis("to"), LastID: q.id("lastId"), States: q.taskStates("state"), Worker: q.id("worker"),
		CompleteBeforeBefore: q.millis("completeBeforeBefore"), CompleteAfterAfter: q.millis("completeAfterAfter"),
		Dependencies: q.ids("dependencies"), Containers: q.ids("containers"), Pickup: q.bool("isPickupTask"),
	}
	return filter, q.problems.Err()
}

func (q *query) refuse(name string, subcode model.Int, format string, args ...any) {
	q.problems = append(q.problems, model.Problem{Field: name, Subcode: subcode, Text: fmt.Sprintf(format, args...)})
}

func (q *query) millis(name string) model.Opt[model.Millis] {
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

func (q *query) bool(name string) model.Opt[bool] {
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

// flag reads a boolean that is false when absent.
func (q *query) flag(name string) bool { return q.bool(name).Value() }

func (q *query) number(name string) model.Opt[float64] {
	text := q.values.Get(name)
	if text == "" {
		return model.Opt[float64]{}
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		q.refuse(name, model.ErrorInvalid, "%.40q is not a number.", model.Clean(text))
	}
	return model.Some(value)
}

func (q *query) requiredNumber(name string) float64 {
	value := q.number(name)
	if !value.Has() {
		q.refuse(name, model.ErrorMissing, "The parameter is required.")
	}
	return value.Value()
}

// count reads a whole number that is 0 when absent.
func (q *query) count(name string) int64 {
	text := q.values.Get(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		q.refuse(name, model.ErrorInvalid, "%.40q is not a whole number of 0 or more.", model.Clean(text))
	}
	return n
}

// location reads longitude,latitude.
func (q *query) location(name string) model.Opt[model.Location] {
	text := q.values.Get(name)
	if text == "" {
		return model.Opt[model.Location]{}
	}
	first, second, _ := strings.Cut(text, ",")
	lon, lonErr := strconv.ParseFloat(strings.TrimSpace(first), 64)
	lat, latErr := strconv.ParseFloat(strings.TrimSpace(second), 64)
	if lonErr != nil || latErr != nil {
		q.refuse(name, model.ErrorInvalid, "%.60q is not longitude,latitude, such as -122.41,37.77.", model.Clean(text))
	}
	return model.Some(model.Location{Lon: lon, Lat: lat})
}

// list reads a comma-separated list; the parameter may also be repeated.
func (q *query) list(name string) []string {
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

func (q *query) ids(name string) []model.ID {
	var ids []model.ID
	for _, item := range q.list(name) {
		if !model.ID(item).Valid() {
			q.refuse(name, model.ErrorWrongType, "%.40q must be of type ObjectId", model.Clean(item))
		}
		ids = append(ids, model.ID(item))
	}
	return ids
}

func (q *query) id(name string) model.ID {
	ids := q.ids(name)
	switch len(ids) {
	case 0:
		return ""
	case 1:
	default:
		q.refuse(name, model.ErrorAmbiguous, "Give one id.")
	}
	return ids[0]
}

func (q *query) taskStates(name string) []model.TaskState {
	var states []model.TaskState
	for _, item := range q.list(name) {
		value, err := strconv.Atoi(item)
		if err != nil || !model.TaskState(value).Known() {
			q.refuse(name, model.ErrorInvalid, "Unknown state %.20q. States are 0, 1, 2 and 3.", model.Clean(item))
			continue
		}
		states = append(states, model.TaskState(value))
	}
	return states
}

func (q *query) dutyStates(name string) []model.DutyState {
	var states []model.DutyState
	for _, item := range q.list(name) {
		state, err := strconv.Atoi(item)
		if err != nil || state < int(model.WorkerOffDuty) || state > int(model.WorkerActive) {
			q.refuse(name, model.ErrorInvalid, "Unknown state %.20q. States are 0 (off duty), 1 (idle) and 2 (active).", model.Clean(item))
			continue
		}
		states = append(states, model.DutyState(state))
	}
	return states
}

// members reads a list of member names of a resource.
func (q *query) members(name string, resource reflect.Type) []string {
	names := q.list(name)
	for _, item := range names {
		if !hasMember(resource, item) {
			q.refuse(name, model.ErrorInvalid, "Unknown member %.40q. Names are case-sensitive.", model.Clean(item))
		}
	}
	return names
}

func hasMember(resource reflect.Type, name string) bool {
	for field := range resource.Fields() {
		if member, _, _ := strings.Cut(field.Tag.Get("json"), ","); member == name && name != "" {
			return true
		}
	}
	return false
}
