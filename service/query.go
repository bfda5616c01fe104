package service

import (
	"math"
	"strconv"
	"strings"

	"waybill/model"
	"waybill/service/world"
)

// flag is a yes-or-no parameter of the query; absent means no.
func (c *call) flag(name string) (bool, error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return false, nil
	}
	value, err := strconv.ParseBool(text)
	if err != nil {
		return false, world.Invalid("%s: %.40q is neither true nor false.", name, model.Clean(text))
	}
	return value, nil
}

// list is a parameter of the query that holds several values with commas between them. Repeating the parameter adds
// to the list.
func (c *call) list(name string) []string {
	var values []string
	for _, text := range c.URL.Query()[name] {
		for value := range strings.SplitSeq(text, ",") {
			if value = strings.TrimSpace(value); value != "" {
				values = append(values, value)
			}
		}
	}
	return values
}

// number is a numeric parameter of the query.
func (c *call) number(name string) (model.Opt[float64], error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return model.Opt[float64]{}, nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		return model.Opt[float64]{}, world.Invalid("%s: %.40q is not a number.", name, model.Clean(text))
	}
	return model.Some(value), nil
}

// time is a parameter of the query in Unix milliseconds.
func (c *call) time(name string) (model.Opt[model.Millis], error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return model.Opt[model.Millis]{}, nil
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return model.Opt[model.Millis]{}, world.Invalid("%s: %.40q is not a time in Unix milliseconds.", name, model.Clean(text))
	}
	return model.Some(model.Millis(value)), nil
}

// ids is a list of ids in the query.
func (c *call) ids(name string) ([]model.ID, error) {
	var ids []model.ID
	for _, text := range c.list(name) {
		id := model.ID(text)
		if !id.Valid() {
			return nil, world.Invalid("%s: %.40q is not an id.", name, model.Clean(text))
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// metadataQuery reads the body of a search by metadata.
func (c *call) metadataQuery() ([]model.Metadata, error) {
	var query []model.Metadata
	return query, c.decode(&query)
}

// neededNumber is a numeric parameter that must be there.
func (c *call) neededNumber(name string) (float64, error) {
	value, err := c.number(name)
	if err != nil {
		return 0, err
	}
	if !value.Has() {
		return 0, missing(name)
	}
	return value.Value(), nil
}

func missing(name string) error {
	return model.Problems{{Field: name, Subcode: model.ErrorMissing, Text: "The parameter is needed."}}
}

// location is a parameter of the query as longitude,latitude.
func (c *call) location(name string) (model.Opt[model.Location], error) {
	none := model.Opt[model.Location]{}
	text := c.URL.Query().Get(name)
	if text == "" {
		return none, nil
	}
	first, second, _ := strings.Cut(text, ",")
	lon, lonErr := strconv.ParseFloat(strings.TrimSpace(first), 64)
	lat, latErr := strconv.ParseFloat(strings.TrimSpace(second), 64)
	if lonErr != nil || latErr != nil {
		return none, world.Invalid("%s: %.60q is not longitude,latitude, such as -122.41,37.77.", name, model.Clean(text))
	}
	return model.Some(model.Location{Lon: lon, Lat: lat}), nil
}
