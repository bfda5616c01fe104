package service

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"waybill/model"
)

// query reads the request's parameters.
func (c *call) query() *listQuery { return &listQuery{values: c.URL.Query()} }

// flag is a yes-or-no parameter; absent means no.
func (q *listQuery) flag(name string) bool { return q.bool(name).Value() }

// number reads a number.
func (q *listQuery) number(name string) model.Opt[float64] {
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

// neededNumber reads a number that must be there.
func (q *listQuery) neededNumber(name string) float64 {
	value := q.number(name)
	if !value.Has() {
		q.refuse(name, model.ErrorMissing, "The parameter is needed.")
	}
	return value.Value()
}

// count reads a whole number of 0 or more; absent is 0.
func (q *listQuery) count(name string) int64 {
	text := q.values.Get(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		q.refuse(name, model.ErrorInvalid, "%.40q is not a number of 0 or more.", model.Clean(text))
	}
	return n
}

// location reads a place as longitude,latitude.
func (q *listQuery) location(name string) model.Opt[model.Location] {
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

// dutyStates reads what workers are doing.
func (q *listQuery) dutyStates(name string) []model.DutyState {
	var states []model.DutyState
	for _, item := range q.list(name) {
		state, err := strconv.Atoi(item)
		if err != nil || state < int(model.WorkerOffDuty) || state > int(model.WorkerActive) {
			q.refuse(name, model.ErrorInvalid, "%.20q is none of 0 (off duty), 1 (idle) and 2 (active).", model.Clean(item))
			continue
		}
		states = append(states, model.DutyState(state))
	}
	return states
}

// members reads the names of members that a resource has.
func (q *listQuery) members(name string, resource reflect.Type) []string {
	names := q.list(name)
	for _, item := range names {
		if !hasMember(resource, item) {
			q.refuse(name, model.ErrorInvalid, "%.40q is no member of what is answered; names are case-sensitive.", model.Clean(item))
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

// metadataQuery reads the body of a search by metadata.
func (c *call) metadataQuery() ([]model.Metadata, error) {
	var query []model.Metadata
	return query, c.decode(&query)
}
