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

func (q *query) taskFilter() world.TaskFilter {
	return world.TaskFilter{
		From: q.millis("from"), To: q.millis("to"), LastID: q.id("lastId"), States: states(q, "state", model.TaskCompleted, "0, 1, 2 and 3"), Worker: q.id("worker"),
		CompleteBeforeBefore: q.millis("completeBeforeBefore"), CompleteAfterAfter: q.millis("completeAfterAfter"),
		Dependencies: q.ids("dependencies"), Containers: q.ids("containers"), Pickup: q.bool("isPickupTask"),
	}
}

func (q *query) refuse(name string, subcode model.Int, format string, args ...any) {
	q.problems = append(q.problems, model.Problem{Field: name, Subcode: subcode, Text: fmt.Sprintf(format, args...)})
}

// parse reads a parameter. refusal says why a text that parse does not accept is wrong; it may contain the text.
func parse[T any](q *query, name, refusal string, parse func(string) (T, bool)) model.Opt[T] {
	text := q.values.Get(name)
	if text == "" {
		return model.Opt[T]{}
	}
	value, ok := parse(text)
	if !ok {
		q.refuse(name, model.ErrorInvalid, "%s", strings.Replace(refusal, "TEXT", fmt.Sprintf("%.60q", model.Clean(text)), 1))
	}
	return model.Some(value)
}

func (q *query) millis(name string) model.Opt[model.Millis] {
	return parse(q, name, "TEXT is not a time in Unix milliseconds.", func(text string) (model.Millis, bool) {
		value, err := strconv.ParseInt(text, 10, 64)
		return model.Millis(value), err == nil
	})
}

func (q *query) bool(name string) model.Opt[bool] {
	return parse(q, name, "Must be true or false.", func(text string) (bool, bool) {
		return text == "true", text == "true" || text == "false"
	})
}

// flag reads a boolean that is false when absent.
func (q *query) flag(name string) bool { return q.bool(name).Value() }

func (q *query) number(name string) model.Opt[float64] {
	return parse(q, name, "TEXT is not a number.", func(text string) (float64, bool) {
		value, err := strconv.ParseFloat(text, 64)
		return value, err == nil && !math.IsInf(value, 0) && !math.IsNaN(value)
	})
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
	return parse(q, name, "TEXT is not a whole number of 0 or more.", func(text string) (int64, bool) {
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil && n >= 0
	}).Value()
}

// location reads longitude,latitude.
func (q *query) location(name string) model.Opt[model.Location] {
	return parse(q, name, "TEXT is not longitude,latitude, such as -122.41,37.77.", func(text string) (model.Location, bool) {
		first, second, _ := strings.Cut(text, ",")
		lon, lonErr := strconv.ParseFloat(strings.TrimSpace(first), 64)
		lat, latErr := strconv.ParseFloat(strings.TrimSpace(second), 64)
		return model.Location{Lon: lon, Lat: lat}, lonErr == nil && latErr == nil
	})
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

// states reads a list of states, which are numbers from 0 to last.
func states[T ~int](q *query, name string, last T, explanation string) []T {
	var states []T
	for _, item := range q.list(name) {
		state, err := strconv.Atoi(item)
		if err != nil || state < 0 || T(state) > last {
			q.refuse(name, model.ErrorInvalid, "Unknown state %.20q. States are %s.", model.Clean(item), explanation)
			continue
		}
		states = append(states, T(state))
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
